import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY, forget, HOUR, keyOf, MINUTE, rollUpAll, SECOND, store, sumUp } from '../../test/api/chart.ts';
import { buildStation, type Station } from '../../test/api/pumps.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { createCustomer, insertRow, serviceQuery } from '../../test/harness/database/factories.ts';
import { HandClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { partitions } from './housekeeping.ts';
import { type RetentionOptions, retention } from './retention.ts';

let db: Database;
let station: Station;
let key: number;
const now = Date.parse('2026-03-11T12:00:00Z');
const clock = new HandClock(new Date(now));
const long = {
  keepFramesDays: 90,
  keepReadingsDays: 400,
  keepMinutesDays: 400,
  keepHoursDays: 1830,
  keepDaysDays: 3660,
};
const keep = (settings: Partial<RetentionOptions> = {}) =>
  retention({ db, clock, ...long, ...settings }).tick(clock.now());

beforeAll(async () => {
  db = await openTestDatabase();
  station = await buildStation(db, await createCustomer(db));
  key = await keyOf(db, station.channel);
});
beforeEach(async () => {
  await forget(db);
  await db.migration((tx) => tx.query("call tocsin_private.ensure_partitions('2026-01-05', '2026-03-12')"));
});
afterAll(async () => {
  await db?.close();
  await disposeTestDatabases();
});

/** Returns one reading every ten minutes for the given number of days, up to now. */
const history = (days: number) =>
  Array.from({ length: days * 144 }, (_, index) => {
    const time = now - days * DAY + index * 10 * MINUTE;
    return { time, arrived: time + SECOND, value: index % 37 };
  });

const weeks = async (table: string): Promise<string[]> =>
  (await serviceQuery(db, 'select first from tocsin_private.partitions_of($1)', [table])).map(({ first }) =>
    first.toISOString().slice(0, 10),
  );
const oldest = async (table: string, column: string): Promise<string | undefined> =>
  (await serviceQuery(db, `select min(${column}) as first from tocsin.${table}`))[0].first?.toISOString();

test('drops partitions of frames, readings and minute roll-ups that are wholly past their retention', async () => {
  await store(db, key, history(60));
  await rollUpAll(db, clock);
  await keep({ keepFramesDays: 20, keepReadingsDays: 30, keepMinutesDays: 40 });
  // With a retention of 20 days, the oldest kept frame is from 19 February, in the week of Monday, 16 February.
  expect((await weeks('incoming_sensor_log'))[0]).toBe('2026-02-16');
  // Including the extra day, readings are kept for 31 days, from Sunday, 8 February, and minute roll-ups for 41 days,
  // from Thursday, 29 January.
  expect((await weeks('reading'))[0]).toBe('2026-02-02');
  expect((await weeks('rollup_minute'))[0]).toBe('2026-01-26');
  expect(await oldest('reading', 'device_time')).toBe('2026-02-02T00:00:00.000Z');
  expect(await oldest('rollup_minute', 'bucket')).toBe('2026-01-26T00:00:00.000Z');
  // The roll-ups by hour and day still cover the whole range.
  expect(await oldest('rollup_hour', 'bucket')).toBe(new Date(now - 60 * DAY).toISOString());
});

test('never deletes readings or roll-ups before they are rolled up further, whatever the settings', async () => {
  await store(db, key, history(60));
  await rollUpAll(db, clock);
  await keep({ keepReadingsDays: 30, keepMinutesDays: 1, keepHoursDays: 1, keepDaysDays: 1 });
  expect((await weeks('rollup_minute'))[0]).toBe('2026-02-02');
  expect(await oldest('rollup_hour', 'bucket')).toBe('2026-02-08T00:00:00.000Z');
  expect(await oldest('rollup_day', 'bucket')).toBe('2026-02-08T00:00:00.000Z');
});

test('deletes old hour and day roll-ups, including those of deleted channels, and no others', async () => {
  const rows = `insert into tocsin.rollup_hour select k, t, 1, 1, 1, 1, 1, t
    from unnest($1::int[]) k, generate_series($2::timestamptz, $3, interval '1 hour') t`;
  await serviceQuery(db, rows, [[key, key + 100_000], new Date(now - 400 * DAY), new Date(now)]);
  await rollUpAll(db, clock);
  await keep({ keepReadingsDays: 50, keepMinutesDays: 50, keepHoursDays: 100 });
  const left = await serviceQuery(
    db,
    'select channel_key, min(bucket) as first, count(*)::int as count from tocsin.rollup_hour group by 1 order by 1',
  );
  const first = new Date('2025-12-01T00:00:00Z');
  const count = (now - first.getTime()) / HOUR + 1;
  expect(left).toEqual([
    { channel_key: key, first, count },
    { channel_key: key + 100_000, first, count },
  ]);
});

test('creates each partition once if several processes run', async () => {
  const make = () =>
    db.migration((tx) => tx.query("call tocsin_private.ensure_partitions('2026-04-01', '2026-04-29')"));
  await Promise.all([make(), make(), make()]);
  for (const table of ['reading', 'incoming_sensor_log', 'rollup_minute'])
    expect((await weeks(table)).slice(-5)).toEqual([
      '2026-03-30',
      '2026-04-06',
      '2026-04-13',
      '2026-04-20',
      '2026-04-27',
    ]);
});

test('keeps four future partitions', async () => {
  const module = partitions(db);
  for (const [time, last] of [
    ['2026-05-13T12:00:00Z', '2026-06-08'],
    ['2026-05-17T23:59:59Z', '2026-06-08'],
    ['2026-05-18T00:00:00Z', '2026-06-15'],
  ] as const) {
    await module.tick(new Date(time));
    for (const table of ['reading', 'incoming_sensor_log', 'rollup_minute'])
      expect((await weeks(table)).at(-1), time).toBe(last);
  }
});

test('keeps readings that are not rolled up yet', async () => {
  await store(db, key, history(60));
  await keep({ keepReadingsDays: 30 });
  expect((await weeks('reading'))[0]).toBe('2026-01-05');
  await rollUpAll(db, clock);
  await keep({ keepReadingsDays: 30 });
  expect((await weeks('reading'))[0]).toBe('2026-02-02');
});

test('deletes device changes after a day, and health slots after two years', async () => {
  await serviceQuery(db, 'update tocsin_private.device_change set at = $1', [new Date(now - 3 * DAY)]);
  const fresh = await insertRow(db, 'tocsin_private.device_change', {
    tocsin_sensor_uuid: station.sensor.uuid,
    at: new Date(now - HOUR),
  });
  const slot = (days: number) =>
    insertRow(db, 'tocsin.health_slot', {
      tocsin_customer_uuid: station.site.tocsin_customer_uuid,
      tocsin_site_uuid: station.site.uuid,
      slot_start: new Date(now - days * DAY),
    });
  for (const days of [1, 700, 734, 3000]) await slot(days);
  await keep();
  expect(await serviceQuery(db, 'select id from tocsin_private.device_change')).toEqual([{ id: fresh.id }]);
  expect(await serviceQuery(db, 'select slot_start from tocsin.health_slot order by 1')).toEqual([
    { slot_start: new Date(now - 700 * DAY) },
    { slot_start: new Date(now - DAY) },
  ]);
});

test('a chart uses roll-ups where readings are deleted', async () => {
  const readings = history(60);
  await store(db, key, readings);
  await rollUpAll(db, clock);
  const chart = async (from: number, to: number) => {
    const settings = { 'tocsin.customer_uuid': station.site.tocsin_customer_uuid, 'tocsin.level': '0' };
    const { rows } = await db.transaction({ role: 'tocsin_request', settings }, (tx) =>
      tx.query('select s.* from unnest(tocsin.series($1, $2, $3, 400)) s', [
        [station.datapoint.uuid],
        new Date(from),
        new Date(to),
      ]),
    );
    return rows[0];
  };
  const between = (from: number, to: number) => readings.filter(({ time }) => time >= from && time < to);
  await keep({ keepReadingsDays: 20, keepMinutesDays: 30 });

  const minutes = Date.parse('2026-02-09T00:00:00Z');
  const byMinute = await chart(minutes + 1, minutes + 6 * HOUR);
  expect(byMinute).toMatchObject({ resolution: 'minute' });
  // The range starts in the middle of a minute, but the chart includes that whole minute.
  expect(byMinute.means).toEqual(between(minutes, minutes + 6 * HOUR).map(({ value }) => value));

  const hours = Date.parse('2026-01-20T00:00:00Z');
  const byHour = await chart(hours, hours + 6 * HOUR);
  expect(byHour).toMatchObject({ resolution: 'hour' });
  expect(byHour.maxs).toEqual(sumUp(between(hours, hours + 6 * HOUR), HOUR).map(({ max }) => max));

  // The chart's range includes times with roll-ups by minute, by hour and by day.
  const [from, to] = [now - 60 * DAY, now];
  const whole = await chart(from, to);
  expect(Math.max(...whole.maxs)).toBe(36);
  expect(whole.times[0]).toBe(from);
  expect(whole.times.at(-1)).toBeGreaterThan(to - DAY);
  await keep({ keepReadingsDays: 20, keepMinutesDays: 30, keepHoursDays: 40 });
  const byDay = await chart(hours, hours + 2 * DAY);
  expect(byDay).toMatchObject({ resolution: 'day' });
  expect(byDay.maxs).toEqual([36, 36]);
});
