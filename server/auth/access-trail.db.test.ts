/**
 * The audit trail records sign-ins, failed sign-ins and sign-outs with address and device. A flood of sign-ins does not
 * fill the audit trail.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { disposeTestDatabases } from '../../test/harness/database/database.ts';
import type { CustomerRow, UserRow } from '../../test/harness/database/factories.ts';
import { createCustomer, createUser, serviceQuery, setDefaultCustomer } from '../../test/harness/database/factories.ts';
import type { AuthApp } from '../../test/harness/server/auth-app.ts';
import { base64, startAuthApp } from '../../test/harness/server/auth-app.ts';

const PASSWORD = 'tocsin-demo-plant';
const MINUTE = 60_000;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

let app: AuthApp;
let customer: CustomerRow;
let user: UserRow;

beforeAll(async () => {
  app = await startAuthApp();
  customer = await createCustomer(app.db);
  await setDefaultCustomer(app.db, customer);
});
afterAll(async () => {
  await app.close();
  await disposeTestDatabases();
});
beforeEach(async () => {
  user = await createUser(app.db, { customer, password: PASSWORD, displayName: 'Vera Long' });
});

const trail = (): Promise<any[]> =>
  serviceQuery(
    app.db,
    `select action, noun, tocsin_customer_uuid, tocsin_user_uuid, user_display_name, row_key, before, after from tocsin.audit
     where noun in ('sign_in', 'sign_in_failed', 'sign_out') and row_key = $1 order by id`,
    [user.uuid],
  );
const login = (password: string, address = '192.0.2.9') => {
  const browser = app.browser({ address });
  const body = { email: user.email, password: base64(password) };
  return browser.auth('login', body, { headers: { 'user-agent': FIREFOX } }).then(() => browser);
};

test('records a sign-in, a failed one and a sign-out with address and device', async () => {
  await login('a-wrong-guess');
  await app.auth.idle();
  const browser = await login(PASSWORD);
  await browser.auth('logout', undefined, { headers: { 'user-agent': FIREFOX } });
  const row = (noun: string, who: string | null) => ({
    action: `${noun}.record`,
    noun,
    tocsin_customer_uuid: customer.uuid,
    tocsin_user_uuid: who,
    user_display_name: who ? 'Vera Long' : 'Someone who was not signed in',
    row_key: user.uuid,
    before: null,
    after: { display_name: 'Vera Long', email: user.email, address: '192.0.2.9', device: 'Firefox on Windows' },
  });
  expect(await trail()).toEqual([row('sign_in_failed', null), row('sign_in', user.uuid), row('sign_out', user.uuid)]);
  expect(JSON.stringify(await trail())).not.toMatch(/a-wrong-guess|tocsin-demo-plant/);
});

test('records nothing for a failed sign-in to an unknown account', async () => {
  const count = async () => (await serviceQuery(app.db, 'select count(*)::int as count from tocsin.audit'))[0].count;
  const before = await count();
  await app.browser().login('nobody@plant.example', 'a-wrong-guess');
  await app.auth.idle();
  expect(await count()).toBe(before);
});

test('counts a flood of failed sign-ins in one row after the first five in 15 minutes', async () => {
  for (let i = 0; i < 120; i += 1) await login('a-wrong-guess', `198.51.100.${i % 30}`);
  await app.auth.idle();
  expect(await trail()).toHaveLength(5);
  app.clock.advance(15 * MINUTE);
  await login('a-wrong-guess', '203.0.113.7');
  await app.auth.idle();
  const rows = await trail();
  expect(rows).toHaveLength(7);
  expect(rows[5].after).toEqual({
    display_name: 'Vera Long',
    email: user.email,
    attempts: 115,
    address: '198.51.100.5, 198.51.100.6, 198.51.100.7 and others',
    device: 'Firefox on Windows',
  });
});

test('counts sign-ins in a loop in one row after the first five in 15 minutes', async () => {
  for (let i = 0; i < 40; i += 1) await login(PASSWORD);
  expect(await trail()).toHaveLength(5);
  app.clock.advance(15 * MINUTE);
  await login(PASSWORD);
  await app.auth.idle();
  const rows = await trail();
  expect(rows.map(({ after }) => after.attempts ?? 1)).toEqual([1, 1, 1, 1, 1, 35, 1]);
});

test('writes pending counts when the server stops', async () => {
  const other = await startAuthApp({ database: app.db });
  for (let i = 0; i < 7; i += 1) {
    await other.browser({ address: `192.0.2.${i}` }).login(user.email, 'a-wrong-guess');
  }
  await other.close();
  expect((await trail()).map(({ after }) => after.attempts ?? 1)).toEqual([1, 1, 1, 1, 1, 2]);
});
