import { mergeRecipients, type Recipient, type Recipients } from '../notification/draft.ts';
import { type Priority, type Severity, severities } from '../rule/priority.ts';
import { type EscalationPlan, firstEscalation, withSteps } from './escalation.ts';
import { mergeSteps, type PlanPosition, type PlanStep } from './plan.ts';
import type { Quiet, QuietBecause } from './quiet.ts';

/** A rule that joins an open alarm, with the recipients, severity and escalation that it adds. */
export interface Joining {
  alarmUuid: string;
  watchUuid: string;
  priority: Priority;
  severity: Severity;
  recipients: Recipients;
  plan: EscalationPlan;
  /** Position and due time of a plan with steps that begins now. */
  position?: PlanPosition;
  due?: number | null;
  mustAcknowledge: boolean;
  /** Why the rule is quiet, for example because it is shelved; undefined if it is not quiet. */
  quiet: Quiet | undefined;
}

/** Changes that a joining rule made to an alarm. */
export interface Brought {
  /** Recipients that the rule added. */
  people: Recipient[];
  /** The new severity if the rule raised it; otherwise undefined. */
  severity: Severity | undefined;
  /** The alarm's severity after the change. */
  alarmSeverity?: Severity;
}

/** Result for the rule that opened the alarm. The rule adds nothing to its own alarm. */
export const nothingBrought: Brought = { people: [], severity: undefined };

/** The fields of an open alarm that a joining rule can change. */
export interface JoinedAlarm {
  uuid: string;
  rule: string | null;
  priority: Priority;
  severity: Severity;
  /** Recipients and escalation plan are null if a user reported the alarm. */
  recipients: Recipients | null;
  plan: EscalationPlan | null;
  /** Position in a plan with steps. */
  planStep?: number;
  planRepeat?: number;
  must: boolean;
  acknowledged: boolean;
  next: number | null;
  /** Why the alarm is quiet; null if it is not. */
  quietBecause: QuietBecause | null;
  /** Server time until which the alarm is quiet; null if it is not quiet or the end is not known. */
  quietUntil: number | null;
}

export interface JoinPlan {
  /** Alarms that must be updated, with their new values. */
  changed: JoinedAlarm[];
  /** The changes of each rule; undefined for the rule that opened the alarm. */
  brought: (Brought | undefined)[];
}

/**
 * Merges each joining rule into its alarm, in order. The alarm gets the higher severity, all recipients and the earlier
 * escalation. A quiet rule adds nothing to an alarm that is not quiet. If a rule that is not quiet joins a quiet alarm,
 * the quiet time of the alarm ends now, and the engine notifies all its recipients.
 */
export function planJoins(alarms: readonly JoinedAlarm[], joinings: readonly Joining[], now: number): JoinPlan {
  const current = new Map(alarms.map((alarm) => [alarm.uuid, alarm]));
  const changed = new Set<string>();
  const brought = joinings.map((joining) => {
    const before = current.get(joining.alarmUuid);
    if (!before || before.rule === joining.watchUuid) return undefined;
    const isQuiet = before.quietBecause !== null;
    if (joining.quiet && !isQuiet) return { ...nothingBrought, alarmSeverity: before.severity };
    const merged = merge(before, joining, now);
    const quietUntil = joining.quiet ? earlier(before.quietUntil, joining.quiet.until) : now;
    const after = isQuiet ? { ...merged, next: null, quietUntil } : merged;
    current.set(after.uuid, after);
    changed.add(after.uuid);
    const known = new Set(before.recipients?.alert.map(({ uuid }) => uuid));
    return {
      people: isQuiet ? [] : joining.recipients.alert.filter(({ uuid }) => !known.has(uuid)),
      severity: after.severity === before.severity ? undefined : after.severity,
      alarmSeverity: after.severity,
    };
  });
  return { changed: [...changed].map((uuid) => current.get(uuid) as JoinedAlarm), brought };
}

/** Returns the earlier time. Null is an unknown end and counts as later than any time. */
function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function merge(alarm: JoinedAlarm, joining: Joining, now: number): JoinedAlarm {
  const { priority, severity, recipients, plan, mustAcknowledge } = joining;
  const isHigher = alarm.severity !== 'silent' && severities.indexOf(severity) < severities.indexOf(alarm.severity);
  const before = alarm.recipients ?? { ...recipients, alert: [], resolve: [], escalate: [], notes: [] };
  const merged: JoinedAlarm = {
    ...alarm,
    ...(isHigher && { severity, priority }),
    must: alarm.must || mustAcknowledge,
    recipients: {
      ...before,
      alert: mergeRecipients(before.alert, recipients.alert),
      resolve: mergeRecipients(before.resolve, recipients.resolve),
      escalate: mergeRecipients(before.escalate, recipients.escalate),
      notes: [...new Set([...before.notes, ...recipients.notes])],
    },
  };
  const mergedPlan = mergePlans(alarm.plan, plan);
  // If the escalation plan stays the same, for example when a rule joins again, the escalation must not become earlier.
  if (isSamePlan(mergedPlan, alarm.plan)) return merged;
  const due = (plan.steps ? joining.due : undefined) ?? firstEscalation(plan, now);
  const isEarlier = !alarm.acknowledged && due !== undefined;
  const { step, repeat } = joining.position ?? { step: 1, repeat: 0 };
  return {
    ...merged,
    plan: mergedPlan,
    // The plan begins again after its first step, so that it reaches everybody whom the rule adds to a step.
    ...(mergedPlan?.steps && { planStep: step, planRepeat: repeat }),
    next: isEarlier ? Math.min(alarm.next ?? due, due) : alarm.next,
  };
}

function mergePlans(own: EscalationPlan | null, other: EscalationPlan): EscalationPlan | null {
  if (other.people.length === 0 && !other.steps) return own;
  if (!own || (own.people.length === 0 && !own.steps)) return other;
  const merged = {
    afterMinutes: Math.min(own.afterMinutes, other.afterMinutes),
    everyMinutes: Math.min(own.everyMinutes, other.everyMinutes),
    times: Math.max(own.times, other.times),
    people: [...new Set([...own.people, ...other.people])],
  };
  return own.steps || other.steps ? withSteps(merged, mergeSteps(asSteps(own), asSteps(other))) : merged;
}

/** Returns the steps of a plan. In a plan without steps, the first step is in the recipients of the alarm. */
function asSteps({
  afterMinutes: waitMinutes,
  everyMinutes,
  times,
  people,
  steps,
}: EscalationPlan): readonly PlanStep[] {
  if (steps) return steps;
  const first = { waitMinutes: 0, repeats: 0, everyMinutes, people: [], layers: [] };
  return people.length === 0 ? [first] : [first, { waitMinutes, repeats: times - 1, everyMinutes, people, layers: [] }];
}

function isSamePlan(a: EscalationPlan | null, b: EscalationPlan | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.afterMinutes === b.afterMinutes &&
    a.everyMinutes === b.everyMinutes &&
    a.times === b.times &&
    JSON.stringify([a.people, a.steps ?? null]) === JSON.stringify([b.people, b.steps ?? null])
  );
}
