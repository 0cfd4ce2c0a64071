import { useQuery } from '@tanstack/react-query';
import { isComparable } from '../../../domain/report/compare.ts';
import { daysBeforeWords } from '../../../domain/report/range.ts';
import { fetchReportedSince, type Place } from './alarm-report.queries.ts';
import type { ReportView } from './useReportView.ts';

/** Since when there is something to report on; asked only where it is wanted. */
export function useSince({ office, site }: Place, wanted = true) {
  return useQuery({
    queryKey: ['report', 'since', office, site],
    queryFn: ({ signal }) => fetchReportedSince({ office, site }, signal),
    enabled: wanted,
    staleTime: 300_000,
  });
}

/**
 * Writes how something was in the days before, in which so much was counted: a dash where the plant was not there yet. Undefined
 * while that is not known.
 */
export function useBefore(
  { range, before }: Pick<ReportView, 'range' | 'before'>,
  { office, site }: Place,
  counted: number | null | undefined,
): ((value: string) => string) | undefined {
  const since = useSince({ office, site }, counted === 0);
  if (typeof counted !== 'number' || (counted === 0 && since.data === undefined)) return undefined;
  const known = isComparable(counted, before, since.data ?? null);
  return (value) => `${daysBeforeWords(range)} ${known ? value : '–'}`;
}
