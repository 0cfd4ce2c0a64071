/**
 * Measures the cost of several processes on one PostgreSQL: the rate at which 10,000 alarms open with one, two and
 * three processes, and how often sessions wait for locks. In the case `twoChanging`, consecutive frames of a device go
 * to different processes. In all other cases, all frames of a device go to the same process. Prints one JSON line. Run
 * nothing else at the same time.
 *
 *   BENCH_ROUNDS=3 node tools/bench/cluster.ts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../test/harness/database/postgres.ts';
import { addAlarmPlant, addRules, prepareStorm } from '../../test/harness/device/alarm-plant.ts';
import { type DevicePlant, makeDevicePlant } from '../../test/harness/device/device-plant.ts';
import { type Product, startAsUsersDo } from '../../test/harness/server/product.ts';
import { quantile } from './quantile.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const AT_ONCE = 64;
const SAMPLE_MS = 20;

interface Case {
  name: string;
  processes: number;
  /** True if consecutive frames of a device go to different processes. */
  changing: boolean;
}

const cases: Case[] = [
  { name: 'one', processes: 1, changing: false },
  { name: 'two', processes: 2, changing: false },
  { name: 'three', processes: 3, changing: false },
  { name: 'twoChanging', processes: 2, changing: true },
];

interface Sent {
  seconds: number;
  p50Ms: number;
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
  const seconds = (performance.now() - began) / 1000;
  return { seconds, p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99) };
}

/** Samples which locks sessions wait for. Returns a function that ends the sampling. */
async function watchLocks(url: string): Promise<() => Promise<Record<string, number>>> {
  const client = new pg.Client(url);
  await client.connect();
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
    await client.end();
    const mean = Object.entries(seen).map(([type, count]) => [type, Math.round((1000 * count) / samples) / 1000]);
    return Object.fromEntries(mean);
  };
}

const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'));
const postgres = await startPostgres(undefined, 'durable');
const running: Product[] = [];
const stopAll = async () => void (await Promise.all(running.splice(0).map((product) => product.stop())));
const results: Record<string, { alarmsPerSecond: number[]; p99Ms: number[]; waitingSessions: object[] }> = {};
try {
  await postgres.createDatabase('bench');
  const settings = { TOCSIN_DATA_DIR: join(folder, 'data'), DATABASE_URL: postgres.urlFor('bench') };
  const plant = await makeDevicePlant(settings);
  await addRules(settings, 100);
  const { person } = await addAlarmPlant(settings);
  const wanted = plant.sensors.length * plant.channels;
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, processes, changing } of round % 2 === 0 ? cases : cases.toReversed()) {
      await prepareStorm(settings, person.uuid);
      for (let number = 0; number < processes; number += 1) {
        const product = await startAsUsersDo({
          ...settings,
          TOCSIN_DEMO: 'off',
          TOCSIN_HOST: '127.0.0.1',
          TOCSIN_ROLES: 'gateway,evaluator,web',
        });
        running.push(product);
      }
      const route = (turn: number) => (index: number) => running[(index + turn) % processes]?.url as string;
      for (let turn = 0; turn < 3; turn += 1) await sendAll(plant, 50, route(changing ? turn : 0));
      const stopWatching = await watchLocks(postgres.adminUrl);
      const { seconds, p99Ms } = await sendAll(plant, 150, route(changing ? 3 : 0));
      const waiting = await stopWatching();
      const result = results[name] ?? { alarmsPerSecond: [], p99Ms: [], waitingSessions: [] };
      results[name] = result;
      result.alarmsPerSecond.push(Math.round(wanted / seconds));
      result.p99Ms.push(Math.round(p99Ms));
      result.waitingSessions.push(waiting);
      await stopAll();
    }
  }
} finally {
  await stopAll();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
const median = (name: string) => quantile(results[name]?.alarmsPerSecond ?? [], 0.5);
console.log(
  JSON.stringify({
    machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
    node: process.version,
    ...results,
    twoToOne: Math.round((median('two') / median('one')) * 100) / 100,
    threeToOne: Math.round((median('three') / median('one')) * 100) / 100,
    target: 'two processes at least 0.9 of one',
  }),
);
process.exit(0);
