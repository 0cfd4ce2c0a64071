import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, serviceQuery } from '../../test/harness/database/factories.ts';
import { createSensor } from '../../test/harness/device/devices.ts';
import { startTestApp, type TestApp } from '../../test/harness/server/app.ts';

const TOKEN = 'a token of twenty-four!!';
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ config: { metricsToken: TOKEN } });
});
afterAll(() => app?.close());

const figures = (authorization?: string) =>
  fetch(`${app.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } });

test('counts frames and refusals of devices, and returns them with the token', async () => {
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
  expect(text).toMatch(/^tocsin_frames_total\{protocol="http",outcome="[^"]+"\} 1$/m);
  expect(text).toMatch(/wrong-token/);
});

test('responds with 404 without the token', async () => {
  for (const authorization of [undefined, '', 'Bearer ', `bearer ${TOKEN}`, `Bearer ${TOKEN}x`, TOKEN]) {
    expect((await figures(authorization)).status, String(authorization)).toBe(404);
  }
});

test('responds with 404 at common health check paths and names the real ones', async () => {
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  for (const path of ['/livez', '/health', '/health?full=1', '/actuator/health']) {
    const answer = await fetch(`${app.url}${path}`);
    expect([answer.status, await answer.json()], path).toEqual([
      404,
      { errorMessage: 'There is nothing at this address. The health checks are at /healthz and /readyz.' },
    ]);
  }
});

test('reports the current waiting notifications, failures and open alarms', async () => {
  const { customer } = await app.staff();
  const site = await createSite(app.db, { customer });
  const now = app.clock.now().getTime();
  const ago = (seconds: number) => new Date(now - seconds * 1000);
  const before = await gauges();
  await serviceQuery(
    app.db,
    `insert into tocsin.alarm (tocsin_customer_uuid, tocsin_site_uuid, site_name, message, severity, date_time, reason, acknowledge_json)
     values ($1, $2, 'Site', 'One', 'major', $3, null, null), ($1, $2, 'Site', 'Two', 'major', $3, 'Seen', '{}')`,
    [customer.uuid, site.uuid, ago(60)],
  );
  await serviceQuery(
    app.db,
    `insert into tocsin.notification (tocsin_customer_uuid, recipient_name, address, method_type, message_type, notify_message,
       notify_time, next_attempt_at, state)
     values ($1, 'A', 'a@example.com', 1, 1, '', $2, $2, 'queued'), ($1, 'A', 'a@example.com', 1, 1, '', $3, $3, 'queued'),
       ($1, 'A', 'a@example.com', 1, 1, '', $2, $4, 'queued'), ($1, 'A', '+44', 3, 1, '', $2, null, 'failed')`,
    [customer.uuid, ago(90), ago(30), ago(-600)],
  );
  const after = await gauges();
  expect(after['tocsin_alarms_open{severity="major"}']).toBe((before['tocsin_alarms_open{severity="major"}'] ?? 0) + 2);
  expect(after.tocsin_alarms_unacknowledged).toBe((before.tocsin_alarms_unacknowledged ?? 0) + 1);
  expect(after['tocsin_messages_due{channel="e-mail"}']).toBe(2);
  expect(after['tocsin_messages_due_seconds{channel="e-mail"}']).toBe(90);
  expect(after['tocsin_messages_due_seconds{channel="SMS"}'], 'a method without waiting notifications').toBe(0);
  expect(after['tocsin_messages_failed_last_hour{channel="SMS"}']).toBe(1);
  expect(after.tocsin_database_up).toBe(1);
});

async function gauges(): Promise<Record<string, number>> {
  const text = await (await figures(`Bearer ${TOKEN}`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}
