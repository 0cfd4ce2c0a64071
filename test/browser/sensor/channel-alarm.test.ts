import { expect, test } from 'vitest';
import { insertRow, serviceQuery } from '../../harness/database/factories.ts';
import { long } from '../../harness/long.ts';
import { managedPlant } from '../support/rule-plant.ts';

const { manager, panel } = managedPlant('/admin/sensors');

test('a digital alarm says that an analog data point raises none', async () => {
  const { page, plant } = manager;
  await page.goto(`/admin/sensors?record=${plant.sensor.uuid}&tab=channels&channel=${plant.sensor.channels[1]?.uuid}`);
  const choice = panel(`${plant.sensor.uid}: Flow`).getByLabel('Digital alarm');
  await expect.poll(() => choice.getAttribute('aria-describedby')).not.toBeNull();
  const described = `#${await choice.getAttribute('aria-describedby')}`;
  await expect
    .poll(() => page.locator(described).textContent())
    .toMatch(/^No effect: the channel’s data point is Analog/);
});

long('a channel with a digital alarm says which rule alerts follow a new name', async () => {
  const { app, page, plant } = manager;
  const [channel] = plant.sensor.channels;
  await serviceQuery(
    app.db,
    `with own as (update tocsin.sensor_channel set channel_alarm_condition = 1 where uuid = $1)
     update tocsin.asset_datapoint set sensor_type = 1 where uuid = $2`,
    [channel?.uuid, channel?.datapointUuid],
  );
  await insertRow(app.db, 'tocsin.rule_alert', {
    tocsin_customer_uuid: app.people.customer.uuid,
    tocsin_site_uuid: plant.site.uuid,
    tocsin_rule_name: 'Level',
  });
  await page.goto(`/admin/sensors?record=${plant.sensor.uuid}&tab=channels&channel=${channel?.uuid}`);
  const form = panel(`${plant.sensor.uid}: Level`);
  const along = form.getByText('The rule alert “Level” is renamed with the rule, so the same people are notified.');
  await form.getByLabel('Name', { exact: true }).fill('Depth');
  await along.waitFor();
  await form.getByLabel('Title on the tile').fill('Level');
  await along.waitFor({ state: 'detached' });
  expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Depth');
  await form.getByLabel('Title on the tile').fill('Depth of water');
  await along.waitFor();
  await form.getByLabel('Digital alarm').selectOption('None');
  await along.waitFor({ state: 'detached' });
});
