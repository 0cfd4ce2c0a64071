import { severities, severityNames } from '../../../domain/rule/priority.ts';
import { severityOf } from '../../kit/format/alarm.ts';
import { counted } from '../../kit/format/number.ts';
import type { State } from '../../ui/StateMark.tsx';
import { noData, stateWords } from '../../ui/state-words.ts';

interface OpenAlarm {
  severity: string;
  acknowledged: boolean;
}

export interface SiteStatus {
  state: State;
  acknowledged: boolean;
  words: string;
  note: string;
}

/**
 * Returns the status for the header: the worst open alarm that is not shelved, and whether it is acknowledged. If all
 * alarms are shelved, the site is shelved. Without alarms, the status depends on the site's data and rules.
 */
export function statusOf(
  status: number,
  /** The open alarms that are not shelved. */
  alarms: readonly OpenAlarm[],
  total = alarms.length,
  /** Number of values that are outside their limits although no alarm is open. */
  out = 0,
  /** True if at least one rule evaluates the values. */
  hasRules = true,
  /** Number of shelved alarms. */
  shelved = 0,
): SiteStatus {
  const open = total === 0 ? 'No open alarms' : counted(total, 'open alarm');
  const note = shelved === 0 || total === 0 ? open : `${open}, ${shelved.toLocaleString()} shelved`;
  for (const severity of severities) {
    const those = alarms.filter((alarm) => severityOf(alarm.severity) === severity);
    if (those.length === 0) continue;
    const acknowledged = those.every((alarm) => alarm.acknowledged);
    const words = `${severityNames[severity]}, ${acknowledged ? 'acknowledged' : 'not acknowledged'}`;
    const waiting = alarms.filter((alarm) => !alarm.acknowledged).length;
    const isPart = waiting > 0 && waiting < alarms.length;
    return { state: severity, acknowledged, words, note: isPart ? `${note}, ${waiting} not acknowledged` : note };
  }
  if (shelved > 0)
    return {
      state: 'shelved',
      acknowledged: false,
      words: stateWords.shelved,
      note: counted(shelved, 'shelved alarm'),
    };
  if (status === 3) return { state: 'silent', acknowledged: false, words: 'Silent', note };
  if (status === 0) return { state: 'stale', acknowledged: true, words: noData, note };
  if (status === 2) return { state: 'major', acknowledged: false, words: 'Alarm', note: '' };
  const quiet = { state: 'normal', acknowledged: true } as const;
  if (out > 0) return { ...quiet, words: note, note: `${counted(out, 'value')} out of limits` };
  return hasRules ? { ...quiet, words: stateWords.normal, note } : { ...quiet, words: note, note: '' };
}

/** Returns how many of the expected hours of the last seven days contain data: `160 of 168 h`. */
export function healthWords(
  health: { received: number | null; expected: number | null } | null,
  hours: number,
): { words: string; missing: boolean } {
  const expected = health?.expected ?? 0;
  if (expected === 0) return { words: 'not known yet', missing: false };
  // The health slot in which the site was added does not count as expected, but it can contain data.
  const received = Math.min(health?.received ?? 0, expected);
  return { words: `${received * hours} of ${expected * hours} h`, missing: received < expected * 0.97 };
}
