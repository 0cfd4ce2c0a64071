import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { type SiteRow, serviceQuery } from '../../harness/database/factories.ts';
import { expectAccessible, expectGoodLooks } from '../support/accessible.ts';
import { createQuay, report, resolveAs, rowOf, setUser } from '../support/alarm-plant.ts';

let app: ConsoleApp;
let quay: SiteRow;
beforeAll(async () => {
  app = await startConsole();
  quay = await createQuay(app);
  await setUser(app, app.people.operator, { display_name: 'Omar Ohm' });
  await setUser(app, app.people.manager, { display_name: 'Maria Lind' });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const note = (page: Page) => page.getByRole('region', { name: 'Assignment' });
const groups = (page: Page) => page.locator('tbody th').allTextContents();

async function holder(uuid: string): Promise<string | null> {
  const [row] = await serviceQuery<{ assigned_name: string | null }>(
    app.db,
    'select assigned_name from tocsin.alarm where uuid = $1',
    [uuid],
  );
  return row?.assigned_name ?? null;
}

/** Assigns an alarm to the manager through the API, without the console. */
async function takeAsManager(uuid: string): Promise<void> {
  const manager = await app.browser(app.people.manager);
  await manager.data('mutation ($input: TakeAlarmInput!) { takeAlarm(input: $input) { clientMutationId } }', {
    input: { uuid },
  });
}

test('an alarm taken by key shows who has it in the list, under Mine and in My work', async () => {
  const uuid = await report(app, quay, 'Fence broken');
  const page = await app.visit('/dashboard/alarms', { as: app.people.operator });
  await rowOf(page, 'Fence broken').press('t');
  await page.getByText('Taking an alarm does not acknowledge it or stop its escalation.').waitFor();
  await rowOf(page, 'Fence broken').getByText('Assigned to you').waitFor({ state: 'attached' });
  expect(await holder(uuid)).toBe('Omar Ohm');
  await page.getByText('Mine', { exact: true }).click();
  await expect.poll(() => page.locator('tr[data-alarm]').count()).toBe(1);
  await rowOf(page, 'Fence broken').waitFor();
  await expectAccessible(page);
  await goTo(page, '/dashboard/my-work');
  await expect.poll(() => groups(page)).toEqual(['Assigned to you 1']);
  await expectAccessible(page);
  await goTo(page, `/dashboard/alarms/${uuid}`);
  await note(page).getByText('You have had this alarm since').waitFor();
  await note(page).getByRole('button', { name: 'Release' }).click();
  await note(page).getByText('This alarm is not assigned to anyone.').waitFor();
  expect(await holder(uuid)).toBeNull();
  await page.getByText('Omar Ohm released the alarm.').waitFor();
  await goTo(page, '/dashboard/alarms?show=mine');
  await page.getByText('No open alarm is assigned to you').waitFor();
  await app.leave(page);
});

test('an alarm that somebody else takes shows that person at once, and is taken over only after a confirmation', async () => {
  const uuid = await report(app, quay, 'Gate open');
  const page = await app.visit(`/dashboard/alarms/${uuid}`, { as: app.people.operator });
  await note(page).getByRole('button', { name: 'Take alarm' }).waitFor();
  await takeAsManager(uuid);
  await note(page).getByText('Maria Lind has had this alarm since').waitFor();
  await page.keyboard.press('t');
  expect(await holder(uuid)).toBe('Maria Lind');
  await note(page).getByRole('button', { name: 'Take over' }).click();
  const question = page.getByRole('dialog', { name: 'Take over the alarm' });
  await question.getByText('Maria Lind no longer has it').waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Take over' }).click();
  await note(page).getByText('You have had this alarm since').waitFor();
  await page.getByText('Omar Ohm took the alarm over from Maria Lind.').waitFor();
  await expectGoodLooks(page);
  await app.leave(page);
});

test('taking an alarm that another person has just taken is refused, and the message names that person', async () => {
  const uuid = await report(app, quay, 'Drain blocked');
  const page = await app.visit('/dashboard/alarms', { as: app.people.operator });
  await rowOf(page, 'Drain blocked').waitFor();
  await takeAsManager(uuid);
  await rowOf(page, 'Drain blocked').press('t');
  await page.getByText(/^Maria Lind has had this alarm since .* Take it over if you still want it\.$/).waitFor();
  await rowOf(page, 'Drain blocked').getByText('Assigned to Maria Lind').waitFor({ state: 'attached' });
  expect(await holder(uuid)).toBe('Maria Lind');
  await expectGoodLooks(page);
  await app.leave(page);
});

test('a confirmation dialog for one alarm does not stay open for another alarm', async () => {
  const [first, second] = [await report(app, quay, 'Pump hot'), await report(app, quay, 'Pump wet')];
  // The test shows the second alarm once beforehand, so that the console caches it and later shows it without loading.
  const page = await app.visit(`/dashboard/alarms/${second}`, { as: app.people.operator });
  await page.getByRole('heading', { name: 'Pump wet' }).waitFor();
  await goTo(page, `/dashboard/alarms/${first}`);
  await page.getByRole('heading', { name: 'Pump hot' }).waitFor();
  await note(page).getByRole('button', { name: 'Assign' }).click();
  const question = page.getByRole('dialog', { name: 'Assign the alarm' });
  await question.waitFor();
  await goTo(page, `/dashboard/alarms/${second}`);
  await page.getByRole('heading', { name: 'Pump wet' }).waitFor();
  await question.waitFor({ state: 'detached' });
  await app.leave(page);
});

test('on a phone an alarm is taken and handed over, and the resolved alarm keeps who had it', async () => {
  const uuid = await report(app, quay, 'Lamp broken');
  const page = await app.visit('/dashboard/alarms?q=Lamp', { as: app.people.operator, phone: true });
  await page
    .getByRole('button', { name: /Lamp broken/ })
    .first()
    .tap();
  await note(page).getByRole('button', { name: 'Take alarm' }).tap();
  await note(page).getByText('You have had this alarm since').waitFor();
  await note(page).getByRole('button', { name: 'Hand over' }).tap();
  const question = page.getByRole('dialog', { name: 'Hand over the alarm' });
  await question.getByRole('button', { name: 'Hand over' }).tap();
  await question.getByText('Choose a person.').waitFor();
  await expectAccessible(page);
  await question.getByLabel('Person').fill('Lind');
  await page.getByRole('option', { name: 'Maria Lind' }).tap();
  await question.getByRole('button', { name: 'Hand over' }).tap();
  await note(page).getByText('Maria Lind has had this alarm since').waitFor();
  expect(await holder(uuid)).toBe('Maria Lind');
  await resolveAs(app, app.people.owner, uuid);
  await note(page).getByText('Maria Lind had this alarm.').waitFor();
  expect(await note(page).getByRole('button').count()).toBe(0);
  await app.leave(page);
});
