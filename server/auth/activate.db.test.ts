import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposeTestDatabases } from '../../test/harness/database/database.ts';
import type { CustomerRow, UserRow } from '../../test/harness/database/factories.ts';
import { createCustomer, createUser, insertRow, serviceQuery } from '../../test/harness/database/factories.ts';
import type { AuthApp } from '../../test/harness/server/auth-app.ts';
import { base64, startAuthApp } from '../../test/harness/server/auth-app.ts';
import { createInvitation } from './password/invitation.ts';

const NEW = 'a-brand-new-password';
const MINUTE = 60_000;
const WRONG_CODE = [400, { errorMessage: 'This code is wrong or has expired. Request a new one.' }];

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

const canSignIn = async (user: UserRow, password: string) =>
  (await app.browser().login(user.email, password)).statusCode === 200;
const answer = (response: { statusCode: number; json(): unknown }) => [response.statusCode, response.json()];

describe('activate', () => {
  const deps = () => ({ db: app.db, clock: app.clock, publicUrl: 'https://console.example' });
  const activate = (uuid: string, code: string, password = NEW) =>
    app.browser().auth('activate', {
      uuid,
      ppassword: base64(''),
      password: base64(password),
      cpassword: base64(password),
      otp: code,
    });
  const isUsed = async (uuid: string, otp: string) =>
    (await app.browser().auth('invitation', { uuid, otp })).json().used;
  const invite = async (user: UserRow) => {
    const invitation = await createInvitation(deps(), user.uuid);
    const { searchParams, pathname, origin } = new URL(invitation!.link);
    expect(origin + pathname).toBe('https://console.example/auth/activation');
    expect(searchParams.get('uuid')).toBe(user.uuid);
    return searchParams.get('code')!;
  };

  test('the link of an invitation sets the first password', async () => {
    const user = await createUser(app.db, { customer, varified: false });
    await insertRow(app.db, 'tocsin_private.pending_invitation', {
      user_uuid: user.uuid,
      requested_at: app.clock.now(),
      next_attempt_at: app.clock.now(),
    });
    const code = await invite(user);
    expect(await isUsed(user.uuid, code)).toBe(false);
    expect(code).toMatch(/^[\w-]{43}$/);
    expect(answer(await activate(user.uuid, code))).toEqual([
      200,
      { message: 'Your account is active. Sign in with your new password.', email: user.email },
    ]);
    expect(await canSignIn(user, NEW)).toBe(true);
    expect(answer(await activate(user.uuid, code)), 'works once').toEqual(WRONG_CODE);
    expect(await isUsed(user.uuid, code)).toBe(true);
    const waiting = await serviceQuery(app.db, 'select from tocsin_private.pending_invitation where user_uuid = $1', [
      user.uuid,
    ]);
    expect(waiting, 'no invitation is pending after activation').toEqual([]);
  });

  test('a user with a password keeps it and their sessions until they choose a new one', async () => {
    const user = await createUser(app.db, { customer, password: 'the-forgotten-password' });
    const code = await invite(user);
    const browser = app.browser();
    expect((await browser.login(user.email, 'the-forgotten-password')).statusCode).toBe(200);
    const sessions = () => serviceQuery(app.db, 'select from tocsin_private.session where user_uuid = $1', [user.uuid]);
    expect(await sessions()).toHaveLength(1);
    expect(answer(await activate(user.uuid, code))).toEqual([
      200,
      { message: 'Your new password is set. Sign in with the new password.', email: user.email },
    ]);
    expect(await sessions(), 'signed out everywhere').toEqual([]);
    expect(await canSignIn(user, 'the-forgotten-password')).toBe(false);
    expect(await canSignIn(user, NEW)).toBe(true);
    expect(answer(await activate(user.uuid, code)), 'works once').toEqual(WRONG_CODE);
  });

  test('the link works for seven days', async () => {
    const user = await createUser(app.db, { customer, varified: false });
    const late = await invite(user);
    app.clock.advance(7 * 24 * 60 * MINUTE);
    expect(answer(await activate(user.uuid, late))).toEqual(WRONG_CODE);
    const inTime = await invite(user);
    app.clock.advance(7 * 24 * 60 * MINUTE - 1);
    expect((await activate(user.uuid, inTime)).statusCode).toBe(200);
  });

  test('a new invitation revokes the earlier one', async () => {
    const user = await createUser(app.db, { customer, varified: false });
    const [first, second] = [await invite(user), await invite(user)];
    expect(answer(await activate(user.uuid, first))).toEqual(WRONG_CODE);
    expect((await activate(user.uuid, second)).statusCode).toBe(200);
  });

  test('refuses a disabled user, another user’s link and an unknown uuid with the same message', async () => {
    const disabled = await createUser(app.db, { customer, varified: false });
    const code = await invite(disabled);
    await serviceQuery(app.db, 'update tocsin.user set status = false where uuid = $1', [disabled.uuid]);
    const user = await createUser(app.db, { customer, varified: false });
    for (const uuid of [disabled.uuid, user.uuid, '00000000-0000-0000-0000-000000000000', 'no-uuid']) {
      expect(answer(await activate(uuid, code)), uuid).toEqual(WRONG_CODE);
      expect(await isUsed(uuid, code), uuid).toBe(false);
    }
    expect(await createInvitation(deps(), disabled.uuid)).toBeNull();
  });

  test('a customer with its own host name gets links to it', async () => {
    const south = await createCustomer(app.db, { endPoint: 'south.example' });
    const user = await createUser(app.db, { customer: south, varified: false });
    const invitation = await createInvitation(deps(), user.uuid);
    expect(invitation?.link).toMatch(/^https:\/\/south\.example\/auth\/activation\?uuid=/);
  });

  describe('opened under the host name of another customer', () => {
    const at = (host: string, uuid: string, code: string) =>
      app.browser({ host }).auth('activate', { uuid, password: base64(NEW), cpassword: base64(NEW), otp: code });
    const codeOf = async (user: UserRow) =>
      new URL((await createInvitation(deps(), user.uuid))!.link).searchParams.get('code')!;

    test('responds with the address of the right customer, where the password works', async () => {
      const west = await createCustomer(app.db, { name: 'West', endPoint: 'west.example' });
      const user = await createUser(app.db, { customer: west, varified: false });
      expect(answer(await at('console.example', user.uuid, await codeOf(user)))).toEqual([
        200,
        {
          message: 'Your account is active. Sign in to West at https://west.example.',
          email: user.email,
          sign_in_url: 'https://west.example',
        },
      ]);
      expect((await app.browser({ host: 'west.example' }).login(user.email, NEW)).statusCode).toBe(200);
      expect(answer(await at('west.example', user.uuid, await codeOf(user)))).toEqual([
        200,
        { message: 'Your new password is set. Sign in with the new password.', email: user.email },
      ]);
    });

    test('says that the right customer has no host name', async () => {
      const lost = await createCustomer(app.db, { name: 'Lost' });
      const user = await createUser(app.db, { customer: lost, varified: false });
      expect((await at('console.example', user.uuid, await codeOf(user))).json()).toEqual({
        message:
          'Your account is active. Lost has no host name of its own yet, so nobody can sign in. The administrator must set one.',
        email: user.email,
        sign_in_url: null,
      });
    });

    test('sends a user of the default customer to the console’s own address', async () => {
      await createCustomer(app.db, { endPoint: 'north.example' });
      const user = await createUser(app.db, { customer, varified: false });
      expect((await at('north.example', user.uuid, await codeOf(user))).json()).toMatchObject({
        message: `Your account is active. Sign in to ${customer.name} at https://console.example.`,
        sign_in_url: 'https://console.example',
      });
    });
  });
});
