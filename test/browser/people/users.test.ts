import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createSite, createUser } from '../../harness/database/factories.ts';
import { inWindow, stored } from '../support/admin.ts';

let app: ConsoleApp;
let page: Page;
beforeAll(async () => {
  app = await startConsole();
  page = await app.open('/admin/users', { as: app.people.manager });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { panel, dialog, toast, row, save } = inWindow(() => page);

const person = (displayName: string, more: Partial<Parameters<typeof createUser>[1]> = {}) =>
  createUser(app.db, { customer: app.people.customer, displayName, level: 30, ...more });
const userNamed = async (name: string) => (await stored(app, 'user', { display_name: name }))[0];
const outboxTo = (address: string) => stored(app, 'outbox', { address });

/** Returns the colour of the placeholder in an empty field. */
const placeholderColor = (field: Locator): Promise<string> =>
  field.evaluate((input) => (globalThis as any).getComputedStyle(input, '::placeholder').color);

describe('people', () => {
  test('a new user is invited with sites, without a password or code', async () => {
    const site = await createSite(app.db, { customer: app.people.customer, name: 'Holmwick Booster', siteId: 'BS-12' });
    const sent: string[] = [];
    const listen = (request: { url(): string; postData(): string | null }) => {
      if (request.url().endsWith('/graphql')) sent.push(request.postData() ?? '');
    };
    page.on('request', listen);
    await page.getByRole('button', { name: 'New user' }).click();
    const form = panel('New user');
    // A form focuses its first field when it opens, except on a phone.
    await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("data-path")')).toBe('displayName');
    // Required fields are marked. The phone number is required only for SMS or WhatsApp.
    expect(await form.getByLabel('Name', { exact: true }).getAttribute('aria-required')).toBe('true');
    expect(await form.getByLabel('Phone number').getAttribute('aria-required')).toBeNull();
    const ordinary = await placeholderColor(form.getByLabel('Phone number'));
    expect(ordinary).toMatch(/^(rgb|oklch|color)/);
    // Managers have no access to the outbox, so the form tells them to ask an owner.
    await form.getByText('stays in the outbox. Ask an owner to pass the link on.').waitFor();
    await save(form, 'Invite');
    await form.getByText('Enter a name.').waitFor();
    await form.getByLabel('Name', { exact: true }).fill('Lena Voss');
    await form.getByLabel('User name').fill('lena');
    await form.getByLabel('E-mail', { exact: true }).first().fill('lena at plant');
    await save(form, 'Invite');
    await form.getByText(/Enter an e-mail address, such as/).waitFor();
    await form.getByLabel('E-mail', { exact: true }).first().fill('lena@plant.example');
    await form.getByRole('tab', { name: 'Notifications' }).click();
    await form.getByLabel('SMS').check();
    await save(form, 'Invite');
    await form.getByText('SMS and WhatsApp need a phone number.').waitFor();
    const phone = form.getByLabel('Phone number');
    expect(await phone.getAttribute('aria-required')).toBe('true');
    expect(await placeholderColor(phone)).toBe(ordinary);
    await form.getByLabel('Phone number').fill('+44 7700 900 318');
    await form.getByRole('tab', { name: 'Sites' }).click();
    await form.getByRole('combobox', { name: 'Link a site' }).fill('holmwick');
    await page.getByRole('option', { name: 'Holmwick Booster, BS-12' }).click();
    await save(form, 'Invite');
    await toast('The invitation for Lena Voss will be in the outbox in a few seconds.').waitFor();
    page.off('request', listen);
    await row('Lena Voss').getByText('Invited').waitFor();
    expect(sent.some((body) => body.includes('saveUser'))).toBe(true);
    expect(sent.join(' ')).not.toMatch(/"(password|otp|varified)"/);

    const user = await userNamed('Lena Voss');
    expect(user).toMatchObject({
      level: 20,
      varified: false,
      sms_notification: true,
      phone_number: '+44 7700 900 318',
    });
    const links = await stored(app, 'site_user', { tocsin_user_uuid: user.uuid });
    expect(links.map((link) => link.tocsin_site_uuid)).toEqual([site.uuid]);
    await app.engine?.tick();
    expect(await outboxTo('lena@plant.example')).toHaveLength(1);
  });

  test('sends the invitation again, but not twice in a minute', async () => {
    app.clock.advance(5 * 60_000);
    await row('Lena Voss').click();
    const form = panel('Lena Voss');
    await form.getByRole('button', { name: 'Send again' }).click();
    await toast('The invitation for lena@plant.example will be in the outbox in a few seconds.').waitFor();
    await form.getByRole('button', { name: 'Send again' }).click();
    await form.getByText(/less than a minute ago.+Without a mail server, the link is in the outbox/).waitFor();
    await app.engine?.tick();
    expect(await outboxTo('lena@plant.example')).toHaveLength(2);
  });

  test('a user who forgot their password gets a link to choose a new one', async () => {
    const forgetful = await person('Forgetful', {
      email: 'forgetful@plant.example',
      password: 'the-forgotten-password',
    });
    await goTo(page, `/admin/users?q=Forgetful&record=${forgetful.uuid}`);
    await panel('Forgetful').getByRole('button', { name: 'Send reset link' }).click();
    await toast('The link for forgetful@plant.example will be in the outbox in a few seconds.').waitFor();
    await app.engine?.tick();
    const [mail] = await outboxTo('forgetful@plant.example');
    const visitor = await app.open(/\/auth\/activation\?\S+/.exec(mail.body)![0]);
    await visitor.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await visitor.getByRole('button', { name: 'Set password' }).waitFor();
    await app.leave(visitor);
  });

  test('refuses a taken address or user name at its field, keeps the form open while the list is searched, and reports a change by somebody else', async () => {
    await person('Taken', { email: 'taken@plant.example', username: 'taken' });
    const other = await person('Other');
    await goTo(page, `/admin/users?record=${other.uuid}`);
    const form = panel('Other');
    await form.getByLabel('E-mail', { exact: true }).first().fill('Taken@plant.example');
    await form.getByText(/The new address must be verified/).waitFor();
    await save(form);
    await form.getByText('Another user has this e-mail address. Use another.').waitFor();
    await form.getByLabel('E-mail', { exact: true }).first().fill(other.email);
    await form.getByLabel('User name').fill('TAKEN');
    await save(form);
    await form.getByText('Another user has this user name. Choose another.').waitFor();
    await form.getByLabel('User name').fill('other-one');

    // Searching the list keeps the form's unsaved text and shows no confirmation dialog.
    await page.getByRole('searchbox').first().fill('Other');
    await page.waitForURL(/q=Other/);
    expect(await dialog('Leave without saving?').count()).toBe(0);
    expect(await form.getByLabel('User name').inputValue()).toBe('other-one');
    await form.getByText('1 change not saved').waitFor();
    await form.getByRole('button', { name: 'Close' }).click();
    await dialog('Leave without saving?').getByRole('button', { name: 'Stay' }).click();

    await form.getByLabel('Phone number').fill('+44 7700 900 001');
    app.clock.advance(1000);
    const owner = await app.browser(app.people.owner);
    await owner.data(
      'mutation ($uuid: UUID!) { updateUser(input: { uuid: $uuid, patch: { phoneNumber: "+44 7700 900 002" } }) { user { uuid } } }',
      { uuid: other.uuid },
    );
    await save(form);
    const conflict = dialog('This record was changed in the meantime');
    await conflict.getByRole('row', { name: /Phone number \+44 7700 900 002 \+44 7700 900 001/ }).waitFor();
    await conflict.getByRole('button', { name: 'Save my values' }).click();
    await toast('Other was saved.').waitFor();
    expect(await userNamed('Other')).toMatchObject({
      username: 'other-one',
      email: other.email,
      phone_number: '+44 7700 900 001',
    });
  });

  test('lists and offers only higher level numbers', async () => {
    await person('Above', { level: 3 });
    await person('Equal', { level: 5 });
    await person('Below', { level: 6 });
    // Managers cannot open their own account in the list of users.
    await goTo(page, `/admin/users?record=${app.people.manager.uuid}`);
    await row('Below').waitFor();
    expect(await page.getByRole('complementary').count()).toBe(0);
    for (const name of ['Above', 'Equal', app.people.manager.display_name, app.people.owner.display_name])
      expect(
        await row(name)
          .filter({ hasText: new RegExp(`^.*${name}\\b(?! \\d)`) })
          .count(),
        name,
      ).toBe(0);
    await row('Below').click();
    const form = panel('Below');
    await form.getByLabel('Level').waitFor();
    const offered = await form.getByLabel('Level').locator('option').allTextContents();
    expect(offered.slice(0, 5)).toEqual(['6, manager', '7, manager', '8, manager', '9, manager', '10, operator']);
    expect(await form.getByText('Partner account').count()).toBe(0);
  });

  test('shows the result of a test message, shows and ends sessions, and disabling a user ends them at once', async () => {
    const worker = await person('Signed In', { email: 'worker@plant.example', password: 'a long enough password' });
    const theirs = await app.browser(worker);
    await goTo(page, `/admin/users?record=${worker.uuid}`);
    const form = panel('Signed In');
    await form.getByRole('tab', { name: 'Notifications' }).click();
    await form.getByRole('button', { name: 'Send test message by SMS' }).click();
    await form.getByText('The profile has no phone number. Add one on the Users page.').waitFor();
    await form.getByRole('button', { name: 'Send test message by E-mail' }).click();
    await form.getByText('Test waiting to be sent.').waitFor();
    await app.engine?.tick();
    await form.getByText('Test not sent, no sender is set up.').waitFor();
    expect(await outboxTo('worker@plant.example')).toHaveLength(1);

    await form.getByRole('tab', { name: 'Sessions' }).click();
    await form.getByRole('button', { name: 'End this session' }).click();
    await toast('1 session of Signed In ended.').waitFor();
    await form.getByText('Signed In is not signed in anywhere.').waitFor();
    expect((await theirs.graphql('{ sites { totalCount } }')).status).toBe(401);

    const again = await app.browser(worker);
    await form.getByRole('tab', { name: 'Details' }).click();
    await form.getByLabel('Enabled').uncheck();
    await save(form);
    await toast('Signed In was saved.').waitFor();
    expect((await again.graphql('{ sites { totalCount } }')).status).toBe(401);
  });

  test('disables many at once, invites many again and names those left out, and deletes one', async () => {
    const names = ['Bulk Ada', 'Bulk Bo'];
    await person('Bulk Ada', { varified: false });
    await person('Bulk Bo', { password: 'a long enough password' });
    await goTo(page, '/admin/users?q=Bulk');
    const bar = page.getByRole('region', { name: 'Selected rows' });
    const choose = async () => {
      for (const name of names) await row(name).getByLabel(`Select ${name}`, { exact: true }).check();
    };
    await choose();
    await bar.getByRole('button', { name: 'Invite again' }).click();
    const invite = dialog(/^Invite \d users? again\?$/);
    await invite.getByRole('button', { name: 'Invite again' }).click();
    await invite.getByText(/This user already has a password/).waitFor();
    await toast('1 user invited again.').waitFor();
    await invite.getByRole('button', { name: 'Cancel' }).click();
    await bar.getByText('1 selected').waitFor();

    await choose();
    await bar.getByRole('button', { name: 'Disable' }).click();
    await dialog('Disable 2 users?').getByRole('button', { name: 'Disable' }).click();
    await toast('2 users disabled.').waitFor();
    for (const name of names) expect(await userNamed(name)).toMatchObject({ status: false });

    await row('Bulk Ada').click();
    await save(panel('Bulk Ada'), 'Delete');
    await dialog('Delete Bulk Ada?').getByRole('button', { name: 'Delete' }).click();
    await toast('Bulk Ada was deleted.').waitFor();
    expect(await userNamed('Bulk Ada')).toBeUndefined();
  });
});
