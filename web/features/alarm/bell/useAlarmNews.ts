import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refreshCompany } from '../../customer/index.ts';
import { hasAsked, takeOverNews } from './early-news.ts';
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
    const throttles = shows.map(({ queryKey, rest }) => ({
      queryKey,
      throttle: createThrottle(
        () => cache.invalidateQueries({ queryKey }),
        (done) => {
          const timer = setTimeout(done, rest);
          return () => clearTimeout(timer);
        },
      ),
    }));
    const stop = takeOverNews(({ isFirst, company }) => {
      for (const { queryKey, throttle } of throttles) {
        if (!isFirst || hasAsked(cache, queryKey)) throttle.ask();
      }
      // Where that fails the connection is lost, and its return asks again.
      if (company) refreshCompany(cache).catch(() => undefined);
    });
    return () => {
      stop();
      for (const { throttle } of throttles) throttle.stop();
    };
  }, [allowed, cache]);
}
