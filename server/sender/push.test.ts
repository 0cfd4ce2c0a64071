import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type HttpReceiver, makePushSubscriber, startHttpReceiver } from '../../test/harness/provider/http-receiver.ts';
import { createPushSender, makeVapidKeys, type PushOptions, usualPushServices, type VapidKeys } from './push.ts';
import type { Message } from './sender.ts';

let receiver: HttpReceiver;
let keys: VapidKeys;
beforeAll(async () => {
  receiver = await startHttpReceiver();
  keys = await makeVapidKeys();
});
afterEach(() => receiver.clear());
afterAll(() => receiver.stop());

const push = (options: Partial<PushOptions> = {}) =>
  createPushSender({ ...keys, subject: 'mailto:ops@plant.example', services: [receiver.url], ...options });
const device = (path = '/push/device-1') => makePushSubscriber(`${receiver.url}${path}`);
const messageTo = (address: string, more: Partial<Message> = {}): Message => ({
  customerUuid: '00000000-0000-0000-0000-000000000001',
  address,
  subject: 'Tank 4 ist übervoll',
  text: 'Level 98 %, limit 95 %. 😀',
  link: 'https://console.example/alarm/1',
  idempotencyKey: 'note-17',
  ...more,
});

test('encrypts a message that the device can decrypt, and signs it', async () => {
  const subscriber = device();
  receiver.always({ status: 201, headers: { location: 'https://push.example/message/1' } });
  expect(await push().send(messageTo(subscriber.address))).toEqual({
    outcome: 'sent',
    providerId: 'https://push.example/message/1',
    answer: 'Accepted (201).',
  });
  const request = receiver.requests[0]!;
  expect(request).toMatchObject({ method: 'POST', url: { pathname: '/push/device-1' } });
  expect(request.headers).toMatchObject({
    ttl: '86400',
    urgency: 'high',
    'content-encoding': 'aes128gcm',
    'idempotency-key': 'note-17',
  });
  const { payload, publicKey, claims } = subscriber.open(request);
  expect(payload).toEqual({
    title: 'Tank 4 ist übervoll',
    text: 'Level 98 %, limit 95 %. 😀',
    link: 'https://console.example/alarm/1',
    key: 'note-17',
    tag: 'note-17',
  });
  expect(publicKey).toBe(keys.publicKey);
  expect(claims).toMatchObject({ aud: receiver.url, sub: 'mailto:ops@plant.example' });
  expect(() => device().open(request), 'another device cannot read it').toThrow();
});

test('uses one topic for all attempts of a message, and another for each message', async () => {
  const { address } = device();
  for (const idempotencyKey of ['note-17', 'note-17', 'note-18'])
    await push().send(messageTo(address, { idempotencyKey }));
  const [first, second, third] = receiver.requests.map(({ headers }) => headers.topic);
  expect(first).toMatch(/^[\w-]{32}$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('replaces earlier messages of the alarm, offers Acknowledge while it is open, and keeps critical alarms on the screen', async () => {
  const subscriber = device();
  const alarm = { uuid: '00000000-0000-0000-0000-00000000000a', severity: 'critical', isResolved: false } as const;
  const link = 'https://console.example/a/1';
  const { link: _, ...unlinked } = messageTo(subscriber.address);
  for (const message of [
    { ...unlinked, idempotencyKey: 'opened', alarm, link },
    { ...unlinked, idempotencyKey: 'resolved', alarm: { ...alarm, isResolved: true } },
    { ...unlinked, idempotencyKey: 'minor', alarm: { ...alarm, severity: 'minor' as const }, link },
    { ...unlinked, idempotencyKey: 'need not be acknowledged', alarm },
  ]) {
    await push().send(message);
  }
  const payloads = receiver.requests.map((request) => subscriber.open(request).payload);
  expect(new Set(payloads.map(({ tag }) => tag)).size).toBe(1);
  expect(new Set(receiver.requests.map(({ headers }) => headers.topic)).size).toBe(1);
  expect(payloads.map(({ acknowledge, stays }) => [acknowledge, stays])).toEqual([
    [true, true],
    [undefined, undefined],
    [true, undefined],
    [undefined, true],
  ]);
});

test.each(['x', '漢', '😀', '\u0001'])('cuts a text of many %j to the size limit of push services', async (letter) => {
  const subscriber = device();
  await push().send(messageTo(subscriber.address, { text: letter.repeat(6000) }));
  const request = receiver.requests[0]!;
  expect(request.body.length).toBeLessThanOrEqual(4096);
  expect(request.body.length).toBeGreaterThan(3900);
  const { payload } = subscriber.open(request);
  expect(payload.text.endsWith('…')).toBe(true);
  expect(payload.text.isWellFormed()).toBe(true);
  expect(payload.link).toBe('https://console.example/alarm/1');
});

describe('the push service’s response', () => {
  test.each([
    [404, 'give-up', /subscription of this device has ended/],
    [410, 'give-up', /subscription of this device has ended/],
    [413, 'give-up', /too long/],
    [400, 'give-up', /did not accept the message \(400\)/],
    [401, 'retry', /administrator/],
    [429, 'retry', /now \(429\)/],
    [500, 'retry', /now \(500\)/],
    [503, 'retry', /now \(503\)/],
  ] as const)('%i means %s', async (status, outcome, because) => {
    receiver.always({ status, body: 'as it words it', headers: { 'retry-after': '9' } });
    const result = await push().send(messageTo(device().address));
    expect(result).toMatchObject({ outcome, because: expect.stringMatching(because) });
    expect('addressEnded' in result).toBe(status === 404 || status === 410);
    expect('afterSeconds' in result).toBe(outcome === 'retry');
  });

  test.each([
    [403, 'the VAPID credentials in the authorization header do not correspond to the credentials used to create'],
    [400, '{"reason":"VapidPkHashMismatch"}'],
  ])('ends a subscription that was made with other keys (%i)', async (status, body) => {
    receiver.always({ status, body });
    expect(await push().send(messageTo(device().address))).toMatchObject({ outcome: 'give-up', addressEnded: true });
  });

  test('is stored without the device’s address', async () => {
    receiver.always(({ url }) => ({ status: 400, body: `cannot post ${url.href} at ${url.pathname}` }));
    expect(await push().send(messageTo(device('/push/secret-device').address))).toMatchObject({
      because: expect.stringMatching(/Its response: cannot post \[hidden\] at \[hidden\]$/),
    });
  });

  test.each(['hang', 'drop'] as const)(
    'is missing after a fault of the connection (%s), and the message is retried',
    async (fault) => {
      receiver.always({ fault });
      expect(await push({ timeoutMs: 300 }).send(messageTo(device().address))).toMatchObject({ outcome: 'retry' });
    },
  );
});

describe('an address', () => {
  const edit = (change: (subscription: any) => void) => {
    const subscription = JSON.parse(device().address);
    change(subscription);
    return JSON.stringify(subscription);
  };

  test.each([
    ['no JSON', () => 'vera'],
    ['null', () => 'null'],
    ['no keys', () => edit((it) => delete it.keys)],
    ['a short key', () => edit((it) => (it.keys.p256dh = 'abc'))],
    ['no secret', () => edit((it) => (it.keys.auth = ''))],
    ['a file', () => edit((it) => (it.endpoint = 'file:///etc/passwd'))],
    ['a password', () => edit((it) => (it.endpoint = it.endpoint.replace('//', '//user:password@')))],
  ])('with %s is refused', async (_, address) => {
    const sender = push();
    expect(sender.checkAddress(address())).toMatch(/not a valid push subscription/);
    expect(await sender.send(messageTo(address()))).toMatchObject({ outcome: 'give-up' });
    expect(receiver.requests).toEqual([]);
  });

  test('with an invalid key fails the message', async () => {
    const address = edit((it) => (it.keys.p256dh = Buffer.alloc(65, 4).toString('base64url')));
    expect(await push().send(messageTo(address))).toMatchObject({
      outcome: 'give-up',
      because: expect.stringMatching(/keys of this push subscription are invalid/),
    });
  });

  test('at an unknown push service is not called', async () => {
    const sender = push({ services: usualPushServices });
    expect(await sender.send(messageTo(device().address))).toMatchObject({
      outcome: 'give-up',
      because: expect.stringMatching(/not on the installation’s list of push services/),
    });
    expect(receiver.requests).toEqual([]);
    const check = (endpoint: string) => sender.checkAddress(edit((it) => (it.endpoint = endpoint)));
    expect(check('https://fcm.googleapis.com/fcm/send/abc')).toBeUndefined();
    expect(check('https://wns2-par02p.notify.windows.com/w/?token=abc')).toBeUndefined();
    expect(check('http://fcm.googleapis.com/fcm/send/abc')).toMatch(/not on the installation’s list/);
    expect(check('http://a.notify.windows.com/w')).toMatch(/not on the installation’s list/);
    expect(check('https://fcm.googleapis.com.evil.example/')).toMatch(/not on the installation’s list/);
    expect(check('https://evilnotify.windows.com/')).toMatch(/not on the installation’s list/);
    expect(check('https://fcm.googleapis.com:8443/')).toMatch(/not on the installation’s list/);
  });
});

describe('the health check', () => {
  test('succeeds if the keys work and a push service responds', async () => {
    receiver.always({ status: 404 });
    expect(await push().check()).toEqual({ ok: true });
    expect(receiver.requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual(['HEAD /']);
  });

  test('fails if no push service responds', async () => {
    const gone = await startHttpReceiver();
    await gone.stop();
    expect(await push({ services: [gone.url] }).check()).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/No push service can be reached.*ECONNREFUSED/),
    });
    expect(await push({ services: [gone.url, receiver.url] }).check()).toEqual({ ok: true });
  });

  test('fails if the keys are invalid, and messages are retried', async () => {
    const sender = push({ privateKey: 'broken' });
    expect(await sender.check()).toMatchObject({ ok: false, problem: expect.stringMatching(/must create new keys/) });
    expect(await sender.send(messageTo(device().address))).toMatchObject({ outcome: 'retry' });
  });
});
