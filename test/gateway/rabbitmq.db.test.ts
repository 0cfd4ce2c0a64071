/**
 * Devices publish to RabbitMQ over MQTT, and product processes consume the messages over AMQP. Consumers and RabbitMQ
 * nodes are killed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { connectAsync, type IClientOptions } from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/open-database.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import { type CustomerRow, createCustomer, insertRow, serviceQuery } from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { missing, storedReadings } from '../harness/database/stored-readings.ts';
import { Publishers } from '../harness/device/broker-plant.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { ensureRabbitmq, type Rabbitmq, type RabbitNode, startRabbitmq } from '../harness/device/rabbitmq.ts';
import { isLong, long } from '../harness/long.ts';
import { startFaultProxy } from '../harness/machine/fault-proxy.ts';
import { freePorts } from '../harness/machine/ports.ts';
import { type Product, startProduct } from '../harness/server/product.ts';

const KILLS = 20;
const SENSORS = 12;
const LIMIT = 100;
/** Values that alternate: eight readings inside the limit, then eight above it. */
const wave = (number: number) => (number % 16 < 8 ? 50 : 150);
const DATABASE = 'tocsin_rabbitmq';
const SECRET = 'a-secret-of-rabbitmq';
/** Duration of the database outage. To run the test with a shorter outage, set TOCSIN_TEST_OUTAGE_SECONDS. */
const OUTAGE_MS = Number(process.env.TOCSIN_TEST_OUTAGE_SECONDS ?? 600) * 1000;
// RabbitMQ is installed and started only in the long run, because both take a minute.
const found = isLong ? await ensureRabbitmq() : { missing: 'RabbitMQ is tested by npm run test:long.' };
if (isLong && 'missing' in found) console.warn(found.missing);

let postgres: TestPostgres;
let db: Database;
let customer: CustomerRow;
let settings: Record<string, string>;
let products: Product[] = [];

// These tests need PostgreSQL, because only one process can use the embedded database.
describe.skipIf('missing' in found || testDatabaseKind() === 'embedded')('devices behind RabbitMQ', () => {
  beforeAll(async () => {
    postgres = await testPostgres();
    const url = await createMigratedDatabase(postgres, DATABASE);
    settings = { DATABASE_URL: url, TOCSIN_ROLES: 'gateway', TOCSIN_DEMO: 'off' };
    db = await openDatabase({ url, dataDir: '', log: silentLog });
    customer = await createCustomer(db);
  });
  afterEach(async () => {
    await Promise.all(products.map((product) => product.stop()));
    products = [];
  });
  afterAll(async () => {
    await db?.close();
    await postgres?.dropDatabase(DATABASE);
    await postgres?.stop();
  });

  const sensors = (count: number) => Promise.all(Array.from({ length: count }, () => createSensor(db, { customer })));

  async function start(count: number, more: Record<string, string>): Promise<void> {
    products = await Promise.all(
      Array.from({ length: count }, () => startProduct({ ...settings, ...more }, '/robots.txt')),
    );
    const connected = () => products.every(({ output }) => output().includes('connected to RabbitMQ'));
    await expect.poll(connected).toBe(true);
  }

  /** Starts sensors that sign in as RabbitMQ's service user, with the uid of the sensor as the client ID. */
  async function publish(rabbitmq: Rabbitmq, senders: readonly TestSensor[], everyMs: number): Promise<Publishers> {
    const publishers = new Publishers();
    const service = new URL(rabbitmq.amqpUrl.split(',')[0] as string);
    const options = { username: service.username, password: decodeURIComponent(service.password) };
    await publishers.start(
      senders,
      (sensor) => {
        const { mqttPort } = rabbitmq.nodes[senders.indexOf(sensor) % rabbitmq.nodes.length] as { mqttPort: number };
        return { url: `mqtt://127.0.0.1:${mqttPort}`, options: { ...options, clientId: sensor.uid } };
      },
      { value: wave, everyMs },
    );
    return publishers;
  }

  const enough = async (publishers: Publishers, count: number) => {
    const wanted = publishers.acknowledged.length + count;
    await expect
      .poll(() => publishers.acknowledged.length, { interval: 20, timeout: 60_000 })
      .toBeGreaterThanOrEqual(wanted);
  };

  const storedOnce = async (publishers: Publishers, timeout = 30_000) => {
    await publishers.stop();
    await expect.poll(() => missing(db, publishers.acknowledged), { timeout }).toEqual([]);
    expect([...(await storedReadings(db))].filter(([, count]) => count !== 1)).toEqual([]);
  };

  const storedCount = async () => {
    const [row] = await serviceQuery<{ count: number }>(db, 'select count(*)::int as count from tocsin.reading');
    return row?.count ?? 0;
  };

  describe('on one node', () => {
    let rabbitmq: Rabbitmq;
    let port: number;

    beforeAll(async () => {
      [port] = (await freePorts(1)) as [number];
      rabbitmq = await startRabbitmq({ authUrl: `http://127.0.0.1:${port}/api/v1/broker/${SECRET}` });
    });
    afterAll(() => rabbitmq?.dispose());

    const signIn = ({ uid, token }: { uid: string; token: string }, options: IClientOptions = {}) =>
      connectAsync(`mqtt://127.0.0.1:${rabbitmq.nodes[0]?.mqttPort}`, {
        ...{ username: uid, password: token, clientId: uid, reconnectPeriod: 0, connectTimeout: 10_000 },
        ...options,
      });

    const ask = (secret: string, { uid, token }: TestSensor) =>
      fetch(`http://127.0.0.1:${port}/api/v1/broker/${secret}/user`, {
        method: 'POST',
        body: new URLSearchParams({ username: uid, password: token, client_id: uid }),
      });

    test('sign in with uid and token, and use only their own topics', async () => {
      await start(1, { TOCSIN_AMQP_URL: rabbitmq.amqpUrl, TOCSIN_BROKER_AUTH_SECRET: SECRET, PORT: String(port) });
      const [pump, other] = (await sensors(2)) as [TestSensor, TestSensor];
      const dotted = await createSensor(db, { customer, uid: 'hall.2:pump' });
      const stored = async (sensor: TestSensor) =>
        [...(await storedReadings(db)).keys()].filter((key) => key.startsWith(`${sensor.uid} `)).length;

      for (const sensor of [pump, dotted]) {
        const client = await signIn(sensor);
        const commands: string[] = [];
        client.on('message', (_topic, body) => commands.push(body.toString()));
        await client.subscribeAsync(`tocsin/${sensor.uid}/down`, { qos: 1 });
        await client.publishAsync(`tocsin/${sensor.uid}/up`, '1=20.5', { qos: 1 });
        await expect.poll(() => stored(sensor)).toBe(1);
        const { id } = await insertRow<{ id: string }>(db, 'tocsin.reply_message', {
          ...{ tocsin_customer_uuid: customer.uuid, uid: sensor.uid, reply_command: 'REBOOT', queued_on: new Date() },
        });
        await expect.poll(() => commands).toEqual([`{"id":${id},"command":"REBOOT"}`]);
        await client.endAsync(true);
      }

      await expect(signIn({ uid: pump.uid, token: other.token })).rejects.toThrow(/Not authorized|Bad username/i);
      await expect(signIn({ uid: 'nobody', token: other.token })).rejects.toThrow(/Not authorized|Bad username/i);
      await expect(signIn(pump, { clientId: other.uid })).rejects.toThrow(/Not authorized|Bad username/i);

      const intruder = await signIn(pump);
      const cut = new Promise<void>((resolve) => intruder.once('close', () => resolve()));
      intruder.on('error', () => {});
      intruder.publish(`tocsin/${other.uid}/up`, '1=1', { qos: 1 });
      await cut;
      const listener = await signIn(pump);
      for (const topic of [`tocsin/${other.uid}/down`, 'tocsin/+/down', '#', `tocsin/${pump.uid}/up`]) {
        const refused = await listener.subscribeAsync(topic, { qos: 1 }).then(
          ([granted]) => granted?.qos === 128,
          () => true,
        );
        expect(refused, topic).toBe(true);
        if (!listener.connected) break;
      }
      await listener.endAsync(true);
      expect(await stored(other)).toBe(0);

      const connected = await signIn(pump);
      connected.on('error', () => {});
      const closed = new Promise<void>((resolve) => connected.once('close', () => resolve()));
      await serviceQuery(
        db,
        'update tocsin_private.device_token set revoked_at = now() where tocsin_sensor_uuid = $1',
        [pump.uuid],
      );
      await expect.poll(async () => (await ask(SECRET, pump)).text()).toBe('deny');
      await expect(signIn(pump)).rejects.toThrow(/Not authorized|Bad username/i);
      // An open connection survives the revocation of its token. An administrator has to close it.
      expect(connected.connected).toBe(true);
      const endConnections = `[P ! {shutdown, "revoked"} || {tracked_connection, _, _, _, _, P, _, _, _, _, <<"${pump.uid}">>, _} <- rabbit_connection_tracking:list()].`;
      await rabbitmq.control(rabbitmq.nodes[0] as RabbitNode, 'eval', endConnections);
      await closed;
      expect(await (await ask(SECRET, other)).text()).toBe('allow');
      expect((await ask('another-secret-of-it', other)).status).toBe(404);
      for (const { output } of products)
        expect(output()).not.toMatch(new RegExp(`${pump.token}|${other.token}|${SECRET}`));
    });

    test('lose no reading and open each alarm once while consumers are killed', { timeout: 600_000 }, async () => {
      const url = { TOCSIN_AMQP_URL: rabbitmq.amqpUrl };
      await start(2, url);
      const senders = await sensors(SENSORS);
      for (const { uuid: _uuid, site, assetUuid, channels } of senders) {
        await insertRow(db, 'tocsin.rule', {
          ...{ tocsin_customer_uuid: customer.uuid, tocsin_site_uuid: site.uuid, tocsin_asset_uuid: assetUuid },
          ...{ tocsin_datapoint_uuid: channels[0]?.datapointUuid, name: 'High level', value_upper: LIMIT },
        });
      }
      const publishers = await publish(rabbitmq, senders, 25);
      for (let kill = 0; kill < KILLS; kill += 1) {
        await enough(publishers, 500);
        // The process that started first consumes the messages, so each round kills the oldest process.
        const victim = products.shift() as Product;
        await victim.stop('SIGKILL');
        products.push(await startProduct({ ...settings, ...url }, '/robots.txt'));
      }
      await enough(publishers, 500);
      await storedOnce(publishers);
      for (const sensor of senders) {
        const expected = await expectedHistory(sensor);
        expect(expected.alarms.length).toBeGreaterThan(1);
        expect(await historyOf(sensor)).toEqual(expected);
      }
    });

    long('lose no reading when a consumer is paused and wakes up', { timeout: 300_000 }, async () => {
      await start(1, { TOCSIN_AMQP_URL: rabbitmq.amqpUrl });
      const [paused] = products as [Product];
      const publishers = await publish(rabbitmq, await sensors(SENSORS), 25);
      await enough(publishers, 200);
      products.push(await startProduct({ ...settings, TOCSIN_AMQP_URL: rabbitmq.amqpUrl }, '/robots.txt'));
      paused.child.kill('SIGSTOP');
      // Only the process that is not paused can store these readings.
      await enough(publishers, 200);
      const { acknowledged } = publishers;
      // RabbitMQ detects the missing heartbeats of the paused process after 20 s.
      await expect.poll(() => missing(db, acknowledged), { timeout: 60_000 }).toEqual([]);
      paused.child.kill('SIGCONT');
      await expect.poll(() => paused.output().match(/(?<!not )connected to RabbitMQ/g)?.length).toBe(2);
      await storedOnce(publishers);
    });

    test('lose no reading while the database is out of reach', { timeout: 900_000 }, async () => {
      const { hostname: host, port: databasePort } = new URL(settings.DATABASE_URL as string);
      const proxy = await startFaultProxy({ host, port: Number(databasePort) });
      const through = new URL(settings.DATABASE_URL as string);
      through.port = String(proxy.port);
      try {
        await start(1, { TOCSIN_AMQP_URL: rabbitmq.amqpUrl, DATABASE_URL: through.href });
        const publishers = await publish(rabbitmq, await sensors(SENSORS), 25);
        await enough(publishers, 200);
        proxy.blackhole('all');
        proxy.reset();
        await enough(publishers, 1000);
        await pause(OUTAGE_MS);
        await publishers.stop();
        const before = await storedCount();
        const backlog = publishers.acknowledged.length - before;
        proxy.restore();
        await expect.poll(storedCount, { timeout: 60_000 }).toBeGreaterThan(before);
        const began = performance.now();
        // The proxy and this test share an event loop. Frequent queries by the test would slow the proxy down.
        const all = { interval: 250, timeout: 30_000 + backlog };
        await expect.poll(storedCount, all).toBeGreaterThanOrEqual(publishers.acknowledged.length);
        const rate = Math.round((backlog / (performance.now() - began)) * 1000);
        console.log(`Stored a backlog of ${backlog} readings at ${rate} readings/s.`);
        // The test checks the rate only for a long backlog. A short one is stored before V8 has optimised the code.
        if (backlog > 50_000) expect(rate).toBeGreaterThan(5000);
        await storedOnce(publishers);
      } finally {
        await Promise.all(products.map((product) => product.stop()));
        await proxy.stop();
      }
    });
  });

  long('lose no reading when the leader of a queue is killed', { timeout: 600_000 }, async () => {
    const rabbitmq = await startRabbitmq({ nodes: 3 });
    try {
      await start(2, { TOCSIN_AMQP_URL: rabbitmq.amqpUrl });
      const publishers = await publish(rabbitmq, await sensors(SENSORS), 25);
      for (let kill = 0; kill < 3; kill += 1) {
        await enough(publishers, 1000);
        const [some] = rabbitmq.nodes as [RabbitNode];
        const queues = await rabbitmq.control(some, 'list_queues', 'name', 'leader', 'members');
        const [line = '', name] = /^tocsin\.up\.1\s+(\S+).*/m.exec(queues) ?? [];
        for (const node of rabbitmq.nodes) expect(line).toContain(node.name);
        const leader = rabbitmq.nodes.find((node) => node.name === name) as RabbitNode;
        await leader.kill();
        await enough(publishers, 1000);
        await leader.start();
      }
      await storedOnce(publishers, 60_000);
    } finally {
      await rabbitmq.dispose();
    }
  });
});

interface Phase {
  at: number;
  to: string;
}

/** Returns the recorded state changes of the sensor's rule in order, and the opening times of its alarms. */
async function historyOf({ uid, channels }: TestSensor): Promise<{ uid: string; changes: Phase[]; alarms: number[] }> {
  const datapoint = channels[0]?.datapointUuid;
  const changes = await serviceQuery<Phase>(
    db,
    `select round(extract(epoch from at) * 1000)::float8 as at, to_phase as to from tocsin.rule_transition
     where tocsin_datapoint_uuid = $1 order by id`,
    [datapoint],
  );
  const alarms = await serviceQuery<{ at: number }>(
    db,
    `select round(extract(epoch from date_time) * 1000)::float8 as at from tocsin.alarm where tocsin_datapoint_uuid = $1 order by 1`,
    [datapoint],
  );
  return { uid, changes, alarms: alarms.map(({ at }) => at) };
}

/**
 * Returns the history that a single process would record for the stored readings, in the order of their device times.
 */
async function expectedHistory({ uid, channels }: TestSensor): Promise<Awaited<ReturnType<typeof historyOf>>> {
  const readings = await serviceQuery<{ at: number; value: number }>(
    db,
    'select round(extract(epoch from device_time) * 1000)::float8 as at, value from tocsin.reading where channel_key = $1 order by device_time',
    [channels[0]?.key],
  );
  const changes: Phase[] = [];
  let open = false;
  for (const { at, value } of readings) {
    if (value > LIMIT === open) continue;
    open = !open;
    changes.push({ at, to: open ? 'open' : 'normal' });
  }
  return { uid, changes, alarms: changes.filter(({ to }) => to === 'open').map(({ at }) => at) };
}
