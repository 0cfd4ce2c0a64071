import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refreshCompany } from '../../customer/index.ts';
import { hasAsked, takeOverNews } from './early-news.ts';
import { createThrottle } from './throttle.ts';

/**
 * Queries that contain alarms, each with the minimum pause between two fetches. The dashboard query is expensive, so
 * its pause is longer.
 */
const alarmQueries = [
  { queryKey: ['alarm'], pauseMs: 1_000 },
  { queryKey: ['dashboard'], pauseMs: 3_000 },
] as const;

/**
 * Refetches all queries that contain alarms when the server reports a change. Refetches the company when its name or
 * time zone changes. Use this hook only once, in the header.
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
      // The refresh fails only without a connection, and the reconnect refreshes again.
      if (company) refreshCompany(cache).catch(() => undefined);
    });
    return () => {
      stop();
      for (const { throttle } of throttles) throttle.stop();
    };
  }, [allowed, cache]);
}
