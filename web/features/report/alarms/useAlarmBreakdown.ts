import { useQuery } from '@tanstack/react-query';
import { readSort, writeSort } from '../../../../domain/order.ts';
import { type AlarmingCounts, isReordered, TOP_ROWS } from '../../../../domain/report/top-rows.ts';
import { type AlarmFilters, countOffenders, fetchAlarmBreakdown } from '../alarm-report.queries.ts';
import type { Place } from '../report-filters.ts';
import type { ReportView } from '../useReportView.ts';

const mostFirst = { siteSort: null, ruleSort: null };

/** Loads the alarms by reason, site and rule, with total counts, and sorts sites and rules as the user chose. */
export function useAlarmBreakdown(report: ReportView, asked: Place & AlarmFilters) {
  const { range } = report;
  const breakdown = useQuery({
    queryKey: ['report', 'alarm-breakdown', range, asked, mostFirst],
    queryFn: ({ signal }) => fetchAlarmBreakdown(range, asked, mostFirst, signal),
    staleTime: 60_000,
  });
  // A list with fewer than TOP_ROWS rows is complete. Only longer lists need the total count.
  const most = Math.max(breakdown.data?.sites.length ?? 0, breakdown.data?.rules.length ?? 0);
  const all = useQuery({
    queryKey: ['report', 'alarm-offenders', range, asked],
    queryFn: ({ signal }) => countOffenders(range, asked, signal),
    enabled: most >= TOP_ROWS,
    staleTime: 60_000,
  });
  const reordered = useReordered(report, asked, all.data);
  const error = breakdown.error ?? reordered.error;
  const data = breakdown.data && !reordered.error ? { ...breakdown.data, ...reordered.parts } : undefined;
  return { breakdown, all: all.data, shown: { data, error } };
}

/**
 * If the report does not show all sites and rules, loads the top ones in the order that the user chose. `sites` and
 * `rules` are undefined while loading.
 */
function useReordered({ view, range }: ReportView, asked: Place & AlarmFilters, all: AlarmingCounts | undefined) {
  const sortOf = (kind: keyof AlarmingCounts, name: string) => {
    const sort = readSort(view.filters[name]);
    return isReordered(kind, all, sort) ? writeSort(sort) : null;
  };
  const orders = { siteSort: sortOf('sites', 'siteOrder'), ruleSort: sortOf('rules', 'ruleOrder') };
  const { data, error } = useQuery({
    queryKey: ['report', 'alarm-breakdown', range, asked, orders],
    queryFn: ({ signal }) => fetchAlarmBreakdown(range, asked, orders, signal),
    enabled: orders.siteSort !== null || orders.ruleSort !== null,
    staleTime: 60_000,
  });
  return {
    parts: {
      ...(orders.siteSort !== null && { sites: data?.sites }),
      ...(orders.ruleSort !== null && { rules: data?.rules }),
    },
    error,
  };
}
