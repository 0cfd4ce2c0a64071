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
  test('gives the person with exactly what the policies need', async () => {
    const { browser, user } = await signIn({ level: 7, partnerAccount: true });
    expect((await browser.get('/guarded')).json()).toEqual({
      person: { uuid: user.uuid, customerUuid: customer.uuid, level: 7, partnerAccount: true },
    });
  });

  test('ends when nobody used it for 12 hours', async () => {
    const { browser } = await signIn();
    app.clock.advance(SESSION_IDLE_MS - 1);
    expect(await statusOf(browser)).toBe(200);
    app.clock.advance(SESSION_IDLE_MS - 1);
    expect(await statusOf(browser), 'using it counts').toBe(200);
    app.clock.advance(SESSION_IDLE_MS);
    expect(await statusOf(browser)).toBe(401);
    expect((await browser.get('/api/v1/auth/login')).json()).toEqual({ loggedIn: false, user: null });
  });

  test('ends after seven days, however much it is used', async () => {
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

  test('writes its last use at most once a minute', async () => {
    const { browser, user } = await signIn();
    const began = app.clock.now().getTime();
    app.clock.advance(LAST_SEEN_EVERY_MS - 1);
    await statusOf(browser);
    expect(await lastSeenOf(user)).toBe(began);
    app.clock.advance(1);
    await statusOf(browser);
    expect(await lastSeenOf(user)).toBe(began + LAST_SEEN_EVERY_MS);
  });

  test('ends at once when the person is disabled, and does not come back', async () => {
    const { browser, user } = await signIn();
    await serviceQuery(app.db, 'update tocsin.user set status = false where uuid = $1', [user.uuid]);
    expect(await statusOf(browser)).toBe(401);
    await serviceQuery(app.db, 'update tocsin.user set status = true where uuid = $1', [user.uuid]);
    expect(await statusOf(browser)).toBe(401);
  });

  test('ends when the person gets another address', async () => {
    const { browser, user } = await signIn();
    await serviceQuery(app.db, "update tocsin.user set email = 'moved-' || email where uuid = $1", [user.uuid]);
    expect(await statusOf(browser)).toBe(401);
  });

  test('ends when the person is deleted', async () => {
    const { browser, user } = await signIn();
    await serviceQuery(app.db, 'delete from tocsin.user where uuid = $1', [user.uuid]);
    expect(await statusOf(browser)).toBe(401);
  });

  test('rests while the customer is disabled', async () => {
    const closing = await createCustomer(app.db);
    const { browser } = await signIn({ customer: closing });
    await serviceQuery(app.db, 'update tocsin.customer set status = 0 where uuid = $1', [closing.uuid]);
    expect(await statusOf(browser)).toBe(401);
  });

  test('knows a new level with the next request', async () => {
    const { browser, user } = await signIn({ level: 20 });
    await serviceQuery(app.db, 'update tocsin.user set level = 30 where uuid = $1', [user.uuid]);
    expect((await browser.get('/guarded')).json().person.level).toBe(30);
  });
});

describe('the guards', () => {
  test('refuse a visitor, and any cookie that is no token of ours', async () => {
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

  test('ask for the XSRF token on what changes something, and not on what reads', async () => {
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

  test('take the token from the header only, and only the one of this session', async () => {
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

  test('refuse a foreign origin, signed in or not, and let our own pass', async () => {
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

  test('let a browser with an ended session sign in again, whatever tokens it holds', async () => {
    const { browser, user } = await signIn();
    app.clock.advance(SESSION_IDLE_MS);
    browser.cookies.set('XSRF-TOKEN', 'from.before');
    expect((await browser.login(user.email, PASSWORD)).statusCode).toBe(200);
    expect((await browser.post('/guarded', {})).statusCode).toBe(200);
  });

  test('protect a live session from a login that another page started', async () => {
    const { browser, user } = await signIn();
    const body = { email: user.email, password: Buffer.from(PASSWORD).toString('base64') };
    expect((await browser.auth('login', body, { xsrf: false })).statusCode).toBe(403);
  });
});
