/** The tabs of the Rules page: rule alerts, reasons, multi-condition rules and actions. */

import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { goTo } from '../../harness/browser/settled.ts';
import { createSite, createUser, insertRow, serviceQuery } from '../../harness/database/factories.ts';
import { long } from '../../harness/long.ts';
import { stored } from '../support/admin.ts';
import { addRule, managedPlant } from '../support/rule-plant.ts';

const { manager, panel, dialog, toast, row, save, abandon, pick } = managedPlant('/admin/rules?tab=alerts');

describe('a rule alert', () => {
  let ruleUuid: string;
  test('joins people and reasons to a rule, and a second one for the same rule is refused at its field', async () => {
    const { page, plant } = manager;
    ruleUuid = (await addRule(manager.app, plant, 'First of many')).uuid;
    await page.getByRole('button', { name: 'New rule alert' }).first().click();
    const form = panel('New rule alert');
    await pick(form, 'Site', 'Kelder', /Kelder Road/);
    const rule = form.getByRole('combobox', { name: 'Rule', exact: true });
    // The form refuses an unknown rule name. Pressing Enter chooses the suggested rule and does not save the form.
    await rule.fill('Firstly');
    await save(form);
    await form.getByText('No rule of the site has this name. Choose one from the list.').waitFor();
    await rule.fill('first');
    await rule.press('Enter');
    await expect.poll(() => rule.inputValue()).toBe('First of many');
    await page.keyboard.press('Tab');
    await pick(form, 'Add a person to notify', 'Ruth', /Ruth Adeyemi/);
    await form.getByRole('combobox', { name: 'Add a person to notify' }).and(page.locator(':focus')).waitFor();
    await form.getByText('Notified when an alarm opens and when it resolves.').waitFor();
    await form.getByRole('checkbox', { name: 'Ruth Adeyemi: silent' }).check();
    await form.getByText('Notified when an alarm opens, when it resolves and when the site is silent.').waitFor();
    await pick(form, 'Add a person to escalate to', 'Ruth', /Ruth Adeyemi/);
    await form.getByText('After an escalation, these people are also notified when the alarm resolves.').waitFor();
    // Ruth is an operator without a link to the site. Both of her rows show a warning with a button that links her.
    const warnings = form.getByText('Ruth Adeyemi has no access to this site’s alarms. Link them to the site');
    await expect.poll(() => warnings.count()).toBe(2);
    await form.getByRole('button', { name: 'Link Ruth Adeyemi to the site' }).first().click();
    await expect.poll(() => warnings.count()).toBe(0);
    expect(await stored(manager.app, 'site_user', { tocsin_site_uuid: plant.site.uuid })).toHaveLength(1);
    const reason = form.getByLabel('New reason');
    await reason.fill('Crew on the way');
    await reason.press('Enter');
    await reason.fill('crew on the way');
    await reason.press('Enter');
    await form.getByText('The rule already has this reason.').waitFor();
    await form.getByLabel('Escalate after').pressSequentially('.5');
    await save(form);
    await form.getByText('Enter a whole number of minutes from 1 to 10,080 (one week).').waitFor();
    await form.getByLabel('Escalate after').fill('5');
    await form.getByLabel('Max. escalations').fill('0');
    await save(form);
    await form.getByText('Enter at least 1. To turn escalation off, leave the list below empty.').waitFor();
    await form.getByLabel('Max. escalations').fill('2');
    await save(form);
    await form.waitFor({ state: 'detached' });

    // If the address contains a site and a rule, the form opens with both fields filled in.
    await goTo(page, `/admin/rules?tab=alerts&record=new&site=${plant.site.uuid}&rule=First of many`);
    await reason.fill('Storm');
    await reason.press('Enter');
    await save(form);
    await form.getByText('The site already has a rule alert for this rule name.').waitFor();
    await abandon(form);
    // Closing the form removes the initial values from the address.
    expect(new URL(page.url()).search).toBe('?tab=alerts');
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
    // The search finds rule alerts by recipient, and reasons by text.
    for (const [address, found] of [
      ['alerts&q=adeyemi', 'First of many'],
      ['reasons&q=crew way', 'Crew on the way'],
    ]) {
      await goTo(page, `/admin/rules?tab=${address}`);
      await page.getByRole('row', { name: found }).waitFor();
    }
    await goTo(page, '/admin/rules?tab=alerts');
  });

  long('of a silent site is offered at every site, restores unsaved names, and marks a deleted recipient', async () => {
    const { app, page, plant } = manager;
    const leaver = await createUser(app.db, { customer: app.people.customer, level: 20, displayName: 'Tom Leaver' });
    await page.getByRole('button', { name: 'New rule alert' }).first().click();
    const form = panel('New rule alert');
    await pick(form, 'Site', 'Kelder', /Kelder Road/);
    await page.reload();
    await page.getByText('Your unsaved input was restored').waitFor();
    await expect
      .poll(() => form.getByRole('combobox', { name: 'Site', exact: true }).inputValue())
      .toBe(plant.site.name);
    await pick(form, 'Rule', 'silent', 'Site silent');
    await pick(form, 'Add a person to notify', 'Tom', /Tom Leaver/);
    expect(await form.getByLabel('Tom Leaver: silent').isChecked()).toBe(true);
    await form.getByLabel('Tom Leaver: silent').uncheck();
    await form.getByText('Nobody is notified when the site is silent').waitFor();
    await form.getByLabel('New reason').fill('Storm');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await serviceQuery(app.db, 'delete from tocsin.user where uuid = $1', [leaver.uuid]);
    await save(form);
    await form.getByText('A recipient no longer exists. Remove that recipient.').waitFor();
    // The refused form was not saved.
    const silent = () => stored(app, 'rule_alert', { tocsin_rule_name: 'Site silent' });
    expect(await silent()).toEqual([]);
    await form.getByRole('button', { name: 'Remove Tom Leaver' }).click();
    await save(form);
    await toast('Site silent was added.').waitFor();
    await form.waitFor({ state: 'detached' });
    const [alert] = await silent();
    expect(await stored(app, 'reason', { rule_uuid: alert.uuid })).toMatchObject([{ reason: 'Storm' }]);
    await serviceQuery(app.db, 'delete from tocsin.rule_alert where uuid = $1', [alert.uuid]);
  });

  test('is not offered if every rule of the site has one, and the form says so', async () => {
    const { app, page } = manager;
    const { customer } = app.people;
    const site = await createSite(app.db, { customer, name: 'All joined', siteId: 'PS-JOINED' });
    // This site has no data points, so `Site silent` is its only rule.
    const own = { tocsin_customer_uuid: customer.uuid, tocsin_site_uuid: site.uuid };
    await insertRow(app.db, 'tocsin.rule_alert', { ...own, tocsin_rule_name: 'Site silent' });
    await goTo(page, `/admin/rules?tab=alerts&record=new&site=${site.uuid}`);
    const said = 'Every rule of this site already has a rule alert. To change a rule alert, open it in the list.';
    await panel('New rule alert').getByText(said).waitFor();
    await goTo(page, '/admin/rules?tab=alerts');
    await serviceQuery(app.db, 'delete from tocsin.site where uuid = $1', [site.uuid]);
  });

  test('can be changed', async () => {
    const { app, page, plant } = manager;
    await row('First of many').click();
    const form = panel('First of many');
    await form.getByRole('checkbox', { name: 'Ruth Adeyemi: resolves' }).uncheck();
    const unescalated = /^Not escalated, because this rule does not require acknowledgement/;
    expect(await form.getByText(unescalated).count()).toBe(0);
    await form.getByRole('switch', { name: 'Must be acknowledged' }).click();
    await form.getByText(unescalated).waitFor();
    await save(form);
    await form.waitFor({ state: 'detached' });
    await row('First of many').getByText('Not escalated', { exact: true }).waitFor();
    const [alert] = await stored(app, 'rule_alert', { tocsin_site_uuid: plant.site.uuid });
    expect(alert.ind_ack).toBe(false);
    const ofAlert = { tocsin_rule_alert_uuid: alert.uuid };
    expect(await stored(app, 'rule_alert_user', ofAlert)).toMatchObject([
      { is_alert: true, is_resolve: false, is_health: true },
    ]);
    expect(await stored(app, 'rule_escalate_user', ofAlert)).toHaveLength(1);

    // The rule's page shows the rule alert as text and marks unreachable recipients.
    await serviceQuery(app.db, 'delete from tocsin.site_user where tocsin_site_uuid = $1', [plant.site.uuid]);
    await goTo(page, `/admin/rules?record=${ruleUuid}`);
    const people = page.getByRole('region', { name: 'People and escalation' });
    await people.getByText(unescalated).waitFor();
    expect(await people.getByText(/without acknowledgement|Repeats/).count()).toBe(0);
    await people.getByText('Ruth Adeyemi has no access to this site’s alarms.').waitFor();
    await people.getByRole('button', { name: 'Link Ruth Adeyemi to the site' }).click();
    await people.getByText('Ruth Adeyemi has no access to this site’s alarms.').waitFor({ state: 'detached' });
  });

  long('is renamed with its rule; if it cannot be, the form says so below the name', async () => {
    const { app, page, plant } = manager;
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    const along = page.getByText(
      'The rule alert “First of many” is renamed with the rule, so the same people are notified.',
    );
    await name.fill('Second of many');
    await along.waitFor();
    const [field, words] = await Promise.all([name.boundingBox(), along.boundingBox()]);
    expect((words?.y ?? 0) - ((field?.y ?? 0) + (field?.height ?? 0))).toBeLessThan(20);
    await insertRow(app.db, 'tocsin.rule_alert', {
      tocsin_customer_uuid: app.people.customer.uuid,
      tocsin_site_uuid: plant.site.uuid,
      tocsin_rule_name: 'Taken',
    });
    await name.fill('Taken');
    await page.getByText('A rule alert for “Taken” already exists.').waitFor();
    await name.fill('Brimful');
    await along.waitFor();
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await toast('Brimful was saved.').waitFor();
    await expect.poll(() => stored(app, 'rule_alert', { tocsin_rule_name: 'Brimful' })).toHaveLength(1);
    await page.getByRole('region', { name: 'People and escalation' }).getByText('Ruth Adeyemi').first().waitFor();

    const { uuid } = await addRule(app, plant, 'Brimful');
    await page.reload();
    await name.fill('First of many');
    await page.getByText('Another rule of the site is also called “Brimful”').waitFor();
    await name.fill('Brimful');
    await serviceQuery(
      app.db,
      `with gone as (delete from tocsin.rule where uuid = $1), other as (delete from tocsin.rule_alert where tocsin_rule_name = 'Taken')
       update tocsin.rule set name = 'First of many' where uuid = $2`,
      [uuid, ruleUuid],
    );
  });
});

describe('a reason', () => {
  test('is created, refused if the rule has it, changed and deleted', async () => {
    await goTo(manager.page, '/admin/rules?tab=reasons');
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
    await edit.getByRole('checkbox', { name: 'Nuisance' }).check();
    await save(edit);
    await edit.waitFor({ state: 'detached' });
    await row('Sensor broken').getByRole('cell', { name: 'Nuisance', exact: true }).waitFor();
    expect(await stored(manager.app, 'reason', { reason: 'Sensor broken' })).toMatchObject([{ is_nuisance: true }]);
    await row('Sensor broken').click();
    await panel('Sensor broken').getByRole('button', { name: 'Delete' }).click();
    await dialog(/Delete/)
      .getByRole('button', { name: 'Delete' })
      .click();
    await row('Sensor broken').waitFor({ state: 'detached' });
    expect(await stored(manager.app, 'reason', { reason: 'Sensor broken' })).toEqual([]);
  });

  test('is deleted with its rule alert, and the dialog says so', async () => {
    await goTo(manager.page, '/admin/rules?tab=alerts');
    await row('First of many').click();
    await panel('First of many').getByRole('button', { name: 'Delete' }).click();
    const question = dialog('Delete Rule alert First of many?');
    await question.getByText('1 reason', { exact: true }).waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await toast('Rule alert First of many was deleted.').waitFor();
    expect(await stored(manager.app, 'rule_alert', { tocsin_site_uuid: manager.plant.site.uuid })).toEqual([]);
  });
});

/** Returns the error message of a field. */
const said = (field: Locator): Promise<string> =>
  field.evaluate((element: any) =>
    element
      .getAttribute('aria-describedby')
      .split(' ')
      .map((id: string) => element.ownerDocument.getElementById(id)?.textContent ?? '')
      .join(''),
  );

describe('a multi-condition rule', () => {
  test('is built from conditions, shown as JSON and as text, and refused under a taken name', async () => {
    const [channel] = manager.plant.sensor.channels;
    await serviceQuery(
      manager.app.db,
      `with named as (update tocsin.sensor_channel set channel_low_text = 'Empty', channel_high_text = 'Full' where uuid = $1)
       update tocsin.asset_datapoint set sensor_type = 1, uom = 'm' where uuid = $2`,
      [channel?.uuid, channel?.datapointUuid],
    );
    await goTo(manager.page, '/admin/rules?tab=conditions');
    for (const again of [false, true]) {
      await manager.page.getByRole('button', { name: 'New multi-condition rule' }).first().click();
      const form = panel('New multi-condition rule');
      await form.getByLabel('Name', { exact: true }).fill('Full and flowing');
      await pick(form, 'Site', 'Kelder', /Kelder Road/);
      if (!again) {
        await save(form);
        const point = form.getByRole('combobox', { name: 'Data point' });
        await point.and(manager.page.locator(':focus[aria-invalid=true]')).waitFor();
        expect(await said(point)).toBe('Choose the data point.');
        const value = form.getByLabel('Value');
        expect(await said(value)).toBe('Enter a value to compare with.');
        expect(await form.getByText('Choose the data point of each condition.').count()).toBe(0);
      }
      await form.getByRole('combobox', { name: 'Data point' }).click();
      await manager.page.getByRole('option', { name: /Level/ }).click();
      if (!again) {
        await form.getByLabel('Operator').selectOption('equal');
        await form.getByLabel('Value').selectOption('Full');
        await form.getByText(/^Opens when Asset \d+, Level is Full\.$/).waitFor();
        await form.getByLabel('Operator').selectOption('notIn');
        await form.getByRole('checkbox', { name: 'Empty' }).check();
        await form.getByText(/^Opens when Asset \d+, Level is none of Empty, Full\.$/).waitFor();
        await form.getByLabel('Message').fill('{site}: {value} too high, {who}');
        await form
          .getByText(
            /^{value} is removed from the message, because these conditions have no single value.+{who} is not a placeholder/,
          )
          .waitFor();
        await form.getByLabel('Message').fill('');
      }
      await form.getByLabel('Operator').selectOption('greaterThan');
      if (!again) {
        const value = form.getByLabel('Value');
        await value.fill('');
        await value.pressSequentially('4.5x');
        await save(form);
        await value.and(manager.page.locator(':focus[aria-invalid=true]')).waitFor();
        expect(await said(value)).toBe('Enter a number, such as 1250 or 4.2.');
        await value.press('Backspace');
        await form.getByText(/^Opens when Asset \d+, Level is above 4\.5 m\.$/).waitFor();
      }
      await form.getByLabel('Value').fill('4');
      if (!again) {
        await form.getByText(/^Opens when Asset \d+, Level is above 4 m\.$/).waitFor();
        await form.getByText('JSON', { exact: true }).click();
        const json = form.getByLabel('Rule as JSON');
        const whole = await json.inputValue();
        expect(whole).toContain('"operator": "greaterThan"');
        // Incomplete JSON is marked as invalid only after the user leaves the field.
        await json.fill(whole.slice(0, -1));
        await form.getByText(/^Opens when/).waitFor({ state: 'detached' });
        expect(await form.getByText(/not valid JSON|as JSON\./).count()).toBe(0);
        await json.blur();
        await form.getByText('The rule is not valid JSON.').waitFor();
        await json.fill(whole.replace('"priority"', '"message": "At {value}", "priority"'));
        await form.getByText('{value} is removed from the message, because').waitFor();
        await json.fill(whole);
      }
      await save(form);
      if (!again) await form.waitFor({ state: 'detached' });
      else await form.getByText('The site already has a multi-condition rule with this name.').waitFor();
    }
    await abandon(panel('New multi-condition rule'));
    const [rule] = await stored(manager.app, 'rules_json', { site_id: manager.plant.site.site_id });
    expect(JSON.parse(rule.rule_json).conditions).toEqual({
      all: [{ fact: manager.plant.sensor.channels[0]?.datapointUuid, operator: 'greaterThan', value: 4 }],
    });
  });

  test('can be changed and deleted', async () => {
    await insertRow(manager.app.db, 'tocsin.rule_alert', {
      tocsin_customer_uuid: manager.app.people.customer.uuid,
      tocsin_site_uuid: manager.plant.site.uuid,
      tocsin_rule_name: 'Full and flowing',
    });
    await row('Full and flowing').click();
    const form = panel('Full and flowing');
    const name = form.getByLabel('Name', { exact: true });
    const along = form.getByText(
      'The rule alert “Full and flowing” is renamed with the rule, so the same people are notified.',
    );
    await name.fill('Full');
    await along.waitFor();
    await name.fill('Full and flowing');
    await along.waitFor({ state: 'detached' });
    await form.getByLabel('Debounce').fill('60');
    await form.getByText(/is above 4 m for 1 minute/).waitFor();
    await save(form);
    await form.waitFor({ state: 'detached' });
    await row('Full and flowing').getByText('For 1 min').waitFor();

    const { app, plant } = manager;
    const [rule] = await stored(app, 'rules_json', { site_id: plant.site.site_id });
    await insertRow(app.db, 'tocsin.alarm', {
      tocsin_customer_uuid: app.people.customer.uuid,
      tocsin_site_uuid: plant.site.uuid,
      site_name: plant.site.name,
      source: 'conditions',
      rule_uuid: rule.uuid,
      severity: 'minor',
      message: 'Full and flowing',
      date_time: app.clock.now().toISOString(),
    });
    await row('Full and flowing').click();
    await form.getByRole('switch', { name: 'Enabled' }).click();
    await save(form);
    await dialog('Disable and resolve 1 open alarm?').waitFor();
    // Escape closes the confirmation dialog and keeps the form open.
    await manager.page.keyboard.press('Escape');
    await dialog('Disable and resolve 1 open alarm?').waitFor({ state: 'detached' });
    await form.getByText('1 change not saved').waitFor();
    expect(await stored(app, 'rules_json', { uuid: rule.uuid, enabled: true })).toHaveLength(1);
    await form.getByRole('button', { name: 'Delete' }).click();
    await dialog('Delete Full and flowing?').getByText('open alarm is resolved').waitFor();
    await dialog('Delete Full and flowing?').getByRole('button', { name: 'Delete' }).click();
    await toast('Full and flowing was deleted.').waitFor();
    expect(await stored(manager.app, 'rules_json', { site_id: manager.plant.site.site_id })).toEqual([]);
  });
});

test('an action is created and changed, and names missing fields', async () => {
  await goTo(manager.page, '/admin/rules?tab=actions');
  await manager.page.getByRole('button', { name: 'New action' }).first().click();
  const form = panel('New action');
  await save(form);
  await form.getByText('Choose the asset whose alarms trigger the action.').waitFor();
  await form.getByText('Choose whom to notify.').waitFor();
  await pick(form, 'Asset', 'Kelder', /Asset/);
  await form.getByLabel('Effect').selectOption('3');
  await form.getByLabel('Command').fill('PUMP STOP');
  await save(form);
  await form.waitFor({ state: 'detached' });
  await row('Queue “PUMP STOP”').click();
  const edit = panel('Queue a sensor command');
  await edit.getByLabel('Effect').selectOption('1');
  await pick(edit, 'Person', 'Ruth', /Ruth Adeyemi/);
  await save(edit);
  await edit.waitFor({ state: 'detached' });
  await row('Notify Ruth Adeyemi').waitFor();
  expect(await stored(manager.app, 'action', { tocsin_site_uuid: manager.plant.site.uuid })).toMatchObject([
    { action: 1, reply_command: '' },
  ]);
});
