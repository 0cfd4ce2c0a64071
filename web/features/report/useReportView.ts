import { useMemo } from 'react';
import { readSort, type Sort, writeSort } from '../../../domain/order.ts';
import { type Preset, type ReportRange, rangeBefore, readRange, usualRange } from '../../../domain/report/range.ts';
import { startOfDay } from '../../../domain/week.ts';
import { key } from '../../kit/list/list.ts';
import { formatListView, type ListDefaults, type ListView } from '../../ui/table/list-view.ts';
import { useListView } from '../../ui/table/useListView.ts';
import { useFromNow } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import type { KnownOrders } from './known-parameters.ts';
import { useKnownParameters } from './useKnownParameters.ts';

/** The orders of the tables of a report. */
const orders = ['order', 'wayOrder', 'siteOrder', 'ruleOrder'] as const;

/** The filters that reports share: they go along from one report to the next, and to a download. */
export const reportFilters = ['range', 'from', 'to', 'by', 'office', 'site', ...orders] as const;

/** Of these, what says which report it is, and hides no row of it. */
export const standingFilters = ['range', 'from', 'to', 'by', ...orders] as const;

export interface ReportView {
  view: ListView;
  setView: (next: ListView) => void;
  /** Changes some filters at once, from the first page on. Empty takes one away. */
  change: (filters: Record<string, string>) => void;
  range: ReportRange;
  before: ReportRange;
  /** The range has not begun yet, so that nothing can be in it. */
  toCome: boolean;
  preset: Preset | null;
  /** What is wrong with the days of the address, or null. The range is then that of 30 days. */
  problem: { field: 'from' | 'to'; sentence: string } | null;
  /** Sentences on what the address asks for and the report does not know. */
  strange: readonly string[];
  by: 'office' | 'site';
  /** Keys, or undefined where none is chosen. */
  office: string | undefined;
  site: string | undefined;
  /** The name of a person, where the report has rows of persons. */
  person: string | undefined;
  /** The order of the long list, where somebody chose another than the usual one. */
  sort: Sort | null;
}

/** What a report shows, kept in its address. Give `defaults` and what it can be put in order by as constants. */
export function useReportView(defaults: ListDefaults, known: KnownOrders): ReportView {
  const [asked, setView] = useListView(defaults);
  const { view, strange } = useKnownParameters(asked, defaults, known);
  const timeZone = useTimeZone();
  const today = useFromNow((at) => startOfDay(at, timeZone).getTime());
  const { range: preset, from, to, by, office, site } = view.filters;
  const days = useMemo(() => {
    const now = new Date(today);
    const reading = readRange({ range: preset, from, to }, now, timeZone);
    const range = reading.ok ? reading.range : usualRange(now, timeZone);
    return {
      range,
      before: rangeBefore(range, timeZone),
      toCome: range.from > now,
      preset: reading.ok ? reading.preset : null,
      problem: reading.ok ? null : reading,
    };
  }, [today, timeZone, preset, from, to]);
  return {
    view,
    setView,
    change: (filters) => setView({ ...view, page: 1, filters: { ...view.filters, ...filters } }),
    ...days,
    strange,
    by: by === 'site' ? 'site' : 'office',
    office: key(office),
    site: key(site),
    person: view.filters.person,
    sort: readSort(formatListView(view, defaults).sort),
  };
}

/** A filter or a search hides rows of the report. */
export function isNarrowed({ view }: ReportView): boolean {
  const standing: readonly string[] = standingFilters;
  return view.search !== '' || Object.entries(view.filters).some(([name, value]) => value && !standing.includes(name));
}

/** The parameters of a download: the days themselves, so that the file is the one that was seen. */
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
