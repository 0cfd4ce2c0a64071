import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposeTestDatabases } from '../../test/harness/database/database.ts';
import type { CustomerRow, NewUser, UserRow } from '../../test/harness/database/factories.ts';
import { createCustomer, createUser, serviceQuery, setDefaultCustomer } from '../../test/harness/database/factories.ts';
import type { SmtpCatcher } from '../../test/harness/provider/smtp.ts';
import { startSmtpCatcher } from '../../test/harness/provider/smtp.ts';
import type { AuthApp, Browser } from '../../test/harness/server/auth-app.ts';
import { base64, startAuthApp } from '../../test/harness/server/auth-app.ts';
import { housekeeping } from '../engine/housekeeping.ts';

const OLD = 'the-old-password';
const NEW = 'a-brand-new-password';
const MINUTE = 60_000;
const WRONG_CODE = [400, { errorMessage: 'This code is wrong or has expired. Request a new one.' }];

let smtp: SmtpCatcher;
let app: AuthApp;
let customer: CustomerRow;

beforeAll(async () => {
  smtp = await startSmtpCatcher();
  const plenty = { most: 10_000, perMs: MINUTE };
  app = await startAuthApp({
    smtpUrl: smtp.url,
    limits: { failuresPerAddress: { free: 10_000, firstMs: 1, mostMs: 1 }, codesPerAddress: plenty },
  });
  customer = await createCustomer(app.db, { name: 'North <Water>' });
  await setDefaultCustomer(app.db, customer);
});
afterAll(async () => {
  await app.close();
  await smtp.stop();
  await disposeTestDatabases();
});

const person = (more: Partial<NewUser> = {}): Promise<UserRow> =>
  createUser(app.db, { customer, password: OLD, ...more });
const mailsTo = (user: UserRow) => smtp.messages.filter(({ to }) => to.includes(user.email));
const canSignIn = async (user: UserRow, password: string) =>
  (await app.browser().login(user.email, password)).statusCode === 200;
const answer = (response: { statusCode: number; json(): unknown }) => [response.statusCode, response.json()];

/** Requests a code and reads it from the mail, as a user would. */
async function codeFor(user: UserRow, call: 'forgot' | 'verify'): Promise<string> {
  const before = mailsTo(user).length;
  const body = { email: user.email, username: user.username, tocsin_customer_id: customer.id };
  expect((await app.browser().auth(call, body)).statusCode).toBe(200);
  await app.auth.idle();
  const mail = mailsTo(user)[before];
  expect(mail, 'a mail came').toBeDefined();
  return /\b\d{6}\b/.exec(mail!.text)![0];
}

const other = (code: string) => (code === '000000' ? '000001' : '000000');

describe('verify and register', () => {
  const register = (browser: Browser, user: UserRow, code: string, password = NEW) =>
    browser.auth('register', {
      uuid: user.uuid,
      ppassword: base64(code),
      password: base64(password),
      cpassword: base64(password),
      otp: null,
    });

  test('a code by mail confirms the address and sets the password', async () => {
    const user = await person({ varified: false, displayName: 'Vera & Co' });
    const code = await codeFor(user, 'verify');
    const [mail] = mailsTo(user);
    expect(mail!.subject).toBe(`${code} is your Tocsin code`);
    expect(mail!.text).toContain('Hello Vera & Co,');
    expect(mail!.text).toContain('North <Water>');
    expect(mail!.html).toContain('North &#60;Water&#62;');
    expect(mail!.raw, 'no link, because a forged host name could choose its target').not.toMatch(/https?:/);

    const response = await register(app.browser(), user, code);
    expect(answer(response)).toEqual([
      200,
      {
        message: 'Your e-mail address is confirmed and the new password is set. Sign in with the new password.',
        email: user.email,
      },
    ]);
    expect(await canSignIn(user, NEW)).toBe(true);
    expect(await canSignIn(user, OLD)).toBe(false);
    expect(answer(await register(app.browser(), user, code)), 'a code works once').toEqual(WRONG_CODE);
  });

  test('accepts the code in otp, as text or as a number', async () => {
    for (const otp of [(code: string) => code, Number]) {
      const user = await person({ varified: false });
      const code = await codeFor(user, 'verify');
      const form = { uuid: user.uuid, ppassword: '', password: base64(NEW), cpassword: base64(NEW), otp: otp(code) };
      expect((await app.browser().auth('register', form)).statusCode).toBe(200);
    }
  });

  test('verify gives the same response for every address, and mails only unverified users', async () => {
    const verified = await person();
    const disabled = await person({ varified: false, status: false });
    const elsewhere = await createUser(app.db, { customer: await createCustomer(app.db), varified: false });
    const before = smtp.messages.length;
    const answers = new Set<string>();
    const waiting = await person({ varified: false });
    for (const email of [waiting.email, verified.email, disabled.email, elsewhere.email, 'nobody@north.example']) {
      const response = await app.browser().auth('verify', { email, username: 'x', tocsin_customer_id: customer.id });
      answers.add(JSON.stringify(answer(response)));
    }
    await app.auth.idle();
    expect([...answers]).toEqual([
      '[200,{"message":"If this account is waiting for confirmation, we have sent a code to its e-mail address."}]',
    ]);
    expect(smtp.messages.slice(before).map(({ to }) => to)).toEqual([[waiting.email]]);
  });

  test('a code for one purpose does not work for another', async () => {
    const user = await person({ varified: false });
    const code = await codeFor(user, 'verify');
    const asInvitation = { uuid: user.uuid, otp: code, password: base64(NEW) };
    expect(answer(await app.browser().auth('activate', asInvitation))).toEqual(WRONG_CODE);
    const asReset = { email: user.email, otp: code, password: base64(NEW) };
    expect(answer(await app.browser().auth('update', asReset))).toEqual(WRONG_CODE);
    expect((await register(app.browser(), user, code)).statusCode).toBe(200);
  });
});

describe('forgot and update', () => {
  const update = (user: { email: string }, code: string, password = NEW) =>
    app.browser().auth('update', { email: user.email, otp: code, password: base64(password) });

  test('a code by mail sets a new password and ends every session', async () => {
    const user = await person();
    const signedIn = app.browser();
    await signedIn.login(user.email, OLD);
    const code = await codeFor(user, 'forgot');
    expect((await signedIn.get('/guarded')).statusCode, 'asking changes nothing').toBe(200);
    expect(await canSignIn(user, OLD)).toBe(true);
    expect(answer(await update(user, code))).toEqual([
      200,
      { message: 'Your new password is set. Sign in with the new password.' },
    ]);
    expect((await signedIn.get('/guarded')).statusCode).toBe(401);
    expect(await canSignIn(user, NEW)).toBe(true);
    expect(await canSignIn(user, OLD)).toBe(false);
  });

  test('forgot gives the same response for every address, and mails only active users', async () => {
    const known = await person();
    const disabled = await person({ status: false });
    const before = smtp.messages.length;
    const answers = new Set<string>();
    for (const email of [known.email, disabled.email, 'nobody@north.example', 'not-an-address']) {
      answers.add(JSON.stringify(answer(await app.browser().auth('forgot', { email }))));
    }
    await app.auth.idle();
    expect([...answers]).toEqual([
      '[200,{"message":"If an account with this e-mail address exists, we have sent a code to it.","sent":true}]',
    ]);
    expect(smtp.messages.slice(before).map(({ to }) => to)).toEqual([[known.email]]);
    const asked = await serviceQuery(
      app.db,
      `select user_display_name, tocsin_user_uuid, tocsin_customer_uuid, after from tocsin.audit
       where action = 'password_code.request' and row_key = any ($1)`,
      [[known.uuid, disabled.uuid]],
    );
    expect(asked, 'the request is in the audit trail').toEqual([
      {
        user_display_name: 'Someone who was not signed in',
        tocsin_user_uuid: null,
        tocsin_customer_uuid: known.tocsin_customer_uuid,
        after: { display_name: known.display_name, email: known.email, asked_from: expect.stringMatching(/^[\d.]+$/) },
      },
    ]);
  });

  test('forgot does not wait for a failing mail server', async () => {
    const user = await person();
    smtp.failWith(451);
    expect((await app.browser().auth('forgot', { email: user.email })).statusCode).toBe(200);
    await app.auth.idle();
    smtp.failWith(null);
    expect(mailsTo(user)).toEqual([]);
  });

  test('wrong codes, unknown accounts and codes of other users get the same response', async () => {
    const [user, neighbour] = [await person(), await person()];
    const code = await codeFor(user, 'forgot');
    expect(answer(await update(user, other(code)))).toEqual(WRONG_CODE);
    expect(answer(await update({ email: 'nobody@north.example' }, code))).toEqual(WRONG_CODE);
    expect(answer(await update(neighbour, code))).toEqual(WRONG_CODE);
    expect((await update(user, code)).statusCode).toBe(200);
  });

  test('a code expires after 10 minutes', async () => {
    const user = await person();
    const late = await codeFor(user, 'forgot');
    app.clock.advance(10 * MINUTE);
    expect(answer(await update(user, late))).toEqual(WRONG_CODE);
    const inTime = await codeFor(user, 'forgot');
    app.clock.advance(10 * MINUTE - 1);
    expect((await update(user, inTime)).statusCode).toBe(200);
  });

  test('a code is refused after five wrong tries', async () => {
    const user = await person();
    const code = await codeFor(user, 'forgot');
    for (let i = 0; i < 4; i += 1) expect(answer(await update(user, other(code)))).toEqual(WRONG_CODE);
    const lastTry = await codeFor(user, 'forgot');
    for (let i = 0; i < 4; i += 1) await update(user, other(lastTry));
    expect((await update(user, lastTry)).statusCode, 'the fifth try may be right').toBe(200);

    const again = await codeFor(user, 'forgot');
    for (let i = 0; i < 5; i += 1) await update(user, other(again));
    expect(answer(await update(user, again))).toEqual(WRONG_CODE);
  });

  test('concurrent tries count as separate tries', async () => {
    const user = await person();
    const code = await codeFor(user, 'forgot');
    await Promise.all(Array.from({ length: 12 }, () => update(user, other(code))));
    const [row] = await serviceQuery(
      app.db,
      'select tries_left from tocsin_private.one_time_code where user_uuid = $1',
      [user.uuid],
    );
    expect(row.tries_left).toBe(0);
    expect(answer(await update(user, code))).toEqual(WRONG_CODE);
  });

  test('the right code sent twice at once sets one password', async () => {
    const user = await person();
    const code = await codeFor(user, 'forgot');
    const answers = await Promise.all(['first-new-password', 'second-new-password'].map((p) => update(user, code, p)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  });

  test('only the newest code works', async () => {
    const user = await person();
    const first = await codeFor(user, 'forgot');
    const second = await codeFor(user, 'forgot');
    if (first !== second) expect(answer(await update(user, first))).toEqual(WRONG_CODE);
    expect((await update(user, second)).statusCode).toBe(200);
  });

  test('a refused new password uses up no try', async () => {
    const user = await person({ email: 'long.enough.address@north.example' });
    const code = await codeFor(user, 'forgot');
    for (const [password, sentence] of [
      ['short', 'The password needs at least 10 characters.'],
      ['x'.repeat(201), 'The password may have at most 200 characters.'],
      ['aaaaaaaaaaaa', 'The password must not consist of one repeated character.'],
      ['Long.Enough.Address@north.example', 'The password must not be the e-mail address.'],
      ['password12', 'This password is easy to guess. Use a few unrelated words.'],
    ] as const) {
      for (let i = 0; i < 3; i += 1) {
        expect(answer(await update(user, code, password))).toEqual([
          400,
          { errorMessage: sentence, field: 'password' },
        ]);
      }
    }
    expect((await update(user, code)).statusCode).toBe(200);
  });

  test('codes cannot be derived from the database', async () => {
    const user = await person();
    const code = await codeFor(user, 'forgot');
    const [row] = await serviceQuery(app.db, 'select * from tocsin_private.one_time_code where user_uuid = $1', [
      user.uuid,
    ]);
    expect(JSON.stringify(row)).not.toContain(code);
    const { createHash } = await import('node:crypto');
    const plain = [code, `reset ${user.uuid} ${code}`].map((text) => createHash('sha256').update(text).digest('hex'));
    expect(plain).not.toContain(row.code_hash.toString('hex'));
  });
});

test('without a mail server codes go to the outbox, and the response is the same', async () => {
  const bare = await startAuthApp();
  const home = await createCustomer(bare.db);
  const user = await createUser(bare.db, { customer: home, password: OLD });
  const response = await bare.browser().auth('forgot', { email: user.email });
  expect(response.json()).toMatchObject({ sent: true });
  await bare.auth.idle();
  const [row] = await serviceQuery(bare.db, 'select * from tocsin.outbox');
  expect(row).toMatchObject({ tocsin_customer_uuid: home.uuid, method_type: 1, address: user.email });
  const code = /\b\d{6}\b/.exec(row.body)![0];
  const update = { email: user.email, otp: code, password: base64(NEW) };
  expect((await bare.browser().auth('update', update)).statusCode).toBe(200);
  await bare.close();
});

test('an account gets at most 15 codes a day, from all processes and calls together', async () => {
  const home = await createCustomer(app.db);
  const user = await createUser(app.db, { customer: home, password: OLD, varified: false });
  const processes = [await startAuthApp({ database: app.db }), await startAuthApp({ database: app.db })];
  for (let hour = 0; hour < 24; hour += 1) {
    for (const [index, { browser, auth, clock }] of processes.entries()) {
      const body = { email: user.email, tocsin_customer_id: home.id };
      for (const call of ['forgot', 'verify', 'forgot', 'verify', 'forgot']) {
        await browser({ address: `192.0.2.${index * 24 + hour}` }).auth(call, body);
        await auth.idle();
      }
      // The last step is one minute shorter than an hour, so that all requests fall within one day.
      clock.advance(60 * MINUTE - (hour === 23 ? MINUTE : 0));
    }
    await housekeeping(app.db, processes[0]!.clock).tick(processes[0]!.clock.now());
  }
  const sent = await serviceQuery(app.db, 'select from tocsin.outbox where address = $1', [user.email]);
  expect(sent).toHaveLength(15);
  for (const { close } of processes) await close();
});
