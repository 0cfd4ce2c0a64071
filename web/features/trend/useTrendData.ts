import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { shifted, withReadings } from '../../kit/chart/series.ts';
import { asked, freshFor, spans, type Window, windowOf } from '../../kit/chart/time-window.ts';
import { usePlantFeed } from '../../kit/live/usePlantFeed.ts';
import { useFromNow } from '../../ui/time/clock.ts';
import { bandsOf } from './alarm-bands.ts';
import { type KnownPoint, linesOf } from './lines.ts';
import { trendAlarmsQuery, trendPointsQuery, trendSeriesQuery } from './trend.queries.ts';
import { comparisons } from './trend-address.ts';
import { useLiveReadings } from './useLiveReadings.ts';
import type { TrendAddress } from './useTrendAddress.ts';

const PAUSE = 150;
const MINUTE = 60_000;
/** Ratio between the lengths of the fetched window and the visible window. */
const FETCH_FACTOR = 1.3;

/** Loads all data of a trend: window, lines, stored and live values, and alarms. */
export function useTrendData(
  { points, view, compare }: TrendAddress,
  width: number,
  /** Data points that the page has already loaded, so that the layout of the chart is known immediately. */
  loadedPoints: readonly KnownPoint[] = noPoints,
) {
  const step = view.follow ? Math.max(1000, spans[view.span].ms / Math.max(400, width)) : MINUTE;
  const now = useFromNow((at) => Math.ceil(at.getTime() / step) * step);
  const { from, to } = windowOf(view, now);
  const window = useMemo((): Window => ({ from, to }), [from, to]);
  const fetchWindow = useFetchWindow(view, window, now);
  const live = to > now - MINUTE;
  const again = { refetchInterval: live && !view.follow ? 15_000 : (false as const) };

  const known = useQuery(trendPointsQuery(points));
  const found = points.length === 0 ? noPoints : (known.data ?? inOrder(points, loadedPoints));
  const there = useMemo(() => (found ?? noPoints).filter(({ uuid }) => points.includes(uuid)), [found, points]);
  const uuids = useMemo(() => [...points].toSorted(), [points]);
  const pixels = width === 0 ? 0 : Math.min(4000, Math.max(10, Math.round(width * FETCH_FACTOR)));
  const values = useQuery({ ...trendSeriesQuery(uuids, fetchWindow, pixels), ...again });
  const by = comparisons[compare].ms;
  const earlier = useQuery({
    ...trendSeriesQuery(by === 0 ? noPoints : uuids, { from: fetchWindow.from - by, to: fetchWindow.to - by }, pixels),
  });
  const alarms = useQuery({ ...trendAlarmsQuery(uuids, fetchWindow), ...again });

  const feed = usePlantFeed(there.flatMap(({ asset }) => asset?.site?.uuid ?? []));
  const readings = useLiveReadings(feed, live ? points : noPoints);
  const lines = useMemo(() => linesOf(there), [there]);
  const series = useMemo(
    () =>
      (values.data ?? noPoints)
        .filter(({ uuid }) => points.includes(uuid))
        .map((one) => (live ? withReadings(one, readings.get(one.uuid) ?? noPoints) : one)),
    [values.data, readings, live, points],
  );
  const compared = useMemo(
    () => (by === 0 ? noPoints : (earlier.data ?? noPoints).map((one) => shifted(one, by))),
    [earlier.data, by],
  );
  const bands = useMemo(() => bandsOf(alarms.data ?? noPoints, window, now), [alarms.data, window, now]);
  return {
    window,
    now,
    lines,
    series,
    compared,
    bands,
    /** Data points that were deleted or that the user is not allowed to access. */
    gone:
      known.data && !known.isPlaceholderData
        ? points.filter((uuid) => !found?.some((one) => one.uuid === uuid))
        : noPoints,
    values,
    known,
  };
}

const noPoints: never[] = [];

/** Returns the data points in the order of the uuids; undefined if any of them is missing. */
function inOrder(uuids: readonly string[], points: readonly KnownPoint[]): KnownPoint[] | undefined {
  const found = uuids.flatMap((uuid) => points.find((point) => point.uuid === uuid) ?? []);
  return found.length === uuids.length ? found : undefined;
}

/**
 * Returns the time window to fetch. It is rounded and debounced, so that a small pan or zoom does not start a new
 * query.
 */
function useFetchWindow(view: TrendAddress['view'], window: Window, now: number): Window {
  const fresh = view.follow ? freshFor(view.span) : MINUTE;
  const begun = useFromNow((at) => Math.floor(at.getTime() / fresh) * fresh);
  const exact = asked(view.follow ? { from: begun - spans[view.span].ms, to: begun + fresh } : window, now + fresh);
  const [settled] = useDebouncedValue(`${exact.from} ${exact.to}`, PAUSE);
  return useMemo(() => {
    const [from = 0, to = 0] = settled.split(' ').map(Number);
    return { from, to };
  }, [settled]);
}
