/** Kills the server while it runs a step of an escalation plan, and restarts it. Each step must run once. */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EscalationPlan } from '../../domain/alarm/escalation.ts';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/open-database.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import { embeddedFolder } from '../harness/database/embedded.ts';
import { createCustomer, createSite, createUser, insertRow, serviceQuery } from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { keepCompiledProduct, type Product, startProduct } from '../harness/server/product.ts';

const dataDir = await embeddedFolder('migrated');
const settings: Record<string, string> = {
  ...{ TOCSIN_DEMO: 'off', TOCSIN_DATA_DIR: dataDir, TOCSIN_ROLES: 'engine', TOCSIN_HOST: '127.0.0.1' },
  NODE_ENV: 'test',
};
let postgres: TestPostgres | undefined;
let running: Product | undefined;
let alarm: { uuid: string };

beforeAll(async () => {
  await keepCompiledProduct();
  if (testDatabaseKind() === 'postgres') {
    postgres = await testPostgres();
    settings.DATABASE_URL = await createMigratedDatabase(postgres, 'tocsin_escalation_survival');
  }
  alarm = await onDatabase(addAlarm);
});
afterAll(async () => {
  await running?.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
  await postgres?.dropDatabase('tocsin_escalation_survival');
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

/** Adds an open alarm whose second step is due. */
async function addAlarm(db: Database): Promise<{ uuid: string }> {
  const customer = await createCustomer(db);
  const site = await createSite(db, { customer });
  const [anna, ben] = [await createUser(db, { customer }), await createUser(db, { customer })];
  const step = { waitMinutes: 5, repeats: 0, everyMinutes: 15, layers: [] };
  const steps = [
    { ...step, waitMinutes: 0, people: [] },
    { ...step, people: [anna.uuid] },
    { ...step, people: [ben.uuid] },
  ];
  const plan: EscalationPlan = { afterMinutes: 5, everyMinutes: 15, times: 2, people: [anna.uuid, ben.uuid], steps };
  const recipients = { alert: [], resolve: [], escalate: [], notes: [], subject: 'High level', text: 'High level' };
  const columns = {
    source: 'limits',
    severity: 'minor',
    message: 'High level',
    site_name: 'Mill',
    rule_name: 'High level',
  };
  return insertRow(db, 'tocsin.alarm', {
    ...{ tocsin_customer_uuid: customer.uuid, tocsin_site_uuid: site.uuid, date_time: new Date(), ...columns },
    ...{ plan: JSON.stringify(plan), recipients: JSON.stringify(recipients), next_escalation_at: new Date() },
  });
}

const read = () =>
  onDatabase(async (db) => {
    const [row] = await serviceQuery<{ step: number; next: Date | null }>(
      db,
      'select a.plan_step as step, a.next_escalation_at as next from tocsin.alarm a where a.uuid = $1',
      [alarm.uuid],
    );
    const notified = await serviceQuery<{ step: number }>(
      db,
      `select n.step from tocsin.notification n where n.tocsin_alarm_uuid = $1 and n.kind = 'escalation' order by 1`,
      [alarm.uuid],
    );
    return { ...row, steps: notified.map(({ step }) => step) };
  });

async function runUntil(die: boolean): Promise<void> {
  running = await startProduct(die ? { ...settings, TOCSIN_DIE_AT: 'escalated' } : settings, '/healthz');
  const { child } = running;
  for (let tenth = 0; tenth < (die ? 300 : 80) && child.signalCode === null; tenth += 1) await pause(100);
  if (die) expect(child.signalCode).toBe('SIGKILL');
  else expect(await running.stop()).toBe(0);
}

test('runs each step once when killed in each step', { timeout: 300_000 }, async () => {
  await runUntil(true);
  expect(await read()).toMatchObject({ step: 1, steps: [] });
  await runUntil(false);
  expect(await read()).toMatchObject({ step: 2, steps: [1] });
  await onDatabase((db) =>
    serviceQuery(db, `update tocsin.alarm set next_escalation_at = now() where uuid = $1`, [alarm.uuid]),
  );
  await runUntil(true);
  expect(await read()).toMatchObject({ step: 2, steps: [1] });
  await runUntil(false);
  expect(await read()).toMatchObject({ step: 3, next: null, steps: [1, 2] });
});
