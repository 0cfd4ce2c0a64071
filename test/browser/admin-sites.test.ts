import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { createSite, createUser, insertRow, linkUser, type SiteRow, serviceQuery } from '../harness/factories.ts';
import { expectAccessible } from './accessible.ts';

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

const panel = (name: string, of = page) => of.getByRole('complementary', { name });
const dialog = (name: string | RegExp, of = page) => of.getByRole('dialog', { name });
const toast = (words: string | RegExp, of = page) => of.getByRole('status').filter({ hasText: words });
const row = (name: string, of = page) => of.locator('tr[data-row]').filter({ hasText: name });

/** Types into a picker and takes an option of its list. */
async function pick(within: ReturnType<typeof panel>, label: string, text: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: label }).click();
  await within.getByRole('combobox', { name: label }).fill(text);
  await page.getByRole('option', { name: option, exact: true }).click();
}

const siteNamed = async (name: string) =>
  (
    await serviceQuery(app.db, `select * from tocsin.site where name = $1 and tocsin_customer_uuid = $2`, [
      name,
      app.people.customer.uuid,
    ])
  )[0];

const plantSite = (name: string, siteId: string) => createSite(app.db, { customer: app.people.customer, name, siteId });

describe('sites', () => {
  test('a site is made with all its fields, a group made in place and a linked user', async () => {
    await page.getByRole('button', { name: 'New site' }).first().click();
    const form = panel('New site');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Give the site a name.').waitFor();
    await form.getByText('Give the site an ID, such as PS-0070.').waitFor();

    await form.getByLabel('Name', { exact: true }).fill('Kelder Road PS');
    await form.getByLabel('Site ID').fill('PS-0031');
    await form.getByRole('combobox', { name: 'Type' }).or(form.getByLabel('Type')).first().fill('Pump station');
    await form.getByLabel('Address').fill('1 Kelder Road');
    await form.getByLabel('Silent after').fill('2 h');
    await pick(form, 'Unit office (level 5)', 'Kelder', 'Create “Kelder”');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Give whole hours from 1 to 168.').first().waitFor();
    await form.getByLabel('Silent after').fill('2');
    await form.getByRole('tab', { name: 'Users' }).click();
    await pick(form, 'Link a user', app.people.operator.display_name, app.people.operator.display_name);
    await form.getByRole('tab', { name: 'Health' }).click();
    await form.getByText(/for 2 hours, the site is silent/).waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await toast('Kelder Road PS was added.').waitFor();
    await form.waitFor({ state: 'detached' });
    await row('Kelder Road PS').waitFor();

    const site = await siteNamed('Kelder Road PS');
    expect(site).toMatchObject({
      site_id: 'PS-0031',
      site_type: 'Pump station',
      address: '1 Kelder Road',
      tocsin_health_duration_hours: 2,
    });
    const [group] = await serviceQuery(app.db, 'select * from tocsin.group where uuid = $1', [site.tocsin_group5_uuid]);
    expect(group).toMatchObject({ name: 'Kelder', level: 5, status: true });
    const links = await serviceQuery(app.db, 'select * from tocsin.site_user where tocsin_site_uuid = $1', [site.uuid]);
    expect(links.map((link) => link.tocsin_user_uuid)).toEqual([app.people.operator.uuid]);
  });

  test('an ID that another site has is refused at its field, and nothing that was typed is lost', async () => {
    await plantSite('Keld Top Borehole', 'BH-0003');
    await page.goto('/admin/sites?record=new');
    const form = panel('New site');
    await form.getByLabel('Name', { exact: true }).fill('Crag Foot Borehole');
    await form.getByLabel('Site ID').fill('BH-0003');
    await form.getByRole('tab', { name: 'Health' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Another site has this ID. Choose another ID.').waitFor();
    // The part with the field comes forward, and the field has the focus.
    await page.waitForFunction("document.activeElement?.value === 'BH-0003'");
    await page.reload();
    await form.getByText('What you had typed earlier is here again.').waitFor();
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Crag Foot Borehole');
    await form.getByLabel('Site ID').fill('BH-0004');
    await form.getByRole('button', { name: 'Save' }).click();
    await toast('Crag Foot Borehole was added.').waitFor();
  });

  test('leaving with changes asks first; the server being away loses nothing', async () => {
    const site = await plantSite('Dale Street SPS', 'PS-0070');
    await page.goto(`/admin/sites?record=${site.uuid}`);
    const form = panel('Dale Street SPS');
    await form.getByLabel('Address').fill('9 Dale Street');
    await form.getByText('1 change not saved').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await dialog('Leave without saving?').getByRole('button', { name: 'Stay' }).click();

    await page.route('**/graphql', (route) => route.abort());
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('The server did not answer. Check the connection and try again.').waitFor();
    await page.unroute('**/graphql');
    expect(await form.getByLabel('Address').inputValue()).toBe('9 Dale Street');
    await form.getByRole('button', { name: 'Save' }).click();
    await toast('Dale Street SPS was saved.').waitFor();
    expect(await siteNamed('Dale Street SPS')).toMatchObject({ address: '9 Dale Street' });

    await page.goto(`/admin/sites?record=${site.uuid}`);
    await form.getByLabel('Address').fill('10 Dale Street');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await dialog('Leave without saving?').getByRole('button', { name: 'Leave without saving' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await siteNamed('Dale Street SPS')).toMatchObject({ address: '9 Dale Street' });
  });

  test('the second of two managers is told what the first changed, and chooses', async () => {
    const site = await plantSite('Brigg End SPS', 'PS-0052');
    await page.goto(`/admin/sites?record=${site.uuid}`);
    const form = panel('Brigg End SPS');
    await form.getByLabel('Address').fill('Mine');
    const other = await app.browser(app.people.owner);
    const change = (address: string) => {
      app.clock.advance(1000);
      return other.data(
        'mutation ($uuid: UUID!, $patch: SitePatch!) { updateSite(input: { uuid: $uuid, patch: $patch }) { site { uuid } } }',
        { uuid: site.uuid, patch: { address, phoneNumber: '+44 1' } },
      );
    };
    await change('Theirs');
    await form.getByRole('button', { name: 'Save' }).click();
    const conflict = dialog('Somebody changed it meanwhile');
    await conflict.getByRole('row', { name: /Address Theirs Mine/ }).waitFor();
    expect(await siteNamed('Brigg End SPS')).toMatchObject({ address: 'Theirs' });
    await conflict.getByRole('button', { name: 'Take theirs' }).click();
    expect(await form.getByLabel('Address').inputValue()).toBe('Theirs');

    await form.getByLabel('Address').fill('Mine again');
    await change('Theirs again');
    await form.getByRole('button', { name: 'Save' }).click();
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await toast('Brigg End SPS was saved.').waitFor();
    expect(await siteNamed('Brigg End SPS')).toMatchObject({ address: 'Mine again' });
  });

  test('a deletion says what goes with the site', async () => {
    const site = await plantSite('Old Works', 'OW-1');
    await plantAsset(site, 'Pump 1');
    await linkUser(app.db, app.people.operator, site);
    await page.goto(`/admin/sites?record=${site.uuid}`);
    await panel('Old Works').getByLabel('Address').fill('typed, and not saved');
    await panel('Old Works').getByRole('button', { name: 'Delete' }).click();
    const question = dialog('Delete Old Works?');
    await question.getByText('1 asset', { exact: true }).waitFor();
    await question.getByText('1 link of a person to a site').waitFor();
    await question.getByRole('button', { name: 'Keep' }).click();
    await panel('Old Works').getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await toast('Old Works was deleted.').waitFor();
    await panel('Old Works').waitFor({ state: 'detached' });
    expect(await siteNamed('Old Works')).toBeUndefined();
  });

  test('reasons of its rule alerts are linked and taken off', async () => {
    const site = await plantSite('Reasoned', 'RE-1');
    const customer = { tocsin_customer_uuid: site.tocsin_customer_uuid };
    const alert = await insertRow(app.db, 'tocsin.rule_alert', {
      ...customer,
      tocsin_site_uuid: site.uuid,
      tocsin_rule_name: 'Level high',
    });
    await insertRow(app.db, 'tocsin.reason', { ...customer, rule_uuid: alert.uuid, reason: 'Heavy rain' });
    const linked = () =>
      serviceQuery(app.db, 'select * from tocsin.site_reason where tocsin_site_uuid = $1', [site.uuid]);
    for (const expected of [1, 0]) {
      await page.goto(`/admin/sites?record=${site.uuid}`);
      const form = panel('Reasoned');
      await form.getByRole('tab', { name: 'Reasons' }).click();
      await form.getByRole('group', { name: 'Level high' }).getByLabel('Heavy rain').click();
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'detached' });
      expect(await linked()).toHaveLength(expected);
    }
  });

  test('a copy asks for an ID of its own and opens its page with everything under it', async () => {
    const site = await plantSite('Abbey Lane PS', 'PS-0009');
    await plantAsset(site, 'Wet well');
    await page.goto(`/admin/sites/${site.uuid}`);
    await page.getByRole('button', { name: 'Copy' }).click();
    const copy = dialog('Copy Abbey Lane PS');
    await copy.getByLabel('Site ID').fill('PS-0009');
    await copy.getByRole('button', { name: 'Copy the site' }).click();
    await copy.getByText('Another site has this ID. Choose another ID.').waitFor();
    await copy.getByLabel('Name').fill('Abbey Lane PS 2');
    await copy.getByLabel('Site ID').fill('PS-0010');
    await copy.getByRole('button', { name: 'Copy the site' }).click();
    await page.getByRole('heading', { level: 1, name: 'Abbey Lane PS 2' }).waitFor();
    await page.getByRole('link', { name: 'Wet well' }).click();
    await panel('Wet well').waitFor();
    expect(await panel('Wet well').getByRole('combobox', { name: 'Site' }).inputValue()).toBe(
      'Abbey Lane PS 2, PS-0010',
    );
  });

  test('many at once: silent after, a group, users, and deletion', async () => {
    const sites: SiteRow[] = [];
    for (const number of [1, 2, 3]) sites.push(await plantSite(`Bulk ${number}`, `BU-${number}`));
    await page.goto('/admin/sites?q=Bulk');
    const choose = async () => {
      for (const site of sites) await row(site.name).getByLabel('Select row').check();
    };
    const bar = page.getByRole('region', { name: 'Selected rows' });
    const stored = () =>
      serviceQuery(app.db, `select * from tocsin.site where uuid = any($1) order by name`, [
        sites.map(({ uuid }) => uuid),
      ]);
    await choose();
    await bar.getByText('3 selected').waitFor();
    await bar.getByRole('button', { name: 'Set silent after' }).click();
    await dialog(/Set silent after/)
      .getByLabel('Silent after')
      .fill('6');
    await dialog(/Set silent after/)
      .getByRole('button', { name: 'Set', exact: true })
      .click();
    await toast('3 sites were set to 6 hours.').waitFor();
    expect((await stored()).map((site) => site.tocsin_health_duration_hours)).toEqual([6, 6, 6]);

    await choose();
    await bar.getByRole('button', { name: 'Move to group' }).click();
    await pick(dialog('Move 3 sites'), 'Group', 'Coldharbour', 'Create “Coldharbour”');
    await dialog('Move 3 sites').getByRole('button', { name: 'Move' }).click();
    await toast('3 sites were moved to Coldharbour.').waitFor();
    expect(new Set((await stored()).map((site) => site.tocsin_group5_uuid)).size).toBe(1);
    expect((await stored())[0].tocsin_group5_uuid).not.toBeNull();

    await choose();
    await bar.getByRole('button', { name: 'Link users' }).click();
    const link = dialog('Link users to 3 sites');
    await pick(link, 'Link a user', app.people.operator.display_name, app.people.operator.display_name);
    await link.getByRole('button', { name: 'Link', exact: true }).click();
    await toast('1 user linked to 3 sites.').waitFor();

    await choose();
    await bar.getByRole('button', { name: 'Delete' }).click();
    const question = dialog('Delete 3 sites?');
    await question.getByText('3 links of people to sites').waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await toast('3 sites were deleted.').waitFor();
    expect(await stored()).toEqual([]);
  });

  test('a service account keeps sites, and is offered neither people, rules nor copies', async () => {
    const site = await plantSite('Partner keeps it', 'PK-1');
    const partner = await app.open(`/admin/sites?record=${site.uuid}`, { as: app.people.partner });
    const form = panel('Partner keeps it', partner);
    await form.getByLabel('Address').fill('Kept by a partner');
    expect(await form.getByRole('tab').allTextContents()).toEqual(['Details', 'Health']);
    expect(await form.getByText('Copy with everything under it').count()).toBe(0);
    await form.getByRole('combobox', { name: 'Group of level 2' }).fill('Nobody’s');
    await partner.getByText('Nothing found. Check the spelling.').waitFor();
    await partner.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Save' }).click();
    await toast('Partner keeps it was saved.', partner).waitFor();
    await partner.goto('/admin/groups');
    await row('Kelder', partner).first().waitFor();
    expect(await partner.getByRole('button', { name: 'New group' }).count()).toBe(0);
    await app.leave(partner);
  });
});

function plantAsset(site: SiteRow, name: string) {
  return insertRow(app.db, 'tocsin.asset', {
    tocsin_customer_uuid: site.tocsin_customer_uuid,
    tocsin_site_uuid: site.uuid,
    name,
  });
}

describe('looks', () => {
  test('forms and pages are accessible, wide and light, narrow and dark', async () => {
    const site = await plantSite('Looked at', 'LA-1');
    const asset = await plantAsset(site, 'Pump');
    const group = await insertRow(app.db, 'tocsin.group', {
      tocsin_customer_uuid: site.tocsin_customer_uuid,
      level: 4,
      name: 'Seen',
    });
    await createUser(app.db, { customer: app.people.customer, level: 30 });
    const windows = await Promise.all([
      app.open('/error/4xx', { as: app.people.manager }),
      app.open('/error/4xx', { as: app.people.manager, phone: true, dark: true }),
    ]);
    const paths: [path: string, name: string][] = [
      [`/admin/sites?record=${site.uuid}`, 'Looked at'],
      [`/admin/groups?record=${group.uuid}`, 'Seen'],
      [`/admin/assets?record=${asset.uuid}`, 'Pump'],
    ];
    for (const window of windows) {
      for (const [path, name] of paths) {
        await window.goto(path);
        await panel(name, window).getByRole('button', { name: 'Save' }).waitFor();
        await expectAccessible(window);
        for (const tab of await panel(name, window).getByRole('tab').all()) {
          await tab.click();
          await expectAccessible(window);
        }
      }
      await window.goto(`/admin/sites/${site.uuid}`);
      await window.getByRole('heading', { level: 1, name: 'Looked at' }).waitFor();
      await expectAccessible(window);
      await app.leave(window);
    }
  });
});
