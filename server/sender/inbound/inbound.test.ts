import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import type { ReceiptCall } from '../receipt/receipt.ts';
import { twilioSignature } from '../receipt/twilio.ts';
import { whatsAppReceiptEndpoint } from '../receipt/whatsapp.ts';
import { answerableMethods, inboundEndpoints, shownInboundAddress } from './endpoints.ts';
import { gatewayInboundEndpoint, gatewaySignature } from './sms-gateway.ts';
import { twilioInboundEndpoint } from './twilio.ts';

const now = new Date('2026-03-02T08:00:00Z');
const seconds = now.getTime() / 1000;

function call(values: Partial<Omit<ReceiptCall, 'body'>> & { body?: string | object }): ReceiptCall {
  const { body = '', search = '', ...rest } = values;
  return {
    ...{ method: 'POST', headers: {}, secret: '', search, query: new URLSearchParams(search) },
    ...rest,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

describe('Twilio', () => {
  const address = 'https://tocsin.example/api/v1/inbound/twilio';
  const endpoint = twilioInboundEndpoint({ authToken: '12345', address });
  const form = new URLSearchParams({
    ...{ MessageSid: 'SM1', SmsSid: 'SM1', AccountSid: 'AC0', From: '+14158675309', To: '+14155551212' },
    ...{ Body: '1 on my way', NumMedia: '0' },
  });
  const signed = (url: string, body = form.toString()) =>
    endpoint.read(call({ headers: { 'x-twilio-signature': twilioSignature('12345', url, form) }, body }), now);

  test('delivers a message that is signed over the public address and the fields', () => {
    expect(signed(address)).toEqual({
      kind: 'messages',
      messages: [{ id: 'SM1', from: '+14158675309', text: '1 on my way' }],
      unusable: [],
    });
  });

  test('is refused with a signature for other fields, another address or none', () => {
    const refused = { kind: 'refused', because: expect.stringContaining('signature is wrong') };
    expect(signed(address, form.toString().replace('14158675309', '14158675310'))).toEqual(refused);
    expect(signed('https://tocsin.example/api/v1/receipts/twilio')).toEqual(refused);
    expect(endpoint.read(call({ body: form.toString() }), now)).toEqual(refused);
  });
});

describe('the WhatsApp Cloud API', () => {
  const endpoint = whatsAppReceiptEndpoint(
    { appSecret: 'app-secret', verifyToken: 'a-word-of-our-own' },
    undefined,
    '123456123',
  );
  const read = (messages: unknown, phoneId = '123456123') => {
    // The example of Meta's documentation.
    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '16505551111', phone_number_id: phoneId },
      contacts: [{ profile: { name: 'test user name' }, wa_id: '16315551181' }],
      messages,
    };
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '0', changes: [{ field: 'messages', value }] }],
    });
    const signature = `sha256=${createHmac('sha256', 'app-secret').update(body).digest('hex')}`;
    return endpoint.read(call({ headers: { 'x-hub-signature-256': signature }, body }));
  };
  const example = {
    ...{ from: '16315551181', id: 'ABGGFlA5Fpa', timestamp: '1504902988', type: 'text' },
    text: { body: 'this is a text message' },
  };

  test('delivers texts with number, time and quoted message', () => {
    const context = { from: '16505551111', id: 'wamid.quoted' };
    expect(read([example, { ...example, id: 'wamid.2', context }])).toEqual({
      kind: 'receipts',
      receipts: [],
      messages: [
        {
          ...{ id: 'ABGGFlA5Fpa', from: '+16315551181', text: 'this is a text message' },
          sentAt: new Date(1_504_902_988_000),
        },
        {
          ...{ id: 'wamid.2', from: '+16315551181', text: 'this is a text message', quoted: 'wamid.quoted' },
          sentAt: new Date(1_504_902_988_000),
        },
      ],
    });
  });

  test('delivers a picture without text, and no reactions or messages to other numbers', () => {
    const messages = (verdict: ReturnType<typeof read>) =>
      verdict.kind === 'receipts' ? verdict.messages : verdict.kind;
    expect(messages(read([{ ...example, type: 'image', text: undefined, image: { id: '1' } }]))).toMatchObject([
      { text: '' },
    ]);
    expect(messages(read([{ ...example, type: 'reaction', text: undefined }]))).toEqual([]);
    expect(messages(read([example], '4711'))).toEqual([]);
    for (const nonsense of [null, 'x', 7, [null, 7, 'x', {}, { id: 7 }]]) expect(messages(read(nonsense))).toEqual([]);
  });
});

describe('an SMS gateway', () => {
  const secret = '0123456789abcdef';
  const settings = {
    secret,
    proof: 'signature',
    id: 'messages[].id',
    from: 'messages[].from',
    text: 'messages[].text',
  } as const;
  const endpoint = gatewayInboundEndpoint(settings);
  const body = JSON.stringify({
    messages: [
      { id: 4711, from: '+44 7700 900001', text: '1' },
      { id: 'b', from: 'ALERT', text: '2 30' },
    ],
  });
  const read = (signature: string | undefined, sent = body, method = 'POST') =>
    endpoint.read(
      call({ method, headers: signature === undefined ? {} : { 'x-tocsin-signature': signature }, body: sent }),
      now,
    );

  test('delivers messages that are signed with the time and the body', () => {
    expect(gatewaySignature('secret', 1_772_438_400, '{"id":1}')).toBe(
      't=1772438400,v1=18d07daa7e98fe8f2f2e81ca926e00f0ce9a917ffeb1788cbd2112d2256f0a4a',
    );
    expect(read(gatewaySignature(secret, seconds, body))).toEqual({
      kind: 'messages',
      messages: [
        { id: '4711', from: '+447700900001', text: '1' },
        { id: 'b', from: undefined, text: '2 30' },
      ],
      unusable: [],
    });
  });

  test('is refused without a signature, with a wrong one, or with one of another time', () => {
    const because = (signature: string | undefined, sent?: string, method?: string) => {
      const verdict = read(signature, sent, method);
      return verdict.kind === 'refused' ? verdict.because : verdict.kind;
    };
    expect(because(undefined)).toMatch(/no signature/);
    expect(because('t=1,v1=0')).toMatch(/no signature/);
    expect(because(gatewaySignature(`${secret}x`, seconds, body))).toMatch(/signature is wrong/);
    expect(because(gatewaySignature(secret, seconds, body), `${body} `)).toMatch(/signature is wrong/);
    for (const away of [-301, 301]) {
      expect(because(gatewaySignature(secret, seconds + away, body))).toMatch(/older than five minutes/);
    }
    for (const away of [-300, 300]) expect(because(gatewaySignature(secret, seconds + away, body))).toBe('messages');
    expect(because(gatewaySignature(secret, seconds, ''), '', 'GET')).toMatch(/must use the method POST/);
  });

  test('without signatures is proven by the end of its address', () => {
    const open = gatewayInboundEndpoint({ ...settings, proof: 'address', id: 'id', from: 'from', text: 'text' });
    expect(open.route).toBe('/api/v1/inbound/sms/:secret');
    const search = '?id=1&from=%2B447700900001&text=1';
    expect(open.read(call({ method: 'GET', secret: 'guess', search }), now)).toMatchObject({ kind: 'refused' });
    expect(open.read(call({ method: 'GET', secret, search }), now)).toMatchObject({
      messages: [{ id: '1', from: '+447700900001', text: '1' }],
    });
    expect(open.read(call({ secret, body: 'from=1&text=1' }), now)).toMatchObject({
      messages: [],
      unusable: ['it has no value at id: check TOCSIN_SMS_INBOUND_ID'],
    });
  });
});

describe('the settings', () => {
  const twilio = {
    ...{
      TOCSIN_TWILIO_ACCOUNT: `AC${'0'.repeat(32)}`,
      TOCSIN_TWILIO_TOKEN: '12345',
      TOCSIN_TWILIO_FROM: '+15005550006',
    },
    ...{ TOCSIN_TWILIO_INBOUND: 'on', TOCSIN_PUBLIC_URL: 'https://tocsin.example' },
  };
  const gateway = {
    TOCSIN_SMS_URL: 'https://sms.example/?to={to}&text={text}',
    TOCSIN_SMS_INBOUND_SECRET: '0123456789abcdef',
  };
  const whatsApp = {
    ...{ TOCSIN_WHATSAPP_TOKEN: 'x', TOCSIN_WHATSAPP_PHONE_ID: '106540352242922', TOCSIN_WHATSAPP_INBOUND: 'on' },
    ...{ TOCSIN_WHATSAPP_APP_SECRET: 'x', TOCSIN_WHATSAPP_VERIFY_TOKEN: 'a-word-of-our-own' },
  };

  test('open an endpoint for the SMS sender and the webhook of WhatsApp', () => {
    const both = readConfig({ ...twilio, ...whatsApp });
    expect([...answerableMethods(both)].sort()).toEqual([2, 3]);
    expect(shownInboundAddress(both, 'twilio')).toBe('https://tocsin.example/api/v1/inbound/twilio');
    expect(shownInboundAddress(both, 'whatsapp')).toBe('https://tocsin.example/api/v1/receipts/whatsapp');
    expect(shownInboundAddress(readConfig(gateway), 'sms')).toBe('/api/v1/inbound/sms');
    const open = readConfig({ ...gateway, TOCSIN_SMS_INBOUND_PROOF: 'address' });
    expect(shownInboundAddress(open, 'sms'), 'without the secret').toBe('/api/v1/inbound/sms/');
    const off = readConfig({ ...twilio, ...whatsApp, TOCSIN_TWILIO_INBOUND: 'off', TOCSIN_WHATSAPP_INBOUND: '' });
    expect([inboundEndpoints(off), answerableMethods(off).size]).toEqual([[], 0]);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['no public address', { ...twilio, TOCSIN_PUBLIC_URL: '' }, /TOCSIN_TWILIO_INBOUND needs TOCSIN_PUBLIC_URL/],
    ['an API key only', { ...twilio, TOCSIN_TWILIO_TOKEN: `SK${'0'.repeat(32)}:x` }, /TOCSIN_TWILIO_AUTH_TOKEN/],
    ['a name as sender', { ...twilio, TOCSIN_TWILIO_FROM: 'Tocsin' }, /people cannot answer a name/],
    ['a word', { ...twilio, TOCSIN_TWILIO_INBOUND: 'yes' }, /must be on or off/],
    ['no account', { TOCSIN_TWILIO_INBOUND: 'on' }, /needs TOCSIN_TWILIO_ACCOUNT/],
    [
      'no receipts',
      { ...whatsApp, TOCSIN_WHATSAPP_APP_SECRET: '', TOCSIN_WHATSAPP_VERIFY_TOKEN: '' },
      /needs TOCSIN_WHATSAPP_APP_SECRET/,
    ],
    ['no WhatsApp', { TOCSIN_WHATSAPP_INBOUND: 'on' }, /needs TOCSIN_WHATSAPP_TOKEN/],
    ['a short secret', { ...gateway, TOCSIN_SMS_INBOUND_SECRET: 'short' }, /16 to 200 characters/],
    [
      'no secret',
      { ...gateway, TOCSIN_SMS_INBOUND_SECRET: '', TOCSIN_SMS_INBOUND_ID: 'id' },
      /needs TOCSIN_SMS_INBOUND_SECRET/,
    ],
    ['an unknown proof', { ...gateway, TOCSIN_SMS_INBOUND_PROOF: 'none' }, /must be signature or address/],
    [
      'a bad path',
      { ...gateway, TOCSIN_SMS_INBOUND_TEXT: 'a b' },
      /TOCSIN_SMS_INBOUND_TEXT must be the name of a field/,
    ],
    ['no gateway', { TOCSIN_SMS_INBOUND_SECRET: '0123456789abcdef' }, /needs TOCSIN_SMS_URL/],
  ])('are refused with %s', (_case, settings, message) => expect(() => readConfig(settings)).toThrow(message));
});
