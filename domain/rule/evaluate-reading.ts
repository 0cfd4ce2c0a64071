import { NO_TRANSITIONS, type Position, type RuleState, type Step, step } from './step.ts';

/** State of a rule that is kept from one reading to the next. */
export interface EvaluatedRule {
  state: RuleState | undefined;
  /** Device time of the newest evaluated reading. */
  last: number | undefined;
}

/**
 * Returns whether a reading is newer than the last evaluated reading. Readings that are not newer do not change alarms.
 */
export function isNewer(last: number | undefined, time: number): boolean {
  return last === undefined || time > last;
}

/**
 * Evaluates a reading. Readings must be passed in the order of arrival. Late and duplicate readings are ignored
 * (`taken` is false). After any other reading, the caller must store the time of the reading as `last`. If no reading
 * arrives, the clock can open an alarm. When older buffered readings arrive later, this alarm stays open, and its next
 * transition can have an earlier time than its opening.
 */
export function evaluateReading(
  rule: EvaluatedRule,
  holdMs: number,
  time: number,
  position: Position,
): Step & { taken: boolean } {
  if (!isNewer(rule.last, time)) return { state: rule.state, transitions: NO_TRANSITIONS, taken: false };
  const { state, transitions } = step(rule.state, holdMs, time, position);
  return { state, transitions, taken: true };
}
