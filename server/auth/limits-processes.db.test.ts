/** All processes of one database share the counts of attempts, and the counts survive restarts. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Limit, Slowdown } from '../../domain/attempts.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import type { CustomerRow } from '../../test/harness/database/factories.ts';
import { createCustomer, createUser, serviceQuery, setDefaultCustomer } from '../../test/harness/database/factories.ts';
import { isLong } from '../../test/harness/long.ts';
import { type AuthApp, startAuthApp } from '../../test/harness/server/auth-app.ts';
import type { Database } from '../platform/database.ts';
import type { LimitSettings } from './limits.ts';
import { hashPassword } from './password/password.ts';

const PASSWORD = 'tocsin-demo-plant';
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const PROCESSES = 3;
const RUNS = isLong ? 60 : 8;

/** Low limits, so that short sequences reach each of them. */
const limits: LimitSettings = {
  failuresPerAccountAndAddress: { free: 3, firstMs: 2 * SECOND, mostMs: 30 * SECOND },
  failuresPerAccount: { free: 5, firstMs: SECOND, mostMs: 8 * SECOND },
  failuresPerAddress: { free: 7, firstMs: SECOND, mostMs: 8 * SECOND },
  failuresPerDevice: { free: 3, firstMs: 2 * SECOND, mostMs: 10 * SECOND },
  codesPerAccount: { most: 2, perMs: HOUR },
  codesPerAccountAndDay: { most: 4, perMs: 24 * HOUR },
  codesPerAddress: { most: 5, perMs: HOUR },
};

let db: Database;
let customer: CustomerRow;
let processes: AuthApp[] = [];
const start = async (settings: Partial<LimitSettings> = {}) => startAuthApp({ database: db, limits: settings });
const startAll = async (settings?: Partial<LimitSettings>) => {
  processes = await Promise.all(Array.from({ length: PROCESSES }, () => start(settings)));
};
const stopAll = async () => {
  await Promise.all(processes.map((app) => app.close()));
  processes = [];
};
const advance = (milliseconds: number) => {
  for (const { clock } of processes) clock.advance(milliseconds);
};

beforeAll(async () => {
  db = await openTestDatabase();
  customer = await createCustomer(db);
  await setDefaultCustomer(db, customer);
});
afterAll(async () => {
  await db.close();
  await disposeTestDatabases();
});
beforeEach(async () => {
  await serviceQuery(db, 'delete from tocsin_private.attempts');
});
afterEach(stopAll);

/** Reference model of the limits: a single process that keeps all counts in memory and follows decision 0027. */
class Model {
  #now = 0;
  readonly #failures = new Map<string, { count: number; until: number; ends: number }>();
  readonly #codes = new Map<string, { count: number; ends: number }>();

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /**
   * Returns the seconds to wait, or 0 if the attempt is allowed. An allowed attempt with a wrong password counts as a
   * failure for all keys. An allowed attempt with the right password clears the failures of the keys in `cleared`.
   */
  attempt(keys: Record<string, Slowdown>, right: boolean, cleared: readonly string[]): number {
    const known = Object.keys(keys).map((key) => this.#failures.get(key)?.until ?? 0);
    const wait = Math.max(...known) - this.#now;
    if (wait > 0) return Math.ceil(wait / SECOND);
    if (right) for (const key of cleared) this.#failures.delete(key);
    else for (const [key, slowdown] of Object.entries(keys)) this.#fail(key, slowdown);
    return 0;
  }

  #fail(key: string, { free, firstMs, mostMs }: Slowdown): void {
    const before = this.#failures.get(key);
    const count = before && before.ends > this.#now ? before.count + 1 : 1;
    const wait = count < free ? 0 : Math.min(mostMs, firstMs * 2 ** (count - free));
    this.#failures.set(key, { count, until: this.#now + wait, ends: this.#now + HOUR });
  }

  code(keys: readonly (readonly [string, Limit])[]): number {
    for (const [key, { most, perMs }] of keys) {
      const before = this.#codes.get(key);
      const entry = before && before.ends > this.#now ? before : { count: 0, ends: this.#now + perMs };
      if (entry.count >= most) return Math.ceil((entry.ends - this.#now) / SECOND);
      this.#codes.set(key, { ...entry, count: entry.count + 1 });
    }
    return 0;
  }
}

interface Step {
  what: 'sign-in' | 'code' | 'wait' | 'restart';
  process: number;
  account: number;
  spelling: number;
  browser: number;
  right: boolean;
  waitMs: number;
}

const steps = fc.array(
  fc.record<Step>({
    what: fc.constantFrom(
      'sign-in',
      'sign-in',
      'sign-in',
      'sign-in',
      'sign-in',
      'sign-in',
      'code',
      'code',
      'wait',
      'restart',
    ),
    process: fc.nat(PROCESSES - 1),
    account: fc.constantFrom(0, 0, 0, 1, 2),
    spelling: fc.nat(3),
    browser: fc.constantFrom(0, 0, 0, 1, 2),
    right: fc.constantFrom(false, false, false, false, true),
    waitMs: fc.constantFrom(1, 999, 1000, 2000, 4000, 8000, 30_000, 10 * 60_000, HOUR - 1, HOUR),
  }),
  { minLength: 15, maxLength: 45, size: 'max' },
);
const spellings = [
  (email: string) => email,
  (email: string) => email.toUpperCase(),
  (email: string) => ` ${email}`,
  (email: string) => `${email.replace('plant', 'PLANT')} `,
];

let runs = 0;

test('three processes respond to every sequence of sign-ins, codes, waits and restarts like a single process', {
  timeout: 600_000,
}, async () => {
  const seen = { allowed: 0, refused: 0, known: 0, codesRefused: 0 };
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      runs += 1;
      await startAll(limits);
      const model = new Model();
      const emails = [`nina${runs}@plant.example`, `ina${runs}@plant.example`];
      for (const email of emails) await createUser(db, { customer, email, password: PASSWORD });
      emails.push(`ghost-i${runs}@plant.example`);
      // Browsers 0 and 1 share an address.
      const browsers = [0, 0, 1].map((address) => ({
        address: `10.${runs >> 8}.${runs & 255}.${address}`,
        cookies: new Map<string, string>(),
        devices: new Map<number, number>(),
      }));
      for (const [index, step] of sequence.entries()) {
        const { account, right, waitMs } = step;
        const app = processes[step.process]!;
        const browser = browsers[step.browser]!;
        if (step.what === 'wait') {
          advance(waitMs);
          model.advance(waitMs);
          continue;
        }
        if (step.what === 'restart') {
          const next = await start(limits);
          next.clock.set(app.clock.now());
          await app.close();
          processes[step.process] = next;
          continue;
        }
        const email = spellings[step.spelling]!(emails[account]!);
        const client = app.browser({ address: browser.address, cookies: browser.cookies });
        if (step.what === 'code') {
          const answer = await client.auth('forgot', { email });
          const expected = model.code([
            [browser.address, limits.codesPerAddress],
            [`${account} hour`, limits.codesPerAccount],
            [`${account} day`, limits.codesPerAccountAndDay],
          ]);
          expect([index, answer.statusCode, Number(answer.headers['retry-after'] ?? 0)]).toEqual([
            index,
            expected > 0 ? 429 : 200,
            expected,
          ]);
          if (expected > 0) seen.codesRefused += 1;
          continue;
        }
        const answer = await client.login(email, right ? PASSWORD : 'wrong-password');
        const isRight = right && account < 2;
        const device = browser.devices.get(account);
        const pair = `${account} ${browser.address}`;
        const deviceKey = `device ${step.browser} ${account} ${device}`;
        const keys: Record<string, Slowdown> =
          device === undefined
            ? {
                [pair]: limits.failuresPerAccountAndAddress,
                [`account ${account}`]: limits.failuresPerAccount,
                [`address ${browser.address}`]: limits.failuresPerAddress,
              }
            : { [deviceKey]: limits.failuresPerDevice };
        const expected = model.attempt(keys, isRight, device === undefined ? [pair] : [deviceKey]);
        expect([index, answer.statusCode, Number(answer.headers['retry-after'] ?? 0)]).toEqual([
          index,
          expected > 0 ? 429 : isRight ? 200 : 401,
          expected,
        ]);
        if (expected > 0) seen.refused += 1;
        else seen.allowed += 1;
        if (device !== undefined) seen.known += 1;
        if (expected === 0 && isRight) browser.devices.set(account, index);
        // Deletes the session cookie but keeps the device cookie, so that the device stays known.
        for (const name of browser.cookies.keys()) if (name !== 'tocsin_device') browser.cookies.delete(name);
      }
      await stopAll();
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
});

test('concurrent wrong passwords at several processes get no extra tries', async () => {
  await startAll();
  const { email } = await createUser(db, { customer, password: PASSWORD });
  const attack = async (count: number, addressOf: (index: number) => string) => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        processes[index % PROCESSES]!.browser({ address: addressOf(index) }).login(email, `wrong-${index}`),
      ),
    );
    return answers.filter(({ statusCode }) => statusCode === 401).length;
  };
  expect(await attack(30, () => '192.0.2.1')).toBe(5);
  advance(2 * SECOND);
  expect(await attack(30, () => '192.0.2.1'), 'after the wait').toBe(1);
  expect(await attack(75, (index) => `198.51.100.${index}`), 'of all addresses').toBe(50 - 6);
});

test.each([0, 4])('forty right passwords at once at three processes all succeed after %i wrong ones', async (wrong) => {
  await startAll();
  const user = await createUser(db, { customer, password: PASSWORD });
  // Checks real password hashes, so that sign-ins take long enough to overlap.
  await serviceQuery(db, 'update tocsin_private.credential set password_hash = $1 where user_uuid = $2', [
    await hashPassword(PASSWORD),
    user.uuid,
  ]);
  for (let index = 0; index < wrong; index += 1) {
    expect((await processes[index % PROCESSES]!.browser().login(user.email, 'wrong-password')).statusCode).toBe(401);
  }
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => processes[index % PROCESSES]!.browser().login(user.email, PASSWORD)),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 40 }, () => 200));
});
