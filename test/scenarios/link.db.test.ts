/**
 * The link in a message opens the message's alarm and identifies the method by which it was sent. The link alone grants
 * no access.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personAccess } from '../../server/access.ts';
import { linkUser, type UserRow } from '../harness/database/factories.ts';
import { acknowledge } from './people.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let anna: UserRow;
beforeAll(async () => {
  plant = await Plant.start({ publicUrl: 'https://tocsin.example/' });
  anna = await plant.person({
    name: 'Anna',
    flags: {
      email_notification: true,
      sms_notification: true,
      whatsapp_notification: true,
      phone_number: '+447700900001',
    },
  });
});
afterAll(() => plant?.close());

const ways = { 1: 'email', 2: 'whatsapp', 3: 'sms' } as const;

async function inAlarm(
  columns: Record<string, unknown> = {},
): Promise<{ station: Station; alarm: any; links: Record<number, string> }> {
  const station = await plant.station();
  await linkUser(plant.db, anna, station.site);
  await plant.rule(station, { name: 'High level' });
  await plant.alert(station.site, 'High level', { alert: [anna] }, columns);
  await plant.send(station, 120);
  await plant.settle();
  const [alarm] = await plant.open(station.site);
  const bodies = await plant.query(
    `select o.method_type, o.body from tocsin.notification n join tocsin.outbox o on o.uuid::text = n.provider_id
     where n.tocsin_alarm_uuid = $1`,
    [alarm.uuid],
  );
  const links: Record<number, string> = {};
  for (const { method_type, body } of bodies) {
    const link = /https:\/\/tocsin\.example\/a\/([\w-]+)/.exec(body)?.[1];
    if (link) links[method_type] = link;
  }
  return { station, alarm, links };
}

const notOurs = 'This link is not valid for this alarm. Open the alarm from the list instead.';

test('opens the alarm’s acknowledge dialog in the console', async () => {
  const { alarm, links } = await inAlarm();
  const browser = await plant.app.browser();
  const answer = await browser.get(`/a/${links[3]}`);
  expect(answer.statusCode).toBe(302);
  expect(answer.headers.location).toBe(`/dashboard/alarms?alarm=${alarm.uuid}&acknowledge=${links[3]}`);
  expect((await browser.get('/a/nonsense')).statusCode).toBe(404);
});

test('uses the customer’s own host name', async () => {
  const customer = 'update tocsin.customer set end_point = $2 where uuid = $1';
  await plant.query(customer, [anna.tocsin_customer_uuid, 'north.example']);
  const { alarm } = await inAlarm();
  const bodies = await plant.query(
    'select o.body from tocsin.notification n join tocsin.outbox o on o.uuid::text = n.provider_id where n.tocsin_alarm_uuid = $1',
    [alarm.uuid],
  );
  expect(bodies).toHaveLength(3);
  for (const { body } of bodies) expect(body).toMatch(/https:\/\/north\.example\/a\/[\w-]{50}/);
  await plant.query(customer, [anna.tocsin_customer_uuid, '']);
});

test.each([1, 2, 3] as const)('of method %s stores that method on the acknowledgement', async (method) => {
  const { alarm, links } = await inAlarm();
  const { alarm: done } = await acknowledge(await plant.browser(anna), alarm.uuid, 'Rain', { link: links[method]! });
  expect(done.acknowledgeJson).toMatchObject({ name: 'Anna', channel: ways[method] });
});

test('opens nothing without a session or without access to the site', async () => {
  const { alarm, links } = await inAlarm();
  const { status, data } = await (await plant.app.browser()).graphql(
    'mutation ($input: AcknowledgeAlarmInput!) { acknowledgeAlarm(input: $input) { result { uuid } } }',
    { input: { uuid: alarm.uuid, reason: 'Rain', link: links[1] } },
  );
  expect(status).toBe(401);
  expect(data).toBeUndefined();
  const stranger = await plant.browser(await plant.person({ name: 'Stranger' }));
  expect((await acknowledge(stranger, alarm.uuid, 'Rain', { link: links[1]! })).refusal?.message).toMatch(
    /record was deleted, or you are not allowed to change it/,
  );
});

test('of a second message is refused with the name of the first person, and the first acknowledgement stays', async () => {
  const { alarm, links, station } = await inAlarm();
  const browser = await plant.browser(anna);
  await acknowledge(browser, alarm.uuid, 'Rain', { acknowledgeText: 'On my way', link: links[3]! });
  const ben = await plant.person({ name: 'Ben', site: station.site });
  for (const second of [browser, await plant.browser(ben)]) {
    await plant.pass(60);
    const { refusal } = await acknowledge(second, alarm.uuid, 'Pump blocked', {
      acknowledgeText: 'Gone',
      link: links[1]!,
    });
    expect(refusal).toMatchObject({ message: expect.stringMatching(/^Anna acknowledged this alarm first, on /) });
  }
  const said = (await plant.events(alarm.uuid)).filter(({ kind }) => kind === 'acknowledged');
  expect(said.map(({ sentence }) => sentence)).toEqual(['Anna acknowledged the alarm: Rain.']);
  expect(await plant.open(station.site)).toMatchObject([
    { reason: 'Rain', acknowledge_text: 'On my way', acknowledge_json: { channel: 'sms', text: 'On my way' } },
  ]);
});

test('of another alarm is refused', async () => {
  const [mine, other] = [await inAlarm(), await inAlarm()];
  const { refusal } = await acknowledge(await plant.browser(anna), mine.alarm.uuid, 'Rain', { link: other.links[1]! });
  expect(refusal).toEqual({ field: 'link', message: notOurs });
  expect(await plant.open(mine.station.site)).toMatchObject([{ reason: null }]);
});

test('is refused by the database unless the server has verified it for this alarm', async () => {
  const [mine, other] = [await inAlarm(), await inAlarm()];
  const access = personAccess(
    { uuid: anna.uuid, customerUuid: anna.tocsin_customer_uuid, level: anna.level, partnerAccount: false },
    plant.clock,
  );
  const acknowledgeWith = (claim: Record<string, string>) =>
    plant.db.transaction({ ...access, settings: { ...access.settings, ...claim } }, (tx) =>
      tx.query('select acknowledge_json ->> $3 as channel from tocsin.acknowledge_alarm($1, $2, null, $4)', [
        ...[mine.alarm.uuid, 'Rain', 'channel', mine.links[1]],
      ]),
    );
  await expect(acknowledgeWith({})).rejects.toThrow('@alarm-link-invalid');
  await expect(acknowledgeWith({ 'tocsin.verified_link': `${other.alarm.uuid} email` })).rejects.toThrow(
    '@alarm-link-invalid',
  );
  const { rows } = await acknowledgeWith({ 'tocsin.verified_link': `${mine.alarm.uuid} email` });
  expect(rows).toEqual([{ channel: 'email' }]);
});

test('is checked separately when one request acknowledges two alarms', async () => {
  const [first, second] = [await inAlarm(), await inAlarm()];
  const { data, errors } = await (await plant.browser(anna)).graphql(
    `mutation ($a: AcknowledgeAlarmInput!, $b: AcknowledgeAlarmInput!, $c: AcknowledgeAlarmInput!) {
       a: acknowledgeAlarm(input: $a) { result { acknowledgeJson } }
       b: acknowledgeAlarm(input: $b) { result { acknowledgeJson } }
       c: acknowledgeAlarm(input: $c) { result { acknowledgeJson } } }`,
    {
      a: { uuid: first.alarm.uuid, reason: 'Rain', link: first.links[3] },
      b: { uuid: second.alarm.uuid, reason: 'Rain', link: first.links[3] },
      c: { uuid: second.alarm.uuid, reason: 'Rain' },
    },
  );
  expect(data?.a.result.acknowledgeJson).toMatchObject({ channel: 'sms' });
  expect(errors).toMatchObject([{ message: notOurs, path: ['b'] }]);
  expect(data?.c.result.acknowledgeJson).toMatchObject({ channel: 'console' });
});

test('is refused after any change', async () => {
  const { alarm, links } = await inAlarm();
  const bytes = Buffer.from(links[1]!, 'base64url');
  const browser = await plant.browser(anna);
  // In the decoded link, byte 16 is the method, bytes 17 to 20 are the expiry, and bytes 21 to 36 are the signature.
  for (const place of [16, 17, 20, 21, 36]) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    const { refusal } = await acknowledge(browser, alarm.uuid, 'Rain', { link: changed.toString('base64url') });
    expect(refusal, `byte ${place}`).toEqual({ field: 'link', message: notOurs });
  }
  for (const link of ['', 'x', '%%%', links[1]!.slice(0, -1), `${links[1]}AA`]) {
    const { refusal } = await acknowledge(browser, alarm.uuid, 'Rain', { link });
    expect(refusal, link).toEqual({ field: 'link', message: notOurs });
  }
});

test('expires after seven days', async () => {
  const { alarm, links } = await inAlarm();
  plant.clock.advance(7 * 86_400_000 - 1000);
  const early = await plant.app.browser(anna);
  expect((await acknowledge(early, alarm.uuid, '', { link: links[1]! })).refusal?.field).toBe('reason');
  plant.clock.advance(2000);
  const late = await plant.app.browser(anna);
  expect((await acknowledge(late, alarm.uuid, 'Rain', { link: links[1]! })).refusal).toEqual({
    field: 'link',
    message: 'This link has expired. Open the alarm from the list instead.',
  });
});

test('is not in messages of an alarm that need not be acknowledged', async () => {
  const { links } = await inAlarm({ ind_ack: false });
  expect(links).toEqual({});
});
