import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Bucket,
  DAY,
  forget,
  HOUR,
  keyOf,
  MINUTE,
  type Reading,
  rolledUp,
  rollUpAll,
  SECOND,
  seeded,
  store,
  sumUp,
} from '../../test/api/chart.ts';
import { buildStation } from '../../test/api/pumps.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { createCustomer, serviceQuery } from '../../test/harness/database/factories.ts';
import { HandClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { rollup, SAFETY_LAG_MS } from './rollup.ts';

let db: Database;
let key: number;
let other: number;
// Starts on a Monday, so that the day before is in another weekly partition.
const monday = Date.parse('2026-03-09T00:00:00Z');
const clock = new HandClock(new Date(monday));

beforeAll(async () => {
  db = await openTestDatabase();
  await db.migration((tx) => tx.query("call tocsin_private.ensure_partitions('2026-02-20', '2026-04-20')"));
  const customer = await createCustomer(db);
  key = await keyOf(db, (await buildStation(db, customer)).channel);
  other = await keyOf(db, (await buildStation(db, customer)).channel);
});
beforeEach(async () => {
  clock.set(new Date(monday + 6 * HOUR));
  await forget(db);
});
afterAll(async () => {
  await db?.close();
  await disposeTestDatabases();
});

async function buckets(table: string, channel = key): Promise<Bucket[]> {
  const rows = await serviceQuery(
    db,
    `select bucket, min, max, mean, count, last from tocsin.rollup_${table} where channel_key = $1 order by bucket`,
    [channel],
  );
  return rows.map(({ bucket, ...figures }) => ({ start: bucket.getTime(), ...figures }));
}

async function expectFigures(readings: readonly Reading[], channel = key): Promise<void> {
  for (const [table, span] of [
    ['minute', MINUTE],
    ['hour', HOUR],
    ['day', DAY],
  ] as const) {
    const wanted = sumUp(readings, span).map((bucket) => ({ ...bucket, mean: expect.closeTo(bucket.mean, 9) }));
    expect(await buckets(table, channel), table).toEqual(wanted);
  }
}

/** Returns readings at irregular times around midnight, in two partitions. Some readings arrive hours late. */
function uneven(seed: number, digital = false): Reading[] {
  const random = seeded(seed);
  const readings: Reading[] = [];
  let time = monday - 4 * HOUR;
  while (time < monday + 3 * HOUR) {
    time += Math.ceil(random() * 90 * SECOND);
    const late = random() < 0.05 ? random() * 2 * HOUR : random() * 3 * SECOND;
    const value = digital ? Math.round(random()) : Math.round(random() * 1000) / 10 - 20;
    readings.push({ time, arrived: time + Math.floor(late), value });
  }
  return readings;
}

const at = (time: number, value: number, arrived = time + SECOND): Reading => ({ time, value, arrived });

describe('roll-ups', () => {
  test('match a reference computation across two partitions, even for digital channels', async () => {
    const [analogue, digital] = [uneven(1), uneven(2, true)];
    await store(db, key, analogue);
    await store(db, other, digital);
    await rollUpAll(db, clock);
    await expectFigures(analogue);
    await expectFigures(digital, other);
  });

  test('include late readings of any age, and ignore duplicates', async () => {
    const readings = uneven(3);
    await store(db, key, readings);
    await rollUpAll(db, clock);
    const late = readings
      .filter((_, index) => index % 50 === 0)
      .map(({ time }) => at(time + 1, 1000, monday + 6 * HOUR));
    const twice = readings.slice(0, 20).map(({ time }) => at(time, -5000, monday + 6 * HOUR));
    await store(db, key, [...late, ...twice, at(monday - 10 * DAY, 7, monday + 6 * HOUR)]);
    clock.advance(5 * MINUTE);
    await rollUpAll(db, clock);
    await expectFigures([...readings, ...late, at(monday - 10 * DAY, 7)]);
  });

  test('are the same when repeated, and write nothing', async () => {
    await store(db, key, uneven(4));
    await rollUpAll(db, clock);
    const versions = () =>
      serviceQuery(
        db,
        `select channel_key, bucket, xmin::text from tocsin.rollup_minute union all
         select channel_key, bucket, xmin::text from tocsin.rollup_hour order by 1, 2, 3`,
      );
    const before = await versions();
    expect(before.length).toBeGreaterThan(200);
    await serviceQuery(db, 'update tocsin_private.milestone set at = $1', [new Date(monday - DAY)]);
    await rollUpAll(db, clock);
    expect(await versions()).toEqual(before);
  });

  test('wait until readings in flight are committed', async () => {
    const module = rollup({ db, clock });
    await module.tick(clock.now());
    const now = clock.now().getTime();
    await store(db, key, [at(now - 20 * SECOND, 1)]);
    await module.tick(clock.now());
    expect(await rolledUp(db)).toBeLessThanOrEqual(now - SAFETY_LAG_MS);
    // This reading has nearly the same server time as the previous one, but is committed later.
    clock.advance(30 * SECOND);
    await module.tick(clock.now());
    await store(db, key, [at(now - 20 * SECOND + 1, 2)]);
    clock.advance(2 * MINUTE);
    await module.tick(clock.now());
    await expectFigures([at(now - 20 * SECOND, 1), at(now - 20 * SECOND + 1, 2)]);
  });

  test('are written for values whose sum overflows', async () => {
    const huge = [1e308, 1.7e308, 1.6e308].map((value, index) => at(monday + index * SECOND, value));
    await store(db, key, [...huge, at(monday + MINUTE, 5)]);
    await rollUpAll(db, clock);
    const [first, second] = await buckets('minute');
    expect(first).toMatchObject({ min: 1e308, max: 1.7e308, count: 3 });
    expect(second).toMatchObject({ mean: 5 });
    expect(await buckets('day')).toMatchObject([{ min: 5, max: 1.7e308, count: 4 }]);
  });
});

describe('the work', () => {
  test('starts with the oldest reading and proceeds in portions', async () => {
    const readings = uneven(5).map((reading) => ({ ...reading, arrived: reading.time }));
    await store(db, key, readings);
    const module = rollup({ db, clock, readingsAtOnce: 100, chunksAtOnce: 1 });
    const portions: number[] = [];
    let before = Number.NEGATIVE_INFINITY;
    for (let tick = 0; tick < 200 && before < clock.now().getTime() - 2 * MINUTE; tick += 1) {
      await module.tick(clock.now());
      const until = await rolledUp(db);
      portions.push(readings.filter(({ arrived }) => arrived >= before && arrived < until).length);
      before = until;
    }
    expect(Math.max(...portions)).toBeLessThanOrEqual(100);
    expect(portions.length).toBeGreaterThan(readings.length / 100);
    await expectFigures(readings);
  });

  test('splits the channels of a large minute into slices, and continues after an interruption', async () => {
    const channels = Array.from({ length: 20 }, (_, index) => 500_000 + index);
    const readings = Array.from({ length: 60 }, (_, index) => at(monday + index * SECOND, index % 7, monday + index));
    for (const channel of channels) await store(db, channel, readings);
    const options = { db, clock, readingsAtOnce: 40, chunksAtOnce: 1 };
    await serviceQuery(db, `insert into tocsin_private.milestone values ('rolled-up', $1)`, [new Date(monday)]);
    const done = async () =>
      (await serviceQuery(db, 'select count(*)::int as count from tocsin.rollup_minute'))[0].count as number;
    const first = rollup(options);
    const steps: number[] = [];
    for (let tick = 0; tick < 3; tick += 1) {
      await first.tick(clock.now());
      steps.push(await done());
    }
    expect(steps[0]).toBeGreaterThan(0);
    expect(steps[0]).toBeLessThan(6);
    expect(steps[2]).toBeLessThan(20);
    expect(await rolledUp(db)).toBe(monday);
    // The second process has no record of the progress, which the first process keeps in memory.
    const second = rollup(options);
    for (let tick = 0; tick < 6; tick += 1) await second.tick(clock.now());
    expect(await rolledUp(db)).toBe(monday + MINUTE);
    for (const channel of channels) await expectFigures(readings, channel);
  });

  test('is repeated after a failure', async () => {
    const readings = [at(monday, 1), at(monday + SECOND, 2)];
    await store(db, key, readings);
    const module = rollup({ db, clock });
    await db.migration((tx) => tx.query('alter table tocsin.rollup_day rename to rollup_away'));
    await expect(module.tick(clock.now())).rejects.toThrow(/rollup_day/);
    await db.migration((tx) => tx.query('alter table tocsin.rollup_away rename to rollup_day'));
    for (let tick = 0; tick < 5; tick += 1) await module.tick(clock.now());
    await expectFigures(readings);
  });

  test('is done once if several processes run', async () => {
    const readings = uneven(6);
    await store(db, key, readings);
    const modules = [1, 2, 3].map(() => rollup({ db, clock, readingsAtOnce: 100 }));
    while ((await rolledUp(db)) < clock.now().getTime() - 2 * MINUTE)
      await Promise.all(modules.map((module) => module.tick(clock.now())));
    await expectFigures(readings);
  });

  test('starts now if there is no reading, and skips long gaps', async () => {
    const module = rollup({ db, clock });
    await module.tick(clock.now());
    expect(await rolledUp(db)).toBe(clock.now().getTime() - SAFETY_LAG_MS);
    clock.advance(30 * DAY);
    await store(db, key, [at(clock.now().getTime() - HOUR, 3)]);
    for (let tick = 0; tick < 3; tick += 1) await module.tick(clock.now());
    expect(await buckets('day')).toMatchObject([{ count: 1, last: 3 }]);
  });
});
