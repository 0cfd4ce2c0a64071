import { acknowledgementOf } from '../../../kit/format/alarm.ts';

/** Counts the acknowledgement reasons of these alarms. The most frequent reason comes first. */
export function reasonCounts(alarms: readonly { acknowledgeJson: unknown }[]): { reason: string; times: number }[] {
  const counts = new Map<string, number>();
  for (const { acknowledgeJson } of alarms) {
    const reason = acknowledgementOf(acknowledgeJson)?.reason ?? '';
    if (reason !== '') {
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
  }
  return [...counts].map(([reason, times]) => ({ reason, times })).sort((a, b) => b.times - a.times);
}

/** Returns the text that is shown if an alarm has no similar alarms. */
export function noSimilarWords(source: string): string {
  switch (source) {
    case 'limits':
    case 'digital':
      return 'First alarm of this rule and data point.';
    case 'conditions':
      return 'First alarm of this rule.';
    default:
      return 'First alarm of this kind at this site.';
  }
}
