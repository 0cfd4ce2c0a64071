import { useMemo } from 'react';
import type { HealthPeriod } from '../../../domain/report/health.ts';
import { type HealthRange, periodsBefore, periodsUntil } from '../../../domain/report/health-periods.ts';
import { readRange } from '../../../domain/report/range.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { useDay } from './ranges.ts';

/**
 * Returns the twelve weeks or months that end on the day `until`, which defaults to today. `before` contains the
 * preceding twelve weeks or months.
 */
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
