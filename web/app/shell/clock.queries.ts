import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import type { ClockJump } from './clock-words.ts';

const clockNotice = graphql(`
  query ClockNotice {
    clockNotice {
      jumpedOn
      jumpSeconds
      differenceSeconds
      databaseSeconds
    }
  }
`);

/**
 * Fetches the notice about a jump of the server's clock, or about clocks that differ. Null if there is none, or if the
 * user is not an owner.
 */
export const clockNoticeQuery = queryOptions({
  queryKey: ['clock', 'notice'],
  queryFn: async ({ signal }): Promise<ClockJump | null> => {
    const notice = (await ask(clockNotice, {}, signal)).clockNotice;
    if (!notice || notice.differenceSeconds === null) return null;
    const { jumpedOn, jumpSeconds, differenceSeconds, databaseSeconds } = notice;
    return { jumpedOn, jumpSeconds: jumpSeconds ?? 0, differenceSeconds, databaseSeconds: databaseSeconds ?? 0 };
  },
  refetchInterval: 60_000,
});
