/** A plant for tests that explain and simulate rules. Some users have access to the stations, others do not. */

import { createCustomer, createUser } from '../harness/database/factories.ts';
import { PASSWORD, type TestBrowser } from '../harness/server/app.ts';
import { Plant, type Station } from '../scenarios/plant.ts';
import { keyOf, type Reading, store } from './chart.ts';

export interface RulePlant {
  plant: Plant;
  manager: TestBrowser;
  /** Browser sessions of users who have no access to the stations, keyed by a description of the user. */
  strangers: Record<string, TestBrowser>;
}

export async function startRulePlant(): Promise<RulePlant> {
  const plant = await Plant.start();
  const manager = await plant.browser(await plant.person({ level: 5, name: 'Mia Manager' }));
  const elsewhere = await plant.station({ name: 'Elsewhere' });
  const other = await createCustomer(plant.app.db);
  const partner = await createUser(plant.app.db, {
    customer: plant.customer,
    level: 5,
    partnerAccount: true,
    password: PASSWORD,
  });
  const strangers = {
    'an operator of another site': await plant.browser(await plant.person({ site: elsewhere.site })),
    'a partner account': await plant.browser(partner),
    'the owner of another customer': await plant.browser(
      await createUser(plant.app.db, { customer: other, level: 0, password: PASSWORD }),
    ),
  };
  return { plant, manager, strangers };
}

export const iso = (ms: number) => new Date(ms).toISOString();

/** Stores readings without evaluating them. The device time of each reading is also its server time. */
export async function keep(
  plant: Plant,
  station: Station,
  readings: readonly (Partial<Reading> & { time: number; value: number })[],
) {
  const times = readings.map(({ time }) => time);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  await plant.app.db.migration((tx) =>
    tx.query('call tocsin_private.ensure_partitions($1::timestamptz, $2::timestamptz)', [iso(first), iso(last)]),
  );
  const key = await keyOf(plant.app.db, station.sensor.channels[0] as { uuid: string });
  await store(
    plant.app.db,
    key,
    readings.map((reading) => ({ arrived: reading.time, ...reading })),
  );
}
