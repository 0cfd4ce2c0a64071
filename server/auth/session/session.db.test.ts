import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposeTestDatabases } from '../../../test/harness/database/database.ts';
import type { CustomerRow, UserRow } from '../../../test/harness/database/factories.ts';
import { createCustomer, createUser, serviceQuery } from '../../../test/harness/database/factories.ts';
import type { AuthApp, Browser } from '../../../test/harness/server/auth-app.ts';
import { startAuthApp } from '../../../test/harness/server/auth-app.ts';
import { LAST_SEEN_EVERY_MS, SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from './session.ts';

const PASSWORD = 'tocsin-demo-plant';
const HOUR = 3_600_000;

let app: AuthApp;
let customer: CustomerRow;

beforeAll(async () => {
  app = await startAuthApp();
  customer = await createCustomer(app.db);
});
afterAll(async () => {
  await app.close();
  await disposeTestDatabases();
});

async function signIn(
  more: Partial<Parameters<typeof createUser>[1]> = {},
): Promise<{ browser: Browser; user: UserRow }> {
  const user = await createUser(app.db, { customer, password: PASSWORD, ...more });
  const browser = app.browser();
  const response = await browser.login(user.email, PASSWORD, { tocsin_customer_id: user.tocsin_customer_uuid });
  expect(response.statusCode).toBe(200);
  return { browser, user };
}

const statusOf = async (browser: Browser) => (await browser.get('/guarded')).statusCode;
const lastSeenOf = async (user: UserRow): Promise<number> => {
  const rows = await serviceQuery(app.db, 'select last_seen_at from tocsin_private.session where user_uuid = $1', [
    user.uuid,
  ]);
  return rows[0].last_seen_at.getTime();
};

describe('a session', () => {
  test('returns the user with everything that the policies need', async () => {
    const { browser, user } = await signIn({ level: 7, partnerAccount: true });
    expect((await browser.get('/guarded')).json()).toEqual({
      person: { uuid: user.uuid, customerUuid: customer.uuid, level: 7, partnerAccount: true },
    });
  });

  test('ends after 12 hours without use', async () => {
    const { browser } = await signIn();
    app.clock.advance(SESSION_IDLE_MS - 1);
    expect(await statusOf(browser)).toBe(200);
    app.clock.advance(SESSION_IDLE_MS - 1);
    expect(await statusOf(browser), 'using it counts').toBe(200);
    app.clock.advance(SESSION_IDLE_MS);
    expect(await statusOf(browser)).toBe(401);
    expect((await browser.get('/api/v1/auth/login')).json()).toEqual({ loggedIn: false, user: null });
  });

  test('ends after seven days of use', async () => {
    const { browser } = await signIn();
    for (let hours = 0; hours < SESSION_ABSOLUTE_MS / HOUR - 1; hours += 1) {
      app.clock.advance(HOUR);
      if (hours % 6 === 0) expect(await statusOf(browser)).toBe(200);
    }
    app.clock.advance(HOUR - 1);
    expect(await statusOf(browser)).toBe(200);
    app.clock.advance(1);
    expect(await statusOf(browser)).toBe(401);
  });

  test('stores its last use at most once a minute', async () => {
    const { browser, user } = await signIn();
    const began = app.clock.now().getTime();
    app.clock.advance(LAST_SEEN_EVERY_MS - 1);
    await statusOf(browser);
    expect(await lastSeenOf(user)).toBe(began);
    app.clock.advance(1);
    await statusOf(browser);
    expect(await lastSeenOf(user)).toBe(began + LAST_SEEN_EVERY_MS);
  });

  test('ends at once when the user is disabled, and stays ended', async () => {
    const { browser, user } = await signIn();
    await serviceQuery(app.db, 'update tocsin.user set status = false where uuid = $1', [user.uuid]);
    expect(await statusOf(browser)).toBe(401);
    await serviceQuery(app.db, 'update tocsin.user set status = true where uuid = $1', [user.uuid]);
    expect(await statusOf(browser)).toBe(401);
  });

  test('ends when the user’s address changes', async () => {
    const { browser, user } = await signIn();
    await serviceQuery(app.db, "update tocsin.user set email = 'moved-' || email where uuid = $1", [user.uuid]);
    expect(await statusOf(browser)).toBe(401);
  });

  test('ends when the user is deleted', async () => {
    const { browser, user } = await signIn();
    await serviceQuery(app.db, 'delete from tocsin.user where uuid = $1', [user.uuid]);
    expect(await statusOf(browser)).toBe(401);
  });

  test('is refused while the customer is disabled', async () => {
    const closing = await createCustomer(app.db);
    const { browser } = await signIn({ customer: closing });
    await serviceQuery(app.db, 'update tocsin.customer set status = 0 where uuid = $1', [closing.uuid]);
    expect(await statusOf(browser)).toBe(401);
  });

  test('has a new level with the next request', async () => {
    const { browser, user } = await signIn({ level: 20 });
    await serviceQuery(app.db, 'update tocsin.user set level = 30 where uuid = $1', [user.uuid]);
    expect((await browser.get('/guarded')).json().person.level).toBe(30);
  });
});

describe('the guards', () => {
  test('refuse a visitor and any cookie that is not a session token', async () => {
    for (const cookie of [undefined, '', 'short', 'x'.repeat(43), 'x'.repeat(5000), "'; drop table session; --"]) {
      const browser = app.browser();
      if (cookie !== undefined) browser.cookies.set('tocsin_session', encodeURIComponent(cookie));
      const response = await browser.get('/guarded');
      expect([response.statusCode, response.json()], String(cookie)).toEqual([
        401,
        { errorMessage: 'You are not signed in. Sign in first.' },
      ]);
    }
  });

  test('require the XSRF token for changes, and not for reads', async () => {
    const { browser } = await signIn();
    expect((await browser.get('/guarded')).statusCode).toBe(200);
    expect((await browser.post('/guarded', {})).statusCode).toBe(200);
    const refused = await browser.post('/guarded', {}, { xsrf: false });
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      {
        errorMessage:
          'This request could not be matched to your session: the header X-XSRF-TOKEN with the value of the cookie XSRF-TOKEN is missing. Reload the page and try again.',
      },
    ]);
  });

  test('accept the token only from the header, and only the session’s own', async () => {
    const mine = await signIn();
    const theirs = await signIn();
    const post = (token: string) =>
      mine.browser.post('/guarded', {}, { xsrf: false, headers: { 'x-xsrf-token': token } });
    expect((await post(mine.browser.cookies.get('XSRF-TOKEN')!)).statusCode).toBe(200);
    expect((await post(theirs.browser.cookies.get('XSRF-TOKEN')!)).statusCode).toBe(403);
    expect((await post('')).statusCode).toBe(403);
    const inTheBody = { 'XSRF-TOKEN': mine.browser.cookies.get('XSRF-TOKEN') };
    expect((await mine.browser.post('/guarded', inTheBody, { xsrf: false })).statusCode).toBe(403);
  });

  test('refuse a foreign origin with or without a session, and accept the console origin', async () => {
    const { browser, user } = await signIn();
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'garbage']) {
      const guarded = await browser.post('/guarded', {}, { headers: { origin } });
      expect(guarded.statusCode, origin).toBe(403);
      const login = await app.browser().auth('login', { email: user.email, password: 'eA==' }, { headers: { origin } });
      expect([login.statusCode, login.json()], origin).toEqual([
        403,
        { errorMessage: 'This request came from another site and was refused.' },
      ]);
    }
    for (const origin of ['http://localhost:8080', 'http://localhost:5173']) {
      expect((await browser.post('/guarded', {}, { headers: { origin } })).statusCode, origin).toBe(200);
    }
    const body = { email: user.email };
    const atPublicUrl = await app.browser().auth('forgot', body, { headers: { origin: 'https://console.example' } });
    expect(atPublicUrl.statusCode).toBe(200);
  });

  test('allow sign-in for a browser with an ended session, whatever tokens it has', async () => {
    const { browser, user } = await signIn();
    app.clock.advance(SESSION_IDLE_MS);
    browser.cookies.set('XSRF-TOKEN', 'from.before');
    expect((await browser.login(user.email, PASSWORD)).statusCode).toBe(200);
    expect((await browser.post('/guarded', {})).statusCode).toBe(200);
  });

  test('refuse a login from another page during a session', async () => {
    const { browser, user } = await signIn();
    const body = { email: user.email, password: Buffer.from(PASSWORD).toString('base64') };
    expect((await browser.auth('login', body, { xsrf: false })).statusCode).toBe(403);
  });
});
