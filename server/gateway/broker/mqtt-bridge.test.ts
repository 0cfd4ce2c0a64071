import { type AddressInfo, createServer } from 'node:net';
import { Aedes } from 'aedes';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { frameLimits } from '../../../domain/frame/frame.ts';
import {
  ensureMosquitto,
  type Mosquitto,
  type MosquittoOptions,
  startMosquitto,
} from '../../../test/harness/device/mosquitto.ts';
import { death, EdgeNode, type SentMetric } from '../../../test/harness/device/sparkplug.ts';
import { startFaultProxy } from '../../../test/harness/machine/fault-proxy.ts';
import { MemoryIntake } from '../../../test/harness/server/memory-intake.ts';
import { countOf } from '../../../test/harness/server/metrics.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Right } from '../../platform/lease.ts';
import { createMetrics, type Metrics } from '../../platform/metrics.ts';
import type { BridgeLimits } from './limits.ts';
import { addressOf } from './mqtt-address.ts';
import { MqttBridge } from './mqtt-bridge.ts';

const found = await ensureMosquitto();
if ('missing' in found) console.warn(found.missing);

let intake: MemoryIntake;
let metrics: Metrics;
let broker: Mosquitto;
let bridge: MqttBridge | undefined;
let device: MqttClient;
let log: string[];

const note = (level: string) => (message: string, data?: object) =>
  log.push(`${level} ${message} ${JSON.stringify(data)}`);
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
const until = async (ready: () => boolean | Promise<boolean>) => {
  while (!(await ready())) await turn();
};

function open(url = broker.url, limits: Partial<BridgeLimits> = {}, right = new GivenRight()): MqttBridge {
  const logger = { info: note('info'), warn: note('warn'), error: note('error') };
  const patience = { reconnectMs: 50, retryMs: 20, ...limits };
  const address = addressOf(url, 'plant');
  return new MqttBridge({ intake, log: logger, metrics, clock: systemClock, address, right, limits: patience });
}

/**
 * A right to use the broker session, controlled by the test. `held`: whether the process believes that it has the
 * right. `confirmed`: what the database returns.
 */
class GivenRight implements Right {
  held = true;
  confirmed = true;
  /** Number of calls of `confirm`. */
  asked = 0;
  #listener: (held: boolean) => void = () => {};

  async confirm(): Promise<boolean> {
    this.asked += 1;
    return this.confirmed;
  }

  onChange(listener: (held: boolean) => void): () => void {
    this.#listener = listener;
    return () => {};
  }

  set(held: boolean): void {
    this.held = held;
    this.confirmed = held;
    this.#listener(held);
  }
}

async function start(
  options: MosquittoOptions & { limits?: Partial<BridgeLimits>; query?: string } = {},
): Promise<void> {
  broker = await startMosquitto(options);
  bridge = open(`${broker.url}${options.query ?? ''}`, options.limits);
  await until(() => log.some((line) => line.startsWith('info connected')));
  device = await connectAsync(broker.url);
}

const counted = (outcome: string) => countOf(metrics, { outcome });

describe.skipIf('missing' in found)('the bridge to an external broker', () => {
  beforeEach(() => {
    log = [];
    intake = new MemoryIntake();
    intake.add('pump-1');
    metrics = createMetrics();
  });
  afterEach(async () => {
    device?.end(true);
    await bridge?.close();
    bridge = undefined;
    await broker.dispose();
  });

  test('receives frames with the credentials of the URL, and never logs them', async () => {
    await start({ user: { name: 'tocsin', password: 'p@ss/word' } });
    await device.publishAsync('tocsin/pump-1/up', '1=20.5', { qos: 1 });
    await until(() => intake.frames.length === 1);
    expect(intake.frames[0]).toMatchObject({ protocol: 'mqtt', text: '1=20.5', device: { uid: 'pump-1' } });
    expect(log.join('\n')).not.toMatch(/p@ss|p%40ss/);
  });

  test('accepts a password with an unescaped percent sign', async () => {
    broker = await startMosquitto({ user: { name: 'tocsin', password: '100%' } });
    bridge = open(broker.url.replace('100%25', '100%'));
    await until(() => log.some((line) => line.startsWith('info connected')));
  });

  test('acknowledges a frame after storing it, and gets unstored frames again', async () => {
    await start();
    const release = intake.hold();
    await device.publishAsync('tocsin/pump-1/up', '1=1', { qos: 1 });
    await until(() => intake.underWay === 1);
    // Simulates a crash: a new process connects with the same client id, and the broker still has the frame.
    const crashed = bridge as MqttBridge;
    intake = new MemoryIntake();
    intake.add('pump-1');
    bridge = open();
    await until(() => intake.frames.length === 1);
    expect(intake.frames[0]?.text).toBe('1=1');
    await until(() => log.some((line) => line.includes('another installation')));
    release();
    await crashed.close();
  });

  test('receives the messages that the broker kept while no process was connected', async () => {
    await start();
    await bridge?.close();
    await device.publishAsync('tocsin/pump-1/up', '1=7', { qos: 1 });
    bridge = open();
    await until(() => intake.frames.length === 1);
  });

  test('receives many frames for one commit, but never more than the limit', async () => {
    await start({ limits: { outstanding: 30 }, settings: ['max_inflight_messages 0', 'max_queued_messages 0'] });
    for (let index = 0; index < 200; index += 1) intake.add(`meter-${index}`);
    const release = intake.hold();
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => device.publishAsync(`tocsin/meter-${index}/up`, '1=1', { qos: 1 })),
    );
    await until(() => intake.underWay >= 20);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(intake.underWay).toBeLessThanOrEqual(30);
    release();
    await until(() => intake.frames.length === 200);
    expect(intake.mostUnderWay).toBeGreaterThan(10);
  });

  test('disconnects when it loses the right, and the next process stores the remaining frames once', async () => {
    broker = await startMosquitto();
    const [first, second] = [new GivenRight(), new GivenRight()];
    second.set(false);
    bridge = open(broker.url, {}, first);
    const next = open(broker.url, {}, second);
    await until(() => bridge?.state().connected === true);
    device = await connectAsync(broker.url);
    const publish = (value: number) => device.publishAsync('tocsin/pump-1/up', `1=${value}`, { qos: 1 });
    for (let value = 0; value < 20; value += 1) await publish(value);
    await until(() => intake.frames.length === 20);
    const release = intake.hold();
    await publish(20);
    await until(() => intake.underWay === 1);
    first.set(false);
    expect(bridge.state()).toEqual({ connected: false, holder: false });
    for (let value = 21; value < 40; value += 1) await publish(value);
    release();
    second.set(true);
    await until(() => intake.frames.length >= 41);
    expect(next.state()).toEqual({ connected: true, holder: true });
    // The first process stored the frame in progress but did not acknowledge it, so the second process receives it
    // again.
    const values = intake.frames.map(({ text }) => Number(text.slice(2)));
    expect(values).toEqual([...Array.from({ length: 21 }, (_, value) => value), ...values.slice(21)]);
    expect(values.slice(21)).toEqual(Array.from({ length: 20 }, (_, index) => 20 + index));
    await next.close();
  });

  test('gets a frame again that arrived while the lease appeared to be lost', async () => {
    broker = await startMosquitto();
    const right = new GivenRight();
    bridge = open(broker.url, {}, right);
    await until(() => log.some((line) => line.startsWith('info connected')));
    device = await connectAsync(broker.url);
    // Simulates a late renewal: for one frame, the lease seems to be lost, but no listener is called.
    let lapses = 1;
    Object.defineProperty(right, 'held', { get: () => lapses-- <= 0 });
    for (const value of [1, 2, 3]) await device.publishAsync('tocsin/pump-1/up', `1=${value}`, { qos: 1 });
    await until(() => intake.frames.length === 3);
    expect(intake.frames.map(({ text }) => text)).toEqual(['1=1', '1=2', '1=3']);
    expect(log.filter((line) => line.includes('no longer holds the lease'))).toHaveLength(1);
  });

  test('connects only after the database has confirmed the right', async () => {
    broker = await startMosquitto();
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: broker.port });
    const right = new GivenRight();
    right.confirmed = false;
    bridge = open(`mqtt://127.0.0.1:${proxy.port}`, { reconnectMs: 5, mostReconnectMs: 5 }, right);
    await until(() => right.asked >= 3 || proxy.passing > 0);
    expect(proxy.passing).toBe(0);
    right.confirmed = true;
    await until(() => bridge?.state().connected === true);
    // After a lost connection, the bridge does not reconnect if another process has taken the right.
    right.confirmed = false;
    const asked = right.asked;
    proxy.reset();
    await until(() => proxy.passing === 0);
    await until(() => right.asked >= asked + 3 || proxy.passing > 0);
    expect(proxy.passing).toBe(0);
    await bridge.close();
    await proxy.stop();
  });

  test('connects again after an outage of the broker or its late start', async () => {
    broker = await startMosquitto();
    await broker.stop();
    bridge = open(broker.url, { reconnectMs: 20, mostReconnectMs: 100 });
    await until(() => log.some((line) => line.startsWith('warn')));
    await broker.start();
    await until(() => log.some((line) => line.startsWith('info connected')));
    device = await connectAsync(broker.url, { reconnectPeriod: 20 });
    await broker.stop();
    await until(() => log.filter((line) => line.startsWith('warn')).length === 2);
    await broker.start();
    await until(() => log.filter((line) => line.startsWith('info connected')).length === 2);
    await device.publishAsync('tocsin/pump-1/up', '1=1', { qos: 1 });
    await until(() => intake.frames.length === 1);
  });

  test('acknowledges and counts bad frames, which block no others', async () => {
    await start();
    intake.add('same', 'a', 'customer-1');
    intake.add('same', 'b', 'customer-2');
    intake.add('off').disabled = true;
    const send = (uid: string, payload: string | Buffer, options = {}) =>
      device.publishAsync(`tocsin/${uid}/up`, payload, { qos: 1, ...options });
    await send('nobody', '1=1');
    await send('same', '1=1');
    await send('off', '1=1');
    await send('pump-1', Buffer.from([0xff, 0, 1]));
    await send('pump-1', '{');
    await send('pump-1', Buffer.alloc(frameLimits.bytes + 1, 'x'));
    await send('pump-1', '1=1');
    await until(async () => (await counted('taken')) === 1);
    for (const outcome of ['unknown-uid', 'ambiguous-uid', 'disabled', 'not-text', 'not-json', 'too-large']) {
      expect(await counted(outcome), outcome).toBe(1);
    }
    const turned = intake.rejected.map(({ uid, because }) => `${uid} ${because}`);
    expect(turned).toEqual(['nobody unknown-uid', 'same ambiguous-uid', 'off disabled', 'pump-1 too-large']);
  });

  test('ignores retained messages', async () => {
    broker = await startMosquitto();
    device = await connectAsync(broker.url);
    await device.publishAsync('tocsin/pump-1/up', '1=1', { qos: 1, retain: true });
    bridge = open(broker.url);
    await until(() => log.some((line) => line.startsWith('info connected')));
    await device.publishAsync('tocsin/pump-1/up', '1=2', { qos: 1 });
    await until(() => intake.frames.length > 0);
    expect(intake.frames.map(({ text }) => text)).toEqual(['1=2']);
  });

  test('loses no frame while frames cannot be stored', async () => {
    await start();
    intake.refuse('unavailable', 'busy', 'unavailable', 'unavailable');
    for (const value of [1, 2, 3, 4, 5]) await device.publishAsync('tocsin/pump-1/up', `1=${value}`, { qos: 1 });
    await until(() => intake.frames.length === 5);
    expect(intake.frames.map(({ text }) => text)).toEqual(['1=1', '1=2', '1=3', '1=4', '1=5']);
  });

  test('waits while the database does not respond, and logs it once', async () => {
    await start();
    const { identifyByUid } = intake;
    let asked = 0;
    intake.identifyByUid = (uid) => {
      asked += 1;
      return asked < 6 ? Promise.reject(new Error('no database')) : identifyByUid.call(intake, uid);
    };
    await device.publishAsync('tocsin/pump-1/up', '1=1', { qos: 1 });
    await device.publishAsync('tocsin/pump-1/up', '1=2', { qos: 1 });
    await until(() => intake.frames.length === 2);
    expect(log.filter((line) => line.startsWith('error'))).toHaveLength(1);
  });

  test('delays some messages of a device above its rate, drops the rest, and still serves other devices', async () => {
    await start({ limits: { heldOfDevice: 2 } });
    intake.add('pump-2');
    intake.refuse('flood', 'flood', 'flood');
    for (const value of [1, 2, 3]) await device.publishAsync('tocsin/pump-1/up', `1=${value}`, { qos: 1 });
    await until(() => intake.frames.length === 2);
    expect(await counted('flood')).toBe(1);
    await device.publishAsync('tocsin/pump-2/up', '1=1', { qos: 1 });
    await until(() => intake.frames.length === 3);
  });

  test('uses MQTT 3.1.1 with a broker without MQTT 5, and ignores retained messages', async () => {
    broker = await startMosquitto();
    const old = await Aedes.createBroker();
    const server = createServer(old.handle);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const say = (payload: string, retain: boolean) =>
      old.publish({ cmd: 'publish', topic: 'tocsin/pump-1/up', payload, qos: 1, dup: false, retain }, () => {});
    say('1=1', true);
    bridge = open(`mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await until(() => log.some((line) => line.startsWith('info connected')));
    await until(async () => (await counted('retained')) === 1);
    say('1=2', false);
    await until(() => intake.frames.length > 0);
    expect(intake.frames.map(({ text }) => text)).toEqual(['1=2']);
    await bridge.close();
    await new Promise<void>((resolve) => old.close(resolve));
    server.close();
  });

  test('receives Sparkplug messages if switched on, and asks an edge node for a missed birth', async () => {
    intake.add('edge-1');
    const pump = intake.add('pump-7');
    pump.gateway = 'edge-1';
    await start({ query: '?sparkplug=on' });
    const node = await EdgeNode.connect(broker.url, { uid: 'edge-1', token: '', client: { username: '' } });
    const stranger = await EdgeNode.connect(broker.url, { uid: 'nobody', token: '', client: { username: '' } });
    const level: SentMetric = { name: 'Level', alias: 1, type: 'Double', value: 20.5 };
    const later: SentMetric = { alias: 1, type: 'Double', value: 21, untyped: true };
    await stranger.say('NDATA', undefined, [later]);
    await node.say('NDATA', undefined, [later]);
    await until(() => node.heard.length === 1);
    expect(node.heard[0]?.metrics).toEqual({ 'Node Control/Rebirth': true });
    await node.birth([level]);
    pump.commands.push({ id: 5, text: 'STOP' });
    await node.say('DBIRTH', 'pump-7', [level]);
    await node.say('DDATA', 'pump-7', [later]);
    await until(() => intake.frames.length === 4 && node.heard.length === 2);
    expect(intake.frames.map(({ device: { uid }, text }) => [uid, JSON.parse(text).metrics.at(-1).name])).toEqual([
      ['edge-1', undefined],
      ['edge-1', 'Level'],
      ['pump-7', 'Level'],
      ['pump-7', 'Level'],
    ]);
    expect(node.heard[1]).toEqual({
      topic: 'spBv1.0/Plant/DCMD/edge-1/pump-7',
      metrics: { 'Tocsin/Command Id': 5, 'Tocsin/Command': 'STOP' },
    });
    // An unknown edge node can belong to another system, so the server sends it nothing.
    expect(stranger.heard).toEqual([]);
    expect(await counted('unknown-uid')).toBe(1);
    node.end();
    stranger.end();
  });

  test('asks edge nodes for a birth after a restart, and ignores a death message of an earlier session', async () => {
    intake.add('edge-1');
    await start({ query: '?sparkplug=on' });
    const level: SentMetric = { name: 'Level', alias: 1, type: 'Double', value: 20.5 };
    const later: SentMetric = { alias: 1, type: 'Double', value: 21, untyped: true };
    const node = await EdgeNode.connect(broker.url, {
      uid: 'edge-1',
      token: '',
      birthNumber: 2,
      client: { username: '' },
    });
    await node.birth([level]);
    await until(() => intake.frames.length === 1);
    await device.publishAsync(node.topic('NDEATH'), death(1), { qos: 1 });
    await node.say('NDATA', undefined, [later]);
    await until(() => intake.frames.length === 3);
    expect(intake.frames[1]?.notes).toEqual([
      'This death message belongs to an earlier session; the edge node has reconnected since.',
    ]);
    expect(JSON.parse(intake.frames[2]?.text ?? '').metrics).toMatchObject([{ name: 'Level' }]);
    await bridge?.close();
    log.length = 0;
    bridge = open(`${broker.url}?sparkplug=on`);
    await until(() => log.some((line) => line.startsWith('info connected')));
    await node.say('NDATA', undefined, [later]);
    await until(() => node.heard.length === 1);
    expect(node.heard[0]?.metrics).toEqual({ 'Node Control/Rebirth': true });
    node.end();
  });

  test('ignores Sparkplug messages unless they are switched on', async () => {
    intake.add('edge-1');
    await start();
    const node = await EdgeNode.connect(broker.url, { uid: 'edge-1', token: '', client: { username: '' } });
    await node.birth();
    await device.publishAsync('tocsin/pump-1/up', '1=1', { qos: 1 });
    await until(() => intake.frames.length > 0);
    expect(intake.frames.map(({ text }) => text)).toEqual(['1=1']);
    node.end();
  });

  test('sends commands after a frame, and as soon as one is queued', async () => {
    await start();
    const pump = intake.add('pump-3');
    const heard: string[] = [];
    device.on('message', (topic, payload) => heard.push(`${topic} ${payload}`));
    await device.subscribeAsync('tocsin/pump-3/down', { qos: 1 });
    pump.commands.push({ id: 5, text: 'REBOOT' });
    await device.publishAsync('tocsin/pump-3/up', '1=1', { qos: 1 });
    await until(() => heard.length === 1);
    intake.queue(pump, 'RESET');
    await until(() => heard.length === 2);
    expect(heard).toEqual([
      'tocsin/pump-3/down {"id":5,"command":"REBOOT"}',
      'tocsin/pump-3/down {"id":1,"command":"RESET"}',
    ]);
  });
});
