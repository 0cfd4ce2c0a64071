import { connect } from 'node:net';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { frameLimits } from '../../domain/frame/frame.ts';
import { disposeTestDatabases } from '../harness/database/database.ts';
import { createCustomer } from '../harness/database/factories.ts';
import type { TestSensor } from '../harness/device/devices.ts';
import { DevicesApp } from './devices-app.ts';

let devices: DevicesApp;

beforeAll(async () => {
  devices = await DevicesApp.start({ deviceFramesPerSecond: 5 });
});
afterAll(async () => {
  await devices.close();
  await disposeTestDatabases();
});

interface Sender {
  uid: string;
  token: string;
}

async function byHttp({ uid, token }: Sender, frame: Buffer) {
  const headers = { authorization: `Bearer ${token}` };
  const body = new Uint8Array(frame);
  const response = await fetch(`${devices.url}/${uid}`, { method: 'POST', headers, body });
  const { reason = 'taken', errorMessage } = (await response.json()) as { reason?: string; errorMessage?: string };
  if (!response.ok) expect(errorMessage).toMatch(/\.$/);
  return [response.status, reason] as const;
}

function byTcp({ uid, token }: Sender, frame: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(devices.tcpPort, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
    socket.end(Buffer.concat([Buffer.from(`${uid} ${token} `), frame, Buffer.from('\n')]));
  });
}

const join = ({ uid, token }: Sender) => {
  const options = { username: uid, password: token, reconnectPeriod: 0 };
  return connectAsync(`mqtt://127.0.0.1:${devices.mqttPort}`, options, false);
};

async function publish(client: MqttClient, uid: string, frame: Buffer): Promise<string> {
  client.on('error', () => {});
  const ended = new Promise<string>((resolve) => client.once('close', () => resolve('ended')));
  const acknowledged = client.publishAsync(`tocsin/${uid}/up`, frame, { qos: 1 }).then(
    () => 'acknowledged',
    () => 'ended',
  );
  return Promise.race([acknowledged, ended]);
}

/** Publishes the frame and returns its result, or the CONNACK code if the connection is refused. */
async function byMqtt(sender: Sender, frame: Buffer): Promise<string | number> {
  try {
    const client = await join(sender);
    const outcome = await publish(client, sender.uid, frame);
    client.end(true);
    return outcome;
  } catch (error) {
    return (error as { code: number }).code;
  }
}

const manyPairs = (count: number) => Buffer.from(Array.from({ length: count }, (_, index) => `${index}=1`).join(';'));

interface Case {
  name: string;
  frame?: Buffer;
  sender?: (sensor: TestSensor) => Promise<Sender>;
  reason: string;
  http: number;
  mqtt: string | number;
  kept: boolean;
}

const cases: Case[] = [
  {
    name: 'an unknown uid',
    sender: async ({ token }) => ({ uid: 'nobody', token }),
    reason: 'unknown-uid',
    http: 404,
    mqtt: 4,
    kept: false,
  },
  {
    name: 'a wrong token',
    sender: async ({ uid }) => ({ uid, token: 'guess' }),
    reason: 'wrong-token',
    http: 401,
    mqtt: 4,
    kept: false,
  },
  {
    name: 'a revoked token',
    sender: async (sensor) => {
      await devices.revoke(sensor);
      return sensor;
    },
    reason: 'revoked-token',
    http: 401,
    mqtt: 4,
    kept: false,
  },
  {
    name: 'a disabled sensor',
    sender: async (sensor) => {
      await devices.disable(sensor);
      return sensor;
    },
    reason: 'disabled',
    http: 403,
    mqtt: 5,
    kept: false,
  },
  {
    name: 'a frame that is too large',
    frame: Buffer.alloc(frameLimits.bytes + 1, 'x'),
    reason: 'too-large',
    http: 413,
    mqtt: 'acknowledged',
    kept: false,
  },
  {
    name: 'a million channels',
    frame: manyPairs(1_000_000),
    reason: 'too-large',
    http: 413,
    mqtt: 'ended',
    kept: false,
  },
  {
    name: 'more channels than a frame may have',
    frame: manyPairs(5000),
    reason: 'too-many-values',
    http: 422,
    mqtt: 'acknowledged',
    kept: true,
  },
  {
    name: 'binary garbage',
    frame: Buffer.from([0xff, 0xfe, 0, 0x80]),
    reason: 'not-text',
    http: 422,
    mqtt: 'acknowledged',
    kept: true,
  },
  { name: 'broken JSON', frame: Buffer.from('{"1":'), reason: 'not-json', http: 422, mqtt: 'acknowledged', kept: true },
];

describe('bad input', () => {
  test.each(cases)(
    '$name gets its answer by every protocol',
    async ({ frame = Buffer.from('1=1'), sender, reason, http, mqtt, kept }) => {
      const sensor = await devices.sensor();
      const speaker = sender ? await sender(sensor) : sensor;
      expect(await byHttp(speaker, frame)).toEqual([http, reason]);
      expect(await byTcp(speaker, frame)).toMatch(new RegExp(`^ERR ${reason} .+\\.\n$`));
      expect(await byMqtt(speaker, frame)).toBe(mqtt);
      expect(await devices.readings(sensor)).toEqual([]);
      const frames = await devices.frames(sensor);
      expect(frames.map(({ protocol }) => protocol)).toEqual(kept ? ['http', 'tcp', 'mqtt'] : []);
      for (const { problem } of frames) expect(problem).toMatch(/./);
    },
  );

  test('logs a call without a token or with an unsupported content type under its sensor', async () => {
    const [sensor, logger] = [await devices.sensor(), await devices.sensor()];
    const post = (headers: Record<string, string>) =>
      fetch(`${devices.url}/${sensor.uid}`, { method: 'POST', headers, body: '1=1' });
    for (let again = 0; again < 2; again += 1) {
      expect((await post({})).status).toBe(401);
      const kind = { authorization: `Bearer ${sensor.token}`, 'content-type': 'image/png' };
      expect((await post(kind)).status).toBe(415);
    }
    expect(await byTcp({ uid: logger.uid, token: '' }, Buffer.alloc(0))).toMatch(/^ERR no-token /);
    await expect
      .poll(async () => (await devices.rejections(sensor)).sort())
      .toEqual([
        'The token is missing. Send the device’s token in the header Authorization: Bearer <token>.',
        'This content type is not supported. Send a frame as application/json, text/csv or text/plain.',
      ]);
    await expect
      .poll(() => devices.rejections(logger))
      .toEqual(['Begin the line with the uid and the token: <uid> <token> <frame>.']);
    expect([await devices.frames(sensor), await devices.frames(logger)]).toEqual([[], []]);
  });

  test.each([
    ['HTTP', byHttp],
    ['TCP', byTcp],
    ['MQTT', byMqtt],
  ])('a wrong token by %s is in the log of every sensor with that uid, of any customer', async (_door, send) => {
    const mine = await devices.sensor();
    const theirs = await devices.sensor({ customer: await createCustomer(devices.app.db), uid: mine.uid });
    await send({ uid: mine.uid, token: 'x'.repeat(43) }, Buffer.from('1=1'));
    for (const sensor of [mine, theirs])
      await expect
        .poll(() => devices.rejections(sensor))
        .toEqual([`The token does not belong to the sensor ${sensor.uid}.`]);
  });

  test('a flood from one device is refused by every protocol, without affecting others', async () => {
    const [flooder, other] = [await devices.sensor(), await devices.sensor()];
    const frame = Buffer.from('1=1');
    const statuses = await Promise.all(Array.from({ length: 80 }, async () => (await byHttp(flooder, frame))[0]));
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    expect(await byTcp(flooder, frame)).toMatch(/^ERR flood /);
    expect(await byMqtt(flooder, frame)).toBe('ended');
    expect((await byHttp(other, frame))[0]).toBe(200);
    expect(await byTcp(other, frame)).toBe('OK\n');
    expect(await byMqtt(other, frame)).toBe('acknowledged');
    devices.app.clock.advance(10_000);
    expect((await byHttp(flooder, frame))[0]).toBe(200);
  });

  test('a bad frame does not stop its batch', async () => {
    const gateway = await devices.sensor();
    const behind = await devices.sensor({ columns: { tocsin_gateway_uuid: gateway.uuid } });
    const frames = [
      { uid: behind.uid, t: '2026-03-02T07:00:00Z', 1: 1 },
      { uid: 'nobody', 1: 1 },
      { uid: behind.uid, t: '2026-03-02T07:01:00Z', 1: 'NaN' },
      { uid: behind.uid, nothing: null },
      { uid: behind.uid, t: '2026-03-02T07:02:00Z', 1: 2 },
    ];
    const response = await fetch(devices.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ uid: gateway.uid, frames }),
    });
    const answer = (await response.json()) as { accepted: number; results: { uid: string; reason?: string }[] };
    expect(response.status).toBe(200);
    expect(answer.accepted).toBe(2);
    expect(answer.results).toHaveLength(5);
    expect(answer.results[1]).toMatchObject({ uid: 'nobody', reason: 'unknown-uid' });
    expect((await devices.readings(behind)).map(({ value }) => value)).toEqual([1, 2]);
  });
});

describe('a connected device', () => {
  test.each(['revoke', 'disable'] as const)('is disconnected when somebody decides to %s it', async (decision) => {
    const [sensor, other] = [await devices.sensor(), await devices.sensor()];
    const [client, neighbour] = [await join(sensor), await join(other)];
    const cut = new Promise<void>((resolve) => client.once('close', () => resolve()));
    const socket = connect(devices.tcpPort, '127.0.0.1');
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await new Promise<void>((resolve) => {
      socket.once('data', () => resolve());
      socket.write(`${sensor.uid} ${sensor.token}\n`);
    });
    await devices[decision](sensor);
    await Promise.all([cut, ended]);
    expect(heard).toMatch(decision === 'revoke' ? /^OK\nERR revoked-token / : /^OK\nERR disabled /);
    expect(await publish(neighbour, other.uid, Buffer.from('1=1'))).toBe('acknowledged');
    neighbour.end(true);
  });
});
