/**
 * Changes the machine's clock while the product runs, as NTP, a hypervisor or a person might. The clock jumps two hours
 * ahead and half an hour back, and the product is restarted with the wrong clock. No debounce may end early, and every
 * reading must be evaluated and shown.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/open-database.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import { embeddedFolder } from '../harness/database/embedded.ts';
import { createCustomer, createUser, insertRow, serviceQuery, type UserRow } from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { isLong, long } from '../harness/long.ts';
import { fakeMachineClock } from '../harness/machine/faketime.ts';
import { PASSWORD } from '../harness/server/app.ts';
import { keepCompiledProduct, type Product, signIn, startProduct } from '../harness/server/product.ts';

const DEBOUNCE_SECONDS = 10;
const machine = isLong ? await fakeMachineClock() : { missing: '' };
if (isLong && 'missing' in machine) console.warn(machine.missing);
const dataDir = isLong ? await embeddedFolder('migrated') : '';
const settings: Record<string, string> = {
  TOCSIN_DEMO: 'off',
  TOCSIN_DATA_DIR: dataDir,
  TOCSIN_HOST: '127.0.0.1',
  ...('settings' in machine && machine.settings),
};
let postgres: TestPostgres | undefined;
let running: Product | undefined;
let slow: TestSensor;
let quick: TestSensor;
let timed: TestSensor;
let owner: UserRow;
let headers: Record<string, string>;

beforeAll(async () => {
  await keepCompiledProduct();
  if (testDatabaseKind() === 'postgres') {
    postgres = await testPostgres();
    settings.DATABASE_URL = await createMigratedDatabase(postgres, 'tocsin_clock_steps');
  }
  const db = await openDatabase({ url: settings.DATABASE_URL, dataDir, log: silentLog });
  const customer = await createCustomer(db);
  owner = await createUser(db, { customer, level: 0, password: PASSWORD, varified: true });
  slow = await sensorWithRule(db, customer, DEBOUNCE_SECONDS);
  quick = await sensorWithRule(db, customer, 0);
  timed = await sensorWithRule(db, customer, 0);
  await db.close();
});
afterAll(async () => {
  await running?.stop('SIGKILL');
  if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  if ('folder' in machine) rmSync(machine.folder, { recursive: true, force: true });
  await postgres?.dropDatabase('tocsin_clock_steps');
  await postgres?.stop();
});

async function sensorWithRule(db: Database, customer: { uuid: string }, debounce: number): Promise<TestSensor> {
  const sensor = await createSensor(db, { customer });
  await serviceQuery(db, 'update tocsin.site set tocsin_health_duration_hours = 1 where uuid = $1', [sensor.site.uuid]);
  await insertRow(db, 'tocsin.rule', {
    tocsin_customer_uuid: customer.uuid,
    tocsin_site_uuid: sensor.site.uuid,
    tocsin_asset_uuid: sensor.assetUuid,
    tocsin_datapoint_uuid: sensor.channels[0]?.datapointUuid,
    name: 'High level',
    value_upper: 100,
    debounce,
  });
  return sensor;
}

async function send(sensor: TestSensor, values: Record<string, number | undefined>): Promise<void> {
  const answer = await fetch(`${running?.url}/api/v1/ingest/${sensor.uid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sensor.token}` },
    body: JSON.stringify(values),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

async function ask(query: string): Promise<any> {
  const answer = await fetch(`${running?.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  expect(answer.status).toBe(200);
  const { data, errors } = (await answer.json()) as any;
  expect(errors).toBeUndefined();
  return data;
}

async function openAlarms(sensor: TestSensor): Promise<number> {
  const { alarms } = await ask(
    `{alarms(filter:{tocsinSiteUuid:{equalTo:"${sensor.site.uuid}"}}){nodes{resolvedDate source}}}`,
  );
  return alarms.nodes.filter((alarm: any) => alarm.resolvedDate === null && alarm.source === 'limits').length;
}

async function shownValue(sensor: TestSensor): Promise<number> {
  const { assetDatapoint } = await ask(`{assetDatapoint(uuid:"${sensor.channels[0]?.datapointUuid}"){latestValue}}`);
  return assetDatapoint.latestValue;
}

async function lastNote(sensor: TestSensor): Promise<string | null> {
  const { incomingSensorLogs } = await ask(
    `{incomingSensorLogs(first:1,filter:{uid:{equalTo:"${sensor.uid}"}},orderBy:[AUTO_ID_DESC]){nodes{note}}}`,
  );
  return incomingSensorLogs.nodes[0].note;
}

async function alternates(sensor: TestSensor, timeOf?: () => number): Promise<void> {
  const time = () => (timeOf ? { t: timeOf() } : {});
  await send(sensor, { ...time(), 1: 150 });
  await expect.poll(() => openAlarms(sensor)).toBe(1);
  await expect.poll(() => shownValue(sensor)).toBe(150);
  await send(sensor, { ...time(), 1: 50 });
  await expect.poll(() => openAlarms(sensor)).toBe(0);
  await expect.poll(() => shownValue(sensor)).toBe(50);
}

const run = 'missing' in machine ? test.skip : long;
run(
  'keeps debounces, sessions and evaluation when the machine clock jumps +2 h and -30 min, also over a restart',
  { timeout: 300_000 },
  async () => {
    if ('missing' in machine) return;
    running = await startProduct(settings);
    headers = await signIn(running.url, owner.email, PASSWORD);
    await alternates(quick);

    const began = performance.now();
    await send(slow, { 1: 150 });
    machine.set('+2h');
    await send(slow, { 1: 151 });
    await expect.poll(() => openAlarms(slow), { interval: 100 }).toBe(1);
    expect((performance.now() - began) / 1000, 'seconds until the alarm opened').toBeGreaterThan(DEBOUNCE_SECONDS - 1);
    await alternates(quick);
    await alternates(timed, () => Date.now());
    expect(await lastNote(timed)).toBeFalsy();
    expect(running.output()).toContain("the machine's clock was set");
    expect(running.output()).toContain('"seconds":7200');
    const { clockNotice } = await ask('{clockNotice{jumpSeconds differenceSeconds}}');
    expect(clockNotice).toEqual({ jumpSeconds: 7200, differenceSeconds: 7200 });

    machine.set('-30m');
    await alternates(quick);
    await alternates(timed, () => Date.now());
    expect(await lastNote(timed), 'a device with a correct clock is not ahead').toBeFalsy();

    await running.stop('SIGKILL');
    if (testDatabaseKind() === 'postgres') {
      // On PostgreSQL, the product refuses to start while the machine's clock differs from the database's clock.
      await expect(startProduct(settings)).rejects.toThrow('They may differ by at most 2 s');
      machine.set('+0');
    }
    running = await startProduct(settings);
    await alternates(quick);
    await alternates(timed, () => Date.now());
    expect(await lastNote(timed)).toBeFalsy();
    if (testDatabaseKind() === 'embedded') {
      expect(running.output()).toContain("the machine's clock is behind the last stored time");
    }
  },
);
