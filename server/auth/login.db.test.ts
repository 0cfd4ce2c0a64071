import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposeTestDatabases } from '../../test/harness/database/database.ts';
import type { CustomerRow, UserRow } from '../../test/harness/database/factories.ts';
import {
  createCustomer,
  createPartner,
  createUser,
  serviceQuery,
  setDefaultCustomer,
} from '../../test/harness/database/factories.ts';
import type { AuthApp } from '../../test/harness/server/auth-app.ts';
import { base64, startAuthApp } from '../../test/harness/server/auth-app.ts';

const PASSWORD = 'tocsin-demo-plant';
const WRONG = { errorMessage: 'The e-mail address or the password is wrong.' };

let app: AuthApp;
let customer: CustomerRow;
let other: CustomerRow;
let user: UserRow;

const sessionsOf = (uuid: string) =>
  serviceQuery(app.db, 'select * from tocsin_private.session where user_uuid = $1', [uuid]);

beforeAll(async () => {
  app = await startAuthApp();
  const partner = await createPartner(app.db);
  // The default customer is not the oldest one, so that the test fails if the server uses the oldest customer by
  // mistake.
  other = await createCustomer(app.db, { partner, endPoint: 'Other.Example' });
  customer = await createCustomer(app.db, { partner, name: 'North Water', timeZone: 'Europe/Berlin' });
  await setDefaultCustomer(app.db, customer);
  user = await createUser(app.db, {
    customer,
    level: 5,
    password: PASSWORD,
    email: 'Vera@north.example',
    displayName: 'Vera Long',
  });
});
afterAll(async () => {
  await app.close();
  await disposeTestDatabases();
});

describe('a successful login', () => {
  test('returns the user and sets the cookies for session, XSRF and device', async () => {
    const browser = app.browser();
    const response = await browser.login('vera@NORTH.example', PASSWORD, { tocsin_customer_id: customer.id });
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toEqual({
      message: 'You are signed in.',
      id: user.uuid,
      uuid: user.uuid,
      display_name: 'Vera Long',
      username: user.username,
      email: 'Vera@north.example',
      level: 5,
      user_level: -5,
      otp: null,
      email_notification: true,
      whatsapp_notification: false,
      sms_notification: false,
      apps_notification: false,
      varified: true,
      status: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updated_at: expect.stringMatching(/Z$/),
      tocsin_partner_id: customer.tocsin_partner_id,
      tocsin_customer_id: customer.id,
      reset_password: 0,
      tocsin_partner_account: false,
      start_page: null,
      locale: '',
      tocsin_partner: {
        id: customer.tocsin_partner_id,
        name: expect.any(String),
        email: '',
        end_point: '',
        phone: '',
        status: 1,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
      tocsin_customer: {
        id: customer.id,
        name: 'North Water',
        email: '',
        end_point: '',
        phone: '',
        status: 1,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        tocsin_partner_id: customer.tocsin_partner_id,
        table_name: expect.any(String),
        time_zone: 'Europe/Berlin',
        group2_name: '',
        group3_name: '',
        group4_name: '',
        group5_name: '',
      },
    });
    expect(browser.lastSetCookies).toHaveLength(3);
    expect(browser.lastSetCookies[0]).toMatch(
      /^tocsin_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(browser.lastSetCookies[1]).toMatch(/^XSRF-TOKEN=[\w-]+\.[\w-]+; Max-Age=604800; Path=\/; SameSite=Lax$/);
    expect(browser.lastSetCookies[2]).toMatch(/^tocsin_device=/);
  });

  test('stores only a hash of the token', async () => {
    const browser = app.browser({ address: '192.0.2.9' });
    await browser.auth(
      'login',
      { email: user.email, password: base64(PASSWORD) },
      { headers: { 'user-agent': 'x'.repeat(1000) } },
    );
    const rows = await sessionsOf(user.uuid);
    const newest = rows.find(({ address }) => address === '192.0.2.9');
    expect(newest.user_agent).toHaveLength(300);
    expect(newest.token_hash).toHaveLength(32);
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get('tocsin_session'));
  });

  test('replaces the browser’s earlier session and token', async () => {
    const browser = app.browser();
    await browser.login(user.email, PASSWORD);
    const first = new Map(browser.cookies);
    expect((await browser.login(user.email, PASSWORD)).statusCode).toBe(200);
    expect(browser.cookies.get('tocsin_session')).not.toBe(first.get('tocsin_session'));
    expect(browser.cookies.get('XSRF-TOKEN')).not.toBe(first.get('XSRF-TOKEN'));
    const old = app.browser();
    for (const [name, value] of first) old.cookies.set(name, value);
    expect((await old.get('/api/v1/auth/login')).json()).toEqual({ loggedIn: false, user: null });
  });

  test('ignores unknown fields', async () => {
    const response = await app.browser().login(user.email, PASSWORD, { remember: true, otp: 12345, nested: { a: 1 } });
    expect(response.statusCode).toBe(200);
  });

  test('behind TLS sets Secure cookies', async () => {
    const proxied = await startAuthApp({ trustProxy: ['127.0.0.1'] });
    const owner = await createUser(proxied.db, { customer: await createCustomer(proxied.db), password: PASSWORD });
    const login = async (address: string) => {
      const browser = proxied.browser({ address });
      const body = { email: owner.email, password: base64(PASSWORD) };
      await browser.auth('login', body, { headers: { 'x-forwarded-proto': 'https' } });
      return browser.lastSetCookies.map((line) => line.includes('; Secure'));
    };
    expect(await login('127.0.0.1')).toEqual([true, true, true]);
    expect(await login('192.0.2.1'), 'from an address that is not a trusted proxy').toEqual([false, false, false]);
    await proxied.close();
  });
});

describe('a failed login', () => {
  test('gets the same response for every cause, and no cookie', async () => {
    const disabled = await createUser(app.db, { customer, password: PASSWORD, status: false });
    const invited = await createUser(app.db, { customer, varified: false });
    const closed = await createCustomer(app.db, { status: 0 });
    const ofClosed = await createUser(app.db, { customer: closed, password: PASSWORD });
    const ofOther = await createUser(app.db, { customer: other, password: PASSWORD });
    const attempts: [string, string, string, Record<string, unknown>?][] = [
      ['an unknown account', 'nobody@north.example', PASSWORD],
      ['a wrong password', user.email, 'another-password'],
      ['a disabled user', disabled.email, PASSWORD],
      ['a user without a password yet', invited.email, PASSWORD],
      ['a user of a disabled customer', ofClosed.email, PASSWORD, { tocsin_customer_id: closed.id }],
      ["another customer's user", ofOther.email, PASSWORD],
      ['an unknown customer', user.email, PASSWORD, { tocsin_customer_id: 999_999 }],
      ['a customer that is no id', user.email, PASSWORD, { tocsin_customer_id: 'north' }],
    ];
    for (const [what, email, password, more] of attempts) {
      const browser = app.browser();
      const response = await browser.login(email, password, more);
      expect([response.statusCode, response.json()], what).toEqual([401, WRONG]);
      expect(browser.lastSetCookies, what).toEqual([]);
    }
  });

  test('of an unverified user with the right password returns the user and opens no session', async () => {
    const waiting = await createUser(app.db, { customer, password: PASSWORD, varified: false });
    const browser = app.browser();
    const response = await browser.login(waiting.email, PASSWORD);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toEqual({
      errorMessage: 'Your e-mail address is not confirmed yet. Confirm it with the code we send you.',
      user: {
        uuid: waiting.uuid,
        email: waiting.email,
        username: waiting.username,
        display_name: waiting.display_name,
      },
    });
    expect(browser.cookies.size).toBe(0);
    expect(await sessionsOf(waiting.uuid)).toEqual([]);
    expect(
      (await browser.login(waiting.email, 'another-password')).json(),
      'a wrong password gets the general message',
    ).toEqual(WRONG);
  });
});

describe('login status', () => {
  test('of a visitor is signed out, without a cookie', async () => {
    const browser = app.browser();
    const response = await browser.get('/api/v1/auth/login');
    expect([response.statusCode, response.json()]).toEqual([200, { loggedIn: false, user: null }]);
    expect(browser.lastSetCookies).toEqual([]);
  });

  test('of a signed-in user returns the user', async () => {
    const browser = app.browser();
    const { message, ...person } = (await browser.login(user.email, PASSWORD)).json();
    const response = await browser.get('/api/v1/auth/login');
    expect(message).toBeDefined();
    expect(response.json()).toEqual({ loggedIn: true, user: person });
    expect(browser.lastSetCookies, 'nothing to renew').toEqual([]);
  });

  test('replaces a missing or foreign XSRF cookie', async () => {
    const browser = app.browser();
    await browser.login(user.email, PASSWORD);
    for (const broken of [undefined, 'nonsense', 'some.token']) {
      if (broken === undefined) browser.cookies.delete('XSRF-TOKEN');
      else browser.cookies.set('XSRF-TOKEN', broken);
      await browser.get('/api/v1/auth/login');
      expect((await browser.post('/guarded', {})).statusCode, String(broken)).toBe(200);
    }
  });

  test('clears cookies of an ended session', async () => {
    const browser = app.browser();
    browser.cookies.set('tocsin_session', 'x'.repeat(43));
    browser.cookies.set('XSRF-TOKEN', 'old');
    expect((await browser.get('/api/v1/auth/login')).json().loggedIn).toBe(false);
    expect([...browser.cookies.keys()]).toEqual([]);
  });
});

describe('logout', () => {
  test('ends the session on the server and clears the cookies', async () => {
    const browser = app.browser();
    await browser.login(user.email, PASSWORD);
    const kept = new Map(browser.cookies);
    const response = await browser.auth('logout', undefined);
    expect([response.statusCode, response.json()]).toEqual([200, { message: 'You are signed out.' }]);
    expect([...browser.cookies.keys()], 'the cookie of the known device stays').toEqual(['tocsin_device']);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect((await browser.get('/guarded')).statusCode).toBe(401);
  });

  test('keeps other sessions of the user', async () => {
    const [here, there] = [app.browser(), app.browser()];
    await here.login(user.email, PASSWORD);
    await there.login(user.email, PASSWORD);
    await here.auth('logout');
    expect((await there.get('/guarded')).statusCode).toBe(200);
  });

  test('needs the XSRF token of the session', async () => {
    const browser = app.browser();
    await browser.login(user.email, PASSWORD);
    expect((await browser.auth('logout', {}, { xsrf: false })).statusCode).toBe(403);
    expect((await browser.get('/guarded')).statusCode, 'still signed in').toBe(200);
  });

  test('succeeds without a session', async () => {
    expect((await app.browser().auth('logout')).statusCode).toBe(200);
    const stale = app.browser();
    stale.cookies.set('tocsin_session', 'y'.repeat(43));
    expect((await stale.auth('logout')).statusCode).toBe(200);
    expect(stale.cookies.size).toBe(0);
  });
});

describe('the bypass', () => {
  test('does not exist outside a demo', async () => {
    expect((await app.browser().auth('bypass')).statusCode).toBe(404);
  });

  test('signs in the level-100 visitor of customer 3 in a demo', async () => {
    const demo = await startAuthApp({ demo: true });
    expect((await demo.browser().auth('bypass')).json()).toEqual({
      errorMessage: 'This demo has no visitor account.',
    });
    const partner = await createPartner(demo.db, { id: 2 });
    const third = await createCustomer(demo.db, { id: 3, partner });
    const visitor = await createUser(demo.db, { customer: third, level: 100, email: 'bypass@demo.example' });
    const browser = demo.browser();
    const response = await browser.auth('bypass');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      uuid: visitor.uuid,
      level: 100,
      user_level: 90,
      tocsin_customer_id: 3,
      tocsin_partner_id: 2,
    });
    expect((await browser.get('/guarded')).json().person).toEqual({
      uuid: visitor.uuid,
      customerUuid: third.uuid,
      level: 100,
      partnerAccount: false,
    });
    await demo.close();
  });
});
