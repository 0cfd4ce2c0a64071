import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { insertRow, serviceQuery } from '../../harness/database/factories.ts';
import { createSensor } from '../../harness/device/devices.ts';
import { long } from '../../harness/long.ts';
import { expectAccessible } from '../support/accessible.ts';
import { inWindow, stored } from '../support/admin.ts';
import { resolveAs, send, settle } from '../support/alarm-plant.ts';
import { addRule, createRulePlant, fillHistory, type RulePlant } from '../support/rule-plant.ts';

let app: ConsoleApp;
let page: Page;
let plant: RulePlant;
beforeAll(async () => {
  app = await startConsole();
  plant = await createRulePlant(app);
  // A reading every hour for ten days. The level is usually 2 m. On two of the days, it is 5 m for three hours.
  const levels = Array.from({ length: 240 }, (_, hour) =>
    [138, 188].some((from) => hour >= from && hour < from + 3) ? 5 : 2,
  );
  await fillHistory(app, plant.sensor, levels);
  page = await app.open('/admin/rules', { as: app.people.manager, time: app.clock.now() });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { dialog, toast, row, save, pick } = inWindow(() => page);
const rulesNamed = (name: string) => stored(app, 'rule', { name, tocsin_site_uuid: plant.site.uuid });

describe('a rule', () => {
  test('is created on the real history of its data point, and wrong limits are marked at their field', async () => {
    await page.getByRole('button', { name: 'New rule' }).first().click();
    await save(page);
    await page.getByText('Enter a name.').waitFor();
    await page.getByText('Choose the data point.').waitFor();
    await page.getByText('Enter a lower limit, an upper limit or both.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-required')).toBe('true');
    expect(await page.getByLabel('Upper limit').first().getAttribute('aria-required')).toBeNull();

    await page.getByLabel('Name', { exact: true }).fill('Well level');
    await pick(page, 'Data point', 'Level Kelder', /Level/);
    await page.getByLabel('Lower limit').first().fill('9');
    await page.getByLabel('Upper limit').first().fill('4.2');
    await page.getByLabel('Debounce').fill('-3');
    await save(page);
    await page.getByText('Enter a whole number of seconds from 0 to 604800 (one week).').waitFor();
    await page.getByText('The lower limit must be below the upper limit.', { exact: true }).waitFor();
    await page.getByText('Upper limit: The lower limit must be below the upper limit.').waitFor();
    // The form refuses text that is not a number. It neither converts nor ignores the text.
    await page.getByLabel('Lower limit').first().fill('');
    await page.getByLabel('Lower limit').first().pressSequentially('0x5');
    await page.getByText('Enter a number, such as 1250 or 4.2.', { exact: true }).waitFor();
    await page.getByLabel('Debounce').fill('');
    await save(page);
    await page.getByText('Enter the number of seconds, or 0 for no debounce.').waitFor();
    expect(await page.getByLabel('Lower limit').first().inputValue()).toBe('0x5');
    await page.getByLabel('Lower limit').first().fill('0.5');
    await page.getByLabel('Debounce').fill('3600');
    await page.getByText('below 0.5 or above 4.2 for 1 hour').waitFor();
    await page.getByRole('img', { name: /History in/ }).waitFor();
    const figures = page.getByRole('region', { name: 'Test on past data' });
    await figures.getByText('Simulated alarms').locator('..').getByText('2', { exact: true }).waitFor();

    await page.getByRole('textbox', { name: 'Message' }).fill('{site}: {datapoint} is {value}, tell {who}');
    await page.getByText('{who} is not a placeholder').waitFor();
    await page.getByText(/SMS: “MINOR: Kelder Road: Level is/).waitFor();
    await save(page);
    await expect.poll(() => page.getByText('{who} is not a placeholder').count()).toBe(2);
    await page.getByRole('textbox', { name: 'Message' }).fill('{site}: {datapoint} is {value}');
    await save(page);
    await toast('Well level was added.').waitFor();
    await page.getByText('Version 1 is live').waitFor();
    expect(await rulesNamed('Well level')).toMatchObject([
      { value_lower: 0.5, value_upper: 4.2, debounce: 3600, enabled: true, tocsin_asset_uuid: plant.sensor.assetUuid },
    ]);
  });

  test('is changed by moving its limit with keys, and becomes a new version', async () => {
    await page.getByText('12 weeks', { exact: true }).click();
    await page.getByRole('slider', { name: 'Upper limit' }).focus();
    await page.keyboard.press('ArrowUp');
    await page.getByText('changes not saved').first().waitFor();
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await page.getByText('Version 2 is live').waitFor();
    // Saving keeps the chosen history range.
    expect(await page.getByRole('radio', { name: '12 weeks' }).isChecked()).toBe(true);
    const [rule] = await rulesNamed('Well level');
    expect(rule.version).toBe(2);
    expect(rule.value_upper).toBeGreaterThan(4.2);
  });

  test('that somebody changed meanwhile is not overwritten', async () => {
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
    const conflict = dialog('This record was changed in the meantime');
    await conflict.getByRole('row', { name: /Severity Major not changed/ }).waitFor();
    await conflict.getByRole('button', { name: 'Use saved values' }).click();
    await page.getByRole('button', { name: 'Save as version 3' }).click();
    await toast('Well level was saved.').first().waitFor();
    await page.getByText('Version 4 is live').waitFor();
    expect(await rulesNamed('Well level')).toMatchObject([{ debounce: 1800, priority: 'high' }]);
  });

  test('asks before leaving unsaved changes, and a deletion says what stays', async () => {
    await page.getByLabel('Debounce').fill('1801');
    await page.getByRole('link', { name: 'Rules & Alerts' }).last().click();
    await dialog('Leave without saving?').getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    expect(await page.getByLabel('Debounce').inputValue()).toBe('1800');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog('Delete Well level?').getByText('Nothing else is deleted with it.').waitFor();
    await dialog('Delete Well level?').getByRole('button', { name: 'Delete' }).click();
    await toast('Well level was deleted.').waitFor();
    expect(await rulesNamed('Well level')).toEqual([]);
  });

  long(
    'draws a single reading as a dot, keeps its missed alarms while its name is edited, and accepts the minus sign of the console',
    async () => {
      const { customer } = app.people;
      const sensor = await createSensor(app.db, { customer, site: plant.site, channels: [{ name: 'Depth' }] });
      await fillHistory(app, sensor, [5]);
      const { uuid } = await addRule(app, { ...plant, sensor }, 'Depth high');
      const at = new Date(app.clock.now().getTime() - 7_200_000).toISOString();
      await insertRow(app.db, 'tocsin.alarm', {
        ...{ tocsin_customer_uuid: customer.uuid, tocsin_site_uuid: plant.site.uuid, site_name: plant.site.name },
        ...{ tocsin_datapoint_uuid: sensor.channels[0]?.datapointUuid, source: 'limits', severity: 'minor' },
        ...{ rule_uuid: uuid, rule_name: 'Depth high', message: 'Depth high', date_time: at, resolved_date: at },
        ...{ reason: 'Rain', acknowledge_json: JSON.stringify({ name: 'Ruth', at, reason: 'Rain', text: null }) },
      });
      await goTo(page, `/admin/rules?record=${uuid}`);
      const missed = page.getByText('Missed', { exact: true }).locator('..').locator('b');
      await expect.poll(() => missed.textContent()).toBe('1');
      await page.getByRole('img', { name: /History in/ }).waitFor();
      /** Returns the number of pixels in the chart that have the colour of the given CSS variable. */
      const shows = (colour: string) =>
        page.evaluate(`(() => {
        const canvas = document.querySelector('.uplot canvas');
        const paper = document.createElement('canvas').getContext('2d');
        paper.fillStyle = getComputedStyle(canvas).getPropertyValue('${colour}').trim();
        paper.fillRect(0, 0, 1, 1);
        const pixels = (context, width, height) => new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
        const [wanted] = pixels(paper, 1, 1);
        return pixels(canvas.getContext('2d'), canvas.width, canvas.height).filter((pixel) => pixel === wanted).length;
      })()`) as Promise<number>;
      await expect.poll(() => shows('--series-1')).toBeGreaterThan(0);
      expect(await shows('--limit-hit')).toBe(0);
      await page.getByLabel('Upper limit').first().fill('4');
      await expect.poll(() => shows('--limit-hit')).toBeGreaterThan(0);

      for (const name of ['Depth of today', '']) {
        await page.getByLabel('Name', { exact: true }).fill(name);
        await page.getByText(name ? `this site has no rule alert for "${name}"` : 'No rule name was entered').waitFor();
        expect(await missed.textContent()).toBe('1');
      }
      await page.getByRole('button', { name: 'Discard', exact: true }).click();

      // Records the labels that the chart draws, so that the test can check their minus signs.
      await page.evaluate(`{
      const { fillText } = CanvasRenderingContext2D.prototype;
      window.painted = [];
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        window.painted.push(text);
        return fillText.call(this, text, ...place);
      };
    }`);
      const lower = page.getByLabel('Lower limit').first();
      await lower.fill('');
      await lower.pressSequentially('−20.5');
      expect(await lower.inputValue()).toBe('-20.5');
      const painted = (sign: string) =>
        page.evaluate<boolean>(`window.painted.some((text) => /^${sign}\\d/.test(text))`);
      await expect.poll(() => painted('\u2212')).toBe(true);
      expect(await painted('-')).toBe(false);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const upper = page.getByLabel('Upper limit').first();
      for (const [pasted, read] of [
        ['–17,5', '-17.5'],
        ['−18.5', '-18.5'],
      ] as const) {
        await upper.selectText();
        await page.evaluate(`navigator.clipboard.writeText('${pasted}')`);
        await page.keyboard.press('Control+v');
        await expect.poll(() => upper.inputValue()).toBe(read);
      }
      await page.getByRole('button', { name: 'Save as version 2' }).click();
      await page.getByText('Version 2 is live').waitFor();
      expect(await rulesNamed('Depth high')).toMatchObject([{ value_lower: -20.5, value_upper: -18.5 }]);
    },
  );

  test('changes many rules at once, all or none, disables many, and is found by the palette', async () => {
    const names = ['Alpha of several', 'Beta of several'];
    for (const name of names) await addRule(app, plant, name);
    await goTo(page, '/admin/rules?q=several');
    for (const name of names) await row(name).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const form = dialog('Change 2 rules');
    const change = form.getByRole('button', { name: 'Change', exact: true });
    expect(await change.isDisabled()).toBe(true);
    await form.getByText('Current value (same for all): 9.').waitFor();
    await form.getByLabel('Debounce').fill('604801');
    await form.getByText('Enter a whole number of seconds from 0 to 604800 (one week).').waitFor();
    await form.getByLabel('Debounce').fill('300');
    await form.getByLabel('Severity').selectOption('Major');
    await form.getByLabel('Lower limit').fill('12');
    await change.click();
    await form
      .getByText(/Nothing was changed\. (Alpha|Beta) of several, Kelder Road: The lower limit must be below/)
      .waitFor();
    await expectAccessible(page, '[role=dialog]');
    // Another user changes one of the rules while the form still contains the old values.
    await serviceQuery(
      app.db,
      "update tocsin.rule set debounce = 7, updated_at = now() where name = 'Beta of several'",
    );
    await form.getByLabel('Lower limit').fill('2');
    await change.click();
    await form
      .getByText(/Nothing was changed\. Beta of several, Kelder Road: The record was changed in the meantime/)
      .waitFor();
    const now = async () => (await Promise.all(names.map(rulesNamed))).map(([rule]) => [rule.debounce, rule.priority]);
    expect(await now()).toEqual([
      [0, 'medium'],
      [7, 'medium'],
    ]);
    // After the refusal, the form reloads the rules. The next attempt uses their current values.
    await form.getByText('Current values: at once (1×), 7 s (1×).').waitFor();
    await change.click();
    await toast('2 rules changed.').waitFor();
    expect(await now()).toEqual(Array(2).fill([300, 'high']));
    await row('Beta of several').getByText('Below 2 or above 9').waitFor();
    expect(await row('Beta of several').getByRole('checkbox').isChecked()).toBe(false);

    // The form offers to remove a limit only if at least one of the rules has this limit.
    for (const name of names) await row(name).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    expect(await form.getByRole('checkbox').count()).toBe(2);
    await form.getByLabel('No upper limit').check();
    expect(await form.getByLabel('Upper limit', { exact: true }).isDisabled()).toBe(true);
    await change.click();
    await form.waitFor({ state: 'detached' });
    await row('Beta of several').getByText('Below 2', { exact: true }).waitFor();
    // Saving clears the selection.
    await expect.poll(() => row('Beta of several').getByRole('checkbox').isChecked()).toBe(false);

    for (const name of names) await row(name).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Disable' }).click();
    await toast('2 rules were disabled.').waitFor();
    await row('Alpha of several').getByText('Disabled').waitFor();
    expect((await Promise.all(names.map(rulesNamed))).map(([rule]) => rule.enabled)).toEqual([false, false]);

    for (const [text, note] of [
      ['Beta of several', 'Rule, Kelder Road'],
      ['Flow', /Data point, .*Kelder Road/],
      ['Ruth', /^User, /],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /Go to/ }).fill(text);
      await page.getByRole('option').getByText(note).first().waitFor();
      await page.keyboard.press('Escape');
    }
  });

  test('with an open alarm is disabled or deleted only after a confirmation', async () => {
    const rules = ['Overflow of one', 'Overflow of more'];
    const [one, other] = await Promise.all(rules.map((name) => addRule(app, plant, name)));
    for (const priority of ['low', 'high', 'low', 'high', 'low', 'high']) {
      await serviceQuery(app.db, 'update tocsin.rule set priority = $2 where uuid = $1', [other?.uuid, priority]);
    }
    await goTo(page, `/admin/rules?record=${other?.uuid}`);
    const use = page.getByRole('region', { name: 'Usage and versions' });
    await use.getByRole('button', { name: 'Show 2 earlier versions' }).click();
    await use.getByText('Version 1', { exact: true }).waitFor();
    await use.getByText('This rule has opened no alarms yet.').waitFor();
    app.clock.advance(1000);
    await send(app, { ...plant, ruleName: '' }, 12, 0);
    await settle(app);
    // The open page shows the new alarm without a reload.
    await use.getByText('This rule has opened 1 alarm. 1 is open.').waitFor();
    const states = async () =>
      Promise.all(
        rules.map(async (name) => {
          const [[rule], [alarm]] = [await rulesNamed(name), await stored(app, 'alarm', { rule_name: name })];
          return [rule.enabled, alarm.resolved_date === null];
        }),
      );
    const question = dialog('Disable and resolve 1 open alarm?');
    await goTo(page, `/admin/rules?record=${one?.uuid}`);
    await page.getByRole('switch', { name: 'Enabled' }).click();
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await question
      .getByText(
        /^Readings are no longer evaluated, so the open alarm is resolved .* and everybody to whom the alarm was escalated\.$/,
      )
      .waitFor();
    await expectAccessible(page, '[role=dialog]');
    await question.getByRole('button', { name: 'Keep enabled' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog('Delete Overflow of one?').getByText('open alarm is resolved').waitFor();
    await dialog('Delete Overflow of one?').getByRole('button', { name: 'Keep' }).click();
    expect(await states()).toEqual([
      [true, true],
      [true, true],
    ]);
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await question.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('Version 2 is disabled').waitFor();
    await settle(app);
    expect(await states()).toEqual([
      [false, false],
      [true, true],
    ]);

    await goTo(page, '/admin/rules?q=Overflow');
    for (const name of rules) await row(name).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Disable' }).click();
    await question.getByRole('button', { name: 'Keep enabled' }).click();
    await question.waitFor({ state: 'detached' });
    expect((await states())[1]).toEqual([true, true]);
    await page.getByRole('button', { name: 'Disable' }).click();
    await question.getByRole('button', { name: 'Disable', exact: true }).click();
    await expect.poll(async () => (await states())[1]?.[0]).toBe(false);
    await settle(app);
    expect((await states())[1]).toEqual([false, false]);
  });

  test('explains why it did not fire', async () => {
    const MINUTE = 60_000;
    const { customer } = app.people;
    const sensor = await createSensor(app.db, { customer, site: plant.site, channels: [{ name: 'Inflow' }] });
    const columns = { value_upper: 4, debounce: 600 };
    const { uuid } = await addRule(app, { ...plant, sensor }, 'Inflow high', columns);
    // Backdates the rule, so that it is older than its readings.
    const yesterday = new Date(app.clock.now().getTime() - 24 * 60 * MINUTE);
    await serviceQuery(app.db, 'update tocsin.rule_version set created_at = $2 where rule_uuid = $1', [
      uuid,
      yesterday,
    ]);
    // The value is outside the limits for five minutes, which is shorter than the debounce.
    for (const [minutes, level] of [
      [60, 2],
      [40, 5],
      [35, 2],
      [10, 2],
    ] as const)
      await send(app, { ...plant, sensor, ruleName: '' }, level, minutes * 60);
    await app.gateway?.pipeline.behind.flush();
    await goTo(page, `/admin/rules?record=${uuid}`);
    const why = page.getByRole('region', { name: 'Why did the rule not fire?' });
    await why.getByText(/5 min/).first().waitFor();
    const noticed = why.getByRole('list', { name: 'Events' });
    await noticed.getByText('Debounce running: the value rose above the upper limit').waitFor();
    await noticed.getByText('Normal: the value returned to normal before the debounce ended').waitFor();
    await expectAccessible(page, 'section[aria-label="Why did the rule not fire?"]');
    await why.getByText('Days', { exact: true }).click();
    await why.getByText('Choose the first and the last day').waitFor();
    await why.getByLabel('First day').fill('2026-02-01');
    await why.getByLabel('Last day').fill('2026-02-02');
    await why.getByText('No events in this period.').waitFor();
  });

  test('says that it fired while its alarm is open, even without transitions', async () => {
    const { customer } = app.people;
    const sensor = await createSensor(app.db, { customer, site: plant.site, channels: [{ name: 'Outflow' }] });
    const { uuid } = await addRule(app, { ...plant, sensor }, 'Outflow high', { value_upper: 4, debounce: 0 });
    await send(app, { ...plant, sensor, ruleName: '' }, 5, 60);
    await settle(app);
    await serviceQuery(app.db, 'delete from tocsin.rule_transition where watch_uuid = $1', [uuid]);
    await goTo(page, `/admin/rules?record=${uuid}`);
    const fired = page.getByRole('region', { name: 'The rule fired' });
    await fired.getByText('It opened an alarm. The alarm is still open.').waitFor();
    await fired.getByText('Events of this period are no longer stored.').waitFor();
    expect(await page.getByText(/were not evaluated|No events in this period/).count()).toBe(0);
    await expectAccessible(page, 'section[aria-label="The rule fired"]');
  });

  test('names who resolved its alarm, without the value at which the alarm opened', async () => {
    const { customer, manager } = app.people;
    const sensor = await createSensor(app.db, { customer, site: plant.site, channels: [{ name: 'Overflow' }] });
    const { uuid } = await addRule(app, { ...plant, sensor }, 'Overflow high', { value_upper: 4, debounce: 0 });
    await send(app, { ...plant, sensor, ruleName: '' }, 5, 60);
    await settle(app);
    const [alarm] = await stored(app, 'alarm', { rule_uuid: uuid });
    await resolveAs(app, manager, alarm.uuid);
    await settle(app);
    await goTo(page, `/admin/rules?record=${uuid}`);
    const events = page.getByRole('region', { name: 'The rule fired' }).getByRole('list', { name: 'Events' });
    const resolved = events.getByRole('listitem').filter({ hasText: 'resolved the alarm' });
    await resolved.getByText(`Normal: ${manager.display_name} resolved the alarm`).waitFor();
    expect(await resolved.textContent()).toMatch(/resolved the alarm$/);
  });
});
