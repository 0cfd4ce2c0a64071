/** The sign-in screens: their texts, their exact requests, and how they react to the server's responses. */
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInvitation } from '../../../server/auth/password/invitation.ts';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../../harness/browser/console.ts';
import { settled } from '../../harness/browser/settled.ts';
import { createCustomer, createUser, serviceQuery, type UserRow } from '../../harness/database/factories.ts';
import { type SmtpCatcher, startSmtpCatcher } from '../../harness/provider/smtp.ts';
import { PASSWORD } from '../../harness/server/app.ts';
import { base64 } from '../../harness/server/auth-app.ts';

const NEW = 'Grüße aus dem Werk';
const WRONG_CODE = 'This code is wrong or has expired. Request a new one.';
const TOO_SHORT = 'The password needs at least 10 characters.';
const GUESSED = /^This password is easy to guess\./;

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

/** Calls `act` and returns the body of the auth request `name` that the page then sends. */
async function callOf(page: Page, name: string, act: () => Promise<void>): Promise<unknown> {
  const path = `/api/v1/auth/${name}`;
  const coming = page.waitForRequest((call) => call.method() === 'POST' && new URL(call.url()).pathname === path);
  await act();
  return (await coming).postDataJSON();
}

const press = (page: Page, button: string) => () => page.getByRole('button', { name: button, exact: true }).click();
const told = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words }).waitFor();

test('login has the texts of the specification, reports a refusal, and leads to the reports', async () => {
  const { owner, customer } = app.people;
  const page = await app.open('/auth/forgot');
  await page.getByRole('link', { name: /back/i }).click();
  await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/auth/login');

  await page.getByRole('heading', { name: 'Welcome,Please Login' }).waitFor();
  await page.getByText(/^Version \d+\.\d+\.\d+$/).waitFor();
  expect(await page.getByRole('link', { name: 'Forgot Password?' }).getAttribute('href')).toBe('/auth/forgot');
  expect(await page.getByRole('banner').count()).toBe(0);
  expect(await page.getByRole('contentinfo').count()).toBeLessThanOrEqual(1);

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

  const field = page.getByLabel('Password', { exact: true });
  await field.fill('secret');
  const eye = page.getByRole('button', { name: 'Show password' });
  await eye.click();
  expect(await field.getAttribute('type')).toBe('text');
  await eye.click();
  expect(await field.getAttribute('type')).toBe('password');

  await signInByForm(page, owner.email, 'wrong password');
  const toast = page.getByRole('alert');
  await toast.waitFor();
  expect(await toast.textContent()).toMatch(/e-mail|password/i);
  expect(new URL(page.url()).pathname).toBe('/auth/login');

  const question = page.waitForRequest((call) => new URL(call.url()).pathname === '/graphql');
  expect(await callOf(page, 'login', () => signInByForm(page, owner.email))).toEqual({
    email: owner.email,
    password: base64(PASSWORD),
    tocsin_customer_id: customer.id,
  });
  await page.waitForURL('**/reports');
  // Earlier error messages disappear after sign-in.
  expect(await page.locator('[data-kind=error][data-phase=shown]').count()).toBe(0);
  const stored = await page.evaluate("[localStorage.getItem('userID'), localStorage.getItem('userlevel')]");
  expect(stored).toEqual([owner.uuid, '-10']);
  const cookies = await page.context().cookies();
  expect(cookies.find(({ name }) => name === 'tocsin_session')?.httpOnly).toBe(true);
  expectWholeQuestion(await question);
  await app.leave(page);
});

/** Expects a GraphQL request to contain the operation's name, text and variables. */
function expectWholeQuestion(call: Request): void {
  const { operationName, query, variables } = call.postDataJSON();
  expect(operationName).toMatch(/^\w+$/);
  expect(query).toMatch(new RegExp(`\\bquery ${operationName}\\b`));
  expect(variables).toBeTypeOf('object');
}

test('the end of a session leads to sign-in and back to the same page', async () => {
  const person = await somebody({ level: 5 });
  const page = await app.open('/admin/groups', { as: person });
  // Waits until no request is open. Otherwise a request could detect the ended session before the click does.
  await settled(page);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Sites' }).focus();
  await app.db.transaction({ role: 'tocsin_service', settings: {} }, (tx) =>
    tx.query('delete from tocsin_private.session where user_uuid = $1', [person.uuid]),
  );
  // Presses Enter immediately. Otherwise the live connection would detect the ended session first.
  await page.keyboard.press('Enter');
  await page.waitForURL('**/auth/login**');
  await signInByForm(page, person.email);
  await page.waitForURL('**/admin/sites');
  await app.leave(page);
});

describe('screens that set a password', () => {
  /**
   * All steps share this window. The first steps need a signed-in user; the later steps need a visitor without a
   * session.
   */
  let page: Page;
  let person: UserRow;
  beforeAll(async () => {
    // These screens open the login page after three seconds, so the test controls the page's clock.
    page = await app.open('/auth/login', { prepare: (tab) => tab.clock.install() });
  });
  afterAll(async () => {
    if (page) await app.leave(page);
  });

  async function openAsVisitor(path: string): Promise<void> {
    // Leaves the console first, because an open page would try to subscribe without a session.
    await page.goto('/api/v1/config');
    await page.context().clearCookies();
    await page.goto(path);
  }

  async function fillNewPassword(password: string): Promise<void> {
    await page.getByLabel('New password').fill(password);
    await page.getByLabel('Confirm password').fill(password);
  }

  /** Returns the expected request body of the form that sets a password with a code. */
  const sentWith = (uuid: string, otp: string, password = NEW) => {
    return { uuid, ppassword: '', password: base64(password), cpassword: base64(password), otp };
  };

  /**
   * Presses the button that sets the password, checks the message, and expects the login page after exactly three
   * seconds.
   */
  async function backToLoginAfter(button: string, answer: string): Promise<void> {
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1000);
    const successes = page.getByRole('region', { name: 'Messages' }).locator('[data-kind=success]');
    const before = await successes.count();
    await page.getByRole('button', { name: button, exact: true }).click();
    await successes.nth(before).waitFor();
    expect((await successes.allTextContents()).filter((words) => words.includes(answer))).toHaveLength(1);
    await page.clock.runFor(2999);
    // These requests take real time. If the page's clock were not paused, the page could open the login page in the
    // meantime.
    for (let round = 1; round <= 2; round += 1)
      await page.evaluate("fetch('/api/v1/auth/login').then((answer) => answer.text())");
    expect(new URL(page.url()).pathname).not.toBe('/auth/login');
    await page.clock.runFor(1);
    await page.waitForURL('**/auth/login');
    await page.clock.resume();
  }

  test('verify: an unverified user with the right password enters the mailed code, and a wrong code is refused', async () => {
    person = await somebody({ varified: false });
    expect(await callOf(page, 'verify', () => signInByForm(page, person.email))).toEqual({
      email: person.email,
      username: person.username,
      tocsin_customer_id: app.people.customer.id,
    });
    await told(page, 'Your e-mail address is not confirmed yet.');
    await page.waitForURL('**/auth/verify');
    const message = await mail.waitFor((caught) => caught.to.includes(person.email));
    const code = /\b\d{6}\b/.exec(message.text)?.[0] ?? '';
    // If the request for a code fails, the page does not show the code field.
    await page.context().setOffline(true);
    await press(page, 'Send the code again')();
    await page.getByText(`The code could not be sent to ${person.email}. Try again in a few minutes`).waitFor();
    expect(await page.getByText('then choose a password').count()).toBe(0);
    await page.context().setOffline(false);

    const button = page.getByRole('button', { name: 'Verify', exact: true });
    const wrong = code === '012345' ? '012346' : '012345';
    await page.getByLabel('Code').fill(wrong);
    await page.getByLabel('New password').fill(NEW);
    await page.getByLabel('Confirm password').fill(NEW.slice(0, -1));
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel('Confirm password').fill(NEW);
    expect(await callOf(page, 'register', press(page, 'Verify'))).toEqual(sentWith(person.uuid, wrong));
    await told(page, WRONG_CODE);
    await page.getByLabel('Code').fill(code);
    await backToLoginAfter(
      'Verify',
      'Your e-mail address is confirmed and the new password is set. Sign in with the new password.',
    );
    await signInByForm(page, person.email, NEW);
    await page.waitForURL('**/reports');
  });

  test('change password: a wrong current password is refused, the right one leads to login after three seconds', async () => {
    await page.goto('/auth/change-password');
    const fill = async (current: string) => {
      await page.getByLabel('Current password').fill(current);
      await fillNewPassword('a changed password');
    };
    await fill(NEW);
    await page.getByLabel('New password').fill('short');
    await page.getByLabel('Confirm password').focus();
    await page.getByText(TOO_SHORT).waitFor();
    await page.getByLabel('Confirm password').fill('short');
    await press(page, 'Change Password')();
    await page.getByText(TOO_SHORT).waitFor();
    expect(await page.getByLabel('New password').getAttribute('aria-invalid')).toBe('true');
    await fillNewPassword('password12');
    expect(await page.getByText(TOO_SHORT).count()).toBe(0);
    await press(page, 'Change Password')();
    await page.getByText(GUESSED).waitFor();
    expect(await page.getByLabel('New password').getAttribute('aria-invalid')).toBe('true');
    await fill('not my password');
    expect(await page.getByText(GUESSED).count()).toBe(0);
    expect(await callOf(page, 'changepassword', press(page, 'Change Password'))).toEqual({
      uuid: person.uuid,
      ppassword: base64('not my password'),
      password: base64('a changed password'),
      cpassword: base64('a changed password'),
      otp: null,
    });
    await told(page, 'The current password is wrong.');
    expect(new URL(page.url()).pathname).toBe('/auth/change-password');
    await fill(NEW);
    await backToLoginAfter('Change Password', 'Your password has been changed. Sign in with the new one.');
    await signInByForm(page, person.email, 'a changed password');
    await page.waitForURL('**/reports');
  });

  test('activation: the invitation link opens the screen, a wrong code is refused, the right one sets a password', async () => {
    const owner = await app.browser(app.people.owner);
    const email = 'invited@plant.example';
    const made = await owner.data(
      'mutation ($user: UserInput!) { createUser(input: { user: $user }) { user { uuid } } }',
      { user: { username: 'invited', displayName: 'Invited', email, level: 30 } },
    );
    await app.engine?.tick();
    const message = await mail.waitFor((caught) => caught.to.includes(email));
    const link = new URL(/https?:\/\/\S+\/auth\/activation\S+/.exec(message.text)?.[0] ?? '');

    await openAsVisitor(`${link.pathname}${link.search}`);
    const code = link.searchParams.get('code') ?? '';
    expect(await page.getByLabel('Code').inputValue()).toBe(code);
    await fillNewPassword(NEW);
    await page.getByLabel('Code').fill('001234');
    const { uuid } = made.createUser.user;
    expect(await callOf(page, 'activate', press(page, 'Activate'))).toEqual(sentWith(uuid, '001234'));
    await told(page, WRONG_CODE);
    await page.getByLabel('Code').fill(code);
    await backToLoginAfter('Activate', 'Your account is active. Sign in with your new password.');
    expect(await page.getByLabel('User Name').inputValue()).toBe(email);
    await signInByForm(page, email, NEW);
    await page.waitForURL('**/reports');
  });

  test('activation under another customer’s host name says where to sign in, with a link', async () => {
    const west = await createCustomer(app.db, { name: 'West Works', endPoint: 'west.example' });
    const invited = await createUser(app.db, { customer: west, varified: false });
    const deps = { db: app.db, clock: app.clock, publicUrl: 'https://console.example' };
    const link = new URL((await createInvitation(deps, invited.uuid))!.link);
    expect(link.host).toBe('west.example');

    await openAsVisitor(`${link.pathname}${link.search}`);
    await fillNewPassword('a brand new password');
    const code = link.searchParams.get('code') ?? '';
    expect(await callOf(page, 'activate', press(page, 'Activate'))).toEqual(
      sentWith(invited.uuid, code, 'a brand new password'),
    );
    await page.getByText(/^Your account is active\. Sign in to West Works at http/).waitFor();
    const there = await page.getByRole('link', { name: /^Sign in at west\.example/ }).getAttribute('href');
    expect(there).toMatch(/^http:\/\/west\.example:\d+\/auth\/login$/);
  });

  test('forgotten: the form asks for the e-mail, then for code and password, with the toasts of the specification', async () => {
    const contact = (email: string, phone: string) =>
      serviceQuery(app.db, 'update tocsin.customer set email = $2, phone = $3 where uuid = $1', [
        app.people.customer.uuid,
        email,
        phone,
      ]);
    await contact('help@provider.example', '+44 (0)7700 900123');
    const forgetful = await somebody();
    await openAsVisitor('/auth/forgot');
    await page.getByText(/contact your provider/i).waitFor();
    const leadsTo = (name: string) => page.getByRole('link', { name }).getAttribute('href');
    expect(await leadsTo('help@provider.example')).toBe('mailto:help@provider.example');
    expect(await leadsTo('+44 (0)7700 900123')).toBe('https://wa.me/447700900123');
    await contact('', '');

    const later = ['Code', 'New password'];
    const email = page.getByLabel('E-mail');
    // The server never reveals whether an account exists, so the test fakes this response.
    await page.route('**/api/v1/auth/forgot', (route) => route.fulfill({ json: false }));
    await email.fill('nobody@plant.example');
    await press(page, 'Send code')();
    await told(page, 'Failed to find details please contact admin');
    expect(await email.getAttribute('readonly')).toBeNull();
    for (const label of later) expect(await page.getByLabel(label).count(), label).toBe(0);
    await page.unroute('**/api/v1/auth/forgot');

    await email.fill(forgetful.email);
    expect(await callOf(page, 'forgot', press(page, 'Send code'))).toEqual({ email: forgetful.email });
    await page.getByText('Otp sent to email sent please verify').waitFor();
    expect(await email.getAttribute('readonly')).not.toBeNull();
    for (const label of later) expect(await page.getByLabel(label).getAttribute('required'), label).not.toBeNull();
    const message = await mail.waitFor((caught) => caught.to.includes(forgetful.email));
    const code = /\b\d{6}\b/.exec(message.text)?.[0] ?? '';
    const wrong = code === '012345' ? '012346' : '012345';
    await page.getByLabel('Code').fill(wrong);
    await page.getByLabel('New password').fill('short');
    await press(page, 'Submit')();
    await page.getByText(TOO_SHORT).waitFor();
    await page.getByLabel('New password').fill('password12');
    await press(page, 'Submit')();
    await page.getByText(GUESSED).waitFor();
    await page.getByLabel('New password').fill(NEW);
    expect(await callOf(page, 'update', press(page, 'Submit'))).toEqual({
      email: forgetful.email,
      otp: wrong,
      password: base64(NEW),
    });
    await told(page, WRONG_CODE);
    await page.getByLabel('Code').fill(code);
    await backToLoginAfter('Submit', 'Your new password is set. Sign in with the new password.');
    await signInByForm(page, forgetful.email, NEW);
    await page.waitForURL('**/reports');
  });

  test('forgotten without a mail server only names the contact', async () => {
    await page.route('**/api/v1/config', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), mail: false } });
    });
    await openAsVisitor('/auth/forgot');
    await page.getByText(/contact your provider/i).waitFor();
    expect(await page.getByLabel('E-mail').count()).toBe(0);
  });
});
