/**
 * Several processes share one PostgreSQL server: some have a wrong clock, and one is suspended while it sends. The
 * tests need PostgreSQL, because only one process can use the embedded database.
 */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/open-database.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import {
  type CustomerRow,
  createCustomer,
  createUser,
  insertRow,
  serviceQuery,
} from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { isLong, long } from '../harness/long.ts';
import { fakeMachineClock } from '../harness/machine/faketime.ts';
import { type HttpReceiver, startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { keepCompiledProduct, type Product, startProduct } from '../harness/server/product.ts';

// The tests start servers, which takes a long time on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const DATABASE = 'tocsin_several_processes';
const isPostgres = testDatabaseKind() === 'postgres';
const machine = isPostgres ? await fakeMachineClock() : { missing: 'The embedded database has one process.' };
if (isPostgres && 'missing' in machine) console.warn(machine.missing);

let postgres: TestPostgres;
let url: string;
let db: Database;
let customer: CustomerRow;
let receiver: HttpReceiver;
const running: Product[] = [];

beforeAll(async () => {
  if (!isPostgres) return;
  await keepCompiledProduct();
  receiver = await startHttpReceiver();
  postgres = await testPostgres();
  url = await createMigratedDatabase(postgres, DATABASE);
  db = await openDatabase({ url, dataDir: '', log: silentLog });
  customer = await createCustomer(db);
});
afterEach(async () => {
  for (const product of running.splice(0)) {
    product.child.kill('SIGCONT');
    await product.stop('SIGKILL');
  }
  if (!isPostgres) return;
  await serviceQuery(db, 'delete from tocsin_private.process');
  await serviceQuery(db, 'delete from tocsin_private.system_alarm');
  await serviceQuery(db, 'delete from tocsin.notification');
  receiver.clear();
});
afterAll(async () => {
  if ('folder' in machine) rmSync(machine.folder, { recursive: true, force: true });
  await receiver?.stop();
  await db?.close();
  await postgres?.dropDatabase(DATABASE);
  await postgres?.stop();
});

async function start(name: string, settings: Record<string, string> = {}): Promise<Product> {
  const product = await startProduct(
    {
      ...{ DATABASE_URL: url, TOCSIN_DEMO: 'off', TOCSIN_HOST: '127.0.0.1', TOCSIN_PROCESS_NAME: name },
      ...{ TOCSIN_DATABASE_CONNECTIONS: '3', TOCSIN_LOG_FORMAT: 'text', ...settings },
    },
    '/healthz',
  );
  running.push(product);
  return product;
}

async function failingChecks({ url }: Product): Promise<string[]> {
  const answer = await fetch(`${url}/readyz`);
  const { checks } = (await answer.json()) as { checks: { name: string; ok: boolean; isRequired: boolean }[] };
  return checks.filter(({ ok, isRequired }) => !ok && isRequired).map(({ name }) => name);
}

async function sensorWithRule(debounce: number): Promise<TestSensor> {
  const sensor = await createSensor(db, { customer });
  await insertRow(db, 'tocsin.rule', {
    ...{ tocsin_customer_uuid: customer.uuid, tocsin_site_uuid: sensor.site.uuid },
    ...{ tocsin_asset_uuid: sensor.assetUuid, tocsin_datapoint_uuid: sensor.channels[0]?.datapointUuid },
    ...{ name: 'High level', value_upper: 100, debounce },
  });
  return sensor;
}

async function send(product: Product, sensor: TestSensor, value: number): Promise<void> {
  const answer = await fetch(`${product.url}/api/v1/ingest/${sensor.uid}`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${sensor.token}` }, body: JSON.stringify({ 1: value }) },
  });
  expect(answer.status, await answer.text()).toBe(200);
}

const isOpen = async ({ site }: TestSensor) =>
  (await serviceQuery(db, 'select from tocsin.alarm where tocsin_site_uuid = $1', [site.uuid])).length > 0;
const offsetOf = async (name: string) =>
  (await serviceQuery(db, 'select clock_offset_ms as ms from tocsin_private.process where name = $1', [name]))[0]?.ms;

describe.skipIf('missing' in machine)('a process with a wrong clock', () => {
  const settings = 'settings' in machine ? machine.settings : {};
  const set = (offset: string) => 'set' in machine && machine.set(offset);

  test.each(['+90s', '-90s'])('refuses to start at %s, and says both times', async (offset) => {
    set(offset);
    const began = Date.now();
    const error: Error = await start('wrong', settings).then(
      () => new Error('It started.'),
      (error) => error,
    );
    const found = /this machine shows (\S+) and the clock of the database server shows (\S+)\. /.exec(error.message);
    expect(found, error.message).not.toBeNull();
    const [own, database] = [Date.parse(found?.[1] ?? ''), Date.parse(found?.[2] ?? '')];
    expect((own - database) / 1000).toBeCloseTo(Number.parseInt(offset, 10), 0);
    expect(database).toBeGreaterThan(began - 2000);
    expect(error.message).toContain('timedatectl set-ntp true');
    set('+0');
    expect(await serviceQuery(db, 'select from tocsin_private.process'), 'the refused process left no row').toEqual([]);
  });

  long('continues when its machine’s clock jumps, because product time does not', async () => {
    set('+0');
    await start('right', { TOCSIN_ROLES: 'gateway' });
    const gateway = running[0] as Product;
    const evaluator = await start('jumping', { ...settings, TOCSIN_ROLES: 'evaluator,engine' });
    for (const offset of ['+90s', '-90s']) {
      const sensor = await sensorWithRule(5);
      set(offset);
      const began = performance.now();
      await send(gateway, sensor, 150);
      await expect.poll(() => isOpen(sensor), { interval: 100 }).toBe(true);
      expect((performance.now() - began) / 1000).toBeGreaterThan(4.5);
      expect(await failingChecks(evaluator), offset).toEqual([]);
      expect(Math.abs(await offsetOf('jumping'))).toBeLessThan(1000);
    }
    set('+0');
  });

  test('does no clock-driven work while its product time differs, and continues afterwards', async () => {
    set('+0');
    // Only in this test, the monotonic clock of a process changes too. The product time of this process therefore
    // differs from the product time of the other process.
    const { DONT_FAKE_MONOTONIC: _, ...monotonic } = settings;
    const gateway = await start('right', { TOCSIN_ROLES: 'gateway' });
    const evaluator = await start('drifting', { ...monotonic, TOCSIN_ROLES: 'evaluator,engine' });
    expect(await failingChecks(evaluator)).toEqual([]);
    set('+6s');
    await expect.poll(() => failingChecks(evaluator), { interval: 200 }).toContain('clock');
    const sensor = await sensorWithRule(3);
    await send(gateway, sensor, 150);
    await pause(8000);
    expect(await isOpen(sensor)).toBe(false);
    expect(await failingChecks(gateway), 'the clock of the other process is correct').toEqual([]);
    set('+0');
    await expect.poll(() => failingChecks(evaluator), { interval: 200 }).toEqual([]);
    await expect.poll(() => isOpen(sensor), { interval: 100 }).toBe(true);
    // If the monotonic clock falls behind the machine's uptime, the product assumes that the machine was suspended and
    // corrects product time.
    set('-6s');
    const next = await sensorWithRule(3);
    await send(gateway, next, 150);
    await expect.poll(() => isOpen(next), { interval: 100 }).toBe(true);
    expect(Math.abs(await offsetOf('drifting'))).toBeLessThan(2000);
    set('+0');
    expect(evaluator.output()).toContain('The clock of this process differs');
    expect(evaluator.output()).toContain('clock-driven work continues');
  });
});

test.runIf(isPostgres)('a starting process takes over the time of running ones and moves no deadline', async () => {
  const gateway = await start('first', { TOCSIN_ROLES: 'gateway,evaluator' });
  const sensor = await sensorWithRule(3600);
  await send(gateway, sensor, 150);
  const dueAt = async () =>
    // Selects this rule's deadline, which is the latest. Earlier tests may have left earlier deadlines.
    (await serviceQuery(db, 'select max(due_at) as due_at from tocsin_private.rule_state'))[0]?.due_at;
  await expect.poll(dueAt).toBeInstanceOf(Date);
  const before = await dueAt();
  // Simulates a stored clock record from another boot: product time is ten minutes behind the machine's clock. A
  // process that starts alone would move every deadline by ten minutes.
  await serviceQuery(
    db,
    `update tocsin_private.installation set value = value || jsonb_build_object('boot', 'another',
       'product', (value ->> 'product')::float8 - 600000, 'wall', (value ->> 'wall')::float8) where name = 'clock'`,
  );
  await Promise.all([start('second', { TOCSIN_ROLES: 'gateway' }), start('third', { TOCSIN_ROLES: 'gateway' })]);
  expect(await dueAt()).toEqual(before);
  // An earlier test may have moved product time ahead of the database's clock. This test therefore compares the product
  // times of the processes with each other.
  const running = await offsetOf('first');
  for (const name of ['second', 'third']) expect(Math.abs((await offsetOf(name)) - running)).toBeLessThan(1000);
});

/** Duration of the suspension. The leases of a suspended process end after 15 s. */
const STILL_MS = 60_000;

test.runIf(isPostgres && isLong)(
  'no message or result is lost or overwritten when a process is suspended while it sends',
  async () => {
    await createUser(db, { customer, level: 0, email: 'owner@plant.example' });
    const seen: { from: string; key: string }[] = [];
    receiver.always(({ url }) => {
      const [from = '', key = ''] = [url.pathname.slice(1), url.searchParams.get('key') ?? ''];
      seen.push({ from, key });
      return { delayMs: from === 'one' ? 3000 : 50, body: { id: `${from}-${key}` } };
    });
    const products = new Map<string, Product>();
    for (const name of ['one', 'two', 'three']) {
      const sms = `${receiver.url}/${name}?to={digits}&text={text}&key={key}`;
      products.set(name, await start(name, { TOCSIN_SMS_URL: sms, TOCSIN_SMS_ID: 'id' }));
    }
    const victim = products.get('one') as Product;
    let count = 0;
    // The processes compete for the messages. The test adds messages until the process `one` has sent a message.
    while (!seen.some(({ from }) => from === 'one')) {
      count += 1;
      await insertRow(db, 'tocsin.notification', {
        ...{
          tocsin_customer_uuid: customer.uuid,
          recipient_name: `Person ${count}`,
          address: `+44770090${1000 + count}`,
        },
        ...{ method_type: 3, message_type: 4, notify_message: 'Level high', notify_time: new Date() },
        next_attempt_at: new Date(0),
      });
      const sent = count;
      await expect.poll(() => seen.length, { interval: 10, timeout: 60_000 }).toBeGreaterThanOrEqual(sent);
    }
    victim.child.kill('SIGSTOP');
    await pause(STILL_MS);
    const stored = () =>
      serviceQuery(
        db,
        `select idempotency_key as key, state, attempts, provider_id as "providerId", provider_answer, sent_at, attempt_log
       from tocsin.notification where kind = 'other' order by sequence_number`,
      );
    await expect.poll(async () => (await stored()).map(({ state }) => state)).toEqual(Array(count).fill('sent'));
    const before = await stored();
    const alarms = await serviceQuery(db, `select subject from tocsin_private.system_alarm where kind = 'process'`);
    expect(alarms).toEqual([{ subject: 'one' }]);
    victim.child.kill('SIGCONT');
    // The provider responded during the suspension, but the process `one` reads the responses only after it.
    await expect.poll(() => victim.output(), { timeout: 30_000 }).toContain('the lease of a message was lost');
    await pause(5000);
    expect(await stored(), 'the results of the other processes stay').toEqual(before);
    const inFlight = new Set(seen.filter(({ from }) => from === 'one').map(({ key }) => key));
    expect(inFlight.size).toBeGreaterThan(0);
    for (const { key, providerId } of before) {
      const sends = seen.filter((one) => one.key === key);
      expect(sends.length, `${key} was sent by ${sends.map(({ from }) => from)}`).toBe(inFlight.has(key) ? 2 : 1);
      expect(providerId).not.toMatch(/^one-/);
    }
    expect(await failingChecks(victim), 'the process works normally again').toEqual([]);
  },
);
