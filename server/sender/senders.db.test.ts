import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { createCustomer, serviceQuery } from '../../test/harness/database/factories.ts';
import { type HttpReceiver, makePushSubscriber, startHttpReceiver } from '../../test/harness/provider/http-receiver.ts';
import { type SmtpCatcher, startSmtpCatcher } from '../../test/harness/provider/smtp.ts';
import { readConfig } from '../config.ts';
import { HandClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { silentLog } from '../platform/log.ts';
import { makeVapidKeys, type VapidKeys } from './push.ts';
import { METHOD, type MethodType, type Sender } from './sender.ts';
import { createSenders } from './senders.ts';

const clock = new HandClock(new Date('2026-03-02T08:00:00Z'));
let db: Database;
let receiver: HttpReceiver;
let smtp: SmtpCatcher;

beforeAll(async () => {
  db = await openTestDatabase();
  receiver = await startHttpReceiver();
  smtp = await startSmtpCatcher();
});
afterAll(async () => {
  await receiver.stop();
  await smtp.stop();
  await db.close();
  await disposeTestDatabases();
});

const sendersFor = (environment: Record<string, string>, vapid?: VapidKeys) =>
  createSenders({ config: readConfig(environment), db, clock, log: silentLog, vapid });
const closeAll = (senders: Record<MethodType, Sender>) =>
  Promise.all(Object.values(senders).map((sender) => sender.close()));
const addresses = (endpoint: string): Record<MethodType, string> => ({
  [METHOD.email]: 'vera@plant.example',
  [METHOD.whatsapp]: '+44 7700 900001',
  [METHOD.sms]: '+44 7700 900002',
  [METHOD.push]: makePushSubscriber(endpoint).address,
});

test('stores every message in the outbox by method if no sender is configured', async () => {
  const senders = sendersFor({}, await makeVapidKeys());
  const customer = await createCustomer(db);
  const to = addresses('https://fcm.googleapis.com/fcm/send/abc');
  for (const methodType of Object.values(METHOD)) {
    const sender = senders[methodType];
    expect(sender).toMatchObject({ name: 'outbox', methodType, isExternal: false });
    const message = {
      customerUuid: customer.uuid,
      address: to[methodType],
      subject: 'Alarm',
      text: 'Tank 4 is full',
      link: 'https://console.example/alarm/1',
      idempotencyKey: `note-${methodType}`,
    };
    expect(await sender.send(message)).toMatchObject({ outcome: 'sent', answer: expect.stringMatching(/outbox/) });
    expect(await sender.send({ ...message, address: 'nobody' })).toMatchObject({ outcome: 'give-up' });
    expect(await sender.check()).toEqual({ ok: true });
  }
  const rows = await serviceQuery(
    db,
    'select method_type, address, body from tocsin.outbox where tocsin_customer_uuid = $1 order by method_type',
    [customer.uuid],
  );
  const linked = 'Tank 4 is full\n\nhttps://console.example/alarm/1';
  expect(rows).toEqual([
    { method_type: 1, address: to[1], body: linked },
    { method_type: 2, address: to[2], body: linked },
    { method_type: 3, address: to[3], body: 'Tank 4 is full' },
    { method_type: 4, address: to[4], body: linked },
  ]);
});

test('sends every message by its provider if all senders are configured', async () => {
  const environment = {
    SMTP_URL: smtp.url,
    TOCSIN_SMS_URL: `${receiver.url}/sms?to={to}&text={text}`,
    TOCSIN_WHATSAPP_TOKEN: 'EAAtoken',
    TOCSIN_WHATSAPP_PHONE_ID: '106540352242922',
    TOCSIN_WHATSAPP_URL: `${receiver.url}/v23.0`,
    TOCSIN_PUSH_SUBJECT: 'mailto:ops@plant.example',
    TOCSIN_PUSH_SERVICES: receiver.url,
  };
  receiver.always({ body: { messages: [{ id: 'wamid.1' }] } });
  const senders = sendersFor(environment, await makeVapidKeys());
  const customer = await createCustomer(db);
  const to = addresses(`${receiver.url}/push`);
  for (const methodType of Object.values(METHOD)) {
    expect(senders[methodType]).toMatchObject({ methodType, isExternal: true });
    const message = {
      customerUuid: customer.uuid,
      address: to[methodType],
      subject: 'Alarm',
      text: 'Tank 4 is full',
      link: 'https://console.example/alarm/1',
      idempotencyKey: `note-${methodType}`,
    };
    expect(await senders[methodType].send(message)).toMatchObject({ outcome: 'sent' });
  }
  expect(Object.values(senders).map(({ name }) => name)).toEqual(['email', 'whatsapp', 'sms', 'push']);
  expect(receiver.requests.map(({ url }) => url.pathname)).toEqual([
    '/v23.0/106540352242922/messages',
    '/sms',
    '/push',
  ]);
  const mail = await smtp.waitFor(({ subject }) => subject === 'Alarm');
  expect(mail.text).toBe('Tank 4 is full\n\nhttps://console.example/alarm/1');
  const kept = await serviceQuery(db, 'select 1 from tocsin.outbox where tocsin_customer_uuid = $1', [customer.uuid]);
  expect(kept).toEqual([]);
  await closeAll(senders);
});

test('uses Twilio instead of an SMS gateway, and the outbox for push without keys', async () => {
  const senders = sendersFor({
    TOCSIN_TWILIO_ACCOUNT: `AC${'0a'.repeat(16)}`,
    TOCSIN_TWILIO_TOKEN: 'token',
    TOCSIN_TWILIO_FROM: '+15005550006',
    TOCSIN_PUSH_SUBJECT: 'mailto:ops@plant.example',
  });
  expect(senders[METHOD.sms]).toMatchObject({ name: 'twilio', isExternal: true });
  expect(senders[METHOD.push]).toMatchObject({ name: 'outbox', methodType: METHOD.push });
  await closeAll(senders);
});
