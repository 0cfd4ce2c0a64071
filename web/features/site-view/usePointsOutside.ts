import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { PlantFeed } from '../../kit/live/plant-feed.ts';
import { datapointsOutside } from '../alarm/index.ts';
import { sideOutside } from './point-tile.ts';
import type { Point, SiteAlarm, SiteAsset } from './site-view.queries.ts';

/** Returns the data points whose newest value is outside its limits although no alarm is open. */
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
  // The snapshot is a string, which React compares by value. The component therefore renders only when a data point
  // crosses a limit.
  const out = useSyncExternalStore(watch, () =>
    points
      .filter((point) => sideOutside(point, feed.datapoint(point.uuid)) !== null)
      .map(({ uuid }) => uuid)
      .join(),
  );
  return useMemo(() => {
    const inAlarm = new Set(alarms.flatMap((alarm) => [...datapointsOutside(alarm).keys()]));
    return points.filter(({ uuid }) => out.includes(uuid) && !inAlarm.has(uuid));
  }, [points, out, alarms]);
}
