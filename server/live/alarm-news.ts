import type { Database } from '../platform/database.ts';

/**
 * Said by the database itself whenever a row of an alarm is written (db/logic/alarm_list.sql), and when the company itself is changed
 * (db/logic/customer.sql). The payload is the customer, and what it is about where that is not its alarms.
 */
const CHANNEL = 'tocsin_alarm';

/** What may have changed. */
export type NewsOf = 'alarms' | 'company';

type Tell = (about: NewsOf) => void;

export interface AlarmNews {
  /** Calls `tell` whenever any alarm of the customer, or the customer, may have changed. */
  watch(customerUuid: string, tell: Tell): () => void;
  stop(): Promise<void>;
}

/** Tells pages that alarms, or their company, have changed. It says nothing about them: each page asks with its own person's rights. */
export async function startAlarmNews(db: Pick<Database, 'listen'>): Promise<AlarmNews> {
  const watchers = new Map<string, Set<Tell>>();
  const tellAll = (about: NewsOf, tells: Iterable<Tell> = []) => {
    for (const tell of [...tells]) tell(about);
  };
  const stop = await db.listen(
    CHANNEL,
    (payload) => {
      const [customerUuid = '', about] = payload.split(' ');
      tellAll(about === 'company' ? 'company' : 'alarms', watchers.get(customerUuid));
    },
    // What was said meanwhile was not heard: everybody asks again.
    () =>
      tellAll(
        'company',
        [...watchers.values()].flatMap((tells) => [...tells]),
      ),
  );
  return {
    watch(customerUuid, tell) {
      const tells = watchers.get(customerUuid) ?? new Set();
      watchers.set(customerUuid, tells.add(tell));
      return () => {
        tells.delete(tell);
        if (tells.size === 0 && watchers.get(customerUuid) === tells) watchers.delete(customerUuid);
      };
    },
    stop,
  };
}

/**
 * The news for one page, as numbers that count up. The first comes at once, so that whoever comes back asks for what was
 * missed; what happens while nobody takes them is one piece of news.
 */
export function newsFor(
  news: Pick<AlarmNews, 'watch'>,
  customerUuid: string,
): AsyncIterableIterator<{ count: number; company: number }> {
  let count = 0;
  let company = 1;
  let isNew = true;
  let ended = false;
  let wake: (() => void) | undefined;
  const stop = news.watch(customerUuid, (about) => {
    isNew = true;
    if (about === 'company') company += 1;
    wake?.();
  });
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      while (!isNew && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
      if (ended) return { done: true, value: undefined };
      isNew = false;
      count += 1;
      return { done: false, value: { count, company } };
    },
    async return() {
      ended = true;
      stop();
      wake?.();
      return { done: true, value: undefined };
    },
  };
}
