/**
 * A query counts towards its user's limit of concurrent queries only while it runs, even if the client disconnects
 * early. An unreliable connection therefore never locks a user out.
 */
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';

let app: TestApp;
let operator: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  operator = await app.browser((await app.staff()).operator);
});
afterAll(() => app?.close());

/** Sends a query over a real connection, as a page does. */
function send(signal: AbortSignal): Promise<number> {
  const cookies = [...operator.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie: cookies, 'x-xsrf-token': operator.cookies.get('XSRF-TOKEN') ?? '' };
  return fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ sites { nodes { name } } }' }),
    signal,
  }).then(({ status }) => status);
}

test('a user whose requests are aborted at any moment can send further requests', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 60 }), { minLength: 6, maxLength: 20 }), async (turns) => {
      const cut = turns.map(async (count) => {
        const connection = new AbortController();
        const answer = send(connection.signal).catch(() => undefined);
        for (let left = count; left > 0; left -= 1) await turn();
        connection.abort();
        return answer;
      });
      await Promise.all(cut);
      expect(await send(AbortSignal.timeout(20_000))).toBe(200);
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
