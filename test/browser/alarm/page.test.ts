import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createSite, insertRow, linkUser, type SiteRow, serviceQuery } from '../../harness/database/factories.ts';
import { createSensor } from '../../harness/device/devices.ts';
import { expectAccessible, expectGoodLooks, narrow, wide } from '../support/accessible.ts';
import {
  acknowledgeAs,
  createWell,
  flood,
  report,
  resolveAs,
  sendAll,
  settle,
  setUser,
  stored,
} from '../support/alarm-plant.ts';

let app: ConsoleApp;
let quay: SiteRow;
let mill: SiteRow;
let north: { uuid: string };
beforeAll(async () => {
  app = await startConsole();
  const { customer, operator, owner } = app.people;
  await setUser(app, operator, { sms_notification: true, phone_number: '+44 20 7946 0123' });
  quay = await createSite(app.db, { customer, name: 'Quay Street' });
  mill = await createSite(app.db, { customer, name: 'Mill Race' });
  north = await insertRow(app.db, 'tocsin.group', { tocsin_customer_uuid: customer.uuid, level: 3, name: 'North' });
  await insertRow(app.db, 'tocsin.group', { tocsin_customer_uuid: customer.uuid, level: 5, name: 'North' });
  await serviceQuery(app.db, 'update tocsin.site set tocsin_group3_uuid = $2 where uuid = $1', [mill.uuid, north.uuid]);
  await report(app, quay, 'Fence broken');
  await report(app, mill, 'Hatch open');
  await acknowledgeAs(app, owner, await report(app, mill, 'Lamp broken'), 'Being mended');
  const over = await report(app, quay, 'Door forced');
  await resolveAs(app, owner, over);
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const messages = (page: Page) => page.locator('tr[data-alarm] td:nth-child(3)').allTextContents();
const groups = (page: Page) => page.locator('tbody th').allTextContents();

describe('the list of alarms', () => {
  test('never hides an open alarm by a time filter, and hides past ones outside it', async () => {
    const page = await app.visit('/dashboard/alarms?show=all&from=2020-01-01&to=2020-01-02', { as: app.people.owner });
    await page.getByText('Fence broken').waitFor();
    expect(await messages(page)).toHaveLength(3);
    await goTo(page, '/dashboard/alarms?show=all');
    await page.getByText('Door forced').waitFor();
    // In the column Acknowledged, an unacknowledged alarm has the entry `nobody`.
    await goTo(page, '/dashboard/alarms?show=past');
    const forced = page.locator('tr[data-alarm]', { hasText: 'Door forced' });
    await expect.poll(() => forced.locator('td').last().textContent()).toBe('nobody');
    await goTo(page, '/dashboard/alarms?show=past&from=2020-01-01&to=2020-01-02');
    await page.getByText('No past alarm matches the filter').waitFor();
    await goTo(page, '/dashboard/alarms?from=2020-01-01&to=2020-01-02');
    await page.getByText('Fence broken').waitFor();
    await app.leave(page);
  });

  test('keeps the filters in the address and restores them', async () => {
    const page = await app.visit('/dashboard/alarms', { as: app.people.owner });
    await page.getByText('Fence broken').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    const panel = page.getByRole('dialog', { name: 'Filters' });
    const group = panel.getByRole('combobox', { name: /^Group/ });
    await expect
      .poll(() => group.getByRole('option', { name: /^North/ }).allTextContents())
      .toEqual(['North', 'North (unit office)']);
    await group.selectOption('North');
    await page.waitForURL(`**group=${north.uuid}*`);
    await panel.getByRole('combobox', { name: /^State/ }).selectOption('Not acknowledged');
    await panel.getByRole('checkbox', { name: 'Group by site' }).click();
    await page.waitForURL('**by=site*');
    await expect.poll(() => messages(page)).toEqual(['Hatch open ']);
    expect(await groups(page)).toEqual(['Mill Race 1']);
    const address = page.url();
    await goTo(page, '/reports');
    await goTo(page, address);
    await page.getByRole('button', { name: 'Filters 2' }).click();
    expect(await messages(page)).toEqual(['Hatch open ']);
    await panel.getByRole('combobox', { name: 'Site', exact: true }).fill('Quay');
    await page.getByRole('option', { name: /^Quay Street/ }).click();
    await page.getByText('No open alarm matches the filter').waitFor();
    await page.getByRole('button', { name: 'Search past alarms' }).waitFor();
    await expectAccessible(page, 'main, [role=dialog]');
    await panel.getByRole('button', { name: 'Clear all filters' }).click();
    await expect.poll(() => groups(page)).toEqual(['Mill Race 2', 'Quay Street 1']);
    await app.leave(page);
  });
});

describe('the page of an alarm', () => {
  test('shows the cause, each message with its state, and similar alarms with their reasons, and can be handled there', async () => {
    const { operator, manager } = app.people;
    const well = await createWell(app, 'High weir', {
      ...{ ruleName: 'High weir level', reasons: ['Rain', 'Sensor fault'], told: [operator], escalate: [manager] },
    });
    const earlier = await flood(app, well);
    await acknowledgeAs(app, operator, earlier, 'Sensor fault');
    await serviceQuery(app.db, 'update tocsin.alarm set resolved_date = date_time where uuid = $1', [earlier]);
    await serviceQuery(app.db, 'delete from tocsin_private.rule_state where alarm_uuid = $1', [earlier]);
    await serviceQuery(app.db, 'update tocsin_private.evaluator_shard set version = version + 1', []);
    app.clock.advance(600_000);
    const alarm = await flood(app, well);
    expect(alarm).not.toBe(earlier);
    const page = await app.visit(`/dashboard/alarms?alarm=${alarm}`, { as: operator, time: app.clock.now() });
    const own = page.getByRole('link', { name: 'Open the alarm’s own page' });
    await own.click({ trial: true });
    await page.setViewportSize(narrow);
    await own.click();
    await page.waitForURL(`**/dashboard/alarms/${alarm}`);
    await page.getByRole('heading', { name: 'High weir level', level: 1 }).waitFor();
    await page.getByText('below 0.5 or above 4.2').waitFor();
    expect(await page.locator('figure').textContent()).toMatch(/readings .* to 4\.5/);
    const trend = page.getByRole('link', { name: 'trend around this time' });
    const around = async () => {
      const search = new URLSearchParams((await trend.getAttribute('href'))?.split('?')[1]);
      return { points: search.get('points'), from: search.get('from'), to: search.get('to') };
    };
    const [point] = await serviceQuery(
      app.db,
      'select tocsin_datapoint_uuid as uuid from tocsin.alarm where uuid = $1',
      [alarm],
    );
    expect(await around()).toMatchObject({ points: point?.uuid });
    const sent = page.locator('section', { has: page.getByRole('heading', { name: /^Messages/ }) });
    await sent.getByText('SMS').first().waitFor();
    await sent.getByText('not sent, no sender is set up').first().click();
    await sent
      .getByText(/Not sent: No sender is set up. An owner can find/)
      .first()
      .waitFor();
    const similar = page.locator('section', { has: page.getByRole('heading', { name: /^Similar alarms 1/ }) });
    await similar.getByText('Earlier reasons: Sensor fault once.').waitFor();
    await expectGoodLooks(page, 'main');
    // On a phone, no other element covers the Acknowledge button.
    await page.getByRole('button', { name: 'Acknowledge' }).click({ trial: true });
    await page.setViewportSize(wide);
    await page.keyboard.press('a');
    await page.getByRole('dialog').getByRole('button', { name: 'Rain' }).click();
    await page.getByText('Critical, acknowledged').waitFor();
    await page.locator('summary:focus').waitFor();
    expect((await stored(app, alarm)).acknowledge_json?.reason).toBe('Rain');
    await page.setViewportSize(narrow);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByText('Critical, resolved').waitFor();
    const over = (await stored(app, alarm)).resolved_date as Date;
    const { from, to } = await around();
    expect(Date.parse(from ?? '')).toBeLessThan(over.getTime());
    expect(Date.parse(to ?? '')).toBeGreaterThanOrEqual(over.getTime());
    await trend.click();
    await page.waitForURL('**/dashboard/trend?**');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await app.leave(page);
  });

  test('of several conditions shows the values and links to the trend of its data points', async () => {
    const { customer, operator } = app.people;
    const { site, sensor } = await createWell(app, 'Dry weir', { ruleName: 'Low level' });
    const { sensor: pump } = await createWell(app, 'Pump house', { ruleName: 'Pump' });
    const points = [sensor, pump].flatMap(({ channels }) => channels.map(({ datapointUuid }) => datapointUuid));
    const at = app.clock.now().toISOString();
    const own = { tocsin_customer_uuid: customer.uuid };
    const alarm = await insertRow<{ uuid: string }>(app.db, 'tocsin.alarm', {
      ...{ ...own, tocsin_site_uuid: site.uuid, site_name: site.name, source: 'conditions', rule_name: 'Dry run' },
      ...{ severity: 'major', message: 'Dry run', date_time: at, created_at: at },
      criteria: JSON.stringify({
        ...{ kind: 'conditions', name: 'Dry run', version: 1, debounce: 0, datapoints: points },
        words: 'Sump, Level is below 0.4 m and Pump 1, Motor is running',
        measured: 'Sump Level: 0.31 m (below 0.4 m), Pump 1 Motor: running',
      }),
    });
    await insertRow(app.db, 'tocsin.alarm_event', {
      ...{ ...own, tocsin_alarm_uuid: alarm.uuid, at, kind: 'clearing', sentence: 'The conditions are no longer met.' },
    });
    const page = await app.visit(`/dashboard/alarms/${alarm.uuid}`, { as: operator, time: app.clock.now() });
    await page.getByText('Sump, Level is below 0.4 m and Pump 1, Motor is running').waitFor();
    await page.getByText('Sump Level: 0.31 m (below 0.4 m), Pump 1 Motor: running').waitFor();
    await page.getByText('Conditions no longer met').waitFor();
    expect(await page.getByText('Back in normal range').count()).toBe(0);
    await expectAccessible(page, 'main');
    await page.getByRole('link', { name: 'trend around this time' }).click();
    await page.waitForURL((url) => url.searchParams.get('points') === points.join());
    const strip = page.getByRole('list', { name: 'Alarms in this period' });
    await strip.getByRole('link', { name: /^Dry run, .*still open$/ }).waitFor();
    await app.leave(page);
  });

  test('of several conditions marks the conditions that are met, draws their data points, and the list counts the met conditions', async () => {
    const { customer, operator } = app.people;
    const site = await createSite(app.db, { customer, name: 'Storm tank' });
    await linkUser(app.db, operator, site);
    const names = ['Level', 'Motor', 'Inflow', 'Rain', 'Tide'];
    const sensor = await createSensor(app.db, { customer, site, channels: names.map((name) => ({ name })) });
    const [level, motor, ...others] = sensor.channels.map(({ datapointUuid }) => datapointUuid);
    await serviceQuery(app.db, "update tocsin.asset set name = 'Sump' where uuid = $1", [sensor.assetUuid]);
    await serviceQuery(app.db, "update tocsin.asset_datapoint set uom = '%' where uuid = $1", [level]);
    await serviceQuery(app.db, 'update tocsin.asset_datapoint set sensor_type = 1 where uuid = $1', [motor]);
    await serviceQuery(
      app.db,
      "update tocsin.sensor_channel set channel_low_text = 'standing', channel_high_text = 'running' where uuid = $1",
      [sensor.channels[1]?.uuid],
    );
    const above = (fact: string | undefined, value: number) => ({ fact, operator: 'greaterThan', value });
    const fills = { all: [above(level, 80), { fact: motor, operator: 'equal', value: 0 }] };
    const conditions = { any: [...others.map((other) => above(other, 500)), fills] };
    await insertRow(app.db, 'tocsin.rules_json', {
      ...{ tocsin_customer_uuid: customer.uuid, rule_name: 'Tank fills', site_id: site.site_id },
      rule_json: JSON.stringify({ conditions, event: { type: 'alarm', params: { debounce: 60 } } }),
    });
    const well = { site, sensor, ruleName: 'Tank fills' };
    const rest = { 2: 0, 3: 10, 4: 20, 5: 30 };
    await sendAll(app, well, { 1: 88, ...rest }, 120);
    await sendAll(app, well, { 1: 91.2, ...rest }, 60);
    await settle(app);

    const page = await app.visit('/dashboard/alarms?q=Storm', { as: operator, time: app.clock.now() });
    const row = page.locator('tr[data-alarm]', { hasText: 'Tank fills' });
    await row.getByText('2 of 5 met').waitFor();
    expect(await row.locator('td:nth-child(6)').textContent()).toBe('5 conditions');
    await row.click();
    await page.getByRole('link', { name: 'Open the alarm’s own page' }).click();
    const list = page.getByRole('region', { name: 'Conditions', exact: true });
    const one = (words: string) => list.getByRole('listitem').filter({ hasText: words }).last();
    await expect
      .poll(() => one('Sump, Level is above 80 %').textContent())
      .toMatch(/met91\.2 % now.*; 91\.2 % when it opened/);
    expect(await one('Sump, Motor is standing').textContent()).toMatch(/metstanding now.*; standing when it opened/);
    expect(await one('Sump, Rain is above 500').textContent()).toMatch(/not met20 now/);
    await page.getByText('1 more data point of the conditions is not shown.').waitFor();
    const drawn = page.locator('figure');
    await expect.poll(() => drawn.count()).toBe(4);
    await expect.poll(() => drawn.first().textContent()).toMatch(/> 80.*Readings of Sump, Level from/);
    expect(await drawn.nth(1).textContent()).toContain('Readings of Sump, Motor from');
    await expectAccessible(page, 'main');

    await sendAll(app, well, { 1: 70 }, 0);
    await settle(app);
    await page.reload();
    await expect.poll(() => one('Sump, Level is above 80 %').textContent()).toMatch(/not met70 % now.*; 91\.2 % when/);
    // Charts that are shown one below another have the same time axis, even if one of the data points has no recent
    // readings.
    await expect.poll(() => drawn.nth(1).textContent()).toMatch(/standing at \d\d:\d\d, held since then/);
    const spans = (await drawn.allTextContents()).map((text) => /from (\d\d:\d\d to \d\d:\d\d)/.exec(text)?.[1]);
    expect(new Set(spans).size, spans.join()).toBe(1);
    await goTo(page, '/dashboard/alarms?q=Storm');
    await row.getByText('1 of 5 met').waitFor();
    await app.leave(page);
  });

  test('says that a site is not accessible or the address is invalid', async () => {
    const hidden = await report(app, quay, 'Not for operators');
    const page = await app.visit(`/dashboard/alarms/${hidden}`, { as: app.people.operator, time: app.clock.now() });
    await page.getByText('Alarm not found').waitFor();
    await goTo(page, '/dashboard/alarms/nonsense');
    await page.getByText('Alarm not found').waitFor();
    await page.getByRole('link', { name: 'Go to alarms' }).click();
    await page.waitForURL('**/dashboard/alarms');
    await app.leave(page);
  });
});

test('returns to the alarm after sign-in', async () => {
  const alarm = await report(app, quay, 'Pump noisy');
  const page = await app.open(`/dashboard/alarms/${alarm}`);
  await page.waitForURL(
    (url) => url.pathname === '/auth/login' && url.searchParams.get('return')?.endsWith(alarm) === true,
  );
  await app.leave(page);
});

test('My work lists the user’s messages and methods on a phone, and says when no alarm needs attention', async () => {
  const { owner } = app.people;
  const well = await createWell(app, 'Low weir', { ruleName: 'Low weir level', told: [owner] });
  const alarm = await flood(app, well);
  await acknowledgeAs(app, owner, alarm, 'I am here');
  await resolveAs(app, owner, alarm);
  const page = await app.visit('/dashboard', { as: owner, phone: true });
  await page.getByRole('button', { name: 'More' }).tap();
  await page.getByRole('link', { name: 'My work' }).tap();
  await page.getByText('You’re all caught up').waitFor();
  await page.getByRole('region', { name: 'My messages' }).getByText('E-mail').first().waitFor();
  await expectAccessible(page);

  const told = page.getByRole('region', { name: 'Notification methods' });
  await told.getByRole('button', { name: 'Change' }).tap();
  const form = page.getByRole('dialog', { name: 'Your profile' });
  await form.getByLabel('SMS').tap();
  await form.getByLabel('Phone number').fill('020 7946 0555');
  await form.getByRole('button', { name: 'Save' }).tap();
  await form.getByText('Enter the number with its country code').waitFor();
  await expectAccessible(page, '[role=dialog]');
  await form.getByLabel('Phone number').fill('+44 20 7946 0555');
  await form.getByRole('button', { name: 'Save' }).tap();
  await told.getByText('SMS on').waitFor();
  const [row] = await serviceQuery(app.db, 'select * from tocsin.user where uuid = $1', [owner.uuid]);
  expect(row).toMatchObject({ sms_notification: true, phone_number: '+44 20 7946 0555' });
  await app.leave(page);
});
