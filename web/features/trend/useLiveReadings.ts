import { useEffect, useRef, useState } from 'react';
import type { Reading } from '../../kit/chart/series.ts';
import type { PlantFeed } from '../../kit/live/plant-feed.ts';

/** Minimum time between redraws in milliseconds. */
const PAUSE = 500;

/** Maximum number of readings kept for each data point. */
const MOST = 240;

/**
 * Returns the live readings that have arrived since the page was opened. They extend the stored series until the next
 * fetch includes them.
 */
export function useLiveReadings(feed: PlantFeed, uuids: readonly string[]): ReadonlyMap<string, readonly Reading[]> {
  const [readings, setReadings] = useState<ReadonlyMap<string, readonly Reading[]>>(new Map());
  const collected = useRef(new Map<string, Reading[]>());
  const key = uuids.join();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      setReadings(new Map([...collected.current].map(([uuid, list]) => [uuid, [...list]])));
    };
    const wanted = key === '' ? [] : key.split(',');
    for (const uuid of collected.current.keys()) if (!wanted.includes(uuid)) collected.current.delete(uuid);
    const stops = wanted.map((uuid) =>
      feed.watch(uuid, () => {
        const news = feed.datapoint(uuid);
        const list = collected.current.get(uuid) ?? [];
        if (news?.time == null || news.value === null || news.time <= (list.at(-1)?.time ?? 0)) return;
        list.push({ time: news.time, value: news.value });
        collected.current.set(uuid, list.slice(-MOST));
        timer ??= setTimeout(show, PAUSE);
      }),
    );
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [feed, key]);
  return readings;
}
