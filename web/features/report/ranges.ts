import { useMemo } from 'react';
import type { HealthPeriod } from '../../../domain/report/health.ts';
import { type HealthRange, periodsBefore, periodsUntil } from '../../../domain/report/health-periods.ts';
import {
  dayOf,
  dayWords,
  monthWords,
  type ReportRange,
  rangeWords,
  readRange,
  usualRange,
} from '../../../domain/report/range.ts';
import { startOfDay } from '../../../domain/week.ts';
import { dateFormat } from '../../ui/formats.ts';
import { useFromNow } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';

/** The day of the plant as a number, which changes at its midnight and so starts the reports anew. */
function useDay(timeZone: string): number {
  return useFromNow((at) => startOfDay(at, timeZone).getTime());
}

/** Today and the 29 days before it. It ends in the future, so that what comes in now is in it. */
export function useLast30Days(): ReportRange {
  const timeZone = useTimeZone();
  const today = useDay(timeZone);
  return useMemo(() => usualRange(new Date(today), timeZone), [today, timeZone]);
}

/** The twelve weeks or months until a day; today without one. `before` are the twelve before these. */
export function useHealthRange(until?: string, each: HealthPeriod = 'week'): HealthRange & { before: HealthRange } {
  const timeZone = useTimeZone();
  const today = useDay(timeZone);
  return useMemo(() => {
    const reading = until === undefined ? undefined : readRange({ from: until, to: until }, new Date(today), timeZone);
    const day = reading?.ok ? reading.range.from : new Date(today);
    const range = periodsUntil(each, day, timeZone, day.getTime() < today);
    return { ...range, before: periodsBefore(range, timeZone) };
  }, [today, timeZone, until, each]);
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
