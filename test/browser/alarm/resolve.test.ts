import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { board } from '../../harness/browser/board.ts';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { type SiteRow, serviceQuery } from '../../harness/database/factories.ts';
import { long } from '../../harness/long.ts';
import { expectAccessible } from '../support/accessible.ts';
import {
  acknowledgeAs,
  createQuay,
  createWell,
  dialogOf,
  endSessionWith,
  flood,
  gone,
  report,
  resolveAs,
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

describe('resolving', () => {
  test('keeps the note, and removes the alarm from the open ones', async () => {
    const alarm = await report(app, quay, 'Lamp broken');
    const page = await app.visit(`/dashboard/alarms?alarm=${alarm}`, { as: app.people.operator });
    await page.getByLabel('Alarm', { exact: true }).getByRole('button', { name: 'Resolve' }).click();
    await dialogOf(page).getByLabel('Note').fill('New lamp fitted');
    await dialogOf(page).getByRole('button', { name: 'Resolve', exact: true }).click();
    await gone(page);
    await rowOf(page, 'Lamp broken').waitFor({ state: 'detached' });
    const row = await stored(app, alarm);
    expect(row.resolve_note).toBe('New lamp fitted');
    expect(row.resolved_date).not.toBeNull();
    await page.getByText('resolved the alarm: New lamp fitted.').waitFor();
    await app.leave(page);
  });

  long('by key applies to the alarm open beside the list, unless other alarms are selected', async () => {
    const alarm = await report(app, quay, 'Valve A stuck');
    await report(app, quay, 'Valve B stuck');
    const page = await app.visit('/dashboard/alarms?q=Valve', { as: app.people.operator });
    await rowOf(page, 'Valve A stuck').press('Enter');
    const detail = page.getByLabel('Alarm', { exact: true });
    await detail.getByRole('heading', { name: 'Valve A stuck' }).waitFor();
    await page.keyboard.press('r');
    await dialogOf(page).getByRole('button', { name: 'Resolve', exact: true }).click();
    await gone(page);
    await rowOf(page, 'Valve A stuck').waitFor({ state: 'detached' });
    await rowOf(page, 'Valve B stuck').and(page.locator(':focus')).waitFor();
    const hint = detail.getByRole('button', { name: 'Acknowledge' }).locator('kbd');
    expect(await hint.textContent()).toBe('a');
    await page.keyboard.press('a');
    await dialogOf(page).getByRole('heading', { name: 'Valve A stuck' }).waitFor();
    await page.keyboard.press('Escape');
    await gone(page);

    await rowOf(page, 'Valve B stuck').getByRole('checkbox').click();
    await hint.waitFor({ state: 'detached' });
    await detail.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('a');
    await dialogOf(page).getByRole('heading', { name: 'Valve B stuck' }).waitFor();
    await page.keyboard.press('Escape');
    await gone(page);
    expect((await stored(app, alarm)).acknowledge_json).toBeNull();
    await app.leave(page);
  });

  test('an alarm that somebody else has just resolved says who and when, and keeps the note to copy', async () => {
    const alarm = await report(app, quay, 'Ladder loose');
    const page = await app.visit(`/dashboard/alarms/${alarm}`, { as: app.people.operator });
    await page.getByRole('button', { name: 'Resolve' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Note').fill('Bolted it again.');
    await resolveAs(app, app.people.manager, alarm, 'New ladder');
    await dialog.getByText(`${app.people.manager.display_name} resolved this alarm first`).waitFor();
    await dialog.getByText(/^Resolved .*: “New ladder”$/).waitFor();
    await dialog.getByText('Your text was not saved.').waitFor();
    await dialog.getByText('Bolted it again.', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Copy: your text' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Resolve', exact: true }).count()).toBe(0);
    await expectAccessible(page, '[role=dialog]');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await gone(page);
    expect((await stored(app, alarm)).resolve_note).toBe('New ladder');
    await app.leave(page);
  });

  test('many alarms names the one that somebody has already resolved', async () => {
    const [first, second] = [await report(app, quay, 'Hatch A open'), await report(app, quay, 'Hatch B open')];
    await acknowledgeAs(app, app.people.operator, second, 'I am here');
    const page = await app.visit('/dashboard/alarms?q=Hatch', { as: app.people.operator });
    await rowOf(page, 'Hatch A open').focus();
    await page.keyboard.press('x');
    // Keyboard shortcuts act on the selected rows even if a checkbox has the focus.
    await rowOf(page, 'Hatch B open').getByRole('checkbox').click();
    await page.keyboard.press('r');
    const dialog = dialogOf(page);
    await dialog.getByRole('heading', { name: 'Resolve 2 alarms' }).waitFor();
    await dialog.getByRole('list', { name: 'Which alarms' }).getByText('Hatch B open, Quay Street').waitFor();
    await dialog.getByText('Nobody has acknowledged 1 of 2: Hatch A open, Quay Street.').waitFor();
    await resolveAs(app, app.people.owner, second);
    await dialog.getByRole('button', { name: 'Resolve', exact: true }).click();
    const results = dialog.getByRole('list', { name: 'Results' });
    await results.getByText('Hatch A open, Quay StreetResolved').waitFor();
    await results
      .getByText(`Hatch B open, Quay Street${app.people.owner.display_name} resolved this alarm first`)
      .waitFor();
    expect((await stored(app, first)).resolved_date).not.toBeNull();
    await page.keyboard.press('Escape');
    await gone(page);
    await app.leave(page);
  });
});

describe('resolving by hand', () => {
  test('names the value that is still outside, and the site is not shown as normal afterwards', async () => {
    const well = await createWell(app, 'Mill Lane', { ruleName: 'Mill high' });
    const alarm = await flood(app, well);
    const page = await app.visit(`/dashboard/alarms/${alarm}`, { as: app.people.operator });
    await page.getByRole('button', { name: 'Resolve' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('Level 4.5 is still above 4.2.').waitFor();
    await dialog.getByText('If the value stays in the alarm range, a new alarm opens after 1 minute.').waitFor();
    await expectAccessible(page, '[role=dialog]');
    await dialog.getByRole('button', { name: 'Resolve', exact: true }).click();
    await gone(page);
    await settle(app);
    await goTo(page, `/dashboard/site/${well.site.uuid}`);
    await page.getByRole('region', { name: 'Values' }).getByText('High (no alarm)').waitFor();
    await page
      .getByRole('region', { name: 'Open alarms' })
      .getByText(/Level is out of limits without an alarm: the alarm was resolved manually/)
      .waitFor();
    await page.getByRole('banner').getByText('1 value out of limits').waitFor();
    expect(await page.getByText('within their limits').count()).toBe(0);
    const tile = (shown: Page) => board(shown).getByRole('link', { name: 'Mill Lane' });
    await goTo(page, '/dashboard');
    await tile(page).getByText('High (no alarm)').waitFor();
    await app.leave(page);

    await serviceQuery(app.db, 'update tocsin.rule set enabled = false where tocsin_site_uuid = $1', [well.site.uuid]);
    const later = await app.visit('/dashboard', { as: app.people.operator });
    await tile(later).getByText('No alarm', { exact: true }).waitFor();
    await goTo(later, `/dashboard/site/${well.site.uuid}`);
    await later
      .getByText('The only rule with limits here is disabled, so no value is checked against limits.')
      .waitFor();
    await later.getByRole('banner').getByText('No open alarms').waitFor();
    expect(await later.getByText('Normal').count()).toBe(0);
    await app.leave(later);
  });

  test('an alarm whose value is back inside says when it resolves by itself, without a warning', async () => {
    const well = await createWell(app, 'Back Yard', { ruleName: 'Yard high' });
    const alarm = await flood(app, well);
    app.clock.advance(1000);
    await send(app, well, 3.4, 0);
    await settle(app);
    const page = await app.visit(`/dashboard/alarms/${alarm}`, {
      ...{ as: app.people.operator, phone: true, time: app.clock.now() },
    });
    const words = /since \d\d:\d\d\. Resolves automatically at \d\d:\d\d, unless the value goes out of limits again\./;
    await page.getByRole('region', { name: 'Why it fired' }).getByText(words).waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('status').getByText('Back to normal').waitFor();
    expect(await dialog.getByRole('status').textContent()).toMatch(words);
    expect(await dialog.getByText('still out').count()).toBe(0);
    await expectAccessible(page, '[role=dialog]');
    await page.keyboard.press('Escape');
    await gone(page);
    await app.leave(page);
  });

  test('many alarms lists the first of them, active ones before others, and counts the rest', async () => {
    const well = await createWell(app, 'Row Yard', { ruleName: 'Row high' });
    await flood(app, well);
    for (const number of [1, 2, 3, 4, 5, 6]) await report(app, quay, `Row fault ${number}`);
    const page = await app.visit('/dashboard/alarms?q=Row', { as: app.people.operator });
    await expect.poll(() => page.getByRole('checkbox', { name: /^Select Row/ }).count()).toBe(7);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.keyboard.press('r');
    const dialog = dialogOf(page);
    await dialog.getByRole('heading', { name: 'Resolve 7 alarms' }).waitFor();
    const named = dialog.getByRole('list', { name: 'Which alarms' }).getByRole('listitem');
    await expect.poll(() => named.first().textContent()).toBe('Row high, Row YardLevel 4.5 is still above 4.2.');
    expect(await named.count()).toBe(6);
    expect(await named.last().textContent()).toBe('and 2 more');
    await dialog.getByText('One of the alarms is still active.').waitFor();
    await page.keyboard.press('Escape');
    await gone(page);
    await app.leave(page);
  });
});

describe('the detail of an alarm', () => {
  test('shows the evaluated rule, readings, each message’s states, and the next escalation', async () => {
    const { operator, manager } = app.people;
    const well = await createWell(app, 'Dunmere', {
      ...{ ruleName: 'Reservoir high', reasons, told: [operator], escalate: [manager] },
    });
    const alarm = await flood(app, well);
    const page = await app.visit(`/dashboard/alarms?alarm=${alarm}`, {
      as: operator,
      phone: true,
      time: app.clock.now(),
    });
    const detail = page.getByLabel('Alarm', { exact: true });
    await detail.getByText('below 0.5 or above 4.2').waitFor();
    await detail.getByText('Reservoir high, version 1').waitFor();
    await detail.getByText(/1 minute debounce/).waitFor();
    await detail.getByText(/not yet, first at/).waitFor();
    expect(await detail.locator('figure').textContent()).toMatch(/4 readings .* range 3\.1 to 4\.5/);
    const timeline = detail.getByRole('region', { name: 'Timeline' });
    await timeline.getByText(/Level was 4\.31, out of limits for at least 60 s/).waitFor();
    const message = timeline.locator('details', { hasText: `SMS to ${operator.display_name}` });
    await message.getByText('not sent, no sender is set up').click();
    await message.getByText('To +442079460123').waitFor();
    await message.getByText(/Not sent: No sender is set up. An owner can find/).waitFor();
    await expectAccessible(page, '[role=dialog]');
    // Escape first closes the dialog, and then the details of the alarm.
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

long(
  'if the session ends while one or many alarms are resolved, a message says so, and the dialog reopens after sign-in with its note',
  async () => {
    const page = await app.visit('/dashboard/alarms', { as: app.people.operator });
    for (const many of [false, true]) {
      const name = many ? 'Pump pit' : 'Dry pit';
      const alarms = [await report(app, quay, `${name} wet`), await report(app, quay, `${name} dark`)];
      await goTo(page, `/dashboard/alarms?q=${name}`);
      if (many) await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
      else await rowOf(page, `${name} wet`).focus();
      await page.keyboard.press('r');
      await dialogOf(page).getByLabel('Note').fill('Drained it.');
      const before = troubles.length;
      await endSessionWith(page, 'ResolveAlarms');
      await dialogOf(page).getByRole('button', { name: 'Resolve', exact: true }).click();
      const words = many ? 'these alarms were' : 'the alarm was';
      await page.getByText(`Your session ended before ${words} resolved. Sign in to continue.`).waitFor();
      expect((await stored(app, alarms[0] as string)).resolved_date).toBeNull();
      troubles.splice(before);

      await signInByForm(page, app.people.operator.email);
      await dialogOf(page)
        .getByRole('heading', { name: many ? 'Resolve 2 alarms' : `${name} wet` })
        .waitFor();
      expect(await dialogOf(page).getByLabel('Note').inputValue()).toBe('Drained it.');
      await dialogOf(page).getByRole('button', { name: 'Resolve', exact: true }).click();
      await gone(page);
      const notes = await Promise.all(alarms.map((uuid) => stored(app, uuid)));
      expect(notes.map(({ resolve_note }) => resolve_note)).toEqual(['Drained it.', many ? 'Drained it.' : null]);
      expect(new URL(page.url()).search).not.toContain('resolve');
    }
    await app.leave(page);
  },
);
