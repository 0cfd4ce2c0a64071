import { useMemo } from 'react';
import { dayOf, dayWords, monthWords, rangeWords, readRange } from '../../../domain/report/range.ts';
import { daysBefore, monthStarts, startOfDay, weeksUntil } from '../../../domain/week.ts';
import { dateFormat } from '../../ui/formats.ts';
import { useFromNow } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import type { HealthRange, Range } from './report.queries.ts';

/** The day of the plant as a number, which changes at its midnight and so starts the reports anew. */
function useDay(timeZone: string): number {
  return useFromNow((at) => startOfDay(at, timeZone).getTime());
}

/** Today and the 29 days before it. It ends in the future, so that what comes in now is in it. */
export function useLast30Days(): Range {
  const timeZone = useTimeZone();
  const today = useDay(timeZone);
  return useMemo(() => {
    const at = new Date(today);
    return { from: daysBefore(at, 29, timeZone), to: daysBefore(at, -1, timeZone) };
  }, [today, timeZone]);
}

/** The twelve weeks before a day, and that day; today without one. `before` are the twelve weeks that end the day before these. */
export function useTwelveWeeks(until?: string): HealthRange & { before: HealthRange } {
  const timeZone = useTimeZone();
  const today = useDay(timeZone);
  return useMemo(() => {
    const reading = until === undefined ? undefined : readRange({ from: until, to: until }, new Date(today), timeZone);
    const day = reading?.ok ? reading.range.from : new Date(today);
    const weeks = weeksUntil(day, timeZone);
    const earlier = daysBefore(weeks[0] ?? day, 1, timeZone);
    return {
      weekStarts: weeks,
      today: day,
      before: { weekStarts: weeksUntil(earlier, timeZone), today: earlier },
    };
  }, [today, timeZone, until]);
}

/** The twelve whole months before the month of a day, in place of weeks. */
export function useTwelveMonths(until?: string): HealthRange {
  const timeZone = useTimeZone();
  const { today } = useTwelveWeeks(until);
  return useMemo(() => ({ weekStarts: monthStarts(today, timeZone), today }), [today, timeZone]);
}

/** `October` */
export function formatMonth(at: Date, timeZone: string): string {
  return monthWords(dayOf(at, timeZone));
}

/** `17 Aug` */
export function formatDate(at: Date, timeZone: string): string {
  return dayWords(dayOf(at, timeZone));
}

/** `17 Aug to 8 Nov 2026`; the second is the first moment that is no longer in it. */
export function formatDates(from: Date, before: Date, timeZone: string): string {
  const last = new Date(before.getTime() - 1);
  return rangeWords({ firstDay: dayOf(from, timeZone), lastDay: dayOf(last, timeZone) });
}

/** The time of day at the plant, `14:32`. */
export function useTimeOfDay(): string {
  const timeZone = useTimeZone();
  return useFromNow((at) =>
    dateFormat(undefined, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at),
  );
}
