/**
 * Two real Tocsin processes behind HAProxy, on one PostgreSQL server. What happens at one process must take effect for
 * devices and pages that are connected to the other process. At the end, one process is killed.
 */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openPostgres } from '../../server/platform/postgres.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import {
  createCustomer,
  createUser,
  linkUser,
  serviceQuery,
  setDefaultCustomer,
  type UserRow,
} from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { createSensor, type TestSensor } from '../harness/device/devices.ts';
import { type SteadyDevice, startSteadyDevice, steadyProtocols } from '../harness/device/steady-device.ts';
import { type Balancer, ensureHaproxy, startBalancer } from '../harness/machine/haproxy.ts';
import { scratchFolder } from '../harness/machine/scratch.ts';
import { openLivePage } from '../harness/server/live.ts';
import { httpFrames, startProcess, type TocsinProcess } from '../harness/server/processes.ts';
import { keepCompiledProduct, signIn } from '../harness/server/product.ts';

const NAME = 'tocsin_balancer';
const EMAIL = 'owner@cluster.test';
const PASSWORD = 'a long enough password';
const haproxy = testDatabaseKind() === 'postgres' ? await ensureHaproxy() : { missing: 'only on PostgreSQL' };
if ('missing' in haproxy && testDatabaseKind() === 'postgres') console.log(haproxy.missing);

describe.skipIf('missing' in haproxy)('two processes behind HAProxy', () => {
  const folder = scratchFolder('balancer');
  let postgres: TestPostgres;
  let db: Database;
  let a: TocsinProcess;
  let b: TocsinProcess;
  let balancer: Balancer;
  let customer: { uuid: string };
  let owner: UserRow;
  const devices = new Set<SteadyDevice>();

  beforeAll(async () => {
    await keepCompiledProduct();
    postgres = await testPostgres();
    await postgres.dropDatabase(NAME);
    const url = await createMigratedDatabase(postgres, NAME);
    db = await openPostgres({ url, log: silentLog });
    customer = await createCustomer(db);
    await setDefaultCustomer(db, customer);
    owner = await createUser(db, { customer, level: 1, email: EMAIL, password: PASSWORD });
    [a, b] = await Promise.all([startProcess({ DATABASE_URL: url }), startProcess({ DATABASE_URL: url })]);
    balancer = await startBalancer({ folder, processes: [a.ports, b.ports] });
    await vi.waitUntil(async () => (await fetch(`${balancedUrl()}/api/v1/config`)).ok, { timeout: 30_000 });
  });
  afterAll(async () => {
    await Promise.all([...devices].map((device) => device.stop()));
    await balancer?.child.stop();
    await Promise.all([a?.kill(), b?.kill()]);
    await db?.close();
    await postgres?.dropDatabase(NAME);
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const balancedUrl = () => `http://127.0.0.1:${balancer.ports.web}`;
  const start = (...[options]: Parameters<typeof startSteadyDevice>) => {
    const device = startSteadyDevice(options);
    devices.add(device);
    return device;
  };
  const graphql = async (url: string, headers: Record<string, string>, query: string, variables = {}) => {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    return { status: answer.status, ...((await answer.json()) as { data?: any; errors?: { message: string }[] }) };
  };
  const urlOf = ({ ports }: TocsinProcess) => `http://127.0.0.1:${ports.web}`;
  const queue = (headers: Record<string, string>, sensor: TestSensor, replyCommand: string) =>
    graphql(
      urlOf(a),
      headers,
      'mutation ($input: CreateReplyMessageInput!) { createReplyMessage(input: $input) { replyMessage { id } } }',
      { input: { replyMessage: { uid: sensor.uid, replyCommand } } },
    );

  test('sends all frames of one device to one process', async () => {
    const sensor = await createSensor(db, { customer });
    const before = await Promise.all([httpFrames(a), httpFrames(b)]);
    const device = start({ ports: balancer.ports, sensor, protocol: 'http', pauseMs: 1 });
    await expect.poll(() => device.answered.length).toBeGreaterThanOrEqual(20);
    await device.stop();
    const after = await Promise.all([httpFrames(a), httpFrames(b)]);
    const added = after.map((count, index) => count - (before[index] as number));
    expect(added.toSorted((x, y) => x - y)).toEqual([0, device.answered.length]);
  });

  test('hides the metrics of a process', async () => {
    expect((await fetch(`${balancedUrl()}/metrics`)).status).toBe(404);
  });

  for (const protocol of steadyProtocols) {
    // The MQTT device sends only one frame, so it receives a command only if its process pushes the command. HTTP and
    // TCP devices receive commands in the responses to their frames, so they send frames continuously.
    const pauseMs = protocol === 'mqtt' ? 600_000 : 50;
    test(`sends a command queued at A within 1 s to a device that is at B by ${protocol}`, async () => {
      const headers = await signIn(urlOf(a), EMAIL, PASSWORD);
      const sensor = await createSensor(db, { customer });
      const device = start({ ports: b.ports, sensor, protocol, pauseMs });
      await expect.poll(() => device.answered.length).toBeGreaterThan(0);
      const { errors } = await queue(headers, sensor, `REBOOT ${protocol}`);
      const queued = performance.now();
      expect(errors).toBeUndefined();
      await expect.poll(() => device.commands.map(({ command }) => command)).toContain(`REBOOT ${protocol}`);
      expect((device.commands[0]?.at ?? 0) - queued).toBeLessThan(1000);
      await device.stop();
    });

    test(`cuts off a device at B by ${protocol} within 5 s after its token was revoked at A`, async () => {
      const headers = await signIn(urlOf(a), EMAIL, PASSWORD);
      const sensor = await createSensor(db, { customer });
      const device = start({ ports: b.ports, sensor, protocol, pauseMs });
      await expect.poll(() => device.answered.length).toBeGreaterThan(0);
      const { errors } = await graphql(
        urlOf(a),
        headers,
        'mutation ($input: RevokeDeviceTokenInput!) { revokeDeviceToken(input: $input) { revoked } }',
        { input: { tocsinSensorUuid: sensor.uuid } },
      );
      const revoked = performance.now();
      expect(errors).toBeUndefined();
      await expect.poll(() => device.failures.length).toBeGreaterThan(0);
      expect((device.failures[0]?.at ?? 0) - revoked).toBeLessThan(5000);
      const answered = device.answered.length;
      await pause(300);
      expect(device.answered.length).toBe(answered);
      await device.stop();
    });
  }

  test('accepts a session of one process at the other, and ends it at both', async () => {
    const headers = await signIn(urlOf(a), EMAIL, PASSWORD);
    const query = '{ viewer: __typename }';
    expect(await graphql(urlOf(b), headers, query)).toMatchObject({ status: 200, data: { viewer: 'Query' } });
    const sensor = await createSensor(db, { customer });
    const command = { input: { replyMessage: { uid: sensor.uid, replyCommand: 'PING' } } };
    const mutation =
      'mutation ($input: CreateReplyMessageInput!) { createReplyMessage(input: $input) { replyMessage { id } } }';
    expect((await graphql(urlOf(b), headers, mutation, command)).errors).toBeUndefined();
    const { 'x-xsrf-token': _xsrf, ...withoutToken } = headers;
    expect((await graphql(urlOf(b), withoutToken, mutation, command)).status).toBe(403);
    await fetch(`${urlOf(a)}/api/v1/auth/logout`, { method: 'POST', headers, body: '{}' });
    expect((await graphql(urlOf(b), headers, query)).status).toBe(401);
  });

  test('shows a reading of a device at B on an open page at A', async () => {
    const headers = await signIn(urlOf(a), EMAIL, PASSWORD);
    const sensor = await createSensor(db, { customer });
    await linkUser(db, owner, sensor.site);
    const cookies = new Map((headers.cookie ?? '').split('; ').map((pair) => pair.split('=', 2) as [string, string]));
    const page = openLivePage({ port: a.ports.web }, { cookies } as never, {
      siteUuids: [sensor.site.uuid],
      headers: { origin: urlOf(a) },
    });
    await expect.poll(() => page.events.length).toBeGreaterThan(0);
    const device = start({ ports: b.ports, sensor, protocol: 'mqtt' });
    await expect
      .poll(() => page.events.flatMap(({ datapoints }) => datapoints).some(({ value }) => value === 20.5))
      .toBe(true);
    page.close();
    await device.stop();
  });

  test('moves devices and pages of a killed process to the other, and loses no acknowledged reading', async () => {
    const sensors = await Promise.all(Array.from({ length: 12 }, () => createSensor(db, { customer })));
    const running = sensors.map((sensor, index) =>
      start({ ports: balancer.ports, sensor, protocol: steadyProtocols[index % 3] as 'http' }),
    );
    const page = await fetch(`${balancedUrl()}/api/v1/config`);
    const cookie =
      page.headers
        .getSetCookie()
        .find((one) => one.startsWith('TOCSIN_PROCESS='))
        ?.split(';')[0] ?? '';
    const victim = cookie.endsWith('=1') ? a : b;
    await expect.poll(() => running.every(({ answered }) => answered.length > 5)).toBe(true);
    await victim.kill();
    const killed = performance.now();
    const back = () => running.map(({ answered }) => answered.find(({ at }) => at > killed + 50)?.at);
    await expect.poll(() => back().every(Boolean)).toBe(true);
    const seconds = Math.max(...back().map((at) => ((at as number) - killed) / 1000));
    expect((await fetch(`${balancedUrl()}/api/v1/config`, { headers: { cookie } })).status).toBe(200);
    await Promise.all(running.map((device) => device.stop()));
    for (const { sensor, answered } of running) {
      const rows = await serviceQuery<{ ms: number }>(
        db,
        'select round(extract(epoch from device_time) * 1000)::float8 as ms from tocsin.reading where channel_key = $1',
        [sensor.channels[0]?.key],
      );
      const stored = new Set(rows.map(({ ms }) => ms));
      expect(answered.filter(({ time }) => !stored.has(time))).toEqual([]);
    }
    console.log(`After the kill of one of two processes every device was answered within ${seconds.toFixed(1)} s.`);
    expect(seconds).toBeLessThan(15);
  });
});
