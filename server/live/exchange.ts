import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { LiveDatapoint, LiveHub } from './hub.ts';

/** Notification channel on which a process announces the sites that its pages show. */
const WATCHED = 'tocsin_watched';
/** Notification channel that carries readings to the pages of other processes. */
const READINGS = 'tocsin_live_reading';
/** Interval between two notifications. If a data point has several readings in an interval, only the newest is sent. */
const MERGE_MS = 100;
/** Interval at which a process announces its sites again. */
const REPEAT_MS = 10_000;
/** A site counts as watched for this long after its process last announced it. */
const FORGET_MS = 30_000;
/** Maximum size of the list in one notification. PostgreSQL limits the payload to less than 8,000 bytes. */
const LIST_BYTES = 7500;
/**
 * Maximum number of data points in one interval. The values of further data points reach pages through write-behind,
 * one to five seconds later.
 */
const MOST_DATAPOINTS = 2000;

export interface LiveExchangeOptions {
  db: Pick<Database, 'listen' | 'transaction'>;
  clock: Clock;
  hub: LiveHub;
  /** Uuid of this process. */
  process: string;
}

export interface LiveExchange {
  stop(): Promise<void>;
}

/** A reading in a notification: data point, site, value, device time. */
type SentReading = [string, string, number | null, number | null];

/**
 * Passes readings between processes, so that a page shows a reading immediately even if another process stored it. Each
 * process announces the sites that its pages show, and receives the readings of these sites from the other processes.
 * If a notification is lost, the page shows the reading after write-behind has written it.
 */
export async function startLiveExchange({ db, clock, hub, process }: LiveExchangeOptions): Promise<LiveExchange> {
  /** Sites that pages of other processes show, each with the monotonic time at which it stops counting as watched. */
  const elsewhere = new Map<string, number>();
  const announced = new Set<string>();
  const unsent = new Map<string, LiveDatapoint>();
  let sending: NodeJS.Timeout | undefined;
  let announcing: NodeJS.Timeout | undefined;
  let stopped = false;

  const notify = async (channel: string, items: readonly unknown[]): Promise<void> => {
    const payloads = split(items).map((list) => JSON.stringify({ from: process, list }));
    if (payloads.length === 0) return;
    const statement = 'select pg_notify($1, payload) from unnest($2::text[]) payload';
    // The next announcement or write-behind makes up for a lost notification.
    await db.transaction(serviceAccess(clock), (tx) => tx.query(statement, [channel, payloads])).catch(() => {});
  };

  const announce = (sites: Iterable<string>) => notify(WATCHED, [...sites]);
  const announceNew = () => {
    announcing = undefined;
    const added = hub.watched().filter((site) => !announced.has(site));
    for (const site of added) announced.add(site);
    void announce(added);
  };
  const announceAll = () => {
    announced.clear();
    announceNew();
  };
  const send = async () => {
    const readings = [...unsent.values()].slice(0, MOST_DATAPOINTS);
    unsent.clear();
    await notify(
      READINGS,
      readings.map(({ datapointUuid, siteUuid, value, time }): SentReading => [datapointUuid, siteUuid, value, time]),
    );
    // The next notification is sent only after this one, so that other processes receive the newest readings last.
    sending = unsent.size > 0 && !stopped ? setTimeout(send, MERGE_MS) : undefined;
  };

  hub.connect({
    watches(siteUuid) {
      const until = elsewhere.get(siteUuid);
      if (until === undefined) return false;
      if (until > performance.now()) return true;
      elsewhere.delete(siteUuid);
      return false;
    },
    send(changed) {
      if (stopped) return;
      for (const datapoint of changed) unsent.set(datapoint.datapointUuid, datapoint);
      sending ??= setTimeout(send, MERGE_MS);
    },
    watchedHere(siteUuid) {
      if (stopped || announced.has(siteUuid)) return;
      announcing ??= setTimeout(announceNew, MERGE_MS);
    },
  });

  const received = <T>(payload: string): T[] => {
    const { from, list } = JSON.parse(payload) as { from: string; list: T[] };
    return from === process ? [] : list;
  };
  const stopListening = [
    await db.listen(
      WATCHED,
      (payload) => {
        for (const site of received<string>(payload)) elsewhere.set(site, performance.now() + FORGET_MS);
      },
      announceAll,
    ),
    await db.listen(
      READINGS,
      (payload) => {
        for (const [datapointUuid, siteUuid, value, time] of received<SentReading>(payload)) {
          hub.publishDatapoints(siteUuid, [{ datapointUuid, siteUuid, value, time }]);
        }
      },
      () => {},
    ),
  ];
  const repeating = setInterval(announceAll, REPEAT_MS);
  return {
    async stop() {
      stopped = true;
      clearInterval(repeating);
      clearTimeout(announcing);
      clearTimeout(sending);
      await Promise.all(stopListening.map((stop) => stop()));
    },
  };
}

/** Splits a list into parts that each fit into one notification. */
function split<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  let bytes = LIST_BYTES;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes + size > LIST_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(item);
    bytes += size;
  }
  return parts;
}
