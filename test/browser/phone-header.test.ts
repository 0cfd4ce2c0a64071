import { expect, test } from 'vitest';
import { acknowledgeAs, report } from './alarm-plant.ts';
import { managedPlant } from './rule-plant.ts';

const { manager } = managedPlant('/reports');

test('the header of a site says on a phone how many alarms are not acknowledged, and nothing of it is cut', async () => {
  const { app, plant } = manager;
  const first = await report(app, plant.site, 'Gate open');
  await report(app, plant.site, 'Door open');
  await acknowledgeAs(app, app.people.owner, first, 'Seen');
  const page = await app.open(`/dashboard/site/${plant.site.uuid}`, { as: app.people.manager, phone: true });
  const note = page.getByRole('banner').getByText(/^2 open alarms/);
  await note.waitFor();
  expect(await note.textContent()).toBe('2 open alarms, 1 not acknowledged');
  expect(await note.evaluate((element: any) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await app.leave(page);
});
