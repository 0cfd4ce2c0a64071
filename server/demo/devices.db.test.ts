import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fewestSites, loadDemo } from '../../db/demo/index.ts';
import { planLiveSensors } from '../../db/demo/live.ts';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { serviceQuery } from '../../test/harness/database/factories.ts';
import { startTestApp, type TestApp } from '../../test/harness/server/app.ts';
import { HandClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { type DemoDevices, startDemoDevices } from './devices.ts';

// The simulator is a separate process that uses the real time, so the server's test clock starts at the real time.
const clock = new HandClock(new Date());
const lines: string[] = [];
const log: Log = {
  info: (line) => lines.push(line),
  warn: (line) => lines.push(line),
  error: (line) => lines.push(line),
};

let app: TestApp;
beforeAll(async () => {
  const database = await openTestDatabase();
  await loadDemo({
    db: database,
    now: clock.now(),
    sites: fewestSites,
    weeks: 1,
    hashPassword: async (plain) => plain,
  });
  app = await startTestApp({ database, clock, config: { demo: true } });
});
afterAll(async () => {
  await app?.close();
  await disposeTestDatabases();
});

const start = (): Promise<DemoDevices> =>
  startDemoDevices({
    db: app.db,
    clock,
    log,
    http: app.url,
    mqtt: `mqtt://127.0.0.1:${app.gateway?.mqttPort}`,
    tcp: `tcp://127.0.0.1:${app.gateway?.tcpPort}`,
    everySeconds: [1, 2],
  });

/**
 * Counts the frames that arrived since the server started, by protocol. Leaves out the older frames of the demo's
 * history.
 */
const heard = () =>
  serviceQuery<{ protocol: string; sensors: number; frames: number; problems: number }>(
    app.db,
    `select protocol, count(distinct uid)::int as sensors, count(*)::int as frames, count(problem)::int as problems
     from tocsin.incoming_sensor_log where date_time >= $1 group by protocol order by protocol`,
    [clock.now()],
  );
const sum = (rows: Awaited<ReturnType<typeof heard>>, name: 'sensors' | 'frames' | 'problems') =>
  rows.reduce((total, row) => total + row[name], 0);

describe('the demo plant', () => {
  test('sends from every sensor that is not silent, by all three protocols, and continues after a restart', async () => {
    const [facts] = await serviceQuery(app.db, "select value from tocsin_private.installation where name = 'demo'");
    const alive = planLiveSensors(facts.value);
    const life = await start();
    try {
      // Leaves out sensors with a `silence` setting, because they can randomly stop sending.
      const sure = alive.filter(({ silence }) => silence === undefined).length;
      expect(sure).toBeGreaterThan(20);
      await vi.waitFor(async () => expect(sum(await heard(), 'sensors')).toBeGreaterThanOrEqual(sure), {
        timeout: 90_000,
        interval: 200,
      });
    } finally {
      await life.stop();
    }
    const first = await heard();
    expect(first.map(({ protocol }) => protocol)).toEqual(['http', 'mqtt', 'tcp']);
    expect(sum(first, 'problems')).toBeLessThan(sum(first, 'frames') / 5);
    expect(lines.at(-1)).toMatch(/^demo plant: ended: sent \d+, accepted \d+, refused \d+, failed 0,/);

    const again = await start();
    try {
      await vi.waitFor(async () => expect(sum(await heard(), 'frames')).toBeGreaterThan(sum(first, 'frames')), {
        timeout: 90_000,
        interval: 200,
      });
    } finally {
      await again.stop();
    }
    const tokens = await serviceQuery(app.db, 'select count(*)::int as count from tocsin_private.device_token');
    expect(tokens).toEqual([{ count: alive.length }]);
  });

  test('does not send for sensors that users disabled', async () => {
    await serviceQuery(app.db, 'delete from tocsin_private.device_token');
    await serviceQuery(app.db, 'update tocsin.sensor set status = 0');
    const life = await start();
    await life.stop();
    expect(await serviceQuery(app.db, 'select uuid from tocsin_private.device_token')).toEqual([]);
  });
});

test('ends the simulator when its parent process ends, even if the parent is killed', async () => {
  const simulator = join(import.meta.dirname, '../../tools/simulate/main.ts');
  const plan = JSON.stringify({ server: {}, sensors: [] });
  const parent = spawn(
    process.execPath,
    [
      '--eval',
      `const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(simulator)}, '--plan', '-'],
         { stdio: ['pipe', 'inherit', 'inherit', 'ipc'] });
       child.stdin.end(${JSON.stringify(plan)});
       setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  parent.stdout.on('data', (chunk) => {
    output += chunk;
  });
  // Server and simulator share this output, so the output ends only after both processes have ended.
  const ended = once(parent.stdout, 'end');
  await vi.waitFor(() => expect(output).toContain('0 sensors have started'), { timeout: 90_000 });
  parent.kill('SIGKILL');
  await ended;
  expect(output).toMatch(/ended: sent 0, accepted 0/);
});
