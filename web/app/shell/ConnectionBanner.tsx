import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { checkConnection } from '../../api/check-connection.ts';
import { lostSince } from '../../api/connection.ts';
import { At } from '../../kit/format/At.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { useStore } from '../../ui/store.ts';
import classes from './ConnectionBanner.module.css';

/** Minimum length of an interruption in milliseconds before the banner appears. */
const SHOW_AFTER_MS = 1_000;
const RETRY_MS = 3_000;

/**
 * While the connection is lost, shows a banner with the time at which it was lost. Refetches all queries once the
 * server responds again.
 */
export function ConnectionBanner() {
  const lost = useStore(lostSince);
  const cache = useQueryClient();
  useEffect(() => {
    // After the browser's offline event, repeated requests check whether the server is unreachable. One request is not
    // enough, because a response that was already in transit marks the server as reachable.
    let asking: ReturnType<typeof setInterval> | undefined;
    const ask = () => {
      if (navigator.onLine) clearInterval(asking);
      else if (lostSince.get() === null) checkConnection();
    };
    const begin = () => {
      clearInterval(asking);
      asking = setInterval(ask, RETRY_MS);
      checkConnection();
    };
    window.addEventListener('offline', begin);
    return () => {
      clearInterval(asking);
      window.removeEventListener('offline', begin);
    };
  }, []);
  useEffect(
    () =>
      lostSince.subscribe((now) => {
        if (now === null) {
          void cache.invalidateQueries();
        }
      }),
    [cache],
  );
  return (
    <div role="status" aria-label="Connection">
      {lost === null ? null : <Lost key={lost.getTime()} since={lost} />}
    </div>
  );
}

function Lost({ since }: { since: Date }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const showTimer = setTimeout(() => setShown(true), SHOW_AFTER_MS);
    const retrying = setInterval(checkConnection, RETRY_MS);
    // If only the live connection was lost, this request succeeds and ends the interruption.
    checkConnection();
    window.addEventListener('online', checkConnection);
    return () => {
      clearTimeout(showTimer);
      clearInterval(retrying);
      window.removeEventListener('online', checkConnection);
    };
  }, []);
  return isShown ? (
    <p className={classes.banner} data-lost>
      <StateMark state="silent" look="shape" word="Connection lost" />
      <span>
        Connection lost at <At at={since.toISOString()} />. Trying again.
      </span>
      <span className={classes.old}>Showing last known values</span>
    </p>
  ) : null;
}
