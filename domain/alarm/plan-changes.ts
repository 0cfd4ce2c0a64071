import type { RecordedStep } from '../rule/recorded-step.ts';
import { groupIntoRounds } from './rounds.ts';

/** The transitions of one rule in one evaluation, with the state of the rule before and after them. */
export interface AlarmChange {
  readonly steps: readonly RecordedStep[];
  readonly before: { readonly since: number; readonly alarmUuid: string | undefined } | undefined;
  readonly after: { readonly dueAt: number | undefined } | undefined;
}

/**
 * Identifies the alarm of a rule: the uuid of a stored alarm or, if the alarm is not known yet, the number of the
 * rule's opening in this plan.
 */
export type AlarmRef = string | number;

interface PlannedStep<C> {
  change: C;
  step: RecordedStep;
}

/** One round of writes. The writes of a round can be done together; the rounds are done one after another. */
export interface PlannedRound<C> {
  /** Openings, numbered from 0 across all rounds. `since` is the time at which the value left the limits. */
  openings: (PlannedStep<C> & { since: number })[];
  /** Timeline events of alarms that stay open. `until` is the server time at which a clearing alarm resolves. */
  progress: (PlannedStep<C> & { alarm: AlarmRef; until: number | undefined })[];
  /** Rules that return to normal, with the alarm that each rule kept open. */
  endings: (PlannedStep<C> & { alarm: AlarmRef })[];
  /** Alarms that at least one rule of this evaluation keeps open after the round. Empty if the round has no endings. */
  held: AlarmRef[];
}

export interface ChangePlan<C> {
  rounds: PlannedRound<C>[];
  /** All transitions to record, each with its alarm. */
  transitions: (PlannedStep<C> & { alarm: AlarmRef | undefined })[];
  /** The alarm of each rule after all rounds. */
  alarms: Map<C, AlarmRef | undefined>;
}

/**
 * Plans the alarms of an evaluation. `siteOf` returns undefined for a deleted rule. A deleted rule opens no alarm. If
 * it kept an alarm open, the timeline only records that the rule returned to normal.
 */
export function planChanges<C extends AlarmChange>(
  changes: readonly C[],
  siteOf: (change: C) => string | undefined,
): ChangePlan<C> {
  const alarms = new Map<C, AlarmRef | undefined>(changes.map((change) => [change, change.before?.alarmUuid]));
  const sinceOf = new Map<C, number | undefined>(changes.map((change) => [change, change.before?.since]));
  const transitions: ChangePlan<C>['transitions'] = [];
  let openings = 0;
  const rounds = groupIntoRounds(changes, siteOf).map((events) => {
    const round: PlannedRound<C> = { openings: [], progress: [], endings: [], held: [] };
    for (const { change, step } of events) {
      const isKnown = siteOf(change) !== undefined;
      if (step.from === 'normal') sinceOf.set(change, step.at);
      if (step.to === 'open' && step.from !== 'clearing') {
        if (isKnown) round.openings.push({ change, step, since: sinceOf.get(change) ?? step.at });
        continue;
      }
      const alarm = alarms.get(change);
      transitions.push({ change, step, alarm });
      if (alarm === undefined) continue;
      if (step.to === 'normal') round.endings.push({ change, step, alarm });
      else if (isKnown) round.progress.push({ change, step, alarm, until: endOf(change, step) });
    }
    for (const { change, step } of round.openings) {
      const alarm = openings;
      openings += 1;
      alarms.set(change, alarm);
      transitions.push({ change, step, alarm });
    }
    if (round.endings.length > 0) {
      for (const { change } of round.endings) alarms.set(change, undefined);
      round.held = [...new Set(alarms.values())].filter((alarm) => alarm !== undefined);
    }
    return round;
  });
  return { rounds, transitions, alarms };
}

/**
 * Returns the server time at which a clearing alarm resolves; undefined unless clearing is the last step of the change.
 */
function endOf({ after, steps }: AlarmChange, step: RecordedStep): number | undefined {
  return step.to === 'clearing' && step === steps.at(-1) ? after?.dueAt : undefined;
}
