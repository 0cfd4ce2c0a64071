import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type HttpReceiver, startHttpReceiver } from '../../test/harness/provider/http-receiver.ts';
import { classifyStatus, createHttpClient, explainNoAnswer, explainStatus, headerSafe } from './http.ts';

let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterEach(() => receiver.clear());
afterAll(() => receiver.stop());

const get = (path = '/') => ({ url: `${receiver.url}${path}`, method: 'GET' });

describe('a request', () => {
  test('returns status, body, location and the requested delay', async () => {
    receiver.always({ status: 429, body: 'slow down', headers: { 'retry-after': '30', location: '/message/1' } });
    expect(await createHttpClient().request(get())).toEqual({
      answered: true,
      status: 429,
      body: 'slow down',
      location: '/message/1',
      afterSeconds: 30,
    });
  });

  test.each([
    ['999999', 3600],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    ['-5', undefined],
  ])('reads a Retry-After of %j as %s seconds', async (header, afterSeconds) => {
    receiver.always({ status: 503, headers: { 'retry-after': header } });
    expect(await createHttpClient().request(get())).toMatchObject({ afterSeconds });
  });

  test('does not follow a redirect', async () => {
    receiver.always({ status: 302, headers: { location: `${receiver.url}/elsewhere` } });
    expect(await createHttpClient().request(get('/here'))).toMatchObject({ answered: true, status: 302 });
    expect(receiver.requests.map(({ url }) => url.pathname)).toEqual(['/here']);
  });

  test('reads at most 64 KiB of a response', async () => {
    receiver.always({ body: 'x'.repeat(5_000_000) });
    const answer = await createHttpClient().request(get());
    expect(answer.answered && answer.body.length).toBe(65_536);
  });

  test.each([
    ['hang', 'too-slow'],
    ['drop', 'not-reached'],
    ['break-off', 'not-reached'],
  ] as const)('reports no answer from a receiver that does %s: %s', async (fault, because) => {
    receiver.always({ fault, body: 'a text that is long enough to be cut' });
    expect(await createHttpClient({ timeoutMs: 300 }).request(get())).toMatchObject({ answered: false, because });
  });

  test('reports no response for an invalid address, without repeating it', async () => {
    const answer = await createHttpClient().request({ url: 'http://user:secret@', method: 'GET' });
    expect(answer).toMatchObject({ answered: false, because: 'not-reached' });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  test('runs four requests at a time and completes all', async () => {
    receiver.always({ delayMs: 50 });
    const client = createHttpClient();
    const answers = await Promise.all(Array.from({ length: 14 }, () => client.request(get())));
    expect(answers.filter((answer) => answer.answered)).toHaveLength(14);
    expect(receiver.busiest).toBe(4);
  });

  test('waits for running requests when closing, and starts no more', async () => {
    receiver.always({ delayMs: 100, body: 'done' });
    const client = createHttpClient({ connections: 1 });
    const first = client.request(get());
    const second = client.request(get());
    await receiver.waitFor(() => true);
    await client.close();
    const stillOnItsWay = new Promise((resolve) => setImmediate(resolve, 'still on its way'));
    expect(await Promise.race([first, stillOnItsWay])).toMatchObject({ answered: true, body: 'done' });
    expect(await second).toMatchObject({ answered: false, because: 'closed' });
    expect(await client.request(get())).toMatchObject({ answered: false, because: 'closed' });
    expect(receiver.requests).toHaveLength(1);
  });
});

test.each([
  [200, 'taken'],
  [202, 'taken'],
  [301, 'administrator'],
  [400, 'refused'],
  [401, 'administrator'],
  [403, 'administrator'],
  [404, 'administrator'],
  [408, 'later'],
  [413, 'refused'],
  [422, 'refused'],
  [429, 'later'],
  [500, 'later'],
  [503, 'later'],
] as const)('classifies status %i as %s', (status, verdict) => {
  expect(classifyStatus(status)).toBe(verdict);
});

test('explains failures in sentences', () => {
  const answer = {
    answered: true,
    status: 400,
    body: 'bad key=abc123',
    location: '',
    afterSeconds: undefined,
  } as const;
  expect(explainStatus('It', answer, ['abc123'])).toBe(
    'It did not accept the message (400). Its response: bad key=[hidden]',
  );
  expect(explainStatus('It', { ...answer, status: 302 })).toMatch(/redirect \(302\), which Tocsin does not follow/);
  expect(explainNoAnswer('It', { answered: false, because: 'too-slow', detail: '' })).toBe('It did not reply in time.');
  expect(headerSafe(' a\r\nb\u00e9 ')).toBe('ab');
});
