/**
 * Measures for one minute how many readings per second each protocol carries from devices to storage. Compares this
 * rate with raw COPY into the same database. Also measures the latency from a device to an open page. Prints one JSON
 * line. Run nothing else at the same time.
 *
 *   BENCH_SECONDS=60 node tools/bench/devices.ts [postgres|embedded]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type TestPostgres } from '../../test/harness/database/postgres.ts';
import { makeDevicePlant } from '../../test/harness/device/device-plant.ts';
import { type Product, startAsUsersDo } from '../../test/harness/server/product.ts';
import { rawCeiling } from './ceiling.ts';
import { liveLatency } from './live-latency.ts';
import { portOf, runLoad } from './run-load.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 60);
const kinds = process.argv[2] ? [process.argv[2]] : ['postgres', 'embedded'];

const targets: Record<string, Record<string, string>> = {
  postgres: { batch: 'at least 120000/s', frame: 'at least 50000/s', mqtt: 'at least 12000/s' },
  embedded: { batch: 'at least 40000/s', frame: 'at least 25000/s', mqtt: 'none' },
};
const connections: Record<string, number> = { batch: 40, frame: 400, mqtt: 100 };

function usage(pid: number): { cpuSeconds: number; megabytes: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100,
    megabytes: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
  };
}

async function bench(kind: string): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'));
  let postgres: TestPostgres | undefined;
  let product: Product | undefined;
  const figures: Record<string, unknown> = {};
  try {
    const settings: Record<string, string> = { TOCSIN_DATA_DIR: join(folder, 'data') };
    if (kind === 'postgres') {
      postgres = await startPostgres(undefined, 'durable');
      await postgres.createDatabase('bench');
      settings.DATABASE_URL = postgres.urlFor('bench');
      figures.rawCopyRowsPerSecond = await rawCeiling(settings.DATABASE_URL, Math.min(seconds, 10));
    }
    const plant = await makeDevicePlant(settings);
    product = await startAsUsersDo({
      ...settings,
      TOCSIN_DEMO: 'off',
      TOCSIN_HOST: '127.0.0.1',
      // In this benchmark, thousands of devices share a few connections, so each connection needs a higher limit.
      TOCSIN_DEVICE_FRAMES_PER_SECOND: '1000',
    });
    const mqtt = Number(/mqtt:\/\/localhost:(\d+)/.exec(product.output())?.[1]);
    const http = [portOf(product.url)];
    const load = async (mode: string, howLong: number, rate = 0) => {
      const pid = product?.child.pid as number;
      const before = usage(pid);
      const options = { folder, plant, http, mqtt, mode, seconds: howLong, connections: connections[mode] as number };
      const loaded = await runLoad({ ...options, rate });
      const after = usage(pid);
      return {
        ...loaded,
        serverCpuSeconds: Math.round((after.cpuSeconds - before.cpuSeconds) * 10) / 10,
        megabytes: [before.megabytes, after.megabytes],
      };
    };
    // Warms up code that is loaded and compiled only once.
    await load('frame', 5);
    const latency = (rate: number) =>
      liveLatency({
        url: product?.url as string,
        plant,
        seconds: 20,
        load: (s) => load('frame', s, rate),
      });
    // Latency is measured before the load test, because the roll-up of the load test's readings takes minutes.
    figures.live2000 = { ...(await latency(200)), target: 'p99 under 50 ms at 2000 readings/s' };
    for (const mode of ['batch', 'frame', 'mqtt']) {
      figures[mode] = { ...(await load(mode, seconds)), target: targets[kind]?.[mode] };
    }
    const top = (figures.frame as { messagesPerSecond: number }).messagesPerSecond;
    figures.liveHalf = { ...(await latency(Math.round(top / 2))), target: 'p99 under 500 ms at half the top load' };
  } finally {
    await product?.stop();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

const figures: Record<string, unknown> = {
  machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
  node: process.version,
  seconds,
};
for (const kind of kinds) figures[kind] = await bench(kind);
console.log(JSON.stringify(figures));
process.exit(0);
