/**
 * The state of the installation in the API. Owners of all customers see the same figures; all other users see none. The
 * tests compare the figures with the real processes and the database.
 */
import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MISSING_SECONDS } from '../../domain/process/system-alarm.ts';
import { disposeTestDatabases } from '../harness/database/database.ts';
import { insertRow, serviceQuery } from '../harness/database/factories.ts';
import { createSensor } from '../harness/device/devices.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { ingest } from './api.ts';

const QUERY = `{ systemStatus { observedOn databaseVersion externalHeartbeatOn
  processes { uuid name state version roles problems startedOn heartbeatOn silentSeconds clockOffsetMs cpuPercent
    memoryBytes eventLoopDelayMs framesPerSecond }
  brokers { name processName isConnected isHolder problem }
  protocols { protocol connections framesPerSecond framesByMinute refused }
  queues { name waiting oldestSeconds overdueSeconds overdue }
  sizes { measuredOn bytes readingBytes freeBytes }
  backups { finishedOn ok bytes seconds note } } }`;

const MINUTE = 60_000;
const DISK_GB = 400;

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;
beforeAll(async () => {
  app = await startTestApp({ config: { databaseDiskGb: DISK_GB } });
  staff = await app.staff();
  owner = await app.browser(staff.owner);
});
afterAll(async () => {
  await app?.close();
  await disposeTestDatabases();
});

const status = async (browser = owner) => (await browser.data(QUERY)).systemStatus;
const own = async () => (await status()).processes.find(({ name }: { name: string }) => name.endsWith(`:${app.port}`));
const queue = async (name: string) => (await status()).queues.find((one: { name: string }) => one.name === name);

/** Sets the clock and signs the owner in again, because the session may have expired. */
async function setClock(time: string): Promise<void> {
  app.clock.set(new Date(time));
  owner = await app.browser(staff.owner);
}

describe('the state of the installation', () => {
  test('is the same for owners of every customer', async () => {
    const stranger = await app.browser((await app.staff()).owner);
    expect(await status(stranger)).toEqual(await status());
  });

  test('is hidden from everybody else', async () => {
    for (const person of [staff.manager, staff.operator, staff.partner]) {
      expect(await status(await app.browser(person))).toBeNull();
    }
    const { status: code } = await (await app.browser()).graphql(QUERY);
    expect(code).toBe(401);
  });

  test('contains no identifier of a customer, site or person', async () => {
    const text = JSON.stringify(await status());
    for (const secret of [staff.customer.uuid, staff.owner.uuid, staff.owner.email]) expect(text).not.toContain(secret);
  });
});

describe('processes', () => {
  test('have the figures of their last heartbeat', async () => {
    await app.heartbeat.beat();
    expect(await own()).toMatchObject({ state: 'ready', problems: [], silentSeconds: 0, clockOffsetMs: 0 });
    const { memoryBytes, roles } = await own();
    expect(roles).toEqual(['web', 'gateway', 'evaluator', 'engine']);
    // The server runs in the test process, so both figures measure the same memory.
    expect(memoryBytes / process.memoryUsage.rss()).toBeGreaterThan(0.5);
    expect(memoryBytes / process.memoryUsage.rss()).toBeLessThan(2);
  });

  test('are missing when no heartbeat comes, and are back with the next one', async () => {
    await app.heartbeat.beat();
    app.clock.advance(MISSING_SECONDS * 1000);
    expect(await own()).toMatchObject({ state: 'ready', silentSeconds: MISSING_SECONDS });
    app.clock.advance(1000);
    expect(await own()).toMatchObject({ state: 'missing', silentSeconds: MISSING_SECONDS + 1 });
    await app.heartbeat.beat();
    expect(await own()).toMatchObject({ state: 'ready', silentSeconds: 0 });
  });

  test('fail when a required check fails, with its problem', async () => {
    await addProcess({ name: 'failing', checks: [check('broker', true), check('sender SMS', false)] });
    await addProcess({ name: 'limping', checks: [check('sender SMS', false)] });
    const { processes } = await status();
    const byName = (wanted: string) => processes.find(({ name }: { name: string }) => name === wanted);
    expect(byName('failing')).toMatchObject({ state: 'failing', problems: ['broker fails.', 'sender SMS fails.'] });
    expect(byName('limping')).toMatchObject({ state: 'ready', problems: ['sender SMS fails.'] });
  });

  test('are listed once for each name, and for an hour after a clean stop', async () => {
    await addProcess({ name: 'again', state: 'stopped' });
    app.clock.advance(1000);
    await addProcess({ name: 'again' });
    await addProcess({ name: 'stopped', state: 'stopped' });
    const names = async () => (await status()).processes.map((one: { name: string }) => one.name);
    expect((await names()).filter((name: string) => name === 'again')).toEqual(['again']);
    app.clock.advance(59 * MINUTE);
    expect(await names()).toContain('stopped');
    app.clock.advance(MINUTE);
    expect(await names()).not.toContain('stopped');
  });

  test('show the session at a broker while they run', async () => {
    const broker = { name: 'broker.example:1883', connected: true, holder: true, problem: '' };
    await addProcess({ name: 'bridge', load: { broker } });
    const expected = {
      name: 'broker.example:1883',
      processName: 'bridge',
      isConnected: true,
      isHolder: true,
      problem: '',
    };
    expect((await status()).brokers).toEqual([expected]);
    app.clock.advance((MISSING_SECONDS + 1) * 1000);
    expect((await status()).brokers).toEqual([]);
  });
});

describe('protocols', () => {
  const of = async (wanted: string) =>
    (await status()).protocols.find(({ protocol }: { protocol: string }) => protocol === wanted);

  test('have the frames of each minute, and those refused in the last hour', async () => {
    const sensor = await createSensor(app.db, { customer: staff.customer });
    await app.engine.tick();
    for (let frame = 1; frame <= 3; frame += 1) await ingest(app, sensor.uid, sensor.token, `1=${frame}`);
    expect(await ingest(app, sensor.uid, sensor.token, 'no values')).toMatchObject({ status: 422 });
    await app.engine.tick();
    app.clock.advance(MINUTE);
    await ingest(app, sensor.uid, sensor.token, '1=4');
    await app.engine.tick();
    app.clock.advance(MINUTE);
    const http = await of('http');
    expect(http.framesByMinute).toHaveLength(60);
    expect(http.framesByMinute.slice(-3)).toEqual([0, 3, 1]);
    expect(http.refused).toBe(1);
    app.clock.advance(61 * MINUTE);
    expect(await of('http')).toMatchObject({ refused: 0, framesByMinute: Array(60).fill(0) });
  });

  test('count the open connections of devices', async () => {
    await app.heartbeat.beat();
    const before = (await of('tcp')).connections;
    const device = connect(app.gateway?.tcpPort ?? 0, '127.0.0.1');
    await new Promise((resolve) => device.once('connect', resolve));
    await expect
      .poll(async () => {
        await app.heartbeat.beat();
        return (await of('tcp')).connections;
      })
      .toBe(before + 1);
    device.destroy();
    await expect
      .poll(async () => {
        await app.heartbeat.beat();
        return (await of('tcp')).connections;
      })
      .toBe(before);
    expect((await of('http')).connections).toBeNull();
  });
});

describe('queues', () => {
  const message = fc.record({
    state: fc.constantFrom('queued', 'sent', 'failed'),
    attempts: fc.integer({ min: 0, max: 2 }),
    /** Seconds since the message became due; negative if it is not due yet. */
    due: fc.integer({ min: -300, max: 300 }),
    isLeased: fc.boolean(),
  });

  test('count exactly the notifications that wait, that are retried and that are overdue', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 8 }), async (messages) => {
        await serviceQuery(app.db, 'delete from tocsin.notification');
        const now = app.clock.now().getTime();
        for (const { state, attempts, due, isLeased } of messages) {
          await insertRow(app.db, 'tocsin.notification', {
            tocsin_customer_uuid: staff.customer.uuid,
            ...{ recipient_name: 'Aoife Byrne', address: 'aoife@plant.example', method_type: 1, message_type: 1 },
            ...{ notify_message: 'High level', notify_time: new Date(now - 400_000), state, attempts },
            next_attempt_at: new Date(now - due * 1000),
            lease_until: isLeased ? new Date(now + 1000) : null,
          });
        }
        const queued = messages.filter(({ state }) => state === 'queued');
        const expected = (isRetry: boolean) => {
          const mine = queued.filter(({ attempts, due }) => attempts > 0 === isRetry && (isRetry || due >= 0));
          const overdue = mine.filter(({ due, isLeased }) => due >= 120 && !isLeased).length;
          return { waiting: mine.length, overdue, oldestSeconds: mine.length > 0 ? 400 : null };
        };
        expect(await queue('notifications')).toMatchObject(expected(false));
        expect(await queue('retries')).toMatchObject(expected(true));
      }),
      { numRuns: 25 },
    );
    await serviceQuery(app.db, 'delete from tocsin.notification');
  });

  test('count commands that a device can still confirm', async () => {
    const sensor = await createSensor(app.db, { customer: staff.customer });
    const now = app.clock.now().getTime();
    const command = (columns: object) =>
      insertRow(app.db, 'tocsin.reply_message', {
        ...{ tocsin_customer_uuid: staff.customer.uuid, uid: sensor.uid, reply_command: 'reboot' },
        ...{ queued_on: new Date(now - 60_000), expires_on: new Date(now + 1000), ...columns },
      });
    await command({});
    await command({ sent_on: new Date(now) });
    await command({ delivered_on: new Date(now) });
    await command({ cancelled_on: new Date(now) });
    await command({ expires_on: new Date(now) });
    expect(await queue('commands')).toMatchObject({ waiting: 2, oldestSeconds: 60, overdue: 0 });
  });
});

describe('the database', () => {
  test('is measured once an hour, with the free disk space', async () => {
    await serviceQuery(app.db, 'delete from tocsin_private.database_size');
    await setClock('2026-05-04T10:00:00Z');
    await app.engine.tick();
    app.clock.advance(59 * MINUTE);
    await app.engine.tick();
    expect(await serviceQuery(app.db, 'select from tocsin_private.database_size')).toHaveLength(1);
    const [size] = (await status()).sizes;
    const [real] = await serviceQuery(app.db, 'select pg_database_size(current_database())::float8 as bytes');
    expect(size.bytes / real.bytes).toBeGreaterThan(0.9);
    expect(size.bytes / real.bytes).toBeLessThan(1.1);
    expect(size.readingBytes).toBeGreaterThan(0);
    expect(size.readingBytes).toBeLessThan(size.bytes);
    expect(new Date(size.measuredOn)).toEqual(new Date('2026-05-04T10:00:00Z'));
    if (app.db.folder === undefined) return expect(size.freeBytes).toBe(DISK_GB * 1e9 - size.bytes);
    // Other tests write to the same disk, so the free space may differ slightly.
    const { bavail, bsize } = await statfs(app.db.folder);
    expect(size.freeBytes / (bavail * bsize)).toBeGreaterThan(0.8);
    expect(size.freeBytes / (bavail * bsize)).toBeLessThan(1.2);
  });

  test('keeps one size for each day, for twelve weeks', async () => {
    await serviceQuery(app.db, 'delete from tocsin_private.database_size');
    await setClock('2026-06-01T00:30:00Z');
    for (let hour = 0; hour < 50; hour += 1) {
      await serviceQuery(
        app.db,
        'insert into tocsin_private.database_size (hour, bytes, reading_bytes) values ($1, $2, 0)',
        [new Date(Date.UTC(2026, 5, 1, hour)), hour],
      );
    }
    expect((await status()).sizes.map(({ bytes }: { bytes: number }) => bytes)).toEqual([23, 47, 49]);
    await setClock('2026-08-24T12:00:00Z');
    await app.engine.tick();
    const measured = (await status()).sizes.map(({ measuredOn }: { measuredOn: string }) => measuredOn.slice(0, 10));
    expect(measured).toEqual(['2026-06-01', '2026-06-02', '2026-06-03', '2026-08-24']);
    await setClock('2026-08-27T12:00:00Z');
    await app.engine.tick();
    expect((await status()).sizes).toHaveLength(2);
  });

  test('lists the last five backups, newest first', async () => {
    for (let day = 1; day <= 6; day += 1) {
      const at = `2026-06-0${day}T02:00:00Z`;
      await serviceQuery(
        app.db,
        'insert into tocsin_private.backup (finished_at, ok, bytes, seconds) values ($1, $2, 1000, 60)',
        [at, day !== 5],
      );
    }
    const { backups } = await status();
    const expected = [6, 5, 4, 3, 2].map((day) => [`2026-06-0${day}T02:00:00.000Z`, day !== 5, 1000, 60]);
    expect(backups.map((one: any) => [new Date(one.finishedOn).toISOString(), one.ok, one.bytes, one.seconds])).toEqual(
      expected,
    );
  });
});

const check = (name: string, isRequired: boolean) => ({
  name,
  ok: false,
  isRequired,
  problem: `${name} fails.`,
  failingSeconds: 5,
});

/** Inserts the heartbeat of another process. */
async function addProcess(values: { name: string; state?: string; checks?: object[]; load?: object }): Promise<void> {
  const { name, state = 'ready', checks = [], load = {} } = values;
  const now = app.clock.now();
  await insertRow(app.db, 'tocsin_private.process', {
    ...{ uuid: randomUUID(), name, state, version: '0.1.0', schema_version: '0014', roles: ['engine'] },
    ...{ started_at: now, heartbeat_at: now, checks: JSON.stringify(checks), load: JSON.stringify(load) },
  });
}
