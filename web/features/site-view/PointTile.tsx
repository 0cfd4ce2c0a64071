import { type CSSProperties, useRef } from 'react';
import type { PlantFeed } from '../../kit/live/plant-feed.ts';
import { useLiveDatapoint } from '../../kit/live/usePlantFeed.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatAge, formatClock, formatDay } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import classes from './PointTile.module.css';
import { tileOf } from './point-tile.ts';
import type { Point, SiteAlarm } from './site-view.queries.ts';

interface TileContentProps {
  point: Point;
  feed: PlantFeed;
  alarms: readonly SiteAlarm[];
}

/** Content of a tile: name, newest value, state and age. */
export function TileContent({ point, feed, alarms }: TileContentProps) {
  const tile = tileOf(point, useLiveDatapoint(feed, point.uuid), alarms);
  const first = useRef(tile.value);
  return (
    <span
      className={classes.face}
      data-state={tile.state}
      data-acknowledged={tile.acknowledged || undefined}
      style={{ '--tile-color': tile.color } as CSSProperties}
    >
      <span className={classes.name}>{point.tocsinDatapointName}</span>
      <span
        // A new key mounts a new element for each value, so that the value fades in once.
        key={tile.value}
        className={classes.value}
        data-measured
        data-changed={tile.value !== first.current || undefined}
      >
        {tile.value} {tile.unit ? <small>{tile.unit}</small> : null}
      </span>
      <span className={classes.foot}>
        {tile.state === 'normal' ? (
          <span className={classes.words}>{tile.words}</span>
        ) : (
          <StateMark state={tile.state} acknowledged={tile.acknowledged} word={tile.words} />
        )}
        <TileAge at={tile.time} />
      </span>
    </span>
  );
}

function TileAge({ at }: { at: number | null }) {
  const timeZone = useTimeZone();
  const age = useFromNow((now) => (at === null ? '' : formatAge(now.getTime() - at)));
  if (at === null) return null;
  const time = new Date(at);
  return (
    <time dateTime={time.toISOString()} title={`${formatClock(time, timeZone)}, ${formatDay(time, timeZone)}`}>
      {age}
    </time>
  );
}
