import { useCallback, useSyncExternalStore } from 'react';
import { ANY_SITE } from '../../kit/live/plant-feed.ts';
import { useFeed } from '../../kit/live/useMovingFeed.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatAge, formatClock, formatDay } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import classes from './LastReading.module.css';

/** Shows the age of the last reading from any site, and the current time at the plant. */
export function LastReading({ at: stored }: { at: string | null | undefined }) {
  const timeZone = useTimeZone();
  const feed = useFeed();
  const heard = useSyncExternalStore(
    useCallback((listener) => feed.watch(ANY_SITE, listener), [feed]),
    feed.lastContact,
  );
  const at = heard !== null && heard > Date.parse(stored ?? '1970-01-01') ? new Date(heard).toISOString() : stored;
  const age = useFromNow((now) => (at ? formatAge(now.getTime() - Date.parse(at)) : ''));
  const clock = useFromNow((now) => `${formatDay(now, timeZone)} ${formatClock(now, timeZone, undefined, false)}`);
  return (
    <>
      <span className={classes.live}>
        {at === undefined ? <Skeleton width={112} /> : at === null ? 'No reading yet' : `Last reading ${age} ago`}
      </span>
      <span className={classes.clock}>{clock}</span>
    </>
  );
}
