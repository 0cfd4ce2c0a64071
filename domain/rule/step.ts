/**
 * State machine of a rule. All times are device times in milliseconds. A value is valid until the next reading. The end
 * of a debounce is therefore the same, whether a reading or the clock detects it.
 */
export type Phase = 'normal' | 'pending' | 'open' | 'clearing';

/**
 * Position of a value. `between` is inside the limits but not inside the clear limits, so it neither opens nor clears
 * an alarm. `alarm` is the alarm state of a digital channel, or conditions that hold.
 */
export type Position = 'inside' | 'between' | 'below' | 'above' | 'alarm';

/** State of a rule that is not normal. Most rules are normal, so no state is stored for them. */
export interface RuleState {
  readonly phase: 'pending' | 'open' | 'clearing';
  /** Time of the first value outside the limits (pending, open), or of the first value inside them (clearing). */
  readonly since: number;
  /**
   * Opening time of the alarm. While pending, the earliest time at which the alarm may open: the end of a maintenance
   * window without alarms, else `since`.
   */
  readonly openedAt: number;
}

export type TransitionReason =
  | 'below-lower'
  | 'above-upper'
  | 'alarm-state'
  /** The value stayed outside the limits for the whole debounce. */
  | 'stayed-out'
  | 'back-before-debounce'
  | 'back-inside'
  | 'out-again'
  /** The value is outside the clear limits again, but inside the limits. */
  | 'left-clear-limits'
  /** The value stayed inside the limits for the whole debounce. */
  | 'stayed-inside';

export interface Transition {
  readonly from: Phase;
  readonly to: Phase;
  readonly at: number;
  readonly because: TransitionReason;
}

export interface Step {
  readonly state: RuleState | undefined;
  readonly transitions: readonly Transition[];
}

export const NO_TRANSITIONS: readonly Transition[] = [];
const NORMAL: Step = { state: undefined, transitions: NO_TRANSITIONS };

/** Returns the time at which the debounce ends unless a reading arrives before; undefined if no debounce is running. */
export function dueAt(state: RuleState | undefined, holdMs: number): number | undefined {
  if (state === undefined || state.phase === 'open') return undefined;
  const ends = state.since + holdMs;
  return state.phase === 'pending' ? Math.max(ends, state.openedAt) : ends;
}

/**
 * Applies the transitions that are due until `to`, without a new reading. An alarm never resolves before it opened.
 * This matters if the clock opened the alarm, the debounce was then shortened, and older readings arrived.
 */
export function advance(state: RuleState | undefined, holdMs: number, to: number): Step {
  const due = dueAt(state, holdMs);
  if (state === undefined || due === undefined || due > to) return { state, transitions: NO_TRANSITIONS };
  if (state.phase === 'pending') {
    return {
      state: { phase: 'open', since: state.since, openedAt: due },
      transitions: [{ from: 'pending', to: 'open', at: due, because: 'stayed-out' }],
    };
  }
  const at = Math.max(due, state.openedAt);
  return { state: undefined, transitions: [{ from: 'clearing', to: 'normal', at, because: 'stayed-inside' }] };
}

/**
 * Applies a reading that is newer than all earlier readings. Transitions that are due by that time come first, even if
 * they are due at exactly the same time.
 */
export function step(state: RuleState | undefined, holdMs: number, time: number, position: Position): Step {
  if (state === undefined) {
    if (position === 'inside' || position === 'between') return NORMAL;
    return raise(holdMs, time, position);
  }
  const due = dueAt(state, holdMs);
  if (due === undefined || due > time) return place(state, holdMs, time, position);
  const first = advance(state, holdMs, time);
  const second = first.state ? place(first.state, holdMs, time, position) : step(undefined, holdMs, time, position);
  return { state: second.state, transitions: [...first.transitions, ...second.transitions] };
}

const reasons = { below: 'below-lower', above: 'above-upper', alarm: 'alarm-state' } as const;

function raise(holdMs: number, time: number, position: 'below' | 'above' | 'alarm'): Step {
  const to = holdMs > 0 ? 'pending' : 'open';
  return {
    state: { phase: to, since: time, openedAt: time },
    transitions: [{ from: 'normal', to, at: time, because: reasons[position] }],
  };
}

/** Applies a reading when no transition is due. */
function place(state: RuleState, holdMs: number, time: number, position: Position): Step {
  const { phase, openedAt } = state;
  if (phase === 'pending') {
    if (position !== 'inside' && position !== 'between') return { state, transitions: NO_TRANSITIONS };
    return {
      state: undefined,
      transitions: [{ from: 'pending', to: 'normal', at: time, because: 'back-before-debounce' }],
    };
  }
  if (phase === 'open') {
    if (position !== 'inside') return { state, transitions: NO_TRANSITIONS };
    if (holdMs === 0) {
      const at = Math.max(time, openedAt);
      return { state: undefined, transitions: [{ from: 'open', to: 'normal', at, because: 'back-inside' }] };
    }
    return {
      state: { phase: 'clearing', since: time, openedAt },
      transitions: [{ from: 'open', to: 'clearing', at: time, because: 'back-inside' }],
    };
  }
  if (position === 'inside') return { state, transitions: NO_TRANSITIONS };
  return {
    state: { phase: 'open', since: time, openedAt },
    transitions: [
      { from: 'clearing', to: 'open', at: time, because: position === 'between' ? 'left-clear-limits' : 'out-again' },
    ],
  };
}
