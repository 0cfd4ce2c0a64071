/**
 * Measures the cost of running several processes on one PostgreSQL server: how fast 10,000 alarms open with one, two
 * and three processes, and how often sessions wait for locks. In the case `twoChanging`, consecutive frames of a device
 * go to different processes. In all other cases, all frames of a device go to the same process. Prints one JSON line.
 * Run nothing else at the same time.
 *
 *   BENCH_ROUNDS=2 node tools/bench/cluster/alarms.ts
 */
import pg from 'pg';
import { addAlarmPlant, addRules, prepareStorm } from '../../../test/harness/device/alarm-plant.ts';
import type { DevicePlant } from '../../../test/harness/device/device-plant.ts';
import { quantile } from '../quantile.ts';
import { runBenchmark } from './benchmark.ts';
import { processCases, processCounts, ratio, startPlant, startProcesses, stopProcesses } from './processes.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 2);
const AT_ONCE = 64;
const SAMPLE_MS = 20;
/** Values for all channels: one inside the limits of every rule, and one above them. */
const INSIDE = 50;
const ABOVE = 150;

interface Case {
  name: string;
  processes: number;
  /** True if consecutive frames of a device go to different processes. */
  changing: boolean;
}

const cases: Case[] = [
  ...processCases.map((name) => ({ name, processes: processCounts[name], changing: false })),
  { name: 'twoChanging', processes: 2, changing: true },
];

interface Result {
  alarmsPerSecond: number[];
  /** 99th percentile of the time until the response to a frame that opens ten alarms, in milliseconds. */
  p99Ms: number[];
  /** Mean number of sessions that are waiting for a lock, keyed by the type of lock. */
  waitingSessions: Record<string, number>[];
}

interface Sent {
  seconds: number;
  p99Ms: number;
}

/** Sends one frame of every sensor. `processOf` returns the URL of the process that receives the sensor's frame. */
async function sendAll(plant: DevicePlant, value: number, processOf: (index: number) => string): Promise<Sent> {
  const values = Array.from({ length: plant.channels }, (_, index) => `"${index + 1}":${value}`).join();
  const took: number[] = [];
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let index = next++; index < plant.sensors.length; index = next++) {
        const { uid, token } = plant.sensors[index] as DevicePlant['sensors'][number];
        const sent = performance.now();
        const answer = await fetch(`${processOf(index)}/api/v1/ingest/${uid}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: `{${values}}`,
        });
        if (!answer.ok) throw new Error(`A frame was refused: ${await answer.text()}`);
        await answer.arrayBuffer();
        took.push(performance.now() - sent);
      }
    }),
  );
  return { seconds: (performance.now() - began) / 1000, p99Ms: quantile(took, 0.99) };
}

/** Samples which locks sessions wait for. Returns a function that ends the sampling. */
async function watchLocks(client: pg.Client): Promise<() => Promise<Record<string, number>>> {
  let watching = true;
  const seen: Record<string, number> = {};
  let samples = 0;
  const sampling = (async () => {
    while (watching) {
      const { rows } = await client.query<{ type: string; count: number }>(
        'select locktype as type, count(*)::int as count from pg_locks where not granted group by 1',
      );
      samples += 1;
      for (const { type, count } of rows) seen[type] = (seen[type] ?? 0) + count;
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  return async () => {
    watching = false;
    await sampling;
    const mean = Object.entries(seen).map(([type, count]) => [type, Math.round((1000 * count) / samples) / 1000]);
    return Object.fromEntries(mean);
  };
}

await runBenchmark((60 + rounds * 180) * 1000, async (figures, undo) => {
  const { postgres, settings, plant } = await startPlant(undo);
  await addRules(settings, 100);
  const { person } = await addAlarmPlant(settings);
  const wanted = plant.sensors.length * plant.channels;
  Object.assign(figures, { rounds, alarms: wanted, target: 'two processes at least 0.9 of one' });
  const admin = new URL(postgres.adminUrl);
  admin.pathname = '/bench';
  const client = new pg.Client(admin.href);
  await client.connect();
  undo.push(() => client.end());
  const results: Record<string, Result> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, processes, changing } of round % 2 === 0 ? cases : cases.toReversed()) {
      await prepareStorm(settings, [person.uuid]);
      const running = await startProcesses(processes, { ...settings, TOCSIN_ROLES: 'gateway,evaluator,web' }, undo);
      const route = (turn: number) => (index: number) => running[(index + turn) % processes]?.url as string;
      for (let turn = 0; turn < 3; turn += 1) await sendAll(plant, INSIDE, route(changing ? turn : 0));
      const stopWatching = await watchLocks(client);
      const { seconds, p99Ms } = await sendAll(plant, ABOVE, route(changing ? 3 : 0));
      const waiting = await stopWatching();
      const { rows } = await client.query(
        "select count(*)::int from tocsin.alarm where resolved_date is null and source = 'limits'",
      );
      if (rows[0].count !== wanted) throw new Error(`${rows[0].count} alarms are open instead of ${wanted}.`);
      const result = results[name] ?? { alarmsPerSecond: [], p99Ms: [], waitingSessions: [] };
      results[name] = result;
      result.alarmsPerSecond.push(Math.round(wanted / seconds));
      result.p99Ms.push(Math.round(p99Ms));
      result.waitingSessions.push(waiting);
      Object.assign(figures, results);
      await stopProcesses(running);
    }
  }
  const rates = (name: string) => results[name]?.alarmsPerSecond;
  figures.twoToOne = ratio(rates('two'), rates('one'));
  figures.threeToOne = ratio(rates('three'), rates('one'));
});
