/**
 * Kills the server between any two steps of opening an alarm and sending its messages, and restarts it. Every alarm
 * must exist once. Every message must be sent at least once, always with the same key.
 */
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/open-database.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import { embeddedFolder } from '../harness/database/embedded.ts';
import { createCustomer, createUser, insertRow, serviceQuery } from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { isLong } from '../harness/long.ts';
import { type HttpReceiver, startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { type SmtpCatcher, startSmtpCatcher } from '../harness/provider/smtp.ts';
import { keepCompiledProduct, type Product, startProduct } from '../harness/server/product.ts';

/**
 * Steps after which the server is killed. The sending steps come first, because a kill at a later step can leave queued
 * messages behind. These messages would reach a sending step before the test expects it.
 */
const steps = [
  'webhook leased',
  'webhook handed over',
  'webhook settled',
  'message leased',
  'message handed over',
  'message settled',
  'readings stored',
  'alarm inserted',
  'messages queued',
  'transitions recorded',
  'state written',
  'alarm committed',
];

interface Case {
  step: string;
  /**
   * `reading`: the reading opens the alarm at once. `clock`: the alarm opens one second later, when the debounce ends.
   */
  by: 'reading' | 'clock';
  sensor: TestSensor;
  ruleUuid: string;
  time: number;
  acknowledged: boolean;
}

const dataDir = await embeddedFolder('migrated');
const settings: Record<string, string> = {
  TOCSIN_DEMO: 'off',
  TOCSIN_DATA_DIR: dataDir,
  TOCSIN_ROLES: 'gateway,evaluator,engine',
  TOCSIN_HOST: '127.0.0.1',
  NODE_ENV: 'test',
  TOCSIN_WEBHOOK_PRIVATE: 'on',
};
let postgres: TestPostgres | undefined;
let smtp: SmtpCatcher;
let gateway: HttpReceiver;
let hooks: HttpReceiver;
let cases: Case[] = [];
let running: Product | undefined;

beforeAll(async () => {
  await keepCompiledProduct();
  if (testDatabaseKind() === 'postgres') {
    postgres = await testPostgres();
    settings.DATABASE_URL = await createMigratedDatabase(postgres, 'tocsin_alarm_survival');
  }
  smtp = await startSmtpCatcher();
  gateway = await startHttpReceiver();
  hooks = await startHttpReceiver();
  settings.SMTP_URL = smtp.url;
  settings.TOCSIN_SMS_URL = `${gateway.url}/send?to={digits}&text={text}&key={key}`;
  await onDatabase(async (db) => {
    cases = await makeCases(db);
  });
});
afterAll(async () => {
  await running?.stop('SIGKILL');
  await smtp?.stop();
  await gateway?.stop();
  await hooks?.stop();
  rmSync(dataDir, { recursive: true, force: true });
  await postgres?.dropDatabase('tocsin_alarm_survival');
  await postgres?.stop();
});

async function onDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ url: settings.DATABASE_URL, dataDir, log: silentLog });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Creates a station for each case, with one recipient by e-mail, one by SMS, and a webhook. */
async function makeCases(db: Database): Promise<Case[]> {
  const customer = await createCustomer(db);
  const own = { tocsin_customer_uuid: customer.uuid };
  const anna = await createUser(db, { customer, displayName: 'Anna' });
  const ben = await createUser(db, { customer, displayName: 'Ben' });
  await serviceQuery(
    db,
    `update tocsin.user set sms_notification = true, email_notification = false, phone_number = '+442079460123' where uuid = $1`,
    [ben.uuid],
  );
  const wanted = [
    ...steps.map((step) => ({ step, by: 'reading' as const })),
    { step: 'state written', by: 'clock' as const },
  ];
  const made: Case[] = [];
  for (const { step, by } of wanted) {
    const sensor = await createSensor(db, { customer });
    const rule = await insertRow<{ uuid: string }>(db, 'tocsin.rule', {
      ...own,
      tocsin_site_uuid: sensor.site.uuid,
      tocsin_asset_uuid: sensor.assetUuid,
      tocsin_datapoint_uuid: sensor.channels[0]?.datapointUuid,
      name: 'High level',
      value_upper: 100,
      debounce: by === 'clock' ? 1 : 0,
    });
    const alert = await insertRow<{ uuid: string }>(db, 'tocsin.rule_alert', {
      ...own,
      tocsin_site_uuid: sensor.site.uuid,
      tocsin_rule_name: 'High level',
    });
    for (const { uuid } of [anna, ben]) {
      await insertRow(db, 'tocsin.rule_alert_user', {
        ...own,
        tocsin_rule_alert_uuid: alert.uuid,
        tocsin_user_uuid: uuid,
      });
    }
    const destination = await insertRow<{ uuid: string }>(db, 'tocsin.destination', {
      ...{
        ...own,
        name: `Desk ${made.length}`,
        kind: 'webhook',
        tocsin_site_uuid: sensor.site.uuid,
        host: 'localhost',
      },
    });
    await insertRow(db, 'tocsin_private.destination_secret', {
      ...{ ...own, tocsin_destination_uuid: destination.uuid, url: hooks.url, secret: 'whsec_test' },
    });
    made.push({ step, by, sensor, ruleUuid: rule.uuid, time: Date.now() - 60_000, acknowledged: false });
  }
  return made;
}

/** Sends the frame of a case once, and records whether the server acknowledged it. */
async function send(product: Product, one: Case): Promise<void> {
  const { uid, token } = one.sensor;
  try {
    const answer = await fetch(`${product.url}/api/v1/ingest/${uid}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: `{"t":${one.time},"1":120}`,
    });
    await answer.arrayBuffer();
    one.acknowledged ||= answer.status === 200;
  } catch {
    // The server was killed before it could respond.
  }
}

async function killedBy(product: Product): Promise<NodeJS.Signals | null> {
  const { child } = product;
  for (let tenth = 0; tenth < 300 && child.signalCode === null && child.exitCode === null; tenth += 1) await pause(100);
  return child.signalCode;
}

test('tests every step at which the server can be killed', () => {
  const root = join(import.meta.dirname, '../..');
  const named = globSync('server/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bdieAt\('([^']+)'\)/g)].map((match) => match[1] as string),
  );
  // test/start/escalation-survival.db.test.ts kills the server at this step.
  expect(named.filter((step) => step !== 'escalated').toSorted()).toEqual(steps.toSorted());
});

test('kills no server outside of this test', async () => {
  const { NODE_ENV: _test, ...production } = settings;
  running = await startProduct(
    { ...production, TOCSIN_DIE_AT: 'readings stored', TOCSIN_ROLES: 'gateway' },
    '/healthz',
  );
  const spare = { ...(cases[0] as Case), time: Date.now() - 120_000 };
  const { uid, token } = spare.sensor;
  const answer = await fetch(`${running.url}/api/v1/ingest/${uid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: `{"t":${spare.time},"1":50}`,
  });
  expect(answer.status).toBe(200);
  expect(await running.stop()).toBe(0);
});

test('opens every alarm once and sends every message with one key when killed at each step', {
  timeout: 300_000,
}, async () => {
  for (const one of cases) {
    running = await startProduct({ ...settings, TOCSIN_DIE_AT: one.step }, '/healthz');
    await send(running, one);
    expect(await killedBy(running), `at "${one.step}", found out by the ${one.by}`).toBe('SIGKILL');
    if (one.step === 'message leased') await expectShortLeases();
  }
  const died = Date.now();
  // The long run waits until the leases expire. Other runs change the leases so that they have already expired.
  if (!isLong) {
    await onDatabase((db) =>
      serviceQuery(db, `update tocsin.notification set lease_until = lease_until - interval '1 minute'`),
    );
    await onDatabase((db) =>
      serviceQuery(db, `update tocsin.destination_delivery set lease_until = lease_until - interval '1 minute'`),
    );
  }
  const before = await readAll();
  expect(before.alarms.length, 'nothing uncommitted is stored').toBeLessThan(cases.length);

  running = await startProduct(settings, '/healthz');
  for (const one of cases) if (!one.acknowledged) await send(running, one);
  // Every device sends its frame again, as if the response had been lost. The server has already stored these frames.
  for (const one of cases) await send(running, one);
  await expect.poll(() => new Set(keysSent()).size, { timeout: 60_000, interval: 200 }).toBe(2 * cases.length);
  if (isLong) expect(Date.now() - died).toBeLessThan(30_000);
  await expect.poll(() => hooksSent().size, { timeout: 60_000, interval: 200 }).toBe(cases.length);
  await pause(1500);
  expect(await running.stop()).toBe(0);

  const { alarms, openings, messages, states, posts } = await readAll();
  const byRule = cases.map(({ ruleUuid }) => ruleUuid).toSorted();
  expect(alarms.map(({ rule }) => rule).toSorted(), 'exactly one alarm for each').toEqual(byRule);
  expect(openings.map(({ rule }) => rule).toSorted(), 'each opened once').toEqual(byRule);
  expect(states.map(({ rule }) => rule).toSorted(), 'each is kept open by its rule').toEqual(byRule);
  expect(messages).toHaveLength(2 * cases.length);
  expect(messages.filter(({ state }) => state !== 'sent')).toEqual([]);
  expect(posts.filter(({ state }) => state !== 'sent')).toEqual([]);
  expect(hooksSent(), 'one delivery for each alarm').toEqual(new Set(posts.map(({ key }) => key)));
  expect(posts).toHaveLength(cases.length);
  expect(hooks.requests.length, 'a delivery was repeated').toBeGreaterThan(posts.length);
  const sent = keysSent();
  expect(new Set(sent)).toEqual(new Set(messages.map(({ key }) => key)));
  // The server sends a message again if it was killed while sending this message.
  expect(sent.length).toBeGreaterThan(new Set(sent).size);
  expect(before.messages.filter(({ key }) => !messages.some((message) => message.key === key))).toEqual([]);
});

/** Expects the leases to end early enough for the next server to send the messages within 30 s. */
async function expectShortLeases(): Promise<void> {
  const leases = await onDatabase((db) =>
    serviceQuery<{ until: Date }>(
      db,
      'select lease_until as until from tocsin.notification where lease_until is not null',
    ),
  );
  expect(leases.length).toBeGreaterThan(0);
  for (const { until } of leases) expect(until.getTime() - Date.now()).toBeLessThan(20_000);
}

/** Returns the keys of all messages that reached the mail server and the SMS gateway, including repeats. */
function keysSent(): string[] {
  const mails = smtp.messages.map(({ headers }) => /<([^@]+)@/.exec(headers.get('message-id') ?? '')?.[1] ?? '');
  return [...mails, ...gateway.requests.map(({ url }) => url.searchParams.get('key') ?? '')];
}

/** Returns the keys of all deliveries that reached the webhook. */
function hooksSent(): Set<string> {
  return new Set(hooks.requests.map(({ headers }) => String(headers['tocsin-delivery'])));
}

function readAll() {
  return onDatabase(async (db) => ({
    alarms: await serviceQuery<{ rule: string }>(db, 'select rule_uuid as rule from tocsin.alarm'),
    openings: await serviceQuery<{ rule: string }>(
      db,
      `select watch_uuid as rule from tocsin.rule_transition where to_phase = 'open'`,
    ),
    states: await serviceQuery<{ rule: string }>(
      db,
      `select s.watch_uuid as rule from tocsin_private.rule_state s join tocsin.alarm a on a.uuid = s.alarm_uuid
       where s.phase = 'open' and a.resolved_date is null`,
    ),
    messages: await serviceQuery<{ key: string; state: string }>(
      db,
      'select idempotency_key as key, state from tocsin.notification',
    ),
    posts: await serviceQuery<{ key: string; state: string }>(
      db,
      'select uuid as key, state from tocsin.destination_delivery',
    ),
  }));
}
