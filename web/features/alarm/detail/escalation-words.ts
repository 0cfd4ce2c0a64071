import { acknowledgementOf, isQuiet } from '../../../kit/format/alarm.ts';

export interface EscalationFields {
  plan: unknown;
  escalationStep: number;
  nextEscalationAt: string | null;
  mustAcknowledge: boolean;
  acknowledgeJson: unknown;
  resolvedDate: string | null;
  quietBecause: string | null;
}

export type EscalationState =
  | { state: 'none'; because: 'not-planned' | 'need-not-be-acknowledged' | 'nobody-named' | 'no-times' }
  | { state: 'waiting'; done: number; times: number; nextAt: string }
  | { state: 'over'; done: number; times: number; because: StopCause };

type StopCause = 'acknowledged' | 'resolved' | 'quiet' | 'finished';

/** Returns the progress of an alarm's escalation and its next step. */
export function escalationOf(alarm: EscalationFields): EscalationState {
  const { plan, escalationStep: done, nextEscalationAt: nextAt } = alarm;
  if (!alarm.mustAcknowledge) {
    return { state: 'none', because: 'need-not-be-acknowledged' };
  }
  if (typeof plan !== 'object' || plan === null) {
    return { state: 'none', because: 'not-planned' };
  }
  const { people, times: planned } = plan as { people?: unknown; times?: unknown };
  const times = typeof planned === 'number' ? planned : done;
  if (nextAt !== null) {
    return { state: 'waiting', done, times, nextAt };
  }
  if (done === 0 && (!Array.isArray(people) || people.length === 0)) {
    return { state: 'none', because: 'nobody-named' };
  }
  if (planned === 0) {
    return { state: 'none', because: 'no-times' };
  }
  return { state: 'over', done, times, because: stopCause(alarm) };
}

/**
 * Returns why the escalation stopped. If the alarm was both acknowledged and resolved, whichever came first is the
 * cause.
 */
function stopCause(alarm: EscalationFields): StopCause {
  const { acknowledgeJson, resolvedDate } = alarm;
  if (acknowledgeJson === null && isQuiet(alarm)) return 'quiet';
  if (acknowledgeJson === null) return resolvedDate === null ? 'finished' : 'resolved';
  const at = acknowledgementOf(acknowledgeJson)?.at;
  return resolvedDate !== null && at && Date.parse(resolvedDate) <= Date.parse(at) ? 'resolved' : 'acknowledged';
}

/** Returns the reason why escalation is paused, as text. */
function pauseWords(quietBecause: string | null): string {
  if (quietBecause === 'maintenance') return 'during maintenance';
  return quietBecause === 'dependency' ? 'while its cause is in alarm' : 'while shelved';
}

/**
 * Returns the text to show after the label “Escalation”; null if no escalation is planned. The caller appends the time
 * of the next step.
 */
export function escalationWords(escalation: EscalationState, quietBecause: string | null): string | null {
  if (escalation.state === 'none') {
    return {
      'not-planned': null,
      'need-not-be-acknowledged': 'none: acknowledgement not required',
      'nobody-named': 'none: no recipients',
      // Only alarms opened by an earlier version have this cause, because a rule alert must now allow at least one
      // escalation.
      'no-times': 'none: the rule alert allowed no escalations',
    }[escalation.because];
  }
  const { done, times } = escalation;
  if (escalation.state === 'waiting') {
    return done === 0 ? 'not yet, first at' : `${done} of ${times}, next at`;
  }
  const { because } = escalation;
  if (because === 'quiet') {
    const pause = pauseWords(quietBecause);
    return done === 0 ? `none ${pause}` : `${done} of ${times}, stopped ${pause}`;
  }
  if (done === 0) {
    return because === 'finished' ? 'none planned, not acknowledged' : `none: ${because} before the first escalation`;
  }
  const count = `${done} of ${times}`;
  if (because === 'finished') return `${count}, not acknowledged`;
  // After the last planned step, the escalation is complete and cannot stop early.
  return done >= times ? `${count}, ${because} after the last escalation` : `${count}, stopped: ${because}`;
}
