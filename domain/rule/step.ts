/**
 * One rule, one step at a time: where a value stands, how long it has stood there, and what follows. All times are the
 * device's, in milliseconds. A value holds until the next one says otherwise, so a debounce falls due at the same moment
 * whether a reading or the clock finds it out.
 */
export type Phase = 'normal' | 'pending' | 'open' | 'clearing';

/**
 * Where a value stands. `between` is inside the limits but not yet inside the clear limits: it raises nothing and clears
 * nothing. `alarm` is what has no limits: the alarm state of a digital channel, or conditions that hold.
 */
export type Position = 'inside' | 'between' | 'below' | 'above' | 'alarm';

/** A rule that is not at rest. A rule at rest has no state, which is what nearly all of them are nearly always. */
export interface RuleState {
  readonly phase: 'pending' | 'open' | 'clearing';
  /** Since when the value stands where the phase says: out for pending and open, inside for clearing. */
  readonly since: number;
  /** When the alarm opened; the same as `since` while pending. */
  readonly openedAt: number;
}

export type TransitionReason =
  | 'below-lower'
  | 'above-upper'
  | 'alarm-state'
  /** Out of limits for as long as the debounce asks. */
  | 'stayed-out'
  | 'back-before-debounce'
  | 'back-inside'
  | 'out-again'
  /** Not inside the clear limits any more, though still inside the limits. */
  | 'left-clear-limits'
  /** Inside for as long as the debounce asks. */
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
const AT_REST: Step = { state: undefined, transitions: NO_TRANSITIONS };

/** The moment a rule changes by itself, if no reading comes before it. */
export function dueAt(state: RuleState | undefined, holdMs: number): number | undefined {
  if (state === undefined || state.phase === 'open') return undefined;
  return state.since + holdMs;
}

/**
 * What has fallen due by a moment, without a new reading. An alarm is never resolved before it opened, even where its debounce
 * was made shorter after the clock had opened it and before older readings arrived.
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

/** A reading newer than all before it. What fell due on the way to it comes first, even at the very same moment. */
export function step(state: RuleState | undefined, holdMs: number, time: number, position: Position): Step {
  if (state === undefined) {
    if (position === 'inside' || position === 'between') return AT_REST;
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

/** A reading in a phase that nothing has fallen due in. */
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
