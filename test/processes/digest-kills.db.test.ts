/**
 * Processes are killed while they send the digests of a flood. No alarm is forgotten or reported twice, and nobody gets
 * more than one digest a minute.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { testDatabaseKind } from '../harness/database/database.ts';
import { isLong } from '../harness/long.ts';
import type { Product } from '../harness/server/product.ts';
import { KilledProcesses } from './killed.ts';

// Each test starts servers, which takes a long time on a busy machine.
vi.setConfig({ testTimeout: 900_000 });

// Only one process can use the embedded database.
const isPostgres = testDatabaseKind() === 'postgres';
const ROUNDS = isLong ? 20 : 1;
/** Alarms of the first round. The first ten are notified one by one. */
const FIRST = 14;
const EACH = 3;

let killed: KilledProcesses;
beforeAll(async () => {
  if (isPostgres) killed = await KilledProcesses.start('tocsin_digest_kills');
});
afterAll(() => killed?.close());

/** Moves the times of digests back, as if a minute had passed. */
async function passMinute(): Promise<void> {
  await killed.query("update tocsin_private.digest_entry set due_at = due_at - interval '61 seconds'");
  await killed.query("update tocsin_private.digest_turn set next_at = next_at - interval '61 seconds'");
  await killed.query(
    "update tocsin.notification set notify_time = notify_time - interval '61 seconds' where kind = 'digest'",
  );
}

const countOf = async (from: string): Promise<number> =>
  (await killed.query(`select count(*)::int as count from ${from}`))[0]?.count;

/** Returns the database processes that have taken digest entries and wait for the lock on the timelines. */
const sending = async (): Promise<number[]> =>
  (
    await killed.query(
      `select w.pid from pg_locks w join pg_locks d on d.pid = w.pid and d.granted and d.relation = 'tocsin_private.digest_entry'::regclass
       where w.relation = 'tocsin.alarm_event'::regclass and not w.granted and d.mode = 'RowExclusiveLock'`,
    )
  ).map(({ pid }) => pid);

/** Kills a process that has written a digest and not committed it. Returns false if the process sent none in time. */
async function killWhileSending(victim: Product, other: Product): Promise<boolean> {
  other.child.kill('SIGSTOP');
  const lock = await killed.hold('tocsin.alarm_event');
  try {
    await passMinute();
    const [digests, entries] = [
      await countOf("tocsin.notification where kind = 'digest'"),
      await countOf('tocsin_private.digest_entry'),
    ];
    let pids: number[] = [];
    for (let tenth = 0; tenth < 200 && pids.length === 0; tenth += 1) {
      await pause(100);
      pids = await sending();
    }
    if (pids.length === 0) return false;
    await killed.kill(victim);
    await lock.release();
    await expect
      .poll(() => countOf(`pg_stat_activity where pid = any ('{${pids.join(',')}}')`), { interval: 50 })
      .toBe(0);
    expect(await countOf("tocsin.notification where kind = 'digest'"), 'the digest is rolled back').toBe(digests);
    expect(await countOf('tocsin_private.digest_entry'), 'its alarms wait again').toBe(entries);
    return true;
  } finally {
    await lock.release();
    other.child.kill('SIGCONT');
  }
}

/** Alarms that were not reported exactly once to each of Vera's addresses, with the number of reports. */
function wronglyReported(): Promise<object[]> {
  return killed.query(
    `select a.message, count(r.uuid)::int as reports
     from tocsin.alarm a left join lateral (
       select n.uuid from tocsin.notification n where n.tocsin_alarm_uuid = a.uuid and n.kind = 'alarm'
       union all
       select n.uuid from tocsin.alarm_event e join tocsin.notification n on (e.detail ->> 'digest')::uuid = any (n.digest_uuids)
       where e.tocsin_alarm_uuid = a.uuid and e.kind = 'digest' and e.detail ->> 'kind' = 'alarm'
     ) r on true
     group by a.uuid, a.message having count(r.uuid) <> 1`,
  );
}

/** Pairs of digests to one address by one method within a minute. */
function crowded(): Promise<object[]> {
  return killed.query(
    `select n.address, n.notify_time as one, o.notify_time as other
     from tocsin.notification n join tocsin.notification o on o.address = n.address and o.method_type = n.method_type
       and o.kind = 'digest' and o.sequence_number > n.sequence_number
       and abs(extract(epoch from o.notify_time - n.notify_time)) < 60
     where n.kind = 'digest'`,
  );
}

test.runIf(isPostgres)(
  'every alarm of a flood is reported once when the process that sends its digests is killed',
  async () => {
    const size = FIRST + EACH * ROUNDS;
    const sensor = await killed.sensor('Storm', size);
    let kills = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [from, to] = round === 0 ? [1, FIRST] : [FIRST + EACH * (round - 1) + 1, FIRST + EACH * round];
      const values = Array.from({ length: to - from + 1 }, (_, index) => [String(from + index), 150]);
      // A killed process can leave its last transaction open for a moment.
      await killed.send(sensor, Object.fromEntries(values), round);
      expect(await countOf('tocsin_private.digest_entry')).toBeGreaterThan(0);
      const [victim, other] = killed.products as [Product, Product];
      if (await killWhileSending(victim, other)) {
        kills += 1;
        await killed.startOne();
      }
      await expect.poll(() => countOf('tocsin_private.digest_entry'), { timeout: 60_000, interval: 200 }).toBe(0);
      expect(await wronglyReported()).toEqual([]);
      expect(await crowded()).toEqual([]);
    }
    expect(kills).toBeGreaterThanOrEqual(Math.ceil(ROUNDS / 2));
    expect(await countOf('tocsin.alarm')).toBe(FIRST + EACH * (ROUNDS - 1));
    expect(await countOf("tocsin.notification where kind = 'alarm'")).toBe(10);
    expect(await countOf("tocsin.notification where kind = 'digest'")).toBe(ROUNDS);
  },
);
