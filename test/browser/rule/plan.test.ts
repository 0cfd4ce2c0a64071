/** The escalation plan of a rule alert: three steps with a rota, its rehearsal and refusals. */
import { beforeAll, describe, expect, test } from 'vitest';
import { goTo } from '../../harness/browser/settled.ts';
import { createUser, insertRow, serviceQuery } from '../../harness/database/factories.ts';
import { expectAccessible, expectGoodLooks } from '../support/accessible.ts';
import { addRule, managedPlant } from '../support/rule-plant.ts';

const { manager, toast, pick } = managedPlant('/admin/rules?tab=alerts');

let alert: { uuid: string };
beforeAll(async () => {
  const { app, plant } = manager;
  const { customer } = app.people;
  const own = { tocsin_customer_uuid: customer.uuid };
  const owen = await createUser(app.db, { customer, level: 20, displayName: 'Owen Hughes' });
  await createUser(app.db, { customer, level: 20, displayName: 'Maya Lindqvist' });
  const rota = await insertRow<{ uuid: string }>(app.db, 'tocsin.rota', { ...own, name: 'Pump stations' });
  const layer = await insertRow<{ uuid: string }>(app.db, 'tocsin.rota_layer', {
    ...{ ...own, tocsin_rota_uuid: rota.uuid, name: 'Primary', position: 1, turn_hours: 168, time_zone: 'UTC' },
    ...{ first_day: '2026-01-05', handover_time: '08:00' },
  });
  await insertRow(app.db, 'tocsin.rota_layer_person', {
    ...{ ...own, tocsin_rota_layer_uuid: layer.uuid, position: 1, person_uuid: owen.uuid, person_name: 'Owen Hughes' },
  });
  await addRule(app, plant, 'Wet well level');
  const ruth = await serviceQuery(
    app.db,
    `select uuid from tocsin.user where display_name = 'Ruth Adeyemi' and tocsin_customer_uuid = $1`,
    [customer.uuid],
  );
  const values = { tocsin_site_uuid: plant.site.uuid, tocsin_rule_name: 'Wet well level' };
  alert = await insertRow(app.db, 'tocsin.rule_alert', { ...own, ...values });
  await insertRow(app.db, 'tocsin.rule_alert_user', {
    ...{ ...own, tocsin_rule_alert_uuid: alert.uuid, tocsin_user_uuid: ruth[0]!.uuid, is_alert: true },
  });
});

const step = (number: number) => manager.page.getByRole('region', { name: `Step ${number}`, exact: true });
const rehearsal = () => manager.page.getByRole('region', { name: 'Rehearsal' });

describe('an escalation plan', () => {
  test('opens from the rule alert, and gets three steps with a rota', async () => {
    const { page, app } = manager;
    await goTo(page, `/admin/rules?tab=alerts&record=${alert.uuid}`);
    await page.getByRole('link', { name: 'Open escalation plan' }).click();
    await page.getByRole('heading', { name: 'Escalation plan' }).waitFor();
    await step(1).getByText('Ruth Adeyemi').waitFor();
    await pick(step(1), 'Add person or rota', 'Pump', /Pump stations, Primary/);
    await step(1).getByText('now Owen Hughes').waitFor();
    await page.getByRole('button', { name: 'Add step' }).click();
    await pick(step(2), 'Add person or rota', 'Owen', /^Owen Hughes/);
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByRole('button', { name: 'Save plan' }).click();
    await page.getByText('Correct step 3.').waitFor();
    await step(3).getByText('Add a person or a rota, or remove the step.').waitFor();
    await pick(step(3), 'Add person or rota', 'Maya', /Maya Lindqvist/);
    await step(3).getByLabel('Step 3: wait in minutes').fill('0');
    await step(3).getByLabel('Step 3: repeats').fill('100');
    await page.getByRole('button', { name: 'Save plan' }).click();
    await step(3).getByText('Enter a whole number from 1 to 10,080.').waitFor();
    await step(3).getByText('Enter a whole number from 0 to 99.').waitFor();
    await step(3).getByLabel('Step 3: wait in minutes').fill('30');
    await step(3).getByLabel('Step 3: repeats').fill('2');
    await page.getByRole('button', { name: 'Save plan' }).click();
    await toast('The escalation plan was saved.').waitFor();
    const stored = await serviceQuery(
      app.db,
      `select t.step, coalesce(u.display_name, 'rota') as name from tocsin.rule_step_recipient t
       left join tocsin.user u on u.uuid = t.tocsin_user_uuid where t.tocsin_rule_alert_uuid = $1 order by 1, 2`,
      [alert.uuid],
    );
    expect(stored).toEqual([
      { step: 1, name: 'rota' },
      { step: 3, name: 'Maya Lindqvist' },
    ]);
    await expectAccessible(page);
    await expectGoodLooks(page);
  });

  test('is rehearsed with one line for each person', async () => {
    const { page } = manager;
    await rehearsal().getByLabel('Date').fill('2026-11-21');
    await rehearsal().getByLabel('Time').fill('02:10');
    await rehearsal()
      .getByRole('heading', { name: /Who would be notified on .*21.* at 02:10/ })
      .waitFor();
    const line = (name: string) => rehearsal().getByRole('listitem').filter({ hasText: name });
    await line('Maya Lindqvist').getByText('Named in step 3').waitFor();
    await expect.poll(() => line('Maya Lindqvist').getByRole('img').count()).toBe(3);
    await rehearsal().getByText('On call for Pump stations, Primary').waitFor();
    await page.getByRole('button', { name: 'Remove step 3' }).click();
    await expect.poll(() => line('Maya Lindqvist').count()).toBe(0);
    await page.getByRole('button', { name: 'Discard' }).click();
    await step(3).waitFor();
    await rehearsal().getByRole('button', { name: 'Now' }).click();
  });
});
