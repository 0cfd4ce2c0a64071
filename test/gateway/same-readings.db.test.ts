import { connect } from 'node:net';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Protocol } from '../../server/pipeline/intake.ts';
import { disposeTestDatabases } from '../harness/database/database.ts';
import type { TestSensor } from '../harness/device/devices.ts';
import { DevicesApp } from './devices-app.ts';

let devices: DevicesApp;

beforeAll(async () => {
  devices = await DevicesApp.start();
});
afterAll(async () => {
  await devices.close();
  await disposeTestDatabases();
});

const send: Record<Protocol, (sensor: TestSensor, frame: Buffer) => Promise<void>> = {
  async http({ uid, token }, frame) {
    const response = await fetch(`${devices.url}/${uid}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new Uint8Array(frame),
    });
    expect([200, 422]).toContain(response.status);
  },
  async mqtt({ uid, token }, frame) {
    const client = await connectAsync(`mqtt://127.0.0.1:${devices.mqttPort}`, { username: uid, password: token });
    await client.publishAsync(`tocsin/${uid}/up`, frame, { qos: 1 });
    await client.endAsync();
  },
  tcp: ({ uid, token }, frame) =>
    new Promise((resolve, reject) => {
      const socket = connect(devices.tcpPort, '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('end', () => (/^(OK|ERR not-|ERR no-values)/.test(answer) ? resolve() : reject(new Error(answer))));
      socket.on('error', reject);
      socket.end(Buffer.concat([Buffer.from(`${uid} ${token} `), frame, Buffer.from('\n')]));
    }),
};

/** Half an hour before the app's current time, in seconds since 1970. */
const T = Date.parse('2026-03-02T07:30:00Z') / 1000;

interface Case {
  name: string;
  frame: string | Buffer;
  readings: number;
  problem?: RegExp;
  note?: boolean;
  times?: number;
}

const cases: Case[] = [
  { name: 'JSON', frame: `{"t": ${T}, "1": 20.5, "Flow": 7, "3": true}`, readings: 3 },
  { name: 'JSON with values', frame: '{"time": "2026-03-02T07:30:00Z", "values": {"1": "20.5"}}', readings: 1 },
  { name: 'JSON of several times', frame: `[{"t": ${T}, "1": 1}, {"t": ${T + 60}, "1": 2}]`, readings: 2 },
  { name: 'pairs', frame: `t=${T};1=20.5;2=-7;gsm_signal=-77`, readings: 2 },
  { name: 'CSV', frame: `${T},20.5,,7`, readings: 2 },
  { name: 'no time', frame: '1=5', readings: 1 },
  { name: 'a clock in 1970', frame: 't=86400;1=5', readings: 1, note: true },
  { name: 'a clock in 2099', frame: 't=2099-01-01T00:00:00Z 1=5', readings: 1, note: true },
  { name: 'the same twice', frame: `t=${T};1=5`, readings: 1, times: 2 },
  { name: 'NaN and infinity beside a value', frame: `t=${T};1=NaN;2=Infinity;3=7`, readings: 1, problem: /./ },
  { name: 'a channel nobody has', frame: `t=${T};1=5;99=1`, readings: 1, problem: /./ },
  { name: 'older than the retention', frame: 't=2021-01-01T00:00:00Z 1=5', readings: 0, problem: /./ },
  { name: 'broken JSON', frame: '{"1": 20.5', readings: 0, problem: /JSON/ },
  { name: 'bytes that are no text', frame: Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x01]), readings: 0, problem: /UTF-8/ },
];

describe('the same frame by every protocol', () => {
  test.each(cases)('produces the same readings: $name', async ({ frame, readings, problem, note, times = 1 }) => {
    const seen: Record<string, unknown> = {};
    for (const protocol of ['http', 'mqtt', 'tcp'] as const) {
      const sensor = await devices.sensor();
      for (let time = 0; time < times; time += 1) await send[protocol](sensor, Buffer.from(frame as string));
      const stored = await devices.readings(sensor);
      expect(stored, protocol).toHaveLength(readings);
      const frames = await devices.frames(sensor);
      expect(frames, protocol).toHaveLength(times);
      expect(new Set(frames.map((one) => one.protocol))).toEqual(new Set([protocol]));
      const text = Buffer.isBuffer(frame) ? frame.toString('base64') : frame;
      expect(frames[0], protocol).toMatchObject({ raw: text, encoding: Buffer.isBuffer(frame) ? 'base64' : 'text' });
      if (problem) expect(frames[0]?.problem).toMatch(problem);
      else expect(frames[0]?.problem).toBeNull();
      expect(frames[0]?.note !== null).toBe(note ?? false);
      seen[protocol] = [stored, frames.map((one) => [one.problem, one.note])];
    }
    expect(seen.mqtt).toEqual(seen.http);
    expect(seen.tcp).toEqual(seen.http);
  });
});
