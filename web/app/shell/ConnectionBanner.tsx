import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { lostSince } from '../../api/connection.ts';
import { knock } from '../../api/knock.ts';
import { At } from '../../kit/format/At.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { useStore } from '../../ui/store.ts';
import classes from './ConnectionBanner.module.css';

/** A connection that is found again within this time is not spoken of. */
const PATIENCE = 1_000;
const KNOCK_EVERY = 3_000;

/** Says that what the page shows is old, and since when. Once the server answers again, every part asks anew. */
export function ConnectionBanner() {
  const lost = useStore(lostSince);
  const cache = useQueryClient();
  useEffect(() => {
    // The browser knows it first; whether it is so, a question tells. One is not enough: an answer that was on its way then
    // would say that all is well.
    let asking: ReturnType<typeof setInterval> | undefined;
    const ask = () => {
      if (navigator.onLine) clearInterval(asking);
      else if (lostSince.get() === null) knock();
    };
    const begin = () => {
      clearInterval(asking);
      asking = setInterval(ask, KNOCK_EVERY);
      knock();
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
  const [isSaid, setSaid] = useState(false);
  useEffect(() => {
    const patience = setTimeout(() => setSaid(true), PATIENCE);
    const knocking = setInterval(knock, KNOCK_EVERY);
    // The live connection alone may have dropped: a plain question tells.
    knock();
    window.addEventListener('online', knock);
    return () => {
      clearTimeout(patience);
      clearInterval(knocking);
      window.removeEventListener('online', knock);
    };
  }, []);
  return isSaid ? (
    <p className={classes.banner} data-lost>
      <StateMark state="silent" look="shape" word="Connection lost" />
      <span>
        Connection lost at <At at={since.toISOString()} />. Trying again.
      </span>
      <span className={classes.old}>Values are old</span>
    </p>
  ) : null;
}
