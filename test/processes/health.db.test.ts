/** Readiness and liveness of a running server, including the time during which the server stops. */
import { rmSync } from 'node:fs';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { silentLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/open-database.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import { embeddedFolder } from '../harness/database/embedded.ts';
import { createCustomer, serviceQuery } from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { keepCompiledProduct, type Product, startProduct } from '../harness/server/product.ts';

// The tests start servers, which takes a long time on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const DATABASE = 'tocsin_process_health';
const dataDir = await embeddedFolder('migrated');
const settings: Record<string, string> = {
  ...{ TOCSIN_DEMO: 'off', TOCSIN_DATA_DIR: dataDir, TOCSIN_HOST: '127.0.0.1' },
  ...{ TOCSIN_PROCESS_NAME: 'the process', TOCSIN_DRAIN_SECONDS: '3', TOCSIN_LOG_FORMAT: 'text' },
};
let postgres: TestPostgres | undefined;
let product: Product | undefined;
let sensor: TestSensor;

const open = () => openDatabase({ url: settings.DATABASE_URL, dataDir, log: silentLog });

beforeAll(async () => {
  await keepCompiledProduct();
  if (testDatabaseKind() === 'postgres') {
    postgres = await testPostgres();
    settings.DATABASE_URL = await createMigratedDatabase(postgres, DATABASE);
  }
  const db = await open();
  sensor = await createSensor(db, { customer: await createCustomer(db) });
  await db.close();
});
afterAll(async () => {
  await product?.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
  await postgres?.dropDatabase(DATABASE);
  await postgres?.stop();
});

async function ready(query = ''): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${product?.url}/readyz${query}`);
  return { status: answer.status, body: await answer.json() };
}

test('is ready, and after SIGTERM not ready at once, but serves until the drain ends', async () => {
  product = await startProduct({ ...settings });
  const { url } = product;
  expect(await ready()).toMatchObject({ status: 200, body: { status: 'ready' } });
  const names = (await ready()).body.checks.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['database', 'schema', 'clock', 'heartbeat']));
  const port = /mqtt:\/\/localhost:(\d+)/.exec(product.output())?.[1];
  const device = { username: sensor.uid, password: sensor.token, reconnectPeriod: 0 };
  const mqtt = await connectAsync(`mqtt://127.0.0.1:${port}`, device);

  const began = performance.now();
  const stopped = product.stop('SIGTERM');
  await expect.poll(async () => (await ready()).status, { interval: 20, timeout: 1000 }).toBe(503);
  expect((await ready()).body.status).toBe('draining');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const frame = await fetch(`${url}/api/v1/ingest/${sensor.uid}`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${sensor.token}` }, body: '{"1": 20}' },
  });
  expect([frame.status, frame.headers.get('connection')]).toEqual([200, 'close']);
  await mqtt.publishAsync(`tocsin/${sensor.uid}/up`, '{"1": 21}', { qos: 1 });
  expect(await stopped).toBe(0);
  const seconds = (performance.now() - began) / 1000;
  expect(seconds).toBeGreaterThan(2.9);
  expect(seconds).toBeLessThan(13);
  await mqtt.endAsync(true);

  const db = await open();
  const [row] = await serviceQuery(db, 'select name, state, roles, version, load from tocsin_private.process');
  const [{ readings }] = await serviceQuery(db, 'select count(*)::int as readings from tocsin.reading');
  await db.close();
  expect(row).toMatchObject({ name: 'the process', state: 'stopped', roles: expect.arrayContaining(['gateway']) });
  expect(row.load).toMatchObject({ memoryBytes: expect.any(Number), cpuPercent: expect.any(Number) });
  expect(readings, 'both frames were stored').toBe(2);
});

test('a second signal ends the drain', async () => {
  product = await startProduct({ ...settings, TOCSIN_DRAIN_SECONDS: '120' });
  const began = performance.now();
  const stopped = product.stop('SIGTERM');
  await expect.poll(async () => (await ready()).status, { interval: 20 }).toBe(503);
  product.child.kill('SIGTERM');
  expect(await stopped).toBe(0);
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('is alive but not ready without its MQTT broker, unless the check is excluded', async () => {
  product = await startProduct({ ...settings, TOCSIN_DRAIN_SECONDS: '0', TOCSIN_MQTT_URL: 'mqtt://127.0.0.1:1' });
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
  const { status, body } = await ready();
  expect([status, body.status]).toEqual([503, 'failing']);
  const failing = body.checks.filter(({ ok }: { ok: boolean }) => !ok);
  expect(failing).toMatchObject([{ name: 'broker', problem: expect.stringContaining('MQTT broker') }]);
  expect((await ready('?exclude=broker')).status).toBe(200);
  expect((await ready('?exclude=clock&exclude=broker')).status).toBe(200);
  expect(await product.stop('SIGTERM')).toBe(0);
});
