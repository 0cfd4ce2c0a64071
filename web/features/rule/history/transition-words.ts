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
  'stayed-out': 'it stayed outside for the debounce time',
  'back-before-debounce': 'it came back before the debounce ended',
  'back-inside': 'it came back inside the limits',
  'out-again': 'it went outside again',
  'left-clear-limits': 'it left the clear limits again',
  'stayed-inside': 'it stayed inside for the debounce time',
  'rule-changed': 'the rule was changed',
  'rule-disabled': 'the rule was disabled',
  'rule-deleted': 'the rule was deleted',
  [RESOLVED]: 'somebody resolved the alarm',
};

/**
 * Reasons after a reset, such as a changed rule: the value is outside, but the rule did not see it leave the limits.
 */
const found: Readonly<Record<string, string>> = {
  'below-lower': 'the value was below the lower limit',
  'above-upper': 'the value was above the upper limit',
  'alarm-state': 'it was in the alarm state',
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

/** The new state of a rule and the reason, as text. `resolvedName` is the person who resolved the alarm. */
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

/** Causes other than a reading. Their transitions store the rule's last value outside, which is not from that time. */
const withoutReading: ReadonlySet<string> = new Set([RESOLVED, 'rule-changed', 'rule-disabled', 'rule-deleted']);

/** The value that caused the transition; null if no reading did. */
export function transitionValue({ because, value }: { because: string; value: number | null }): number | null {
  return withoutReading.has(because) ? null : value;
}
