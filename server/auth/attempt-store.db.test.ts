import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FORGET_MS, noAttempts, RUNNING_MS } from '../../domain/attempts.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { serviceQuery } from '../../test/harness/database/factories.ts';
import { serviceAccess } from '../access.ts';
import { housekeeping } from '../engine/housekeeping.ts';
import { HandClock, randomUuid } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { AttemptStore, deleteAttempts } from './attempt-store.ts';
import { Limits, type SignInAttempt } from './limits.ts';

let db: Database;
let clock: HandClock;
const stranger: SignInAttempt = { account: 'nina@plant.example', address: '192.0.2.7', device: null };
const rows = () => serviceQuery(db, 'select * from tocsin_private.attempts order by kind, key');
const failSignIn = async (limits: Limits, attempt: SignInAttempt) => {
  const turn = limits.turnOfSignIn(attempt);
  expect(await turn.begin!()).toBe(true);
  await turn.end!(false);
};

beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => {
  await db.close();
  await disposeTestDatabases();
});
beforeEach(async () => {
  clock = new HandClock(new Date('2026-03-02T08:00:00Z'));
  await serviceQuery(db, 'delete from tocsin_private.attempts');
});

test('stores no account, address or device in clear text, and nothing after a success', async () => {
  const limits = new Limits({ db, clock });
  await failSignIn(limits, stranger);
  await limits.takeCode(stranger.account, stranger.address);
  const stored = (await rows()).map(({ kind, key, ...row }) => [kind, key.length, JSON.stringify(row)]);
  expect(stored.map(([kind, length]) => [kind, length])).toEqual(
    ['codesPerAccount', 'codesPerAccountAndDay', 'codesPerAddress', 'failuresPerAccount']
      .concat('failuresPerAccountAndAddress', 'failuresPerAddress')
      .map((kind) => [kind, 32]),
  );
  expect(stored.flat().join()).not.toMatch(/nina|192/);

  await serviceQuery(db, 'delete from tocsin_private.attempts');
  const turn = limits.turnOfSignIn(stranger);
  await turn.begin!();
  expect(await rows()).toHaveLength(3);
  await turn.end!(true);
  expect(await rows()).toEqual([]);
});

test('a refused sign-in writes nothing', async () => {
  const limits = new Limits({ db, clock });
  for (let i = 0; i < 5; i += 1) await failSignIn(limits, stranger);
  const versions = () => serviceQuery(db, 'select xmin::text, ctid::text from tocsin_private.attempts order by kind');
  const before = await versions();
  await expect(limits.checkSignIn(stranger)).rejects.toMatchObject({ statusCode: 429 });
  expect(await versions()).toEqual(before);
});

test('an unfinished attempt of a process that ended counts as a failure in the other processes', async () => {
  const ended = new Limits({ db, clock });
  for (let i = 0; i < 4; i += 1) await failSignIn(ended, stranger);
  await ended.turnOfSignIn(stranger).begin!();
  const limits = new Limits({ db, clock });
  const turn = limits.turnOfSignIn(stranger);
  await limits.checkSignIn(stranger);
  expect(await turn.begin!(), 'the outcome may still arrive').toBe(false);
  clock.advance(RUNNING_MS);
  await expect(limits.checkSignIn(stranger)).rejects.toMatchObject({ extras: { retryAfterMs: 2000 } });
  clock.advance(2000);
  expect(await turn.begin!()).toBe(true);
});

test('concurrent attempts on the same accounts and addresses never deadlock', async () => {
  const limits = new Limits({ db, clock }, { failuresPerAccountAndAddress: { free: 1000, firstMs: 1, mostMs: 1 } });
  const attempts = Array.from({ length: 60 }, (_, index) => ({
    account: `a${index % 3}`,
    address: `b${index % 4}`,
    device: null,
  }));
  await Promise.all(attempts.map((attempt) => failSignIn(limits, attempt)));
  const counts = await serviceQuery(
    db,
    `select kind, sum(count)::int from tocsin_private.attempts group by 1 order by 1`,
  );
  expect(counts.map(({ sum }) => sum)).toEqual([60, 60, 60]);
});

describe('housekeeping', () => {
  test('deletes expired attempts, and keeps those that still count', async () => {
    const limits = new Limits({ db, clock });
    await failSignIn(limits, { ...stranger, account: 'early' });
    await limits.takeCode('early', stranger.address);
    clock.advance(FORGET_MS - 1);
    await limits.turnOfSignIn({ ...stranger, device: 'running' }).begin!();
    const kinds = async () => {
      await housekeeping(db, clock).tick(clock.now());
      return (await rows()).map(({ kind }) => kind);
    };
    const codes = ['codesPerAccount', 'codesPerAccountAndDay', 'codesPerAddress'];
    const failures = ['failuresPerAccount', 'failuresPerAccountAndAddress', 'failuresPerAddress'];
    expect(await kinds()).toEqual([...codes, ...failures, 'failuresPerDevice'].sort());
    clock.advance(1);
    expect(await kinds(), 'a running attempt may still become a failure').toEqual([codes[1], 'failuresPerDevice']);
    clock.advance(FORGET_MS + RUNNING_MS);
    expect(await kinds()).toEqual([codes[1]]);
    clock.advance(24 * FORGET_MS);
    expect(await kinds()).toEqual([]);
  });

  test('limits the number of keys of each kind, and keeps the ones that end last', async () => {
    const secret = createSecretKey(Buffer.alloc(32));
    const keys = Array.from({ length: 25 }, (_, index) => ({
      kind: index < 20 ? 'failuresPerAddress' : 'codesPerAddress',
      of: `${index}`,
    }));
    const later = clock.now().getTime() + 1000;
    await db.transaction(serviceAccess(clock), async (tx) => {
      const store = new AttemptStore(tx, secret);
      await store.lock(keys);
      const entries = keys.map((_, index) => ({ ...noAttempts, count: index + 1, endsAt: later + index }));
      await store.write(keys, entries);
      await deleteAttempts(tx, clock.now(), 8);
    });
    const left = (await rows()).map(({ count }) => count).sort((a, b) => a - b);
    expect(left).toEqual(Array.from({ length: 13 }, (_, index) => index + 13));
  });
});

test('stores every attempt exactly, in the order of the keys', async () => {
  const secret = createSecretKey(Buffer.alloc(32));
  const keys = ['b', 'a', 'c'].map((of) => ({ kind: 'failuresPerAddress', of }));
  const at = clock.now().getTime();
  const entries = [
    { count: 3, waitUntil: at + 1, endsAt: at + 999, running: [], runningUntil: 0 },
    { count: 0, waitUntil: 0, endsAt: 0, running: [randomUuid(), randomUuid()], runningUntil: at + 123 },
    noAttempts,
  ];
  await db.transaction(serviceAccess(clock), async (tx) => {
    const store = new AttemptStore(tx, secret);
    expect(await store.lock(keys)).toEqual([noAttempts, noAttempts, noAttempts]);
    await store.write(keys, entries);
    expect(await store.read(keys)).toEqual(entries);
  });
  expect(await rows()).toHaveLength(2);
});
