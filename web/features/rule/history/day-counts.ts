import { dateFormat } from '../../../ui/formats.ts';
import { formatDate } from '../../../ui/time/format.ts';

const DAY = 86_400_000;

export interface Day {
  /** Date in the given time zone: `2026-11-12`. */
  key: string;
  /** Day of the month. Includes the name of the month for the first day of the range and of each month. */
  label: string;
  count: number;
}

/**
 * Counts for each day of a range, in the given time zone, how many of the times are on that day. Includes days without
 * any.
 */
export function countByDay(times: readonly string[], from: string, to: string, timeZone: string): Day[] {
  const keyOf = dayKeys(timeZone);
  const counts = new Map<string, number>();
  for (const time of times) {
    const key = keyOf(new Date(time));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const days = new Set<string>();
  // Steps of 12 hours reach every day, even one of 23 or 25 hours. The set removes duplicate days.
  for (let at = Date.parse(from); at < Date.parse(to); at += DAY / 2) days.add(keyOf(new Date(at)));
  days.add(keyOf(new Date(Date.parse(to) - 1)));
  return [...days].map((key, index) => ({ key, label: labelOf(key, index === 0), count: counts.get(key) ?? 0 }));
}

function dayKeys(timeZone: string): (at: Date) => string {
  const format = dateFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (at) => format.format(at);
}

function labelOf(key: string, first: boolean): string {
  const day = Number(key.slice(8));
  if (!first && day !== 1) return String(day);
  return formatDate(new Date(key), 'UTC', { year: false });
}
