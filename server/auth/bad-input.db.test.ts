import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposeTestDatabases } from '../../test/harness/database/database.ts';
import { createCustomer, createUser, serviceQuery } from '../../test/harness/database/factories.ts';
import type { AuthApp, Browser } from '../../test/harness/server/auth-app.ts';
import { base64, startAuthApp } from '../../test/harness/server/auth-app.ts';

const PASSWORD = 'tocsin-demo-plant';
const faults: string[] = [];
let app: AuthApp;
let signedIn: Browser;
let uuid: string;

beforeAll(async () => {
  const never = { free: 100_000, firstMs: 1, mostMs: 1 };
  const plenty = { most: 100_000, perMs: 60_000 };
  app = await startAuthApp({
    limits: {
      failuresPerAccountAndAddress: never,
      failuresPerAccount: never,
      failuresPerAddress: never,
      failuresPerDevice: never,
      codesPerAccount: plenty,
      codesPerAccountAndDay: plenty,
      codesPerAddress: plenty,
    },
    log: { info: () => {}, warn: () => {}, error: (message, data) => faults.push(`${message} ${String(data?.error)}`) },
  });
  const user = await createUser(app.db, { customer: await createCustomer(app.db), password: PASSWORD });
  uuid = user.uuid;
  signedIn = app.browser();
  await signedIn.login(user.email, PASSWORD);
});
afterAll(async () => {
  await app.close();
  await disposeTestDatabases();
  expect(faults, 'the server logged no error').toEqual([]);
});

const password = base64('a-brand-new-password');
/** Returns a valid body for each auth call. */
const goodBodies = () => ({
  login: { email: 'vera@plant.example', password, tocsin_customer_id: 1 },
  verify: { email: 'vera@plant.example', username: 'vera', tocsin_customer_id: 1 },
  register: { uuid, ppassword: base64('123456'), password, cpassword: password, otp: '123456' },
  forgot: { email: 'vera@plant.example' },
  update: { email: 'vera@plant.example', otp: '123456', password },
  activate: { uuid, ppassword: base64('123456'), password, cpassword: password, otp: '123456' },
  changepassword: { uuid, ppassword: base64('a-wrong-password'), password, cpassword: password, otp: null },
});
const calls = ['login', 'verify', 'register', 'forgot', 'update', 'activate', 'changepassword'] as const;
const required: Record<(typeof calls)[number], string[]> = {
  login: ['email', 'password'],
  verify: ['email'],
  register: ['uuid', 'password'],
  forgot: ['email'],
  update: ['email', 'otp', 'password'],
  activate: ['uuid', 'password'],
  changepassword: ['uuid', 'ppassword', 'password'],
};

describe.each(calls)('%s', (call) => {
  const post = (body: unknown, headers?: Record<string, string>) =>
    signedIn.auth(call, body, headers ? { headers } : {});
  const sentence = async (body: unknown, headers?: Record<string, string>) => {
    const response = await post(body, headers);
    const { errorMessage, ...more } = response.json();
    expect(more).toEqual({});
    expect(errorMessage).toMatch(/^[A-Z].*\.$/);
    return [response.statusCode, errorMessage];
  };

  test('refuses bodies that are invalid JSON, empty or not an object', async () => {
    expect(await sentence('{"email": "x')).toEqual([
      400,
      'The request body is not valid JSON. Check its brackets, commas and quotation marks.',
    ]);
    for (const body of ['[]', '"text"', '17', 'null', 'true']) {
      expect(await sentence(body), body).toEqual([400, 'The request must be a JSON object.']);
    }
    expect((await sentence(''))[0]).toBe(400);
    expect((await sentence('{"__proto__": {"email": "x"}}'))[0]).toBe(400);
  });

  test('refuses another content type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      expect(await sentence('email=x', { 'content-type': type }), type).toEqual([
        415,
        'Send the request as application/json.',
      ]);
    }
  });

  test('refuses a body of a megabyte', async () => {
    expect(await sentence({ ...goodBodies()[call], more: 'x'.repeat(1_000_000) })).toEqual([
      413,
      'The request is too large. Send at most 16 KiB at once.',
    ]);
  });

  test('refuses missing fields', async () => {
    for (const field of required[call]) {
      const body: Record<string, unknown> = { ...goodBodies()[call] };
      delete body[field];
      expect(await sentence(body)).toEqual([400, `The field "${field}" is missing.`]);
    }
  });

  test('refuses fields of a wrong type, too long, or with a NUL', async () => {
    const good: Record<string, unknown> = goodBodies()[call];
    for (const field of Object.keys(good)) {
      const isTextOnly = required[call].includes(field) && field !== 'otp';
      const wrong = [{}, [], true, 1.5, 'x'.repeat(5000), 'nul\0inside', ...(isTextOnly ? [17, null, ''] : [])];
      for (const value of wrong) {
        // changepassword ignores its code field.
        if (call === 'changepassword' && field === 'otp') continue;
        const [status, text] = await sentence({ ...good, [field]: value });
        expect(status, `${field} ${JSON.stringify(value).slice(0, 40)}: ${text}`).toBe(400);
        expect(text).toContain(field);
      }
    }
  });

  test('refuses passwords that are not base64', async () => {
    const good: Record<string, unknown> = goodBodies()[call];
    const fields = ['password', 'cpassword', ...(call === 'changepassword' ? ['ppassword'] : [])];
    for (const field of fields.filter((name) => name in good)) {
      for (const value of ['not base64!', 'tocsin-demo-plant', '////', base64('a\0b')]) {
        const [status, text] = await sentence({ ...good, [field]: value });
        expect([status, text], `${field} ${value}`).toEqual([400, expect.stringContaining(`The field "${field}" `)]);
      }
    }
  });
});

test('refuses wrong uuids, unusual names and invalid codes without a server error', async () => {
  const odd = ["'; drop table tocsin.user; --", '../../etc/passwd', '🔔'.repeat(20), '%00', '{{7*7}}', '{"$ne":null}'];
  for (const value of odd) {
    expect((await app.browser().auth('login', { email: value, password })).statusCode, value).toBe(401);
    expect((await app.browser().auth('forgot', { email: value })).statusCode, value).toBe(200);
    const form = { uuid: value.slice(0, 36), otp: value, password };
    expect((await app.browser().auth('activate', form)).statusCode, value).toBe(400);
    const id = { email: 'x@y.example', password, tocsin_customer_id: value };
    expect((await app.browser().auth('login', id)).statusCode, value).toBe(401);
  }
  for (const id of [-1, 0, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e21]) {
    const body = { email: 'x@y.example', password, tocsin_customer_id: id };
    expect((await app.browser().auth('login', body)).statusCode, String(id)).toBe(401);
  }
  for (const host of ['', '%%%', "x'y", `${'a'.repeat(300)}.example`]) {
    const response = await app.browser({ host }).auth('login', { email: 'x@y.example', password });
    expect(response.statusCode, host).toBe(401);
  }
  await app.auth.idle();
  const [count] = await serviceQuery(app.db, 'select count(*)::int as count from tocsin.user');
  expect(count.count).toBe(1);
});

test('refuses other methods', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH'] as const) {
    expect((await app.http.inject({ method, url: '/api/v1/auth/login' })).statusCode).toBe(404);
  }
  expect((await app.http.inject({ method: 'GET', url: '/api/v1/auth/logout' })).statusCode).toBe(404);
});
