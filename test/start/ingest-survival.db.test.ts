/** Kills the server repeatedly while devices send, and compares its acknowledgements with the stored frames. */
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectMqtt } from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/open-database.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import { embeddedFolder } from '../harness/database/embedded.ts';
import { createCustomer, serviceQuery } from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { isLong } from '../harness/long.ts';
import { freePort } from '../harness/machine/ports.ts';
import { keepCompiledProduct, type Product, startProduct } from '../harness/server/product.ts';

const KILLS = isLong ? 20 : 2;
const ENOUGH = 120;
const dataDir = await embeddedFolder('migrated');
const settings: Record<string, string> = { TOCSIN_DEMO: 'off', TOCSIN_DATA_DIR: dataDir, TOCSIN_ROLES: 'gateway' };
let postgres: TestPostgres | undefined;
let sensors: TestSensor[] = [];

beforeAll(async () => {
  await keepCompiledProduct();
  if (testDatabaseKind() === 'postgres') {
    postgres = await testPostgres();
    settings.DATABASE_URL = await createMigratedDatabase(postgres, 'tocsin_ingest');
  }
  settings.TCP_PORT = String(await freePort());
  settings.MQTT_PORT = String(await freePort());
  await onDatabase(async (db) => {
    const customer = await createCustomer(db);
    sensors = await Promise.all(Array.from({ length: 6 }, () => createSensor(db, { customer })));
  });
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true, force: true });
  await postgres?.dropDatabase('tocsin_ingest');
  await postgres?.stop();
});

async function onDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ url: settings.DATABASE_URL, dataDir, log: silentLog });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Sends one frame. Resolves when the server acknowledges the frame, and rejects if the server has been killed. */
type Send = (frame: string) => Promise<void>;

const protocols: Record<string, (product: Product, sensor: TestSensor) => Promise<Send>> = {
  async http({ url }, { uid, token }) {
    return async (frame) => {
      const answer = await fetch(`${url}/api/v1/ingest/${uid}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: frame,
      });
      if (answer.status !== 200) throw new Error(await answer.text());
      await answer.arrayBuffer();
    };
  },
  tcp(_product, { uid, token }) {
    const socket = connect(Number(settings.TCP_PORT), 'localhost');
    let answered: { resolve(): void; reject(error: Error): void } | undefined;
    const gone = () => answered?.reject(new Error('gone'));
    socket.on('error', gone).on('close', gone);
    socket.on('data', (line: Buffer) =>
      line.toString().startsWith('OK') ? answered?.resolve() : answered?.reject(new Error(line.toString())),
    );
    const send: Send = (frame) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('gone'));
        answered = { resolve, reject };
        socket.write(`${uid} ${token} ${frame}\n`);
      });
    return Promise.resolve(send);
  },
  async mqtt(_product, { uid, token }) {
    const client = connectMqtt(`mqtt://localhost:${settings.MQTT_PORT}`, {
      username: uid,
      password: token,
      reconnectPeriod: 0,
    });
    client.on('error', () => {});
    await new Promise<void>((resolve, reject) => {
      client.once('connect', () => resolve());
      client.once('close', () => reject(new Error('gone')));
    });
    return (frame) =>
      new Promise((resolve, reject) => {
        const gone = () => reject(new Error('gone'));
        if (!client.connected) return gone();
        client.once('close', gone);
        client.publish(`tocsin/${uid}/up`, frame, { qos: 1 }, (error) => {
          client.off('close', gone);
          if (error) reject(error);
          else resolve();
        });
      });
  },
};

interface Sent {
  uid: string;
  time: number;
  acknowledged: number;
}

const sent: Sent[] = [];
let acknowledgements = 0;
const first = Date.now() - 3_600_000;

/**
 * Sends frames until the server has been killed. After the restart, sends unacknowledged frames again, as a device
 * does.
 */
async function sendUntilGone(product: Product, sensor: TestSensor, protocol: string): Promise<void> {
  try {
    const send = await (protocols[protocol] as (typeof protocols)[string])(product, sensor);
    const again = sent.filter(({ uid, acknowledged }) => uid === sensor.uid && acknowledged === 0);
    while (true) {
      let one = again.shift();
      if (!one) {
        one = { uid: sensor.uid, time: first + sent.length, acknowledged: 0 };
        sent.push(one);
      }
      await send(`{"t":${one.time},"1":${one.time % 1000}}`);
      one.acknowledged += 1;
      acknowledgements += 1;
    }
  } catch {
    // Sending fails as soon as the server has been killed.
  }
}

test('kills during ingest lose and duplicate no acknowledged frame', { timeout: 600_000 }, async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const product = await startProduct(settings, '/healthz');
    const names = Object.keys(protocols);
    const senders = sensors.map((sensor, index) =>
      sendUntilGone(product, sensor, names[(index + kill) % names.length] as string),
    );
    // Waits for enough acknowledgements in this round, so that the result does not depend on the machine's speed.
    const enough = acknowledgements + ENOUGH / KILLS;
    await expect.poll(() => acknowledgements, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(enough);
    // Each round kills the server at a different moment.
    await new Promise((resolve) => setTimeout(resolve, (kill * 137) % 400));
    await product.stop('SIGKILL');
    await Promise.all(senders);
  }
  const { readings, frames } = await onDatabase(async (db) => ({
    readings: await serviceQuery<{ uid: string; ms: number; count: number }>(
      db,
      `select s.uid, round(extract(epoch from r.device_time) * 1000)::float8 as ms, count(*)::int as count
       from tocsin.reading r join tocsin.sensor_channel c on c.key = r.channel_key join tocsin.sensor s on s.uuid = c.tocsin_sensor_uuid
       group by 1, 2`,
    ),
    frames: await serviceQuery<{ uid: string; ms: number; count: number }>(
      db,
      `select uid, (raw_data::json ->> 't')::float8 as ms, count(*)::int as count from tocsin.incoming_sensor_log group by 1, 2`,
    ),
  }));
  const countOf = (rows: { uid: string; ms: number; count: number }[]) =>
    new Map(rows.map(({ uid, ms, count }) => [`${uid} ${ms}`, count]));
  const [stored, logged] = [countOf(readings), countOf(frames)];
  const acknowledged = sent.filter((one) => one.acknowledged > 0);
  expect(acknowledged.length).toBeGreaterThanOrEqual(ENOUGH);
  const key = ({ uid, time }: Sent) => `${uid} ${time}`;
  expect(acknowledged.filter((one) => !stored.has(key(one)) || !logged.has(key(one)))).toEqual([]);
  expect([...stored].filter(([, count]) => count !== 1)).toEqual([]);
  expect(stored.size, 'no frame that was never sent').toBeLessThanOrEqual(sent.length);
  // The sensor log contains only frames that a device really sent.
  const rounds = new Map(sent.map((one) => [key(one), one]));
  expect([...logged].filter(([name]) => !rounds.has(name))).toEqual([]);
});
