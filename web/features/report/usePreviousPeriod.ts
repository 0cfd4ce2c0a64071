import { useQuery } from '@tanstack/react-query';
import { emptyReason, previousRangeWriter } from '../../../domain/report/compare.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { fetchReportedSince } from './alarm-report.queries.ts';
import { writeDay } from './ranges.ts';
import type { Place } from './report-filters.ts';
import type { ReportView } from './useReportView.ts';

/** Loads the time at which the first site was added. Reports have no data from before that time. */
export function useFirstSiteDate({ office, site }: Place) {
  return useQuery({
    queryKey: ['report', 'since', office, site],
    queryFn: ({ signal }) => fetchReportedSince({ office, site }, signal),
    staleTime: 300_000,
  });
}

/**
 * Returns a function that formats a value of the previous period for comparison. Returns undefined while loading.
 * `counted` is the number of alarms or messages in the previous period.
 */
export function usePreviousPeriod(
  { range, before, isFuture }: Pick<ReportView, 'range' | 'before' | 'isFuture'>,
  { office, site }: Place,
  counted: number | null | undefined,
): ((value: string) => string) | undefined {
  const timeZone = useTimeZone();
  const since = useFirstSiteDate({ office, site }).data;
  if (typeof counted !== 'number' || since === undefined) return undefined;
  return previousRangeWriter({ range, before, counted, since, isFuture }, timeZone, undefined, writeDay);
}

/**
 * Returns why a report is empty: its range is in the future, or before the first site was added. If neither is the
 * case, returns `otherwise`.
 */
export function useEmptyReason(
  { range, isFuture }: Pick<ReportView, 'range' | 'isFuture'>,
  place: Place,
  otherwise: string,
): string {
  const timeZone = useTimeZone();
  const since = useFirstSiteDate(place).data;
  return emptyReason(range, { since, isFuture }, timeZone) || otherwise;
}
