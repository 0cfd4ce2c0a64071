import type { Socket } from 'node:net';
import type { MqttClient } from 'mqtt';
import { beforeEach, describe, expect, test } from 'vitest';
import { frameLimits } from '../../domain/frame/frame.ts';
import {
  ended,
  publish,
  publishPacket,
  RawClient,
  testMqttGateway,
  turn,
} from '../../test/harness/server/mqtt-gateway.ts';

const bench = testMqttGateway();
const { start, join, counted } = bench;

describe('a frame', () => {
  beforeEach(() => start());

  test('is acknowledged after it is stored, not before', async () => {
    const client = await join();
    const release = bench.intake.hold();
    let acknowledged = false;
    const done = client.publishAsync('tocsin/pump-1/up', '1=20.5', { qos: 1 }).then(() => {
      acknowledged = true;
    });
    while (bench.intake.underWay === 0) await turn();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(acknowledged).toBe(false);
    expect(bench.intake.frames).toEqual([]);
    release();
    await done;
    expect(bench.intake.frames).toMatchObject([{ protocol: 'mqtt', text: '1=20.5', device: { uid: 'pump-1' } }]);
    expect(await counted('taken')).toBe(1);
  });

  test('may be sent with any QoS', async () => {
    const client = await join();
    client.publish('tocsin/pump-1/up', '1=0', { qos: 0 });
    await client.publishAsync('tocsin/pump-1/up', '1=1', { qos: 1 });
    await client.publishAsync('tocsin/pump-1/up', '1=2', { qos: 2 });
    expect(bench.intake.frames.map(({ text }) => text).sort()).toEqual(['1=0', '1=1', '1=2']);
  });

  test('sent with QoS 2 is stored once, even when its acknowledgement was lost', async () => {
    const raw = await RawClient.join(bench.listener.port);
    const packet = publishPacket('tocsin/pump-1/up', '1=5', 2, 7);
    expect(await raw.say(packet)).toEqual([0x50, 2, 0, 7]);
    packet[0] = (packet[0] as number) | 8;
    expect(await raw.say(packet)).toEqual([0x50, 2, 0, 7]);
    expect(bench.intake.frames).toHaveLength(1);
    expect(await raw.say(Buffer.from([0x62, 2, 0, 7]))).toEqual([0x70, 2, 0, 7]);
    expect(await raw.say(publishPacket('tocsin/pump-1/up', '1=6', 2, 7))).toEqual([0x50, 2, 0, 7]);
    expect(bench.intake.frames).toHaveLength(2);
    raw.socket.destroy();
  });

  test.each([
    ['garbage', Buffer.from([0xff, 0, 1]), 'not-text'],
    ['nothing', Buffer.alloc(0), 'no-values'],
    ['a broken object', Buffer.from('{'), 'not-json'],
    ['more than a frame may have', Buffer.alloc(frameLimits.bytes + 1, 'x'), 'too-large'],
  ])('of %s is acknowledged, because sending it again would not help', async (_name, payload, outcome) => {
    const client = await join();
    expect(await publish(client, 'tocsin/pump-1/up', payload)).toBe('acknowledged');
    expect(await counted(outcome)).toBe(1);
    expect(await publish(client, 'tocsin/pump-1/up', '1=1')).toBe('acknowledged');
  });

  test.each(['flood', 'busy', 'unavailable', 'disabled'] as const)(
    'refused as %s ends the connection unacknowledged',
    async (name) => {
      const client = await join();
      const other = await join();
      bench.intake.refuse(name);
      expect(await publish(client, 'tocsin/pump-1/up', '1=1')).toBe('ended');
      expect(await publish(other, 'tocsin/pump-1/up', '1=1')).toBe('acknowledged');
      expect(await counted(name)).toBe(1);
    },
  );

  test('ends the connection without an acknowledgement when storing fails', async () => {
    const client = await join();
    const { receive } = bench.intake;
    bench.intake.receive = () => Promise.reject(new Error('broken'));
    expect(await publish(client, 'tocsin/pump-1/up', '1=1')).toBe('ended');
    bench.intake.receive = receive;
  });
});

describe('commands', () => {
  beforeEach(() => start());

  const listen = async (client: MqttClient, uid: string) => {
    const heard: unknown[] = [];
    client.on('message', (topic, payload) => heard.push([topic, JSON.parse(payload.toString())]));
    await client.subscribeAsync(`tocsin/${uid}/down`, { qos: 1 });
    return heard;
  };
  const until = async (ready: () => boolean) => {
    while (!ready()) await turn();
  };

  test('are sent when a device subscribes, when it publishes, and when one is queued while it is subscribed', async () => {
    const device = bench.intake.add('pump-3');
    bench.intake.queue(device, 'ONE');
    const client = await join('pump-3');
    const heard = await listen(client, 'pump-3');
    await until(() => heard.length === 1);
    device.commands.push({ id: 2, text: 'TWO' });
    await publish(client, 'tocsin/pump-3/up', '1=1');
    await until(() => heard.length === 2);
    bench.intake.queue(device, 'THREE');
    await until(() => heard.length === 3);
    expect(heard.map((entry) => (entry as [string, { command: string }])[1].command)).toEqual(['ONE', 'TWO', 'THREE']);
    expect(heard[0]).toEqual(['tocsin/pump-3/down', { id: 1, command: 'ONE' }]);
  });

  test('that are due when a frame arrives wait until the device subscribes', async () => {
    const device = bench.intake.add('pump-3');
    device.commands.push({ id: 9, text: 'NINE' });
    const client = await join('pump-3');
    const stray: unknown[] = [];
    client.on('message', (topic) => stray.push(topic));
    await publish(client, 'tocsin/pump-3/up', '1=1');
    await client.publishAsync('tocsin/pump-3/up', '1=2', { qos: 1 });
    expect(stray).toEqual([]);
    const heard = await listen(client, 'pump-3');
    await until(() => heard.length === 1);
  });

  test('reach only the connection of the device when another customer uses the same uid', async () => {
    const mine = bench.intake.add('same', 'mine', 'customer-1');
    bench.intake.add('same', 'theirs', 'customer-2');
    const [one, two] = [await join('same', { password: 'mine' }), await join('same', { password: 'theirs' })];
    const [heard, overheard] = [await listen(one, 'same'), await listen(two, 'same')];
    bench.intake.queue(mine, 'SECRET');
    await until(() => heard.length === 1);
    await publish(two, 'tocsin/same/up', '1=1');
    expect(overheard).toEqual([]);
  });
});

describe('a connection', () => {
  test('is closed when its token is revoked or its sensor disabled, and its will is ignored then', async () => {
    await start();
    for (const change of ['revoked', 'disabled'] as const) {
      const device = bench.intake.add(`pump-${change}`);
      const topic = `tocsin/${device.uid}/up`;
      const client = await join(device.uid, { will: { topic, payload: Buffer.from('1=0'), qos: 1 } });
      const other = await join();
      device[change] = true;
      const cut = ended(client);
      bench.intake.changed(device);
      await cut;
      expect(await publish(other, 'tocsin/pump-1/up', '1=1')).toBe('acknowledged');
      expect(bench.intake.frames.filter(({ device: { uid } }) => uid === device.uid)).toEqual([]);
    }
  });

  test('that is lost has its will stored as a frame', async () => {
    await start();
    const client = await join('pump-1', { will: { topic: 'tocsin/pump-1/up', payload: Buffer.from('1=0'), qos: 1 } });
    (client.stream as unknown as Socket).destroy();
    while (bench.intake.frames.length === 0) await turn();
    expect(bench.intake.frames[0]?.text).toBe('1=0');
  });

  test('that sends faster than frames are stored is slowed down without losses', async () => {
    await start({ outstanding: 16 });
    const client = await join();
    const release = bench.intake.hold();
    const all: Promise<string>[] = [];
    const send = () =>
      all.push(
        client.publishAsync('tocsin/pump-1/up', `t=${1767225600 + all.length};1=1`, { qos: 1 }).then(
          () => 'acknowledged',
          () => 'ended',
        ),
      );
    // The first 1,000 messages are sent one at a time, each in its own chunk. The next 2,000 messages arrive together.
    for (let index = 0; index < 1000; index += 1) {
      send();
      await turn();
    }
    for (let index = 0; index < 2000; index += 1) send();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(bench.intake.underWay).toBeGreaterThanOrEqual(16);
    // The broker handles a whole chunk at once, so the number of messages in progress can exceed the limit by one
    // chunk.
    expect(bench.intake.underWay).toBeLessThan(300);
    release();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['acknowledged']));
    expect(bench.intake.frames).toHaveLength(3000);
  });

  test('may send a frame of the maximum size, even byte by byte', async () => {
    await start();
    const client = await join();
    expect(await publish(client, 'tocsin/pump-1/up', `{"1":${' '.repeat(frameLimits.bytes - 7)}5}`)).toBe(
      'acknowledged',
    );
    const raw = await RawClient.join(bench.listener.port);
    raw.socket.setNoDelay(true);
    const packet = publishPacket('tocsin/pump-1/up', '1=5', 1, 9);
    for (const byte of packet.subarray(0, -1)) {
      raw.socket.write(Buffer.from([byte]));
      await turn();
    }
    expect(await raw.say(packet.subarray(-1))).toEqual([0x40, 2, 0, 9]);
    raw.socket.destroy();
  });

  test('has its frames stored before the gateway closes', async () => {
    await start();
    const client = await join();
    const release = bench.intake.hold();
    client.publish('tocsin/pump-1/up', '1=1', { qos: 1 });
    while (bench.intake.underWay === 0) await turn();
    let closed = false;
    const closing = bench.listener.close().then(() => {
      closed = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(closed).toBe(false);
    release();
    await closing;
    expect(bench.intake.frames).toHaveLength(1);
  });
});
