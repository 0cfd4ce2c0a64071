/**
 * A cause and its consequences arrive at different processes at nearly the same time, and processes are killed. No
 * consequence is lost: it is recorded under its cause, and people are notified once if it outlasts its cause.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { testDatabaseKind } from '../harness/database/database.ts';
import { insertRow } from '../harness/database/factories.ts';
import type { TestSensor } from '../harness/device/devices.ts';
import { isLong } from '../harness/long.ts';
import type { Product } from '../harness/server/product.ts';
import { KilledProcesses } from './killed.ts';

// Each test starts servers, which takes a long time on a busy machine.
vi.setConfig({ testTimeout: 900_000 });

// Only one process can use the embedded database.
const isPostgres = testDatabaseKind() === 'postgres';
const ROUNDS = isLong ? 15 : 1;
/** Pairs of a cause and a consequence in each round. */
const PAIRS = 8;

let killed: KilledProcesses;
beforeAll(async () => {
  if (isPostgres) killed = await KilledProcesses.start('tocsin_dependency_kills');
});
afterAll(() => killed?.close());

interface Pair {
  cause: TestSensor & { rules: string[] };
  consequence: TestSensor & { rules: string[] };
}

async function pair(): Promise<Pair> {
  const cause = await killed.sensor('Power');
  const consequence = await killed.sensor('Flow');
  await insertRow(killed.db, 'tocsin.dependency', {
    ...{
      tocsin_customer_uuid: killed.customer.uuid,
      tocsin_rule_uuid: consequence.rules[0],
      cause_rule_uuid: cause.rules[0],
    },
  });
  return { cause, consequence };
}

interface Outcome {
  rule: string;
  alarms: number;
  open: number;
  quietSource: string | null;
  openedQuiet: string | null;
  isBeforeCause: boolean;
  kinds: string[];
}

/** Returns what became of the consequences of a round. */
function outcomes(pairs: readonly Pair[]): Promise<Outcome[]> {
  return killed.query<Outcome>(
    `select r.rule, count(a.uuid)::int as alarms, count(*) filter (where a.resolved_date is null)::int as open,
       min(a.quiet_source::text) as "quietSource", min(a.opened_quiet) as "openedQuiet", bool_and(a.created_at <= c.created_at) as "isBeforeCause",
       array(select n.kind from tocsin.notification n join tocsin.alarm o on o.uuid = n.tocsin_alarm_uuid
         where o.rule_uuid = r.rule order by n.sequence_number) as kinds
     from unnest($1::uuid[], $2::uuid[]) r (rule, cause) left join tocsin.alarm a on a.rule_uuid = r.rule
       left join tocsin.alarm c on c.rule_uuid = r.cause group by r.rule`,
    [pairs.map(({ consequence }) => consequence.rules[0]), pairs.map(({ cause }) => cause.rules[0])],
  );
}

/** Kills a process after a random time while `work` runs, then starts another one. */
async function withKill(work: Promise<unknown>, within: number): Promise<void> {
  await pause(Math.random() * within);
  const [victim] = killed.products as [Product, Product];
  await killed.kill(victim);
  await killed.startOne();
  await work;
}

test.runIf(isPostgres)(
  'a consequence is recorded under its cause, and is notified once when it outlasts the cause',
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const pairs = await Promise.all(Array.from({ length: PAIRS }, pair));
      const sends = pairs.flatMap(({ cause, consequence }, index) => [
        killed.send(cause, { 1: 150 }, index),
        killed.send(consequence, { 1: 150 }, index + 1),
      ]);
      await withKill(Promise.all(sends), 60);
      const causes = await killed.query(
        'select a.uuid from tocsin.alarm a where a.rule_uuid = any ($1::uuid[]) and a.resolved_date is null',
        [pairs.map(({ cause }) => cause.rules[0])],
      );
      expect(causes).toHaveLength(PAIRS);
      const during = await outcomes(pairs);
      for (const one of during) {
        expect(one).toMatchObject({ alarms: 1, open: 1 });
        expect(causes.map(({ uuid }) => uuid)).toContain(one.quietSource);
        // Only a consequence that opened before its cause was notified.
        expect(one.kinds).toEqual(one.openedQuiet === null ? ['alarm'] : []);
        if (one.openedQuiet === null) expect(one.isBeforeCause).toBe(true);
      }
      const ends = pairs.map(({ cause }, index) => killed.send(cause, { 1: 50 }, index));
      await withKill(Promise.all(ends), 100);
      const quiet = async () => (await outcomes(pairs)).filter(({ quietSource }) => quietSource !== null).length;
      await expect.poll(quiet, { timeout: 60_000, interval: 100 }).toBe(0);
      // A process that notified people twice would do so in the next runs of its engine.
      await pause(isLong ? 6000 : 500);
      const before = new Map(during.map(({ rule, kinds }) => [rule, kinds]));
      for (const one of await outcomes(pairs)) {
        expect(one).toMatchObject({ alarms: 1, open: 1, kinds: [...(before.get(one.rule) ?? []), 'reminder'] });
      }
    }
  },
);
