import { useMemo } from 'react';
import { readSort, type Sort, writeSort } from '../../../domain/order.ts';
import { defaultRange, type Preset, type ReportRange, rangeBefore, readRange } from '../../../domain/report/range.ts';
import { startOfDay } from '../../../domain/week.ts';
import { key } from '../../kit/list/list.ts';
import { formatListView, type ListDefaults, type ListView } from '../../ui/table/list-view.ts';
import { useListView } from '../../ui/table/useListView.ts';
import { useFromNow } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import type { KnownOrders } from './known-parameters.ts';
import { useKnownParameters } from './useKnownParameters.ts';

/** URL parameters that store the sort orders of the tables. */
const orders = ['order', 'wayOrder', 'siteOrder', 'ruleOrder'] as const;

/** Filters that all reports share. Links to other reports and downloads keep their values. */
export const reportFilters = ['range', 'from', 'to', 'by', 'office', 'site', ...orders] as const;

/** Shared filters that do not hide rows. */
export const standingFilters = ['range', 'from', 'to', 'by', ...orders] as const;

export interface ReportView {
  view: ListView;
  setView: (next: ListView) => void;
  /** Sets several filters and returns to the first page. An empty value removes a filter. */
  change: (filters: Record<string, string>) => void;
  range: ReportRange;
  before: ReportRange;
  /** True if the range is in the future. */
  isFuture: boolean;
  preset: Preset | null;
  /** Error in the URL parameters of the range, or null. If there is an error, `range` is the last 30 days. */
  problem: { field: 'from' | 'to'; sentence: string } | null;
  /** Sentences about parameters that the report does not support. */
  unknownParameters: readonly string[];
  by: 'office' | 'site';
  /** Keys of the chosen unit office and site; undefined if none is chosen. */
  office: string | undefined;
  site: string | undefined;
  /** Name of the chosen recipient, in reports with rows by person. */
  person: string | undefined;
  /** Sort order of the long list; null for the default order. */
  sort: Sort | null;
}

/** Returns the state of a report, which the URL stores. `defaults` and `known` must be constants. */
export function useReportView(defaults: ListDefaults, known: KnownOrders): ReportView {
  const [asked, setView] = useListView(defaults);
  const { view, unknownParameters } = useKnownParameters(asked, defaults, known);
  const timeZone = useTimeZone();
  const today = useFromNow((at) => startOfDay(at, timeZone).getTime());
  const { range: preset, from, to, by, office, site } = view.filters;
  const days = useMemo(() => {
    const now = new Date(today);
    const reading = readRange({ range: preset, from, to }, now, timeZone);
    const range = reading.ok ? reading.range : defaultRange(now, timeZone);
    return {
      range,
      before: rangeBefore(range, timeZone),
      isFuture: range.from > now,
      preset: reading.ok ? reading.preset : null,
      problem: reading.ok ? null : reading,
    };
  }, [today, timeZone, preset, from, to]);
  return {
    view,
    setView,
    change: (filters) => setView({ ...view, page: 1, filters: { ...view.filters, ...filters } }),
    ...days,
    unknownParameters,
    by: by === 'site' ? 'site' : 'office',
    office: key(office),
    site: key(site),
    person: view.filters.person,
    sort: readSort(formatListView(view, defaults).sort),
  };
}

/** Returns true if a filter or search hides rows of the report. */
export function isNarrowed({ view }: ReportView): boolean {
  const standing: readonly string[] = standingFilters;
  return view.search !== '' || Object.entries(view.filters).some(([name, value]) => value && !standing.includes(name));
}

/**
 * Returns the query string of a download. It contains the first and last day of the range, so that the file matches the
 * screen even after midnight.
 */
export function downloadQuery(
  { range, by, office, site, person, sort, view }: ReportView,
  more: Record<string, string | undefined> = {},
): string {
  const parameters = new URLSearchParams({ from: range.firstDay, to: range.lastDay, by });
  const order = Object.fromEntries(orders.map((name) => [name, view.filters[name]]));
  for (const [name, value] of Object.entries({
    ...{ office, site, person, q: view.search, sort: writeSort(sort) },
    ...order,
    ...more,
  })) {
    if (value) parameters.set(name, value);
  }
  return parameters.toString();
}
