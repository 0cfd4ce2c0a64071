import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/harness/server/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

test('returns the open ports to signed-in users', async () => {
  const { partner } = await app.staff();
  const answer = await (await app.browser(partner)).get('/api/v1/device-endpoints');
  expect(answer.json()).toEqual({
    mqtt: { host: null, port: app.gateway?.mqttPort, tls: false },
    tcp: { port: app.gateway?.tcpPort },
  });
});

test('refuses a visitor', async () => {
  const answer = await (await app.browser()).get('/api/v1/device-endpoints');
  expect(answer.statusCode).toBe(401);
  expect(answer.json().errorMessage).toBe('You are not signed in. Sign in first.');
});

test('listens for MQTT and TCP on the configured addresses', async () => {
  const start = startTestApp({ config: { deviceHost: '192.0.2.1' } });
  await expect(start).rejects.toThrow(
    'This machine has no address 192.0.2.1. Correct TOCSIN_HOST or TOCSIN_DEVICE_HOST.',
  );
});
