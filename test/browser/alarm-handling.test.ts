import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../harness/console.ts';
import { createSite, linkUser, type SiteRow, serviceQuery } from '../harness/factories.ts';
import { expectAccessible } from './accessible.ts';
import { acknowledgeAs, createWell, flood, report, send, settle, setUser, stored } from './alarm-plant.ts';

const reasons = ['Crew on the way', 'Sensor fault'];

let app: ConsoleApp;
let quay: SiteRow;
beforeAll(async () => {
  app = await startConsole();
  await setUser(app, app.people.operator, { sms_notification: true, phone_number: '+44 20 7946 0123' });
  quay = await createSite(app.db, { customer: app.people.customer, name: 'Quay Street' });
  await linkUser(app.db, app.people.operator, quay);
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^(Acknowledge|Resolve)/ });
const rowOf = (page: Page, message: string) => page.locator('tr[data-alarm]', { hasText: message });
const gone = (page: Page) => dialogOf(page).waitFor({ state: 'detached' });

describe('acknowledging', () => {
  test('takes two taps on a phone: the button of the alarm, and one of its rule’s reasons', async () => {
    const well = await createWell(app, 'Kelder Road', { ruleName: 'Wet well high', reasons });
    const alarm = await flood(app, well);
    const page = await app.open('/dashboard/alarms', { as: app.people.operator, phone: true, dark: true });
    await page.getByRole('button', { name: 'Acknowledge Wet well high, Kelder Road' }).tap();
    const dialog = dialogOf(page);
    await dialog.getByRole('heading', { name: 'Wet well high' }).waitFor();
    await dialog.getByRole('button', { name: 'Sensor fault' }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Crew on the way' }).tap();
    await gone(page);
    await page.getByRole('region', { name: 'Acknowledged', exact: true }).getByText('Wet well high').waitFor();
    expect((await stored(app, alarm)).acknowledge_json).toMatchObject({
      by: app.people.operator.uuid,
      reason: 'Crew on the way',
      text: null,
      channel: 'console',
    });
    await app.leave(page);
  });

  test('works by keys alone, in one’s own words where no rule has a list, with a note', async () => {
    const alarm = await report(app, quay, 'Fence broken');
    const page = await app.open('/dashboard/alarms', { as: app.people.manager });
    await rowOf(page, 'Fence broken').focus();
    await page.keyboard.press('a');
    const dialog = dialogOf(page);
    await dialog.getByLabel('Reason').and(page.locator(':focus')).waitFor();
    expect(await dialog.getByRole('button', { name: 'Acknowledge' }).isDisabled()).toBe(true);
    await page.keyboard.type('Being mended');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Write a note first' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Note').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Called the owner of the field.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await gone(page);
    // The row has gone to the acknowledged ones, and the focus with it.
    await rowOf(page, 'Fence broken').getByRole('img', { name: 'Acknowledged by' }).waitFor();
    await rowOf(page, 'Fence broken').and(page.locator(':focus')).waitFor();
    expect((await stored(app, alarm)).acknowledge_json).toMatchObject({
      reason: 'Being mended',
      text: 'Called the owner of the field.',
    });
    await app.leave(page);
  });

  test('without a connection says that nothing is acknowledged yet, keeps what was written, and goes on once it is back', async () => {
    const alarm = await report(app, quay, 'Cable cut');
    const page = await app.open(`/dashboard/alarms/${alarm}`, { as: app.people.operator });
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Reason').fill('Found it');
    await dialog.getByRole('button', { name: 'Write a note first' }).click();
    await dialog.getByLabel('Note').fill('By the second mast.');
    const before = troubles.length;
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await dialog.getByText(/no connection, so nothing is acknowledged yet and escalation goes on/).waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Found it');
    expect(await dialog.getByLabel('Note').inputValue()).toBe('By the second mast.');
    await expectAccessible(page);
    expect((await stored(app, alarm)).acknowledge_json).toBeNull();
    await page.context().setOffline(false);
    await dialog.getByText('The connection is back. Nothing is acknowledged yet: choose again.').waitFor();
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await gone(page);
    expect((await stored(app, alarm)).acknowledge_json).toMatchObject({
      reason: 'Found it',
      text: 'By the second mast.',
    });
    troubles.splice(before);
    await app.leave(page);
  });

  test('that a session’s end interrupts says so, and the dialog is there again after sign-in with what was written', async () => {
    const alarm = await report(app, quay, 'Gate jammed');
    const page = await app.open('/dashboard/alarms', { as: app.people.operator });
    await rowOf(page, 'Gate jammed').focus();
    await page.keyboard.press('a');
    await dialogOf(page).getByLabel('Reason').fill('Freed it');
    await dialogOf(page).getByRole('button', { name: 'Write a note first' }).click();
    await dialogOf(page).getByLabel('Note').fill('The hinge is bent.');
    const before = troubles.length;
    await page.context().clearCookies();
    await dialogOf(page).getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('Your session ended before the alarm was acknowledged. Sign in to go on.').waitFor();
    expect((await stored(app, alarm)).acknowledge_json).toBeNull();

    // Somebody else at the same browser finds the alarm, and none of the words.
    await signInByForm(page, app.people.manager.email);
    await dialogOf(page).getByRole('heading', { name: 'Gate jammed' }).waitFor();
    expect(await dialogOf(page).getByLabel('Reason').inputValue()).toBe('');
    expect(await dialogOf(page).getByLabel('Note').count()).toBe(0);
    await page.context().clearCookies();
    await page.reload();
    troubles.splice(before);

    await signInByForm(page, app.people.operator.email);
    await dialogOf(page).getByRole('heading', { name: 'Gate jammed' }).waitFor();
    expect(await dialogOf(page).getByLabel('Reason').inputValue()).toBe('Freed it');
    expect(await dialogOf(page).getByLabel('Note').inputValue()).toBe('The hinge is bent.');
    await dialogOf(page).getByRole('button', { name: 'Acknowledge' }).click();
    await gone(page);
    expect((await stored(app, alarm)).acknowledge_json).toMatchObject({
      reason: 'Freed it',
      text: 'The hinge is bent.',
      channel: 'console',
    });
    expect(new URL(page.url()).searchParams.has('acknowledge')).toBe(false);
    const drafts = await page.evaluate(
      'Object.keys(sessionStorage).filter((key) => key.startsWith("draft:acknowledge"))',
    );
    expect(drafts).toEqual([`draft:acknowledge ${app.people.manager.uuid}`]);
    await app.leave(page);
  });

  test('of many that a session’s end interrupts is asked for again, with the reason that was chosen', async () => {
    const well = await createWell(app, 'Broad Street', { ruleName: 'Broad high', reasons });
    const alarms = [await flood(app, well), await report(app, quay, 'Broad fence')];
    const page = await app.open('/dashboard/alarms?q=Broad', { as: app.people.manager });
    for (const message of ['Broad high', 'Broad fence']) await rowOf(page, message).getByRole('checkbox').click();
    await page.keyboard.press('a');
    const reason = dialogOf(page).getByRole('button', { name: 'Sensor fault' });
    await reason.waitFor();
    const before = troubles.length;
    await page.context().clearCookies();
    await reason.click();
    await page.getByText('Your session ended before these alarms were acknowledged. Sign in to go on.').waitFor();
    troubles.splice(before);
    await signInByForm(page, app.people.manager.email);
    await dialogOf(page).getByRole('heading', { name: 'Acknowledge 2 alarms' }).waitFor();
    await reason.and(page.locator(':focus')).getByText('chosen before').waitFor();
    await page.keyboard.press('Enter');
    await gone(page);
    const given = await Promise.all(alarms.map((uuid) => stored(app, uuid)));
    expect(given.map(({ acknowledge_json }) => acknowledge_json?.reason)).toEqual(['Sensor fault', 'Sensor fault']);
    await app.leave(page);
  });

  test('opened without a connection waits for the reasons in so many words', async () => {
    const alarm = await report(app, quay, 'Mast down');
    const page = await app.open(`/dashboard/alarms/${alarm}`, { as: app.people.operator });
    const open = page.getByRole('button', { name: 'Acknowledge' });
    await open.waitFor();
    const before = troubles.length;
    await page.context().setOffline(true);
    await open.click();
    await dialogOf(page).getByText('There is no connection. The reasons come as soon as it is back.').waitFor();
    await page.context().setOffline(false);
    await dialogOf(page).getByLabel('Reason').waitFor();
    troubles.splice(before);
    await app.leave(page);
  });

  test.each([
    ['another reason', 'Crew on the way'],
    ['the same reason', 'Sensor fault'],
  ])('that comes second, with %s, is told who was first, and keeps the note to copy', async (_, chosen) => {
    const well = await createWell(app, `Second ${chosen}`, { ruleName: `Level at ${chosen}`, reasons });
    const alarm = await flood(app, well);
    const page = await app.open(`/dashboard/alarms?alarm=${alarm}`, { as: app.people.manager });
    await page.getByLabel('Alarm', { exact: true }).getByRole('button', { name: 'Acknowledge' }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('button', { name: chosen }).waitFor();
    await dialog.getByRole('button', { name: 'Write a note first' }).click();
    await dialog.getByLabel('Note').fill('The float hangs.');
    await acknowledgeAs(app, app.people.operator, alarm, 'Sensor fault');
    const told = dialog.getByText(`${app.people.operator.display_name} was first`);
    // The news may be quicker than the hand, and then there is no reason to choose any more.
    await dialog.getByRole('button', { name: chosen }).or(told).first().click();
    await told.waitFor();
    await dialog.getByText('What you wrote is not recorded.').waitFor();
    await dialog.getByText('The float hangs.', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Copy: what you wrote' }).waitFor();
    await expectAccessible(page);
    expect((await stored(app, alarm)).acknowledge_json).toMatchObject({
      by: app.people.operator.uuid,
      reason: 'Sensor fault',
    });
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await gone(page);
    await page
      .getByLabel('Alarm', { exact: true })
      .getByText(/, acknowledged/)
      .waitFor();
    await app.leave(page);
  });

  test('many at once gives each its own result, and asks again for those that a reason does not fit', async () => {
    const one = await createWell(app, 'North well', { ruleName: 'North high', reasons: ['Rain', 'Cleaning'] });
    const two = await createWell(app, 'South well', { ruleName: 'South high', reasons: ['Power cut'] });
    const alarms = [await flood(app, one), await flood(app, two), await report(app, quay, 'Bulk fence')];
    const quick = await report(app, quay, 'Bulk hatch');
    const page = await app.open('/dashboard/alarms', { as: app.people.manager });
    for (const message of ['North high', 'South high', 'Bulk fence', 'Bulk hatch'])
      await rowOf(page, message).getByRole('checkbox').click();
    const bar = page.getByRole('region', { name: 'Chosen alarms' });
    await bar.getByText('4 selected').waitFor();
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('button', { name: 'Rain' }).getByText('for 3 of 4, not South high, South well').waitFor();
    const named = dialog.getByRole('list', { name: 'Which alarms' });
    await named.getByText('South high, South well').waitFor();
    expect(await named.getByRole('listitem').count()).toBe(4);
    await acknowledgeAs(app, app.people.operator, quick, 'I am here');
    await dialog.getByRole('button', { name: 'Rain' }).click();
    const results = dialog.getByRole('list', { name: 'What became of each' });
    await results.getByText('North high, North wellAcknowledged').waitFor();
    await results.getByText(`${app.people.operator.display_name} acknowledged this alarm first`).waitFor();
    await results.getByText('South high, South wellNeeds another reason').waitFor();
    await dialog.getByRole('button', { name: 'Power cut' }).click();
    await results.getByText('South high, South wellAcknowledged').waitFor();
    const given = await Promise.all(alarms.map((uuid) => stored(app, uuid)));
    expect(given.map(({ acknowledge_json }) => acknowledge_json?.reason)).toEqual(['Rain', 'Power cut', 'Rain']);
    expect((await stored(app, quick)).acknowledge_json?.reason).toBe('I am here');
    await app.leave(page);
  });

  test.each([{ phone: true }, { phone: false }])(
    'follows the value, and says so once it is back within its limits (%o)',
    async ({ phone }) => {
      const name = phone ? 'Lock gate' : 'Lock chamber';
      const well = await createWell(app, name, { ruleName: `${name} high`, reasons });
      await flood(app, well);
      const page = await app.open(`/dashboard/alarms?q=${name}`, { as: app.people.manager, phone });
      const list = phone ? page.getByRole('button', { name: `${name} high` }).first() : rowOf(page, `${name} high`);
      await list.getByText('outside 0.5 to 4.2', { exact: true }).waitFor();
      if (phone) await page.getByRole('button', { name: `Acknowledge ${name} high` }).tap();
      else await list.press('a');
      const reading = dialogOf(page).locator('p', { hasText: 'outside 0.5 to 4.2' });
      const colourOf = (value: Locator): Promise<string> =>
        value.evaluate((element) => (globalThis as any).getComputedStyle(element).color);
      await expect.poll(() => reading.textContent()).toBe('4.5  outside 0.5 to 4.2');
      const alarming = await colourOf(reading.locator('b'));
      // The second one comes without any news of alarms.
      for (const level of [3.4, 3.5]) {
        app.clock.advance(1000);
        await send(app, well, level, 0);
        await settle(app);
        await expect.poll(() => reading.textContent()).toBe(`${level}  was outside 0.5 to 4.2`);
      }
      expect(await colourOf(reading.locator('b'))).not.toBe(alarming);
      await page.keyboard.press('Escape');
      await gone(page);
      await page.reload();
      await list.getByText('was outside 0.5 to 4.2').waitFor();
      if (phone) {
        expect(await colourOf(list.getByText('3.5', { exact: true }))).not.toBe(alarming);
      }
      await app.leave(page);
    },
  );

  test('many keeps the focus in the dialog from one reason to the next, and up to the end', async () => {
    const one = await createWell(app, 'East weir', { ruleName: 'Weir east', reasons: ['Rain'] });
    const two = await createWell(app, 'West weir', { ruleName: 'Weir west', reasons: ['Power cut'] });
    for (const well of [one, two]) await flood(app, well);
    const hatch = await report(app, quay, 'Weir hatch');
    const page = await app.open('/dashboard/alarms?q=Weir', { as: app.people.manager });
    for (const message of ['Weir hatch', 'Weir east', 'Weir west']) {
      await rowOf(page, message).focus();
      await page.keyboard.press('x');
    }
    await page.keyboard.press('a');
    const dialog = dialogOf(page);
    const focused = (name: string) => dialog.getByRole('button', { name }).and(page.locator(':focus')).waitFor();
    await dialog.getByRole('button', { name: 'Rain' }).focus();
    await acknowledgeAs(app, app.people.operator, hatch, 'I am here');
    await page.keyboard.press('Enter');
    await focused('Power cut');
    await page.keyboard.press('Enter');
    await dialog.getByText('Weir west, West weirAcknowledged').waitFor();
    await dialog.getByText('Close', { exact: true }).waitFor();
    await focused('Close');
    await page.keyboard.press('Enter');
    await gone(page);
    await app.leave(page);
  });

  test('many leaves nothing selected, and a key means its own row where the selected ones are done', async () => {
    for (const message of ['Sluice A', 'Sluice B', 'Sluice C']) await report(app, quay, message);
    const page = await app.open('/dashboard/alarms?q=Sluice', { as: app.people.manager });
    const bar = page.getByRole('region', { name: 'Chosen alarms' });
    const choose = async (...messages: string[]) => {
      for (const message of messages) {
        await rowOf(page, message).focus();
        await page.keyboard.press('x');
      }
      await bar.getByText(`${messages.length} selected`).waitFor();
    };
    await choose('Sluice A', 'Sluice B');
    await page.keyboard.press('a');
    await dialogOf(page).getByLabel('Reason').fill('On it');
    // Whoever thinks better of it keeps the choice.
    await page.keyboard.press('Escape');
    await gone(page);
    await bar.getByText('2 selected').waitFor();
    await page.keyboard.press('a');
    await dialogOf(page).getByLabel('Reason').fill('On it');
    await page.keyboard.press('Enter');
    await gone(page);
    await bar.waitFor({ state: 'detached' });
    for (const message of ['Sluice A', 'Sluice B'])
      await rowOf(page, message).getByRole('img', { name: 'Acknowledged by' }).waitFor();

    await choose('Sluice A', 'Sluice B');
    await rowOf(page, 'Sluice C').focus();
    await page.keyboard.press('a');
    await dialogOf(page).getByRole('heading', { name: 'Sluice C' }).waitFor();
    await page.keyboard.press('Escape');
    await gone(page);
    await page.keyboard.press('r');
    await dialogOf(page).getByRole('heading', { name: 'Resolve 2 alarms' }).waitFor();
    await dialogOf(page).getByRole('button', { name: 'Resolve', exact: true }).click();
    await gone(page);
    await bar.waitFor({ state: 'detached' });
    await rowOf(page, 'Sluice C').waitFor();
    expect(await page.locator('tr[data-alarm]').count()).toBe(1);
    await app.leave(page);
  });
});

describe('resolving', () => {
  test('one alarm keeps the note, and it leaves the open ones', async () => {
    const alarm = await report(app, quay, 'Lamp broken');
    const page = await app.open(`/dashboard/alarms?alarm=${alarm}`, { as: app.people.operator });
    await page.getByLabel('Alarm', { exact: true }).getByRole('button', { name: 'Resolve' }).click();
    await dialogOf(page).getByLabel('Note').fill('New lamp fitted');
    await dialogOf(page).getByRole('button', { name: 'Resolve', exact: true }).click();
    await gone(page);
    await rowOf(page, 'Lamp broken').waitFor({ state: 'detached' });
    const row = await stored(app, alarm);
    expect(row.resolve_note).toBe('New lamp fitted');
    expect(row.resolved_date).not.toBeNull();
    await page.getByText('resolved it: New lamp fitted.').waitFor();
    await app.leave(page);
  });

  test('many at once says which one somebody had resolved already', async () => {
    const [first, second] = [await report(app, quay, 'Hatch A open'), await report(app, quay, 'Hatch B open')];
    await acknowledgeAs(app, app.people.operator, second, 'I am here');
    const page = await app.open('/dashboard/alarms?q=Hatch', { as: app.people.manager });
    await rowOf(page, 'Hatch A open').focus();
    await page.keyboard.press('x');
    // The focus is in the box then, and the keys mean the rows all the same.
    await rowOf(page, 'Hatch B open').getByRole('checkbox').click();
    await page.keyboard.press('r');
    const dialog = dialogOf(page);
    await dialog.getByRole('heading', { name: 'Resolve 2 alarms' }).waitFor();
    await dialog.getByRole('list', { name: 'Which alarms' }).getByText('Hatch B open, Quay Street').waitFor();
    await dialog.getByText('Nobody has acknowledged 1 of 2: Hatch A open, Quay Street.').waitFor();
    const owner = await app.browser(app.people.owner);
    await owner.data('mutation ($uuid: UUID!) { resolveAlarm(input: { uuid: $uuid }) { result { uuid } } }', {
      uuid: second,
    });
    await dialog.getByRole('button', { name: 'Resolve', exact: true }).click();
    const results = dialog.getByRole('list', { name: 'What became of each' });
    await results.getByText('Hatch A open, Quay StreetResolved').waitFor();
    await results.getByText(/Hatch B open, Quay StreetThis alarm was resolved on/).waitFor();
    expect((await stored(app, first)).resolved_date).not.toBeNull();
    await page.keyboard.press('Escape');
    await gone(page);
    await app.leave(page);
  });
});

describe('resolving by hand', () => {
  test('names the value that is still outside, and the site does not call it normal afterwards', async () => {
    const well = await createWell(app, 'Mill Lane', { ruleName: 'Mill high' });
    const alarm = await flood(app, well);
    const page = await app.open(`/dashboard/alarms/${alarm}`, { as: app.people.manager });
    await page.getByRole('button', { name: 'Resolve' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('Level 4.5 is still above 4.2.').waitFor();
    await dialog.getByText('If readings stay outside, a new alarm opens after 1 minute.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Resolve', exact: true }).click();
    await gone(page);
    await settle(app);
    await page.goto(`/dashboard/site/${well.site.uuid}`);
    await page.getByRole('region', { name: 'Values' }).getByText('High, no alarm').waitFor();
    await page
      .getByRole('region', { name: 'Open alarms' })
      .getByText(/Level is out of its limits all the same: its alarm was resolved by hand/)
      .waitFor();
    await page.getByRole('banner').getByText('1 value out of limits').waitFor();
    expect(await page.getByText('within its limits').count()).toBe(0);
    const tile = page.getByRole('list', { name: 'Sites' }).getByRole('link', { name: 'Mill Lane' });
    await page.goto('/dashboard');
    await tile.getByText('High, no alarm').waitFor();

    await serviceQuery(app.db, 'update tocsin.rule set enabled = false where tocsin_site_uuid = $1', [well.site.uuid]);
    await page.reload();
    await tile.getByText('No alarm', { exact: true }).waitFor();
    await page.goto(`/dashboard/site/${well.site.uuid}`);
    await page.getByText('The only rule with limits here is disabled, so no value is judged by them.').waitFor();
    await page.getByRole('banner').getByText('No open alarms').waitFor();
    expect(await page.getByText('Normal').count()).toBe(0);
    await app.leave(page);
  });

  test('of more than a few names the first ones, those before all that still last, and counts the others', async () => {
    const well = await createWell(app, 'Row Yard', { ruleName: 'Row high' });
    await flood(app, well);
    for (const number of [1, 2, 3, 4, 5, 6]) await report(app, quay, `Row fault ${number}`);
    const page = await app.open('/dashboard/alarms?q=Row', { as: app.people.manager });
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.keyboard.press('r');
    const dialog = dialogOf(page);
    await dialog.getByRole('heading', { name: 'Resolve 7 alarms' }).waitFor();
    const named = dialog.getByRole('list', { name: 'Which alarms' }).getByRole('listitem');
    await expect.poll(() => named.first().textContent()).toBe('Row high, Row YardLevel 4.5 is still above 4.2.');
    expect(await named.count()).toBe(6);
    expect(await named.last().textContent()).toBe('and 2 more');
    await dialog.getByText('One of them still lasts.').waitFor();
    await page.keyboard.press('Escape');
    await gone(page);
    await app.leave(page);
  });
});

describe('the detail of an alarm', () => {
  test('shows what it was judged by, its readings, each message’s life, and when it is escalated', async () => {
    const { operator, manager } = app.people;
    const well = await createWell(app, 'Dunmere', {
      ...{ ruleName: 'Reservoir high', reasons, told: [operator], escalate: [manager] },
    });
    const alarm = await flood(app, well);
    const page = await app.open(`/dashboard/alarms?alarm=${alarm}`, { as: operator, phone: true });
    const detail = page.getByLabel('Alarm', { exact: true });
    await detail.getByText('below 0.5 or above 4.2').waitFor();
    await detail.getByText('Reservoir high, version 1').waitFor();
    await detail.getByText(/had to last 1 minute/).waitFor();
    await detail.getByText(/not yet, first at/).waitFor();
    expect(await detail.locator('figure').textContent()).toMatch(/5 readings .* from 3\.1 to 4\.5/);
    const timeline = detail.getByRole('region', { name: 'Timeline' });
    await timeline.getByText(/Level was 4\.31, out of limits for 60 s/).waitFor();
    const message = timeline.locator('details', { hasText: `SMS to ${operator.display_name}` });
    await message.getByText('kept in the outbox, no sender is configured').click();
    await message.getByText('To +442079460123').waitFor();
    await message.getByText(/Not sent: Kept in the outbox/).waitFor();
    await expectAccessible(page);
    // Escape closes the dialog that lies over the detail, and only then the detail.
    await detail.getByRole('button', { name: 'Acknowledge' }).click();
    await dialogOf(page).getByRole('button', { name: 'Sensor fault' }).waitFor();
    await page.keyboard.press('Escape');
    await gone(page);
    expect(await detail.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'detached' });
    await app.leave(page);
  });
});
