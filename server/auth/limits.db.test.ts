import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AuthApp, Browser } from '../../test/harness/auth-app.ts';
import { base64, startAuthApp } from '../../test/harness/auth-app.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database.ts';
import type { CustomerRow, UserRow } from '../../test/harness/factories.ts';
import { createCustomer, createUser, serviceQuery, setDefaultCustomer } from '../../test/harness/factories.ts';
import type { Database } from '../platform/database.ts';

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
// The counts are in the server's memory, so each test has its own; the customer and its people are new as well.
beforeEach(async () => {
  app = await startAuthApp({ database: db });
  customer = await createCustomer(app.db);
  await setDefaultCustomer(db, customer);
  user = await createUser(app.db, { customer, password: PASSWORD });
});
afterEach(() => app.close());

describe('sign-ins', () => {
  test('of one account are refused after ten failures from anywhere, for 15 minutes', async () => {
    expect(await statuses(10, (index) => at(index).login(user.email, 'wrong-password'))).toEqual(times(10, 401));
    const refused = await at(50).login(user.email.toUpperCase(), PASSWORD);
    expect([refused.statusCode, refused.json()]).toEqual([
      429,
      { errorMessage: 'Too many attempts. Try again in 15 minutes.' },
    ]);
    expect(refused.headers['retry-after']).toBe('900');
    const neighbour = await createUser(app.db, { customer, password: PASSWORD });
    expect((await at(50).login(neighbour.email, PASSWORD)).statusCode, 'others are not concerned').toBe(200);
    app.clock.advance(15 * MINUTE);
    expect((await at(50).login(user.email, PASSWORD)).statusCode).toBe(200);
  });

  test('of an account that does not exist are refused just the same', async () => {
    const ghost = 'nobody@plant.example';
    expect(await statuses(11, (index) => at(index).login(ghost, 'wrong-password'))).toEqual([...times(10, 401), 429]);
  });

  test('that succeed begin the count anew', async () => {
    await statuses(9, () => at(1).login(user.email, 'wrong-password'));
    expect((await at(1).login(user.email, PASSWORD)).statusCode).toBe(200);
    expect(await statuses(10, () => at(1).login(user.email, 'wrong-password'))).toEqual(times(10, 401));
  });

  test('many at once are no more than ten', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => at(index).login(user.email, 'wrong-one')),
    );
    const codes = answers.map(({ statusCode }) => statusCode);
    expect(codes.filter((code) => code === 401)).toHaveLength(10);
    expect(codes.filter((code) => code === 429)).toHaveLength(20);
  });

  test('with a changed password are counted too', async () => {
    const browser: Browser = at(1);
    await browser.login(user.email, PASSWORD);
    const body = {
      uuid: user.uuid,
      ppassword: base64('a-wrong-guess'),
      password: base64('a-brand-new-password'),
      cpassword: base64('a-brand-new-password'),
    };
    const codes = await statuses(11, () => browser.auth('changepassword', body));
    expect(codes).toEqual([...times(10, 400), 429]);
  });
});

test('one address gets 100 failures in 15 minutes, whatever accounts it tries', async () => {
  const known = await Promise.all(times(10, 0).map(() => createUser(app.db, { customer, password: PASSWORD })));
  const accounts = [
    ...times(10, 0).map((_, index) => `ghost-${index}@plant.example`),
    ...known.map(({ email }) => email),
  ];
  // Fewer of each than one account has by itself.
  const codes = await statuses(101, (index) => at(7).login(accounts[index % 20] as string, 'wrong-password'));
  expect(codes).toEqual([...times(100, 401), 429]);
  expect((await at(7).login(user.email, PASSWORD)).statusCode).toBe(429);
  const code = { email: user.email, otp: '000000', password: base64('a-brand-new-password') };
  expect((await at(7).auth('update', code)).statusCode, 'guessing codes is no way round').toBe(429);
  expect((await at(8).login(user.email, PASSWORD)).statusCode, 'others are not concerned').toBe(200);
});

describe('codes', () => {
  test('go to one account at most five times an hour, and to nobody just the same', async () => {
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

  test('are not had more often by other host names or by the other call', async () => {
    const codes = await statuses(6, (index) =>
      app
        .browser({ host: `host-${index}.example`, address: `192.0.2.${index}` })
        .auth(index % 2 ? 'verify' : 'forgot', { email: user.email }),
    );
    expect(codes).toEqual([...times(5, 200), 429]);
  });

  test('are had from one address at most 20 times an hour', async () => {
    const codes = await statuses(21, (index) => at(7).auth('forgot', { email: `ghost-${index}@plant.example` }));
    expect(codes).toEqual([...times(20, 200), 429]);
    expect((await at(7).auth('verify', { email: user.email })).statusCode).toBe(429);
  });

  test('that were used free the account that too many guesses had locked', async () => {
    await statuses(10, () => at(1).login(user.email, 'wrong-password'));
    expect((await at(1).login(user.email, PASSWORD)).statusCode).toBe(429);
    await at(1).auth('forgot', { email: user.email });
    await app.auth.idle();
    const [mail] = await serviceQuery(app.db, 'select body from tocsin.outbox where address = $1', [user.email]);
    const otp = /\b\d{6}\b/.exec(mail.body)![0];
    await at(1).auth('update', { email: user.email, otp, password: base64('a-brand-new-password') });
    expect((await at(1).login(user.email, 'a-brand-new-password')).statusCode).toBe(200);
  });
});
