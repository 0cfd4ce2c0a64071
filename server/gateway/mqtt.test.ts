import { connect as connectTcp, type Socket } from 'node:net';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { frameLimits } from '../../domain/frame/frame.ts';
import { MemoryIntake } from '../../test/harness/memory-intake.ts';
import { systemClock } from '../platform/clock.ts';
import { type LogData, silentLog } from '../platform/log.ts';
import { createMetrics, type Metrics } from '../platform/metrics.ts';
import { type Door, startMqtt } from './mqtt.ts';
import type { MqttLimits } from './mqtt-limits.ts';

let intake: MemoryIntake;
let metrics: Metrics;
let door: Door;
let warnings: string[];
const clients: MqttClient[] = [];

async function start(limits: Partial<MqttLimits> = {}): Promise<void> {
  const port = { number: 0, fixed: true };
  const warn = (message: string, data: LogData = {}) => void warnings.push(`${message} ${data.because} ${data.uid}`);
  const log = { ...silentLog, warn };
  door = await startMqtt({ intake, log, metrics, clock: systemClock, host: '127.0.0.1', port, limits });
}

beforeEach(() => {
  warnings = [];
  intake = new MemoryIntake();
  intake.add('pump-1');
  metrics = createMetrics();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.end(true);
  await door.close();
});

async function join(uid = 'pump-1', options: IClientOptions = {}): Promise<MqttClient> {
  const client = await connectAsync(
    `mqtt://127.0.0.1:${door.port}`,
    { username: uid, password: `token-of-${uid}`, reconnectPeriod: 0, connectTimeout: 5000, ...options },
    false,
  );
  client.on('error', () => {});
  clients.push(client);
  return client;
}

const ended = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', resolve));
const turn = () => new Promise((resolve) => setImmediate(resolve));

function counted(outcome: string): number {
  return metrics.snapshot().reduce((sum, sample) => {
    return sample.kind === 'counter' && sample.labels.outcome === outcome ? sum + sample.value : sum;
  }, 0);
}

/** Whether a publication was acknowledged or the connection ended first. */
async function publish(client: MqttClient, topic: string, payload: string | Buffer, options = {}): Promise<string> {
  const acknowledged = client.publishAsync(topic, payload, { qos: 1, ...options }).then(
    () => 'acknowledged',
    () => 'ended',
  );
  return Promise.race([acknowledged, ended(client).then(() => 'ended')]);
}

describe('a frame', () => {
  beforeEach(() => start());

  test('is acknowledged after it is stored, not before', async () => {
    const client = await join();
    const release = intake.hold();
    let acknowledged = false;
    const done = client.publishAsync('tocsin/pump-1/up', '1=20.5', { qos: 1 }).then(() => {
      acknowledged = true;
    });
    while (intake.underWay === 0) await turn();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(acknowledged).toBe(false);
    expect(intake.frames).toEqual([]);
    release();
    await done;
    expect(intake.frames).toMatchObject([{ door: 'mqtt', text: '1=20.5', device: { uid: 'pump-1' } }]);
    expect(counted('taken')).toBe(1);
  });

  test('may be sent with any quality of service', async () => {
    const client = await join();
    client.publish('tocsin/pump-1/up', '1=0', { qos: 0 });
    await client.publishAsync('tocsin/pump-1/up', '1=1', { qos: 1 });
    await client.publishAsync('tocsin/pump-1/up', '1=2', { qos: 2 });
    expect(intake.frames.map(({ text }) => text).sort()).toEqual(['1=0', '1=1', '1=2']);
  });

  test('sent exactly once is taken once, even when its acknowledgement was lost', async () => {
    const raw = await RawClient.join();
    const packet = publishPacket('tocsin/pump-1/up', '1=5', 2, 7);
    expect(await raw.say(packet)).toEqual([0x50, 2, 0, 7]);
    packet[0] = (packet[0] as number) | 8;
    expect(await raw.say(packet)).toEqual([0x50, 2, 0, 7]);
    expect(intake.frames).toHaveLength(1);
    expect(await raw.say(Buffer.from([0x62, 2, 0, 7]))).toEqual([0x70, 2, 0, 7]);
    expect(await raw.say(publishPacket('tocsin/pump-1/up', '1=6', 2, 7))).toEqual([0x50, 2, 0, 7]);
    expect(intake.frames).toHaveLength(2);
    raw.socket.destroy();
  });

  test.each([
    ['garbage', Buffer.from([0xff, 0, 1]), 'not-text'],
    ['nothing', Buffer.alloc(0), 'empty'],
    ['a broken object', Buffer.from('{'), 'not-json'],
    ['more than a frame may have', Buffer.alloc(frameLimits.bytes + 1, 'x'), 'too-large'],
  ])('of %s is acknowledged, because sending it again would not help', async (_name, payload, outcome) => {
    const client = await join();
    expect(await publish(client, 'tocsin/pump-1/up', payload)).toBe('acknowledged');
    expect(counted(outcome)).toBe(1);
    expect(await publish(client, 'tocsin/pump-1/up', '1=1')).toBe('acknowledged');
  });

  test.each(['flood', 'busy', 'unavailable', 'disabled'] as const)(
    'refused as %s ends the connection unacknowledged',
    async (name) => {
      const client = await join();
      const other = await join();
      intake.refuse(name);
      expect(await publish(client, 'tocsin/pump-1/up', '1=1')).toBe('ended');
      expect(await publish(other, 'tocsin/pump-1/up', '1=1')).toBe('acknowledged');
      expect(counted(name)).toBe(1);
    },
  );

  test('that the intake fails at ends the connection unacknowledged', async () => {
    const client = await join();
    const { receive } = intake;
    intake.receive = () => Promise.reject(new Error('broken'));
    expect(await publish(client, 'tocsin/pump-1/up', '1=1')).toBe('ended');
    intake.receive = receive;
  });
});

describe('signing in', () => {
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => 0,
      (error: { code?: number }) => error.code,
    );

  test.each([
    ['an unknown uid', { username: 'nobody' }, 4, 'unknown-uid'],
    ['a wrong token', { password: 'guess' }, 4, 'wrong-token'],
    ['a revoked token', { username: 'old', password: 'token-of-old' }, 4, 'revoked-token'],
    ['a disabled sensor', { username: 'off', password: 'token-of-off' }, 5, 'disabled'],
    ['nobody at all', { username: '', password: '' }, 4, 'no-token'],
    ['a session that is kept', { clean: false, clientId: 'mine' }, 2, 'persistent-session'],
    [
      'a will to another topic',
      { will: { topic: 'tocsin/pump-2/up', payload: Buffer.from('1=1') } },
      5,
      'foreign-will',
    ],
    [
      'a retained will',
      { will: { topic: 'tocsin/pump-1/up', payload: Buffer.from('1=1'), retain: true } },
      5,
      'foreign-will',
    ],
    ['MQTT 5', { protocolVersion: 5 }, 132, 'version-5'],
  ] as [string, IClientOptions, number, string][])(
    'as %s is refused with its code',
    async (_name, options, expected, outcome) => {
      await start();
      intake.add('old').revoked = true;
      intake.add('off').disabled = true;
      expect(await code(join('pump-1', options))).toBe(expected);
      expect(counted(outcome)).toBe(1);
    },
  );

  test('fails as unavailable when nobody can be asked', async () => {
    await start();
    intake.identify = () => Promise.reject(new Error('no database'));
    expect(await code(join())).toBe(3);
  });

  test('as MQTT 3.1 works too', async () => {
    await start();
    const client = await join('pump-1', { protocolVersion: 3, protocolId: 'MQIsdp' });
    expect(await publish(client, 'tocsin/pump-1/up', '1=1')).toBe('acknowledged');
  });

  test('with the same client id ends only connections of the same device', async () => {
    await start();
    intake.add('pump-2');
    const clientId = 'esp32';
    const one = await join('pump-1', { clientId });
    const two = await join('pump-2', { clientId });
    expect(await publish(one, 'tocsin/pump-1/up', '1=1')).toBe('acknowledged');
    const again = join('pump-1', { clientId });
    await ended(one);
    expect(await publish(await again, 'tocsin/pump-1/up', '1=1')).toBe('acknowledged');
    expect(await publish(two, 'tocsin/pump-2/up', '1=1')).toBe('acknowledged');
  });

  test('too often ends the oldest connection of the device', async () => {
    await start({ connectionsOfDevice: 2 });
    const [first, second] = [await join(), await join()];
    const cut = ended(first);
    const third = await join();
    await cut;
    expect(counted('replaced')).toBe(1);
    expect(second.connected && third.connected).toBe(true);
  });

  test('must happen soon and in few bytes', async () => {
    await start({ connectTimeoutMs: 100 });
    const silent = connectTcp(door.port, '127.0.0.1');
    silent.on('error', () => {});
    await new Promise((resolve) => silent.once('close', resolve));
    const endless = connectTcp(door.port, '127.0.0.1');
    endless.on('error', () => {});
    // A packet that says it has 200 MB.
    endless.write(Buffer.from([0x10, 0x80, 0x80, 0xaf, 0x5f]));
    await new Promise((resolve) => endless.once('close', resolve));
    expect(counted('packet-too-large')).toBe(1);
  });
});

describe('topics', () => {
  beforeEach(async () => {
    await start();
    intake.add('pump-2');
  });

  test.each(['tocsin/pump-2/up', 'tocsin/pump-1/down', 'tocsin/pump-1/up/x', '$SYS/broker', 'tocsin//up'])(
    'of others cannot be published to: %s',
    async (topic) => {
      const client = await join();
      expect(await publish(client, topic, '1=1')).toBe('ended');
      expect(intake.frames).toEqual([]);
      expect(counted('foreign-topic')).toBe(1);
    },
  );

  test('cannot be retained to', async () => {
    const client = await join();
    expect(await publish(client, 'tocsin/pump-1/up', '1=1', { retain: true })).toBe('ended');
    expect(intake.frames).toEqual([]);
  });

  test('that a device may not use are in the log with why, once a minute', async () => {
    for (let again = 0; again < 2; again += 1) await publish(await join(), 'tocsin/pump-2/up', '1=1');
    await publish(await join(), 'tocsin/pump-1/up', '1=1', { retain: true });
    await expect(join('pump-1', { password: 'nonsense' })).rejects.toThrow();
    expect(warnings).toEqual([
      expect.stringMatching(/^a device was turned away: .*tocsin\/pump-1\/up.* foreign-topic pump-1$/),
      expect.stringMatching(/^a device was turned away: .* retained pump-1$/),
      expect.stringMatching(/^a device was turned away: .* wrong-token pump-1$/),
    ]);
  });

  test('and whatever else turns a device away is handed on for the log of its sensor', async () => {
    const turned = () => intake.turned.splice(0).map(({ because, uid }) => `${because} ${uid}`);
    await publish(await join(), 'plant/pump-1', '1=1');
    expect(intake.turned).toMatchObject([
      {
        door: 'mqtt',
        sensorUuid: 'customer-1/pump-1',
        sentence: expect.stringMatching(/It published to plant\/pump-1\.$/),
      },
    ]);
    expect(turned()).toEqual(['foreign-topic pump-1']);
    await expect(join('pump-1', { password: 'nonsense' })).rejects.toThrow();
    await expect(join('pump-1', { clean: false, clientId: 'kept' })).rejects.toThrow();
    await expect(join('pump-1', { protocolVersion: 5 })).rejects.toThrow();
    expect(turned()).toEqual(['wrong-token pump-1', 'persistent-session pump-1', 'version-5 pump-1']);
    const client = await join();
    await client.subscribeAsync('tocsin/pump-2/down', { qos: 1 }).catch(() => undefined);
    await publish(client, 'tocsin/pump-1/up', Buffer.alloc(frameLimits.bytes + 1, 'x'));
    intake.refuse('not-text', 'flood');
    await publish(client, 'tocsin/pump-1/up', '1=1');
    await publish(client, 'tocsin/pump-1/up', '1=1');
    expect(turned()).toEqual(['foreign-subscription pump-1', 'too-large pump-1', 'flood pump-1']);
    // The server's own trouble is not the device's.
    intake.refuse('unavailable');
    await publish(await join(), 'tocsin/pump-1/up', '1=1');
    const device = intake.add('pump-3');
    const leaving = ended(await join('pump-3'));
    device.revoked = true;
    intake.changed(device);
    await leaving;
    expect(turned()).toEqual(['revoked-token pump-3']);
  });

  test.each([
    '#',
    '+/+/down',
    'tocsin/+/down',
    'tocsin/pump-2/down',
    'tocsin/pump-1/up',
    '$SYS/#',
    '$share/x/tocsin/pump-1/down',
  ])('of others cannot be subscribed to: %s', async (topic) => {
    const client = await join();
    const heard: string[] = [];
    client.on('message', (from) => heard.push(from));
    const answer = await client.subscribeAsync(topic, { qos: 1 }).catch((error: Error) => error.message);
    expect(answer).toMatch(/Unspecified error/);
    await publish(await join('pump-2'), 'tocsin/pump-2/up', '1=1');
    expect(heard).toEqual([]);
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

  test('come when a device subscribes, when it speaks, and when one is queued while it listens', async () => {
    const device = intake.add('pump-3');
    intake.queue(device, 'ONE');
    const client = await join('pump-3');
    const heard = await listen(client, 'pump-3');
    await until(() => heard.length === 1);
    device.commands.push({ id: 2, text: 'TWO' });
    await publish(client, 'tocsin/pump-3/up', '1=1');
    await until(() => heard.length === 2);
    intake.queue(device, 'THREE');
    await until(() => heard.length === 3);
    expect(heard.map((entry) => (entry as [string, { command: string }])[1].command)).toEqual(['ONE', 'TWO', 'THREE']);
    expect(heard[0]).toEqual(['tocsin/pump-3/down', { id: 1, command: 'ONE' }]);
  });

  test('that come with an answer wait until the device listens', async () => {
    const device = intake.add('pump-3');
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

  test('reach only the connection of that device, though another customer has the same uid', async () => {
    const mine = intake.add('same', 'mine', 'customer-1');
    intake.add('same', 'theirs', 'customer-2');
    const [one, two] = [await join('same', { password: 'mine' }), await join('same', { password: 'theirs' })];
    const [heard, overheard] = [await listen(one, 'same'), await listen(two, 'same')];
    intake.queue(mine, 'SECRET');
    await until(() => heard.length === 1);
    await publish(two, 'tocsin/same/up', '1=1');
    expect(overheard).toEqual([]);
  });
});

describe('a connection', () => {
  test('is cut when its token is revoked or its sensor disabled, and its will is not taken then', async () => {
    await start();
    for (const change of ['revoked', 'disabled'] as const) {
      const device = intake.add(`pump-${change}`);
      const topic = `tocsin/${device.uid}/up`;
      const client = await join(device.uid, { will: { topic, payload: Buffer.from('1=0'), qos: 1 } });
      const other = await join();
      device[change] = true;
      const cut = ended(client);
      intake.changed(device);
      await cut;
      expect(await publish(other, 'tocsin/pump-1/up', '1=1')).toBe('acknowledged');
      expect(intake.frames.filter(({ device: { uid } }) => uid === device.uid)).toEqual([]);
    }
  });

  test('that breaks off leaves its will as a frame', async () => {
    await start();
    const client = await join('pump-1', { will: { topic: 'tocsin/pump-1/up', payload: Buffer.from('1=0'), qos: 1 } });
    (client.stream as unknown as Socket).destroy();
    while (intake.frames.length === 0) await turn();
    expect(intake.frames[0]?.text).toBe('1=0');
  });

  test('that sends faster than frames are stored is slowed down, and loses nothing', async () => {
    await start({ outstanding: 16 });
    const client = await join();
    const release = intake.hold();
    const all: Promise<string>[] = [];
    const send = () =>
      all.push(
        client.publishAsync('tocsin/pump-1/up', `t=${1767225600 + all.length};1=1`, { qos: 1 }).then(
          () => 'acknowledged',
          () => 'ended',
        ),
      );
    // Some one by one, which the broker would read as they come, and the rest at once.
    for (let index = 0; index < 1000; index += 1) {
      send();
      await turn();
    }
    for (let index = 0; index < 2000; index += 1) send();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(intake.underWay).toBeGreaterThanOrEqual(16);
    // One chunk more than allowed: what is read at once is handed on at once.
    expect(intake.underWay).toBeLessThan(300);
    release();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['acknowledged']));
    expect(intake.frames).toHaveLength(3000);
  });

  test('may send a frame of the largest size, and one that comes byte by byte', async () => {
    await start();
    const client = await join();
    expect(await publish(client, 'tocsin/pump-1/up', `{"1":${' '.repeat(frameLimits.bytes - 7)}5}`)).toBe(
      'acknowledged',
    );
    const raw = await RawClient.join();
    raw.socket.setNoDelay(true);
    const packet = publishPacket('tocsin/pump-1/up', '1=5', 1, 9);
    for (const byte of packet.subarray(0, -1)) {
      raw.socket.write(Buffer.from([byte]));
      await turn();
    }
    expect(await raw.say(packet.subarray(-1))).toEqual([0x40, 2, 0, 9]);
    raw.socket.destroy();
  });

  test('is left with what was under way stored when the door closes', async () => {
    await start();
    const client = await join();
    const release = intake.hold();
    client.publish('tocsin/pump-1/up', '1=1', { qos: 1 });
    while (intake.underWay === 0) await turn();
    let closed = false;
    const closing = door.close().then(() => {
      closed = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(closed).toBe(false);
    release();
    await closing;
    expect(intake.frames).toHaveLength(1);
  });
});

function publishPacket(topic: string, payload: string, qos: number, id: number): Buffer {
  const body = Buffer.concat([
    Buffer.from([0, topic.length]),
    Buffer.from(topic),
    Buffer.from([0, id]),
    Buffer.from(payload),
  ]);
  return Buffer.concat([Buffer.from([0x30 | (qos << 1), body.length]), body]);
}

/** Bytes in, bytes out, for what a well-behaved client does not do. */
class RawClient {
  readonly socket: Socket;

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  static async join(): Promise<RawClient> {
    const raw = new RawClient(connectTcp(door.port, '127.0.0.1'));
    const text = (value: string) => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)]);
    const body = Buffer.concat([
      text('MQTT'),
      Buffer.from([4, 0xc2, 0, 60]),
      text('raw'),
      text('pump-1'),
      text('token-of-pump-1'),
    ]);
    expect(await raw.say(Buffer.concat([Buffer.from([0x10, body.length]), body]))).toEqual([0x20, 2, 0, 0]);
    return raw;
  }

  say(packet: Buffer): Promise<number[]> {
    this.socket.write(packet);
    return new Promise((resolve) => this.socket.once('data', (chunk) => resolve([...chunk])));
  }
}
