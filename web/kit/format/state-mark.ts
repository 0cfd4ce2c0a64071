import { severities } from '../../../domain/rule/priority.ts';
import type { State } from '../../ui/StateMark.tsx';
import { noData } from '../../ui/state-words.ts';
import { quietState } from './alarm.ts';

/** The fields of an open alarm that determine the state of its site or data point. */
export interface OpenAlarm {
  severity: string;
  reason: string | null;
  quietBecause: string | null;
}

export interface Mark {
  state: State;
  acknowledged: boolean;
  word?: string;
}

/**
 * Returns the highest severity of the open alarms that are not quiet; `shelved`, `maintenance` or `consequence` if all are
 * quiet; null without alarms.
 * `acknowledged` is true if all alarms of that severity are acknowledged.
 */
export function worstOf(alarms: readonly OpenAlarm[]): Mark | null {
  for (const state of severities) {
    const those = alarms.filter((alarm) => alarm.severity === state && quietState(alarm) === null);
    if (those.length > 0) {
      return { state, acknowledged: those.every((alarm) => alarm.reason !== null) };
    }
  }
  const quiet = alarms.map(quietState);
  const state = quiet.includes('shelved') ? 'shelved' : quiet[0];
  return state ? { state, acknowledged: false } : null;
}

const neverHeard: Mark = { state: 'stale', acknowledged: true, word: noData };
const normal: Mark = { state: 'normal', acknowledged: false };

/**
 * Returns the state of a site from its status: 0 no data, 1 normal, 2 alarm, 3 silent. The open alarms determine the
 * severity and whether it is acknowledged.
 */
export function siteMark(status: number, alarms: readonly OpenAlarm[]): Mark {
  switch (status) {
    case 1:
      return normal;
    case 2:
      return worstOf(alarms) ?? { state: 'major', acknowledged: false, word: 'Alarm' };
    case 3:
      return worstOf(alarms.filter((alarm) => alarm.severity === 'silent')) ?? { state: 'silent', acknowledged: false };
    default:
      return neverHeard;
  }
}

/**
 * Returns the state of a data point. Status 3 means that the sensor is silent and the value is stale; all other numbers
 * are as in `siteMark`.
 */
export function datapointMark(status: number, alarms: readonly OpenAlarm[]): Mark {
  return status === 3 ? { state: 'stale', acknowledged: false } : siteMark(status, alarms);
}
