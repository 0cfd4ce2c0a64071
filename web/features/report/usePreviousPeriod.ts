import { useQuery } from '@tanstack/react-query';
import { emptyReason, previousRangeWriter } from '../../../domain/report/compare.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { fetchReportedSince, type Place } from './alarm-report.queries.ts';
import { writeDay } from './ranges.ts';
import type { ReportView } from './useReportView.ts';

/** When the first site was added, which is the start of the reports. */
export function useSince({ office, site }: Place) {
  return useQuery({
    queryKey: ['report', 'since', office, site],
    queryFn: ({ signal }) => fetchReportedSince({ office, site }, signal),
    staleTime: 300_000,
  });
}

/** Returns a function that writes a value of the previous period. `counted` is the count in that period. Undefined while loading. */
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

/** Explains an empty report: the range is in the future, or before the first site. Otherwise returns `otherwise`. */
export function useWhyNothing(
  { range, toCome }: Pick<ReportView, 'range' | 'toCome'>,
  place: Place,
  otherwise: string,
): string {
  const timeZone = useTimeZone();
  const since = useSince(place).data;
  return emptyReason(range, { since, isToCome: toCome }, timeZone) || otherwise;
}
