import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import type { CustomerRow, UserRow } from '../../test/harness/database/factories.ts';
import { createCustomer, createUser, serviceQuery, setDefaultCustomer } from '../../test/harness/database/factories.ts';
import type { AuthApp, Browser } from '../../test/harness/server/auth-app.ts';
import { base64, startAuthApp } from '../../test/harness/server/auth-app.ts';
import type { Database } from '../platform/database.ts';
import { hashPassword } from './password/password.ts';

const PASSWORD = 'tocsin-demo-plant';
const MINUTE = 60_000;

let db: Database;
let app: AuthApp;
let customer: CustomerRow;
let user: UserRow;
const at = (number: number) => app.browser({ address: `192.0.2.${number}` });
const statuses = async (count: number, call: (index: number) => Promise<{ statusCode: number }>) => {
  const codes: number[] = [];
  for (let index = 0; index < count; index += 1) codes.push((await call(index)).statusCode);
  return codes;
};
const times = (count: number, code: number) => Array.from({ length: count }, () => code);

beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => {
  await db.close();
  await disposeTestDatabases();
});
// Deletes the counted attempts before each test, because all tests use the same addresses.
beforeEach(async () => {
  await serviceQuery(db, 'delete from tocsin_private.attempts');
  app = await startAuthApp({ database: db });
  customer = await createCustomer(app.db);
  await setDefaultCustomer(db, customer);
  user = await createUser(app.db, { customer, password: PASSWORD });
});
afterEach(() => app.close());

describe('sign-ins', () => {
  test('with the right password succeed after ten failures from another address', async () => {
    await statuses(10, () => at(1).login(user.email, 'wrong-password'));
    expect((await at(50).login(user.email, PASSWORD)).statusCode).toBe(200);
  });

  test('with the right password all succeed when forty arrive at once', async () => {
    // Hashes the password at the same cost as in production, so that sign-ins take long enough to wait in the queue.
    const hash = await hashPassword(PASSWORD);
    await serviceQuery(db, 'update tocsin_private.credential set password_hash = $1 where user_uuid = $2', [
      hash,
      user.uuid,
    ]);
    const answers = await Promise.all(times(40, 0).map(() => at(1).login(user.email, PASSWORD)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(times(40, 200));
  });

  test('wait longer after each failure of an address at an account, and the response says how long', async () => {
    expect(await statuses(5, () => at(1).login(user.email, 'wrong-password'))).toEqual(times(5, 401));
    for (const seconds of [2, 4, 8, 16]) {
      const refused = await at(1).login(user.email.toUpperCase(), PASSWORD);
      expect([refused.statusCode, refused.json()]).toEqual([
        429,
        { errorMessage: `Too many attempts. Try again in ${seconds} seconds.` },
      ]);
      expect(refused.headers['retry-after']).toBe(String(seconds));
      app.clock.advance(seconds * 1000);
      expect((await at(1).login(user.email, 'wrong-password')).statusCode).toBe(401);
    }
    app.clock.advance(32_000);
    expect((await at(1).login(user.email, PASSWORD)).statusCode).toBe(200);
    expect(await statuses(6, () => at(1).login(user.email, 'wrong-password')), 'and begin anew').toEqual([
      ...times(5, 401),
      429,
    ]);
  });

  test('at an unknown account get the same responses', async () => {
    const answers = async (email: string) => {
      const found: unknown[] = [];
      for (let index = 0; index < 70; index += 1) {
        const { statusCode, json, headers } = await at(index % 20).login(email, 'wrong-password');
        found.push([statusCode, json(), headers['retry-after'], Object.keys(headers)]);
      }
      return found;
    };
    const known = await answers(user.email);
    expect(await answers('nobody@plant.example')).toEqual(known);
    expect(known.filter(([status]: any) => status === 429).length).toBeGreaterThan(10);
  });

  test('that fail concurrently get no extra tries', async () => {
    const answers = await Promise.all(times(30, 0).map(() => at(1).login(user.email, 'wrong-one')));
    const tried = answers.filter(({ statusCode }) => statusCode === 401);
    expect(tried).toHaveLength(5);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(25);
  });

  test('that change the password are slowed down too, for that user only', async () => {
    const browser: Browser = at(1);
    await browser.login(user.email, PASSWORD);
    const body = {
      uuid: user.uuid,
      ppassword: base64('a-wrong-guess'),
      password: base64('a-brand-new-password'),
      cpassword: base64('a-brand-new-password'),
    };
    const codes = await statuses(6, () => browser.auth('changepassword', body));
    expect(codes).toEqual([...times(5, 400), 429]);
    expect((await at(2).login(user.email, PASSWORD)).statusCode).toBe(200);
  });
});

describe('a known device', () => {
  const attack = async () => {
    const codes = await statuses(60, (index) => at(100 + index).login(user.email, 'wrong-password'));
    expect(codes).toEqual([...times(50, 401), ...times(10, 429)]);
  };

  test('can sign in while others guess passwords of its account', async () => {
    const known = at(1);
    await known.login(user.email, PASSWORD);
    await known.auth('logout');
    await attack();
    await statuses(10, () => at(1).login(user.email, 'wrong-password'));
    expect((await at(1).login(user.email, PASSWORD)).statusCode, 'an unknown device').toBe(429);
    expect((await known.login(user.email, PASSWORD)).statusCode).toBe(200);
  });

  test('is known for one account only', async () => {
    const neighbour = await createUser(app.db, { customer, password: PASSWORD });
    const known = at(1);
    await known.login(neighbour.email, PASSWORD);
    await attack();
    expect((await known.login(user.email, PASSWORD)).statusCode).toBe(429);
  });

  test('that several users share is known for each of them', async () => {
    const neighbour = await createUser(app.db, { customer, password: PASSWORD });
    const shared = at(1);
    await shared.login(user.email, PASSWORD);
    await shared.login(neighbour.email, PASSWORD);
    await attack();
    expect((await shared.login(user.email, PASSWORD)).statusCode).toBe(200);
  });

  test('is unknown after the password was changed elsewhere', async () => {
    const [lost, own] = [at(1), at(2)];
    await lost.login(user.email, PASSWORD);
    await own.login(user.email, PASSWORD);
    const changed = await own.auth('changepassword', {
      uuid: user.uuid,
      ppassword: base64(PASSWORD),
      password: base64('a-brand-new-password'),
    });
    expect(changed.statusCode).toBe(200);
    await attack();
    expect((await lost.login(user.email, 'a-brand-new-password')).statusCode).toBe(429);
    expect(
      (await own.login(user.email, 'a-brand-new-password')).statusCode,
      'on the device that changed the password',
    ).toBe(200);
  });

  test('is slowed down by its own wrong passwords', async () => {
    const known = at(1);
    await known.login(user.email, PASSWORD);
    expect(await statuses(6, () => known.login(user.email, 'wrong-password'))).toEqual([...times(5, 401), 429]);
    app.clock.advance(2000);
    expect((await known.login(user.email, PASSWORD)).statusCode).toBe(200);
  });

  test('has a cookie that scripts cannot read and that lasts half a year', async () => {
    const known = at(1);
    await known.login(user.email, PASSWORD);
    const line = known.lastSetCookies.find((cookie) => cookie.startsWith('tocsin_device='));
    expect(line).toMatch(/; Max-Age=15552000; Path=\/api\/v1\/auth; HttpOnly; SameSite=Lax$/);
    app.clock.advance(180 * 24 * 60 * MINUTE);
    await attack();
    expect((await known.login(user.email, PASSWORD)).statusCode).toBe(429);
  });
});

test('slows down an address after 100 failures at any accounts', async () => {
  const known = await Promise.all(times(10, 0).map(() => createUser(app.db, { customer, password: PASSWORD })));
  const accounts = [
    ...times(10, 0).map((_, index) => `ghost-${index}@plant.example`),
    ...known.map(({ email }) => email),
  ];
  // No account reaches its own limit; only the limit for the address is exceeded.
  const codes = await statuses(101, (index) => at(7).login(accounts[index % 20] as string, 'wrong-password'));
  expect(codes).toEqual([...times(100, 401), 429]);
  expect((await at(7).login(user.email, PASSWORD)).statusCode).toBe(429);
  const code = { email: user.email, otp: '000000', password: base64('a-brand-new-password') };
  expect((await at(7).auth('update', code)).statusCode, 'codes cannot be guessed instead').toBe(429);
  expect((await at(8).login(user.email, PASSWORD)).statusCode, 'another address is not limited').toBe(200);
  app.clock.advance(1000);
  expect((await at(7).login(user.email, PASSWORD)).statusCode, 'a second later').toBe(200);
});

describe('codes', () => {
  test('are sent to an account at most five times an hour, and unknown accounts get the same response', async () => {
    for (const email of [user.email, 'nobody@plant.example']) {
      const codes = await statuses(6, (index) => at(index).auth('forgot', { email }));
      expect(codes).toEqual([...times(5, 200), 429]);
    }
    await app.auth.idle();
    const [sent] = await serviceQuery(app.db, 'select count(*)::int as count from tocsin.outbox where address = $1', [
      user.email,
    ]);
    expect(sent.count).toBe(5);
    app.clock.advance(60 * MINUTE);
    expect((await at(1).auth('forgot', { email: user.email })).statusCode).toBe(200);
  });

  test('share one limit across host names and calls', async () => {
    const codes = await statuses(6, (index) =>
      app
        .browser({ host: `host-${index}.example`, address: `192.0.2.${index}` })
        .auth(index % 2 ? 'verify' : 'forgot', { email: user.email }),
    );
    expect(codes).toEqual([...times(5, 200), 429]);
  });

  test('are sent on request of one address at most 20 times an hour', async () => {
    const codes = await statuses(21, (index) => at(7).auth('forgot', { email: `ghost-${index}@plant.example` }));
    expect(codes).toEqual([...times(20, 200), 429]);
    expect((await at(7).auth('verify', { email: user.email })).statusCode).toBe(429);
  });

  test('make the device known when they are used, even while others guess passwords', async () => {
    const browser = at(1);
    await statuses(60, (index) => at(100 + index).login(user.email, 'wrong-password'));
    expect((await browser.login(user.email, PASSWORD)).statusCode).toBe(429);
    await browser.auth('forgot', { email: user.email });
    await app.auth.idle();
    const [mail] = await serviceQuery(app.db, 'select body from tocsin.outbox where address = $1', [user.email]);
    const otp = /\b\d{6}\b/.exec(mail.body)![0];
    await browser.auth('update', { email: user.email, otp, password: base64('a-brand-new-password') });
    expect((await browser.login(user.email, 'a-brand-new-password')).statusCode).toBe(200);
  });
});
