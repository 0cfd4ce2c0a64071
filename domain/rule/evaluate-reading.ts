import { NO_TRANSITIONS, type Position, type RuleState, type Step, step } from './step.ts';

/** What is remembered of a rule between two readings. */
export interface EvaluatedRule {
  state: RuleState | undefined;
  /** The device time of the newest reading judged so far. */
  last: number | undefined;
}

/** Whether a reading says something new: one that is as old as the last one, or older, changes no alarm. */
export function isNewer(last: number | undefined, time: number): boolean {
  return last === undefined || time > last;
}

/**
 * A reading in the order of arrival. Late, repeated and equally old ones are not taken; where one is, the caller keeps its
 * time as `last`. The clock may have found something out before a reading that is older arrives, as after a buffered upload:
 * what was opened stays opened, so a transition can carry an earlier time than the one before it.
 */
export function evaluateReading(
  judged: EvaluatedRule,
  holdMs: number,
  time: number,
  position: Position,
): Step & { taken: boolean } {
  if (!isNewer(judged.last, time)) return { state: judged.state, transitions: NO_TRANSITIONS, taken: false };
  const { state, transitions } = step(judged.state, holdMs, time, position);
  return { state, transitions, taken: true };
}
