import type { Database } from '../platform/database.ts';

/**
 * Notification channel of PostgreSQL. Triggers send a notification when an alarm (db/logic/alarm/alarm_list.sql) or a
 * customer (db/logic/people/customer.sql) is written. The payload is the customer's uuid, followed by `company` if the
 * customer's row changed.
 */
const CHANNEL = 'tocsin_alarm';

export type NewsOf = 'alarms' | 'company';

type Listener = (about: NewsOf) => void;

export interface AlarmNews {
  /**
   * Calls `listener` when the customer's row or one of its alarms may have changed. Returns a function that removes the
   * listener.
   */
  watch(customerUuid: string, listener: Listener): () => void;
  stop(): Promise<void>;
}

/**
 * Notifies pages that alarms or the customer changed. The notification has no content; each page loads the data with
 * its user's rights.
 */
export async function startAlarmNews(db: Pick<Database, 'listen'>): Promise<AlarmNews> {
  const watchers = new Map<string, Set<Listener>>();
  const notifyAll = (about: NewsOf, listeners: Iterable<Listener> = []) => {
    for (const listener of [...listeners]) listener(about);
  };
  const stop = await db.listen(
    CHANNEL,
    (payload) => {
      const [customerUuid = '', about] = payload.split(' ');
      notifyAll(about === 'company' ? 'company' : 'alarms', watchers.get(customerUuid));
    },
    // Notifications can be lost while the connection is down, so every page reloads its data.
    () =>
      notifyAll(
        'company',
        [...watchers.values()].flatMap((listeners) => [...listeners]),
      ),
  );
  return {
    watch(customerUuid, listener) {
      const listeners = watchers.get(customerUuid) ?? new Set();
      watchers.set(customerUuid, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && watchers.get(customerUuid) === listeners) watchers.delete(customerUuid);
      };
    },
    stop,
  };
}

/**
 * Returns a stream of change counters for one page. Sends the first value immediately, so that a page reloads its data
 * after it reconnects. Combines changes that occur between two reads.
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
