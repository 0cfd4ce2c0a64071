import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { toast } from '../../ui/toast/toast.ts';
import { moved, newPlaces, updateDatapointOrder } from '../datapoint/index.ts';
import { type Point, type SiteAsset, type SiteFacts, siteViewKey } from './site-view.queries.ts';
import { columnsOf, placeByKey, placeUnder } from './tile-place.ts';

export interface TileOrder {
  /** Returns the data points of the asset in their current order. */
  shown: (asset: SiteAsset) => readonly Point[];
  /** Uuid of the data point that the user is dragging. */
  moving: string | undefined;
  /** Text to announce to screen readers. */
  announcement: string;
  handlers: (asset: SiteAsset, index: number) => Record<string, unknown>;
}

const placesAround = (tile: Element) =>
  [...(tile.closest('ul')?.children ?? [])].map((entry) => entry.getBoundingClientRect());

/** Reorders the tiles of an asset by drag and drop or arrow keys. Saves each move immediately. */
export function useTileOrder(siteUuid: string): TileOrder {
  const client = useQueryClient();
  const [dragged, setDragged] = useState<{ asset: string; uuid: string; order: Point[] } | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const shown = (asset: SiteAsset) => (dragged?.asset === asset.uuid ? dragged.order : asset.points);

  const store = async (asset: SiteAsset, order: readonly Point[]) => {
    const queryKey = siteViewKey(siteUuid);
    await client.cancelQueries({ queryKey });
    const points = order.map((point, index) => ({ ...point, tocsinAssetDatapointOrder: index + 1 }));
    client.setQueryData(
      queryKey,
      (site: SiteFacts | null | undefined) =>
        site && {
          ...site,
          assets: site.assets.map((one) => (one.uuid === asset.uuid ? { ...one, points } : one)),
        },
    );
    try {
      for (const { uuid, place } of newPlaces(order)) await updateDatapointOrder(uuid, place);
    } catch (error) {
      toast.error(`The order could not be saved. ${messageOf(error)}`);
    }
    await client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: ['datapoint'] });
  };

  const handlers = (asset: SiteAsset, index: number) => ({
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const places = placesAround(event.currentTarget);
      const to = placeByKey(event.key, index, asset.points.length, columnsOf(places));
      if (to === -1) return;
      event.preventDefault();
      setAnnouncement(`${asset.points[index]?.tocsinDatapointName}: position ${to + 1} of ${asset.points.length}`);
      void store(asset, moved(asset.points, index, to));
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const point = asset.points[index];
      if (!point || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDragged({ asset: asset.uuid, uuid: point.uuid, order: [...asset.points] });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (dragged?.asset !== asset.uuid) return;
      const from = dragged.order.findIndex(({ uuid }) => uuid === dragged.uuid);
      const to = placeUnder(event.clientX, event.clientY, placesAround(event.currentTarget));
      if (to !== -1 && to !== from) setDragged({ ...dragged, order: moved(dragged.order, from, to) });
    },
    onPointerUp: () => {
      if (dragged?.asset !== asset.uuid) return;
      setDragged(null);
      if (newPlaces(dragged.order).length > 0) void store(asset, dragged.order);
    },
    onPointerCancel: () => setDragged(null),
  });
  return { shown, moving: dragged?.uuid, announcement, handlers };
}
