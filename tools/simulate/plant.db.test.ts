import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startGateway } from '../../server/gateway/gateway.ts';
import { silentLog } from '../../server/platform/log.ts';
import { createMetrics } from '../../server/platform/metrics.ts';
import { insertRow, serviceQuery } from '../../test/harness/database/factories.ts';
import { createSensor, type TestSensor } from '../../test/harness/device/devices.ts';
import { startTestApp, type TestApp } from '../../test/harness/server/app.ts';
import { createHttpClient } from './client-http.ts';
import { type Plan, type Protocol, protocols, readPlan, type SensorPlan } from './plan.ts';
import { type Plant, startPlant } from './plant.ts';
import { readSeries, retime, startReplay } from './replay.ts';

const formats = ['json', 'key-value', 'csv'] as const;
const pairs = protocols.flatMap((protocol) => formats.map((format) => ({ protocol, format })));

/** The channels of every sensor, regardless of its protocol. */
const channels: SensorPlan['channels'] = [
  { channel: '1', kind: 'analog', curve: 'sawtooth', periodSeconds: 7200, low: 1, high: 3 },
  { channel: '2', kind: 'digital', curve: 'square' },
  { channel: '3', kind: 'counter', perHour: 12 },
];

let app: TestApp;
let customer: { uuid: string };

beforeAll(async () => {
  app = await startTestApp();
  ({ customer } = await app.staff());
});
afterAll(async () => {
  await app?.close();
});

const server = (): Record<Protocol, string> => ({
  http: app.url,
  mqtt: `mqtt://127.0.0.1:${app.gateway?.mqttPort}`,
  tcp: `tcp://127.0.0.1:${app.gateway?.tcpPort}`,
});

async function sensorFor(protocol: Protocol, format: SensorPlan['format'], changes: Partial<SensorPlan> = {}) {
  const made = await createSensor(app.db, { customer, channels: [{}, {}, {}] });
  const { uid, token } = made;
  return {
    made,
    planned: { uid, token, protocol, format, everySeconds: 3600, channels, ...changes } satisfies SensorPlan,
  };
}

async function each<T, R>(list: readonly T[], make: (one: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  for (const one of list) made.push(await make(one));
  return made;
}

function start(sensors: SensorPlan[], addresses: Plan['server'] = server()): Plant {
  const plan = readPlan({ server: addresses, sensors });
  return startPlant(plan, { log: () => {}, now: () => app.clock.now().getTime() });
}

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 90_000, interval: 20 });

const readingsOf = ({ uuid }: TestSensor) =>
  serviceQuery(
    app.db,
    `select c.channel_number as number, r.value, r.device_time as time from tocsin.reading r
     join tocsin.sensor_channel c on c.key = r.channel_key where c.tocsin_sensor_uuid = $1 order by 1, 3`,
    [uuid],
  );

describe('a plant at a real server', () => {
  test('sends the same values by every protocol in every format, and executes commands', async () => {
    const sensors = await each(pairs, ({ protocol, format }) => sensorFor(protocol, format));
    const running = start(sensors.map(({ planned }) => planned));
    try {
      running.measureNow();
      await until(() => expect(running.counts.accepted).toBe(9));
      const time = app.clock.now();
      const expected = [
        { number: 1, value: 1, time },
        { number: 2, value: 0, time },
        { number: 3, value: expect.any(Number), time },
      ];
      const [first, ...others] = await Promise.all(sensors.map(({ made }) => readingsOf(made)));
      expect(first).toEqual(expected);
      for (const readings of others) expect(readings).toEqual(first);

      for (const { made } of sensors) {
        const values = { tocsin_customer_uuid: customer.uuid, uid: made.uid, reply_command: 'VALVE, "open"' };
        await insertRow(app.db, 'tocsin.reply_message', values);
      }
      // The device receives the command with the response to a frame, or earlier over MQTT. Its next frame confirms the
      // command.
      await until(async () => {
        app.clock.advance(60_000);
        const before = running.counts.accepted;
        running.measureNow();
        await until(() => expect(running.counts.accepted).toBe(before + 9));
        expect(running.counts.confirmed).toBe(9);
      });
      const commands = await serviceQuery(
        app.db,
        'select distinct reply, delivered_on is null as open from tocsin.reply_message',
      );
      expect(commands).toEqual([{ reply: 'VALVE, "open" done', open: false }]);
      expect(running.counts).toMatchObject({ refused: 0, failed: 0, dropped: 0 });
    } finally {
      await running.stop();
    }
  });

  test('does not resend a bad frame, which is refused if the protocol can say so, and logged', async () => {
    const always = { chance: 1 };
    const sensors = await each(protocols, (protocol) => sensorFor(protocol, 'json', { badFrames: always }));
    const running = start(sensors.map(({ planned }) => planned));
    try {
      for (let times = 1; times <= 6; times += 1) {
        app.clock.advance(1000);
        running.measureNow();
        await until(() => expect(running.counts.accepted + running.counts.refused).toBe(3 * times));
      }
      expect(running.counts.refused).toBeGreaterThan(0);
      expect(running.counts.failed).toBe(0);
      const uids = sensors.map(({ planned }) => planned.uid);
      const kept = await serviceQuery(
        app.db,
        'select uid, count(*)::int as frames, count(problem)::int as marked from tocsin.incoming_sensor_log where uid = any ($1) group by uid',
        [uids],
      );
      expect(kept).toHaveLength(3);
      for (const { frames, marked } of kept) {
        expect(frames).toBe(6);
        expect(marked).toBeGreaterThan(0);
      }
    } finally {
      await running.stop();
    }
  });

  test('keeps a frame whose token is refused', async () => {
    const sensors = await each(protocols, (protocol) => sensorFor(protocol, 'json', { token: 'wrong' }));
    const running = start(sensors.map(({ planned }) => planned));
    running.measureNow();
    await until(() => expect(running.counts).toMatchObject({ accepted: 0, refused: 3, failed: 0 }));
    await running.allTokensRefused;
    await running.stop();
  });

  test('the simulator reports a refused token and ends with an exit code', async () => {
    const { made } = await sensorFor('http', 'json');
    const folder = mkdtempSync(join(tmpdir(), 'series-'));
    const file = join(folder, 'series.csv');
    writeFileSync(file, 'timestamp,value\n2026-01-01T00:00:00Z,1\n');
    const as = ['--csv', file, '--uid', made.uid, '--token', 'wrong', '--server', app.url];
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...as], { env: {} });
    const [content, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    rmSync(folder, { recursive: true });
    expect(content).toContain(`The server refuses the token of ${made.uid}: wrong-token.`);
    expect(code).toBe(1);
  });

  test('delivers queued frames when the server is back', async () => {
    const intake = app.gateway!.pipeline;
    const open = (tcp: number, mqtt: number) =>
      startGateway({
        intake: intake!,
        log: silentLog,
        metrics: createMetrics(),
        clock: app.clock,
        host: '127.0.0.1',
        tcpPort: { number: tcp, fixed: true },
        mqttPort: { number: mqtt, fixed: true },
      });
    const first = await open(0, 0);
    const sensors = await each(['tcp', 'mqtt'] as const, (protocol) => sensorFor(protocol, 'key-value'));
    const running = start(
      sensors.map(({ planned }) => planned),
      { tcp: `tcp://127.0.0.1:${first.tcpPort}`, mqtt: `mqtt://127.0.0.1:${first.mqttPort}` },
    );
    try {
      running.measureNow();
      await until(() => expect(running.counts.accepted).toBe(2));
      await first.close();
      for (let times = 0; times < 3; times += 1) {
        app.clock.advance(60_000);
        running.measureNow();
      }
      await until(() => expect(running.counts.failed).toBeGreaterThanOrEqual(2));
      const again = await open(first.tcpPort, first.mqttPort as number);
      await until(() => expect(running.counts.accepted).toBe(8));
      await running.stop();
      await again.close();
      for (const { made } of sensors) expect(await readingsOf(made)).toHaveLength(4 * 3);
    } finally {
      await running.stop();
    }
  });
});

test('replays a file as history up to now', async () => {
  const { made } = await sensorFor('http', 'json');
  const lines = Array.from(
    { length: 1200 },
    (_, index) => `${new Date(Date.UTC(2013, 11, 2) + index * 300_000).toISOString()},${index}`,
  );
  const { rows } = readSeries(`timestamp,value\n${lines.join('\n')}`, { time: 'timestamp', value: 'value' });
  const now = app.clock.now().getTime();
  const client = createHttpClient({ uid: made.uid, token: made.token, address: new URL(app.url), onCommand: () => {} });
  const replay = startReplay(retime(rows, 'max', now), '1', client, () => now);
  await replay.ended;
  await replay.stop();
  expect(replay.counts).toMatchObject({ sent: 3, accepted: 3 });
  const readings = await readingsOf(made);
  expect(readings).toHaveLength(1200);
  expect(readings.at(-1)).toMatchObject({ value: 1199, time: new Date(now) });
  expect(readings[0]).toMatchObject({ value: 0, time: new Date(now - 1199 * 300_000) });
});
