import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { createSensor, type TestSensor } from '../harness/devices.ts';
import { createSite, createUser, insertRow, type SiteRow, serviceQuery } from '../harness/factories.ts';
import { expectAccessible } from './accessible.ts';

let app: ConsoleApp;
let page: Page;
let site: SiteRow;
let sensor: TestSensor;
const NOW = new Date('2026-03-02T08:00:00Z');
const HOUR = 3_600_000;

/** The browser lives at the time of the server, so that what it calls the last 14 days has readings. */
const open = (path: string, options: Parameters<ConsoleApp['open']>[1] = {}) =>
  app.open(path, {
    ...options,
    time: NOW,
  });

beforeAll(async () => {
  app = await startConsole();
  const { customer } = app.people;
  site = await createSite(app.db, { customer, name: 'Kelder Road', siteId: 'PS-0900' });
  sensor = await createSensor(app.db, { customer, site, channels: [{ name: 'Level' }, { name: 'Flow' }] });
  await createUser(app.db, { customer, level: 20, displayName: 'Ruth Adeyemi' });
  await fillHistory();
  page = await open('/admin/rules', { as: app.people.manager });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** A level of 2 m each hour for ten days, with three hours of 5 m on two of them. */
async function fillHistory(): Promise<void> {
  const pipeline = app.gateway?.pipeline;
  const device = await pipeline?.identify(sensor.uid, sensor.token);
  if (!pipeline || !device?.ok) throw new Error('The device is not known.');
  for (let hour = 240; hour > 0; hour -= 1) {
    const high = (hour >= 100 && hour < 103) || (hour >= 50 && hour < 53);
    const body = Buffer.from(JSON.stringify({ time: NOW.getTime() - hour * HOUR, 1: high ? 5 : 2, 2: 7 }));
    await pipeline.receive(device, { door: 'http', body });
  }
  await pipeline.behind.flush();
}

const panel = (name: string) => page.getByRole('complementary', { name });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const toast = (words: string | RegExp) => page.getByRole('status').filter({ hasText: words });
const row = (name: string) => page.locator('tr[data-row]').filter({ hasText: name });
const stored = (table: string, where: string, values: unknown[]) =>
  serviceQuery<any>(app.db, `select * from tocsin.${table} where ${where}`, values);
const rulesNamed = (name: string) => stored('rule', 'name = $1 and tocsin_site_uuid = $2', [name, site.uuid]);

async function pick(label: string, text: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('combobox', { name: label }).fill(text);
  await page.getByRole('option', { name: option }).click();
}

describe('a rule', () => {
  test('is made over the real history of its data point, and wrong limits are said at their field', async () => {
    await page.getByRole('button', { name: 'New rule' }).first().click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Give the rule a name.').waitFor();
    await page.getByText('Choose the data point it watches.').waitFor();
    await page.getByText('Give a lower limit, an upper limit or both.').waitFor();

    await page.getByLabel('Name', { exact: true }).fill('Well level');
    await pick('Data point', 'Level Kelder', /Level/);
    await page.getByLabel('Lower limit').first().fill('9');
    await page.getByLabel('Upper limit').first().fill('4.2');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The lower limit must be below the upper limit.').waitFor();
    await page.getByLabel('Lower limit').first().fill('0.5');
    await page.getByLabel('Debounce').fill('3600');
    await page.getByText('below 0.5 or above 4.2 for 1 hour').waitFor();
    await page.getByRole('img', { name: /History in/ }).waitFor();
    const figures = page.getByRole('region', { name: 'Try it on history' });
    await figures.getByText('Alarms it would have raised').locator('..').getByText('2', { exact: true }).waitFor();

    await page.getByRole('textbox', { name: 'Message' }).fill('{site}: {datapoint} is {value}, tell {who}');
    await page.getByText('{who} is no placeholder').waitFor();
    await page.getByText(/SMS: “Kelder Road: Level is/).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast('Well level was saved.').waitFor();
    await page.getByText('Version 1 is live').waitFor();
    expect(await rulesNamed('Well level')).toMatchObject([
      { value_lower: 0.5, value_upper: 4.2, debounce: 3600, enabled: true, tocsin_asset_uuid: sensor.assetUuid },
    ]);
  });

  test('is changed by dragging its limit with keys, and becomes a new version', async () => {
    await page.getByRole('slider', { name: 'Upper limit' }).focus();
    await page.keyboard.press('ArrowUp');
    await page.getByText('changes not saved').first().waitFor();
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await page.getByText('Version 2 is live').waitFor();
    const [rule] = await rulesNamed('Well level');
    expect(rule.version).toBe(2);
    expect(rule.value_upper).toBeGreaterThan(4.2);
  });

  test('that somebody changed meanwhile is not overwritten unseen', async () => {
    const [rule] = await rulesNamed('Well level');
    await page.getByLabel('Debounce').fill('1800');
    app.clock.advance(1000);
    const owner = await app.browser(app.people.owner);
    await owner.data(
      'mutation ($u: UUID!) { updateRule(input: {uuid: $u, patch: {priority: "high"}}) { rule { uuid } } }',
      {
        u: rule.uuid,
      },
    );
    await page.getByRole('button', { name: 'Save as version 3' }).click();
    const conflict = dialog('Somebody changed it meanwhile');
    await conflict.getByRole('row', { name: /Priority high medium/ }).waitFor();
    await conflict.getByRole('button', { name: 'Take theirs' }).click();
    await page.getByRole('button', { name: 'Save as version 3' }).click();
    await toast('Well level was saved.').first().waitFor();
    await page.getByText('Version 4 is live').waitFor();
    expect(await rulesNamed('Well level')).toMatchObject([{ debounce: 1800, priority: 'high' }]);
  });

  test('leaving with something typed is asked about, and a deletion says what stays', async () => {
    await page.getByLabel('Debounce').fill('1801');
    await page.getByRole('link', { name: 'Rules & Alerts' }).last().click();
    await dialog('Leave without saving?').getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    expect(await page.getByLabel('Debounce').inputValue()).toBe('1800');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog('Delete Well level?').getByText('Nothing else goes with it.').waitFor();
    await dialog('Delete Well level?').getByRole('button', { name: 'Delete' }).click();
    await toast('Well level was deleted.').waitFor();
    expect(await rulesNamed('Well level')).toEqual([]);
  });

  test('many are disabled and enabled at once', async () => {
    for (const name of ['First of many', 'Second of many']) {
      await insertRow(app.db, 'tocsin.rule', {
        tocsin_customer_uuid: app.people.customer.uuid,
        tocsin_site_uuid: site.uuid,
        tocsin_asset_uuid: sensor.assetUuid,
        tocsin_datapoint_uuid: sensor.channels[0]?.datapointUuid,
        name,
        value_upper: 9,
      });
    }
    await page.goto('/admin/rules?q=many');
    await row('First of many').getByRole('checkbox').check();
    await row('Second of many').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Disable' }).click();
    await toast('2 rules were disabled.').waitFor();
    await row('First of many').getByText('Disabled').waitFor();
    const switched = await stored('rule', 'name like $1 and tocsin_site_uuid = $2', ['% of many', site.uuid]);
    expect(switched.map(({ enabled }) => enabled)).toEqual([false, false]);
  });
});

describe('a rule alert', () => {
  test('joins people and reasons to a rule, and a second one for the same rule is refused at its field', async () => {
    await page.goto('/admin/rules?tab=alerts');
    for (const again of [false, true]) {
      await page.getByRole('button', { name: 'New rule alert' }).first().click();
      const form = panel('New rule alert');
      await pick('Site', 'Kelder', /Kelder Road/);
      await form.getByRole('combobox', { name: 'Rule', exact: true }).fill('First of many');
      await page.keyboard.press('Tab');
      if (!again) {
        await pick('Add a person to tell', 'Ruth', /Ruth Adeyemi/);
        await form.getByRole('checkbox', { name: 'Ruth Adeyemi: silent' }).check();
        await pick('Add a person to escalate to', 'Ruth', /Ruth Adeyemi/);
        await form.getByLabel('New reason').fill('Crew on the way');
        await page.keyboard.press('Enter');
        await form.getByLabel('New reason').fill('crew on the way');
        await page.keyboard.press('Enter');
        await form.getByText('The rule already has this reason.').waitFor();
        await form.getByLabel('Escalate after').fill('5');
      }
      await form.getByRole('button', { name: 'Save', exact: true }).click();
      if (again) {
        await form.getByText('The site already has a rule alert for this rule name.').waitFor();
        await form.getByRole('button', { name: 'Cancel' }).click();
        await dialog('Leave without saving?').getByRole('button', { name: 'Leave without saving' }).click();
      }
      await form.waitFor({ state: 'detached' });
    }
    const [alert] = await stored('rule_alert', 'tocsin_site_uuid = $1', [site.uuid]);
    expect(alert).toMatchObject({ tocsin_rule_name: 'First of many', ind_ack: true, escalate_minutes: 5 });
    expect(await stored('rule_alert_user', 'tocsin_rule_alert_uuid = $1', [alert.uuid])).toMatchObject([
      { is_alert: true, is_resolve: true, is_health: true },
    ]);
    expect(await stored('rule_escalate_user', 'tocsin_rule_alert_uuid = $1', [alert.uuid])).toHaveLength(1);
    expect(await stored('reason', 'rule_uuid = $1', [alert.uuid])).toMatchObject([{ reason: 'Crew on the way' }]);
  });

  test('is changed', async () => {
    await row('First of many').click();
    const form = panel('First of many');
    await form.getByRole('checkbox', { name: 'Ruth Adeyemi: resolves' }).uncheck();
    await form.getByRole('switch', { name: 'Must be acknowledged' }).click();
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    const [alert] = await stored('rule_alert', 'tocsin_site_uuid = $1', [site.uuid]);
    expect(alert.ind_ack).toBe(false);
    expect(await stored('rule_alert_user', 'tocsin_rule_alert_uuid = $1', [alert.uuid])).toMatchObject([
      { is_alert: true, is_resolve: false, is_health: true },
    ]);
  });
});

describe('a reason', () => {
  test('is made, refused when its rule has it, changed and deleted', async () => {
    await page.goto('/admin/rules?tab=reasons');
    await page.getByRole('button', { name: 'New reason' }).first().click();
    const form = panel('New reason');
    await pick('Rule alert', 'First', /First of many/);
    await form.getByRole('textbox', { name: 'Reason' }).fill('Crew on the way');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('The rule already has this reason.').waitFor();
    await form.getByRole('textbox', { name: 'Reason' }).fill('Sensor fault');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.waitFor({ state: 'detached' });

    await row('Sensor fault').click();
    const edit = panel('Sensor fault');
    await edit.getByRole('textbox', { name: 'Reason' }).fill('Sensor broken');
    await edit.getByRole('button', { name: 'Save', exact: true }).click();
    await edit.waitFor({ state: 'detached' });
    await row('Sensor broken').click();
    await panel('Sensor broken').getByRole('button', { name: 'Delete' }).click();
    await dialog(/Delete/)
      .getByRole('button', { name: 'Delete' })
      .click();
    await row('Sensor broken').waitFor({ state: 'detached' });
    expect(await stored('reason', 'reason = $1', ['Sensor broken'])).toEqual([]);
  });

  test('goes with its rule alert, which the deletion says', async () => {
    await page.goto('/admin/rules?tab=alerts');
    await row('First of many').click();
    await panel('First of many').getByRole('button', { name: 'Delete' }).click();
    const question = dialog('Delete Rule alert First of many?');
    await question.getByText('1 reason', { exact: true }).waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await toast('Rule alert First of many was deleted.').waitFor();
    expect(await stored('rule_alert', 'tocsin_site_uuid = $1', [site.uuid])).toEqual([]);
  });
});

describe('a multi-condition rule', () => {
  test('is built from conditions, shown as JSON and in words, and refused under a taken name', async () => {
    await page.goto('/admin/rules?tab=conditions');
    for (const again of [false, true]) {
      await page.getByRole('button', { name: 'New multi-condition rule' }).first().click();
      const form = panel('New multi-condition rule');
      await form.getByLabel('Name', { exact: true }).fill('Full and flowing');
      await pick('Site', 'Kelder', /Kelder Road/);
      await form.getByRole('button', { name: 'Save', exact: true }).click();
      await form.getByText('Choose the data point of each condition.').first().waitFor();
      await form.getByRole('combobox', { name: 'Data point' }).click();
      await page.getByRole('option', { name: /Level/ }).click();
      await form.getByLabel('Value').fill('4');
      await form.getByText(/^Opens when Asset \d+, Level is above 4\.$/).waitFor();
      await form.getByText('JSON', { exact: true }).click();
      expect(await form.getByLabel('Rule as JSON').inputValue()).toContain('"operator": "greaterThan"');
      await form.getByRole('button', { name: 'Save', exact: true }).click();
      if (!again) await form.waitFor({ state: 'detached' });
      else await form.getByText('The site already has a multi-condition rule with this name.').waitFor();
    }
    await panel('New multi-condition rule').getByRole('button', { name: 'Cancel' }).click();
    await dialog('Leave without saving?').getByRole('button', { name: 'Leave without saving' }).click();
    const [rule] = await stored('rules_json', 'site_id = $1', [site.site_id]);
    expect(JSON.parse(rule.rule_json).conditions).toEqual({
      all: [{ fact: sensor.channels[0]?.datapointUuid, operator: 'greaterThan', value: 4 }],
    });
  });

  test('is changed and deleted', async () => {
    await row('Full and flowing').click();
    const form = panel('Full and flowing');
    await form.getByLabel('Debounce').fill('60');
    await form.getByText(/is above 4 for 1 minute/).waitFor();
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    await row('Full and flowing').getByText('For 1 min').waitFor();
    await row('Full and flowing').click();
    await form.getByRole('button', { name: 'Delete' }).click();
    await dialog('Delete Full and flowing?').getByRole('button', { name: 'Delete' }).click();
    await toast('Full and flowing was deleted.').waitFor();
    expect(await stored('rules_json', 'site_id = $1', [site.site_id])).toEqual([]);
  });
});

test('an action is made and changed, and says what is missing', async () => {
  await page.goto('/admin/rules?tab=actions');
  await page.getByRole('button', { name: 'New action' }).first().click();
  const form = panel('New action');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await form.getByText('Choose the asset whose alarms it follows.').waitFor();
  await form.getByText('Choose whom to notify.').waitFor();
  await pick('Asset', 'Kelder', /Asset/);
  await form.getByLabel('What it does').selectOption('3');
  await form.getByLabel('Command').fill('PUMP STOP');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await row('Queue “PUMP STOP”').click();
  const edit = panel('Queue a sensor command');
  await edit.getByLabel('What it does').selectOption('1');
  await pick('Person', 'Ruth', /Ruth Adeyemi/);
  await edit.getByRole('button', { name: 'Save', exact: true }).click();
  await edit.waitFor({ state: 'detached' });
  await row('Notify Ruth Adeyemi').waitFor();
  expect(await stored('action', 'tocsin_site_uuid = $1', [site.uuid])).toMatchObject([
    { action: 1, reply_command: '' },
  ]);
});

test('a default message is made, previewed, refused when it is there already, and changed', async () => {
  await page.goto('/admin/alarm-default-message');
  for (const again of [false, true]) {
    await page.getByRole('button', { name: 'New message' }).first().click();
    const form = panel('New default message');
    await form.getByRole('textbox', { name: 'Message' }).fill('{site} needs you:');
    await form.getByRole('button', { name: /^Add value/ }).click();
    await form
      .getByText(/^Kelder Road PS needs you: 4\.62/)
      .first()
      .waitFor();
    await form.getByText(/characters, 1 part\./).waitFor();
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    if (!again) await form.waitFor({ state: 'detached' });
    else
      await form
        .getByRole('alert')
        .or(form.getByText(/already/))
        .first()
        .waitFor();
  }
  await panel('New default message').getByRole('button', { name: 'Cancel' }).click();
  await dialog('Leave without saving?').getByRole('button', { name: 'Leave without saving' }).click();
  await page.getByText('needs you').click();
  const form = panel('Alarm default message');
  await form.getByRole('textbox', { name: 'Message' }).fill('{site} {value}');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  expect(await stored('alarm_default_message', 'tocsin_customer_uuid = $1', [app.people.customer.uuid])).toMatchObject([
    { message: '{site} {value}' },
  ]);
});

test('a test message goes to oneself, and what became of it is said', async () => {
  await page.goto('/admin/channels');
  const card = page.getByRole('region', { name: /mail/i });
  await card.getByText('Built-in outbox').waitFor();
  await card.getByRole('button', { name: 'Send a test' }).click();
  await card.getByText(`On its way to ${app.people.manager.email}.`).waitFor();
  await app.engine?.tick();
  await card.getByText(/Kept in the built-in outbox/).waitFor();
});

test('the audit trail is narrowed by person, noun and day, in either order, with before and after', async () => {
  const trail = await open('/admin/audits', { as: app.people.owner });
  await trail.locator('tr[data-row]').first().waitFor();
  await trail.getByRole('combobox', { name: 'Who' }).selectOption({ label: app.people.manager.display_name });
  await trail.getByRole('combobox', { name: 'What' }).selectOption({ label: 'Rule' });
  await trail.getByText('Newest first').click();
  await trail.locator('tr[data-row]').first().getByText('Rule changed').waitFor();
  await trail.locator('tr[data-row]').first().click();
  const changes = trail.getByRole('table', { name: 'Changed fields' });
  await changes.getByRole('row', { name: 'Enabled Yes No' }).waitFor();
  await trail.getByLabel('To', { exact: true }).fill('2026-03-01');
  await trail
    .getByText(/No .* match|Nothing/i)
    .first()
    .waitFor();
  await app.leave(trail);
});

test('the palette finds a rule, a data point and a person', async () => {
  await page.goto('/admin/rules');
  await row('Second of many').waitFor();
  for (const [text, note] of [
    ['Second of many', 'Rule, Kelder Road'],
    ['Flow', /Data point, .*Kelder Road/],
    ['Ruth', /^User, /],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /Go to/ }).fill(text);
    await page.getByRole('option').getByText(note).first().waitFor();
    await page.keyboard.press('Escape');
  }
});

describe.each([
  { phone: false, dark: false },
  { phone: true, dark: true },
])('to everybody (%o)', (variant) => {
  test.each([
    '/admin/rules',
    '/admin/rules?record=new',
    '/admin/rules?tab=alerts&record=new',
    '/admin/rules?tab=conditions&record=new',
    '/admin/rules?tab=reasons&record=new',
    '/admin/rules?tab=actions&record=new',
    '/admin/alarm-default-message?record=new',
    '/admin/channels',
    '/admin/audits',
  ])('%s', async (path) => {
    const tab = await open(path, { as: app.people.owner, ...variant });
    await tab.getByRole('main').waitFor();
    await expectAccessible(tab);
    await app.leave(tab);
  });
  test('a rule with its history', async () => {
    const [rule] = await rulesNamed('First of many');
    const tab = await open(`/admin/rules?record=${rule.uuid}`, { as: app.people.owner, ...variant });
    await tab.getByRole('img', { name: /History in/ }).waitFor();
    await tab.getByText('Alarms each day').waitFor();
    await expectAccessible(tab);
    await app.leave(tab);
  });
});
