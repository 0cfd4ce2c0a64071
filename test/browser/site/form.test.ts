import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { insertRow, linkUser, type SiteRow, serviceQuery } from '../../harness/database/factories.ts';
import { createSensor } from '../../harness/device/devices.ts';
import { long } from '../../harness/long.ts';
import { inWindow, plantAsset, plantSite, stored } from '../support/admin.ts';
import { report } from '../support/alarm-plant.ts';

let app: ConsoleApp;
let page: Page;
beforeAll(async () => {
  app = await startConsole();
  page = await app.open('/admin/sites', { as: app.people.manager });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, dialog, toast, row, save, pick } = inWindow(() => page);

const siteNamed = async (name: string) => (await stored(app, 'site', { name }))[0];

const heightOfRow = async (kind = 'row') =>
  Math.round((await page.locator(`tr[data-${kind}] td`).first().boundingBox())?.height ?? 0);

test('every table offers comfortable and compact rows', async () => {
  const site = await plantSite(app, 'Keld Top Borehole', 'BH-0003');
  await insertRow(app.db, 'tocsin.alarm', {
    ...{ tocsin_customer_uuid: app.people.customer.uuid, tocsin_site_uuid: site.uuid, site_name: site.name },
    ...{ message: 'Level high', date_time: new Date().toISOString() },
  });
  const compact = page.getByRole('button', { name: 'Compact rows' });
  await goTo(page, '/dashboard/alarms');
  await page.locator('tr[data-alarm]').first().waitFor();
  expect(await heightOfRow('alarm')).toBeGreaterThanOrEqual(36);
  await compact.click();
  expect(await compact.getAttribute('aria-pressed')).toBe('true');
  expect(await heightOfRow('alarm')).toBeLessThan(32);
  await compact.click();
  expect(await heightOfRow('alarm')).toBeGreaterThanOrEqual(36);
  await compact.click();
  await goTo(page, '/admin/sites?q=BH-0003');
  await row('Keld Top Borehole').waitFor();
  expect(await heightOfRow()).toBeLessThan(32);
});

describe('sites', () => {
  test('a site is created with all fields, a new group and a linked user; a taken ID is refused at its field, and nothing is lost', async () => {
    await page.getByRole('button', { name: 'New site' }).first().click();
    const form = panel('New site');
    await save(form);
    await form.getByText('Enter a name.').waitFor();
    await form.getByText('Enter an ID, such as PS-0070.').waitFor();

    await form.getByLabel('Name', { exact: true }).fill('Kelder Road PS');
    await form.getByLabel('Site ID').focus();
    await page.keyboard.insertText('BH-0003'.padEnd(65, '0'));
    await save(form);
    await form.getByText('Too long. Use at most 64 characters.').waitFor();
    await form.getByLabel('Site ID').fill('BH-0003');
    await form.getByRole('combobox', { name: 'Type' }).or(form.getByLabel('Type')).first().fill('Pump station');
    await form.getByLabel('Address').fill('1 Kelder Road');
    await form.getByLabel('Location').fill('Second gate');
    await form.getByLabel('Silent after').fill('2 h');
    await pick(form, 'Unit office (level 5)', 'Kelder', 'Create “Kelder”');
    await save(form);
    await form.getByText('Enter a whole number of hours from 1 to 168.').first().waitFor();
    await form.getByLabel('Silent after').fill('2');
    await form.getByRole('tab', { name: 'Users' }).click();
    await pick(form, 'Link a user', app.people.operator.display_name, app.people.operator.display_name);
    await form.getByRole('tab', { name: 'Health' }).click();
    await form.getByText(/for 2 hours, the site becomes silent/).waitFor();
    await save(form);
    await form.getByText('Another site has this ID. Choose another ID.').waitFor();
    // After the refusal, the form opens the tab with the invalid field and focuses this field.
    await page.waitForFunction("document.activeElement?.value === 'BH-0003'");
    await page.reload();
    await form.getByText('Your unsaved input was restored.').waitFor();
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Kelder Road PS');
    // After the reload, the list still has compact rows.
    await row('Keld Top Borehole').waitFor();
    expect(await heightOfRow()).toBeLessThan(32);
    await form.getByLabel('Site ID').fill('PS-0031');
    await save(form);
    await toast('Kelder Road PS was added.').waitFor();
    await form.waitFor({ state: 'detached' });
    await goTo(page, '/admin/sites');
    await row('Kelder Road PS').waitFor();

    const site = await siteNamed('Kelder Road PS');
    expect(site).toMatchObject({
      site_id: 'PS-0031',
      site_type: 'Pump station',
      address: '1 Kelder Road',
      tocsin_health_duration_hours: 2,
    });
    const [group] = await stored(app, 'group', { uuid: site.tocsin_group5_uuid });
    expect(group).toMatchObject({ name: 'Kelder', level: 5, status: true });
    const links = await stored(app, 'site_user', { tocsin_site_uuid: site.uuid });
    expect(links.map((link) => link.tocsin_user_uuid)).toEqual([app.people.operator.uuid]);

    // The site's page shows multi-condition rules too.
    const sensor = await createSensor(app.db, { customer: app.people.customer, site, channels: [{ name: 'Level' }] });
    const high = { fact: sensor.channels[0]?.datapointUuid, operator: 'greaterThan', value: 4 };
    const ruleJson = { conditions: { all: [high] }, event: { type: 'alarm' } };
    await insertRow(app.db, 'tocsin.rules_json', {
      ...{ tocsin_customer_uuid: app.people.customer.uuid, site_id: 'PS-0031', rule_name: 'High and no pump' },
      rule_json: JSON.stringify(ruleJson),
    });
    await serviceQuery(
      app.db,
      `update tocsin.site set site_status = 3, last_update = '2025-11-05T22:14:00Z' where uuid = $1`,
      [site.uuid],
    );
    await goTo(page, `/admin/sites/${site.uuid}`);
    await page.locator('dl > div', { hasText: /^LocationSecond gate$/ }).waitFor();
    await page.locator('dl > div', { hasText: /^StateSilent since 5 Nov/ }).waitFor();
    await page.getByRole('link', { name: 'High and no pump', exact: true }).click();
    await page.waitForURL('**/admin/rules?tab=conditions**');
  });

  long(
    'by keyboard: Enter in a picker chooses and does not save, unchosen text stays, and saving returns to the row',
    async () => {
      const site = await plantSite(app, 'Worked by keys', 'KEY-1');
      await goTo(page, '/admin/sites?q=KEY-1');
      await row('Worked by keys').focus();
      await page.keyboard.press('Enter');
      const form = panel('Worked by keys');
      const district = form.getByRole('combobox', { name: 'Level 4 group' });
      await district.click();
      await page.getByText('No entries yet. Type a name to add an entry.').waitFor();
      await district.fill('Lowlands');
      await district.press('Enter');
      await form.getByText('1 change not saved').waitFor();
      const office = form.getByRole('combobox', { name: 'Unit office (level 5)' });
      // Pressing Enter in the open list chooses no option, because the user has typed nothing.
      await office.click();
      const offer = page.getByRole('listbox').getByRole('option', { name: 'Kelder' });
      await offer.waitFor();
      await office.press('Enter');
      await offer.waitFor({ state: 'hidden' });
      expect(await office.inputValue()).toBe('');
      await form.getByText('1 change not saved').waitFor();
      await office.fill('kel');
      await office.press('Enter');
      await form.getByText('2 changes not saved').waitFor();
      expect(await office.inputValue()).toBe('Kelder');

      await office.fill('Keld');
      await save(form);
      await form.getByText('Choose an entry from the list, or clear the field.').waitFor();
      expect(await office.inputValue()).toBe('Keld');
      expect((await siteNamed('Worked by keys')).tocsin_group5_uuid).toBeNull();
      await office.press('ArrowDown');
      await office.press('Enter');
      await expect.poll(() => office.inputValue()).toBe('Kelder');
      await form.getByRole('tab', { name: 'Users' }).click();
      const link = form.getByRole('combobox', { name: 'Link a user' });
      await link.fill('Nobody');
      await form.getByRole('tab', { name: 'Details' }).click();
      await save(form);
      // The form opens the tab that contains the invalid field.
      await form.getByText('Choose an entry from the list, or clear the field.').waitFor();
      await link.fill('');
      // The user can link several people in a row without leaving the field.
      await link.focus();
      for (const { display_name: name } of [app.people.operator, app.people.manager]) {
        await page.keyboard.insertText(name);
        await page.getByRole('option', { name, exact: true }).waitFor();
        await page.keyboard.press('Enter');
        await form.getByRole('button', { name: `Remove ${name}` }).waitFor();
      }
      await page.keyboard.press('Control+Enter');
      await toast('Worked by keys was saved.').waitFor();
      await form.waitFor({ state: 'detached' });
      await expect
        .poll(() => row('Worked by keys').evaluate((line) => line === (globalThis as any).document.activeElement))
        .toBe(true);
      expect(await stored(app, 'site_user', { tocsin_site_uuid: site.uuid })).toHaveLength(2);
      const kept = await siteNamed('Worked by keys');
      const groups = await Promise.all(
        [kept.tocsin_group4_uuid, kept.tocsin_group5_uuid].map((uuid) => stored(app, 'group', { uuid })),
      );
      expect(groups.map(([group]) => group?.name)).toEqual(['Lowlands', 'Kelder']);
    },
  );

  describe('an existing site', () => {
    let site: SiteRow;
    beforeAll(async () => {
      site = await plantSite(app, 'Dale Street SPS', 'PS-0070');
      await plantAsset(app, site, 'Pump 1');
      await linkUser(app.db, app.people.operator, site);
      await goTo(page, `/admin/sites?q=PS-0070&record=${site.uuid}`);
    });
    const form = () => panel('Dale Street SPS');
    const address = () => form().getByLabel('Address');
    const leave = () => dialog('Leave without saving?');

    test('asks before leaving with changes, and keeps them while the server is unreachable', async () => {
      await address().fill('Mine');
      await form().getByText('1 change not saved').waitFor();
      await form().getByRole('button', { name: 'Cancel' }).click();
      await leave().getByRole('button', { name: 'Stay' }).click();
      await page.route('**/graphql', (route) => route.abort());
      await save(form());
      await form().getByText('The server did not respond. Check your connection and try again.').waitFor();
      await page.unroute('**/graphql');
      expect(await address().inputValue()).toBe('Mine');
    });

    test('tells the second of two managers what the first changed, and lets them choose', async () => {
      const other = await app.browser(app.people.owner);
      const change = (theirs: string) => {
        app.clock.advance(1000);
        return other.data(
          'mutation ($uuid: UUID!, $patch: SitePatch!) { updateSite(input: { uuid: $uuid, patch: $patch }) { site { uuid } } }',
          { uuid: site.uuid, patch: { address: theirs, phoneNumber: '+44 1' } },
        );
      };
      await change('Theirs');
      await save(form());
      const conflict = dialog('This record was changed in the meantime');
      await conflict.getByRole('row', { name: /Address Theirs Mine/ }).waitFor();
      expect(await siteNamed('Dale Street SPS')).toMatchObject({ address: 'Theirs' });
      await conflict.getByRole('button', { name: 'Use saved values' }).click();
      expect(await address().inputValue()).toBe('Theirs');

      await address().fill('Mine again');
      await change('Theirs again');
      await save(form());
      await conflict.getByRole('button', { name: 'Save my values' }).click();
      await toast('Dale Street SPS was saved.').waitFor();
      await form().waitFor({ state: 'detached' });
      expect(await siteNamed('Dale Street SPS')).toMatchObject({ address: 'Mine again' });
    });

    test('links and unlinks reasons of its rule alerts', async () => {
      const customer = { tocsin_customer_uuid: site.tocsin_customer_uuid };
      const alert = await insertRow(app.db, 'tocsin.rule_alert', {
        ...customer,
        tocsin_site_uuid: site.uuid,
        tocsin_rule_name: 'Level high',
      });
      await insertRow(app.db, 'tocsin.reason', { ...customer, rule_uuid: alert.uuid, reason: 'Heavy rain' });
      for (const linked of [1, 0]) {
        await row('Dale Street SPS').click();
        await form().getByRole('tab', { name: 'Reasons' }).click();
        await form().getByRole('group', { name: 'Level high' }).getByLabel('Heavy rain').click();
        await save(form());
        await form().waitFor({ state: 'detached' });
        expect(await stored(app, 'site_reason', { tocsin_site_uuid: site.uuid })).toHaveLength(linked);
      }
    });

    test('stores nothing when left without saving, and a deletion lists what is deleted with the site', async () => {
      await row('Dale Street SPS').click();
      await address().fill('typed, and not saved');
      await form().getByRole('button', { name: 'Cancel' }).click();
      await leave().getByRole('button', { name: 'Leave without saving' }).click();
      await form().waitFor({ state: 'detached' });
      expect(await siteNamed('Dale Street SPS')).toMatchObject({ address: 'Mine again' });

      await row('Dale Street SPS').click();
      await address().fill('typed, and not saved');
      await save(form(), 'Delete');
      const question = dialog('Delete Dale Street SPS?');
      await question.getByText('1 asset', { exact: true }).waitFor();
      await question.getByText('1 user link').waitFor();
      await question.getByRole('button', { name: 'Keep' }).click();
      await save(form(), 'Delete');
      await question.getByRole('button', { name: 'Delete' }).click();
      await toast('Dale Street SPS was deleted.').waitFor();
      await form().waitFor({ state: 'detached' });
      expect(await siteNamed('Dale Street SPS')).toBeUndefined();
    });
  });

  test('is copied under a new ID, and the copy opens with everything below it', async () => {
    const site = await plantSite(app, 'Abbey Lane PS', 'PS-0009');
    await plantAsset(app, site, 'Wet well');
    await goTo(page, `/admin/sites/${site.uuid}`);
    await page.getByRole('button', { name: 'Copy' }).click();
    const copy = dialog('Copy Abbey Lane PS');
    await copy.getByLabel('Site ID').fill('PS-0009');
    await copy.getByRole('button', { name: 'Copy site' }).click();
    await copy.getByText('Another site has this ID. Choose another ID.').waitFor();
    await copy.getByLabel('Site ID').fill('');
    await page.keyboard.insertText('PS-0010'.padEnd(65, '0'));
    await copy.getByRole('button', { name: 'Copy site' }).click();
    await copy.getByText('Too long. Use at most 64 characters.').waitFor();
    await copy.getByLabel('Name').fill('Abbey Lane PS 2');
    await copy.getByLabel('Site ID').fill('PS-0010');
    await copy.getByRole('button', { name: 'Copy site' }).click();
    await page.getByRole('heading', { level: 1, name: 'Abbey Lane PS 2' }).waitFor();
    await page.getByRole('link', { name: 'Wet well' }).click();
    await panel('Wet well').waitFor();
    expect(await panel('Wet well').getByRole('combobox', { name: 'Site' }).inputValue()).toBe(
      'Abbey Lane PS 2, PS-0010',
    );
  });

  test('changes health duration, group and users of many at once, and deletes many', async () => {
    const sites: SiteRow[] = [];
    for (const number of [1, 2, 3]) sites.push(await plantSite(app, `Bulk ${number}`, `BU-${number}`));
    await serviceQuery(app.db, "update tocsin.site set tocsin_health_duration_hours = 2 where site_id = 'BU-3'", []);
    await goTo(page, '/admin/sites?q=Bulk');
    const choose = () => page.getByLabel('Select all on this page').check();
    const bar = page.getByRole('region', { name: 'Selected rows' });
    const stored = () =>
      serviceQuery(app.db, `select * from tocsin.site where uuid = any($1) order by name`, [
        sites.map(({ uuid }) => uuid),
      ]);
    await choose();
    await bar.getByText('3 selected').waitFor();
    await bar.getByRole('button', { name: 'Set silent after' }).click();
    const silent = dialog(/Set “Silent after”/);
    await silent.getByRole('button', { name: 'Set', exact: true }).and(page.locator(':disabled')).waitFor();
    await silent.getByText('Current values: 24 hours (2×), 2 hours (1×).').waitFor();
    await silent.getByLabel('Silent after').fill('6');
    await silent.getByRole('button', { name: 'Set', exact: true }).click();
    await toast('“Silent after” was set to 6 hours for 3 sites.').waitFor();
    expect((await stored()).map((site) => site.tocsin_health_duration_hours)).toEqual([6, 6, 6]);

    await choose();
    await bar.getByRole('button', { name: 'Move to group' }).click();
    const move = dialog('Move 3 sites');
    await move.getByRole('button', { name: 'Move' }).and(page.locator(':disabled')).waitFor();
    await pick(move, 'Group', 'Coldharbour', 'Create “Coldharbour”');
    await move.getByRole('button', { name: 'Move' }).click();
    await toast('3 sites were moved to Coldharbour.').waitFor();
    expect(new Set((await stored()).map((site) => site.tocsin_group5_uuid)).size).toBe(1);
    expect((await stored())[0].tocsin_group5_uuid).not.toBeNull();

    await choose();
    await bar.getByRole('button', { name: 'Move to group' }).click();
    await move.getByLabel('Remove the sites from their group on this level').check();
    await move.getByRole('button', { name: 'Remove from group' }).click();
    await toast('3 sites were removed from their group.').waitFor();
    expect((await stored()).map((site) => site.tocsin_group5_uuid)).toEqual([null, null, null]);

    await choose();
    await bar.getByRole('button', { name: 'Link users' }).click();
    const link = dialog('Link users to 3 sites');
    await pick(link, 'Link a user', app.people.operator.display_name, app.people.operator.display_name);
    await link.getByRole('button', { name: 'Link', exact: true }).click();
    await toast('1 user linked to 3 sites.').waitFor();

    await report(app, sites[0] as SiteRow, 'Bulk hatch');
    await row('Bulk 1').getByRole('checkbox').check();
    await bar.getByRole('button', { name: 'Delete' }).click();
    const one = dialog('Delete Bulk 1?');
    await one.getByText('This also deletes:').waitFor();
    expect(await one.getByRole('listitem').allTextContents()).toEqual(['1 user link']);
    await one.getByText(/1 open alarm is resolved\./).waitFor();
    await one.getByRole('button', { name: 'Cancel' }).click();

    await choose();
    await bar.getByRole('button', { name: 'Delete' }).click();
    const question = dialog('Delete 3 sites?');
    await question.getByText('3 user links').waitFor();
    await question.getByLabel('Type BU-1 to delete Bulk 1').fill('BU-1');
    await question.getByRole('button', { name: 'Delete' }).click();
    await toast('3 sites were deleted.').waitFor();
    expect(await stored()).toEqual([]);
  });
});
