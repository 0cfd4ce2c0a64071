import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followAlarmNews } from './alarm.queries.ts';
import { createPacer } from './pacer.ts';

const REST = 1_000;

/** Everything that shows alarms asks again when the server says that alarms have changed. Stands once, in the header. */
export function useAlarmNews(allowed: boolean): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (!allowed) {
      return;
    }
    const pacer = createPacer(
      () => cache.invalidateQueries({ queryKey: ['alarm'] }),
      (done) => {
        const timer = setTimeout(done, REST);
        return () => clearTimeout(timer);
      },
    );
    const stop = followAlarmNews(pacer.ask);
    return () => {
      stop();
      pacer.stop();
    };
  }, [allowed, cache]);
}
