import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refreshCompany } from '../../customer/index.ts';
import { followAlarmNews } from '../alarm.queries.ts';
import { createThrottle } from './throttle.ts';

/** What shows alarms, and how long it rests at least after it asked. The board is sorted by them, and dearer to ask for. */
const shows = [
  { queryKey: ['alarm'], rest: 1_000 },
  { queryKey: ['dashboard'], rest: 3_000 },
] as const;

/**
 * Everything that shows alarms asks again when the server says that alarms have changed, and the whole page when its company has
 * another name or time zone. Stands once, in the header.
 */
export function useAlarmNews(allowed: boolean): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (!allowed) {
      return;
    }
    const pacers = shows.map(({ queryKey, rest }) =>
      createThrottle(
        () => cache.invalidateQueries({ queryKey }),
        (done) => {
          const timer = setTimeout(done, rest);
          return () => clearTimeout(timer);
        },
      ),
    );
    const stop = followAlarmNews(({ company }) => {
      for (const pacer of pacers) pacer.ask();
      // Where that fails the connection is lost, and its return asks again.
      if (company) refreshCompany(cache).catch(() => undefined);
    });
    return () => {
      stop();
      for (const pacer of pacers) pacer.stop();
    };
  }, [allowed, cache]);
}
