/** Delivery of messages: retries, repeats, providers that fail or refuse messages, and killed processes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertRow, type UserRow } from '../harness/database/factories.ts';
import { type HttpReceiver, makePushSubscriber, startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { type SmtpCatcher, startSmtpCatcher } from '../harness/provider/smtp.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let smtp: SmtpCatcher;
let twilio: HttpReceiver;
let push: HttpReceiver;
let both: UserRow;
beforeAll(async () => {
  [smtp, twilio, push] = await Promise.all([startSmtpCatcher(), startHttpReceiver(), startHttpReceiver()]);
  plant = await Plant.start({
    publicUrl: 'https://tocsin.example',
    smtpUrl: smtp.url,
    sms: { by: 'twilio', account: 'AC0', token: 'secret', from: '+15005550006', url: twilio.url },
    push: { subject: 'mailto:ops@plant.example', services: [push.url] },
  });
  both = await plant.person({
    name: 'Vera',
    flags: { email_notification: true, sms_notification: true, phone_number: '+44 7700 900001' },
  });
});
beforeEach(() => {
  smtp.clear();
  smtp.failWith(null);
  for (const receiver of [twilio, push]) receiver.clear();
  twilio.always({ status: 201, body: { sid: 'SM1', status: 'queued' } });
});
afterAll(async () => {
  await plant?.close();
  await Promise.all([smtp, twilio, push].map((server) => server?.stop()));
});

async function inAlarm(people: UserRow[], columns: Record<string, unknown> = {}): Promise<Station> {
  const station = await plant.station();
  await plant.rule(station, { name: 'High level', ...columns });
  await plant.alert(station.site, 'High level', { alert: people });
  await plant.send(station, 120);
  await plant.settle();
  return station;
}

const rowsOf = ({ site }: Station) =>
  plant.query('select * from tocsin.notification where tocsin_site_uuid = $1 order by notify_time, method_type', [
    site.uuid,
  ]);

describe('a provider that is down', () => {
  test('is retried with growing delays and the same key, delays no other method, and gets the message when it is back', async () => {
    twilio.always({ status: 503 });
    const station = await inAlarm([both]);
    expect(smtp.messages, 'the mail was sent').toHaveLength(1);
    for (const pause of [10, 30, 60, 120]) {
      const before = twilio.requests.length;
      await plant.pass(pause - 1);
      expect(twilio.requests, `not before ${pause} s`).toHaveLength(before);
      await plant.pass(1);
      expect(twilio.requests).toHaveLength(before + 1);
    }
    const [mail, sms] = await rowsOf(station);
    expect([mail.state, sms.state, sms.attempts]).toEqual(['sent', 'queued', 5]);
    expect(sms.provider_answer).toMatch(/503/);
    twilio.always({ status: 201, body: { sid: 'SM7', status: 'queued' } });
    await plant.pass(300);
    const [, sent] = await rowsOf(station);
    expect(sent).toMatchObject({ state: 'sent', attempts: 6, provider: 'twilio', provider_id: 'SM7' });
    expect(sent.attempt_log.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...Array.from({ length: 5 }, () => 'retry'),
      'sent',
    ]);
    const keys = twilio.requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys)).toEqual(new Set([sent.idempotency_key]));
    expect(new Set(twilio.requests.map((request) => request.form().get('Body'))).size).toBe(1);
    await plant.pass(3600);
    expect(twilio.requests, 'no further attempt').toHaveLength(6);
  });

  test('is not called before the time it asks for', async () => {
    twilio.next({ status: 429, headers: { 'retry-after': '120' } });
    await inAlarm([both]);
    await plant.pass(119);
    expect(twilio.requests).toHaveLength(1);
    await plant.pass(1);
    expect(twilio.requests).toHaveLength(2);
  });

  test('for a day fails the message, with the reason', async () => {
    twilio.always({ fault: 'drop' });
    const station = await inAlarm([both]);
    await plant.pass(86_400);
    const [, sms] = await rowsOf(station);
    expect(sms).toMatchObject({ state: 'failed', attempts: 2, next_attempt_at: null });
    expect(sms.provider_answer).toMatch(/^Failed: not sent within a day\. /);
    expect(sms.failed_at).toEqual(plant.clock.now());
    await plant.pass(86_400);
    expect(twilio.requests).toHaveLength(2);
  });
});

test('fails a message at once if the provider refuses it permanently, with its response', async () => {
  smtp.failWith(550, 'recipient');
  const station = await inAlarm([both]);
  const [mail, sms] = await rowsOf(station);
  expect(mail).toMatchObject({ state: 'failed', attempts: 1 });
  expect(mail.provider_answer).toMatch(/did not accept the message.*550/);
  expect(sms.state).toBe('sent');
});

test('a message whose process died is sent after its lease, once, with the same key', async () => {
  const station = await plant.station();
  await plant.rule(station, { name: 'High level' });
  await plant.alert(station.site, 'High level', { alert: [both] });
  await plant.send(station, 120);
  // Simulates a process that was killed after it had leased the messages.
  await plant.query(
    `update tocsin.notification set attempts = 1, lease_until = $2::timestamptz + interval '30 seconds' where tocsin_site_uuid = $1`,
    [station.site.uuid, plant.clock.now().toISOString()],
  );
  await plant.pass(29);
  expect(twilio.requests).toEqual([]);
  await plant.pass(1);
  await plant.pass(60);
  expect(twilio.requests).toHaveLength(1);
  const [mail, sms] = await rowsOf(station);
  expect([mail, sms]).toMatchObject([
    { state: 'sent', attempts: 2, lease_until: null },
    { state: 'sent', attempts: 2, lease_until: null },
  ]);
  expect(twilio.requests[0]?.headers['idempotency-key']).toBe(sms.idempotency_key);
});

test('a message queued before a restart is sent after it', async () => {
  twilio.always({ status: 503 });
  const station = await inAlarm([both]);
  twilio.always({ status: 201, body: { sid: 'SM2', status: 'queued' } });
  await plant.restart(60);
  await plant.settle();
  expect((await rowsOf(station)).map(({ state }) => state)).toEqual(['sent', 'sent']);
});

test('a push is signed with the same keys after a restart', async () => {
  const endpoint = `${push.url}/push/new`;
  const subscriber = makePushSubscriber(endpoint);
  const reader = await plant.person({ flags: { email_notification: false, apps_notification: true } });
  await insertRow(plant.db, 'tocsin.push_subscription', {
    tocsin_customer_uuid: plant.customer.uuid,
    tocsin_user_uuid: reader.uuid,
    endpoint,
    subscription: subscriber.address,
  });
  push.always({ status: 201 });
  await inAlarm([reader]);
  await plant.restart();
  await inAlarm([reader]);
  const keys = push.requests.map((request) => subscriber.open(request).publicKey);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('an ended push subscription is deleted, and the message says so', async () => {
  const endpoint = `${push.url}/push/old`;
  const reader = await plant.person({ flags: { email_notification: false, apps_notification: true } });
  await insertRow(plant.db, 'tocsin.push_subscription', {
    tocsin_customer_uuid: plant.customer.uuid,
    tocsin_user_uuid: reader.uuid,
    endpoint,
    subscription: makePushSubscriber(endpoint).address,
  });
  push.always({ status: 410 });
  const station = await inAlarm([reader]);
  expect(await rowsOf(station)).toMatchObject([{ state: 'failed', attempts: 1 }]);
  expect((await rowsOf(station))[0].provider_answer).toMatch(/subscription of this device has ended/);
  expect(await plant.query('select from tocsin.push_subscription where tocsin_user_uuid = $1', [reader.uuid])).toEqual(
    [],
  );
});

describe('a repeat', () => {
  const bounce = async (station: Station, seconds: number) => {
    await plant.pass(seconds / 2);
    await plant.send(station, 50);
    await plant.pass(seconds / 2);
    await plant.send(station, 120);
    await plant.settle();
  };

  test('of the same message to the same person is suppressed for ten minutes, and the alarm says so', async () => {
    const station = await inAlarm([both]);
    await bounce(station, 120);
    expect(await plant.alarms(station.site)).toHaveLength(2);
    expect(await rowsOf(station)).toHaveLength(2);
    const [, second] = await plant.alarms(station.site);
    expect(
      (await plant.events(second.uuid)).filter(({ kind }) => kind === 'not-notified').map(({ sentence }) => sentence),
    ).toEqual([
      'The opening notification to Vera by e-mail was deferred. The same address received one for the previous alarm less than 10 minutes earlier. If this alarm is still open when the 10 minutes end, the notification is sent.',
      'The opening notification to Vera by SMS was deferred. The same address received one for the previous alarm less than 10 minutes earlier. If this alarm is still open when the 10 minutes end, the notification is sent.',
    ]);
    await bounce(station, 600);
    expect(await rowsOf(station), 'a later repeat is sent').toHaveLength(4);
  });

  test('is sent if the person was notified of the resolution in between', async () => {
    const station = await plant.station();
    await plant.rule(station, { name: 'High level' });
    await plant.alert(station.site, 'High level', { alert: [both], resolve: [both] });
    await plant.send(station, 120);
    await plant.settle();
    await bounce(station, 120);
    const mails = (await plant.messages(station.site)).filter(({ method }) => method === 1);
    expect(mails.map(({ kind }) => kind)).toEqual(['alarm', 'resolve', 'alarm']);
  });

  test('of another rule or for another person is not suppressed', async () => {
    const station = await inAlarm([both]);
    const other = await plant.person();
    await plant.rule(station, { name: 'Very high', value_upper: 110 });
    await plant.alert(station.site, 'Very high', { alert: [both, other] });
    await plant.pass(1);
    await plant.send(station, 121);
    await plant.settle();
    expect(await rowsOf(station)).toHaveLength(5);
  });
});
