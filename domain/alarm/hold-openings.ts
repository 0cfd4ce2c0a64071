import type { RecordedStep } from '../rule/recorded-step.ts';
import type { Phase, RuleState } from '../rule/step.ts';

/** State of a rule, with the server time at which the state changes even if no reading arrives. */
interface TimedState extends RuleState {
  readonly dueAt: number | undefined;
}

/** Returns whether the steps open an alarm. */
export function opensAlarm(steps: readonly RecordedStep[]): boolean {
  return steps.some(({ from, to }) => to === 'open' && from !== 'clearing');
}

/**
 * Returns the changes of a rule that is not allowed to open an alarm before `until`. The rule is pending while it would
 * have an alarm, and normal as soon as the value is back to normal. If the rule is still pending at `until`, its alarm
 * opens then. An alarm that was open before the steps is kept.
 */
export function holdOpenings<S extends TimedState>(
  steps: readonly RecordedStep[],
  before: S | undefined,
  after: S | undefined,
  until: number,
): { steps: RecordedStep[]; after: S | undefined } {
  const held: RecordedStep[] = [];
  let phase: Phase = before?.phase ?? 'normal';
  let isHeld = phase === 'normal' || phase === 'pending';
  for (const step of steps) {
    if (!isHeld) {
      held.push(step);
      isHeld = step.to === 'normal';
      phase = step.to;
      continue;
    }
    const to = step.to === 'open' || step.to === 'pending' ? 'pending' : 'normal';
    if (to !== phase) {
      const because = to === 'normal' && step.because === 'back-inside' ? 'back-before-debounce' : step.because;
      held.push({ ...step, from: phase, to, because });
    }
    phase = to;
  }
  if (!isHeld) return { steps: held, after };
  if (phase !== 'pending' || !after) return { steps: held, after: undefined };
  return { steps: held, after: { ...after, phase: 'pending', openedAt: Math.max(after.since, until), dueAt: until } };
}
