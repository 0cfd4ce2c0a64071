import { describe, expect, test } from 'vitest';
import { serviceQuery } from '../harness/factories.ts';
import { stored } from './admin.ts';
import { addRule, managedPlant } from './rule-plant.ts';

const { manager, panel, dialog, toast, row, save, abandon, pick } = managedPlant('/admin/rules?tab=alerts');

describe('a rule alert', () => {
  let ruleUuid: string;
  test('joins people and reasons to a rule, and a second one for the same rule is refused at its field', async () => {
    ruleUuid = (await addRule(manager.app, manager.plant, 'First of many')).uuid;
    await manager.page.goto('/admin/rules?tab=alerts');
    for (const again of [false, true]) {
      await manager.page.getByRole('button', { name: 'New rule alert' }).first().click();
      const form = panel('New rule alert');
      await pick(form, 'Site', 'Kelder', /Kelder Road/);
      const rule = form.getByRole('combobox', { name: 'Rule', exact: true });
      if (again) await rule.fill('First of many');
      else {
        // A name that no rule has would tell nobody; Enter takes what was found and saves nothing.
        await rule.fill('Firstly');
        await save(form);
        await form.getByText('No rule of the site has this name. Choose one of the list.').waitFor();
        await rule.fill('first');
        await rule.press('Enter');
        await expect.poll(() => rule.inputValue()).toBe('First of many');
      }
      await manager.page.keyboard.press('Tab');
      if (!again) {
        await pick(form, 'Add a person to tell', 'Ruth', /Ruth Adeyemi/);
        await form
          .getByRole('combobox', { name: 'Add a person to tell' })
          .and(manager.page.locator(':focus'))
          .waitFor();
        await form.getByRole('checkbox', { name: 'Ruth Adeyemi: silent' }).check();
        await pick(form, 'Add a person to escalate to', 'Ruth', /Ruth Adeyemi/);
        await form.getByText('Once it was escalated to them, they are also told when it resolves.').waitFor();
        // Ruth is an operator who is linked to no site, which is said at both of her lines and mended from one.
        const warnings = form.getByText('Ruth Adeyemi could not open these alarms. Link them to the site');
        await expect.poll(() => warnings.count()).toBe(2);
        await form.getByRole('button', { name: 'Link Ruth Adeyemi to the site' }).first().click();
        await expect.poll(() => warnings.count()).toBe(0);
        expect(await stored(manager.app, 'site_user', { tocsin_site_uuid: manager.plant.site.uuid })).toHaveLength(1);
        await form.getByLabel('New reason').fill('Crew on the way');
        await manager.page.keyboard.press('Enter');
        await form.getByLabel('New reason').fill('crew on the way');
        await manager.page.keyboard.press('Enter');
        await form.getByText('The rule already has this reason.').waitFor();
        await form.getByLabel('Escalate after').pressSequentially('.5');
        await save(form);
        await form.getByText('Give whole minutes, from 1 to a week.').waitFor();
        await form.getByLabel('Escalate after').fill('5');
        await form.getByLabel('Times in all').fill('0');
        await save(form);
        await form.getByText('Give at least 1. To not escalate, name nobody below.').waitFor();
        await form.getByLabel('Times in all').fill('2');
      }
      await save(form);
      if (again) {
        await form.getByText('The site already has a rule alert for this rule name.').waitFor();
        await abandon(form);
      }
      await form.waitFor({ state: 'detached' });
    }
    const [alert] = await stored(manager.app, 'rule_alert', { tocsin_site_uuid: manager.plant.site.uuid });
    expect(alert).toMatchObject({
      tocsin_rule_name: 'First of many',
      ind_ack: true,
      escalate_minutes: 5,
      escalate_count: 2,
    });
    expect(await stored(manager.app, 'rule_alert_user', { tocsin_rule_alert_uuid: alert.uuid })).toMatchObject([
      { is_alert: true, is_resolve: true, is_health: true },
    ]);
    expect(await stored(manager.app, 'rule_escalate_user', { tocsin_rule_alert_uuid: alert.uuid })).toHaveLength(1);
    expect(await stored(manager.app, 'reason', { rule_uuid: alert.uuid })).toMatchObject([
      { reason: 'Crew on the way' },
    ]);
  });

  test('of a silent site is offered at every site, and what was typed earlier comes back with its names', async () => {
    const { page } = manager;
    await page.getByRole('button', { name: 'New rule alert' }).first().click();
    const form = panel('New rule alert');
    await pick(form, 'Site', 'Kelder', /Kelder Road/);
    await page.reload();
    await page.getByText('What you had typed earlier is here again').waitFor();
    await expect
      .poll(() => form.getByRole('combobox', { name: 'Site', exact: true }).inputValue())
      .toBe(manager.plant.site.name);
    await pick(form, 'Rule', 'silent', 'Site silent');
    await save(form);
    await toast('Site silent was saved.').waitFor();
    await serviceQuery(manager.app.db, "delete from tocsin.rule_alert where tocsin_rule_name = 'Site silent'");
    await page.goto('/admin/rules?tab=alerts');
  });

  test('is left behind by a rule with a new name, which is said below the name before it is saved', async () => {
    const { page } = manager;
    await page.goto(`/admin/rules?record=${ruleUuid}`);
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    const warning = page.getByText('People are joined to “First of many”.');
    await name.fill('Second of many');
    await warning.waitFor();
    const [field, words] = await Promise.all([name.boundingBox(), warning.boundingBox()]);
    expect((words?.y ?? 0) - ((field?.y ?? 0) + (field?.height ?? 0))).toBeLessThan(20);
    await name.fill('First of many');
    await warning.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.goto('/admin/rules?tab=alerts');
  });

  test('is changed', async () => {
    await row('First of many').click();
    const form = panel('First of many');
    await form.getByRole('checkbox', { name: 'Ruth Adeyemi: resolves' }).uncheck();
    const unescalated = /^Not escalated: it need not be acknowledged/;
    expect(await form.getByText(unescalated).count()).toBe(0);
    await form.getByRole('switch', { name: 'Must be acknowledged' }).click();
    await form.getByText(unescalated).waitFor();
    await save(form);
    await form.waitFor({ state: 'detached' });
    await row('First of many').getByText('Not escalated', { exact: true }).waitFor();
    const [alert] = await stored(manager.app, 'rule_alert', { tocsin_site_uuid: manager.plant.site.uuid });
    expect(alert.ind_ack).toBe(false);
    expect(await stored(manager.app, 'rule_alert_user', { tocsin_rule_alert_uuid: alert.uuid })).toMatchObject([
      { is_alert: true, is_resolve: false, is_health: true },
    ]);
    await manager.page.goto(`/admin/rules?record=${ruleUuid}`);
    const people = manager.page.getByRole('region', { name: 'People and escalation' });
    await people.getByText(unescalated).waitFor();
    expect(await people.getByText(/without acknowledgement|Then again/).count()).toBe(0);
    await serviceQuery(manager.app.db, 'delete from tocsin.site_user where tocsin_site_uuid = $1', [
      manager.plant.site.uuid,
    ]);
    await manager.page.reload();
    await people.getByText('Ruth Adeyemi could not open these alarms.').waitFor();
    await people.getByRole('button', { name: 'Link Ruth Adeyemi to the site' }).click();
    await people.getByText('Ruth Adeyemi could not open these alarms.').waitFor({ state: 'detached' });
  });
});

describe('a reason', () => {
  test('is made, refused when its rule has it, changed and deleted', async () => {
    await manager.page.goto('/admin/rules?tab=reasons');
    await manager.page.getByRole('button', { name: 'New reason' }).first().click();
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
    expect(await stored(manager.app, 'reason', { reason: 'Sensor broken' })).toEqual([]);
  });

  test('goes with its rule alert, which the deletion says', async () => {
    await manager.page.goto('/admin/rules?tab=alerts');
    await row('First of many').click();
    await panel('First of many').getByRole('button', { name: 'Delete' }).click();
    const question = dialog('Delete Rule alert First of many?');
    await question.getByText('1 reason', { exact: true }).waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await toast('Rule alert First of many was deleted.').waitFor();
    expect(await stored(manager.app, 'rule_alert', { tocsin_site_uuid: manager.plant.site.uuid })).toEqual([]);
  });
});

test('a rule alert that tells more people than one answer holds keeps all of them when it is saved', async () => {
  const { app, page, plant } = manager;
  const MANY = 230;
  const own = [app.people.customer.uuid];
  const [alert] = await serviceQuery<{ uuid: string }>(
    app.db,
    `with people as (
       insert into tocsin.user (tocsin_customer_uuid, username, display_name, email, level)
       select $1, 'crowd-' || number, 'Crowd ' || lpad(number::text, 3, '0'), 'crowd-' || number || '@plant.example', 20
       from generate_series(1, ${MANY}) number returning uuid),
     alert as (
       insert into tocsin.rule_alert (tocsin_customer_uuid, tocsin_site_uuid, tocsin_rule_name)
       values ($1, $2, 'Told to many') returning uuid),
     told as (
       insert into tocsin.rule_alert_user (tocsin_customer_uuid, tocsin_rule_alert_uuid, tocsin_user_uuid)
       select $1, alert.uuid, people.uuid from alert, people),
     escalated as (
       insert into tocsin.rule_escalate_user (tocsin_customer_uuid, tocsin_rule_alert_uuid, tocsin_user_uuid)
       select $1, alert.uuid, people.uuid from alert, people)
     select uuid from alert`,
    [...own, plant.site.uuid],
  );
  const ofAlert = { tocsin_rule_alert_uuid: alert?.uuid };
  await page.goto('/admin/rules?tab=alerts');
  await row('Told to many').click();
  const form = panel('Told to many');
  await form.getByRole('checkbox', { name: /^Crowd 042: silent/ }).check();
  await form.getByRole('button', { name: 'Remove Crowd 230' }).first().click();
  await save(form);
  await form.waitFor({ state: 'detached' });
  expect(await stored(app, 'rule_alert_user', ofAlert)).toHaveLength(MANY - 1);
  expect(await stored(app, 'rule_escalate_user', ofAlert)).toHaveLength(MANY);
  expect(await stored(app, 'rule_alert_user', { ...ofAlert, is_health: true })).toHaveLength(1);
});
