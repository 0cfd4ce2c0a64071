/**
 * An operator sends expensive queries, which nest lists under many aliases, while a device sends frames to the same
 * server.
 */
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/open-database.ts';
import { addNotification, buildStation } from '../api/pumps.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import { embeddedFolder } from '../harness/database/embedded.ts';
import {
  createCustomer,
  createUser,
  linkUser,
  serviceQuery,
  setDefaultCustomer,
} from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { PASSWORD } from '../harness/server/app.ts';
import { type Product, signIn, startProduct } from '../harness/server/product.ts';

const dataDir = await embeddedFolder('migrated');
const settings: Record<string, string> = { TOCSIN_DEMO: 'off', TOCSIN_DATA_DIR: dataDir };
let postgres: TestPostgres | undefined;
let product: Product;
let device: TestSensor;
let headers: Record<string, string>;

beforeAll(async () => {
  if (testDatabaseKind() === 'postgres') {
    postgres = await testPostgres();
    settings.DATABASE_URL = await createMigratedDatabase(postgres, 'tocsin_large_queries');
  }
  const db = await openDatabase({ url: settings.DATABASE_URL, dataDir, log: silentLog });
  const customer = await createCustomer(db);
  await setDefaultCustomer(db, customer);
  const operator = await createUser(db, { customer, level: 20, password: PASSWORD, varified: true });
  const station = await buildStation(db, customer);
  await linkUser(db, operator, station.site);
  device = await createSensor(db, { customer });
  await addNotification(db, station, { at: '2026-03-01T07:00:00Z' });
  await serviceQuery(
    db,
    `insert into tocsin.notification (tocsin_customer_uuid, tocsin_site_uuid, notify_message, notify_time, method_type,
       message_type, recipient_name, address, state)
     select tocsin_customer_uuid, tocsin_site_uuid, notify_message, notify_time + n * interval '1 second', method_type,
       message_type, recipient_name, address, state
     from tocsin.notification cross join generate_series(1, 600) n`,
  );
  await db.close();
  product = await startProduct(settings);
  headers = await signIn(product.url, operator.email, PASSWORD);
});
afterAll(async () => {
  await product?.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
  await postgres?.dropDatabase('tocsin_large_queries');
  await postgres?.stop();
});

const attack = (aliases: number, first = '') => {
  const lists = Array.from({ length: aliases }, (_, n) => `a${n}:notifications${first}{nodes{uuid}}`);
  return `{notifications${first}{nodes{customer{${lists.join(' ')}}}}}`;
};

async function ask(query: string): Promise<{ status: number; bytes: number; code: string | undefined }> {
  const body = JSON.stringify({ query });
  const answer = await fetch(`${product.url}/graphql`, { method: 'POST', headers, body });
  const text = await answer.text();
  const code = text.length < 10_000 ? JSON.parse(text).errors?.[0]?.extensions.code : undefined;
  return { status: answer.status, bytes: text.length, code };
}

/** Returns the peak memory of the process in MB. */
const mostMemory = () =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${product.child.pid}/status`, 'utf8'))?.[1]) / 1024;

test('refuses expensive queries, limits its memory and serves devices in the meantime', async () => {
  expect(attack(10).length).toBeLessThan(414);
  await ask('{notifications(first:1){nodes{uuid}}}');
  const before = mostMemory();
  let sending = true;
  let sent = 0;
  const devices = (async () => {
    while (sending) {
      const answer = await fetch(`${product.url}/api/v1/ingest/${device.uid}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${device.token}` },
        body: '1=1',
      });
      expect(answer.status).toBe(200);
      sent += 1;
    }
  })();
  const queries = [attack(10), attack(28), attack(28), attack(28), attack(10, '(first:500)')];
  const answers = await Promise.all(queries.map(ask));
  sending = false;
  await devices;
  expect(answers.map(({ code }) => code)).toEqual(Array(queries.length).fill('TOO_COSTLY'));
  expect(sent).toBeGreaterThan(0);
  expect(mostMemory() - before).toBeLessThan(100);
});

test('stops a query while the database sends more rows than the limit', async () => {
  const before = mostMemory();
  const query = '{notifications(first:240){nodes{customer{notifications(first:500){nodes{uuid notifyTime}}}}}}';
  expect(await ask(query)).toMatchObject({ code: 'ANSWER_TOO_LARGE' });
  expect(mostMemory() - before).toBeLessThan(100);
  expect(await ask('{notifications(first:1){nodes{uuid}}}')).toMatchObject({ status: 200, code: undefined });
});
