import type { Socket } from 'node:net';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { frameLimits } from '../../domain/frame/frame.ts';
import { MemoryIntake } from '../../test/harness/memory-intake.ts';
import { death, EdgeNode, type EdgeNodeOptions, encode, type SentMetric } from '../../test/harness/sparkplug.ts';
import { HandClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { createMetrics, type Metrics } from '../platform/metrics.ts';
import { type Door, startMqtt } from './mqtt.ts';

const TIME = Date.UTC(2026, 2, 4, 8);
let clock: HandClock;
let intake: MemoryIntake;
let metrics: Metrics;
let door: Door;
const nodes: EdgeNode[] = [];

beforeEach(async () => {
  clock = new HandClock(new Date(TIME));
  intake = new MemoryIntake();
  intake.add('edge-1');
  intake.add('pump-7').gateway = 'edge-1';
  metrics = createMetrics();
  const port = { number: 0, fixed: true } as const;
  door = await startMqtt({ intake, log: silentLog, metrics, clock, host: '127.0.0.1', port });
});
afterEach(async () => {
  for (const node of nodes.splice(0)) node.end();
  await door.close();
});

async function connect(options: Partial<EdgeNodeOptions> = {}): Promise<EdgeNode> {
  const url = `mqtt://127.0.0.1:${door.port}`;
  const node = await EdgeNode.connect(url, { uid: 'edge-1', token: 'token-of-edge-1', ...options });
  nodes.push(node);
  return node;
}

const level: SentMetric = { name: 'Level', alias: 1, type: 'Double', value: 20.5 };
const later: SentMetric = { alias: 1, type: 'Double', value: 21, untyped: true };
const turn = () => new Promise((resolve) => setImmediate(resolve));
const until = async (ready: () => boolean) => {
  while (!ready()) await turn();
};
const ended = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', resolve));
const kept = () => intake.frames.map(({ device: { uid }, text }) => ({ uid, ...JSON.parse(text) }));

function counted(outcome: string): number {
  return metrics.snapshot().reduce((sum, sample) => {
    return sample.kind === 'counter' && sample.labels.outcome === outcome ? sum + sample.value : sum;
  }, 0);
}

/** Whether a publication was acknowledged or the connection ended first. */
async function publish(node: EdgeNode, topic: string, payload: Buffer, options = {}): Promise<string> {
  const acknowledged = node.client.publishAsync(topic, payload, { qos: 1, ...options }).then(
    () => 'acknowledged',
    () => 'ended',
  );
  return Promise.race([acknowledged, ended(node.client).then(() => 'ended')]);
}

describe('an edge node', () => {
  test('is born, brings data by alias for itself and its devices, and every message is kept readable with its bytes', async () => {
    const node = await connect();
    await node.birth([level], TIME);
    await node.say('DBIRTH', 'pump-7', [{ ...level, value: 1 }], TIME);
    await node.say('DDATA', 'pump-7', [later], TIME + 1000);
    await node.say('NDATA', undefined, [later], TIME + 2000);
    expect(kept().map(({ uid, topic, seq }) => [uid, topic, seq])).toEqual([
      ['edge-1', 'spBv1.0/Plant/NBIRTH/edge-1', 0],
      ['pump-7', 'spBv1.0/Plant/DBIRTH/edge-1/pump-7', 1],
      ['pump-7', 'spBv1.0/Plant/DDATA/edge-1/pump-7', 2],
      ['edge-1', 'spBv1.0/Plant/NDATA/edge-1', 3],
    ]);
    expect(kept()[2]).toMatchObject({
      timestamp: TIME + 1000,
      metrics: [{ name: 'Level', alias: 1, type: 'Double', value: 21 }],
      payload: encode({ timestamp: TIME + 1000, seq: 2, metrics: [later] }).toString('base64'),
    });
    expect(
      intake.frames.every(({ notes, contact, door: way }) => notes.length === 0 && contact && way === 'mqtt'),
    ).toBe(true);
    expect(node.heard).toEqual([]);
  });

  test('gets its acknowledgement after the message is stored, not before', async () => {
    const node = await connect();
    const release = intake.hold();
    let acknowledged = false;
    const done = node.birth([level]).then(() => {
      acknowledged = true;
    });
    await until(() => intake.underWay > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(acknowledged).toBe(false);
    release();
    await done;
    expect(intake.frames).toHaveLength(1);
  });

  test('may send as the specification says, without acknowledgements', async () => {
    const node = await connect();
    node.client.publish(node.topic('NBIRTH'), encode({ seq: 0, metrics: [level] }), { qos: 0 });
    node.client.publish(node.topic('NDATA'), encode({ seq: 1, metrics: [later] }), { qos: 0 });
    await until(() => intake.frames.length === 2);
    expect(kept()[1].metrics).toMatchObject([{ name: 'Level', value: 21 }]);
  });

  test('that breaks off leaves its death, which is no sign of life', async () => {
    const node = await connect({ birthNumber: 7 });
    await node.birth([level]);
    (node.client.stream as unknown as Socket).destroy();
    await until(() => intake.frames.length === 2);
    expect(intake.frames[1]).toMatchObject({
      contact: false,
      notes: ['The edge node went offline, and all devices behind it.'],
    });
    expect(kept()[1]).toMatchObject({ topic: 'spBv1.0/Plant/NDEATH/edge-1', metrics: [{ name: 'bdSeq', value: 7 }] });
  });

  test('says that a device went offline', async () => {
    const node = await connect();
    await node.birth();
    await node.say('DBIRTH', 'pump-7', [level]);
    await node.say('DDEATH', 'pump-7', []);
    expect(intake.frames[2]).toMatchObject({
      device: { uid: 'pump-7' },
      contact: false,
      notes: ['The device went offline.'],
    });
  });
});

describe('a birth is asked for', () => {
  const asked = (node: EdgeNode) =>
    node.heard.filter(
      ({ topic, metrics: all }) => topic === 'spBv1.0/Plant/NCMD/edge-1' && all['Node Control/Rebirth'] === true,
    ).length;

  test('where data come before it, and by alias nothing is taken until then', async () => {
    const node = await connect();
    await node.say('NDATA', undefined, [later]);
    await until(() => asked(node) === 1);
    expect(intake.frames[0]?.notes).toEqual([
      'The birth of this edge node was not heard.',
      'The edge node was asked for its birth.',
    ]);
    expect(kept()[0].metrics).toEqual([{ alias: 1, value: 21 }]);
    await node.birth([level]);
    await node.say('NDATA', undefined, [later]);
    expect(kept()[2].metrics).toMatchObject([{ name: 'Level', value: 21 }]);
    expect(intake.frames[2]?.notes).toEqual([]);
  });

  test('where a number is missing, while the data are taken all the same', async () => {
    const node = await connect();
    await node.birth([level]);
    node.seq = 5;
    await node.say('NDATA', undefined, [later]);
    await until(() => asked(node) === 1);
    expect(intake.frames[1]?.notes).toContain('Messages were lost before this one: number 5 came after 0.');
    expect(kept()[1].metrics).toMatchObject([{ name: 'Level', value: 21 }]);
  });

  test('where an alias was never named', async () => {
    const node = await connect();
    await node.birth([level]);
    await node.say('NDATA', undefined, [later, { ...later, alias: 99 }]);
    await until(() => asked(node) === 1);
    expect(kept()[1].metrics).toMatchObject([{ name: 'Level' }, { alias: 99 }]);
  });

  test('once a minute at most', async () => {
    const node = await connect();
    for (let count = 0; count < 5; count += 1) await node.say('NDATA', undefined, [later]);
    expect(asked(node)).toBe(1);
    clock.advance(60_000);
    await node.say('NDATA', undefined, [later]);
    await until(() => asked(node) === 2);
  });

  test('only of those who listen', async () => {
    const node = await connect({ deaf: true });
    await node.say('NDATA', undefined, [level]);
    expect(intake.frames[0]?.notes).toEqual(['The birth of this edge node was not heard.']);
    await node.client.subscribeAsync('spBv1.0/Plant/NCMD/edge-1', { qos: 1 });
    await node.say('NDATA', undefined, [level]);
    await until(() => asked(node) === 1);
  });
});

describe('an edge node may not', () => {
  test.each([
    'spBv1.0/Plant/NDATA/edge-2',
    'spBv1.0/Plant/DDATA/edge-2/pump-7',
    'spBv1.0/Plant/NCMD/edge-1',
    'spBv1.0/Plant/DCMD/edge-1/pump-7',
    'spBv1.0/STATE/edge-1',
    'spBv1.0/Plant/NDATA/edge-1/more',
    'spBv1.0/Other/NDATA/edge-1',
  ])('publish to %s', async (topic) => {
    intake.add('edge-2');
    const node = await connect();
    await node.birth();
    expect(await publish(node, topic, encode({ seq: 1, metrics: [level] }))).toBe('ended');
    expect(intake.frames.filter(({ text }) => !text.includes('NBIRTH') && !text.includes('NDEATH'))).toEqual([]);
    expect(counted('foreign-topic')).toBe(1);
  });

  test.each([
    'spBv1.0/#',
    'spBv1.0/Plant/NCMD/+',
    'spBv1.0/Plant/NCMD/edge-2',
    'spBv1.0/Plant/DCMD/edge-2/#',
    'spBv1.0/Plant/NDATA/edge-1',
    'spBv1.0/+/NCMD/edge-1',
  ])('subscribe to %s', async (topic) => {
    const node = await connect();
    const answer = await node.client.subscribeAsync(topic, { qos: 1 }).catch((error: Error) => error.message);
    expect(answer).toMatch(/Unspecified error/);
  });

  test('publish retained messages', async () => {
    const node = await connect();
    const bytes = encode({ seq: 0, metrics: [level] });
    expect(await publish(node, node.topic('NBIRTH'), bytes, { retain: true })).toBe('ended');
    expect(counted('retained')).toBe(1);
  });

  test.each(['spBv1.0/Plant/NDEATH/edge-2', 'spBv1.0/Plant/NDATA/edge-1', 'spBv1.0/Plant/DDEATH/edge-1/pump-7'])(
    'leave a will to %s',
    async (topic) => {
      const will = { topic, payload: death(0), qos: 1, retain: false } as const;
      const refused = await connect({ client: { will } }).then(
        () => undefined,
        (error: { code?: number }) => error.code,
      );
      expect(refused).toBe(5);
      expect(counted('foreign-will')).toBe(1);
    },
  );

  test('speak for a sensor that does not name it, and is not sent away because of that', async () => {
    intake.add('theirs');
    intake.add('abroad', 'token', 'customer-2').gateway = 'edge-1';
    const node = await connect();
    await node.birth();
    for (const device of ['theirs', 'abroad', 'nobody']) await node.say('DBIRTH', device, [level]);
    expect(intake.strangers).toEqual([
      ['theirs', 'edge-1:theirs'],
      ['abroad', 'edge-1:abroad'],
      ['nobody', 'edge-1:nobody'],
    ]);
    expect(counted('foreign-uid')).toBe(3);
    await node.say('DBIRTH', 'pump-7', [level]);
    expect(kept().at(-1)).toMatchObject({ uid: 'pump-7' });
  });

  test('lose its place because one of its devices is disabled', async () => {
    const off = intake.add('off');
    off.gateway = 'edge-1';
    off.disabled = true;
    const node = await connect();
    await node.birth();
    await node.say('DBIRTH', 'off', [level]);
    await node.say('DBIRTH', 'pump-7', [level]);
    expect(counted('disabled')).toBe(1);
    expect(kept().at(-1)).toMatchObject({ uid: 'pump-7' });
  });
});

describe('bad input', () => {
  test.each([
    ['garbage', Buffer.from([0xff, 0, 1]), 'not-sparkplug'],
    ['nothing', Buffer.alloc(0), 'not-sparkplug'],
    ['text', Buffer.from('1=20.5'), 'not-sparkplug'],
    [
      'a message that was cut off',
      encode({ timestamp: TIME, seq: 1, metrics: [level] }).subarray(0, 20),
      'not-sparkplug',
    ],
    ['more than a frame may have', Buffer.alloc(frameLimits.bytes + 1, 1), 'too-large'],
    ['a flood of empty metrics', Buffer.alloc(40_000, Buffer.from([0x12, 0])), 'too-many-values'],
  ])('of %s is acknowledged, and the next message is understood', async (_name, bytes, outcome) => {
    const node = await connect();
    await node.birth([level]);
    expect(await publish(node, node.topic('NDATA'), bytes)).toBe('acknowledged');
    expect(counted(outcome)).toBe(1);
    node.seq = 2;
    await node.say('NDATA', undefined, [later]);
    expect(kept().at(-1).metrics).toMatchObject([{ name: 'Level', value: 21 }]);
    expect(intake.frames.at(-1)?.notes).toEqual([]);
    if (outcome !== 'too-large') expect(kept()[1].payload).toBe(bytes.toString('base64'));
  });

  test('the largest message there may be is taken', async () => {
    const node = await connect();
    const padding = (length: number): SentMetric => ({ name: 'note', type: 'String', value: 'x'.repeat(length) });
    const rest = encode({ seq: 0, metrics: [padding(60_000)] }).length - 60_000;
    const bytes = encode({ seq: 0, metrics: [padding(frameLimits.bytes - rest)] });
    expect(bytes.length).toBe(frameLimits.bytes);
    expect(await publish(node, node.topic('NBIRTH'), bytes)).toBe('acknowledged');
    expect(kept()[0].payload).toBe(bytes.toString('base64'));
  });

  test.each([
    ['of more metrics than a frame may have', 'm', 2],
    ['of more bytes than a frame may have', 'a name that is very long, as those of controllers are, '.repeat(3), 4],
  ])('a birth %s is taken in parts, and names those that follow', async (_name, prefix, parts) => {
    const node = await connect();
    const many = Array.from({ length: frameLimits.values }, (_, index): SentMetric => {
      return { name: `${prefix}${index}`, type: 'Boolean', value: true };
    });
    await node.birth([...many, level]);
    const frames = kept();
    expect(frames).toHaveLength(parts);
    expect(frames.flatMap(({ metrics }) => metrics).map(({ name }) => name)).toEqual([
      ...['bdSeq', 'Node Control/Rebirth', ...many.map(({ name }) => name)],
      'Level',
    ]);
    const [first] = intake.frames;
    expect(first?.notes).toEqual([`Part 1 of ${parts} of a birth with ${frameLimits.values + 3} metrics.`]);
    expect(Math.max(...intake.frames.map(({ text }) => text.length))).toBeLessThan(1.1 * frameLimits.bytes);
    await node.say('NDATA', undefined, [later]);
    expect(kept().at(-1).metrics).toMatchObject([{ name: 'Level', value: 21 }]);
    expect(node.heard).toEqual([]);
  });

  test('data of more bytes than a frame may have are not', async () => {
    const node = await connect();
    await node.birth([level]);
    const bytes = encode({ seq: 1, metrics: [{ name: 'note', type: 'String', value: 'x'.repeat(frameLimits.bytes) }] });
    expect(await publish(node, node.topic('NDATA'), bytes)).toBe('acknowledged');
    expect(counted('too-large')).toBe(1);
    expect(kept()).toHaveLength(1);
  });

  test.each(['flood', 'busy', 'unavailable'] as const)('refused as %s ends the connection', async (name) => {
    const node = await connect();
    await node.birth();
    intake.refuse(name);
    expect(await publish(node, node.topic('NDATA'), encode({ seq: 1, metrics: [later] }))).toBe('ended');
  });
});

describe('commands', () => {
  test('of a device come with its next message', async () => {
    const pump = intake.add('pump-8');
    pump.gateway = 'edge-1';
    const node = await connect();
    await node.birth();
    pump.commands.push({ id: 12, text: 'STOP' });
    await node.say('DBIRTH', 'pump-8', [level]);
    await until(() => node.heard.length === 1);
    expect(node.heard).toEqual([
      { topic: 'spBv1.0/Plant/DCMD/edge-1/pump-8', metrics: { 'Tocsin/Command Id': 12, 'Tocsin/Command': 'STOP' } },
    ]);
  });

  test('come at once for a node that is there', async () => {
    const device = intake.add('edge-3');
    const node = await connect({ uid: 'edge-3', token: 'token-of-edge-3' });
    await node.birth();
    intake.queue(device, 'RESET');
    await until(() => node.heard.length === 1);
    expect(node.heard[0]).toEqual({
      topic: 'spBv1.0/Plant/NCMD/edge-3',
      metrics: { 'Tocsin/Command Id': 1, 'Tocsin/Command': 'RESET' },
    });
  });

  test('come at once for a device behind it, as long as it is there', async () => {
    const pump = intake.add('edge-1:pump-9');
    pump.gateway = 'edge-1';
    const node = await connect();
    await node.birth([level]);
    await node.say('DBIRTH', 'pump-9', [level]);
    intake.queue(pump, 'STOP');
    await until(() => node.heard.length === 1);
    expect(node.heard[0]).toEqual({
      topic: 'spBv1.0/Plant/DCMD/edge-1/pump-9',
      metrics: { 'Tocsin/Command Id': 1, 'Tocsin/Command': 'STOP' },
    });
    await node.say('DDEATH', 'pump-9', []);
    intake.queue(pump, 'START');
    pump.gateway = 'edge-2';
    await node.say('NDATA', undefined, [later]);
    expect(pump.commands).toMatchObject([{ text: 'START' }]);
    pump.gateway = 'edge-1';
    await node.say('DBIRTH', 'pump-9', [level]);
    await until(() => node.heard.length === 2);
    pump.gateway = 'edge-2';
    intake.queue(pump, 'FAST');
    await node.say('NDATA', undefined, [later]);
    expect(pump.commands, 'it has gone behind another node').toMatchObject([{ text: 'FAST' }]);
  });

  test('wait for a node that does not listen', async () => {
    const device = intake.add('edge-3');
    const node = await connect({ uid: 'edge-3', token: 'token-of-edge-3', deaf: true });
    device.commands.push({ id: 3, text: 'RESET' });
    await node.birth();
    expect(device.commands).toHaveLength(1);
  });
});

test('the usual topic of the same device stays open beside it', async () => {
  const node = await connect();
  await node.birth();
  await node.client.publishAsync('tocsin/edge-1/up', '1=20.5', { qos: 1 });
  expect(intake.frames.at(-1)).toMatchObject({ text: '1=20.5', device: { uid: 'edge-1' } });
  const other = await connectAsync(`mqtt://127.0.0.1:${door.port}`, {
    username: 'pump-7',
    password: 'token-of-pump-7',
  });
  await other.publishAsync('tocsin/pump-7/up', '1=1', { qos: 1 });
  other.end(true);
});
