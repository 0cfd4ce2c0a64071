import { useQuery } from '@tanstack/react-query';
import { emptyReason, previousRangeWriter } from '../../../domain/report/compare.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { fetchReportedSince, type Place } from './alarm-report.queries.ts';
import { writeDay } from './ranges.ts';
import type { ReportView } from './useReportView.ts';

/** Since when there is something to report on. */
export function useSince({ office, site }: Place) {
  return useQuery({
    queryKey: ['report', 'since', office, site],
    queryFn: ({ signal }) => fetchReportedSince({ office, site }, signal),
    staleTime: 300_000,
  });
}

/** Writes how something was in the days before, in which so much was counted. Undefined while that is not known. */
export function usePreviousPeriod(
  { range, before, toCome }: Pick<ReportView, 'range' | 'before' | 'toCome'>,
  { office, site }: Place,
  counted: number | null | undefined,
): ((value: string) => string) | undefined {
  const timeZone = useTimeZone();
  const since = useSince({ office, site }).data;
  if (typeof counted !== 'number' || since === undefined) return undefined;
  return previousRangeWriter({ range, before, counted, since, isToCome: toCome }, timeZone, undefined, writeDay);
}

/** Why there is nothing in these days, where that is not simply so. */
export function useWhyNothing(
  { range, toCome }: Pick<ReportView, 'range' | 'toCome'>,
  place: Place,
  otherwise: string,
): string {
  const timeZone = useTimeZone();
  const since = useSince(place).data;
  return emptyReason(range, { since, isToCome: toCome }, timeZone) || otherwise;
}
