import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { frameLimits } from '../../domain/frame/frame.ts';
import { disposeTestDatabases } from '../harness/database/database.ts';
import { createCustomer, serviceQuery } from '../harness/database/factories.ts';
import type { NewSensor, TestSensor } from '../harness/device/devices.ts';
import { MOSQUITTO_CLIENTS } from '../harness/device/mosquitto.ts';
import { EdgeNode, encode, type SentMetric } from '../harness/device/sparkplug.ts';
import { ensureDebianPackage } from '../harness/machine/debian.ts';
import { DevicesApp, run } from './devices-app.ts';

const clients = await ensureDebianPackage(MOSQUITTO_CLIENTS);
if ('missing' in clients) console.warn(clients.missing);

let devices: DevicesApp;

beforeAll(async () => {
  devices = await DevicesApp.start();
});
afterAll(async () => {
  await devices.close();
  await disposeTestDatabases();
});

const behind = (gateway: TestSensor, values: Partial<NewSensor> = {}) =>
  devices.sensor({ ...values, columns: { tocsin_gateway_uuid: gateway.uuid, ...values.columns } });
const connect = ({ uid, token }: TestSensor, birthNumber = 0) =>
  EdgeNode.connect(`mqtt://127.0.0.1:${devices.mqttPort}`, { uid, token, birthNumber });
const now = () => devices.app.clock.now().getTime();
const values = async (sensor: TestSensor) =>
  (await devices.readings(sensor)).map(({ channel, time, value }) => [channel, time.getTime() - now(), value]);

const level: SentMetric = { name: 'Level', alias: 1, type: 'Float', value: 20.1 };
const flow: SentMetric = { name: '2', alias: 2, type: 'Int16', value: -7 };
const brief = ({ alias, type }: SentMetric, value: number): SentMetric => ({
  alias: alias ?? 0,
  type,
  value,
  untyped: true,
});

async function lastContact({ uuid }: TestSensor): Promise<Date | null> {
  await devices.app.gateway?.pipeline?.behind.flush();
  const [row] = await serviceQuery<{ at: Date | null }>(
    devices.app.db,
    'select last_contact as at from tocsin.sensor where uuid = $1',
    [uuid],
  );
  return row?.at ?? null;
}

describe('an edge node', () => {
  test('stores readings by name and number of the channel, for itself and its devices', async () => {
    const edge = await devices.sensor();
    const pump = await behind(edge);
    const node = await connect(edge);
    await node.birth([level, flow], now() - 3000);
    await node.say('DBIRTH', pump.uid, [level], now() - 2000);
    await node.say(
      'DDATA',
      pump.uid,
      [brief(level, 30), { ...brief(level, 29), timestamp: now() - 9000 }],
      now() - 1000,
    );
    await node.say('NDATA', undefined, [brief(flow, -8)], now());
    node.end();
    expect(await values(edge)).toEqual([
      [1, -3000, 20.1],
      [2, -3000, -7],
      [2, 0, -8],
    ]);
    expect(await values(pump)).toEqual([
      [1, -9000, 29],
      [1, -2000, 20.1],
      [1, -1000, 30],
    ]);
  });

  test('has every message in the log under its uid, as text and with its bytes', async () => {
    const edge = await devices.sensor();
    const pump = await behind(edge, { columns: { frame_format: 'csv' } });
    const node = await connect(edge);
    await node.birth();
    await node.say('DBIRTH', pump.uid, [level, { name: 'Serial', type: 'String', value: 'A-17' }], now());
    await node.client.publishAsync(node.topic('NDATA'), Buffer.from([0xff, 0, 1]), { qos: 1 });
    node.end();
    const [birth] = await devices.frames(pump);
    expect(birth).toMatchObject({ encoding: 'text', protocol: 'mqtt', note: null });
    expect(birth?.problem).toBe('Serial: The value "A-17" of "Serial" is not a number.');
    const kept = JSON.parse(birth?.raw ?? '');
    expect(Object.keys(kept)).toEqual(['topic', 'timestamp', 'seq', 'metrics', 'payload']);
    const sent = {
      timestamp: now(),
      seq: 1,
      metrics: [level, { name: 'Serial', type: 'String' as const, value: 'A-17' }],
    };
    expect(kept.payload).toBe(encode(sent).toString('base64'));
    const [own, bad] = await devices.frames(edge);
    expect(own).toMatchObject({ problem: null });
    expect(bad).toMatchObject({ problem: 'The message is not a Sparkplug B payload, or it is compressed.' });
    expect(JSON.parse(bad?.raw ?? '')).toMatchObject({ topic: node.topic('NDATA'), payload: '/wAB' });
  });

  test('can be replayed: stored frames give the same readings by another protocol', async () => {
    const edge = await devices.sensor();
    const node = await connect(edge);
    await node.birth([level, flow], now() - 60_000);
    node.end();
    const raw = (await devices.frames(edge))[0]?.raw ?? '';
    const other = await devices.sensor();
    const headers = { authorization: `Bearer ${other.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${devices.url}/${other.uid}`, { method: 'POST', headers, body: raw });
    expect(await answer.json()).toMatchObject({ accepted: 2, refused: [] });
    expect(await values(other)).toEqual(await values(edge));
  });

  test('that sends a message of the maximum size has it stored, though its text is larger', async () => {
    const edge = await devices.sensor();
    const node = await connect(edge);
    const metrics = Array.from({ length: frameLimits.values - 1 }, (_, index): SentMetric => {
      return { name: `Some metric of a long name ${String(index).padStart(4, '0')}`, type: 'Int32', value: index };
    });
    const bytes = encode({ timestamp: now(), seq: 0, metrics: [level, ...metrics] });
    expect(bytes.length).toBeLessThan(frameLimits.bytes);
    await node.client.publishAsync(node.topic('NBIRTH'), bytes, { qos: 1 });
    node.end();
    const [frame] = await devices.frames(edge);
    expect(frame?.raw.length).toBeGreaterThan(frameLimits.bytes);
    expect(frame?.problem).toMatch(/^The sensor has no channel "Some metric of a long name 0000"\..* And 994 more\.$/);
    expect(await values(edge)).toEqual([[1, 0, 20.1]]);
  });

  test('that lost messages has a note beside the next one', async () => {
    const edge = await devices.sensor();
    const node = await connect(edge);
    await node.birth([level], now() - 1000);
    node.seq = 9;
    await node.say('NDATA', undefined, [brief(level, 5), brief(flow, 1)], now());
    node.end();
    const frame = (await devices.frames(edge))[1];
    expect(frame?.note).toBe(
      'Messages were lost before this one: sequence number 9 followed 0. The server requested a new birth message from the edge node.',
    );
    expect(frame?.problem).toBe('alias 2: The alias "2" is unknown: the last birth message did not define it.');
    expect(await values(edge)).toContainEqual([1, 0, 5]);
  });
});

describe('the devices of an edge node', () => {
  test('may be named after it if several nodes have a device of the same name', async () => {
    const [one, two] = [await devices.sensor(), await devices.sensor()];
    const [pumpOne, pumpTwo] = [await behind(one, { uid: `${one.uid}:pump` }), await behind(two, { uid: 'pump' })];
    for (const [edge, value] of [
      [one, 1],
      [two, 2],
    ] as const) {
      const node = await connect(edge);
      await node.birth();
      await node.say('DBIRTH', 'pump', [{ ...level, value }], now());
      node.end();
    }
    expect(await values(pumpOne)).toEqual([[1, 0, 1]]);
    expect(await values(pumpTwo)).toEqual([[1, 0, 2]]);
  });

  test('are only those that refer to it: no other sensor gets a reading, here or at another customer', async () => {
    const edge = await devices.sensor();
    const customer = await createCustomer(devices.app.db);
    const free = await devices.sensor({ uid: `free-${edge.uid}` });
    const twin = await devices.sensor({ customer, uid: edge.uid });
    const abroad = await devices.sensor({ customer, uid: 'abroad', columns: { tocsin_gateway_uuid: twin.uuid } });
    const node = await connect(edge);
    await node.birth([level], now());
    for (const uid of [free.uid, abroad.uid, 'nobody-at-all']) await node.say('DBIRTH', uid, [level], now());
    expect(node.client.connected).toBe(true);
    node.end();
    for (const sensor of [free, twin, abroad]) {
      expect(await devices.readings(sensor)).toEqual([]);
      expect(await devices.frames(sensor)).toEqual([]);
    }
    const strangers = (await devices.frames(edge)).slice(1, 4);
    expect(strangers.map(({ problem }) => problem)).toEqual([
      `The sensor ${free.uid} is not behind the gateway ${edge.uid}. Choose this gateway in the settings of the sensor.`,
      'No sensor with the uid abroad is registered.',
      'No sensor with the uid nobody-at-all is registered.',
    ]);
    expect(strangers.every(({ raw }) => JSON.parse(raw).payload !== undefined)).toBe(true);
  });

  test('are refused if disabled, and the others continue', async () => {
    const edge = await devices.sensor();
    const [off, on] = [await behind(edge), await behind(edge)];
    await devices.disable(off);
    const node = await connect(edge);
    await node.birth();
    await node.say('DBIRTH', off.uid, [level], now());
    await node.say('DBIRTH', on.uid, [level], now());
    node.end();
    expect(await values(off)).toEqual([]);
    expect((await devices.frames(off))[0]?.problem).toMatch(/is disabled/);
    expect(await values(on)).toHaveLength(1);
  });
});

test('a death is stored and does not count as contact', async () => {
  const edge = await devices.sensor();
  const pump = await behind(edge);
  const node = await connect(edge, 3);
  await node.birth([level], now());
  await node.say('DBIRTH', pump.uid, [level], now());
  const seen = [await lastContact(edge), await lastContact(pump)];
  expect(seen).toEqual([devices.app.clock.now(), devices.app.clock.now()]);
  const slots = async () => {
    const question = 'select from tocsin.health_slot where tocsin_site_uuid = any ($1)';
    return (await serviceQuery(devices.app.db, question, [[edge.site.uuid, pump.site.uuid]])).length;
  };
  expect(await slots()).toBe(2);
  devices.app.clock.advance(48 * 3_600_000);
  await node.say('DDEATH', pump.uid, [], now());
  (node.client.stream as unknown as { destroy(): void }).destroy();
  await expect.poll(async () => (await devices.frames(edge)).length).toBe(2);
  expect((await devices.frames(pump))[1]).toMatchObject({ problem: null, note: 'The device went offline.' });
  expect((await devices.frames(edge))[1]).toMatchObject({
    problem: null,
    note: 'The edge node and all devices behind it went offline.',
  });
  expect([await lastContact(edge), await lastContact(pump)]).toEqual(seen);
  expect(await slots()).toBe(2);
  const again = await connect(edge, 4);
  await again.birth([level], now());
  again.end();
  expect(await lastContact(edge)).toEqual(devices.app.clock.now());
});

test('a command reaches the device through its node, and is delivered when the device confirms it', async () => {
  const edge = await devices.sensor();
  const pump = await behind(edge);
  const node = await connect(edge);
  await node.birth();
  await node.say('DBIRTH', pump.uid, [level], now());
  const id = await devices.queue(pump, 'SPEED 40');
  const state = async () =>
    (
      await serviceQuery<{ sent: boolean; delivered: boolean; reply: string | null }>(
        devices.app.db,
        'select sent_on is not null as sent, delivered_on is not null as delivered, reply from tocsin.reply_message where id = $1',
        [id],
      )
    )[0];
  await expect
    .poll(() => node.heard)
    .toEqual([
      {
        topic: `spBv1.0/Plant/DCMD/${edge.uid}/${pump.uid}`,
        metrics: { 'Tocsin/Command Id': id, 'Tocsin/Command': 'SPEED 40' },
      },
    ]);
  expect(await state()).toMatchObject({ sent: true, delivered: false });
  const metrics: SentMetric[] = [
    { name: 'ack', type: 'Int64', value: id },
    { name: 'reply', type: 'String', value: 'running at 40' },
  ];
  await node.say('DDATA', pump.uid, metrics, now() + 2);
  node.end();
  expect(await state()).toEqual({ sent: true, delivered: true, reply: 'running at 40' });
});

test('a revoked token closes the connection of its edge node', async () => {
  const edge = await devices.sensor();
  const node = await connect(edge);
  await node.birth();
  const ended = new Promise<void>((resolve) => node.client.once('close', () => resolve()));
  await devices.revoke(edge);
  await ended;
  expect(await devices.frames(edge)).toHaveLength(1);
});

describe.skipIf('missing' in clients)('mosquitto_pub', () => {
  test('sends the documented example', async () => {
    const text = await readFile(new URL('../../docs/devices.md', import.meta.url), 'utf8');
    const [, bytes = '', topic = ''] = /^echo (\S+) \| base64 -d \| mosquitto_pub .* -t (\S+) -s$/m.exec(text) ?? [];
    const edge = await devices.sensor();
    const { code, errors } = await run(
      'mosquitto_pub',
      [
        '-p',
        `${devices.mqttPort}`,
        '-u',
        edge.uid,
        '-P',
        edge.token,
        '-q',
        '1',
        '-t',
        topic.replace('edge-1', edge.uid),
        '-s',
      ],
      Buffer.from(bytes, 'base64'),
    );
    expect([code, errors]).toEqual([0, '']);
    expect(await values(edge)).toEqual([[1, 0, 20.5]]);
    const [, kept = ''] = /```json\n(\{"topic":"spBv1\.0[\s\S]*?)```/.exec(text) ?? [];
    const [frame] = await devices.frames(edge);
    expect(frame?.raw.replaceAll(edge.uid, 'edge-1')).toBe(JSON.stringify(JSON.parse(kept)));
  });
});
