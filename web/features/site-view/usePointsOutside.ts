import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { PlantFeed } from '../../kit/live/plant-feed.ts';
import { pointsOutside } from '../alarm/index.ts';
import { outOf } from './point-tile.ts';
import type { Point, SiteAlarm, SiteAsset } from './site-view.queries.ts';

/** The data points whose newest value is outside although no alarm is open for them. */
export function usePointsOutside(
  assets: readonly SiteAsset[],
  feed: PlantFeed,
  alarms: readonly SiteAlarm[],
): readonly Point[] {
  const points = useMemo(() => assets.flatMap((asset) => asset.points), [assets]);
  const watch = useCallback(
    (listener: () => void) => {
      const stops = points.map(({ uuid }) => feed.watch(uuid, listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [points, feed],
  );
  // As text, which is the same while nothing has gone out or come back.
  const out = useSyncExternalStore(watch, () =>
    points
      .filter((point) => outOf(point, feed.datapoint(point.uuid)) !== null)
      .map(({ uuid }) => uuid)
      .join(),
  );
  return useMemo(() => {
    const inAlarm = new Set(alarms.flatMap((alarm) => [...pointsOutside(alarm).keys()]));
    return points.filter(({ uuid }) => out.includes(uuid) && !inAlarm.has(uuid));
  }, [points, out, alarms]);
}
