import type { Database } from '../platform/database.ts';

/** Said by the database itself whenever a row of an alarm is written (db/logic/alarm_list.sql). The payload is the customer. */
const CHANNEL = 'tocsin_alarm';

export interface AlarmNews {
  /** Calls `tell` whenever any alarm of the customer may have changed. */
  watch(customerUuid: string, tell: () => void): () => void;
  stop(): Promise<void>;
}

/** Tells pages that alarms have changed. It says nothing about them: each page asks with its own person's rights. */
export async function startAlarmNews(db: Pick<Database, 'listen'>): Promise<AlarmNews> {
  const watchers = new Map<string, Set<() => void>>();
  const tellAll = (tells: Iterable<() => void> = []) => {
    for (const tell of [...tells]) tell();
  };
  const stop = await db.listen(
    CHANNEL,
    (customerUuid) => tellAll(watchers.get(customerUuid)),
    // What was said meanwhile was not heard: everybody asks again.
    () => tellAll([...watchers.values()].flatMap((tells) => [...tells])),
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
): AsyncIterableIterator<{ count: number }> {
  let count = 0;
  let isNew = true;
  let ended = false;
  let wake: (() => void) | undefined;
  const stop = news.watch(customerUuid, () => {
    isNew = true;
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
      return { done: false, value: { count } };
    },
    async return() {
      ended = true;
      stop();
      wake?.();
      return { done: true, value: undefined };
    },
  };
}
