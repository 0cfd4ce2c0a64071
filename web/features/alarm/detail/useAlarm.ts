import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { usePlantFeed } from '../../../kit/live/usePlantFeed.ts';
import { REFRESH } from '../bell/useOpenAlarms.ts';
import { type AlarmDetail, fetchAlarm } from './alarm-detail.queries.ts';
import { pointsOf, withLiveValues } from './live-alarm.ts';

/** One alarm with everything that was said about it, kept fresh; null where it is not there, or not for this person. */
export function useAlarm(uuid: string, enabled = true) {
  return useQuery({
    queryKey: ['alarm', 'detail', uuid],
    queryFn: ({ signal }) => fetchAlarm(uuid, signal),
    refetchInterval: REFRESH,
    enabled,
  });
}

/** The alarm with the values of its data points as they arrive. */
export function useLiveValues(alarm: AlarmDetail | null | undefined): AlarmDetail | null | undefined {
  const points = alarm ? pointsOf(alarm).join() : '';
  const feed = usePlantFeed(points !== '' && alarm?.tocsinSiteUuid ? [alarm.tocsinSiteUuid] : []);
  const [heard, setHeard] = useState(0);
  useEffect(() => {
    const stops = points.split(',').map((point) => feed.watch(point, () => setHeard((before) => before + 1)));
    return () => {
      for (const stop of stops) stop();
    };
  }, [feed, points]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the feed stays the same while more is heard.
  return useMemo(() => alarm && withLiveValues(alarm, feed.datapoint), [alarm, feed, heard]);
}
