/** Chart data matches a simple reference computation over the same readings. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HandClock } from '../../server/platform/clock.ts';
import { createCustomer, createUser, linkUser, serviceQuery } from '../harness/database/factories.ts';
import { PASSWORD, type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { DAY, HOUR, keyOf, MINUTE, type Reading, rollUpAll, SECOND, seeded, store, sumUp } from './chart.ts';
import { buildStation, type Station } from './pumps.ts';

interface Series {
  datapointUuid: string;
  resolution: 'raw' | 'minute' | 'hour' | 'day';
  bucketMs: number | null;
  times: number[];
  mins: number[];
  maxs: number[];
  means: number[];
  lasts: number[];
}

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;
let dense: Station;
let digital: Station;
let foreign: Station;

// The start is a Monday, on which a partition begins. The readings are spread across five partitions.
const start = Date.parse('2026-02-09T00:00:00Z');
const rolled = Date.parse('2026-03-09T10:00:30Z');
const now = rolled + 40 * MINUTE;
const analogue = make(11, 70 * SECOND, (random) => Math.round(random() * 4000) / 100 - 10);
const switched = make(12, 20 * MINUTE, (random) => Math.round(random()));

/**
 * Generates readings at irregular times up to now. Some arrive days late. Readings that arrive after the last roll-up
 * are at most 50 minutes late.
 */
function make(seed: number, pace: number, value: (random: () => number) => number): Reading[] {
  const random = seeded(seed);
  const readings: Reading[] = [];
  for (let time = start; time < now; time += Math.ceil(random() * 2 * pace)) {
    const arrived = time + Math.floor(random() < 0.03 ? random() * 4 * DAY : random() * 5 * SECOND);
    const soon = Math.min(arrived, time + 50 * MINUTE, now);
    readings.push({ time, value: value(random), arrived: arrived < rolled - MINUTE ? arrived : soon });
  }
  return readings;
}

beforeAll(async () => {
  const clock = new HandClock(new Date(rolled));
  app = await startTestApp({ clock });
  staff = await app.staff();
  dense = await buildStation(app.db, staff.customer);
  digital = await buildStation(app.db, staff.customer);
  foreign = await buildStation(app.db, await createCustomer(app.db));
  await linkUser(app.db, staff.operator, digital.site);
  await app.db.migration((tx) => tx.query("call tocsin_private.ensure_partitions('2026-01-26', '2026-03-20')"));
  for (const [station, readings] of [
    [dense, analogue],
    [digital, switched],
    [foreign, switched],
  ] as const) {
    const key = await keyOf(app.db, station.channel);
    await store(
      app.db,
      key,
      readings.filter(({ arrived }) => arrived < rolled),
    );
  }
  await rollUpAll(app.db, clock);
  for (const [station, readings] of [
    [dense, analogue],
    [digital, switched],
  ] as const) {
    // Stores all readings. Readings that are already stored do not change.
    await store(app.db, await keyOf(app.db, station.channel), readings);
  }
  clock.set(new Date(now));
  owner = await app.browser(staff.owner);
});
afterAll(() => app?.close());

const query = `query ($uuids: [UUID]!, $from: Datetime!, $to: Datetime!, $width: Int!) {
  series(datapointUuids: $uuids, from: $from, to: $to, width: $width) {
    datapointUuid resolution bucketMs times mins maxs means lasts } }`;

function ask(browser: TestBrowser, stations: Station[], from: number, to: number, width: number): Promise<Series[]> {
  const variables = {
    uuids: stations.map(({ datapoint }) => datapoint.uuid),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    width,
  };
  return browser.data(query, variables).then(({ series }) => series);
}

const within = (readings: readonly Reading[], from: number, to: number) =>
  readings.filter(({ time }) => time >= from && time < to);

function expectRaw(answer: Series, readings: readonly Reading[]): void {
  expect(answer).toMatchObject({ resolution: 'raw', bucketMs: null });
  expect(answer.times).toEqual(readings.map(({ time }) => time));
  for (const values of [answer.mins, answer.maxs, answer.means, answer.lasts])
    expect(values).toEqual(readings.map(({ value }) => value));
}

/**
 * Expects exactly the values of the reference computation. Call this only for charts in which each pixel spans whole
 * minutes, hours or days; others do not match exactly.
 */
function expectExact(answer: Series, readings: readonly Reading[], from: number): void {
  const wanted = sumUp(readings, answer.bucketMs!);
  expect(answer.times).toEqual(wanted.map((bucket) => Math.max(bucket.start, from)));
  expect(answer.mins).toEqual(wanted.map(({ min }) => min));
  expect(answer.maxs).toEqual(wanted.map(({ max }) => max));
  expect(answer.means).toEqual(wanted.map(({ mean }) => expect.closeTo(mean, 9)));
  expect(answer.lasts).toEqual(wanted.map(({ last }) => last));
}

describe('a chart', () => {
  test('of few readings has them unchanged', async () => {
    const [from, to] = [now - 3 * HOUR, now + HOUR];
    const [answer] = await ask(owner, [dense], from, to, 400);
    const readings = within(analogue, from, to);
    expect(readings.length).toBeGreaterThan(100);
    expectRaw(answer!, readings);
  });

  test('of a sparse channel has all its readings over any range', async () => {
    const [answer] = await ask(owner, [digital], start, now, 2000);
    expectRaw(answer!, switched);
  });

  test('of a range without readings is empty', async () => {
    const [answer] = await ask(owner, [dense], start - 10 * DAY, start, 100);
    expect(answer).toMatchObject({ resolution: 'raw', times: [], mins: [], maxs: [], means: [], lasts: [] });
    expect(await ask(owner, [], start, now, 100)).toEqual([]);
  });

  test.each([
    ['minute', 2 * HOUR * 10, 10 * 10, 12 * MINUTE],
    ['minute', 10 * DAY, 720, 20 * MINUTE],
    ['hour', 20 * DAY, 240, 2 * HOUR],
    ['day', 30 * DAY, 15, 2 * DAY],
  ])('from roll-ups by %s matches a slow reference computation', async (resolution, range, width, bucketMs) => {
    // Both ranges start in the middle of a bucket. Only the first range extends past the last roll-up.
    for (const to of [now, rolled - 5 * HOUR - 12_345]) {
      const from = to - range + 7;
      const [answer] = await ask(owner, [dense], from, from + range, width);
      expect(answer).toMatchObject({ resolution, bucketMs });
      expectExact(answer!, within(analogue, from, from + range), from);
    }
  });

  test('of digital values keeps the last state of each pixel', async () => {
    const from = now - 28 * DAY;
    const [answer] = await ask(owner, [digital], from, now, 28);
    expect(answer).toMatchObject({ resolution: 'day', bucketMs: DAY });
    expectExact(answer!, within(switched, from, now), from);
  });

  const anyRange = fc.record({
    from: fc.integer({ min: start - DAY, max: now - HOUR }),
    share: fc.double({ min: 0.001, max: 1, noNaN: true }),
    width: fc.integer({ min: 10, max: 1500 }),
  });
  const unitOf = { raw: 1, minute: MINUTE, hour: HOUR, day: DAY };

  test('has in every pixel exactly the readings of its time, for any range and width', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyRange, async ({ from, share, width }) => {
        const to = Math.ceil(from + share * (now + HOUR - from));
        const [answer] = await ask(owner, [dense], from, to, width);
        const readings = within(analogue, from, to);
        seen.add(answer!.resolution);
        if (readings.length <= 2 * width) return expectRaw(answer!, readings);
        expect(answer!.bucketMs! % unitOf[answer!.resolution]).toBe(0);
        expect(answer!.times.length).toBeLessThanOrEqual(width + 2);
        expectExact(answer!, readings, from);
      }),
      { numRuns: 60, seed: 5, endOnFailure: true },
    );
    expect([...seen].sort()).toEqual(['day', 'hour', 'minute', 'raw']);
  });

  test('has in every pixel exactly its readings if only minutes, hours or days are left', async () => {
    // Old hourly roll-ups are deleted one by one, so the oldest remaining one may start in the middle of a day. Earlier
    // hours have only daily roll-ups.
    const kept = { hour: start + 7 * DAY + 5 * HOUR + 13 * MINUTE, minute: start + 14 * DAY, raw: start + 21 * DAY };
    const dayOfHours = Math.ceil(kept.hour / DAY) * DAY;
    const unitAt = (time: number) =>
      time < dayOfHours ? DAY : time < kept.minute ? HOUR : time < kept.raw ? MINUTE : 1;
    await serviceQuery(
      app.db,
      `insert into tocsin_private.milestone (name, at) select * from unnest($1::text[], $2::timestamptz[])`,
      [
        ['hours-from', 'minutes-from', 'readings-from'],
        [kept.hour, kept.minute, kept.raw].map((time) => new Date(time).toISOString()),
      ],
    );
    const seen = new Set<number>();
    try {
      await fc.assert(
        fc.asyncProperty(anyRange, async ({ from, share, width }) => {
          const to = Math.ceil(from + share * (now + HOUR - from));
          const [answer] = await ask(owner, [dense], from, to, width);
          if (answer!.bucketMs === null) return expectRaw(answer!, within(analogue, from, to));
          seen.add(unitAt(from));
          const begin = Math.floor(from / unitAt(from)) * unitAt(from);
          const end = Math.ceil(to / unitAt(to - 1)) * unitAt(to - 1);
          expect(answer!.bucketMs % unitAt(from)).toBe(0);
          expectExact(answer!, within(analogue, begin, end), begin);
        }),
        { numRuns: 60, seed: 6, endOnFailure: true },
      );
    } finally {
      await serviceQuery(app.db, `delete from tocsin_private.milestone where name like '%-from'`);
    }
    expect(seen).toEqual(new Set([DAY, HOUR, MINUTE, 1]));
  });

  test('of very many readings may use minutes four pixels wide, and keeps every peak', async () => {
    const key = await keyOf(app.db, foreign.channel);
    const [from, to] = [start + DAY, start + DAY + 40 * MINUTE];
    const readings = Array.from({ length: 400 }, (_, index) => {
      const time = from + index * 6 * SECOND;
      return { time, arrived: rolled + 30 * SECOND, value: (index * 7919) % 1000 };
    });
    await store(app.db, key, readings);
    const stranger = await app.browser(
      await createUser(app.db, {
        customer: { uuid: foreign.site.tocsin_customer_uuid },
        level: 0,
        password: PASSWORD,
      }),
    );
    const few = (await ask(stranger, [foreign], from, to, 120))[0]!;
    expect(few).toMatchObject({ resolution: 'raw', bucketMs: 20 * SECOND });
    expectExact(few, within([...switched, ...readings], from, to), from);

    await rollUpAll(app.db, app.clock);
    // Raises the stored counts, so that the chart uses roll-ups instead of single readings.
    await serviceQuery(app.db, 'update tocsin.rollup_minute set count = count * 1000 where channel_key = $1', [key]);
    const many = (await ask(stranger, [foreign], from, to, 120))[0]!;
    expect(many).toMatchObject({ resolution: 'minute', bucketMs: MINUTE });
    expect(many.mins).toEqual(sumUp(within([...switched, ...readings], from, to), MINUTE).map(({ min }) => min));
    expect(many.maxs).toEqual(sumUp(within([...switched, ...readings], from, to), MINUTE).map(({ max }) => max));
  });

  test('of several data points has them in the requested order, each once', async () => {
    const answer = await ask(owner, [digital, dense, digital], now - DAY, now, 50);
    expect(answer.map(({ datapointUuid }) => datapointUuid)).toEqual([digital.datapoint.uuid, dense.datapoint.uuid]);
  });
});

describe('access', () => {
  const counts = async (person: { email: string; tocsin_customer_uuid: string }) => {
    const answer = await ask(await app.browser(person), [dense, digital, foreign], start, now, 100);
    return answer.map(({ datapointUuid, times }) => [datapointUuid, times.length > 0]);
  };

  test('covers data points of the same customer; an operator sees those of linked sites, a partner none', async () => {
    const mine = [dense, digital].map(({ datapoint }) => [datapoint.uuid, true]);
    expect(await counts(staff.owner)).toEqual(mine);
    expect(await counts(staff.manager)).toEqual(mine);
    expect(await counts(staff.operator)).toEqual([[digital.datapoint.uuid, true]]);
    expect(await counts(staff.partner)).toEqual([]);
  });

  test('is not widened by the function behind it', async () => {
    const rows = async (level: number, customer: string, partner = false) => {
      const settings = {
        'tocsin.user_uuid': staff.operator.uuid,
        'tocsin.customer_uuid': customer,
        'tocsin.level': String(level),
        'tocsin.partner_account': String(partner),
      };
      const answer = await app.db.transaction({ role: 'tocsin_request', settings }, (tx) =>
        tx.query('select (tocsin_definer.datapoint_series($1, $2, $3, 100)).resolution', [
          dense.datapoint.uuid,
          new Date(start),
          new Date(now),
        ]),
      );
      return answer.rows.length;
    };
    const { uuid } = staff.customer;
    expect(await rows(0, uuid)).toBe(1);
    expect(await rows(20, uuid)).toBe(0);
    expect(await rows(5, uuid, true)).toBe(0);
    expect(await rows(0, foreign.site.tocsin_customer_uuid)).toBe(0);
    const nobody = app.db.transaction({ role: 'tocsin_request', settings: {} }, (tx) =>
      tx.query('select from tocsin_definer.datapoint_series($1, $2, $3, 100)', [
        dense.datapoint.uuid,
        new Date(start),
        new Date(now),
      ]),
    );
    expect((await nobody).rows).toEqual([]);
  });
});

describe('bad input is refused with the field', () => {
  const day = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' };
  test.each([
    ['too narrow', { ...day, width: 9 }, 'width', /10 to 4000/],
    ['too wide', { ...day, width: 4001 }, 'width', /10 to 4000/],
    ['nothing long', { from: day.from, to: day.from, width: 100 }, 'to', /end after it starts/],
    ['backwards', { from: day.to, to: day.from, width: 100 }, 'to', /end after it starts/],
    ['too long', { from: '2000-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z', width: 100 }, 'from', /20 years/],
    ['without end', { from: day.from, to: 'infinity', width: 100 }, 'to', /^"infinity" is not a time/],
    ['without beginning', { from: '-infinity', to: day.to, width: 100 }, 'from', /^"-infinity" is not a time/],
  ])('%s', async (_name, variables, field, message) => {
    const { errors } = await owner.graphql(query, { uuids: [dense.datapoint.uuid], ...variables });
    expect(errors?.[0]).toMatchObject({
      message: expect.stringMatching(message),
      extensions: { code: 'BAD_USER_INPUT', field },
    });
  });

  test('refuses too many data points', async () => {
    const uuids = Array.from({ length: 21 }, () => dense.datapoint.uuid);
    const { errors } = await owner.graphql(query, { uuids, ...day, width: 100 });
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', field: 'datapointUuids' } });
  });
});
