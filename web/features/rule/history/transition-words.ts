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
  'stayed-out': 'it stayed out for the debounce time',
  'back-before-debounce': 'it came back before the debounce ended',
  'back-inside': 'it came back inside the limits',
  'out-again': 'it went out again',
  'left-clear-limits': 'it left the clear limits again',
  'stayed-inside': 'it stayed inside for the debounce time',
  'rule-changed': 'the rule was changed',
  'rule-disabled': 'the rule was disabled',
  'rule-deleted': 'the rule was deleted',
  'resolved-by-person': 'somebody resolved the alarm',
};

/** Reason after a reset from outside: the rule finds the value outside, but did not see it leave the limits. */
const found: Readonly<Record<string, string>> = {
  'below-lower': 'the value was below the lower limit',
  'above-upper': 'the value was above the upper limit',
  'alarm-state': 'it was in the alarm state',
};

const resetCauses: Readonly<Record<string, string>> = {
  'rule-changed': 'after the rule was changed',
  'rule-disabled': 'after the rule was enabled again',
  'resolved-by-person': 'after the alarm was resolved',
};

interface Transition {
  to: string;
  because: string;
}

/** The new state of a rule and the reason, as text. */
export function transitionWords({ to, because }: Transition, before?: Transition): string {
  const reset = before && resetCauses[before.because];
  const cause = reset && found[because] ? `${found[because]} ${reset}` : causes[because];
  return `${phases[to] ?? to}: ${cause ?? because}`;
}
