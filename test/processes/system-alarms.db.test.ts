/** System alarms for silent devices, missing processes and overdue work. The tests set the clock. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Config } from '../../server/config.ts';
import { HandClock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { openTestDatabase } from '../harness/database/database.ts';
import { TEST_BEGINS } from '../harness/database/embedded.ts';
import {
  type CustomerRow,
  createCustomer,
  createUser,
  insertRow,
  serviceQuery,
} from '../harness/database/factories.ts';
import { createSensor } from '../harness/device/devices.ts';
import { type HttpReceiver, startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { PASSWORD, startTestApp, type TestApp } from '../harness/server/app.ts';

const HOUR = 3_600_000;
/**
 * Seconds by which a step advances the clock. With a longer step, the server would assume that heartbeats were
 * interrupted.
 */
const STEP_SECONDS = 10;
// Many steps with all modules take a long time on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

let db: Database;
let close: () => Promise<void>;
let clock: HandClock;
let customer: CustomerRow;
let apps: TestApp[] = [];
let receiver: HttpReceiver;

beforeAll(async () => {
  receiver = await startHttpReceiver();
  db = await openTestDatabase();
  close = db.close.bind(db);
  // The apps of the test share the database, so it must stay open when an app is closed.
  db.close = async () => {};
  clock = new HandClock(TEST_BEGINS);
  customer = await createCustomer(db);
  await createUser(db, { customer, level: 0, email: 'owner@plant.example', password: PASSWORD });
  const other = await createCustomer(db);
  // The same person is an owner in both companies.
  await createUser(db, { customer: other, level: 0, email: 'Owner@plant.example', password: PASSWORD });
  await createUser(db, { customer, level: 5, email: 'manager@plant.example', password: PASSWORD });
});
afterEach(async () => {
  for (const app of apps) await app.close();
  apps = [];
  await serviceQuery(db, 'delete from tocsin_private.process');
  await serviceQuery(db, 'delete from tocsin_private.system_alarm');
  await serviceQuery(db, 'delete from tocsin.notification');
  receiver.clear();
});
afterAll(async () => {
  await close?.();
  await receiver?.stop();
});

async function start(processName: string, config: Partial<Config>): Promise<TestApp> {
  const app = await startTestApp({ database: db, clock, config: { processName, ...config } });
  apps.push(app);
  return app;
}

/** Advances the clock in small steps. In each step, every running process writes its heartbeat and runs its engine. */
async function pass(seconds: number, ...running: TestApp[]): Promise<void> {
  for (let left = seconds; left > 0; left -= STEP_SECONDS) {
    clock.advance(Math.min(left, STEP_SECONDS) * 1000);
    for (const app of running) await app.heartbeat.beat();
    for (const app of running) await app.engine.tick();
  }
}

const openAlarms = async () =>
  (
    await serviceQuery(
      db,
      `select kind || ' ' || subject as name from tocsin_private.system_alarm where ended_at is null order by 1`,
    )
  ).map(({ name }) => name.trim());
const messages = () =>
  serviceQuery(db, `select address, subject, notify_message as text from tocsin.notification where kind = 'system'`);

test('an evaluator without gateways opens one system alarm and no silence alarms', async () => {
  const gateway = await start('gateway', { roles: ['gateway'] });
  for (let index = 0; index < 5; index += 1) {
    const sensor = await createSensor(db, { customer });
    await serviceQuery(db, 'update tocsin.site set tocsin_health_duration_hours = 1 where uuid = $1', [
      sensor.site.uuid,
    ]);
    const pipeline = gateway.gateway!.pipeline;
    const device = await pipeline.identify(sensor.uid, sensor.token);
    if (!device.ok) throw new Error(device.sentence);
    await pipeline.receive(device, { protocol: 'http', body: Buffer.from('1=1') });
    await pipeline.behind.flush();
  }
  const evaluator = await start('evaluator', { roles: ['evaluator', 'engine'] });
  await pass(60, gateway, evaluator);
  await gateway.close();
  apps = [evaluator];
  clock.advance(2 * HOUR);
  await pass(120, evaluator);
  const silent = await serviceQuery(db, `select 1 from tocsin.alarm where source = 'silence'`);
  expect(silent, 'without a gateway, no site counts as silent').toEqual([]);
  expect(await openAlarms()).toEqual(['gateway']);
  expect(
    (await messages()).map(({ address }) => address),
    'one message, although the owner has two companies',
  ).toEqual(['owner@plant.example']);

  const next = await start('gateway', { roles: ['gateway'] });
  await pass(120, next, evaluator);
  expect(await openAlarms()).toEqual([]);
  expect((await messages()).map(({ subject }) => subject)).toEqual([
    'Tocsin system alarm: no gateway is running',
    'Tocsin system alarm ended: no gateway is running',
  ]);
  clock.advance(HOUR / 2);
  await pass(5, next, evaluator);
  expect(await serviceQuery(db, `select 1 from tocsin.alarm where source = 'silence'`)).toEqual([]);
  clock.advance(HOUR);
  await pass(5, next, evaluator);
  expect(
    await serviceQuery(db, `select 1 from tocsin.alarm where source = 'silence'`),
    'the health duration of each site starts when a gateway runs again',
  ).toHaveLength(5);
});

test('a process that disappears opens one alarm, which owners see until it is back', async () => {
  const one = await start('one', {});
  const two = await start('two', { roles: ['web'] });
  await pass(25, one, two);
  expect(await openAlarms()).toEqual([]);
  // Only process one runs. Like a suspended process, process two sends no heartbeat and does not stop cleanly.
  await pass(15, one);
  expect(await openAlarms()).toEqual([]);
  await pass(30, one);
  expect(await openAlarms()).toEqual(['process two']);
  const browserOf = async (level: number) => one.browser(await createUser(db, { customer, level, password: PASSWORD }));
  const query = '{openSystemAlarms{nodes{kind subject sentence}}}';
  expect((await (await browserOf(0)).data(query)).openSystemAlarms.nodes).toMatchObject([
    { kind: 'process', subject: 'two' },
  ]);
  expect((await (await browserOf(5)).data(query)).openSystemAlarms.nodes).toEqual([]);
  await pass(55, one, two);
  expect(await openAlarms(), 'the alarm resolves only after the process has run for a while').toEqual(['process two']);
  await pass(20, one, two);
  expect(await openAlarms()).toEqual([]);
  await two.close();
  apps = [one];
  await pass(60, one);
  expect(await openAlarms(), 'a clean stop opens no alarm').toEqual([]);
});

test('overdue notifications, a failing sender and an old backup open alarms', async () => {
  const refusing = { smtpUrl: 'smtp://127.0.0.1:1' };
  const engine = await start('one', { ...refusing, backupMaxAgeHours: 24 });
  await pass(25, engine);
  expect(await openAlarms()).toEqual(['backup']);
  await serviceQuery(db, 'insert into tocsin_private.backup (finished_at, ok) values ($1, true)', [clock.now()]);
  await pass(120, engine);
  expect(await openAlarms(), 'the sender fails to send the message about the backup').toEqual(['sender E-mail']);
  await engine.close();

  const gateway = await start('one', { roles: ['gateway'] });
  apps = [gateway];
  await serviceQuery(db, 'delete from tocsin.notification');
  await insertRow(db, 'tocsin.notification', {
    ...{ tocsin_customer_uuid: customer.uuid, recipient_name: 'Anna', address: '+447700900001', method_type: 3 },
    ...{ message_type: 4, notify_message: 'Level high', notify_time: clock.now(), next_attempt_at: clock.now() },
  });
  await pass(115, gateway);
  expect(await openAlarms()).not.toContain('delivery SMS');
  await pass(15, gateway);
  expect(await openAlarms()).toContain('delivery SMS');
});

test('calls the heartbeat address every minute while all roles work, from one process only', async () => {
  const heartbeatUrl = `${receiver.url}/check`;
  const all = await start('one', { heartbeatUrl });
  const second = await start('two', { heartbeatUrl });
  await pass(180, all, second);
  const calls = receiver.requests.length;
  expect(calls).toBeGreaterThanOrEqual(3);
  expect(calls).toBeLessThanOrEqual(4);
  expect(new Set(receiver.requests.map(({ method, url }) => `${method} ${url.pathname}`))).toEqual(
    new Set(['GET /check']),
  );
  await all.close();
  await second.close();
  const web = await start('three', { heartbeatUrl, roles: ['web', 'gateway', 'evaluator'] });
  apps = [web];
  receiver.clear();
  await pass(180, web);
  expect(receiver.requests, 'no process has the role engine').toEqual([]);
});

test('follows no redirect of the heartbeat address', async () => {
  receiver.always({ status: 302, headers: { location: `${receiver.url}/other` } });
  const app = await start('one', { heartbeatUrl: `${receiver.url}/check` });
  await pass(70, app);
  expect(receiver.requests.map(({ url }) => url.pathname)).toEqual(['/check', '/check']);
});
