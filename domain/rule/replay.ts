import { isNewer } from './evaluate-reading.ts';
import { distanceOut, type Limits, placeValue } from './limits.ts';
import { advance, type Position, type RuleState, type Step, step, type Transition } from './step.ts';

export interface ReplayRule {
  place(value: number): Position;
  holdMs: number;
  /**
   * Returns how far a value is outside the limits; negative if the value is inside. Without this function, the first
   * value outside the limits counts as the peak.
   */
  distance?(value: number): number;
  /** Returns until when no alarm may open that is due at `at`; `at` or earlier if it may open. */
  heldUntil?(at: number): number;
}

export interface ReplayedAlarm {
  /** Time of the first value outside the limits. */
  since: number;
  openedAt: number;
  /** Time at which the alarm resolves; undefined if it is still open at the end of the replay. */
  resolvedAt: number | undefined;
  /** The value farthest outside the limits, from `since` until the resolution. */
  peak: number;
}

export function ruleOfLimits(limits: Limits, holdMs: number): ReplayRule {
  return {
    holdMs,
    place: (value) => placeValue(limits, value),
    distance: (value) => distanceOut(limits, value),
  };
}

/**
 * Returns the alarms that the rule would have opened up to `until`. Uses the same state machine as live evaluation.
 * Readings must be in the order of arrival. Late and duplicate readings, and readings after `until`, are skipped.
 */
export function replay(
  rule: ReplayRule,
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  until: number,
  onTransition?: (transition: Transition) => void,
): ReplayedAlarm[] {
  const alarms: ReplayedAlarm[] = [];
  let state: RuleState | undefined;
  let last: number | undefined;
  let peak = Number.NaN;

  const record = (transition: Transition, since: number) => {
    const { from, to, at } = transition;
    if (to === 'open' && from !== 'clearing') alarms.push({ since, openedAt: at, resolvedAt: undefined, peak });
    const current = alarms.at(-1);
    if (to === 'normal' && from !== 'pending' && current) current.resolvedAt = at;
    onTransition?.(transition);
  };

  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number;
    const value = values[index] as number;
    if (time > until || !isNewer(last, time)) continue;
    last = time;
    const position = rule.place(value);
    const before = state;
    const after = stepHeld(rule, before, time, position);
    state = after.state;
    if (before === undefined && state === undefined) continue;
    for (const transition of after.transitions) {
      // A new period outside the limits starts with this reading, so the previous peak no longer applies.
      if (transition.from === 'normal') peak = value;
      record(transition, transition.from === 'normal' ? time : (before?.since ?? time));
    }
    if (state !== undefined && isOutside(position)) {
      peak = farther(rule, peak, value);
      const current = alarms.at(-1);
      if (state.phase !== 'pending' && current) current.peak = peak;
    }
  }
  const end = advanceHeld(rule, state, until);
  for (const transition of end.transitions) record(transition, state?.since ?? transition.at);
  return alarms;
}

/** Applies the transitions that are due until `to`. An alarm that may not open yet stays pending. */
function advanceHeld(rule: ReplayRule, state: RuleState | undefined, to: number): Step {
  const result = advance(state, rule.holdMs, to);
  const [opening] = result.transitions;
  if (state === undefined || opening?.to !== 'open') return result;
  const openedAt = rule.heldUntil?.(opening.at) ?? opening.at;
  return openedAt <= opening.at ? result : advanceHeld(rule, { ...state, openedAt }, to);
}

/** Applies a reading, as `step` does. An alarm that may not open yet is pending. */
function stepHeld(rule: ReplayRule, before: RuleState | undefined, time: number, position: Position): Step {
  if (!rule.heldUntil) return step(before, rule.holdMs, time, position);
  const first = advanceHeld(rule, before, time);
  const { state, transitions } = step(first.state, rule.holdMs, time, position);
  const openedAt = rule.heldUntil(time);
  const isHeld = first.state === undefined && state?.phase === 'open' && openedAt > time;
  if (!isHeld) return { state, transitions: [...first.transitions, ...transitions] };
  const held = transitions.map((transition) => ({ ...transition, to: 'pending' as const }));
  return { state: { ...state, phase: 'pending', openedAt }, transitions: [...first.transitions, ...held] };
}

export function isOutside(position: Position): boolean {
  return position !== 'inside' && position !== 'between';
}

function farther(rule: ReplayRule, peak: number, value: number): number {
  return rule.distance && rule.distance(value) > rule.distance(peak) ? value : peak;
}
