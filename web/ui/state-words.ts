import { type Severity, severityNames } from '../../domain/rule/priority.ts';

/** All states, worst first. Critical and major are red, minor amber, silent and stale violet. */
export type State = Severity | 'stale' | 'shelved' | 'normal';

/** Labels of the states. */
export const stateWords: Record<State, string> = {
  ...severityNames,
  stale: 'Stale',
  shelved: 'Shelved',
  normal: 'Normal',
};

/** For a site or data point that has never sent. A site turns silent after its health duration. */
export const noData = 'No data yet';

/** For a value without an alarm, with or without a rule. */
export const noAlarm = 'No alarm';
