/** During a flood, every recipient is notified of every alarm, but gets at most one digest a minute. */
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { serviceAccess } from '../../server/access.ts';
import { digests } from '../../server/engine/digests.ts';
import { lockDueCustomer, sendDigests } from '../../server/notification/digests.ts';
import { outsideTransactions } from '../../server/platform/database.ts';
import { testDatabaseKind } from '../harness/database/database.ts';
import { insertRow, serviceQuery, type UserRow } from '../harness/database/factories.ts';
import { isLong } from '../harness/long.ts';
import { startTestApp } from '../harness/server/app.ts';
import {
  calmDown,
  clear,
  digestTextsOf,
  type FloodStation,
  floodStation,
  heard,
  raise,
  sendAll,
} from './flood-plant.ts';
import { acknowledge, resolve } from './people.ts';
import { Plant } from './plant.ts';

const sms = { sms_notification: true, phone_number: '+44 7700 900001' };
const smsOnly = { sms_notification: true, email_notification: false, phone_number: '+44 7700 900002' };
let plant: Plant;
let vera: UserRow;
let bea: UserRow;
let sam: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  vera = await plant.person({ name: 'Vera', level: 5 });
  bea = await plant.person({ name: 'Bea', flags: sms });
  sam = await plant.person({ name: 'Sam', flags: smsOnly });
});
afterAll(() => plant?.close());
beforeEach(() => calmDown(plant));

/**
 * Returns the open alarms and recipients for which there is no notification and for which no digest is due within a
 * minute.
 */
async function forgotten(): Promise<string[]> {
  const now = plant.clock.now();
  const rows = await plant.query(
    `select a.message || ' ' || (r ->> 'name') || ' ' || (m ->> 'method') as who
     from tocsin.alarm a cross join jsonb_array_elements(a.recipients -> 'alert') r cross join jsonb_array_elements(r -> 'methods') m
     where a.tocsin_customer_uuid = $1 and a.resolved_date is null and a.quiet_because is null
       and not exists (select from tocsin.notification n where n.tocsin_alarm_uuid = a.uuid and n.kind <> 'digest'
         and n.address = m ->> 'address' and n.method_type = (m ->> 'method')::int)
       and not exists (select from tocsin_private.deferred_notification d where d.tocsin_alarm_uuid = a.uuid)
       and not exists (select from tocsin.alarm_event e join tocsin.notification n on (e.detail ->> 'digest')::uuid = any (n.digest_uuids)
         where e.tocsin_alarm_uuid = a.uuid and e.kind = 'digest' and n.address = m ->> 'address' and n.method_type = (m ->> 'method')::int)
       and not exists (select from tocsin_private.digest_entry e
         join tocsin_private.digest_audience u on u.tocsin_customer_uuid = e.tocsin_customer_uuid and u.key = e.audience
         cross join jsonb_array_elements(u.addresses) d
         left join tocsin_private.digest_turn t on t.tocsin_customer_uuid = e.tocsin_customer_uuid
         where e.tocsin_alarm_uuid = a.uuid and d ->> 'address' = m ->> 'address' and (d ->> 'method')::int = (m ->> 'method')::int
           and greatest(e.due_at, coalesce(t.next_at, e.due_at)) <= $2::timestamptz + interval '1 minute')`,
    [plant.customer.uuid, now],
  );
  return rows.map(({ who }) => who);
}

/** Counts pairs of digests that were sent to the same address less than a minute apart. */
async function crowded(): Promise<number> {
  const [row] = await plant.query(
    `select count(*)::int as pairs from tocsin.notification n join tocsin.notification o on o.address = n.address
       and o.method_type = n.method_type and o.kind = 'digest' and o.sequence_number > n.sequence_number
       and o.notify_time - n.notify_time < interval '1 minute'
     where n.kind = 'digest' and n.tocsin_customer_uuid = $1`,
    [plant.customer.uuid],
  );
  return row?.pairs as number;
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('raise' as const),
      from: fc.integer({ min: 1, max: 30 }),
      count: fc.integer({ min: 1, max: 15 }),
      place: fc.nat(1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('clear' as const),
      from: fc.integer({ min: 1, max: 30 }),
      count: fc.integer({ min: 1, max: 10 }),
      place: fc.nat(1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('pass' as const), seconds: fc.constantFrom(5, 30, 61, 300, 601, 1000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constantFrom('acknowledge' as const, 'resolve' as const, 'shelve' as const),
      which: fc.nat(40),
    }),
  },
);

test('every recipient of an open alarm was notified, or is within a minute, and gets at most one digest a minute', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      await plant.pass(7200);
      const alert = { alert: [vera, bea, sam], resolve: [vera], escalate: [sam] };
      const stations = [await floodStation(plant, alert), await floodStation(plant, alert)] as const;
      const browser = await plant.app.browser(vera);
      const office = await insertRow(plant.db, 'tocsin.group', {
        ...{ tocsin_customer_uuid: plant.customer.uuid, level: 5, name: `Office ${stations[0].site.name}` },
      });
      await serviceQuery(plant.db, 'update tocsin.site set tocsin_group5_uuid = $1 where uuid = $2', [
        office.uuid,
        stations[0].site.uuid,
      ]);
      // The first frames start a flood, so that the following steps happen during it.
      await raise(plant, stations[0], 1, 12);
      for (const one of steps) {
        if (one.what === 'pass') await plant.pass(one.seconds);
        else if (one.what === 'raise' || one.what === 'clear') {
          const act = one.what === 'raise' ? raise : clear;
          await act(plant, stations[one.place] as FloodStation, one.from, Math.min(30, one.from + one.count));
        } else {
          const open = (await Promise.all(stations.map(({ site }) => plant.open(site)))).flat();
          const uuid = open[one.which % Math.max(1, open.length)]?.uuid;
          if (uuid === undefined) continue;
          if (one.what === 'acknowledge') await acknowledge(browser, uuid, 'Done');
          else if (one.what === 'resolve') await resolve(browser, uuid);
          else {
            await browser.graphql('mutation ($input: ShelveInput!) { shelve(input: $input) { result { uuid } } }', {
              input: { scope: 'alarm', targetUuid: uuid, minutes: 15, reason: 'Work' },
            });
          }
        }
        await plant.settle();
        expect(await forgotten()).toEqual([]);
      }
      await plant.pass(1000);
      await plant.pass(65);
      expect(await forgotten()).toEqual([]);
      expect(
        await plant.query('select id from tocsin_private.digest_entry where due_at < $1', [plant.clock.now()]),
      ).toEqual([]);
      expect(await crowded()).toBe(0);
    }),
    { numRuns: isLong ? 20 : 3 },
  );
});

test('two processes count the alarms of a place together', async () => {
  const alert = { alert: [vera] };
  const [weir, mill] = [await floodStation(plant, alert), await floodStation(plant, alert)];
  const office = await insertRow(plant.db, 'tocsin.group', {
    ...{ tocsin_customer_uuid: plant.customer.uuid, level: 5, name: 'Office of two' },
  });
  await serviceQuery(plant.db, 'update tocsin.site set tocsin_group5_uuid = $1 where uuid = any ($2::uuid[])', [
    office.uuid,
    [weir.site.uuid, mill.site.uuid],
  ]);
  const other = await startTestApp({ database: plant.db, clock: plant.clock, config: { processName: 'second' } });
  try {
    await plant.pass(1);
    await Promise.all([
      sendAll(plant, weir, 150, [1, 8]),
      sendAll(plant, mill, 150, [1, 8], other),
      sendAll(plant, weir, 150, [9, 12]),
    ]);
    const alone = [...(await heard(plant, weir)), ...(await heard(plant, mill))];
    expect(alone).toEqual(Array(10).fill('alarm Vera'));
    const floods = await plant.query('select alarms from tocsin.alarm_flood where tocsin_group_uuid = $1', [
      office.uuid,
    ]);
    expect(floods).toEqual([{ alarms: 20 }]);
    plant.clock.advance(65_000);
    const modules = [digests(plant.db, plant.clock), digests(other.db, plant.clock)];
    await Promise.all(modules.map((module) => module.tick(plant.clock.now())));
    const all = [...(await heard(plant, weir)), ...(await heard(plant, mill))];
    expect(all.filter((one) => one === 'digest Vera')).toHaveLength(1);
  } finally {
    await other.close();
  }
});

test('a process that dies before the commit neither loses nor doubles a digest', async () => {
  const storm = await floodStation(plant, { alert: [vera] });
  await raise(plant, storm, 1, 13);
  plant.clock.advance(65_000);
  const now = plant.clock.now().getTime();
  const killed = plant.db.transaction(serviceAccess(plant.clock), async (tx) => {
    const customer = (await lockDueCustomer(tx, now)) as string;
    const events = await sendDigests(tx, customer, now);
    expect(events).toHaveLength(3);
    throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
  expect(await digestTextsOf(plant, storm)).toEqual([]);
  await plant.settle();
  await plant.settle();
  expect(await digestTextsOf(plant, storm)).toEqual([expect.stringContaining('3 new alarms (3 minor)')]);
});

// This test needs PostgreSQL, because the embedded database never runs two transactions at the same time.
test.runIf(testDatabaseKind() === 'postgres')('only one of two processes sends the digests of a customer', async () => {
  const storm = await floodStation(plant, { alert: [vera] });
  await raise(plant, storm, 1, 11);
  await plant.pass(65);
  await raise(plant, storm, 12, 13);
  plant.clock.advance(65_000);
  const now = plant.clock.now().getTime();
  await plant.db.transaction(serviceAccess(plant.clock), async (tx) => {
    expect(await lockDueCustomer(tx, now)).toBe(plant.customer.uuid);
    await outsideTransactions(() => digests(plant.db, plant.clock).tick(plant.clock.now()));
    expect(await outsideTransactions(() => digestTextsOf(plant, storm))).toHaveLength(1);
  });
});

// The embedded database has one connection, so two transactions never run at the same time.
test.runIf(testDatabaseKind() === 'postgres')(
  'the opening of alarms waits for a transaction that counts those of the same office',
  async () => {
    const alert = { alert: [vera] };
    const [weir, mill] = [await floodStation(plant, alert, { size: 1 }), await floodStation(plant, alert, { size: 1 })];
    const office = await insertRow(plant.db, 'tocsin.group', {
      ...{ tocsin_customer_uuid: plant.customer.uuid, level: 5, name: 'Office that waits' },
    });
    await serviceQuery(plant.db, 'update tocsin.site set tocsin_group5_uuid = $1 where uuid = any ($2::uuid[])', [
      office.uuid,
      [weir.site.uuid, mill.site.uuid],
    ]);
    const order: string[] = [];
    const count = (station: FloodStation, name: string, work: () => Promise<unknown>) =>
      plant.db.transaction(serviceAccess(plant.clock), async (tx) => {
        await tx.query('select from tocsin_private.lock_flood_places($1::uuid[], tocsin_private.clock())', [
          [station.site.uuid],
        ]);
        await work();
        order.push(name);
      });
    const { promise: isLocked, resolve: tellLocked } = Promise.withResolvers<void>();
    const first = count(weir, 'first', async () => {
      tellLocked();
      await delay(200);
    });
    await isLocked;
    await Promise.all([first, count(mill, 'second', async () => {})]);
    expect(order).toEqual(['first', 'second']);
  },
);

test('a transaction can open alarms at more places than there are locks', async () => {
  const { rows } = await plant.db.transaction(serviceAccess(plant.clock), async (tx) => {
    const { rows: sites } = await tx.query<{ uuid: string }>(
      `insert into tocsin.site (tocsin_customer_uuid, site_id, name) select $1, 'PLACE-' || n, 'Place ' || n from generate_series(1, 3000) n
       returning uuid`,
      [plant.customer.uuid],
    );
    const uuids = sites.map(({ uuid }) => uuid);
    return tx.query<{ places: number }>(
      'select count(*)::int as places from tocsin_private.lock_flood_places($1::uuid[], tocsin_private.clock())',
      [uuids],
    );
  });
  expect(rows).toEqual([{ places: 3000 }]);
});
