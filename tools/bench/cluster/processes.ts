import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type TestPostgres } from '../../../test/harness/database/postgres.ts';
import { type DevicePlant, makeDevicePlant } from '../../../test/harness/device/device-plant.ts';
import { type Product, startAsUsersDo } from '../../../test/harness/server/product.ts';
import { quantile } from '../quantile.ts';
import type { Undo } from './benchmark.ts';

/** Number of sensors in the plant. Each sensor has ten channels. */
const sensors = Number(process.env.BENCH_SENSORS ?? 1000);

type Settings = Readonly<Record<string, string>>;

export interface BenchPlant {
  folder: string;
  postgres: TestPostgres;
  /** Settings of every process. */
  settings: Settings;
  plant: DevicePlant;
}

/** Number of processes in each case of a benchmark. */
export const processCounts = { one: 1, two: 2, three: 3 } as const;
export type ProcessCase = keyof typeof processCounts;
export const processCases = Object.keys(processCounts) as ProcessCase[];

/** Starts PostgreSQL with `fsync` on and creates the plant of the device benchmark in it. */
export async function startPlant(undo: Undo): Promise<BenchPlant> {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startPostgres(undefined, 'durable');
  undo.push(() => postgres.stop());
  await postgres.createDatabase('bench');
  const settings = { TOCSIN_DATA_DIR: join(folder, 'data'), DATABASE_URL: postgres.urlFor('bench') };
  return { folder, postgres, settings, plant: await makeDevicePlant(settings, sensors) };
}

/** Starts identical processes one after another. Adds a step to `undo` that stops them if they are still running. */
export async function startProcesses(count: number, settings: Settings, undo: Undo): Promise<Product[]> {
  const running: Product[] = [];
  undo.push(() => stopProcesses(running));
  while (running.length < count) running.push(await startBenchProcess(settings));
  return running;
}

export function startBenchProcess(settings: Settings): Promise<Product> {
  return startAsUsersDo({
    TOCSIN_DEMO: 'off',
    TOCSIN_HOST: '127.0.0.1',
    // In these benchmarks, many devices share a connection, so each connection needs a higher limit.
    TOCSIN_DEVICE_FRAMES_PER_SECOND: '1000',
    ...settings,
  });
}

/** Stops the processes and removes them from the array. */
export async function stopProcesses(running: Product[]): Promise<void> {
  await Promise.all(running.splice(0).map((product) => product.stop()));
}

/** Returns the ratio of the medians, rounded to a hundredth. */
export function ratio(values: readonly number[] = [], base: readonly number[] = []): number {
  return Math.round((quantile(values, 0.5) / quantile(base, 0.5)) * 100) / 100;
}
