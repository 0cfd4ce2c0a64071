import { connect as connectTcp } from 'node:net';
import type { IClientOptions } from 'mqtt';
import { beforeEach, describe, expect, test } from 'vitest';
import { frameLimits } from '../../domain/frame/frame.ts';
import { ended, publish, testMqttGateway } from '../../test/harness/server/mqtt-gateway.ts';

const bench = testMqttGateway();
const { start, join, counted } = bench;

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
    ['no user name', { username: '', password: '' }, 4, 'no-token'],
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
      bench.intake.add('old').revoked = true;
      bench.intake.add('off').disabled = true;
      expect(await code(join('pump-1', options))).toBe(expected);
      expect(await counted(outcome)).toBe(1);
    },
  );

  test('is refused as unavailable when the database does not respond', async () => {
    await start();
    bench.intake.identify = () => Promise.reject(new Error('no database'));
    expect(await code(join())).toBe(3);
  });

  test('works with MQTT 3.1', async () => {
    await start();
    const client = await join('pump-1', { protocolVersion: 3, protocolId: 'MQIsdp' });
    expect(await publish(client, 'tocsin/pump-1/up', '1=1')).toBe('acknowledged');
  });

  test('with a client id that is in use disconnects only the same device', async () => {
    await start();
    bench.intake.add('pump-2');
    const clientId = 'esp32';
    const one = await join('pump-1', { clientId });
    const two = await join('pump-2', { clientId });
    expect(await publish(one, 'tocsin/pump-1/up', '1=1')).toBe('acknowledged');
    const again = join('pump-1', { clientId });
    await ended(one);
    expect(await publish(await again, 'tocsin/pump-1/up', '1=1')).toBe('acknowledged');
    expect(await publish(two, 'tocsin/pump-2/up', '1=1')).toBe('acknowledged');
  });

  test('above the connection limit ends the oldest connection of the device', async () => {
    await start({ connectionsOfDevice: 2 });
    const [first, second] = [await join(), await join()];
    const cut = ended(first);
    const third = await join();
    await cut;
    expect(await counted('replaced')).toBe(1);
    expect(second.connected && third.connected).toBe(true);
  });

  test('has a time limit and a size limit', async () => {
    await start({ connectTimeoutMs: 100 });
    const silent = connectTcp(bench.listener.port, '127.0.0.1');
    silent.on('error', () => {});
    await new Promise((resolve) => silent.once('close', resolve));
    const endless = connectTcp(bench.listener.port, '127.0.0.1');
    endless.on('error', () => {});
    // The header of this packet states a length of 200 MB.
    endless.write(Buffer.from([0x10, 0x80, 0x80, 0xaf, 0x5f]));
    await new Promise((resolve) => endless.once('close', resolve));
    expect(await counted('packet-too-large')).toBe(1);
  });
});

describe('topics', () => {
  beforeEach(async () => {
    await start();
    bench.intake.add('pump-2');
  });

  test.each(['tocsin/pump-2/up', 'tocsin/pump-1/down', 'tocsin/pump-1/up/x', '$SYS/broker', 'tocsin//up'])(
    'of others cannot be published to: %s',
    async (topic) => {
      const client = await join();
      expect(await publish(client, topic, '1=1')).toBe('ended');
      expect(bench.intake.frames).toEqual([]);
      expect(await counted('foreign-topic')).toBe(1);
    },
  );

  test('refuse retained messages', async () => {
    const client = await join();
    expect(await publish(client, 'tocsin/pump-1/up', '1=1', { retain: true })).toBe('ended');
    expect(bench.intake.frames).toEqual([]);
  });

  test('that a device is not allowed to use are logged with the reason, at most once a minute', async () => {
    for (let again = 0; again < 2; again += 1) await publish(await join(), 'tocsin/pump-2/up', '1=1');
    await publish(await join(), 'tocsin/pump-1/up', '1=1', { retain: true });
    await expect(join('pump-1', { password: 'nonsense' })).rejects.toThrow();
    expect(bench.warnings).toEqual([
      expect.stringMatching(/^a device was refused: .*tocsin\/pump-1\/up.* foreign-topic pump-1$/),
      expect.stringMatching(/^a device was refused: .* retained pump-1$/),
      expect.stringMatching(/^a device was refused: .* wrong-token pump-1$/),
    ]);
  });

  test('that are refused, and all other refusals, are recorded in the sensor log', async () => {
    const turned = () => bench.intake.rejected.splice(0).map(({ because, uid }) => `${because} ${uid}`);
    await publish(await join(), 'plant/pump-1', '1=1');
    expect(bench.intake.rejected).toMatchObject([
      {
        protocol: 'mqtt',
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
    bench.intake.refuse('not-text', 'flood');
    await publish(client, 'tocsin/pump-1/up', '1=1');
    await publish(client, 'tocsin/pump-1/up', '1=1');
    expect(turned()).toEqual(['foreign-subscription pump-1', 'too-large pump-1', 'flood pump-1']);
    // The packet, not only its frame, exceeds the limit, so the refusal states the limit for packets.
    const other = await join();
    other.on('error', () => {});
    const cut = new Promise<void>((resolve) => other.once('close', () => resolve()));
    other.publish('tocsin/pump-1/up', Buffer.alloc(frameLimits.batchBytes + 1, 'x'));
    await cut;
    expect(bench.intake.rejected.map(({ sentence }) => sentence)).toEqual([
      'The packet is too large and was not stored. The maximum is 1048576 bytes, and 65536 bytes for a frame in it. Send a smaller one.',
    ]);
    bench.intake.rejected.splice(0);
    // The sensor log does not record failures of the server.
    bench.intake.refuse('unavailable');
    await publish(await join(), 'tocsin/pump-1/up', '1=1');
    const device = bench.intake.add('pump-3');
    const leaving = ended(await join('pump-3'));
    device.revoked = true;
    bench.intake.changed(device);
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
