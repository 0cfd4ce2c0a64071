/** What the console sends to sign people in, word for word, and what it shows of the answers. */
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../harness/app.ts';
import { base64 } from '../harness/auth-app.ts';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../harness/console.ts';
import { createUser, type UserRow } from '../harness/factories.ts';

const NEW = 'Grüße aus dem Werk';
const WRONG_CODE = 'This code is wrong or has expired. Ask for a new one.';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const somebody = (values: Partial<Parameters<typeof createUser>[1]> = {}): Promise<UserRow> =>
  createUser(app.db, { customer: app.people.customer, level: 20, password: PASSWORD, ...values });

/** The call of this name that comes of doing something. */
async function callOf(page: Page, name: string, act: () => Promise<void>): Promise<Request> {
  const path = `/api/v1/auth/${name}`;
  const coming = page.waitForRequest((call) => call.method() === 'POST' && new URL(call.url()).pathname === path);
  await act();
  return coming;
}

const press = (page: Page, button: string) => () => page.getByRole('button', { name: button, exact: true }).click();
const toast = (page: Page, role: 'alert' | 'status', words: string) =>
  page.getByRole(role).filter({ hasText: words }).waitFor();

async function fillNewPassword(page: Page): Promise<void> {
  await page.getByLabel('New password').fill(NEW);
  await page.getByLabel('Confirm password').fill(NEW);
}

/** The form that sets a first password with a code, as it is sent. */
const newPasswordOf = ({ uuid }: UserRow, otp: string) => {
  return { uuid, ppassword: '', password: base64(NEW), cpassword: base64(NEW), otp };
};

test('login sends the e-mail, the password in base64 and the customer of the configuration', async () => {
  const { owner, customer } = app.people;
  const page = await app.open('/auth/login');
  const call = await callOf(page, 'login', () => signInByForm(page, owner.email));
  expect(call.postDataJSON()).toEqual({
    email: owner.email,
    password: base64(PASSWORD),
    tocsin_customer_id: customer.id,
  });
  await page.waitForURL('**/reports');
  await app.leave(page);
});

test('a question to the API carries the name of its operation, its text and its variables', async () => {
  const page = await app.open('/auth/login', { as: app.people.owner });
  const coming = page.waitForRequest((call) => new URL(call.url()).pathname === '/graphql');
  await page.goto('/admin/sites');
  const { operationName, query, variables } = (await coming).postDataJSON();
  expect(operationName).toMatch(/^\w+$/);
  expect(query).toMatch(new RegExp(`\\bquery ${operationName}\\b`));
  expect(variables).toBeTypeOf('object');
  await app.leave(page);
});

test('logout sends an empty body, with the cookie’s token in its header', async () => {
  const page = await app.open('/reports', { as: await somebody() });
  await page.getByRole('button', { name: /user menu/i }).click();
  const token = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value;
  const call = await callOf(page, 'logout', press(page, 'Logout'));
  expect(call.postDataJSON()).toEqual({});
  expect(token).toBeDefined();
  expect((await call.allHeaders())['x-xsrf-token']).toBe(token);
  await page.waitForURL('**/auth/login');
  await app.leave(page);
});

describe('the password screen', () => {
  test('verification: the refused login is told, verify and register are sent, and a wrong code is told', async () => {
    const person = await somebody({ varified: false });
    const page = await app.open('/auth/login');
    const verify = await callOf(page, 'verify', () => signInByForm(page, person.email));
    expect(verify.postDataJSON()).toEqual({
      email: person.email,
      username: person.username,
      tocsin_customer_id: app.people.customer.id,
    });
    await toast(page, 'alert', 'Your e-mail address is not confirmed yet.');
    expect(new URL(page.url()).pathname).toBe('/auth/verify');
    await page.getByLabel('Code').fill('012345');
    await fillNewPassword(page);
    const register = await callOf(page, 'register', press(page, 'Verify'));
    expect(register.postDataJSON()).toEqual(newPasswordOf(person, '012345'));
    await toast(page, 'alert', WRONG_CODE);
    await app.leave(page);
  });

  test('activation: the form is sent with the code of the link, and a wrong one is told', async () => {
    const person = await somebody({ varified: false });
    const page = await app.open(`/auth/activation?uuid=${person.uuid}&code=001234`);
    await fillNewPassword(page);
    const call = await callOf(page, 'activate', press(page, 'Activate'));
    expect(call.postDataJSON()).toEqual(newPasswordOf(person, '001234'));
    await toast(page, 'alert', WRONG_CODE);
    await app.leave(page);
  });

  test('change: three passwords in base64 and no code are sent, and the server’s words are told', async () => {
    const person = await somebody();
    const page = await app.open('/auth/change-password', { as: person });
    const change = async (current: string) => {
      await page.getByLabel('Current password').fill(current);
      await fillNewPassword(page);
      return callOf(page, 'changepassword', press(page, 'Change Password'));
    };
    expect((await change('not my password')).postDataJSON()).toEqual({
      uuid: person.uuid,
      ppassword: base64('not my password'),
      password: base64(NEW),
      cpassword: base64(NEW),
      otp: null,
    });
    await toast(page, 'alert', 'The current password is wrong.');
    await change(PASSWORD);
    await toast(page, 'status', 'Your password is changed. Sign in with the new one.');
    await app.leave(page);
  });
});

test('a forgotten password: forgot and update are sent, and a wrong code is told', async () => {
  const person = await somebody();
  const page = await app.open('/error/4xx');
  // With a mail server the console offers this screen. The server answers the same without one.
  await page.route('**/api/v1/config', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), mail: true } });
  });
  await page.goto('/auth/forgot');
  await page.getByLabel('E-mail').fill(person.email);
  const forgot = await callOf(page, 'forgot', press(page, 'Send code'));
  expect(forgot.postDataJSON()).toEqual({ email: person.email });
  await page.getByLabel('Code').fill('012345');
  await page.getByLabel('New password').fill(NEW);
  const update = await callOf(page, 'update', press(page, 'Submit'));
  expect(update.postDataJSON()).toEqual({ email: person.email, otp: '012345', password: base64(NEW) });
  await toast(page, 'alert', WRONG_CODE);
  await app.leave(page);
});
