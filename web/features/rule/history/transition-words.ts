const RESOLVED = 'resolved-by-person';

const phases: Readonly<Record<string, string>> = {
  normal: 'Normal',
  pending: 'Debounce running',
  open: 'Alarm',
  clearing: 'Waiting to clear',
};

const causes: Readonly<Record<string, string>> = {
  'below-lower': 'the value fell below the lower limit',
  'above-upper': 'the value rose above the upper limit',
  'alarm-state': 'the alarm state began',
  'stayed-out': 'the value stayed in the alarm range for the debounce time',
  'back-before-debounce': 'the value returned to normal before the debounce ended',
  'back-inside': 'the value returned to normal',
  'out-again': 'the value entered the alarm range again',
  'left-clear-limits': 'the value left the clear limits again',
  'stayed-inside': 'the value stayed normal for the debounce time',
  'rule-changed': 'the rule was changed',
  'rule-disabled': 'the rule was disabled',
  'rule-deleted': 'the rule was deleted',
  [RESOLVED]: 'a person resolved the alarm',
};

/**
 * Texts for transitions that directly follow a reset of the rule's state, such as after a change of the rule. The value
 * was already outside the limits, so no reading crossed them.
 */
const found: Readonly<Record<string, string>> = {
  'below-lower': 'the value was below the lower limit',
  'above-upper': 'the value was above the upper limit',
  'alarm-state': 'the value was in the alarm state',
};

const resetCauses: Readonly<Record<string, string>> = {
  'rule-changed': 'after the rule was changed',
  'rule-disabled': 'after the rule was enabled again',
  [RESOLVED]: 'after the alarm was resolved',
};

interface Transition {
  to: string;
  because: string;
}

/** Describes the new state of a rule and its cause. `resolvedName` is the name of the person who resolved the alarm. */
export function transitionWords(
  { to, because }: Transition,
  before?: Transition,
  resolvedName?: string | null,
): string {
  const reset = before && resetCauses[before.because];
  const cause =
    reset && found[because]
      ? `${found[because]} ${reset}`
      : because === RESOLVED && resolvedName
        ? `${resolvedName} resolved the alarm`
        : causes[because];
  return `${phases[to] ?? to}: ${cause ?? because}`;
}

/**
 * Causes of transitions that no reading triggered. Such a transition stores the last value outside the limits, which is
 * older than the transition itself.
 */
const withoutReading: ReadonlySet<string> = new Set([RESOLVED, 'rule-changed', 'rule-disabled', 'rule-deleted']);

/** Returns the value that caused the transition; null if no reading caused it. */
export function transitionValue({ because, value }: { because: string; value: number | null }): number | null {
  return withoutReading.has(because) ? null : value;
}
