import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInvitation } from '../../server/auth/invitation.ts';
import { PASSWORD } from '../harness/app.ts';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../harness/console.ts';
import { createCustomer, createUser, serviceQuery, type UserRow } from '../harness/factories.ts';
import { settled } from '../harness/settled.ts';
import { type SmtpCatcher, startSmtpCatcher } from '../harness/smtp.ts';

let app: ConsoleApp;
let mail: SmtpCatcher;
beforeAll(async () => {
  mail = await startSmtpCatcher();
  app = await startConsole({ config: { smtpUrl: mail.url } });
});
afterAll(async () => {
  await app?.close();
  await mail?.stop();
  expect(troubles.splice(0)).toEqual([]);
});

const somebody = (values: Partial<Parameters<typeof createUser>[1]> = {}): Promise<UserRow> =>
  createUser(app.db, { customer: app.people.customer, level: 20, password: PASSWORD, ...values });

/** The screen goes to the login three seconds after a success: the page's clock stands still and is turned, nobody waits. */
const turnable = { prepare: (page: Page) => page.clock.install() };

/** Presses the button that sets the password, in a page whose time stands still from before the press, and reads the answer. */
async function backToLoginAfter(page: Page, button: string, answer: string): Promise<void> {
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1000);
  const successes = page.getByRole('region', { name: 'Messages' }).locator('[data-kind=success]');
  const before = await successes.count();
  await page.getByRole('button', { name: button, exact: true }).click();
  await successes.nth(before).waitFor();
  expect((await successes.allTextContents()).filter((words) => words.includes(answer))).toHaveLength(1);
  await page.clock.runFor(2999);
  // Had the time come, the page would have asked who is signed in and gone on by the time two such answers are here.
  for (let round = 1; round <= 2; round += 1)
    await page.evaluate("fetch('/api/v1/auth/login').then((answer) => answer.text())");
  expect(new URL(page.url()).pathname).not.toBe('/auth/login');
  await page.clock.runFor(1);
  await page.waitForURL('**/auth/login');
  await page.clock.resume();
}

describe('login', () => {
  test('says what the specification says, and leads to the reports', async () => {
    const page = await app.open('/auth/login');
    await page.getByRole('heading', { name: 'Welcome,Please Login' }).waitFor();
    await page.getByText(/^Version \d+\.\d+\.\d+$/).waitFor();
    expect(await page.getByRole('link', { name: 'Forgot Password?' }).getAttribute('href')).toBe('/auth/forgot');
    expect(await page.getByRole('banner').count()).toBe(0);
    expect(await page.getByRole('contentinfo').count()).toBeLessThanOrEqual(1);

    await signInByForm(page, app.people.owner.email);
    await page.waitForURL('**/reports');
    const stored = await page.evaluate("[localStorage.getItem('userID'), localStorage.getItem('userlevel')]");
    expect(stored).toEqual([app.people.owner.uuid, '-10']);
    const cookies = await page.context().cookies();
    expect(cookies.find(({ name }) => name === 'tocsin_session')?.httpOnly).toBe(true);
    await app.leave(page);
  });

  test('shows and hides the password', async () => {
    const page = await app.open('/auth/login');
    const field = page.getByLabel('Password', { exact: true });
    await field.fill('secret');
    const eye = page.getByRole('button', { name: 'Show password' });
    await eye.click();
    expect(await field.getAttribute('type')).toBe('text');
    await eye.click();
    expect(await field.getAttribute('type')).toBe('password');
    await app.leave(page);
  });

  test('asks the server only when both fields are filled', async () => {
    const page = await app.open('/auth/login');
    for (const label of ['User Name', 'Password'])
      expect(await page.getByLabel(label, { exact: true }).getAttribute('required'), label).not.toBeNull();
    let calls = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') calls += 1;
    });
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.getByLabel('User Name').fill('somebody@plant.example');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    expect(calls).toBe(0);
    await app.leave(page);
  });

  test('a wrong password is a toast with the server’s words, and the person stays', async () => {
    const page = await app.open('/auth/login');
    await signInByForm(page, app.people.owner.email, 'wrong password');
    const toast = page.getByRole('alert');
    await toast.waitFor();
    expect(await toast.textContent()).toMatch(/e-mail|password/i);
    expect(new URL(page.url()).pathname).toBe('/auth/login');
    await app.leave(page);
  });

  test('browser back is trapped', async () => {
    const page = await app.open('/auth/forgot');
    await page.getByRole('link', { name: /back/i }).click();
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/auth/login');
    await app.leave(page);
  });

  test('an ended session leads to the login screen and back to the same place', async () => {
    const person = await somebody({ level: 5 });
    const page = await app.open('/admin/groups', { as: person });
    // What the page still asks for would find the session gone before the click does.
    await settled(page);
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Sites' }).focus();
    await app.db.transaction({ role: 'tocsin_service', settings: {} }, (tx) =>
      tx.query('delete from tocsin_private.session where user_uuid = $1', [person.uuid]),
    );
    // By its key, which waits for nothing: the page's live connection notices the end a moment later.
    await page.keyboard.press('Enter');
    await page.waitForURL('**/auth/login**');
    await signInByForm(page, person.email);
    await page.waitForURL('**/admin/sites');
    await app.leave(page);
  });
});

describe('the shared password screen', () => {
  test('verify: a right password that is not verified asks for the code that was mailed', async () => {
    const person = await somebody({ varified: false });
    const page = await app.open('/auth/login', turnable);
    await signInByForm(page, person.email);
    await page.waitForURL('**/auth/verify');
    const message = await mail.waitFor((caught) => caught.to.includes(person.email));
    const code = /\b\d{6}\b/.exec(message.text)?.[0] ?? '';

    const button = page.getByRole('button', { name: 'Verify', exact: true });
    await page.getByLabel('Code').fill(code);
    await page.getByLabel('New password').fill('another long password');
    await page.getByLabel('Confirm password').fill('another long passwor');
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel('Confirm password').fill('another long password');
    await backToLoginAfter(
      page,
      'Verify',
      'Your e-mail address is confirmed and the new password is set. Sign in with it.',
    );
    await signInByForm(page, person.email, 'another long password');
    await page.waitForURL('**/reports');
    await app.leave(page);
  });

  test('activation: the link of an invitation opens the screen, sets a password and works once', async () => {
    const owner = await app.browser(app.people.owner);
    const email = 'invited@plant.example';
    await owner.data('mutation ($user: UserInput!) { createUser(input: { user: $user }) { user { uuid } } }', {
      user: { username: 'invited', displayName: 'Invited', email, level: 30 },
    });
    await app.engine?.tick();
    const message = await mail.waitFor((caught) => caught.to.includes(email));
    const link = new URL(/https?:\/\/\S+\/auth\/activation\S+/.exec(message.text)?.[0] ?? '');

    const page = await app.open(`${link.pathname}${link.search}`, turnable);
    await page.getByLabel('New password').fill('a brand new password');
    await page.getByLabel('Confirm password').fill('a brand new password');
    await backToLoginAfter(page, 'Activate', 'Your account is active. Sign in with your new password.');
    expect(await page.getByLabel('User Name').inputValue()).toBe(email);
    await signInByForm(page, email, 'a brand new password');
    await page.waitForURL('**/reports');
    await app.leave(page);
  });

  test('activation under the host name of another customer: the page says where to sign in, and leads there', async () => {
    const west = await createCustomer(app.db, { name: 'West Works', endPoint: 'west.example' });
    const person = await createUser(app.db, { customer: west, varified: false });
    const deps = { db: app.db, clock: app.clock, publicUrl: 'https://console.example' };
    const link = new URL((await createInvitation(deps, person.uuid))!.link);
    expect(link.host).toBe('west.example');

    const page = await app.open(`${link.pathname}${link.search}`, turnable);
    await page.getByLabel('New password').fill('a brand new password');
    await page.getByLabel('Confirm password').fill('a brand new password');
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByText(/^Your account is active\. Sign in to West Works at http/).waitFor();
    const there = await page.getByRole('link', { name: /^Sign in at west\.example/ }).getAttribute('href');
    expect(there).toMatch(/^http:\/\/west\.example:\d+\/auth\/login$/);
    await app.leave(page);
  });

  test('change password: a wrong current one is refused, the right one leads back to login after three seconds', async () => {
    const person = await somebody();
    const page = await app.open('/auth/change-password', { as: person, ...turnable });
    const fill = async (current: string) => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password').fill('a changed password');
      await page.getByLabel('Confirm password').fill('a changed password');
    };
    await fill(PASSWORD);
    await page.getByLabel('New password').fill('short');
    await page.getByLabel('Confirm password').focus();
    await page.getByText('The password needs at least 10 characters.').waitFor();
    await page.getByLabel('Confirm password').fill('short');
    await page.getByRole('button', { name: 'Change Password', exact: true }).click();
    await page.getByText('The password needs at least 10 characters.').waitFor();
    expect(await page.getByLabel('New password').getAttribute('aria-invalid')).toBe('true');
    await fill('not my password');
    expect(await page.getByText('The password needs at least 10 characters.').count()).toBe(0);
    await page.getByRole('button', { name: 'Change Password', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).pathname).toBe('/auth/change-password');
    await fill(PASSWORD);
    await backToLoginAfter(page, 'Change Password', 'Your password is changed. Sign in with the new one.');
    await signInByForm(page, person.email, 'a changed password');
    await page.waitForURL('**/reports');
    await app.leave(page);
  });
});

describe('forgot password', () => {
  test('with a mail channel the form sends a code and sets a new password, with the toasts of the specification', async () => {
    const person = await somebody();
    const page = await app.open('/auth/forgot', turnable);
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('Otp sent to email sent please verify').waitFor();
    expect(await page.getByLabel('E-mail').getAttribute('readonly')).not.toBeNull();
    const message = await mail.waitFor((caught) => caught.to.includes(person.email));
    await page.getByLabel('Code').fill(/\b\d{6}\b/.exec(message.text)?.[0] ?? '');
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('The password needs at least 10 characters.').waitFor();
    await page.getByLabel('New password').fill('a recovered password');
    await backToLoginAfter(page, 'Submit', 'Your new password is set. Sign in with it.');
    await signInByForm(page, person.email, 'a recovered password');
    await page.waitForURL('**/reports');
    await app.leave(page);
  });

  test('the form stands below the notice, asks for the e-mail alone at first, and then requires code and password', async () => {
    const person = await somebody();
    const page = await app.open('/auth/forgot');
    const later = ['Code', 'New password'];
    await page.getByText(/contact your provider/i).waitFor();
    await page.getByLabel('E-mail').fill(person.email);
    for (const label of later) expect(await page.getByLabel(label).count(), label).toBe(0);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Code').waitFor();
    for (const label of later) expect(await page.getByLabel(label).getAttribute('required'), label).not.toBeNull();
    await app.leave(page);
  });

  test('an answer that says no is told in the words of the specification, and asks for the e-mail again', async () => {
    const page = await app.open('/auth/forgot');
    // The server never tells whether there is an account, so the answer is given in its place.
    await page.route('**/api/v1/auth/forgot', (route) => route.fulfill({ json: false }));
    await page.getByLabel('E-mail').fill('nobody@plant.example');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('alert').filter({ hasText: 'Failed to find details please contact admin' }).waitFor();
    expect(await page.getByLabel('E-mail').getAttribute('readonly')).toBeNull();
    expect(await page.getByLabel('Code').count()).toBe(0);
    await app.leave(page);
  });

  test('without one it only says whom to contact', async () => {
    const page = await app.open('/error/4xx');
    await page.route('**/api/v1/config', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), mail: false } });
    });
    await page.goto('/auth/forgot');
    await page.getByText(/contact your provider/i).waitFor();
    expect(await page.getByLabel('E-mail').count()).toBe(0);
    await app.leave(page);
  });

  test('whom to contact is a link to their e-mail and one to a messaging app', async () => {
    const contact = (email: string, phone: string) =>
      serviceQuery(app.db, 'update tocsin.customer set email = $2, phone = $3 where uuid = $1', [
        app.people.customer.uuid,
        email,
        phone,
      ]);
    await contact('help@provider.example', '+44 7700 900123');
    const page = await app.open('/auth/forgot');
    const leadsTo = (name: string) => page.getByRole('link', { name }).getAttribute('href');
    expect(await leadsTo('help@provider.example')).toBe('mailto:help@provider.example');
    expect(await leadsTo('+44 7700 900123')).toBe('https://wa.me/447700900123');
    await contact('', '+44 (0)7700 900123');
    await page.reload();
    expect(await leadsTo('+44 (0)7700 900123')).toBe('https://wa.me/447700900123');
    await contact('', '');
    await app.leave(page);
  });
});
