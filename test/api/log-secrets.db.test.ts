import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { setDefaultCustomer } from '../harness/database/factories.ts';
import { createSensor } from '../harness/device/devices.ts';
import { freePort } from '../harness/machine/ports.ts';
import { startTestApp, type TestApp } from '../harness/server/app.ts';

const MAIL_PASSWORD = 'Mail-S3cret-77';
const lines: string[] = [];
const collect = { write: (line: string) => lines.push(line) };
let app: TestApp;
/** A mail server that refuses every sign-in. Its error message contains the password. */
let smtp: SMTPServer;

beforeAll(async () => {
  const port = await freePort();
  smtp = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) => done(new Error(`The password ${password} is wrong`)),
  });
  await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', resolve));
  app = await startTestApp({
    log: createLog({ format: 'json', out: collect, err: collect }),
    config: { smtpUrl: `smtp://mailer:${MAIL_PASSWORD}@127.0.0.1:${port}` },
  });
});
afterAll(async () => {
  await app?.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

test('the log of failed sign-ins, failing senders and wrong device tokens is JSON without secrets', async () => {
  const { customer, owner } = await app.staff();
  await setDefaultCustomer(app.db, customer);
  const wrong = 'Wr0ng-Passw0rd-5';
  const password = Buffer.from(wrong).toString('base64');
  for (const email of [owner.email, 'nobody@plant.example'])
    expect((await post('/api/v1/auth/login', { email, password }, { cookie: 'session=C00kie-9999' })).status).toBe(401);

  const browser = await app.browser();
  expect((await browser.auth('forgot', { email: owner.email })).statusCode).toBe(200);
  await expect.poll(() => lines.join(''), { timeout: 60_000 }).toContain('a code was not sent');

  const { uid, token } = await createSensor(app.db, { customer });
  const frame = await post(`/api/v1/ingest/${uid}`, { 1: 2 }, { authorization: `Bearer ${token}-wrong` });
  expect(frame.status).toBe(401);

  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ time: expect.any(String), msg: expect.any(String) });
  const secrets = [wrong, password, 'C00kie-9999', MAIL_PASSWORD, Buffer.from(MAIL_PASSWORD).toString('base64'), token];
  expect(secrets.filter((secret) => lines.join('').includes(secret))).toEqual([]);
});
