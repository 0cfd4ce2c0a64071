import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { expectGoodLooks } from '../support/accessible.ts';
import { createWell, dialogOf, flood, gone, rowOf, stored } from '../support/alarm-plant.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

async function alarmOf(site: string): Promise<string> {
  const people = { ruleName: `${site} high`, reasons: ['Sensor fault'], escalate: [app.people.manager] };
  return flood(app, await createWell(app, site, people));
}

test('the confirmation of an acknowledgement offers Undo, and the timeline shows both acts', async () => {
  const alarm = await alarmOf('Weir');
  const page = await app.visit(`/dashboard/alarms/${alarm}`, { as: app.people.operator });
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await dialogOf(page).getByRole('button', { name: 'Sensor fault' }).click();
  await gone(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Acknowledgement undone').first().waitFor();
  await page.getByRole('button', { name: 'Acknowledge' }).waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline
    .getByText(`${app.people.operator.display_name} undid the acknowledgement. Escalation resumes.`)
    .waitFor();
  await timeline.getByText(/^Acknowledged/).waitFor();
  expect((await stored(app, alarm)).acknowledge_json).toBeNull();
  await app.leave(page);
});

test('a note can be added to an alarm later; the headings of its page are in order', async () => {
  const alarm = await alarmOf('Sluice');
  const page = await app.visit(`/dashboard/alarms/${alarm}`, { as: app.people.operator });
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByRole('button', { name: 'Add note' }).click();
  await timeline.getByText('Enter a note.').waitFor();
  await timeline.getByLabel('Note').fill('Cleared the screen <b>by hand</b>');
  await timeline.getByRole('button', { name: 'Add note' }).click();
  await timeline.getByText(`Note by ${app.people.operator.display_name}`).waitFor();
  await timeline.getByText('Cleared the screen <b>by hand</b>').waitFor();
  expect(await timeline.getByLabel('Note').inputValue()).toBe('');
  const levels = await page
    .locator('h1, h2, h3, h4')
    .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
  expect(levels[0]).toBe(1);
  for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
  await expectGoodLooks(page);
  await app.leave(page);
});

test('a note typed beside the list of alarms keeps every letter and starts no other action', async () => {
  await alarmOf('Culvert');
  const page = await app.visit('/dashboard/alarms?q=Culvert', { as: app.people.operator });
  await rowOf(page, 'Culvert high').click();
  const note = page.getByRole('region', { name: 'Timeline' }).getByLabel('Note');
  await note.click();
  await page.keyboard.type('Door seal repaired, fan on');
  expect(await note.inputValue()).toBe('Door seal repaired, fan on');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await app.leave(page);
});
