import { expect, test } from 'vitest';
import { insertRow } from '../../harness/database/factories.ts';
import { managedPlant } from '../support/rule-plant.ts';

const { manager, panel } = managedPlant('/admin/rules?tab=conditions');

test('a multi-condition rule says that nobody is notified yet, and leads to its rule alert and back', async () => {
  const { app, page, plant } = manager;
  const fact = plant.sensor.channels[0]?.datapointUuid;
  const rule = await insertRow<{ uuid: string }>(app.db, 'tocsin.rules_json', {
    tocsin_customer_uuid: app.people.customer.uuid,
    rule_name: 'Full',
    site_id: plant.site.site_id,
    rule_json: JSON.stringify({
      conditions: { all: [{ fact, operator: 'greaterThan', value: 4 }] },
      event: { type: 'alarm' },
    }),
  });
  await page.goto(`/admin/rules?tab=conditions&record=${rule.uuid}`);
  const told = panel('Full').getByRole('status').filter({ hasText: 'Nobody is notified yet.' });
  await told.getByRole('link', { name: 'Add people' }).click();
  const form = panel('New rule alert');
  await form.waitFor();
  expect(await form.getByLabel('Rule', { exact: true }).inputValue()).toBe('Full');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('record'), 'back at the rule').toBe(rule.uuid);
  await panel('Full')
    .getByText(/^Opens when/)
    .waitFor();
  await told.waitFor({ state: 'detached' });
});
