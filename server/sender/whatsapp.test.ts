import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type HttpReceiver, startHttpReceiver } from '../../test/harness/provider/http-receiver.ts';
import type { Message } from './sender.ts';
import { createWhatsAppSender, type WhatsAppOptions } from './whatsapp.ts';

const message: Message = {
  customerUuid: '00000000-0000-0000-0000-000000000001',
  address: '00 44 7700 900001',
  subject: '',
  text: 'Tank 4 is full.\n\n\tLevel:     98 %',
  link: 'https://console.example/alarm/1',
  idempotencyKey: 'note-17',
};
const taken = {
  messaging_product: 'whatsapp',
  contacts: [{ input: '+447700900001', wa_id: '447700900001' }],
  messages: [{ id: 'wamid.ABC', message_status: 'accepted' }],
};

let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterEach(() => receiver.clear());
afterAll(() => receiver.stop());

const whatsapp = (options: Partial<WhatsAppOptions> = {}) =>
  createWhatsAppSender({
    token: 'EAA-token-1',
    phoneId: '106540352242922',
    template: undefined,
    language: 'en_GB',
    url: `${receiver.url}/v23.0`,
    ...options,
  });
const refuse = (status: number, error: object) => receiver.always({ status, body: { error } });

test('sends a text with its link and its idempotency key', async () => {
  receiver.always({ body: taken });
  expect(await whatsapp().send(message)).toEqual({ outcome: 'sent', providerId: 'wamid.ABC', answer: 'accepted' });
  const [request] = receiver.requests;
  expect(request).toMatchObject({ method: 'POST', url: { pathname: '/v23.0/106540352242922/messages' } });
  expect(request?.headers).toMatchObject({ authorization: 'Bearer EAA-token-1', 'idempotency-key': 'note-17' });
  expect(request?.json()).toEqual({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: '+447700900001',
    biz_opaque_callback_data: 'note-17',
    type: 'text',
    text: { body: `${message.text}\n\nhttps://console.example/alarm/1` },
  });
});

test('passes the text as the template’s variable, on one line', async () => {
  receiver.always({ body: taken });
  await whatsapp({ template: 'alarm_message' }).send(message);
  expect(receiver.requests[0]?.json()).toMatchObject({
    type: 'template',
    template: {
      name: 'alarm_message',
      language: { code: 'en_GB' },
      components: [
        {
          type: 'body',
          parameters: [{ type: 'text', text: 'Tank 4 is full. Level: 98 % https://console.example/alarm/1' }],
        },
      ],
    },
  });
});

test('truncates a long text to WhatsApp’s limit', async () => {
  receiver.always({ body: taken });
  const long = { ...message, text: 'x'.repeat(5000) };
  await whatsapp().send(long);
  await whatsapp({ template: 'alarm_message' }).send(long);
  const [text, template] = receiver.requests.map((request) => request.json());
  expect(text.text.body).toHaveLength(4096);
  expect(template.template.components[0].parameters[0].text).toHaveLength(1024);
});

test.each([
  [400, 131026, 'give-up', /cannot deliver to this number/],
  [400, 131047, 'give-up', /Set TOCSIN_WHATSAPP_TEMPLATE/],
  [400, 131030, 'give-up', /test number/],
  [400, 131009, 'give-up', /131009 as Meta words it in detail/],
  [401, 190, 'retry', /access token/],
  [401, 0, 'retry', /access token/],
  [403, 200, 'retry', /is not allowed to send from this number/],
  [404, 132001, 'retry', /TOCSIN_WHATSAPP_TEMPLATE and TOCSIN_WHATSAPP_LANGUAGE/],
  [400, 130429, 'retry', /cannot accept the message now.*130429/],
  [400, 80007, 'retry', /cannot accept the message now.*80007/],
  [400, 131056, 'retry', /cannot accept the message now/],
  [500, 131000, 'retry', /cannot accept the message now/],
] as const)('maps a %i with code %i to %s', async (status, code, outcome, because) => {
  refuse(status, { code, message: 'as Meta words it', error_data: { details: 'in detail' }, fbtrace_id: 'x' });
  expect(await whatsapp().send(message)).toMatchObject({ outcome, because: expect.stringMatching(because) });
});

test('advises a template only if none is set', async () => {
  refuse(400, { code: 131047, message: 'Re-engagement message' });
  const sentence = 'This person has not written to the sender for 24 hours, so WhatsApp accepts only templates.';
  expect(await whatsapp({ template: 'alarm_message' }).send(message)).toEqual({
    outcome: 'give-up',
    because: `${sentence} (131047)`,
  });
});

test('retries if the token has no access to the number, and gives up after other invalid parameters', async () => {
  refuse(400, { code: 100, error_subcode: 33, message: 'Unsupported post request' });
  expect(await whatsapp().send(message)).toMatchObject({
    outcome: 'retry',
    because: expect.stringMatching(/phone number ID/),
  });
  refuse(400, { code: 100, message: 'Invalid parameter' });
  expect(await whatsapp().send(message)).toMatchObject({ outcome: 'give-up' });
});

test.each([
  [200, '<html>Welcome</html>', 'retry'],
  [502, 'Bad gateway', 'retry'],
  [400, 'no JSON', 'give-up'],
] as const)('maps a %i with %j to %s', async (status, body, outcome) => {
  receiver.always({ status, body });
  expect(await whatsapp().send(message)).toMatchObject({ outcome });
});

test.each(['hang', 'drop'] as const)('retries after a fault of the connection: %s', async (fault) => {
  receiver.always({ fault });
  expect(await whatsapp({ timeoutMs: 300 }).send(message)).toMatchObject({ outcome: 'retry' });
});

test('stores a response without the token', async () => {
  refuse(400, { code: 1, message: 'Malformed access token EAA-token-1' });
  const result = await whatsapp().send(message);
  expect(result).toMatchObject({ outcome: 'retry', because: expect.stringMatching(/token \[hidden\]/) });
  expect(JSON.stringify(result)).not.toContain('EAA-token-1');
});

test('does not send to an invalid number', async () => {
  expect(await whatsapp().send({ ...message, address: 'vera' })).toMatchObject({ outcome: 'give-up' });
  expect(receiver.requests).toEqual([]);
});

test('reads the number for the health check and sends nothing', async () => {
  receiver.next(
    { body: { id: '106540352242922' } },
    { status: 401, body: { error: { code: 190, message: 'expired' } } },
  );
  expect(await whatsapp().check()).toEqual({ ok: true });
  expect(receiver.requests[0]).toMatchObject({ method: 'GET', url: { pathname: '/v23.0/106540352242922' } });
  expect(await whatsapp().check()).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/access token/),
  });
});
