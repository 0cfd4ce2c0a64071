import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type HttpReceiver, startHttpReceiver } from '../../test/harness/provider/http-receiver.ts';
import type { Message } from './sender.ts';
import { createSmsGatewaySender, type SmsGatewayOptions } from './sms-gateway.ts';

const message: Message = {
  customerUuid: '00000000-0000-0000-0000-000000000001',
  address: '0049 (170) 123-4567',
  subject: 'not for an SMS',
  text: 'Tank 4 & 5: "full" {key}\n<95 %> +1 Größe 😀',
  link: 'https://console.example/alarm/1',
  idempotencyKey: 'note-17',
};

let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterEach(() => receiver.clear());
afterAll(() => receiver.stop());

const gateway = (options: Partial<SmsGatewayOptions> = {}) =>
  createSmsGatewaySender({
    url: `${receiver.url}/send?to={to}&text={text}`,
    method: 'GET',
    body: undefined,
    headers: {},
    success: undefined,
    id: undefined,
    ...options,
  });
const post = (body: string, headers: Record<string, string> = {}) =>
  gateway({ url: `${receiver.url}/send`, method: 'POST', body, headers });

describe('a message is encoded for the place of its placeholder', () => {
  test('in the address', async () => {
    const sender = gateway({ url: `${receiver.url}/v1/{digits}/send?to={to}&text={text}&ref={key}` });
    expect(await sender.send(message)).toMatchObject({ outcome: 'sent' });
    const [request] = receiver.requests;
    expect(request?.method).toBe('GET');
    expect(request?.url.pathname).toBe('/v1/491701234567/send');
    expect([...(request?.url.searchParams ?? [])]).toEqual([
      ['to', '+491701234567'],
      ['text', message.text],
      ['ref', 'note-17'],
    ]);
    expect(request?.headers['idempotency-key']).toBe('note-17');
  });

  test('with the receipt address, which is not stored', async () => {
    const callback = 'https://tocsin.example/api/v1/receipts/sms/0123456789abcdef';
    const receipts = {
      secret: '0123456789abcdef',
      id: 'id',
      state: 'status',
      reason: undefined,
      delivered: [],
      failed: [],
    };
    const url = `${receiver.url}/send?to={to}&text={text}&report={receipt}`;
    receiver.always(({ url: { search } }) => ({ body: `taken: ${search}` }));
    const result = await gateway({ url, receipts, callback }).send(message);
    expect(receiver.requests[0]?.url.searchParams.get('report')).toBe(callback);
    expect(result).toMatchObject({ outcome: 'sent', answer: expect.not.stringContaining('0123456789abcdef') });
  });

  test('in a form', async () => {
    await post('from=Tocsin&to={to}&text={text}').send(message);
    const [request] = receiver.requests;
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect([...(request?.form() ?? [])]).toEqual([
      ['from', 'Tocsin'],
      ['to', '+491701234567'],
      ['text', message.text],
    ]);
  });

  test('in JSON, at any depth', async () => {
    await post('{"messages":[{"to":["{to}"],"body":"Alarm: {text}","unicode":true,"ref":"{key}"}]}').send(message);
    const [request] = receiver.requests;
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.json()).toEqual({
      messages: [{ to: ['+491701234567'], body: `Alarm: ${message.text}`, unicode: true, ref: 'note-17' }],
    });
  });

  test('in XML', async () => {
    await post('<sms to="{to}">{text}</sms>').send({ ...message, text: 'a<b> & "c"\u0001' });
    const [request] = receiver.requests;
    expect(request?.headers['content-type']).toBe('application/xml');
    expect(request?.text).toBe('<sms to="+491701234567">a&#60;b&#62; &#38; &#34;c&#34;</sms>');
  });

  test('unchanged for an unknown content type', async () => {
    await post('{to} {text}', { 'Content-Type': 'text/plain' }).send({ ...message, text: 'a & b' });
    expect(receiver.requests[0]?.text).toBe('+491701234567 a & b');
  });

  test('in headers, where a line break in a key starts no new header', async () => {
    const sender = gateway({ headers: { Authorization: 'Bearer abc', 'X-Reference': '{key}/{digits}' } });
    await sender.send({ ...message, idempotencyKey: 'a\r\nX-Evil: 1' });
    const { headers } = receiver.requests[0] ?? {};
    expect(headers).toMatchObject({ authorization: 'Bearer abc', 'x-reference': 'aX-Evil: 1/491701234567' });
    expect(headers).not.toHaveProperty('x-evil');
  });

  test('with half a surrogate pair', async () => {
    expect(await gateway().send({ ...message, text: 'a\uD800b' })).toMatchObject({ outcome: 'sent' });
    expect(receiver.requests[0]?.url.searchParams.get('text')).toBe('a\uFFFDb');
  });

  test('sends a name and password in the address as authorization', async () => {
    const url = `${receiver.url.replace('//', '//us%40er:p%3Ass@')}/send?to={to}&text={text}`;
    receiver.always({ status: 400, body: 'us@er p:ss is wrong' });
    expect(await gateway({ url }).send(message)).toMatchObject({ because: expect.not.stringMatching(/us@er|p:ss/) });
    const { authorization = '' } = receiver.requests[0]?.headers ?? {};
    expect(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()).toBe('us@er:p:ss');
  });
});

describe('the gateway’s response', () => {
  test.each([
    ['data.messages[0].id', '{"data":{"messages":[{"id":4711}]}}', '4711'],
    ['$.id', '{"id":"abc"}', 'abc'],
    ['[0].message-id', '[{"message-id":"x1"}]', 'x1'],
    ['$.id', 'OK', ''],
    ['$.constructor.name', '{}', ''],
    ['/^OK: (\\d+)$/m', 'Hello\nOK: 17', '17'],
    ['/\\d+/', 'number 9', '9'],
  ])('contains the id, found by %s in %s', async (id, body, providerId) => {
    receiver.always({ body });
    expect(await gateway({ id }).send(message)).toMatchObject({ outcome: 'sent', providerId });
  });

  test('without the agreed text is not a success', async () => {
    const sender = gateway({ success: 'ACCEPTED' });
    receiver.next({ body: 'ERROR 12: no credit' }, {}, { body: '{"status":"ACCEPTED"}' });
    expect(await sender.send(message)).toEqual({
      outcome: 'retry',
      because:
        'The SMS gateway did not confirm the message with the text of TOCSIN_SMS_SUCCESS. Its response: ERROR 12: no credit',
    });
    expect(await sender.check()).toMatchObject({ ok: false, problem: expect.stringContaining('no credit') });
    expect(await sender.send(message)).toMatchObject({ outcome: 'sent', answer: '{"status":"ACCEPTED"}' });
    expect(await sender.check()).toEqual({ ok: true });
  });

  test.each([
    [400, 'give-up'],
    [401, 'retry'],
    [404, 'retry'],
    [422, 'give-up'],
    [429, 'retry'],
    [500, 'retry'],
    [302, 'retry'],
  ] as const)('%i means %s', async (status, outcome) => {
    receiver.always({ status, body: 'because' });
    const result = await gateway().send(message);
    expect(result).toMatchObject({ outcome, because: expect.stringMatching(new RegExp(`\\(${status}\\)`)) });
    expect(receiver.requests).toHaveLength(1);
  });

  test('passes on the requested delay', async () => {
    receiver.always({ status: 429, headers: { 'retry-after': '7' } });
    expect(await gateway().send(message)).toMatchObject({ outcome: 'retry', afterSeconds: 7 });
  });

  test('with a redirect gets no credentials on another host', async () => {
    const other = await startHttpReceiver();
    receiver.always({ status: 307, headers: { location: `${other.url}/send` } });
    const sender = gateway({ headers: { Authorization: 'Bearer abc' } });
    expect(await sender.send(message)).toMatchObject({
      outcome: 'retry',
      because: expect.stringMatching(/does not follow/),
    });
    expect(other.requests).toEqual([]);
    await other.stop();
  });

  test('that repeats the request is stored without its keys', async () => {
    receiver.always(({ url, headers, text }) => ({ body: `${url.href} ${headers.authorization} ${text}` }));
    const sender = gateway({
      url: `${receiver.url}/hook/0123456789abcdef01/send?apikey=key%2Fin%2Faddress&to={to}`,
      method: 'POST',
      body: '{"secret":"key-in-body","text":"{text}"}',
      headers: { Authorization: 'Bearer key-in-header' },
    });
    const result = await sender.send({ ...message, text: 'x'.repeat(600) });
    expect(result).toMatchObject({ outcome: 'sent', answer: expect.stringMatching(/^http.*\[hidden\]/) });
    const { answer } = result as { answer: string };
    expect(answer).not.toMatch(/key-in-header|key-in-body|key.{1,3}in.{1,3}address|0123456789abcdef/);
    expect(answer.length).toBe(500);
  });

  test('is stored without a short key', async () => {
    receiver.always(({ url, headers, text }) => ({ body: `${url.search} ${headers.authorization} ${text}` }));
    const sender = gateway({
      url: `${receiver.url}/send?key=k3y1&to={to}`,
      method: 'POST',
      body: '{"pin":"4711","text":"{text}"}',
      headers: { Authorization: 'Bearer t0ken' },
    });
    const { answer } = (await sender.send({ ...message, text: 'Pump 147110' })) as { answer: string };
    expect(answer).toContain('Pump 147110');
    expect(answer.replace('147110', '')).not.toMatch(/k3y1|t0ken|4711/);
  });
});

describe('a failure', () => {
  test.each(['hang', 'drop', 'break-off'] as const)('of the connection is retried: %s', async (fault) => {
    receiver.always({ fault, body: 'a long enough text' });
    expect(await gateway({ timeoutMs: 300 }).send(message)).toMatchObject({ outcome: 'retry' });
  });

  test('to connect is retried, and the health check reports it', async () => {
    const gone = await startHttpReceiver();
    await gone.stop();
    const sender = gateway({ url: `${gone.url}/?to={to}&text={text}` });
    const sentence = 'The SMS gateway cannot be reached (ECONNREFUSED).';
    expect(await sender.send(message)).toEqual({ outcome: 'retry', because: sentence });
    expect(await sender.check()).toEqual({ ok: false, problem: sentence });
  });

  test('because of an invalid number sends nothing', async () => {
    expect(await gateway().send({ ...message, address: '0170 1234567' })).toMatchObject({ outcome: 'give-up' });
    expect(receiver.requests).toEqual([]);
  });

  test('is reported by the health check, which sends neither message nor key', async () => {
    const sender = gateway({ headers: { Authorization: 'Bearer abc' } });
    receiver.next({ status: 404 }, { status: 401, body: 'who are you' });
    expect(await sender.check()).toEqual({ ok: true });
    expect(receiver.requests[0]).toMatchObject({ method: 'HEAD', url: { pathname: '/', search: '' } });
    expect(receiver.requests[0]?.headers).not.toHaveProperty('authorization');
    await sender.send(message);
    expect(await sender.check()).toMatchObject({ ok: false, problem: expect.stringContaining('who are you') });
    receiver.next({ status: 503 });
    expect(await sender.check()).toMatchObject({ ok: false, problem: expect.stringContaining('503') });
  });
});
