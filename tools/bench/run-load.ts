import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DevicePlant } from '../../test/harness/device/device-plant.ts';

const run = promisify(execFile);

export interface LoadOptions {
  /** Folder in which the load plan is stored. */
  folder: string;
  plant: DevicePlant;
  /** HTTP ports of the processes. Connections are divided among them. */
  http: readonly number[];
  mqtt?: number;
  /** Share of the readings that change a rule's state. */
  changing?: number;
  mode: string;
  seconds: number;
  /**
   * Number of connections. With several processes, it must divide the number of devices evenly, so that each device
   * always uses the same process.
   */
  connections: number;
  /** Messages per second. 0 means as fast as possible. */
  rate?: number;
}

export interface Loaded {
  readingsPerSecond: number;
  messagesPerSecond: number;
  readings: number;
  failed: number;
  p50Ms: number;
  p99Ms: number;
  loadCpuSeconds: number;
}

/** Runs load.ts in a separate process and returns what it measured. */
export async function runLoad(options: LoadOptions): Promise<Loaded> {
  const { folder, plant, http, mqtt = 0, changing = 0, mode, seconds, connections, rate = 0 } = options;
  const plan = join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({ host: '127.0.0.1', http, mqtt, changing, ...plant }));
  const args = ['tools/bench/load.ts', plan, mode, String(seconds), String(connections), String(rate)];
  const { stdout } = await run('node', args, { cwd: join(import.meta.dirname, '../..') });
  return JSON.parse(stdout);
}

export function portOf(url: string): number {
  return Number(new URL(url).port);
}
