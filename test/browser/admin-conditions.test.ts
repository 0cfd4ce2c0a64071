import { describe, expect, test } from 'vitest';
import { insertRow, serviceQuery } from '../harness/factories.ts';
import { stored } from './admin.ts';
import { managedPlant } from './rule-plant.ts';

const { manager, panel, dialog, toast, row, save, abandon, pick } = managedPlant('/admin/rules?tab=conditions');

describe('a multi-condition rule', () => {
  test('is built from conditions, shown as JSON and in words, and refused under a taken name', async () => {
    const [channel] = manager.plant.sensor.channels;
    await serviceQuery(
      manager.app.db,
      `with named as (update tocsin.sensor_channel set channel_low_text = 'Empty', channel_high_text = 'Full' where uuid = $1)
       update tocsin.asset_datapoint set sensor_type = 1, uom = 'm' where uuid = $2`,
      [channel?.uuid, channel?.datapointUuid],
    );
    await manager.page.goto('/admin/rules?tab=conditions');
    for (const again of [false, true]) {
      await manager.page.getByRole('button', { name: 'New multi-condition rule' }).first().click();
      const form = panel('New multi-condition rule');
      await form.getByLabel('Name', { exact: true }).fill('Full and flowing');
      await pick(form, 'Site', 'Kelder', /Kelder Road/);
      await save(form);
      const missing = form.getByText('Choose the data point of each condition.');
      await form.getByRole('alert').and(missing).waitFor();
      expect(await missing.count()).toBe(1);
      await form.getByRole('combobox', { name: 'Data point' }).click();
      await manager.page.getByRole('option', { name: /Level/ }).click();
      await form.getByLabel('Operator').selectOption('equal');
      await form.getByLabel('Value').selectOption('Full');
      await form.getByText(/^Opens when Asset \d+, Level is Full\.$/).waitFor();
      await form.getByLabel('Operator').selectOption('notIn');
      await form.getByRole('checkbox', { name: 'Empty' }).check();
      await form.getByText(/^Opens when Asset \d+, Level is none of Empty, Full\.$/).waitFor();
      await form.getByLabel('Message').fill('{site}: {value} too high, {who}');
      await form
        .getByText(/^{value} is left out, because these conditions have no single value.+{who} is no placeholder/)
        .waitFor();
      await form.getByLabel('Message').fill('');
      await form.getByLabel('Operator').selectOption('greaterThan');
      await form.getByLabel('Value').fill('4');
      await form.getByText(/^Opens when Asset \d+, Level is above 4 m\.$/).waitFor();
      await form.getByText('JSON', { exact: true }).click();
      expect(await form.getByLabel('Rule as JSON').inputValue()).toContain('"operator": "greaterThan"');
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

  test('is changed and deleted', async () => {
    await row('Full and flowing').click();
    const form = panel('Full and flowing');
    await insertRow(manager.app.db, 'tocsin.rule_alert', {
      tocsin_customer_uuid: manager.app.people.customer.uuid,
      tocsin_site_uuid: manager.plant.site.uuid,
      tocsin_rule_name: 'Full and flowing',
    });
    await manager.page.reload();
    const name = form.getByLabel('Name', { exact: true });
    const leaves = form.getByText('People are joined to “Full and flowing”.');
    await name.fill('Full');
    await leaves.waitFor();
    await name.fill('Full and flowing');
    await leaves.waitFor({ state: 'detached' });
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
    // The key answers the question, and leaves the form as it is.
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

test('an action is made and changed, and says what is missing', async () => {
  await manager.page.goto('/admin/rules?tab=actions');
  await manager.page.getByRole('button', { name: 'New action' }).first().click();
  const form = panel('New action');
  await save(form);
  await form.getByText('Choose the asset whose alarms it follows.').waitFor();
  await form.getByText('Choose whom to notify.').waitFor();
  await pick(form, 'Asset', 'Kelder', /Asset/);
  await form.getByLabel('What it does').selectOption('3');
  await form.getByLabel('Command').fill('PUMP STOP');
  await save(form);
  await form.waitFor({ state: 'detached' });
  await row('Queue “PUMP STOP”').click();
  const edit = panel('Queue a sensor command');
  await edit.getByLabel('What it does').selectOption('1');
  await pick(edit, 'Person', 'Ruth', /Ruth Adeyemi/);
  await save(edit);
  await edit.waitFor({ state: 'detached' });
  await row('Notify Ruth Adeyemi').waitFor();
  expect(await stored(manager.app, 'action', { tocsin_site_uuid: manager.plant.site.uuid })).toMatchObject([
    { action: 1, reply_command: '' },
  ]);
});
