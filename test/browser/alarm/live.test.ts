import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import type { VisitOptions } from '../../harness/browser/visits.ts';
import { serviceQuery } from '../../harness/database/factories.ts';
import { long } from '../../harness/long.ts';
import { expectAccessible, narrow, wide } from '../support/accessible.ts';
import { createWell, stored, type Well, type WellOptions } from '../support/alarm-plant.ts';
import { following } from '../support/live-page.ts';

const MINUTE = 60_000;
const reasons = ['Crew on the way', 'Sensor fault'];

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** Creates a well whose alarm opens as soon as a value is above the limit. */
async function createQuickWell(name: string, options: WellOptions): Promise<Well> {
  const well = await createWell(app, name, options);
  await serviceQuery(app.db, 'update tocsin.rule set debounce = 0 where tocsin_site_uuid = $1', [well.site.uuid]);
  return well;
}

/** Sends a frame over HTTP, as a device would. */
async function speak({ sensor }: Well, level: number): Promise<void> {
  app.clock.advance(1000);
  const answer = await fetch(`${app.url.replace('localhost', '127.0.0.1')}/api/v1/ingest/${sensor.uid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sensor.token}` },
    body: `1=${level}`,
  });
  expect(answer.status).toBe(200);
}

async function alarmOf({ site }: Well): Promise<string> {
  const [row] = await serviceQuery<{ uuid: string }>(
    app.db,
    'select uuid from tocsin.alarm where tocsin_site_uuid = $1 order by date_time desc limit 1',
    [site.uuid],
  );
  return row?.uuid ?? '';
}

/** Counts the tones that the page plays. */
const listenIn = (page: Page) =>
  page.evaluate(`{
    const start = OscillatorNode.prototype.start;
    if (window.tones === undefined)
      OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
    window.tones = 0;
  }`);
const tones = (page: Page) => page.evaluate('window.tones') as Promise<number>;
/** Presses a key, because a browser plays no sound before the first user interaction. */
const touch = (page: Page) => page.keyboard.press('Shift');
async function openLive(path: string, options: VisitOptions): Promise<Page> {
  const page = await app.visit('/error/4xx', options);
  const isLive = following(page);
  await goTo(page, path);
  await listenIn(page);
  await isLive;
  return page;
}

/** Calls `deed`. Returns the time until `result` appears, in milliseconds. */
async function timed(deed: () => Promise<void>, result: Locator): Promise<number> {
  const began = performance.now();
  await deed();
  await result.first().waitFor();
  return performance.now() - began;
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^(Acknowledge|Resolve)/ });

describe('an alarm raised by a device', () => {
  test('appears within two seconds with sound and a count in the title, and is acknowledged with a reason', async () => {
    const well = await createQuickWell('Weir', { ruleName: 'Weir high', reasons });
    const page = await openLive('/dashboard/alarms', { as: app.people.operator, phone: true });
    await touch(page);
    let before = await tones(page);
    const row = page.getByText('Weir high');
    expect(await row.count()).toBe(0);
    let took = await timed(() => speak(well, 9), row);
    // A busy machine can delay the result, so the test repeats a slow attempt up to three times.
    for (let again = 0; took >= 2000 && again < 3; again += 1) {
      await speak(well, 1);
      await row.first().waitFor({ state: 'detached' });
      before = await tones(page);
      took = await timed(() => speak(well, 9), row);
    }
    expect(took).toBeLessThan(2000);
    await expect.poll(() => page.title()).toMatch(/^\(\d+\) Alarms · Tocsin$/);
    await expect.poll(() => tones(page)).toBe(before + 2);
    const said = page.getByRole('status', { name: 'New alarms' });
    await expect.poll(() => said.textContent()).toMatch(/^New alarm\. \d+ alarms? not acknowledged\.$/);
    await page.setViewportSize(wide);
    await page.locator('tr[data-alarm]', { hasText: 'Weir high' }).waitFor();
    await page.getByRole('link', { name: /^\d+ alarms? not acknowledged, \d+ open$/ }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize(narrow);
    await expectAccessible(page, 'main');

    await page.getByRole('button', { name: 'Acknowledge Weir high' }).tap();
    await dialogOf(page).getByRole('button', { name: 'Crew on the way' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    const alarm = await alarmOf(well);
    expect((await stored(app, alarm)).acknowledge_json).toMatchObject({ reason: 'Crew on the way' });
    await expect.poll(() => page.title()).toBe('Alarms · Tocsin');
    // The announcement is cleared, because its alarm count is outdated.
    await expect.poll(() => said.textContent()).toBe('');

    // When the value returns inside the limits, the alarm is resolved and disappears from the list in a wide window.
    await page.setViewportSize(wide);
    await page.locator('tr[data-alarm]', { hasText: 'Weir high' }).waitFor();
    await speak(well, 1);
    await row.first().waitFor({ state: 'detached' });
    expect((await stored(app, alarm)).resolved_date).not.toBeNull();
    await app.leave(page);
  });
});

test('announces a new alarm on every page, wide and on a phone, with a link to it', async () => {
  const well = await createQuickWell('Sluice', { ruleName: 'Sluice: gate high' });
  const page = await openLive('/reports', { as: app.people.operator, phone: true });
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  // The toast names the site only once.
  const shown = page
    .getByRole('region', { name: 'Messages' })
    .getByRole('button', { name: 'Critical, Sluice Gate high' });
  for (const size of [wide, narrow]) {
    await page.setViewportSize(size);
    await goTo(page, '/reports');
    await speak(well, 9);
    await shown.waitFor();
    await expectAccessible(page, '[aria-label=Messages]');
    await shown.click();
    await page.waitForURL(`**/dashboard/alarms/${await alarmOf(well)}`);
    await shown.waitFor({ state: 'detached' });
    await speak(well, 1);
    await page.getByText('Critical, resolved').waitFor();
  }
  // A focused toast stays visible until its alarm is resolved.
  await speak(well, 9);
  await shown.focus();
  await speak(well, 1);
  await shown.waitFor({ state: 'detached' });
  await app.leave(page);
});

test('remembers that the sound is muted', async () => {
  const well = await createQuickWell('Lock', { ruleName: 'Gate high' });
  const page = await openLive('/dashboard/alarms', { as: app.people.operator, phone: true });
  await page.setViewportSize(wide);
  await page.getByRole('switch', { name: 'Sound of new alarms' }).click();
  const again = following(page);
  await page.reload();
  await listenIn(page);
  await again;
  await touch(page);
  const sound = page.getByRole('switch', { name: 'Sound of new alarms' });
  expect(await sound.getAttribute('aria-checked')).toBe('false');
  await speak(well, 9);
  await page.locator('tr[data-alarm]', { hasText: 'Gate high' }).waitFor();
  expect(await tones(page)).toBe(0);
  await app.leave(page);
});

test('the open page of an escalation recipient shows when an unacknowledged alarm escalates and when it resolves', async () => {
  const { operator, manager } = app.people;
  const well = await createQuickWell('Mill', {
    ...{ ruleName: 'Mill flood', reasons, told: [operator], escalate: [manager] },
  });
  const page = await openLive('/dashboard/my-work', { as: manager });
  const mine = page.getByRole('region', { name: 'Needs your attention' });
  await mine.getByText('You’re all caught up').waitFor();
  await speak(well, 9);
  await mine.getByText('Escalates to you next unless someone acknowledges').waitFor();
  app.clock.advance(16 * MINUTE);
  await app.engine?.tick();
  await mine.getByText(/^Escalated to you\s*1$/).waitFor();
  await page.getByRole('region', { name: 'My messages' }).getByText('E-mail, escalation 1').first().waitFor();
  await expectAccessible(page, 'main');
  await page.setViewportSize(narrow);
  await expectAccessible(page, 'main');

  await mine.getByText('Mill flood').click();
  await page.waitForURL(`**/dashboard/alarms/${await alarmOf(well)}`);
  await page.getByRole('heading', { name: 'Mill flood', level: 1 }).waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText(/so it was escalated \(1 of 3\) to/).waitFor();
  await page.getByText('Critical, not acknowledged').waitFor();
  await speak(well, 1);
  await page.getByText('Critical, resolved').waitFor();
  await timeline.getByText('Resolved').first().waitFor();
  await expectAccessible(page, 'main');
  await app.leave(page);
});

long('the alarm list stays usable and correct when two thousand alarms arrive in a burst', async () => {
  const well = await createQuickWell('Storm', { ruleName: 'Storm high' });
  const page = await openLive('/dashboard/alarms?q=storm', { as: app.people.manager });
  await page.getByText('No open alarm matches').waitFor();
  let asked = 0;
  page.on('request', (request) => {
    if (request.postData()?.includes('query AlarmList')) asked += 1;
  });
  await speak(well, 9);
  const row = page.locator('tr[data-alarm]', { hasText: 'Storm high' });
  await row.focus();
  // Measures the CPU time of the page, which does not depend on the load of the machine.
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const atFirst = await worked();
  const began = performance.now();
  for (let batch = 0; batch < 10; batch += 1) {
    await serviceQuery(
      app.db,
      `insert into tocsin.alarm (tocsin_customer_uuid, tocsin_site_uuid, site_name, severity, message, date_time)
       select s.tocsin_customer_uuid, s.uuid, s.name, 'minor', 'Storm ' || $2::int * 200 + n, tocsin_private.clock()
       from tocsin.site s, generate_series(1, 200) n where s.uuid = $1`,
      [well.site.uuid, batch],
    );
    // Keyboard shortcuts work while alarms arrive.
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor({ state: batch % 2 === 0 ? 'visible' : 'detached' });
  }
  await page.getByText('1 to 100 of 2,001').waitFor();
  const seconds = (performance.now() - began) / 1000;
  expect(asked).toBeLessThanOrEqual(seconds + 3);
  expect((await worked()) - atFirst).toBeLessThan(10);
  // The focused row is still the same element.
  expect(
    await row.evaluate(
      (element: { ownerDocument: { activeElement: unknown } }) => element.ownerDocument.activeElement === element,
    ),
  ).toBe(true);
  await app.leave(page);
});
