import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { receiptEndpoints } from './endpoints.ts';
import type { ReceiptCall, ReceiptEndpoint } from './receipt.ts';
import { gatewayReceiptEndpoint } from './sms-gateway.ts';
import { twilioReceiptEndpoint, twilioSignature } from './twilio.ts';
import { whatsAppReceiptEndpoint } from './whatsapp.ts';

function call(values: Partial<Omit<ReceiptCall, 'body'>> & { body?: string | object }): ReceiptCall {
  const { body = '', search = '', ...rest } = values;
  return {
    ...{ method: 'POST', headers: {}, secret: '', search, query: new URLSearchParams(search) },
    ...rest,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

const receiptsOf = (endpoint: ReceiptEndpoint, made: ReceiptCall) => {
  const verdict = endpoint.read(made);
  return verdict.kind === 'receipts' ? verdict.receipts : verdict.kind;
};

describe('Twilio', () => {
  const address = 'https://tocsin.example/api/v1/receipts/twilio';
  const endpoint = twilioReceiptEndpoint({ authToken: '12345', address });
  const report = (fields: Record<string, string>, more: { url?: string; search?: string; token?: string } = {}) => {
    const form = new URLSearchParams(fields);
    const { url = `${address}${more.search ?? ''}`, search = '', token = '12345' } = more;
    const headers = { 'x-twilio-signature': twilioSignature(token, url, form) };
    return call({ search, headers, body: form.toString() });
  };

  test('computes the signature as in Twilio’s documentation', () => {
    const fields = new URLSearchParams({
      ...{
        CallSid: 'CA1234567890ABCDE',
        From: '+12349013030',
        To: '+18005551212',
        Caller: '+12349013030',
        Digits: '1234',
      },
    });
    expect(twilioSignature('12345', 'https://mycompany.com/myapp.php?foo=1&bar=2', fields)).toBe(
      '0/KCTR6DLpKmkAf8muzZqo1nDgQ=',
    );
  });

  test.each([
    [{ MessageStatus: 'delivered' }, [{ providerId: 'SM1', state: 'delivered', words: 'delivered' }]],
    [{ MessageStatus: 'read' }, [{ providerId: 'SM1', state: 'delivered', words: 'read' }]],
    [
      { MessageStatus: 'undelivered', ErrorCode: '30003' },
      [
        {
          providerId: 'SM1',
          state: 'failed',
          words: 'Twilio could not deliver the message (30003). The phone is off or out of reach.',
        },
      ],
    ],
    [
      { MessageStatus: 'failed', ErrorCode: '39999', ErrorMessage: 'as it words\nit' },
      [{ providerId: 'SM1', state: 'failed', words: 'Twilio could not deliver the message (39999). as it words it' }],
    ],
    [
      { MessageStatus: 'failed' },
      [{ providerId: 'SM1', state: 'failed', words: 'Twilio could not deliver the message.' }],
    ],
    [{ MessageStatus: 'sent' }, []],
    [{ MessageStatus: 'queued' }, []],
    [{ MessageStatus: 'something new' }, []],
    [{ MessageStatus: 'delivered', MessageSid: '' }, []],
    [{}, []],
  ])('%o', (fields, receipts) => {
    expect(receiptsOf(endpoint, report({ MessageSid: 'SM1', AccountSid: 'AC1', ...fields }))).toEqual(receipts);
  });

  const arrived = { MessageSid: 'SM1', MessageStatus: 'delivered' };
  test('refuses a call that Twilio did not sign', () => {
    const signed = report(arrived);
    const forged = new URLSearchParams({ ...arrived, MessageSid: 'SM2' }).toString();
    const calls: ReceiptCall[] = [
      { ...signed, headers: {} },
      { ...signed, headers: { 'x-twilio-signature': '' } },
      { ...signed, body: Buffer.from(forged) },
      { ...signed, search: '?more=1' },
      report(arrived, { token: '12346' }),
      report(arrived, { url: 'https://elsewhere.example/api/v1/receipts/twilio' }),
    ];
    for (const made of calls) expect(receiptsOf(endpoint, made)).toBe('refused');
  });

  test('accepts signatures with the port, with a query, and with unknown fields', () => {
    const made = [
      report(arrived, { url: address.replace('.example', '.example:443') }),
      report(arrived, { search: '?plant=1' }),
      report({ ...arrived, ANewField: 'x', aSmallOne: 'y' }),
    ];
    for (const each of made) expect(receiptsOf(endpoint, each)).toHaveLength(1);
    const onPort = twilioReceiptEndpoint({ authToken: '12345', address: address.replace('.example', '.example:8443') });
    expect(receiptsOf(onPort, report(arrived)), 'a port that Twilio omits').toHaveLength(1);
  });
});

describe('WhatsApp', () => {
  const endpoint = whatsAppReceiptEndpoint({ appSecret: 'app-secret', verifyToken: 'a word of our own' }, 'alarm');
  const report = (body: string | object, secret = 'app-secret') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const signature = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
    return call({ body: text, headers: { 'x-hub-signature-256': signature } });
  };
  const statuses = (...list: object[]) => ({
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', statuses: list } }] }],
  });

  test('reads many reports from one call and ignores others', () => {
    const body = statuses(
      { id: 'wamid.1', status: 'sent', timestamp: '1700000000' },
      { id: 'wamid.1', status: 'delivered', timestamp: '1700000001' },
      { id: 'wamid.2', status: 'read' },
      { id: 'wamid.3', status: 'failed', errors: [{ code: 131026, title: 'Message undeliverable' }] },
      {
        id: 'wamid.4',
        status: 'failed',
        errors: [{ code: 999, title: 'New', error_data: { details: 'as it words it' } }],
      },
      { id: 'wamid.5', status: 'failed' },
      { status: 'delivered' },
    );
    body.entry.push({
      id: '2',
      changes: [{ field: 'messages', value: { messages: [{ text: { body: 'hello' } }] } as any }],
    });
    expect(receiptsOf(endpoint, report(body))).toEqual([
      { providerId: 'wamid.1', state: 'delivered', words: 'delivered' },
      { providerId: 'wamid.2', state: 'delivered', words: 'read' },
      {
        providerId: 'wamid.3',
        state: 'failed',
        words: expect.stringMatching(/cannot deliver to this number.*\(131026\)$/),
      },
      { providerId: 'wamid.4', state: 'failed', words: 'WhatsApp could not deliver the message (999). as it words it' },
      { providerId: 'wamid.5', state: 'failed', words: 'WhatsApp could not deliver the message.' },
    ]);
  });

  test.each(['', 'null', '[]', '{"entry":[null,{"changes":{}}]}', 'no JSON'])('finds no receipt in %j', (body) => {
    expect(receiptsOf(endpoint, report(body))).toEqual([]);
  });

  test('refuses a call that Meta did not sign', () => {
    const body = statuses({ id: 'wamid.1', status: 'delivered' });
    const signed = report(body);
    expect(receiptsOf(endpoint, report(body, 'another secret'))).toBe('refused');
    expect(receiptsOf(endpoint, { ...signed, headers: {} })).toBe('refused');
    expect(
      receiptsOf(endpoint, { ...signed, body: Buffer.from(JSON.stringify(body).replace('wamid.1', 'wamid.2')) }),
    ).toBe('refused');
  });

  test('responds to the verification call of the address only with the verify token', () => {
    const greeting = (query: Record<string, string>) => {
      const search = `?${new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', ...query })}`;
      return endpoint.read(call({ method: 'GET', search }));
    };
    expect(greeting({ 'hub.verify_token': 'a word of our own' })).toEqual({ kind: 'greeting', text: '1158201444' });
    expect(greeting({ 'hub.verify_token': 'another' })).toMatchObject({ kind: 'refused' });
    expect(greeting({})).toMatchObject({ kind: 'refused' });
    expect(greeting({ 'hub.verify_token': 'a word of our own', 'hub.mode': 'unsubscribe' })).toMatchObject({
      kind: 'refused',
    });
    expect(greeting({ 'hub.verify_token': 'a word of our own', 'hub.challenge': '<script>' })).toMatchObject({
      kind: 'refused',
    });
  });
});

describe('an SMS gateway', () => {
  const secret = '0123456789abcdef';
  const settings = {
    secret,
    id: 'id',
    state: 'status',
    reason: undefined,
    delivered: ['delivered', '1'],
    failed: ['undeliv'],
  };
  const endpoint = gatewayReceiptEndpoint(settings);
  const arrived = [{ providerId: '4711', state: 'delivered', words: 'DELIVERED' }];

  test('reads a query, a form and JSON', () => {
    expect(receiptsOf(endpoint, call({ secret, method: 'GET', search: '?id=4711&status=DELIVERED' }))).toEqual(arrived);
    expect(receiptsOf(endpoint, call({ secret, body: 'status=DELIVERED&id=4711' }))).toEqual(arrived);
    expect(receiptsOf(endpoint, call({ secret, body: { id: 4711, status: 'DELIVERED' } }))).toEqual(arrived);
    expect(receiptsOf(endpoint, call({ secret, body: { id: '4711', status: 1 } }))).toEqual([
      { ...arrived[0], words: '1' },
    ]);
  });

  test('reads many reports at once, each with its own state and reason', () => {
    const many = gatewayReceiptEndpoint({
      ...settings,
      ...{ id: 'results[].messageId', state: 'results[].status.name', reason: 'results[].error.text' },
    });
    const results = [
      { messageId: 'a', status: { name: 'DELIVERED' } },
      { messageId: 'b', status: { name: 'PENDING' } },
      { status: { name: 'DELIVERED' } },
      { messageId: 'c', status: { name: 'UNDELIV' }, error: { text: 'no such number' } },
      { messageId: 'd' },
    ];
    expect(receiptsOf(many, call({ secret, body: { results } }))).toEqual([
      { providerId: 'a', state: 'delivered', words: 'DELIVERED' },
      {
        providerId: 'c',
        state: 'failed',
        words: 'The SMS gateway could not deliver the message (UNDELIV). no such number',
      },
    ]);
    const alone = gatewayReceiptEndpoint({ ...settings, id: '[0].id', state: '[0].status' });
    expect(receiptsOf(alone, call({ secret, body: [{ id: '4711', status: 'DELIVERED' }] }))).toEqual(arrived);
  });

  test('hides keys that the gateway repeats in the reason', () => {
    const sms = {
      ...{ by: 'gateway' as const, url: 'https://sms.example/send?api_key=pl%2Bnt4711&to={to}&text={text}' },
      ...{ method: 'GET' as const, body: undefined, headers: {}, success: undefined, id: undefined },
      receipts: { ...settings, reason: 'error' },
    };
    const body = { id: '4711', status: 'UNDELIV', error: `api_key=pl%2Bnt4711, at /receipts/sms/${secret}` };
    const endpoints = receiptEndpoints({ sms, whatsapp: undefined, publicUrl: undefined });
    const words =
      'The SMS gateway could not deliver the message (UNDELIV). api_key=[hidden], at /receipts/sms/[hidden]';
    expect(endpoints.map((one) => receiptsOf(one, call({ secret, body })))).toMatchObject([[{ words }]]);
  });

  test.each([
    '',
    'id=4711',
    'id=4711&status=accepted',
    'status=delivered',
    '{"id":{"a":1},"status":"delivered"}',
    '{broken',
  ])('finds no receipt in %j', (body) => expect(receiptsOf(endpoint, call({ secret, body }))).toEqual([]));

  const noId = 'it has no value at id: check TOCSIN_SMS_RECEIPT_ID';
  const noState = 'it has no value at status: check TOCSIN_SMS_RECEIPT_STATE';
  test.each([
    ['', [noId]],
    ['status=delivered', [noId]],
    ['{"id":{"a":1},"status":"delivered"}', [noId]],
    ['id=4711', [noState]],
    ['{broken', ['its body looks like JSON but is not valid']],
    ['id=4711&status=accepted', []],
    ['id=4711&status=delivered', []],
  ])('%j lacks %j', (body, unusable) => {
    expect(endpoint.read(call({ secret, body }))).toMatchObject({ kind: 'receipts', unusable });
  });

  test('refuses a call without the secret', () => {
    for (const wrong of ['', '0123456789abcdeF', `${secret}0`]) {
      expect(receiptsOf(endpoint, call({ secret: wrong, body: 'id=4711&status=delivered' }))).toBe('refused');
    }
  });
});
