/**
 * Two processes and one Mosquitto broker. The process that receives the broker's messages is killed or paused under
 * load.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/open-database.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import { createCustomer } from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { missing, storedReadings } from '../harness/database/stored-readings.ts';
import { holderAmong, Publishers } from '../harness/device/broker-plant.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { ensureMosquitto, type Mosquitto, startMosquitto } from '../harness/device/mosquitto.ts';
import { isLong, long } from '../harness/long.ts';
import { type Product, startProduct } from '../harness/server/product.ts';

const KILLS = isLong ? 5 : 1;
const SENSORS = 20;
const DATABASE = 'tocsin_takeover';
const found = await ensureMosquitto();
if ('missing' in found) console.warn(found.missing);

let postgres: TestPostgres;
let db: Database;
let broker: Mosquitto;
let sensors: TestSensor[];
let settings: Record<string, string>;
let products: Product[];

// These tests need PostgreSQL, because only one process can use the embedded database.
describe.skipIf('missing' in found || testDatabaseKind() === 'embedded')('two processes behind one MQTT broker', () => {
  beforeAll(async () => {
    postgres = await testPostgres();
    // The broker queues messages without a limit while no process is connected (docs/operating.md).
    broker = await startMosquitto({ settings: ['max_queued_messages 0', 'max_inflight_messages 0'] });
    const url = await createMigratedDatabase(postgres, DATABASE);
    settings = { DATABASE_URL: url, TOCSIN_ROLES: 'gateway', TOCSIN_DEMO: 'off', TOCSIN_MQTT_URL: broker.url };
    db = await openDatabase({ url, dataDir: '', log: silentLog });
    const customer = await createCustomer(db);
    sensors = await Promise.all(Array.from({ length: SENSORS }, () => createSensor(db, { customer })));
  });
  beforeEach(async () => {
    products = await Promise.all([startProduct(settings, '/robots.txt'), startProduct(settings, '/healthz')]);
    await expect.poll(() => holderAmong(products)).toBeDefined();
    return async () => {
      for (const { child } of products) child.kill('SIGCONT');
      await Promise.all(products.map((product) => product.stop()));
    };
  });
  afterAll(async () => {
    await db?.close();
    await postgres?.dropDatabase(DATABASE);
    await postgres?.stop();
    await broker?.dispose();
  });

  const publish = async () => {
    const publishers = new Publishers();
    await publishers.start(sensors, () => ({ url: broker.url }), { everyMs: 50 });
    const enough = async (count = 100) => {
      const wanted = publishers.acknowledged.length + count;
      await expect.poll(() => publishers.acknowledged.length, { interval: 20 }).toBeGreaterThanOrEqual(wanted);
    };
    await enough();
    return { publishers, enough };
  };
  const storedOnce = async (publishers: Publishers) => {
    await publishers.stop();
    await expect.poll(() => missing(db, publishers.acknowledged), { timeout: 15_000 }).toEqual([]);
    expect([...(await storedReadings(db))].filter(([, count]) => count !== 1)).toEqual([]);
  };

  test('store every acknowledged reading once within 15 s after one of them is killed', async () => {
    const { publishers, enough } = await publish();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const holder = holderAmong(products) as Product;
      await holder.stop('SIGKILL');
      const acknowledged = publishers.acknowledged;
      await expect.poll(() => missing(db, acknowledged), { timeout: 15_000 }).toEqual([]);
      await expect.poll(() => holderAmong(products)).toBeDefined();
      if (kill < KILLS - 1) products[products.indexOf(holder)] = await startProduct(settings, '/robots.txt');
      await enough();
    }
    await storedOnce(publishers);
  });

  test('take over at once from a process that is stopped', async () => {
    const { publishers, enough } = await publish();
    const holder = holderAmong(products) as Product;
    await holder.stop();
    const stopped = performance.now();
    await expect.poll(() => holderAmong(products), { interval: 10 }).toBeDefined();
    expect(performance.now() - stopped).toBeLessThan(4000);
    await enough();
    await storedOnce(publishers);
  });

  long(
    'store every acknowledged reading once when one of them is paused, which does not disconnect the other after it resumes',
    async () => {
      const { publishers, enough } = await publish();
      const paused = holderAmong(products) as Product;
      const [other] = products.filter((one) => one !== paused) as [Product];
      paused.child.kill('SIGSTOP');
      const acknowledged = publishers.acknowledged;
      await expect.poll(() => holderAmong([other])).toBeDefined();
      await expect.poll(() => missing(db, acknowledged), { timeout: 30_000 }).toEqual([]);
      paused.child.kill('SIGCONT');
      await expect.poll(() => paused.output()).toContain('no longer holds the lease');
      // The resumed process must not try to connect. The test waits long enough for several attempts.
      await enough(1000);
      expect(other.output()).not.toContain('not connected to the MQTT broker');
      await storedOnce(publishers);
    },
  );
});
