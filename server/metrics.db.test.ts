import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../test/harness/app.ts';
import { createSensor } from '../test/harness/devices.ts';

const TOKEN = 'a token of twenty-four!!';
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ config: { metricsToken: TOKEN } });
});
afterAll(() => app?.close());

const figures = (authorization?: string) =>
  fetch(`${app.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } });

test('what devices send and what they are refused for is counted, for whoever has the token', async () => {
  const { customer } = await app.staff();
  const { uid, token } = await createSensor(app.db, { customer });
  const send = (bearer: string, body: string) =>
    fetch(`${app.url}/api/v1/ingest/${uid}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'text/plain' },
      body,
    });
  expect((await send(token, '1=2')).status).toBe(200);
  expect((await send('wrong', '1=2')).status).toBe(401);
  const answer = await figures(`Bearer ${TOKEN}`);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const text = await answer.text();
  expect(text).toMatch(/^tocsin_frames_total\{door="http",outcome="[^"]+"\} 1$/m);
  expect(text).toMatch(/wrong-token/);
});

test('nobody else finds anything there', async () => {
  for (const authorization of [undefined, '', 'Bearer ', `bearer ${TOKEN}`, `Bearer ${TOKEN}x`, TOKEN]) {
    expect((await figures(authorization)).status, String(authorization)).toBe(404);
  }
});
