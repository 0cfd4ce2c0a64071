import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { type SiteRow, serviceQuery } from '../../harness/database/factories.ts';
import { long } from '../../harness/long.ts';
import { expectAccessible, narrow, wide } from '../support/accessible.ts';
import {
  acknowledgeAs,
  createQuay,
  createWell,
  dialogOf,
  endSessionWith,
  flood,
  gone,
  report,
  rowOf,
  send,
  settle,
  stored,
} from '../support/alarm-plant.ts';

const reasons = ['Crew on the way', 'Sensor fault'];

let app: ConsoleApp;
let quay: SiteRow;
beforeAll(async () => {
  app = await startConsole();
  quay = await createQuay(app);
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

describe('acknowledging', () => {
  test('takes two taps on a phone: Acknowledge and one of the rule’s reasons', async () => {
    const well = await createWell(app, 'Kelder Road', { ruleName: 'Wet well high', reasons });
    const alarm = await flood(app, well);
    const page = await app.visit('/dashboard/alarms', { as: app.people.operator, phone: true, dark: true });
    await page.getByRole('button', { name: 'Acknowledge Wet well high, Kelder Road' }).tap();
    const dialog = dialogOf(page);
    await dialog.getByRole('heading', { name: 'Wet well high' }).waitFor();
    await dialog.getByRole('button', { name: 'Sensor fault' }).waitFor();
    const offered = dialog.getByRole('group', { name: 'Choose a reason to acknowledge' });
    expect(await offered.getByRole('button').count()).toBe(2);
    expect(await offered.locator('svg').count(), 'no reason looks chosen').toBe(0);
    await expectAccessible(page, '[role=dialog]');
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

  long(
    'keeps the list of reasons in place when the connection is lost and restored, and says that escalation continues, on a wide screen and a phone',
    async () => {
      const escalate = [app.people.manager];
      const alarm = await flood(app, await createWell(app, 'Mast Hill', { ruleName: 'Mast down', reasons, escalate }));
      const page = await app.visit(`/dashboard/alarms/${alarm}`, { as: app.people.operator, phone: true });
      const reason = dialogOf(page).getByRole('button', { name: 'Sensor fault' });
      const placeOf = async () => (await reason.boundingBox())?.y;
      const open = page.getByRole('button', { name: 'Acknowledge' });
      const before = troubles.length;
      for (const size of [wide, narrow]) {
        const where = `${size.width} wide`;
        await page.setViewportSize(size);
        await open.waitFor();
        if (size === wide) {
          // If the connection is lost before the dialog opens, the dialog shows the alarm's name and loads the reasons
          // once the connection is back.
          await page.context().setOffline(true);
          await open.click();
          await dialogOf(page).getByText('No connection. The reasons load when the connection is back.').waitFor();
          await dialogOf(page).getByRole('heading', { name: 'Mast down' }).waitFor();
          await page.context().setOffline(false);
        } else await open.click();
        await reason.waitFor();
        // The button moves during the dialog's opening animation, so the test waits until the animation has ended.
        await reason.click({ trial: true });
        const place = await placeOf();
        await page.context().setOffline(true);
        await reason.click();
        await page
          .getByText(/no connection, so nothing is acknowledged yet, and escalation continues\. Your text is kept here/)
          .waitFor();
        expect(await placeOf(), where).toBe(place);
        if (size === narrow) await expectAccessible(page, '[role=dialog]');
        await page.context().setOffline(false);
        await page.getByText('The connection is back. Nothing is acknowledged yet. Choose the reason again.').waitFor();
        expect(await placeOf(), where).toBe(place);
        if (size === narrow) await reason.click();
        else await page.keyboard.press('Escape');
        await gone(page);
      }
      expect((await stored(app, alarm)).acknowledge_json).toMatchObject({ reason: 'Sensor fault' });
      troubles.splice(before);
      await app.leave(page);
    },
  );

  test('keys typed while the list of reasons has the focus go into the note and send nothing; an acknowledgement whose response was lost is shown as recorded', async () => {
    const alarm = await flood(app, await createWell(app, 'Weir', { ruleName: 'Weir high', reasons }));
    const page = await app.visit('/dashboard/alarms?q=Weir', { as: app.people.operator });
    await rowOf(page, 'Weir high').focus();
    await page.keyboard.press('a');
    await dialogOf(page).getByRole('button', { name: 'Sensor fault' }).waitFor();
    await page.keyboard.type('on it now, breaker');
    await expect.poll(() => dialogOf(page).getByLabel('Note').inputValue()).toBe('on it now, breaker');
    expect((await stored(app, alarm)).acknowledge_json).toBeNull();
    const before = troubles.length;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('acknowledgeAlarm')) return route.continue();
      await route.fetch();
      return route.abort('internetdisconnected');
    });
    await dialogOf(page).getByRole('button', { name: 'Sensor fault' }).click();
    await dialogOf(page).getByText('You have already acknowledged this alarm').waitFor();
    expect(await dialogOf(page).getByText('Your text was not saved.').count()).toBe(0);
    expect((await stored(app, alarm)).acknowledge_json).toMatchObject({ text: 'on it now, breaker' });
    troubles.splice(before);
    await page.keyboard.press('Escape');
    await app.leave(page);
  });

  test('shows the current value and whether it is back within its limits, like the list on a wide screen and a phone', async () => {
    const well = await createWell(app, 'Lock gate', { ruleName: 'Lock gate high', reasons });
    await flood(app, well);
    const page = await app.visit('/dashboard/alarms?q=Lock', { as: app.people.operator, phone: true });
    const card = page.getByRole('button', { name: 'Lock gate high' }).first();
    await card.getByText('outside 0.5 to 4.2', { exact: true }).waitFor();
    await page.setViewportSize(wide);
    await rowOf(page, 'Lock gate high').getByText('outside 0.5 to 4.2', { exact: true }).waitFor();
    await page.setViewportSize(narrow);
    await page.getByRole('button', { name: 'Acknowledge Lock gate high' }).tap();
    const reading = dialogOf(page).locator('p', { hasText: 'outside 0.5 to 4.2' });
    const colourOf = (value: Locator): Promise<string> =>
      value.evaluate((element) => (globalThis as any).getComputedStyle(element).color);
    await expect.poll(() => reading.textContent()).toBe('4.5 outside 0.5 to 4.2');
    const alarming = await colourOf(reading.locator('b'));
    // The values 3.4 and 3.5 are inside the limits. The dialog must show each of them, although the second one changes
    // nothing in the alarm.
    for (const level of [3.4, 3.5]) {
      app.clock.advance(1000);
      await send(app, well, level, 0);
      await settle(app);
      await expect.poll(() => reading.textContent()).toBe(`${level} was outside 0.5 to 4.2`);
    }
    expect(await colourOf(reading.locator('b'))).not.toBe(alarming);
    await page.keyboard.press('Escape');
    await gone(page);
    await goTo(page, '/dashboard/alarms?q=Lock+gate');
    await card.getByText('was outside 0.5 to 4.2').waitFor();
    expect(await colourOf(card.getByText('3.5', { exact: true }))).not.toBe(alarming);
    await page.setViewportSize(wide);
    await rowOf(page, 'Lock gate high').getByText('was outside 0.5 to 4.2').waitFor();
    await app.leave(page);
  });

  test('works by keyboard alone, with free text where the rule has no reasons, and with a note', async () => {
    const alarm = await report(app, quay, 'Fence broken');
    const page = await app.visit('/dashboard/alarms', { as: app.people.operator });
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
    // The row has moved to the acknowledged alarms and has kept the focus.
    await rowOf(page, 'Fence broken').getByRole('img', { name: 'Acknowledged by' }).waitFor();
    await rowOf(page, 'Fence broken').and(page.locator(':focus')).waitFor();
    expect((await stored(app, alarm)).acknowledge_json).toMatchObject({
      reason: 'Being mended',
      text: 'Called the owner of the field.',
    });
    await app.leave(page);
  });

  test('an alarm that somebody else has just acknowledged names that person and keeps the typed note to copy, whether or not both chose the same reason', async () => {
    const page = await app.visit('/dashboard/alarms', { as: app.people.operator });
    for (const chosen of ['Crew on the way', 'Sensor fault']) {
      const well = await createWell(app, `Second ${chosen}`, { ruleName: `Level at ${chosen}`, reasons });
      const alarm = await flood(app, well);
      await goTo(page, `/dashboard/alarms?alarm=${alarm}`);
      await page.getByLabel('Alarm', { exact: true }).getByRole('button', { name: 'Acknowledge' }).click();
      const dialog = dialogOf(page);
      await dialog.getByRole('button', { name: chosen }).waitFor();
      await dialog.getByRole('button', { name: 'Write a note first' }).click();
      await dialog.getByLabel('Note').fill('The float hangs.');
      const [note, reason] = [dialog.getByLabel('Note'), dialog.getByRole('button', { name: chosen })];
      expect(
        (await note.boundingBox())?.y,
        'the note is above the reasons, because pressing a reason sends the note',
      ).toBeLessThan((await reason.boundingBox())?.y ?? 0);
      await acknowledgeAs(app, app.people.manager, alarm, 'Sensor fault');
      const told = dialog.getByText(`${app.people.manager.display_name} acknowledged this alarm first`);
      // The page may already know that the other user acknowledged the alarm. The dialog then offers no reasons.
      await dialog.getByRole('button', { name: chosen }).or(told).first().click();
      await told.waitFor();
      await dialog.getByText('Your text was not saved.').waitFor();
      await dialog.getByText('The float hangs.', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Copy: your text' }).waitFor();
      if (chosen === 'Sensor fault') await expectAccessible(page, '[role=dialog]');
      expect((await stored(app, alarm)).acknowledge_json).toMatchObject({
        by: app.people.manager.uuid,
        reason: 'Sensor fault',
      });
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await gone(page);
      await page
        .getByLabel('Alarm', { exact: true })
        .getByText(/, acknowledged/)
        .waitFor();
    }
    await app.leave(page);
  });

  test('many alarms shows a result for each, accepts free text for rules without reasons, asks again if a rule does not offer the reason, and keeps the focus in the dialog', async () => {
    const one = await createWell(app, 'North well', { ruleName: 'North high', reasons: ['Rain', 'Cleaning'] });
    const two = await createWell(app, 'South well', { ruleName: 'South high', reasons: ['Power cut'] });
    const alarms = [await flood(app, one), await flood(app, two), await report(app, quay, 'Bulk fence')];
    const quick = await report(app, quay, 'Bulk hatch');
    const page = await app.visit('/dashboard/alarms', { as: app.people.operator });
    for (const message of ['North high', 'South high', 'Bulk fence', 'Bulk hatch'])
      await rowOf(page, message).press('x');
    const bar = page.getByRole('region', { name: 'Selected alarms' });
    await bar.getByText('4 selected').waitFor();
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    const dialog = dialogOf(page);
    await dialog
      .getByRole('button', { name: 'Rain' })
      .getByText('for 3 of 4, all except South high, South well')
      .waitFor();
    const named = dialog.getByRole('list', { name: 'Which alarms' });
    await named.getByText('South high, South well').waitFor();
    expect(await named.getByRole('listitem').count()).toBe(4);
    await serviceQuery(app.db, 'update tocsin.alarm set resolved_date = $2 where uuid = $1', [
      alarms[2],
      app.clock.now(),
    ]);
    await named.getByRole('listitem').first().filter({ hasText: 'Bulk fence' }).getByText('Resolved').waitFor();
    await acknowledgeAs(app, app.people.manager, quick, 'I am here');
    await dialog.getByRole('button', { name: 'Write a note first' }).click();
    await dialog.getByLabel('Note').fill('A cloudburst.');
    const focused = (name: string) => dialog.getByRole('button', { name }).and(page.locator(':focus')).waitFor();
    const written = dialog.getByLabel('Or enter a reason');
    await dialog.getByText('for 1 of 3: Bulk fence, Quay Street').waitFor();
    const acknowledgeWritten = dialog.getByRole('button', { name: 'Acknowledge 1 of 3' });
    expect(await acknowledgeWritten.isDisabled()).toBe(true);
    await written.fill('Mended it');
    // The counts beside the listed reasons exclude the alarm Bulk fence, which needs a typed reason.
    await dialog.getByRole('button', { name: 'Rain' }).getByText('for 1 of 3: North high, North well').waitFor();
    await expectAccessible(page, '[role=dialog]');
    await written.press('Enter');
    const results = dialog.getByRole('list', { name: 'Results' });
    await results.getByText('Bulk fence, Quay StreetAcknowledged').waitFor();
    await dialog.getByRole('heading', { name: 'Acknowledge 2 more alarms' }).waitFor();
    await written.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Rain' }).getByText('for 1 of 2: North high, North well').waitFor();
    // The reasons stay disabled while the previous acknowledgement is being saved.
    await dialog.getByRole('button', { name: 'Rain', disabled: false }).press('Enter');
    await results.getByText('North high, North wellAcknowledged').waitFor();
    await results.getByText(`${app.people.manager.display_name} acknowledged this alarm first`).waitFor();
    await results.getByText('South high, South wellNeeds another reason').waitFor();
    const outcomes = results.getByRole('listitem').evaluateAll((rows: any[]) => rows.map((row) => row.dataset.outcome));
    expect(await outcomes, 'alarms that are not acknowledged yet come first').toEqual([
      'waiting',
      'refused',
      'done',
      'done',
    ]);
    await dialog.getByRole('heading', { name: 'Acknowledge 1 more alarm' }).waitFor();
    expect(await dialog.getByLabel('Note').inputValue()).toBe('A cloudburst.');
    await focused('Power cut');
    await page.keyboard.press('Enter');
    await results.getByText('South high, South wellAcknowledged').waitFor();
    await dialog.getByText('Close', { exact: true }).waitFor();
    await focused('Close');
    expect(await dialog.getByText('Your text was not saved').count(), 'the text was saved with the other alarms').toBe(
      0,
    );
    await page.keyboard.press('Enter');
    await gone(page);
    const given = await Promise.all(alarms.map((uuid) => stored(app, uuid)));
    expect(given.map(({ acknowledge_json }) => acknowledge_json?.reason)).toEqual(['Rain', 'Power cut', 'Mended it']);
    // All alarms have the note, including the alarm that needed a different reason.
    expect(given.map(({ acknowledge_json }) => acknowledge_json?.text)).toEqual([
      'A cloudburst.',
      'A cloudburst.',
      'A cloudburst.',
    ]);
    expect((await stored(app, quick)).acknowledge_json?.reason).toBe('I am here');

    // The dialog keeps the typed note if another user acknowledges the last of the selected alarms first.
    const west = await flood(app, await createWell(app, 'West well', { ruleName: 'West high', reasons: ['Rain'] }));
    await report(app, quay, 'Bulk gate');
    for (const message of ['West high', 'Bulk gate']) await rowOf(page, message).press('x');
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    await written.fill('Shut it');
    await written.press('Enter');
    await dialog.getByRole('heading', { name: 'Acknowledge 1 more alarm' }).waitFor();
    await dialog.getByRole('button', { name: 'Write a note first' }).click();
    await dialog.getByLabel('Note').fill('On my way');
    await acknowledgeAs(app, app.people.manager, west, 'Rain');
    await dialog.getByText('Your text was not saved').waitFor();
    await dialog.getByText('On my way', { exact: true }).waitFor();
    await dialog.getByText('Close', { exact: true }).click();
    await gone(page);

    // The dialog keeps a typed reason when the user chooses a listed reason or closes the dialog by accident.
    const east = await createWell(app, 'East well', { ruleName: 'East high', reasons: ['Rain'] });
    await flood(app, east);
    const lock = await report(app, quay, 'Bulk lock');
    for (const message of ['East high', 'Bulk lock']) await rowOf(page, message).press('x');
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    await written.fill('Oiled it');
    await page.keyboard.press('Escape');
    await gone(page);
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    expect(await written.inputValue()).toBe('Oiled it');
    await dialog.getByRole('button', { name: 'Rain' }).click();
    await dialog.getByRole('heading', { name: 'Acknowledge 1 more alarm' }).waitFor();
    await acknowledgeAs(app, app.people.manager, lock, 'Seen');
    await dialog.getByText('Your text was not saved').waitFor();
    await dialog.getByText('Oiled it', { exact: true }).waitFor();
    await app.leave(page);
  });

  long('many alarms clears the selection, and keys then act on their own row', async () => {
    for (const message of ['Sluice A', 'Sluice B', 'Sluice C']) await report(app, quay, message);
    const page = await app.visit('/dashboard/alarms?q=Sluice', { as: app.people.operator });
    const bar = page.getByRole('region', { name: 'Selected alarms' });
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
    // Closing the dialog keeps the selected alarms.
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
    await expect.poll(() => page.locator('tr[data-alarm]').count()).toBe(1);
    await app.leave(page);
  });

  test('without a connection says that nothing is acknowledged yet, keeps the text, and continues when the connection is back', async () => {
    const alarm = await report(app, quay, 'Cable cut');
    const page = await app.visit(`/dashboard/alarms/${alarm}`, { as: app.people.operator });
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Reason').fill('Found it');
    await dialog.getByRole('button', { name: 'Write a note first' }).click();
    await dialog.getByLabel('Note').fill('By the second mast.');
    const before = troubles.length;
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText(/no connection, so nothing is acknowledged yet\. Your text is kept here/).waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Found it');
    expect(await dialog.getByLabel('Note').inputValue()).toBe('By the second mast.');
    await expectAccessible(page);
    expect((await stored(app, alarm)).acknowledge_json).toBeNull();
    await page.context().setOffline(false);
    await page.getByText('The connection is back. Nothing is acknowledged yet. Choose the reason again.').waitFor();
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await gone(page);
    expect((await stored(app, alarm)).acknowledge_json).toMatchObject({
      reason: 'Found it',
      text: 'By the second mast.',
    });
    troubles.splice(before);
    await app.leave(page);
  });

  test('after the end of the session says so, and the dialog reopens after sign-in with its text', async () => {
    const alarm = await report(app, quay, 'Gate jammed');
    const page = await app.visit('/dashboard/alarms', { as: app.people.operator });
    await rowOf(page, 'Gate jammed').focus();
    await page.keyboard.press('a');
    await dialogOf(page).getByLabel('Reason').fill('Freed it');
    await dialogOf(page).getByRole('button', { name: 'Write a note first' }).click();
    await dialogOf(page).getByLabel('Note').fill('The hinge is bent.');
    const before = troubles.length;
    await endSessionWith(page, 'AcknowledgeAlarm');
    await dialogOf(page).getByRole('button', { name: 'Acknowledge' }).click();
    const undone = page.getByText('Your session ended before the alarm was acknowledged. Sign in to continue.');
    await undone.waitFor();
    // The message about the ended session stays until the user signs in, even after a reload.
    await page.reload();
    await undone.waitFor();
    await expectAccessible(page);
    expect((await stored(app, alarm)).acknowledge_json).toBeNull();

    // A different user who signs in with the same browser sees the alarm, but not the text that the first user typed.
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

  long('many alarms after the end of the session asks again after sign-in, with the chosen reason', async () => {
    const well = await createWell(app, 'Broad Street', { ruleName: 'Broad high', reasons });
    const many = [await flood(app, well), await report(app, quay, 'Broad fence')];
    const page = await app.visit('/dashboard/alarms?q=Broad', { as: app.people.operator });
    for (const message of ['Broad high', 'Broad fence']) await rowOf(page, message).getByRole('checkbox').click();
    await page.keyboard.press('a');
    const reason = dialogOf(page).getByRole('button', { name: 'Sensor fault' });
    await reason.waitFor();
    const before = troubles.length;
    await endSessionWith(page, 'AcknowledgeAlarm');
    await reason.click();
    await page.getByText('Your session ended before these alarms were acknowledged. Sign in to continue.').waitFor();
    troubles.splice(before);
    await signInByForm(page, app.people.operator.email);
    await dialogOf(page).getByRole('heading', { name: 'Acknowledge 2 alarms' }).waitFor();
    await reason.and(page.locator(':focus')).getByText('previous choice').waitFor();
    await page.keyboard.press('Enter');
    await gone(page);
    const given = await Promise.all(many.map((uuid) => stored(app, uuid)));
    expect(given.map(({ acknowledge_json }) => acknowledge_json?.reason)).toEqual(['Sensor fault', 'Sensor fault']);
    await app.leave(page);
  });
});
