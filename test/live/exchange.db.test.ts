/** Several processes share one PostgreSQL server. A page shows readings even if another process stores them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LiveExchange, startLiveExchange } from '../../server/live/exchange.ts';
import { LiveHub } from '../../server/live/hub.ts';
import { systemClock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { disposeTestDatabases, openTestDatabase, testDatabaseKind } from '../harness/database/database.ts';

const PROCESSES = 3;
const SITES = 3;
const DATAPOINTS = 400;
/** Time limit for a page to show a reading. It is long, because the machine may be busy. */
const PATIENCE_MS = 20_000;

// These tests need PostgreSQL, because only one process can use the embedded database.
describe.skipIf(testDatabaseKind() === 'embedded')('readings for the pages of other processes', () => {
  let db: Database;
  let hubs: LiveHub[];
  let exchanges: LiveExchange[];
  /** The next transaction starts only after this promise resolves, which simulates the wait for a free connection. */
  let nextTransaction: Promise<void> | undefined;
  /** Payloads of all notifications with readings. */
  const sent: string[] = [];

  beforeAll(async () => {
    db = await openTestDatabase();
    hubs = Array.from({ length: PROCESSES }, () => new LiveHub());
    const delayed: Pick<Database, 'listen' | 'transaction'> = {
      listen: (...args) => db.listen(...args),
      transaction: async (...args) => {
        const wait = nextTransaction;
        nextTransaction = undefined;
        await wait;
        return db.transaction(...args);
      },
    };
    exchanges = await Promise.all(
      hubs.map((hub) => startLiveExchange({ db: delayed, clock: systemClock, hub, process: randomUUID() })),
    );
    await db.listen(
      'tocsin_live_reading',
      (payload) => sent.push(payload),
      () => {},
    );
  });
  afterAll(async () => {
    await Promise.all(exchanges.map((exchange) => exchange.stop()));
    await db.close();
    await disposeTestDatabases();
  });

  /** Watches a site through one process, as a page does. `shown` contains the latest value of each data point. */
  function watch(process: number, site: string): { shown: Map<string, number | null>; stop: () => void } {
    const shown = new Map<string, number | null>();
    const stop = hubs[process]?.watch(site, {
      datapoints: (changed) => {
        for (const { datapointUuid, value } of changed) shown.set(datapointUuid, value);
      },
      site: () => {},
    });
    return { shown, stop: stop as () => void };
  }

  const reading = fc.record({
    site: fc.nat({ max: SITES - 1 }),
    datapoint: fc.nat({ max: DATAPOINTS - 1 }),
    // Adding 0 turns negative zero into zero, because JSON has no negative zero.
    value: fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  });
  const page = fc.record({ process: fc.nat({ max: PROCESSES - 1 }), site: fc.nat({ max: SITES - 1 }) });

  test('arrive at every page of the site with the last value of each data point, and at no other page', async () => {
    const cases = fc.tuple(fc.array(page, { minLength: 1, maxLength: 4 }), fc.array(reading, { maxLength: 900 }));
    await fc.assert(
      fc.asyncProperty(cases, async ([pages, readings]) => {
        const sites = Array.from({ length: SITES }, () => randomUUID());
        const watched = pages.map(({ process, site }) => ({ site, ...watch(process, sites[site] as string) }));
        // A process sends readings of a site to other processes only once it knows that they show the site. Each
        // process therefore repeats a first reading until every page has received it.
        const isKnown = () => {
          for (const siteUuid of sites) {
            hubs.forEach((hub, process) => {
              const datapointUuid = `first ${process} ${siteUuid}`;
              hub.publishReadings(siteUuid, [{ datapointUuid, siteUuid, value: 0, time: 0 }]);
            });
          }
          return watched.every(({ shown }) => shown.size === PROCESSES);
        };
        await expect.poll(isKnown, { interval: 20, timeout: PATIENCE_MS }).toBe(true);
        const last = new Map<string, { site: number; value: number }>();
        for (const { site, datapoint, value } of readings) {
          const siteUuid = sites[site] as string;
          const datapointUuid = `${siteUuid.slice(0, 24)}${String(datapoint).padStart(12, '0')}`;
          last.set(datapointUuid, { site, value });
          // Each data point gets all its readings from one process, because only one process at a time serves a sensor.
          hubs[datapoint % PROCESSES]?.publishReadings(siteUuid, [{ datapointUuid, siteUuid, value, time: 0 }]);
        }
        for (const { site, shown, stop } of watched) {
          const expected = [...last].filter(([, one]) => one.site === site).map(([uuid, { value }]) => [uuid, value]);
          const readingsShown = () => [...shown].filter(([uuid]) => !uuid.startsWith('first')).sort();
          await expect.poll(readingsShown, { interval: 5, timeout: PATIENCE_MS }).toEqual(expected.sort());
          stop();
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  test('are not sent while no other process shows the site', async () => {
    const [here, marker] = [randomUUID(), randomUUID()];
    const mine = watch(0, here);
    const others = watch(1, marker);
    await expect.poll(() => hubs[0]?.isWatched(marker)).toBe(true);
    const value = { value: 1, time: 0 };
    hubs[0]?.publishReadings(here, [{ datapointUuid: 'mine', siteUuid: here, ...value }]);
    hubs[0]?.publishReadings(marker, [{ datapointUuid: 'theirs', siteUuid: marker, ...value }]);
    await expect.poll(() => others.shown.get('theirs')).toBe(1);
    expect(mine.shown.get('mine')).toBe(1);
    expect(sent.filter((payload) => payload.includes(here))).toEqual([]);
    expect(sent.filter((payload) => payload.includes(marker))).toHaveLength(1);
  });

  test('arrive in order although the database delivers a later notification sooner', async () => {
    const site = randomUUID();
    const page = watch(1, site);
    await expect.poll(() => hubs[0]?.isWatched(site)).toBe(true);
    const publish = (datapointUuid: string, value: number) =>
      hubs[0]?.publishReadings(site, [{ datapointUuid, siteUuid: site, value, time: value }]);
    const first = Promise.withResolvers<void>();
    nextTransaction = first.promise;
    publish('level', 1);
    await expect.poll(() => nextTransaction === undefined).toBe(true);
    publish('level', 2);
    // The first notification waits for its connection. The test waits too, so that the second one could overtake it.
    await delay(300);
    first.resolve();
    publish('last', 3);
    await expect.poll(() => page.shown.get('last'), { timeout: PATIENCE_MS }).toBe(3);
    expect(page.shown.get('level')).toBe(2);
    page.stop();
  });
});
