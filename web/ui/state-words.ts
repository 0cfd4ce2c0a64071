import { type Severity, severityNames } from '../../domain/rule/priority.ts';

/** All states, worst first. Critical and major are red, minor is amber, silent and stale are violet, quiet states are blue-grey. */
export type State = Severity | 'stale' | 'shelved' | 'maintenance' | 'consequence' | 'normal';

export const stateWords: Record<State, string> = {
  ...severityNames,
  stale: 'Stale',
  shelved: 'Shelved',
  maintenance: 'Maintenance',
  consequence: 'Consequence',
  normal: 'Normal',
};

/** Label of a site or data point that has never sent data. */
export const noData = 'No data yet';

/** Label of a value without an alarm, whether or not a rule evaluates the value. */
export const noAlarm = 'No alarm';
