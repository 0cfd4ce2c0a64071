import { expect, test } from 'vitest';
import { acknowledgeAs, report } from '../support/alarm-plant.ts';
import { managedPlant } from '../support/rule-plant.ts';

const { manager } = managedPlant('/reports');

test('a site on a phone shows its number of unacknowledged alarms, and nothing is cut off', async () => {
  const { app, plant } = manager;
  const first = await report(app, plant.site, 'Gate open');
  for (const message of ['Door', 'Hatch', 'Lid', 'Vent', 'Fence']) await report(app, plant.site, `${message} open`);
  await acknowledgeAs(app, app.people.owner, first, 'Seen');
  const page = await app.open(`/dashboard/site/${plant.site.uuid}`, { as: app.people.manager, phone: true });
  const note = page.getByRole('banner').getByText(/^6 open alarms/);
  await note.waitFor();
  expect(await note.textContent()).toBe('6 open alarms, 5 not acknowledged');
  expect(await note.evaluate((element: any) => element.scrollWidth <= element.clientWidth)).toBe(true);
  const list = page.getByRole('region', { name: 'Open alarms' }).getByRole('list');
  expect(await list.evaluate((element: any) => element.scrollHeight <= element.clientHeight)).toBe(true);
  await app.leave(page);
});
