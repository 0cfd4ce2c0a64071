import { daysBefore, localTime, startOfDay } from '../../../domain/week.ts';

export const logRanges = ['24h', '1h', '7d', 'days'] as const;
export type LogRange = (typeof logRanges)[number];

const HOUR = 3_600_000;
const lengths: Record<Exclude<LogRange, 'days'>, number> = { '1h': HOUR, '24h': 24 * HOUR, '7d': 7 * 24 * HOUR };

export const rangeWords: Record<LogRange, string> = {
  '1h': 'last hour',
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  days: 'chosen period',
};

export interface Span {
  from: Date;
  to: Date;
}

/** Returns a range that ends five minutes after `now`, because a device clock may be slightly ahead. */
export function rangeBefore(now: Date, range: Exclude<LogRange, 'days'>): Span {
  return { from: new Date(now.getTime() - lengths[range]), to: new Date(now.getTime() + 5 * 60_000) };
}

/**
 * Returns the time range of whole days in the plant's time zone; undefined for an invalid range. Both days are
 * included.
 */
export function rangeOfDays(first: string, last: string, timeZone: string): Span | undefined {
  const from = dayOf(first, timeZone);
  const end = dayOf(last, timeZone);
  if (!from || !end || end < from) return undefined;
  return { from, to: daysBefore(end, -1, timeZone) };
}

function dayOf(text: string, timeZone: string): Date | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  const noon = match ? Date.parse(`${text}T12:00:00Z`) : Number.NaN;
  if (Number.isNaN(noon)) return undefined;
  // In most time zones, noon UTC falls on the same day. Near the date line, the day contains the time 12 hours earlier
  // or later.
  for (const hours of [0, -12, 12]) {
    const at = new Date(noon + hours * HOUR);
    const { year, month, day } = localTime(at, timeZone);
    if (year === Number(match?.[1]) && month === Number(match?.[2]) && day === Number(match?.[3])) {
      return startOfDay(at, timeZone);
    }
  }
  return undefined;
}
