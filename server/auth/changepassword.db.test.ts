import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposeTestDatabases } from '../../test/harness/database/database.ts';
import type { CustomerRow, UserRow } from '../../test/harness/database/factories.ts';
import { createCustomer, createUser, serviceQuery } from '../../test/harness/database/factories.ts';
import type { AuthApp, Browser } from '../../test/harness/server/auth-app.ts';
import { base64, startAuthApp } from '../../test/harness/server/auth-app.ts';

const OLD = 'the-old-password';
const NEW = 'a-brand-new-password';

let app: AuthApp;
let customer: CustomerRow;

beforeAll(async () => {
  app = await startAuthApp();
  customer = await createCustomer(app.db);
});
afterAll(async () => {
  await app.close();
  await disposeTestDatabases();
});

const person = (): Promise<UserRow> => createUser(app.db, { customer, password: OLD });
const canSignIn = async (user: UserRow, password: string) =>
  (await app.browser().login(user.email, password)).statusCode === 200;
const answer = (response: { statusCode: number; json(): unknown }) => [response.statusCode, response.json()];

describe('changepassword', () => {
  const change = (browser: Browser, uuid: string, current: string, password = NEW, confirmation = password) =>
    browser.auth('changepassword', {
      uuid,
      ppassword: base64(current),
      password: base64(password),
      cpassword: base64(confirmation),
      otp: null,
    });
  const signIn = async () => {
    const user = await person();
    const browser = app.browser();
    await browser.login(user.email, OLD);
    return { user, browser };
  };

  test('sets the password and ends every session, including this one', async () => {
    const { user, browser } = await signIn();
    const elsewhere = app.browser();
    await elsewhere.login(user.email, OLD);
    const response = await change(browser, user.uuid, OLD);
    expect(answer(response)).toEqual([200, { message: 'Your password has been changed. Sign in with the new one.' }]);
    expect([...browser.cookies.keys()]).toEqual(['tocsin_device']);
    expect((await elsewhere.get('/guarded')).statusCode).toBe(401);
    expect(await canSignIn(user, NEW)).toBe(true);
    expect(await canSignIn(user, OLD)).toBe(false);
  });

  test('is in the audit trail with its user and without a secret', async () => {
    const { user, browser } = await signIn();
    await change(browser, user.uuid, OLD);
    const rows = await serviceQuery(
      app.db,
      "select * from tocsin.audit where row_key = $1 and action = 'credential.update'",
      [user.uuid],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ tocsin_user_uuid: user.uuid, user_display_name: user.display_name });
    expect(JSON.stringify(rows)).not.toMatch(/argon2|password_hash/);
  });

  test('refuses a wrong current password, and keeps the session', async () => {
    const { user, browser } = await signIn();
    const response = await change(browser, user.uuid, 'not-the-password');
    expect(answer(response)).toEqual([400, { errorMessage: 'The current password is wrong.' }]);
    expect((await browser.get('/guarded')).statusCode).toBe(200);
    expect(await canSignIn(user, OLD)).toBe(true);
  });

  test('refuses two different new passwords, a weak one, and the current one', async () => {
    const { user, browser } = await signIn();
    const sentences = [
      await change(browser, user.uuid, OLD, NEW, `${NEW}x`),
      await change(browser, user.uuid, OLD, 'short'),
      await change(browser, user.uuid, OLD, user.email.toUpperCase()),
      await change(browser, user.uuid, OLD, OLD),
      await change(browser, user.uuid, OLD, 'Password2026'),
    ].map(answer);
    expect(sentences).toEqual([
      [400, { errorMessage: 'The two passwords differ. Enter the new password twice.' }],
      [400, { errorMessage: 'The password needs at least 10 characters.', field: 'password' }],
      [400, { errorMessage: 'The password must not be the e-mail address.', field: 'password' }],
      [400, { errorMessage: 'The new password must differ from the current one.', field: 'password' }],
      [
        400,
        {
          errorMessage: 'This password is easy to guess. Use a few unrelated words.',
          field: 'password',
        },
      ],
    ]);
    expect(await canSignIn(user, OLD)).toBe(true);
  });

  test('refuses to change the password of another user', async () => {
    const { browser } = await signIn();
    const neighbour = await person();
    const response = await change(browser, neighbour.uuid, OLD);
    expect(answer(response)).toEqual([403, { errorMessage: 'You can change only your own password.' }]);
    expect(await canSignIn(neighbour, OLD)).toBe(true);
  });

  test('needs a session and its XSRF token', async () => {
    const { user, browser } = await signIn();
    expect((await change(app.browser(), user.uuid, OLD)).statusCode).toBe(401);
    const body = { uuid: user.uuid, ppassword: base64(OLD), password: base64(NEW), cpassword: base64(NEW) };
    expect((await browser.auth('changepassword', body, { xsrf: false })).statusCode).toBe(403);
    expect(await canSignIn(user, OLD)).toBe(true);
  });
});
