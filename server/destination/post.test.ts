import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type HttpReceiver, startHttpReceiver } from '../../test/harness/provider/http-receiver.ts';
import { classifyAnswer } from './classify.ts';
import { post } from './post.ts';
import { signedHeaders } from './sign.ts';

let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterEach(() => receiver.clear());
afterAll(() => receiver.stop());

const here = { allowPrivate: true, timeoutMs: 2000 };
const portOf = () => new URL(receiver.url).port;

test('posts body and headers', async () => {
  receiver.always({ status: 202, body: 'thanks' });
  const answer = await post(`${receiver.url}/hook?a=1`, { 'content-type': 'application/json' }, '{"ä":1}', here);
  expect(answer).toMatchObject({ answered: true, status: 202, body: 'thanks' });
  const [request] = receiver.requests;
  expect([request?.method, request?.url.pathname, request?.text]).toEqual(['POST', '/hook', '{"ä":1}']);
});

test('connects to the checked address and resolves the name only once, so that rebinding has no effect', async () => {
  let lookups = 0;
  const resolve = async () => {
    lookups += 1;
    return [{ address: '127.0.0.1', family: 4 }];
  };
  const answer = await post(`http://hooks.example.com:${portOf()}/`, {}, '{}', { ...here, resolve });
  expect(answer).toMatchObject({ answered: true, status: 200 });
  expect(lookups).toBe(1);
  expect(receiver.requests[0]?.headers.host).toBe(`hooks.example.com:${portOf()}`);
});

test('sends nothing to a name that leads to a private address', async () => {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const url = `https://hooks.example.com:${portOf()}/`;
  const answer = await post(url, {}, '{}', { allowPrivate: false, timeoutMs: 2000, resolve });
  expect(answer).toMatchObject({ answered: false, because: 'refused' });
  expect(receiver.requests).toEqual([]);
});

test('does not follow a redirect', async () => {
  receiver.always({ status: 307, headers: { location: `${receiver.url}/elsewhere` } });
  const answer = await post(`${receiver.url}/here`, {}, '{}', here);
  expect(answer).toMatchObject({ answered: true, status: 307 });
  expect(receiver.requests.map(({ url }) => url.pathname)).toEqual(['/here']);
  expect(classifyAnswer(answer, [])).toMatchObject({
    outcome: 'give-up',
    because: expect.stringContaining('redirect'),
  });
});

test('reads at most 16 KiB of the response', async () => {
  receiver.always({ body: 'x'.repeat(5_000_000) });
  const answer = await post(receiver.url, {}, '{}', here);
  expect(answer.answered && answer.body.length).toBe(16_384);
});

test.each([
  ['hang', 'too-slow'],
  ['drop', 'not-reached'],
  ['break-off', 'not-reached'],
] as const)('reports no answer from a receiver that does %s: %s', async (fault, because) => {
  receiver.always({ fault, body: 'a text that is long enough to be cut' });
  const answer = await post(receiver.url, {}, '{}', { ...here, timeoutMs: 300 });
  expect(answer).toMatchObject({ answered: false, because });
  expect(classifyAnswer(answer, [])).toMatchObject({ outcome: 'retry' });
});

test('a look-up that never ends counts as too slow', async () => {
  const resolve = () => new Promise<never>(() => {});
  const answer = await post('https://hooks.example.com/', {}, '{}', { ...here, timeoutMs: 100, resolve });
  expect(answer).toMatchObject({ answered: false, because: 'too-slow' });
});

test.each([
  [200, 'sent'],
  [204, 'sent'],
  [302, 'give-up'],
  [400, 'give-up'],
  [404, 'give-up'],
  [410, 'give-up'],
  [408, 'retry'],
  [429, 'retry'],
  [500, 'retry'],
  [503, 'retry'],
] as const)('classifies status %i as %s', (status, outcome) => {
  const answer = { answered: true as const, status, body: '', location: '', afterSeconds: 7 };
  expect(classifyAnswer(answer, [])).toMatchObject({ outcome, status });
});

test('hides the URL and the secret in the stored response', () => {
  const body = 'You called https://hooks.example.com/T000/secret with whsec_abcdefgh';
  const secrets = ['https://hooks.example.com/T000/secret', 'whsec_abcdefgh'];
  const { because } = classifyAnswer(
    { answered: true, status: 500, body, location: '', afterSeconds: undefined },
    secrets,
  );
  expect(because).toContain('You called [hidden] with [hidden]');
});

test('signs the time and the body', () => {
  const headers = signedHeaders('whsec_x', new Date(1_700_000_000_500), '{"a":1}');
  const expected = createHmac('sha256', 'whsec_x').update('1700000000.{"a":1}').digest('hex');
  expect(headers).toEqual({ 'tocsin-timestamp': '1700000000', 'tocsin-signature': `v1=${expected}` });
});
