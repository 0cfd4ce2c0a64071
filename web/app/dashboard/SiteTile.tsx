import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { SignalBars } from '../../kit/format/SignalBars.tsx';
import { formatMoment } from '../../kit/format/short-time.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatAge, formatClock, formatDay } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import type { BoardSite, Trend } from './dashboard.queries.ts';
import classes from './SiteTile.module.css';
import { sparkline, untilNow } from './tile.ts';
import { useLiveBoardSite } from './useLiveBoardSite.ts';
import { useSiteTile } from './useSiteTile.ts';

interface SiteTileProps {
  site: BoardSite;
  /** The recent values of the tile's data point; undefined until loaded. */
  trend: Trend | undefined;
}

/** Shows a site's worst alarm, value, signal and last contact. Memoized, because hundreds of tiles scroll. */
export const SiteTile = memo(function SiteTile({ site: fetched, trend }: SiteTileProps) {
  const site = useLiveBoardSite(fetched);
  const tile = useSiteTile(fetched);
  return (
    <Frame tile={tile}>
      <h2>
        {tile.name}
        {tile.maintenance === undefined ? null : (
          <span className={classes.window}>
            <StateMark state="maintenance" look="shape" word={`Maintenance: ${tile.maintenance}`} />
          </span>
        )}
      </h2>
      <p className={classes.state}>
        <StateMark state={tile.state} acknowledged={tile.acknowledged} word={tile.word} />
        <span className={classes.words}>
          {tile.quietUntil === null || tile.state === 'maintenance' ? tile.words : null}
          {tile.quietUntil !== null && tile.state === 'maintenance' ? ', ' : null}
          {tile.quietUntil === null ? null : <Until at={tile.quietUntil} />}
        </span>
      </p>
      <svg className={classes.spark} viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden>
        {trend ? <path d={sparkline(untilNow(trend, site), 100, 24)} /> : null}
      </svg>
      <p className={classes.value} data-measured data-alarm={tile.valueInAlarm || undefined}>
        {tile.value ? (
          <>
            {tile.value.text} <small>{tile.value.unit}</small>
          </>
        ) : (
          '–'
        )}
      </p>
      <p className={classes.foot}>
        <span>
          <SignalBars dbm={site.gsmSignalStrength} />
        </span>
        <LastContact at={site.lastUpdate} />
      </p>
    </Frame>
  );
});

/** Shows the end of the quiet time, such as `until 18:00`. */
function Until({ at }: { at: string }) {
  const timeZone = useTimeZone();
  return `until ${useFromNow((now) => formatMoment(new Date(at), now, timeZone))}`;
}

/** Age of the last contact. Uses the browser's own tooltip, because hundreds of Mantine tooltips would be slow. */
function LastContact({ at }: { at: string | null }) {
  const timeZone = useTimeZone();
  const age = useFromNow((now) => (at === null ? 'no contact yet' : formatAge(now.getTime() - Date.parse(at))));
  if (at === null) {
    return age;
  }
  const time = new Date(at);
  return (
    <time dateTime={at} title={`${formatClock(time, timeZone)}, ${formatDay(time, timeZone)}`}>
      {age}
    </time>
  );
}

interface FrameProps {
  tile: { uuid: string; state: string; waiting: boolean };
  children: ReactNode;
}

function Frame({ tile, children }: FrameProps) {
  return (
    <Link
      className={classes.tile}
      data-state={tile.state}
      data-waiting={tile.waiting || undefined}
      to="/dashboard/site/$uuid"
      params={{ uuid: tile.uuid }}
    >
      {children}
    </Link>
  );
}

export function TileSkeleton() {
  return (
    <div className={classes.tile} aria-hidden>
      <h2>
        <Skeleton width="64%" />
      </h2>
      <p className={classes.state}>
        <Skeleton width="48%" />
      </p>
      <p className={classes.spark} />
      <p className={classes.value}>
        <Skeleton width={40} />
      </p>
      <p className={classes.foot}>
        <Skeleton width={56} />
        <Skeleton width={24} />
      </p>
    </div>
  );
}
