/** Recipients, texts and methods of notifications. The providers are real servers. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { create, done } from '../api/api.ts';
import { insertRow, type UserRow } from '../harness/database/factories.ts';
import { type HttpReceiver, makePushSubscriber, startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { type SmtpCatcher, startSmtpCatcher } from '../harness/provider/smtp.ts';
import { Plant, type Station } from './plant.ts';

const everything = {
  email_notification: true,
  sms_notification: true,
  whatsapp_notification: true,
  apps_notification: true,
  phone_number: '+44 7700 900001',
};
const smsOnly = { ...everything, email_notification: false, whatsapp_notification: false, apps_notification: false };
let plant: Plant;
let smtp: SmtpCatcher;
let sms: HttpReceiver;
let whatsapp: HttpReceiver;
let push: HttpReceiver;
beforeAll(async () => {
  [smtp, sms, whatsapp, push] = await Promise.all([
    startSmtpCatcher(),
    startHttpReceiver(),
    startHttpReceiver(),
    startHttpReceiver(),
  ]);
  plant = await Plant.start({
    publicUrl: 'https://tocsin.example',
    smtpUrl: smtp.url,
    mailFrom: 'Tocsin <alarm@plant.example>',
    sms: {
      by: 'gateway',
      url: `${sms.url}/send`,
      method: 'POST',
      body: '{"to":"{to}","text":"{text}","ref":"{key}"}',
      headers: {},
      success: undefined,
      id: 'id',
    },
    whatsapp: { token: 'secret', phoneId: '1065', template: 'alarm', language: 'en', url: `${whatsapp.url}/v23.0` },
    push: { subject: 'mailto:ops@plant.example', services: [push.url] },
  });
});
beforeEach(() => {
  smtp.clear();
  for (const receiver of [sms, whatsapp, push]) receiver.clear();
  sms.always({ body: { id: 'sms-1' } });
  whatsapp.always({ body: { messages: [{ id: 'wamid.1' }] } });
  push.always({ status: 201, headers: { location: '/message/1' } });
});
afterAll(async () => {
  await plant?.close();
  await Promise.all([smtp, sms, whatsapp, push].map((server) => server?.stop()));
});

const LINK = /https:\/\/tocsin\.example\/a\/[\w-]{50}/;

async function inAlarm(
  people: Parameters<Plant['alert']>[2],
  columns: Record<string, unknown> = {},
): Promise<{ station: Station; alarm: any }> {
  const station = await plant.station();
  await plant.rule(station, { name: 'High level', ...columns });
  await plant.alert(station.site, 'High level', people);
  await plant.send(station, 120);
  await plant.settle();
  const [alarm] = await plant.open(station.site);
  return { station, alarm };
}

async function subscribe(person: UserRow, name: string) {
  const endpoint = `${push.url}/push/${name}`;
  const subscriber = makePushSubscriber(endpoint);
  await done(
    create(await plant.browser(person), 'pushSubscription', {
      endpoint,
      subscription: subscriber.address,
      device: name,
    }),
  );
  return subscriber;
}

describe('a person with every method on', () => {
  test('gets the message by each, and one query returns all its states', async () => {
    const vera = await plant.person({ name: 'Vera', flags: everything });
    const [phone, desk] = [await subscribe(vera, 'phone'), await subscribe(vera, 'desk')];
    const { alarm, station } = await inAlarm({ alert: [vera] });

    const [mail] = smtp.messages;
    expect(smtp.messages).toHaveLength(1);
    expect(mail).toMatchObject({
      to: [vera.email],
      from: 'alarm@plant.example',
      subject: `MINOR: ${station.site.name}: High level`,
    });
    expect(mail?.text).toMatch(LINK);
    expect(mail?.html).toMatch(LINK);

    const [text] = sms.requests.map((request) => request.json());
    expect(sms.requests).toHaveLength(1);
    expect(text.to).toBe('+447700900001');
    expect(text.text).toMatch(LINK);
    expect(text.text).toMatch(new RegExp(`^MINOR: ${station.site.name}: High level`));

    const [wrote] = whatsapp.requests.map((request) => request.json());
    expect(whatsapp.requests).toHaveLength(1);
    expect(wrote.template.components[0].parameters[0].text).toMatch(LINK);

    expect(push.requests.map(({ url }) => url.pathname).sort()).toEqual(['/push/desk', '/push/phone']);
    for (const [name, subscriber] of [['phone', phone] as const, ['desk', desk] as const]) {
      const request = push.requests.find(({ url }) => url.pathname === `/push/${name}`);
      const { payload, claims } = subscriber.open(request!);
      expect(payload).toMatchObject({
        title: `MINOR: ${station.site.name}: High level`,
        link: expect.stringMatching(LINK),
        acknowledge: true,
      });
      expect(claims.sub).toBe('mailto:ops@plant.example');
    }

    const manager = await plant.browser(await plant.person({ level: 5 }));
    const { alarm: life } = await manager.data(
      `query ($u: UUID!) { alarm(uuid: $u) { notifications { nodes {
         recipientName address methodType messageType state attempts provider providerId providerAnswer attemptLog
         notifyTime sentAt failedAt ackTime segments } } } }`,
      { u: alarm.uuid },
    );
    const rows = life.notifications.nodes.toSorted((a: any, b: any) => a.methodType - b.methodType);
    expect(rows.map(({ methodType }: any) => methodType)).toEqual([1, 2, 3, 4, 4]);
    for (const row of rows) {
      expect(row).toMatchObject({
        recipientName: 'Vera',
        messageType: 1,
        state: 'sent',
        attempts: 1,
        ackTime: null,
        failedAt: null,
      });
      expect(new Date(row.sentAt)).toEqual(plant.clock.now());
      expect(row.attemptLog).toMatchObject([{ outcome: 'sent' }]);
    }
    expect(rows.map(({ provider }: any) => provider)).toEqual(['email', 'whatsapp', 'sms', 'push', 'push']);
    expect(rows[1].providerId).toBe('wamid.1');
    expect(rows[2]).toMatchObject({ providerId: 'sms-1', address: '+447700900001' });
    expect(rows.map(({ segments }: any) => segments)).toEqual([0, 0, expect.any(Number), 0, 0]);
  });

  test('gives each message its own key, which the provider receives', async () => {
    const vera = await plant.person({ flags: everything });
    const { station } = await inAlarm({ alert: [vera] });
    const keys = await plant.query(
      'select method_type, idempotency_key as key from tocsin.notification where tocsin_site_uuid = $1 order by method_type',
      [station.site.uuid],
    );
    expect(new Set(keys.map(({ key }) => key)).size).toBe(3);
    expect(smtp.messages[0]?.headers.get('message-id')).toContain(keys[0].key);
    expect(whatsapp.requests[0]?.headers['idempotency-key']).toBe(keys[1].key);
    expect(sms.requests[0]?.json().ref).toBe(keys[2].key);
    expect(sms.requests[0]?.headers['idempotency-key']).toBe(keys[2].key);
  });
});

describe('recipients', () => {
  test('are notified by the methods they switched on, and no others', async () => {
    const mailer = await plant.person({ name: 'Mailer', flags: { sms_notification: false } });
    const texter = await plant.person({ name: 'Texter', flags: smsOnly });
    const { station } = await inAlarm({ alert: [mailer, texter] });
    expect((await plant.messages(station.site)).map(({ person, method }) => [person, method]).sort()).toEqual([
      ['Mailer', 1],
      ['Texter', 3],
    ]);
  });

  test('an alarm lists people who were not notified, and why', async () => {
    const nowhere = await plant.person({ name: 'Nora', flags: { ...smsOnly, phone_number: '' } });
    const local = await plant.person({ name: 'Lars', flags: { ...smsOnly, phone_number: '07700 900001' } });
    const off = await plant.person({ name: 'Olga', flags: { ...smsOnly, sms_notification: false } });
    const gone = await plant.person({ name: 'Gina', flags: { status: false } });
    const { alarm, station } = await inAlarm({ alert: [nowhere, local, off, gone] });
    expect(await plant.messages(station.site)).toEqual([]);
    const told = (await plant.events(alarm.uuid)).filter(({ kind }) => kind === 'not-notified');
    expect(told.map(({ sentence }) => sentence).sort()).toEqual([
      'Gina is not notified: the account is disabled. Enable it, or choose someone else.',
      expect.stringMatching(/^Lars is not notified by SMS: "07700 900001" is not a phone number with a country code/),
      'Nora is not notified by SMS: their profile has no phone number. Add one.',
      'Olga is not notified: every method is off in their profile.',
    ]);
  });

  test('an alarm that notifies nobody says so', async () => {
    const station = await plant.station();
    await plant.rule(station, { name: 'Lonely' });
    await plant.send(station, 120);
    const [alarm] = await plant.open(station.site);
    expect(alarm.recipients.notes).toEqual(['Nobody is notified: this site has no rule alert for "Lonely".']);
  });

  test('get a subject that names the site once, even if the rule’s text names it', async () => {
    const alert = await plant.person({ name: 'Alert' });
    const { station } = await inAlarm({ alert: [alert] }, { message: '{site}: the pump stands' });
    const mail = smtp.messages.find(({ to }) => to.includes(alert.email));
    expect(mail?.subject).toBe(`MINOR: ${station.site.name}: the pump stands`);
  });

  test('are alert people at opening, resolution people at resolution, and never health people', async () => {
    const [alert, resolve, health] = [
      await plant.person({ name: 'Alert' }),
      await plant.person({ name: 'Resolve' }),
      await plant.person({ name: 'Health' }),
    ];
    const { station } = await inAlarm({ alert: [alert], resolve: [resolve], health: [health] });
    await plant.pass(300);
    const back = plant.clock.now().toISOString().slice(0, 16).replace('T', ' ');
    await plant.send(station, 50);
    await plant.settle();
    expect((await plant.messages(station.site)).map(({ person, kind }) => [person, kind])).toEqual([
      ['Alert', 'alarm'],
      ['Resolve', 'resolve'],
    ]);
    const mail = smtp.messages.find(({ to }) => to.includes(resolve.email));
    expect(mail?.subject).toBe(`RESOLVED (minor): ${station.site.name}: High level`);
    expect(mail?.text).toBe(
      `RESOLVED (minor): ${station.site.name}: High level. After 5 min: inside its limits since ${back} (50)`,
    );
    expect(mail?.text, 'a resolution has no link to acknowledge').not.toMatch(LINK);
  });

  test('are stored in the transaction that opens the alarm', async () => {
    const anna = await plant.person();
    const station = await plant.station();
    await plant.rule(station, { name: 'High level' });
    await plant.alert(station.site, 'High level', { alert: [anna] });
    await plant.send(station, 120);
    const [same] = await plant.query(
      `select a.xmin::text = n.xmin::text as same from tocsin.alarm a join tocsin.notification n on n.tocsin_alarm_uuid = a.uuid
       where a.tocsin_site_uuid = $1`,
      [station.site.uuid],
    );
    expect(same).toEqual({ same: true });
    await plant.settle();
  });
});

describe('the text', () => {
  test('is the rule’s, with its placeholders filled in', async () => {
    const anna = await plant.person();
    const station = await plant.station({ name: 'Quay' });
    await plant.query(`update tocsin.asset_datapoint set uom = 'm' where uuid = $1`, [station.datapointUuid]);
    await plant.query(`update tocsin.asset set name = 'Sump' where uuid = $1`, [station.sensor.assetUuid]);
    const message = '{site}/{asset}/{datapoint}: {value} {unit}, limit {limit}, at {time}. {nonsense}';
    await plant.rule(station, { name: 'Wordy', value_lower: 0.5, value_upper: 4.25, message });
    await plant.alert(station.site, 'Wordy', { alert: [anna] });
    const london = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/London',
      dateStyle: 'short',
      timeStyle: 'short',
    });
    await plant.send(station, 4.5);
    await plant.settle();
    const words = `Quay/Sump/Level: 4.5 m, limit below 0.5 or above 4.25 m, at ${london.format(plant.clock.now())}. {nonsense}`;
    expect(await plant.open(station.site)).toMatchObject([{ message: words }]);
    expect(smtp.messages[0]?.text).toContain(words);
  });

  test('is by default the rule’s name with site, value, limit and time', async () => {
    const anna = await plant.person();
    const { station } = await inAlarm({ alert: [anna] });
    const [told] = await plant.messages(station.site);
    expect(told?.text).toMatch(
      new RegExp(
        `^MINOR: ${station.site.name}: High level\\. .*Level: 120, alarm above 100, at 2026-\\d\\d-\\d\\d \\d\\d:\\d\\d$`,
      ),
    );
  });

  test('of an SMS is counted in billed segments, with its link', async () => {
    const texter = await plant.person({ flags: smsOnly });
    const segments = async (message: string) => {
      sms.clear();
      sms.always({ body: { id: 'x' } });
      const { station } = await inAlarm({ alert: [texter] }, { message });
      const [row] = await plant.query('select segments from tocsin.notification where tocsin_site_uuid = $1', [
        station.site.uuid,
      ]);
      return [row.segments, sms.requests[0]?.json().text.length];
    };
    const [short, shortLength] = await segments('Full');
    expect(shortLength).toBeLessThanOrEqual(160);
    expect(short).toBe(1);
    const [long, longLength] = await segments('x'.repeat(200));
    expect(long).toBe(Math.ceil(longLength / 153));
    const [unicode, unicodeLength] = await segments('Zu heiß: über 40 °C ☀');
    expect(unicode).toBe(Math.ceil(unicodeLength / 67));
    expect(unicode).toBeGreaterThan(1);
  });

  test('is the customer’s default message if the rule has none', async () => {
    await insertRow(plant.db, 'tocsin.alarm_default_message', {
      tocsin_customer_uuid: plant.customer.uuid,
      message: 'Look at {site}: {datapoint} {value}',
    });
    const { alarm, station } = await inAlarm({});
    expect(alarm.message).toBe(`Look at ${station.site.name}: Level 120`);
    const own = await inAlarm({}, { message: 'Its own' });
    expect(own.alarm.message).toBe('Its own');
    await plant.query('delete from tocsin.alarm_default_message');
  });

  test('is the default message in use, even if it is not the oldest', async () => {
    for (const message of ['Oldest {site}', 'Chosen {site}']) {
      await insertRow(plant.db, 'tocsin.alarm_default_message', {
        tocsin_customer_uuid: plant.customer.uuid,
        message,
      });
      plant.clock.advance(1000);
    }
    const before = await inAlarm({});
    expect(before.alarm.message).toBe(`Oldest ${before.station.site.name}`);
    await plant.query('update tocsin.alarm_default_message set is_used = false where is_used');
    await plant.query(`update tocsin.alarm_default_message set is_used = true where message = 'Chosen {site}'`);
    const after = await inAlarm({});
    expect(after.alarm.message).toBe(`Chosen ${after.station.site.name}`);
    await plant.query('delete from tocsin.alarm_default_message');
  });
});
