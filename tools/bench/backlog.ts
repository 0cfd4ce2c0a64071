/**
 * Measures how fast a server stores a backlog from RabbitMQ, such as after a database outage. Prints one JSON line. Run
 * nothing else at the same time.
 *
 *   BENCH_MESSAGES=100000 node tools/bench/backlog.ts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'amqplib';
import { startPostgres, type TestPostgres } from '../../test/harness/database/postgres.ts';
import { makeDevicePlant } from '../../test/harness/device/device-plant.ts';
import { ensureRabbitmq, type Rabbitmq, startRabbitmq } from '../../test/harness/device/rabbitmq.ts';
import { type Product, startProduct } from '../../test/harness/server/product.ts';

const messages = Number(process.env.BENCH_MESSAGES ?? 100_000);
/** Starts the server with V8's optimizing compiler, as users do. */
const start = (settings: Record<string, string>) => startProduct(settings, '/robots.txt', []);
const METRICS_TOKEN = 'token-of-the-benchmark';

const found = await ensureRabbitmq();
if ('missing' in found) throw new Error(found.missing);
const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'));
let postgres: TestPostgres | undefined;
let rabbitmq: Rabbitmq | undefined;
let product: Product | undefined;

/** Returns the number of frames that the server has stored since its start. */
async function stored({ url }: Product): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const text = await answer.text();
  const counts = [...text.matchAll(/^tocsin_frames_total\{[^}]*outcome="taken"[^}]*\} (\d+)/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

try {
  postgres = await startPostgres(undefined, 'durable');
  await postgres.createDatabase('bench');
  rabbitmq = await startRabbitmq();
  const settings: Record<string, string> = {
    ...{ DATABASE_URL: postgres.urlFor('bench'), TOCSIN_DATA_DIR: folder, TOCSIN_DEMO: 'off', TOCSIN_ROLES: 'gateway' },
    ...{ TOCSIN_AMQP_URL: rabbitmq.amqpUrl, TOCSIN_METRICS_TOKEN: METRICS_TOKEN },
  };
  const { sensors } = await makeDevicePlant(settings);
  product = await start(settings);
  while (!product.output().includes('connected to RabbitMQ')) await pause(50);
  await product.stop();

  const connection = await connect(rabbitmq.amqpUrl);
  const channel = await connection.createConfirmChannel();
  const first = Date.now() - 3_600_000;
  for (let sent = 0; sent < messages; sent += 1) {
    const { uid } = sensors[sent % sensors.length] as { uid: string };
    const time = first + Math.floor(sent / sensors.length) * 1000;
    channel.publish('amq.topic', `tocsin.${uid}.up`, Buffer.from(`{"t":${time},"1":${sent % 90}}`), {
      persistent: true,
    });
    if (sent % 5000 === 4999) await channel.waitForConfirms();
  }
  await channel.waitForConfirms();
  await connection.close();

  product = await start(settings);
  while ((await stored(product)) === 0) await pause(20);
  const began = performance.now();
  const before = await stored(product);
  while ((await stored(product)) < messages) await pause(100);
  const seconds = (performance.now() - began) / 1000;
  const figures = {
    messages,
    seconds: Number(seconds.toFixed(1)),
    readingsPerSecond: Math.round((messages - before) / seconds),
  };
  console.log(JSON.stringify({ backlog: figures, target: 'at least 5000/s' }));
} finally {
  await product?.stop();
  await rabbitmq?.dispose();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
