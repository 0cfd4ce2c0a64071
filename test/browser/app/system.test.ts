/** The System page for owners: figures, updates and layout. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MISSING_SECONDS } from '../../../domain/process/system-alarm.ts';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { settled } from '../../harness/browser/settled.ts';
import { insertRow, serviceQuery } from '../../harness/database/factories.ts';
import { expectGoodLooks, narrow, wide } from '../support/accessible.ts';

const PATH = '/admin/system';
const GB = 1e9;

let app: ConsoleApp;
let page: Page;
beforeAll(async () => {
  app = await startConsole({ config: { processName: 'tocsin-1' } });
  await app.heartbeat.ready({ name: 'tocsin-1', httpAddress: 'localhost' });
  await app.engine.tick();
  await addProcess('tocsin-2');
  page = await app.open(PATH, { as: app.people.owner, time: app.clock.now() });
  await part('Processes').waitFor();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const part = (name: string) => page.getByRole('table', { name });
const row = (table: string, name: string) =>
  part(table)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });
const text = async (table: string, name: string) => (await row(table, name).innerText()).replaceAll(/\s+/g, ' ');

/** Inserts a heartbeat of another process that has queued work. */
async function addProcess(name: string, checks: object[] = []): Promise<void> {
  const now = app.clock.now();
  const load = {
    ...{ cpuPercent: 34, memoryBytes: 1.8 * GB, eventLoopDelayMs: 12, framesPerSecond: { http: 40, tcp: 12 } },
    ...{ connections: { mqtt: 3, tcp: 188 }, waiting: { deliveries: 14, newest: 0 } },
    broker: { name: 'broker.example:1883', connected: true, holder: true, problem: '' },
  };
  await insertRow(app.db, 'tocsin_private.process', {
    ...{ uuid: randomUUID(), name, state: 'ready', version: '0.1.0', schema_version: '0014' },
    ...{ roles: ['gateway', 'engine'], started_at: now, heartbeat_at: now, clock_offset_ms: -110 },
    ...{ checks: JSON.stringify(checks), load: JSON.stringify(load) },
  });
}

test('shows each process, protocol and queue with its figures', async () => {
  expect(await text('Processes', 'tocsin-2')).toBe(
    'tocsin-2 Running 0.1.0 gateway, engine, broker session −0.11 s 0 s 34 % 1.8 GB 12 ms 52 /s',
  );
  expect(await row('Processes', 'tocsin-1').getByText('Running').count()).toBe(1);
  await page.getByText('2 of 2 running').waitFor();
  expect(await text('Protocols', 'TCP')).toBe('TCP 188 12 /s 0');
  expect(await text('Queues', 'Deliveries to store')).toBe('Deliveries to store 14 – – –');
  expect(await text('Broker sessions', 'broker.example:1883')).toBe('broker.example:1883 tocsin-2 –');
});

test('is in the sidebar of owners, and says to others whom to ask', async () => {
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'System', exact: true }).waitFor();
  const other = await app.open(PATH, { as: app.people.manager });
  await other.getByText('Only owners can view the System page').waitFor();
  expect(await other.getByRole('link', { name: 'System', exact: true }).count()).toBe(0);
  await app.leave(other);
});

test('says what to do while nothing was measured or reported', async () => {
  await page.getByText('The growth appears after one day.').waitFor();
  await page.getByText('No backup reported yet').waitFor();
});

test('shows a missing process, its alarm and new figures by itself', async () => {
  app.clock.advance((MISSING_SECONDS + 60) * 1000);
  await app.heartbeat.beat();
  const now = app.clock.now();
  await insertRow(app.db, 'tocsin_private.system_alarm', {
    ...{ kind: 'process', subject: 'tocsin-2', opened_at: now },
    sentence: 'The process tocsin-2 has sent no heartbeat for 15 s.',
  });
  await page.getByText('1 of 2 running').waitFor();
  const missing = await text('Processes', 'tocsin-2');
  expect(missing).toMatch(/^tocsin-2 Missing 0\.1\.0 gateway, engine −0\.11 s 1 min – – – 0 \/s$/);
  const alarm = page.getByRole('region', { name: 'System alarm' });
  expect(await alarm.innerText()).toContain('The process tocsin-2 has sent no heartbeat for 15 s.');
  // The other pages show this sentence in a banner. The System page hides the banner, so the sentence appears once.
  expect(await page.getByText('The process tocsin-2 has sent no heartbeat').count()).toBe(1);
  expect(await text('Protocols', 'TCP')).toMatch(/^TCP \d+ 0 \/s 0$/);
});

test('shows the growth of the database, the day on which the disk is full, and failed backups', async () => {
  await serviceQuery(app.db, 'delete from tocsin_private.database_size');
  const now = app.clock.now().getTime();
  for (const [day, gigabytes] of [
    [0, 184],
    [50, 119],
  ] as const) {
    await serviceQuery(
      app.db,
      'insert into tocsin_private.database_size (hour, bytes, reading_bytes, free_bytes) values ($1, $2, $3, $4)',
      [new Date(now - day * 86_400_000), gigabytes * GB, 100 * GB, (314 - gigabytes) * GB],
    );
  }
  for (const [hours, ok] of [
    [12, true],
    [36, false],
  ] as const) {
    await serviceQuery(
      app.db,
      'insert into tocsin_private.backup (finished_at, ok, bytes, seconds) values ($1, $2, 61.4e9, 2280)',
      [new Date(now - hours * 3_600_000), ok],
    );
  }
  const database = page.getByRole('region', { name: 'Database', exact: true });
  await database.getByText('100').first().waitFor();
  const words = (await database.innerText()).replaceAll(/\s+/g, ' ');
  expect(words).toContain('Disk full in 100 days');
  expect(words).toContain('Growth, mean of 50 days 1.3 GB a day');
  expect(words).toContain('Database 184 GB, readings 100');
  const backups = (await part('Backups').innerText()).replaceAll(/\s+/g, ' ');
  expect(backups).toMatch(/61\.4 GB 38 min Complete .* Failed$/);
});

test('shows the problem of a process that is not ready, on a phone without scrolling sideways', async () => {
  const problem = 'The broker refused the connection. Check the user and the password in TOCSIN_MQTT_URL.';
  await addProcess('tocsin-3', [{ name: 'broker', ok: false, isRequired: true, problem, failingSeconds: 9 }]);
  await page.setViewportSize(narrow);
  const shown = part('Processes').getByText(problem);
  await shown.waitFor();
  expect(await row('Processes', 'tocsin-3').innerText()).toContain('Not ready');
  const box = await shown.boundingBox();
  expect(box?.x ?? -1).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(narrow.width);
});

test('looks well on a wide light and on a narrow dark screen, and is accessible', async () => {
  await expectGoodLooks(page);
});

test.each([
  ['a wide screen', wide],
  ['a phone', narrow],
])('shifts its layout by at most 0.02 while its response arrives on %s', async (_screen, size) => {
  await page.setViewportSize(size);
  await page.addInitScript(`
    globalThis.shifts = [];
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
      .observe({ type: 'layout-shift', buffered: true });`);
  await page.route('**/graphql', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue().catch(() => undefined);
  });
  await page.reload();
  await row('Processes', 'tocsin-1').waitFor();
  await settled(page);
  const shifts = await page.evaluate<number[]>('shifts');
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(0.02);
  await page.unroute('**/graphql');
});

test('keeps the last figures and says since when, if they can no longer be loaded', async () => {
  const before = troubles.length;
  await page.route('**/graphql', (route) => route.fulfill({ status: 503, json: { errorMessage: 'Try again later.' } }));
  await page.getByText(/^Not updated since/).waitFor({ timeout: 60_000 });
  expect(await row('Processes', 'tocsin-1').count()).toBe(1);
  await page.unroute('**/graphql');
  await page.getByText(/^Live, /).waitFor({ timeout: 60_000 });
  troubles.splice(before);
});
