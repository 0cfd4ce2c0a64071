/** The state of the installation with real processes. One of them is killed, started again and stopped. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/open-database.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import { createCustomer, createUser, setDefaultCustomer } from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { ensureMosquitto, type Mosquitto, startMosquitto } from '../harness/device/mosquitto.ts';
import { PASSWORD } from '../harness/server/app.ts';
import { type Product, signIn, startProduct } from '../harness/server/product.ts';

const DATABASE = 'tocsin_system_page';
const found = await ensureMosquitto();
if ('missing' in found) console.warn(found.missing);

const QUERY = `{
  systemStatus {
    processes { name state memoryBytes framesPerSecond }
    brokers { processName isConnected isHolder }
    protocols { protocol framesByMinute }
    sizes { bytes }
  }
  openSystemAlarms { nodes { kind subject } } }`;

// These tests need PostgreSQL, because only one process can use the embedded database.
describe.skipIf('missing' in found || testDatabaseKind() === 'embedded')('the state of two processes', () => {
  let postgres: TestPostgres;
  let broker: Mosquitto;
  let db: Database;
  let settings: Record<string, string>;
  let sensor: TestSensor;
  let headers: Record<string, string>;
  let north: Product;
  let south: Product;

  const start = (name: string, first: string, more: Record<string, string>) =>
    startProduct({ ...settings, TOCSIN_PROCESS_NAME: name, ...more }, first);
  const startSouth = () => start('south', '/healthz', { TOCSIN_ROLES: 'gateway,evaluator,engine' });

  beforeAll(async () => {
    postgres = await testPostgres();
    broker = await startMosquitto();
    const url = await createMigratedDatabase(postgres, DATABASE);
    settings = { DATABASE_URL: url, TOCSIN_DEMO: 'off', TOCSIN_MQTT_URL: broker.url };
    db = await openDatabase({ url, dataDir: '', log: silentLog });
    const customer = await createCustomer(db);
    await setDefaultCustomer(db, customer);
    const owner = await createUser(db, { customer, level: 0, password: PASSWORD, varified: true });
    sensor = await createSensor(db, { customer });
    south = await startSouth();
    north = await start('north', '/api/v1/config', { TOCSIN_ROLES: 'web,gateway,evaluator' });
    headers = await signIn(north.url, owner.email, PASSWORD);
  });
  afterAll(async () => {
    await Promise.all([north, south].map((product) => product?.stop()));
    await db?.close();
    await postgres?.dropDatabase(DATABASE);
    await postgres?.stop();
    await broker?.dispose();
  });

  const ask = async () => {
    const answer = await fetch(`${north.url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: QUERY }),
    });
    const { data } = (await answer.json()) as any;
    return { ...data.systemStatus, alarms: data.openSystemAlarms.nodes };
  };
  const states = async () => Object.fromEntries((await ask()).processes.map(({ name, state }: any) => [name, state]));

  test('has the memory that the operating system reports, and frames that each process received', async () => {
    await expect.poll(states).toEqual({ north: 'ready', south: 'ready' });
    const { processes } = await ask();
    for (const [name, { child }] of [
      ['north', north],
      ['south', south],
    ] as const) {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const real = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
      const { memoryBytes } = processes.find((one: any) => one.name === name);
      expect(memoryBytes / real).toBeGreaterThan(0.5);
      expect(memoryBytes / real).toBeLessThan(2);
    }
    const send = () =>
      fetch(`${south.url}/api/v1/ingest/${sensor.uid}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sensor.token}` },
        body: '1=1',
      });
    await expect
      .poll(async () => {
        await send();
        return (await ask()).processes.find(({ name }: any) => name === 'south').framesPerSecond;
      })
      .toBeGreaterThan(0);
    expect((await ask()).processes.find(({ name }: any) => name === 'north').framesPerSecond).toBe(0);
  });

  test('shows one process with the session at the broker, and another one after a kill', async () => {
    const session = (processName: string, isHolder: boolean) => ({ processName, isHolder, isConnected: isHolder });
    // The process `south` started first, so it holds the lease.
    await expect.poll(async () => (await ask()).brokers).toEqual([session('north', false), session('south', true)]);
    await south.stop('SIGKILL');
    await expect.poll(states, { timeout: 60_000 }).toEqual({ north: 'ready', south: 'missing' });
    await expect.poll(async () => (await ask()).brokers).toEqual([session('north', true)]);
    await expect
      .poll(async () => (await ask()).alarms, { timeout: 60_000 })
      .toEqual([{ kind: 'process', subject: 'south' }]);
  });

  test('shows a process under its name after a restart, and as stopped after a clean stop', async () => {
    south = await startSouth();
    await expect.poll(states).toEqual({ north: 'ready', south: 'ready' });
    await expect.poll(async () => (await ask()).sizes[0]?.bytes, { timeout: 90_000 }).toBeGreaterThan(1e6);
    await south.stop();
    await expect.poll(states).toEqual({ north: 'ready', south: 'stopped' });
  });
});
