import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { lostSince } from '../../api/connection.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import { useStore } from '../../ui/store.ts';
import { At } from '../dashboard/At.tsx';
import classes from './ConnectionBanner.module.css';

/** Says that what the page shows is old, and since when. Once the server answers again, every part asks anew. */
export function ConnectionBanner() {
  const lost = useStore(lostSince);
  const cache = useQueryClient();
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
      {lost === null ? null : (
        <p className={classes.banner}>
          <StateMark state="silent" look="shape" word="Connection lost" />
          <span>
            Connection lost at <At at={lost.toISOString()} />. Trying again.
          </span>
          <span className={classes.old}>Values are old</span>
        </p>
      )}
    </div>
  );
}
