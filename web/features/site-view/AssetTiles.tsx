import { Button, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { TbArrowsMove, TbBox, TbPlus } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import type { PlantFeed } from '../../kit/live/plant-feed.ts';
import { useActor } from '../../kit/session/actor.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Card } from '../../ui/Page.tsx';
import classes from './AssetTiles.module.css';
import { worstFirst } from './asset-order.ts';
import { TileContent } from './PointTile.tsx';
import { alarmsOfPoint } from './point-tile.ts';
import type { Point, SiteAlarm, SiteAsset, SiteFacts } from './site-view.queries.ts';
import { type TileOrder, useTileOrder } from './useTileOrder.ts';

interface AssetTilesProps {
  site: SiteFacts;
  feed: PlantFeed;
  alarms: readonly SiteAlarm[];
  /** Data points whose values are outside their limits although no alarm is open. */
  out: readonly Point[];
  /** Data points shown in the trend. */
  chosen: readonly string[];
  onChoose: (uuid: string) => void;
}

/**
 * Shows the assets with their values, the worst asset first. A click on a tile adds its data point to the trend or
 * removes it. In ordering mode, the user can move the tiles.
 */
export function AssetTiles({ site, feed, alarms, out, chosen, onChoose }: AssetTilesProps) {
  const actor = useActor();
  const mayOrder = can(actor, 'asset_datapoint.update');
  const mayAdd = can(actor, 'admin.enter') && can(actor, 'asset.create');
  const [ordering, setOrdering] = useState(false);
  const order = useTileOrder(site.uuid);
  const shown = site.assets.filter(({ points, inUse }) => inUse || points.length > 0);
  // Assets keep their order while the user moves tiles.
  const assets = ordering ? shown : worstFirst(shown, alarms, out);
  const several = assets.some(({ points }) => points.length > 1);
  if (assets.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={TbBox}
          title="No values yet"
          action={
            mayAdd ? (
              <Button
                component={Link}
                to="/admin/assets"
                search={{ record: 'new', site: site.uuid } as never}
                size="xs"
              >
                Add asset
              </Button>
            ) : null
          }
        >
          {mayAdd
            ? 'A site shows the data points of its assets. Begin with an asset, such as a pump or a wet well.'
            : 'A site shows the data points of its assets. A manager adds them in the admin area.'}
        </EmptyState>
      </Card>
    );
  }
  return (
    <section className={classes.card} aria-label="Values">
      {mayAdd || (mayOrder && several) ? (
        <div className={classes.tools}>
          <span>{ordering ? 'Drag a tile, or move it with the arrow keys. Each move is saved.' : ''}</span>
          {mayAdd ? (
            <Button
              component={Link}
              to="/admin/assets"
              search={{ record: 'new', site: site.uuid } as never}
              size="compact-xs"
              variant="subtle"
              leftSection={<TbPlus size={14} strokeWidth={1.75} aria-hidden />}
            >
              Add asset
            </Button>
          ) : null}
          {mayOrder && several ? (
            <Button
              size="compact-xs"
              variant={ordering ? 'filled' : 'subtle'}
              leftSection={ordering ? null : <TbArrowsMove size={14} strokeWidth={1.75} aria-hidden />}
              onClick={() => setOrdering(!ordering)}
            >
              {ordering ? 'Done' : 'Order'}
            </Button>
          ) : null}
        </div>
      ) : null}
      {assets.map((asset) => (
        <Asset
          key={asset.uuid}
          asset={asset}
          feed={feed}
          alarms={alarms}
          chosen={chosen}
          onChoose={onChoose}
          order={ordering ? order : null}
          mayAdd={mayAdd}
        />
      ))}
      <VisuallyHidden aria-live="polite">{order.announcement}</VisuallyHidden>
    </section>
  );
}

interface AssetProps extends Omit<AssetTilesProps, 'site' | 'out'> {
  asset: SiteAsset;
  order: TileOrder | null;
  mayAdd: boolean;
}

function Asset({ asset, feed, alarms, chosen, onChoose, order, mayAdd }: AssetProps) {
  const points = order ? order.shown(asset) : asset.points;
  return (
    <section className={classes.asset} aria-label={asset.name}>
      <h2>
        {asset.name} <span>{asset.inUse ? asset.description : 'Inactive'}</span>
        {mayAdd && !order ? (
          <Link
            className={classes.add}
            to="/admin/datapoints"
            search={{ record: 'new', asset: asset.uuid }}
            aria-label={`Add data point to ${asset.name}`}
          >
            Add data point
          </Link>
        ) : null}
      </h2>
      {points.length === 0 ? (
        <p className={classes.none}>No data points</p>
      ) : (
        <ul className={classes.tiles} data-ordering={order ? true : undefined}>
          {points.map((point, index) => {
            const own = alarmsOfPoint(alarms, point.uuid);
            const face = <TileContent point={point} feed={feed} alarms={own} />;
            return (
              <li key={point.uuid} data-moving={order?.moving === point.uuid || undefined}>
                {order ? (
                  <button
                    type="button"
                    className={classes.tile}
                    aria-label={`Move ${point.tocsinDatapointName}, position ${index + 1} of ${points.length}`}
                    {...order.handlers(asset, index)}
                  >
                    {face}
                  </button>
                ) : (
                  <button
                    type="button"
                    className={classes.tile}
                    aria-pressed={chosen.includes(point.uuid)}
                    title={chosen.includes(point.uuid) ? 'Remove from trend' : 'Show in trend'}
                    onClick={() => onChoose(point.uuid)}
                  >
                    {face}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
