import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refreshCompany } from '../../customer/index.ts';
import { hasAsked, takeOverNews } from './early-news.ts';
import { createThrottle } from './throttle.ts';

/** Queries that show alarms, with the minimum pause in milliseconds between two fetches. The dashboard query costs more. */
const alarmQueries = [
  { queryKey: ['alarm'], pauseMs: 1_000 },
  { queryKey: ['dashboard'], pauseMs: 3_000 },
] as const;

/**
 * Refetches every query that shows alarms when the server reports a change, and the company when its name or time zone
 * changed. Use it once, in the header.
 */
export function useAlarmNews(allowed: boolean): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (!allowed) {
      return;
    }
    const throttles = alarmQueries.map(({ queryKey, pauseMs }) => ({
      queryKey,
      throttle: createThrottle(
        () => cache.invalidateQueries({ queryKey }),
        (done) => {
          const timer = setTimeout(done, pauseMs);
          return () => clearTimeout(timer);
        },
      ),
    }));
    const stop = takeOverNews(({ isFirst, company }) => {
      for (const { queryKey, throttle } of throttles) {
        if (!isFirst || hasAsked(cache, queryKey)) throttle.request();
      }
      // If this fails, the connection is lost; the reconnect refreshes again.
      if (company) refreshCompany(cache).catch(() => undefined);
    });
    return () => {
      stop();
      for (const { throttle } of throttles) throttle.stop();
    };
  }, [allowed, cache]);
}
