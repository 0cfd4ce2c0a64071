import { type Severity, severityNames } from '../../domain/rule/priority.ts';

/** The states of the whole console, worst first. Critical and major are red, minor amber, silent and stale violet. */
export type State = Severity | 'stale' | 'shelved' | 'normal';

/** Each state as people read it. */
export const stateWords: Record<State, string> = {
  ...severityNames,
  stale: 'Stale',
  shelved: 'Shelved',
  normal: 'Normal',
};

/** Of what nothing ever arrived from; a site becomes silent once its time to be heard has passed. */
export const noData = 'No data yet';

/** Of what has no alarm, whether or not anything judges it. */
export const noAlarm = 'No alarm';
