import type { Socket } from 'node:net';
import { connectAsync } from 'mqtt';
import { describe, expect, test } from 'vitest';
import { type EdgeNode, encode } from '../../test/harness/device/sparkplug.ts';
import { turn } from '../../test/harness/server/mqtt-gateway.ts';
import { later, level, TIME, testSparkplugGateway } from '../../test/harness/server/sparkplug-gateway.ts';

const bench = testSparkplugGateway();
const { connect, kept } = bench;
const until = async (ready: () => boolean) => {
  while (!ready()) await turn();
};

describe('an edge node', () => {
  test('sends data by alias after its birth, for itself and its devices, and every message is stored readable with its bytes', async () => {
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
      bench.intake.frames.every(({ notes, contact, protocol: way }) => notes.length === 0 && contact && way === 'mqtt'),
    ).toBe(true);
    expect(node.heard).toEqual([]);
  });

  test('gets its acknowledgement only after the message is stored', async () => {
    const node = await connect();
    const release = bench.intake.hold();
    let acknowledged = false;
    const done = node.birth([level]).then(() => {
      acknowledged = true;
    });
    await until(() => bench.intake.underWay > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(acknowledged).toBe(false);
    release();
    await done;
    expect(bench.intake.frames).toHaveLength(1);
  });

  test('may send with QoS 0, as the specification says', async () => {
    const node = await connect();
    node.client.publish(node.topic('NBIRTH'), encode({ seq: 0, metrics: [level] }), { qos: 0 });
    node.client.publish(node.topic('NDATA'), encode({ seq: 1, metrics: [later] }), { qos: 0 });
    await until(() => bench.intake.frames.length === 2);
    expect(kept()[1].metrics).toMatchObject([{ name: 'Level', value: 21 }]);
  });

  test('that disconnects leaves its death, which does not count as contact', async () => {
    const node = await connect({ birthNumber: 7 });
    await node.birth([level]);
    (node.client.stream as unknown as Socket).destroy();
    await until(() => bench.intake.frames.length === 2);
    expect(bench.intake.frames[1]).toMatchObject({
      contact: false,
      notes: ['The edge node and all devices behind it went offline.'],
    });
    expect(kept()[1]).toMatchObject({ topic: 'spBv1.0/Plant/NDEATH/edge-1', metrics: [{ name: 'bdSeq', value: 7 }] });
  });

  test('reports that a device went offline', async () => {
    const node = await connect();
    await node.birth();
    await node.say('DBIRTH', 'pump-7', [level]);
    await node.say('DDEATH', 'pump-7', []);
    expect(bench.intake.frames[2]).toMatchObject({
      device: { uid: 'pump-7' },
      contact: false,
      notes: ['The device went offline.'],
    });
  });
});

describe('asks for a birth', () => {
  const asked = (node: EdgeNode) =>
    node.heard.filter(
      ({ topic, metrics: all }) => topic === 'spBv1.0/Plant/NCMD/edge-1' && all['Node Control/Rebirth'] === true,
    ).length;

  test('if data come before it, and stores no values by alias until then', async () => {
    const node = await connect();
    await node.say('NDATA', undefined, [later]);
    await until(() => asked(node) === 1);
    expect(bench.intake.frames[0]?.notes).toEqual([
      'No birth message of this edge node was received.',
      'The server requested a new birth message from the edge node.',
    ]);
    expect(kept()[0].metrics).toEqual([{ alias: 1, value: 21 }]);
    await node.birth([level]);
    await node.say('NDATA', undefined, [later]);
    expect(kept()[2].metrics).toMatchObject([{ name: 'Level', value: 21 }]);
    expect(bench.intake.frames[2]?.notes).toEqual([]);
  });

  test('if a sequence number is missing, and still stores the data', async () => {
    const node = await connect();
    await node.birth([level]);
    node.seq = 5;
    await node.say('NDATA', undefined, [later]);
    await until(() => asked(node) === 1);
    expect(bench.intake.frames[1]?.notes).toContain(
      'Messages were lost before this one: sequence number 5 followed 0.',
    );
    expect(kept()[1].metrics).toMatchObject([{ name: 'Level', value: 21 }]);
  });

  test('if an alias is unknown', async () => {
    const node = await connect();
    await node.birth([level]);
    await node.say('NDATA', undefined, [later, { ...later, alias: 99 }]);
    await until(() => asked(node) === 1);
    expect(kept()[1].metrics).toMatchObject([{ name: 'Level' }, { alias: 99 }]);
  });

  test('at most once a minute', async () => {
    const node = await connect();
    for (let count = 0; count < 5; count += 1) await node.say('NDATA', undefined, [later]);
    expect(asked(node)).toBe(1);
    bench.clock.advance(60_000);
    await node.say('NDATA', undefined, [later]);
    await until(() => asked(node) === 2);
  });

  test('only from nodes that subscribed', async () => {
    const node = await connect({ deaf: true });
    await node.say('NDATA', undefined, [level]);
    expect(bench.intake.frames[0]?.notes).toEqual(['No birth message of this edge node was received.']);
    await node.client.subscribeAsync('spBv1.0/Plant/NCMD/edge-1', { qos: 1 });
    await node.say('NDATA', undefined, [level]);
    await until(() => asked(node) === 1);
  });
});

describe('commands', () => {
  test('of a device are sent with its next message', async () => {
    const pump = bench.intake.add('pump-8');
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

  test('are sent at once to a connected node', async () => {
    const device = bench.intake.add('edge-3');
    const node = await connect({ uid: 'edge-3', token: 'token-of-edge-3' });
    await node.birth();
    bench.intake.queue(device, 'RESET');
    await until(() => node.heard.length === 1);
    expect(node.heard[0]).toEqual({
      topic: 'spBv1.0/Plant/NCMD/edge-3',
      metrics: { 'Tocsin/Command Id': 1, 'Tocsin/Command': 'RESET' },
    });
  });

  test('are sent at once to a device behind it while it is online', async () => {
    const pump = bench.intake.add('edge-1:pump-9');
    pump.gateway = 'edge-1';
    const node = await connect();
    await node.birth([level]);
    await node.say('DBIRTH', 'pump-9', [level]);
    bench.intake.queue(pump, 'STOP');
    await until(() => node.heard.length === 1);
    expect(node.heard[0]).toEqual({
      topic: 'spBv1.0/Plant/DCMD/edge-1/pump-9',
      metrics: { 'Tocsin/Command Id': 1, 'Tocsin/Command': 'STOP' },
    });
    await node.say('DDEATH', 'pump-9', []);
    bench.intake.queue(pump, 'START');
    pump.gateway = 'edge-2';
    await node.say('NDATA', undefined, [later]);
    expect(pump.commands).toMatchObject([{ text: 'START' }]);
    pump.gateway = 'edge-1';
    await node.say('DBIRTH', 'pump-9', [level]);
    await until(() => node.heard.length === 2);
    pump.gateway = 'edge-2';
    bench.intake.queue(pump, 'FAST');
    await node.say('NDATA', undefined, [later]);
    expect(pump.commands, 'the device has moved behind another node').toMatchObject([{ text: 'FAST' }]);
  });

  test('wait for a node that has not subscribed', async () => {
    const device = bench.intake.add('edge-3');
    const node = await connect({ uid: 'edge-3', token: 'token-of-edge-3', deaf: true });
    device.commands.push({ id: 3, text: 'RESET' });
    await node.birth();
    expect(device.commands).toHaveLength(1);
  });
});

test('are also sent on the usual topic of the same device', async () => {
  const node = await connect();
  await node.birth();
  await node.client.publishAsync('tocsin/edge-1/up', '1=20.5', { qos: 1 });
  expect(bench.intake.frames.at(-1)).toMatchObject({ text: '1=20.5', device: { uid: 'edge-1' } });
  const other = await connectAsync(`mqtt://127.0.0.1:${bench.listener.port}`, {
    username: 'pump-7',
    password: 'token-of-pump-7',
  });
  await other.publishAsync('tocsin/pump-7/up', '1=1', { qos: 1 });
  other.end(true);
});
