import { acknowledgementOf } from './alarm.ts';

/** The reasons that were given before and how often, most often first. */
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
