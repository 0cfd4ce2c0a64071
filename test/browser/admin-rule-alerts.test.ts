import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { inWindow, stored } from './admin.ts';
import { createRulePlant, type RulePlant } from './rule-plant.ts';

let app: ConsoleApp;
let page: Page;
let plant: RulePlant;
beforeAll(async () => {
  app = await startConsole();
  plant = await createRulePlant(app);
  page = await app.open('/admin/rules?tab=alerts', { as: app.people.manager });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, dialog, toast, row, save, abandon, pick } = inWindow(() => page);

describe('a rule alert', () => {
  test('joins people and reasons to a rule, and a second one for the same rule is refused at its field', async () => {
    await page.goto('/admin/rules?tab=alerts');
    for (const again of [false, true]) {
      await page.getByRole('button', { name: 'New rule alert' }).first().click();
      const form = panel('New rule alert');
      await pick(form, 'Site', 'Kelder', /Kelder Road/);
      await form.getByRole('combobox', { name: 'Rule', exact: true }).fill('First of many');
      await page.keyboard.press('Tab');
      if (!again) {
        await pick(form, 'Add a person to tell', 'Ruth', /Ruth Adeyemi/);
        await form.getByRole('checkbox', { name: 'Ruth Adeyemi: silent' }).check();
        await pick(form, 'Add a person to escalate to', 'Ruth', /Ruth Adeyemi/);
        await form.getByLabel('New reason').fill('Crew on the way');
        await page.keyboard.press('Enter');
        await form.getByLabel('New reason').fill('crew on the way');
        await page.keyboard.press('Enter');
        await form.getByText('The rule already has this reason.').waitFor();
        await form.getByLabel('Escalate after').fill('5');
      }
      await save(form);
      if (again) {
        await form.getByText('The site already has a rule alert for this rule name.').waitFor();
        await abandon(form);
      }
      await form.waitFor({ state: 'detached' });
    }
    const [alert] = await stored(app, 'rule_alert', { tocsin_site_uuid: plant.site.uuid });
    expect(alert).toMatchObject({ tocsin_rule_name: 'First of many', ind_ack: true, escalate_minutes: 5 });
    expect(await stored(app, 'rule_alert_user', { tocsin_rule_alert_uuid: alert.uuid })).toMatchObject([
      { is_alert: true, is_resolve: true, is_health: true },
    ]);
    expect(await stored(app, 'rule_escalate_user', { tocsin_rule_alert_uuid: alert.uuid })).toHaveLength(1);
    expect(await stored(app, 'reason', { rule_uuid: alert.uuid })).toMatchObject([{ reason: 'Crew on the way' }]);
  });

  test('is changed', async () => {
    await row('First of many').click();
    const form = panel('First of many');
    await form.getByRole('checkbox', { name: 'Ruth Adeyemi: resolves' }).uncheck();
    await form.getByRole('switch', { name: 'Must be acknowledged' }).click();
    await save(form);
    await form.waitFor({ state: 'detached' });
    const [alert] = await stored(app, 'rule_alert', { tocsin_site_uuid: plant.site.uuid });
    expect(alert.ind_ack).toBe(false);
    expect(await stored(app, 'rule_alert_user', { tocsin_rule_alert_uuid: alert.uuid })).toMatchObject([
      { is_alert: true, is_resolve: false, is_health: true },
    ]);
  });
});

describe('a reason', () => {
  test('is made, refused when its rule has it, changed and deleted', async () => {
    await page.goto('/admin/rules?tab=reasons');
    await page.getByRole('button', { name: 'New reason' }).first().click();
    const form = panel('New reason');
    await pick(form, 'Rule alert', 'First', /First of many/);
    await form.getByRole('textbox', { name: 'Reason' }).fill('Crew on the way');
    await save(form);
    await form.getByText('The rule already has this reason.').waitFor();
    await form.getByRole('textbox', { name: 'Reason' }).fill('Sensor fault');
    await save(form);
    await form.waitFor({ state: 'detached' });

    await row('Sensor fault').click();
    const edit = panel('Sensor fault');
    await edit.getByRole('textbox', { name: 'Reason' }).fill('Sensor broken');
    await save(edit);
    await edit.waitFor({ state: 'detached' });
    await row('Sensor broken').click();
    await panel('Sensor broken').getByRole('button', { name: 'Delete' }).click();
    await dialog(/Delete/)
      .getByRole('button', { name: 'Delete' })
      .click();
    await row('Sensor broken').waitFor({ state: 'detached' });
    expect(await stored(app, 'reason', { reason: 'Sensor broken' })).toEqual([]);
  });

  test('goes with its rule alert, which the deletion says', async () => {
    await page.goto('/admin/rules?tab=alerts');
    await row('First of many').click();
    await panel('First of many').getByRole('button', { name: 'Delete' }).click();
    const question = dialog('Delete Rule alert First of many?');
    await question.getByText('1 reason', { exact: true }).waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await toast('Rule alert First of many was deleted.').waitFor();
    expect(await stored(app, 'rule_alert', { tocsin_site_uuid: plant.site.uuid })).toEqual([]);
  });
});
