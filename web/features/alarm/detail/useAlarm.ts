import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { usePlantFeed } from '../../../kit/live/usePlantFeed.ts';
import { REFRESH } from '../bell/useOpenAlarms.ts';
import { type AlarmDetail, fetchAlarm } from './alarm-detail.queries.ts';
import { watchedDatapoints, withLiveValues } from './live-alarm.ts';

/** Polls an alarm with its events and notifications. `data` is null if this user is not allowed to see the alarm. */
export function useAlarm(uuid: string, enabled = true) {
  return useQuery({
    queryKey: ['alarm', 'detail', uuid],
    queryFn: ({ signal }) => fetchAlarm(uuid, signal),
    refetchInterval: REFRESH,
    enabled,
  });
}

/** Returns the alarm with live values of its data points. */
export function useLiveValues(alarm: AlarmDetail | null | undefined): AlarmDetail | null | undefined {
  const points = alarm ? watchedDatapoints(alarm).join() : '';
  const feed = usePlantFeed(points !== '' && alarm?.tocsinSiteUuid ? [alarm.tocsinSiteUuid] : []);
  const [updates, setUpdates] = useState(0);
  useEffect(() => {
    const stops = points.split(',').map((point) => feed.watch(point, () => setUpdates((before) => before + 1)));
    return () => {
      for (const stop of stops) stop();
    };
  }, [feed, points]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the feed object stays the same when values arrive.
  return useMemo(() => alarm && withLiveValues(alarm, feed.datapoint), [alarm, feed, updates]);
}
