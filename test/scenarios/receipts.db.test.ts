/**
 * Delivery receipts from providers, sent over real HTTP: in any order, early, repeated, forged, and for other
 * customers.
 */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { twilioSignature } from '../../server/sender/receipt/twilio.ts';
import { createCustomer, createUser, insertRow, type UserRow } from '../harness/database/factories.ts';
import { type HttpReceiver, startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { Plant, type Station } from './plant.ts';

const PUBLIC = 'https://tocsin.example';
let plant: Plant;
let twilio: HttpReceiver;
let meta: HttpReceiver;
let vera: UserRow;
let count = 0;
beforeAll(async () => {
  [twilio, meta] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
  plant = await Plant.start({
    publicUrl: PUBLIC,
    sms: { by: 'twilio', account: 'AC0', token: 'auth-token', from: '+15005550006', url: twilio.url },
    whatsapp: {
      ...{ token: 'secret', phoneId: '1065', template: 'alarm', language: 'en', url: `${meta.url}/v23.0` },
      receipts: { appSecret: 'app-secret', verifyToken: 'a-word-of-our-own' },
    },
  });
  vera = await plant.person({
    name: 'Vera',
    flags: { ...flags, sms_notification: true, phone_number: '+44 7700 900001' },
  });
});
beforeEach(() => {
  for (const receiver of [twilio, meta]) receiver.clear();
  count += 1;
  twilio.always({ status: 201, body: { sid: `SM${count}`, status: 'queued' } });
  meta.always({ body: { messages: [{ id: `wamid.${count}` }] } });
});
afterAll(async () => {
  await plant?.close();
  await Promise.all([twilio, meta].map((server) => server?.stop()));
});

const flags = { email_notification: false, whatsapp_notification: false, apps_notification: false };

/** Opens an alarm that notifies `person`. The provider's message ID contains the number of the test. */
async function inAlarm(person = vera): Promise<Station> {
  const station = await plant.station();
  await plant.rule(station, { name: 'High level' });
  await plant.alert(station.site, 'High level', { alert: [person] });
  await plant.send(station, 120);
  await plant.settle();
  return station;
}

async function messageOf({ site }: Station): Promise<any> {
  const [message] = await plant.query('select * from tocsin.notification where tocsin_site_uuid = $1', [site.uuid]);
  return message;
}

const at = (path: string) => `http://127.0.0.1:${plant.app.port}/api/v1/receipts/${path}`;

async function callback(
  fields: Record<string, string>,
  { token = 'auth-token', id = `SM${count}` } = {},
): Promise<Response> {
  const form = new URLSearchParams({ MessageSid: id, AccountSid: 'AC0', ApiVersion: '2010-04-01', ...fields });
  const signature = twilioSignature(token, `${PUBLIC}/api/v1/receipts/twilio`, form);
  return fetch(at('twilio'), { method: 'POST', headers: { 'x-twilio-signature': signature }, body: form });
}

async function webhook(statuses: object[], secret = 'app-secret'): Promise<Response> {
  const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value: { statuses } }] }] });
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
  return fetch(at('whatsapp'), { method: 'POST', headers, body });
}

const outcomes = (message: any) => message.attempt_log.map(({ outcome }: { outcome: string }) => outcome);

describe('an SMS through Twilio', () => {
  test('is delivered when Twilio says so, and later reports do not change that', async () => {
    const station = await inAlarm();
    expect(twilio.requests[0]?.form().get('StatusCallback')).toBe(`${PUBLIC}/api/v1/receipts/twilio`);
    expect(await messageOf(station)).toMatchObject({ state: 'sent', provider_id: `SM${count}`, delivered_at: null });
    const sentAt = plant.clock.now();
    plant.clock.advance(7000);
    expect((await callback({ MessageStatus: 'sent' })).status).toBe(204);
    expect(await messageOf(station), 'the state was already known').toMatchObject({ state: 'sent' });
    const answer = await callback({ MessageStatus: 'delivered' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    const delivered = await messageOf(station);
    expect(delivered).toMatchObject({ state: 'delivered', attempts: 1, failed_at: null, provider_answer: 'delivered' });
    expect([delivered.sent_at, delivered.delivered_at]).toEqual([sentAt, plant.clock.now()]);
    expect(outcomes(delivered)).toEqual(['sent', 'delivered']);

    plant.clock.advance(60_000);
    for (const MessageStatus of ['sent', 'queued', 'delivered', 'failed', 'undelivered']) {
      expect((await callback({ MessageStatus, ErrorCode: '30008' })).status).toBe(204);
    }
    expect(await messageOf(station)).toEqual(delivered);
    await plant.pass(3600);
    expect(twilio.requests, 'the message is not sent again').toHaveLength(1);
  });

  test('that did not arrive says why, on the timeline of its alarm too', async () => {
    const station = await inAlarm();
    plant.clock.advance(5000);
    for (let again = 0; again < 2; again += 1) await callback({ MessageStatus: 'undelivered', ErrorCode: '30006' });
    const failed = await messageOf(station);
    const why =
      'Twilio could not deliver the message (30006). The number is a landline, or its network cannot be reached.';
    expect(failed).toMatchObject({
      state: 'failed',
      provider_answer: why,
      failed_at: plant.clock.now(),
      delivered_at: null,
    });
    expect(outcomes(failed)).toEqual(['sent', 'failed']);
    const manager = await plant.browser(await plant.person({ level: 0 }));
    const { smsReportBySite } = await manager.data(
      `query ($from: Datetime!, $to: Datetime!) { smsReportBySite(rangeFrom: $from, rangeTo: $to) { nodes { uuid smsCount eqs } } }`,
      { from: new Date(plant.clock.now().getTime() - 60_000), to: plant.clock.now() },
    );
    const billed = smsReportBySite.nodes.find(({ uuid }: { uuid: string }) => uuid === station.site.uuid);
    expect(billed, 'Twilio took it, and bills it').toEqual({ uuid: station.site.uuid, smsCount: 1, eqs: 1 });
    const owner = await plant.browser(await plant.person({ level: 0 }));
    const { explainAlarm } = await owner.data(
      'query ($uuid: UUID!) { explainAlarm(uuid: $uuid) { messages { state failedAt provider providerAnswer } } }',
      { uuid: failed.tocsin_alarm_uuid },
    );
    expect(explainAlarm.messages).toEqual([
      { state: 'failed', failedAt: plant.clock.now().toISOString(), provider: 'twilio', providerAnswer: why },
    ]);
    const told: string[] = [];
    const stop = await plant.db.listen(
      'tocsin_alarm',
      (customer) => told.push(customer),
      () => {},
    );
    await callback({ MessageStatus: 'delivered' });
    expect(await messageOf(station), 'a delivery overrides the failure').toMatchObject({
      state: 'delivered',
      failed_at: null,
    });
    await expect.poll(() => told, { message: 'open pages ask again' }).toEqual([plant.customer.uuid]);
    await stop();
  });

  test('is delivered even if the report arrives before the response', async () => {
    twilio.always({ status: 201, body: { sid: `SM${count}`, status: 'queued' }, delayMs: 400 });
    const sending = inAlarm();
    await twilio.waitFor(({ method }) => method === 'POST');
    await callback({ MessageStatus: 'failed', ErrorCode: '30008' });
    await callback({ MessageStatus: 'delivered' });
    await callback({ MessageStatus: 'failed', ErrorCode: '30008' });
    const message = await messageOf(await sending);
    expect(message).toMatchObject({ state: 'delivered', provider_id: `SM${count}` });
    expect(outcomes(message)).toEqual(['sent', 'delivered']);
    expect(await plant.query('select * from tocsin_private.early_receipt')).toEqual([]);
  });

  test('that is unknown gets the same response, and is forgotten after an hour', async () => {
    const answer = await callback({ MessageStatus: 'delivered' }, { id: 'SMnobody' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(await plant.query('select provider_id from tocsin_private.early_receipt')).toEqual([
      { provider_id: 'SMnobody' },
    ]);
    await plant.pass(3601);
    expect(await plant.query('select provider_id from tocsin_private.early_receipt')).toEqual([]);
  });

  test('is found by an index among many messages', async () => {
    const plan = await plant.db.transaction({ role: 'tocsin_service', settings: {} }, async (tx) => {
      await tx.query('set local enable_seqscan = off');
      const { rows } = await tx.query<object>(
        `explain select 1 from tocsin.notification n where n.provider_id = 'SM1' and n.provider_id <> '' and n.provider = 'twilio'`,
      );
      return JSON.stringify(rows);
    });
    expect(plan).toContain('notification_provider_idx');
  });
});

describe('the receipt endpoint', () => {
  test('ignores calls that Twilio did not sign, and slows down a persistent stranger', async () => {
    const station = await inAlarm();
    const before = await messageOf(station);
    expect((await callback({ MessageStatus: 'delivered' }, { token: 'guess' })).status).toBe(403);
    expect(
      (await fetch(at('twilio'), { method: 'POST', body: `MessageSid=SM${count}&MessageStatus=delivered` })).status,
    ).toBe(403);
    expect((await fetch(at('twilio'))).status).toBe(403);
    let last = 403;
    for (let guess = 0; guess < 110 && last === 403; guess += 1) {
      last = (await callback({ MessageStatus: 'delivered' }, { token: 'guess' })).status;
    }
    expect(last).toBe(429);
    expect(await messageOf(station)).toEqual(before);
    expect((await callback({ MessageStatus: 'delivered' })).status, 'Twilio itself is not kept out').toBe(204);
    expect(await messageOf(station)).toMatchObject({ state: 'delivered' });
    plant.clock.advance(16 * 60_000);
  });

  test('refuses a call that is too large, and responds with 404 without a provider', async () => {
    expect((await fetch(at('twilio'), { method: 'POST', body: 'x'.repeat(70_000) })).status).toBe(413);
    expect((await fetch(at('sms/0123456789abcdef'), { method: 'POST', body: 'id=1&status=delivered' })).status).toBe(
      404,
    );
    expect((await fetch(at('email'), { method: 'POST', body: '{}' })).status).toBe(404);
  });

  test('lets a provider report only on its own messages', async () => {
    const station = await inAlarm();
    await webhook([{ id: `SM${count}`, status: 'delivered' }]);
    expect(await messageOf(station)).toMatchObject({ state: 'sent', provider: 'twilio' });
  });

  test('changes the one message that a report names, and none if two have its id', async () => {
    const own = await inAlarm();
    const customer = await createCustomer(plant.db);
    const theirs = await createUser(plant.db, { customer, level: 5 });
    const notification = (id: string) =>
      insertRow(plant.db, 'tocsin.notification', {
        ...{
          tocsin_customer_uuid: customer.uuid,
          tocsin_user_uuid: theirs.uuid,
          recipient_name: 'Noor',
          address: '+447700900009',
        },
        ...{ method_type: 3, message_type: 4, notify_message: 'Test', notify_time: plant.clock.now(), state: 'sent' },
        ...{ provider: 'twilio', provider_id: id, sent_at: plant.clock.now(), once_key: id, kind: 'other' },
      });
    const other = await notification('SMtheirs');
    await callback({ MessageStatus: 'delivered' });
    const stateOf = async (uuid: string) =>
      (await plant.query('select state from tocsin.notification where uuid = $1', [uuid]))[0]?.state;
    expect([(await messageOf(own)).state, await stateOf((other as any).uuid)]).toEqual(['delivered', 'sent']);
    const twin = await inAlarm();
    await notification(`SM${count}`);
    await plant.query(`update tocsin.notification set state = 'sent', delivered_at = null where provider_id = $1`, [
      `SM${count}`,
    ]);
    await callback({ MessageStatus: 'delivered' });
    expect((await messageOf(twin)).state).toBe('sent');
  });
});

describe('a message by WhatsApp', () => {
  test('is delivered, or fails with a message, as its webhook says', async () => {
    const person = await plant.person({
      name: 'Wim',
      flags: { ...flags, whatsapp_notification: true, phone_number: '+44 7700 900002' },
    });
    const greeting = await fetch(
      `${at('whatsapp')}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=a-word-of-our-own`,
    );
    expect([greeting.status, await greeting.text()]).toEqual([200, '1158201444']);
    expect((await fetch(`${at('whatsapp')}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=no`)).status).toBe(403);

    const arrived = await inAlarm(person);
    expect((await webhook([{ id: `wamid.${count}`, status: 'delivered' }], 'guess')).status).toBe(403);
    expect(await messageOf(arrived)).toMatchObject({ state: 'sent' });
    await webhook([
      { id: `wamid.${count}`, status: 'sent' },
      { id: `wamid.${count}`, status: 'read' },
      { id: `wamid.${count}`, status: 'delivered' },
    ]);
    expect(await messageOf(arrived)).toMatchObject({ state: 'delivered', provider_answer: 'read' });

    meta.always({ body: { messages: [{ id: `wamid.${count}b` }] } });
    const lost = await inAlarm(person);
    await webhook([
      { id: `wamid.${count}b`, status: 'failed', errors: [{ code: 131047, title: 'Re-engagement message' }] },
    ]);
    expect(await messageOf(lost)).toMatchObject({
      state: 'failed',
      provider_answer: expect.stringMatching(
        /not written to the sender for 24 hours, so WhatsApp accepts only templates\. \(131047\)$/,
      ),
    });
  });
});

test('the page Senders shows each provider’s receipt address', async () => {
  const manager = await plant.browser(await plant.person({ level: 5 }));
  const { senderStates } = await manager.data('{ senderStates { nodes { name receiptAddress } } }');
  expect(senderStates.nodes).toEqual([
    { name: 'outbox', receiptAddress: null },
    { name: 'whatsapp', receiptAddress: `${PUBLIC}/api/v1/receipts/whatsapp` },
    { name: 'twilio', receiptAddress: `${PUBLIC}/api/v1/receipts/twilio` },
    { name: 'outbox', receiptAddress: null },
  ]);

  // The server remembers until its next start that Twilio refused the receipt address. This is therefore the last test
  // that sends through Twilio.
  twilio.next({ status: 400, body: { code: 21609, message: "Invalid 'StatusCallback'" } });
  expect(await messageOf(await inAlarm())).toMatchObject({ state: 'sent' });
  await plant.pass(20);
  const after = await manager.data('{ senderStates { nodes { name receiptProblem } } }');
  expect(after.senderStates.nodes.map(({ receiptProblem }: { receiptProblem: string }) => receiptProblem)).toEqual([
    ...[null, null],
    expect.stringMatching(/^Twilio cannot call the receipt address.*public address/),
    null,
  ]);
});
