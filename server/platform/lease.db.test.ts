import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { serviceQuery } from '../../test/harness/database/factories.ts';
import { isLong } from '../../test/harness/long.ts';
import { serviceAccess } from '../access.ts';
import { HandClock, randomUuid, systemClock } from './clock.ts';
import type { Database } from './database.ts';
import { Lease, leaseLimits } from './lease.ts';
import { silentLog } from './log.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(disposeTestDatabases);

const access = () => serviceAccess(systemClock);

/** Processes that compete for one lease. Time advances only when `pass` is called. */
class Processes {
  readonly name = randomUuid();
  readonly leases: Lease[] = [];
  readonly #clock = new HandClock(new Date(0));
  /** Functions that deliver delayed responses of the database. */
  readonly #answers = new Map<Lease, () => void>();
  #delayNext = false;

  async start(): Promise<Lease> {
    // The responses of this database arrive only after a call of `deliver`.
    const slow: Database = {
      ...db,
      transaction: async (who, work) => {
        const result = await db.transaction(who, work);
        if (this.#delayNext) {
          this.#delayNext = false;
          await new Promise<void>((resolve) => this.#answers.set(lease, resolve));
        }
        return result;
      },
    };
    const lease = await Lease.start({
      ...{ db: slow, access, clock: this.#clock, log: silentLog, name: this.name, timers: false },
    });
    this.leases.push(lease);
    return lease;
  }

  /**
   * Renews a lease but delays the response. The database has then decided, but the process does not know the result
   * yet.
   */
  async askWithLateAnswer(lease: Lease): Promise<void> {
    if (this.#answers.has(lease)) return;
    this.#delayNext = true;
    void lease.confirm();
    while (!this.#answers.has(lease)) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  async deliver(lease: Lease): Promise<void> {
    this.#answers.get(lease)?.();
    this.#answers.delete(lease);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }

  deliverAll(): void {
    for (const deliver of this.#answers.values()) deliver();
    this.#answers.clear();
  }

  /**
   * Simulates the passing of time. The database's clock cannot be set, so this method moves the end of the lease back
   * instead.
   */
  async pass(milliseconds: number): Promise<void> {
    await serviceQuery(
      db,
      "update tocsin_private.lease set until = until - $2::float8 * interval '1 ms' where name = $1",
      [this.name, milliseconds],
    );
    this.#clock.advance(milliseconds);
  }

  get holders(): number {
    return this.leases.filter(({ held }) => held).length;
  }
}

describe('a lease', () => {
  test('is held by at most one process, even if responses are late or lost', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom('renew', 'late', 'deliver', 'close'), who: fc.nat({ max: 2 }) }),
      fc.record({ kind: fc.constant('pass'), ms: fc.constantFrom(500, 1500, 2000, 4900, 5200, 6100) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const processes = new Processes();
        for (let count = 0; count < 3; count += 1) await processes.start();
        for (const one of steps) {
          if ('ms' in one) await processes.pass(one.ms);
          else {
            const lease = processes.leases[one.who] as Lease;
            if (one.kind === 'renew') await lease.confirm();
            if (one.kind === 'late') await processes.askWithLateAnswer(lease);
            if (one.kind === 'deliver') await processes.deliver(lease);
            if (one.kind === 'close') {
              await processes.deliver(lease);
              await lease.close();
              processes.leases.splice(one.who, 1);
              await processes.start();
            }
          }
          expect(processes.holders).toBeLessThanOrEqual(1);
        }
        processes.deliverAll();
      }),
      { numRuns: isLong ? 500 : 60 },
    );
  });

  test('ends for its holder before another process can take it', async () => {
    const processes = new Processes();
    const [first, second] = [await processes.start(), await processes.start()];
    expect(await first.confirm()).toBe(true);
    await processes.pass(leaseLimits.lengthMs - leaseLimits.marginMs);
    expect(first.held).toBe(false);
    expect(await second.confirm()).toBe(false);
    await processes.pass(leaseLimits.marginMs);
    expect(await second.confirm()).toBe(true);
    expect(await first.confirm()).toBe(false);
  });

  test('is not held by a process that learns of its renewal after another process has taken it', async () => {
    const processes = new Processes();
    const [first, second] = [await processes.start(), await processes.start()];
    await processes.askWithLateAnswer(first);
    await processes.pass(leaseLimits.lengthMs);
    expect(await second.confirm()).toBe(true);
    await processes.deliver(first);
    expect(processes.leases.map(({ held }) => held)).toEqual([false, true]);
  });

  test('counts the changes of its holder', async () => {
    const processes = new Processes();
    const fence = async () =>
      (
        await serviceQuery<{ fence: string }>(db, 'select fence from tocsin_private.lease where name = $1', [
          processes.name,
        ])
      )[0]?.fence;
    const first = await processes.start();
    await first.confirm();
    await first.confirm();
    expect(Number(await fence())).toBe(1);
    await first.close();
    await (await processes.start()).confirm();
    expect(Number(await fence())).toBe(2);
  });

  test('passes to a waiting process as soon as its holder releases it', async () => {
    const options = { db, access, clock: systemClock, log: silentLog, name: randomUuid() };
    // With these limits, the second process asks again only after a minute, unless it receives the message that the
    // lease was released.
    const limits = { lengthMs: 120_000, renewMs: 60_000 };
    const first = await Lease.start({ ...options, limits });
    await expect.poll(() => first.held, { interval: 5 }).toBe(true);
    const second = await Lease.start({ ...options, limits });
    const changes: boolean[] = [];
    second.onChange((held) => changes.push(held));
    expect(await second.confirm()).toBe(false);
    await first.close();
    expect(first.held).toBe(false);
    await expect.poll(() => second.held, { interval: 5 }).toBe(true);
    await second.close();
    expect(changes).toEqual([true, false]);
  });

  test('tells its holder when it ends, even while the database does not respond', async () => {
    let available = true;
    const broken: Database = {
      ...db,
      transaction: (who, work) => (available ? db.transaction(who, work) : Promise.reject(new Error('no database'))),
      listen: (...channel) => db.listen(...channel),
    };
    const limits = { lengthMs: 300, marginMs: 50, renewMs: 50 };
    const lease = await Lease.start({
      ...{ db: broken, access, clock: systemClock, log: silentLog, name: randomUuid(), limits },
    });
    const changes: boolean[] = [];
    lease.onChange((held) => changes.push(held));
    await expect.poll(() => changes, { interval: 5 }).toEqual([true]);
    available = false;
    await expect.poll(() => changes, { interval: 5 }).toEqual([true, false]);
    available = true;
    await expect.poll(() => changes, { interval: 5 }).toEqual([true, false, true]);
    await lease.close();
  });
});
