import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type HttpReceiver, startHttpReceiver } from '../../test/harness/provider/http-receiver.ts';
import type { Message } from './sender.ts';
import { createTwilioSender, type TwilioOptions } from './twilio.ts';

const account = `AC${'0a'.repeat(16)}`;
const message: Message = {
  customerUuid: '00000000-0000-0000-0000-000000000001',
  address: '+44 7700 900001',
  subject: '',
  text: 'Tank 4 is full & “hot”',
  idempotencyKey: 'note-17',
};

let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterEach(() => receiver.clear());
afterAll(() => receiver.stop());

const twilio = (options: Partial<TwilioOptions> = {}) =>
  createTwilioSender({ account, token: 'auth-token-1', from: '+1 500 555 0006', url: receiver.url, ...options });
const credentials = (at = 0) =>
  Buffer.from((receiver.requests[at]?.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();

test('posts a message to the Messages resource of the account', async () => {
  receiver.always({ status: 201, body: { sid: 'SM123', status: 'queued', num_segments: '1', error_code: null } });
  expect(await twilio().send(message)).toEqual({ outcome: 'sent', providerId: 'SM123', answer: 'queued, segments: 1' });
  const [request] = receiver.requests;
  expect(request).toMatchObject({ method: 'POST', url: { pathname: `/2010-04-01/Accounts/${account}/Messages.json` } });
  expect([...(request?.form() ?? [])]).toEqual([
    ['To', '+447700900001'],
    ['From', '+15005550006'],
    ['Body', message.text],
  ]);
  expect(request?.headers['idempotency-key']).toBe('note-17');
  expect(credentials()).toBe(`${account}:auth-token-1`);
});

test('signs in with an API key, and lets a messaging service choose the number', async () => {
  const service = `MG${'b1'.repeat(16)}`;
  await twilio({ token: `SK${'c2'.repeat(16)}:the:secret`, from: service }).send(message);
  expect(credentials()).toBe(`SK${'c2'.repeat(16)}:the:secret`);
  expect(receiver.requests[0]?.form().get('MessagingServiceSid')).toBe(service);
  expect(receiver.requests[0]?.form().has('From')).toBe(false);
});

test('accepts a name as sender, and truncates a long text to Twilio’s limit', async () => {
  await twilio({ from: 'Northmere' }).send({ ...message, text: 'x'.repeat(2000) });
  expect(receiver.requests[0]?.form().get('From')).toBe('Northmere');
  expect(receiver.requests[0]?.form().get('Body')).toHaveLength(1600);
});

test.each([
  [400, 21211, 'give-up', /does not exist/],
  [400, 21610, 'give-up', /replied STOP/],
  [400, 21614, 'give-up', /does not accept SMS/],
  [400, 21617, 'give-up', /too long/],
  [400, 21408, 'retry', /geographic permissions/],
  [400, 21606, 'retry', /TOCSIN_TWILIO_FROM/],
  [401, 20003, 'retry', /TOCSIN_TWILIO_TOKEN/],
  [404, 20404, 'retry', /TOCSIN_TWILIO_ACCOUNT/],
  [429, 20429, 'retry', /now \(429\)/],
  [400, 21611, 'retry', /21611 as Twilio words it/],
  [400, 29999, 'give-up', /29999 as Twilio words it/],
  [500, 20500, 'retry', /now \(500\)/],
] as const)('maps a %i with code %i to %s', async (status, code, outcome, because) => {
  receiver.always({ status, body: { code, message: 'as Twilio words it', more_info: 'https://…', status } });
  expect(await twilio().send(message)).toMatchObject({ outcome, because: expect.stringMatching(because) });
});

test('does not accept the page of another server as a success', async () => {
  receiver.always({ body: '<html>Welcome to our hotel</html>' });
  expect(await twilio().send(message)).toMatchObject({
    outcome: 'retry',
    because: expect.stringMatching(/TWILIO_URL/),
  });
});

test.each(['hang', 'drop'] as const)('retries after a fault of the connection: %s', async (fault) => {
  receiver.always({ fault });
  expect(await twilio({ timeoutMs: 300 }).send(message)).toMatchObject({ outcome: 'retry' });
});

test('stores a response without the token', async () => {
  receiver.always(({ headers }) => ({ status: 400, body: `no: auth-token-1 ${headers.authorization}` }));
  expect(await twilio().send(message)).toEqual({
    outcome: 'give-up',
    because: 'Twilio did not accept the message (400). Its response: no: [hidden] Basic [hidden]',
  });
});

test('passes the receipt address, and sends without it if Twilio cannot call it', async () => {
  const callback = 'https://tocsin.example/api/v1/receipts/twilio';
  const sender = twilio({ callback });
  receiver.always({ status: 201, body: { sid: 'SM1', status: 'queued' } });
  await sender.send(message);
  expect(receiver.requests[0]?.form().get('StatusCallback')).toBe(callback);
  expect(sender.receiptProblem?.()).toBeUndefined();
  receiver.next({ status: 400, body: { code: 21609, message: "Invalid 'StatusCallback'" } });
  expect(await sender.send(message)).toMatchObject({ outcome: 'sent', providerId: 'SM1' });
  await sender.send(message);
  expect(sender.receiptProblem?.()).toMatch(/public address that Twilio can reach/);
  expect(receiver.requests.map((request) => request.form().has('StatusCallback'))).toEqual([true, true, false, false]);
  expect(new Set(receiver.requests.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set(['note-17']));
});

test('does not send to an invalid number', async () => {
  expect(await twilio().send({ ...message, address: '12' })).toMatchObject({ outcome: 'give-up' });
  expect(receiver.requests).toEqual([]);
});

test('signs in for the health check and sends nothing', async () => {
  receiver.next({ body: { messages: [] } }, { status: 401, body: { code: 20003, message: 'Authenticate' } });
  expect(await twilio().check()).toEqual({ ok: true });
  expect(receiver.requests[0]).toMatchObject({ method: 'GET', url: { search: '?PageSize=1' } });
  expect(credentials()).toBe(`${account}:auth-token-1`);
  expect(await twilio().check()).toMatchObject({ ok: false, problem: expect.stringMatching(/refused the sign-in/) });
});
