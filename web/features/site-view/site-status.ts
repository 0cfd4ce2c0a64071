import { severities, severityNames } from '../../../domain/rule/priority.ts';
import { type QuietState, severityOf } from '../../kit/format/alarm.ts';
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
 * Returns the status for the header: the worst open alarm that is not quiet, and whether it is acknowledged. If all
 * alarms are quiet, the site is shelved, in maintenance or a consequence. Without alarms, the status depends on the site's
 * data and rules.
 */
export function statusOf(
  status: number,
  /** The open alarms that are not quiet. */
  alarms: readonly OpenAlarm[],
  total = alarms.length,
  /** Number of values that are outside their limits although no alarm is open. */
  out = 0,
  /** True if at least one rule evaluates the values. */
  hasRules = true,
  /** Number of quiet alarms by their state. */
  quiet: Partial<Record<QuietState, number>> = {},
): SiteStatus {
  const open = total === 0 ? 'No open alarms' : counted(total, 'open alarm');
  const { shelved = 0, maintenance = 0, consequence = 0 } = quiet;
  const quietWords = [
    ...(shelved > 0 ? [`${shelved.toLocaleString()} shelved`] : []),
    ...(maintenance > 0 ? [`${maintenance.toLocaleString()} in maintenance`] : []),
    ...(consequence > 0 ? [counted(consequence, 'consequence')] : []),
  ];
  const note = total === 0 ? open : [open, ...quietWords].join(', ');
  for (const severity of severities) {
    const those = alarms.filter((alarm) => severityOf(alarm.severity) === severity);
    if (those.length === 0) continue;
    const acknowledged = those.every((alarm) => alarm.acknowledged);
    const words = `${severityNames[severity]}, ${acknowledged ? 'acknowledged' : 'not acknowledged'}`;
    const waiting = alarms.filter((alarm) => !alarm.acknowledged).length;
    const isPart = waiting > 0 && waiting < alarms.length;
    return { state: severity, acknowledged, words, note: isPart ? `${note}, ${waiting} not acknowledged` : note };
  }
  const all = (state: QuietState, note: string) => ({ state, acknowledged: false, words: stateWords[state], note });
  if (shelved > 0) return all('shelved', counted(shelved, 'shelved alarm'));
  if (maintenance > 0) return all('maintenance', `${counted(maintenance, 'alarm')} in maintenance`);
  if (consequence > 0) return all('consequence', counted(consequence, 'consequence'));
  if (status === 3) return { state: 'silent', acknowledged: false, words: 'Silent', note };
  if (status === 0) return { state: 'stale', acknowledged: true, words: noData, note };
  if (status === 2) return { state: 'major', acknowledged: false, words: 'Alarm', note: '' };
  const normal = { state: 'normal', acknowledged: true } as const;
  if (out > 0) return { ...normal, words: note, note: `${counted(out, 'value')} out of limits` };
  return hasRules ? { ...normal, words: stateWords.normal, note } : { ...normal, words: note, note: '' };
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
