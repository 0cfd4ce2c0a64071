/** People answer the SMS of an alarm. Each test has its own people, so that their numbers have no other open alarms. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAgain } from '../harness/database/database.ts';
import { createCustomer, createUser } from '../harness/database/factories.ts';
import { startTestApp } from '../harness/server/app.ts';
import { AnswersPlant, PUBLIC } from './answers-plant.ts';
import { acknowledge, resolve } from './people.ts';

let answers: AnswersPlant;
beforeAll(async () => {
  answers = await AnswersPlant.start();
});
afterAll(() => answers?.close());

const untouched = { reason: null, name: null, channel: null, resolved: false, quiet: null };

describe('an answer by SMS', () => {
  test('with the number of a reason acknowledges in one call, and is confirmed by SMS', async () => {
    const anna = await answers.technician('Anna');
    const { uuid, station } = await answers.alarm([anna], { reasons: ['Rain', 'Pump blocked'] });
    const sent = answers.twilio.requests.at(-1)?.form().get('Body');
    expect(sent, 'in one segment').toMatch(/ https:\/\/tocsin\.example\/a\/[\w-]{50} 1=ack$/);

    expect(await answers.sms(anna.phone, '4 on my way')).toBe(204);
    expect(await answers.stateOf(uuid)).toMatchObject({
      ...{ reason: 'Rain', note: 'on my way', name: 'Anna', channel: 'sms-answer' },
    });
    const events = await answers.plant.events(uuid);
    expect(events.map(({ sentence }) => sentence)).toContain('Anna acknowledged the alarm by SMS: Rain.');
    const trail = await answers.plant.query(
      `select user_display_name as name, action from tocsin.audit where row_key = $1`,
      [uuid],
    );
    expect(trail).toEqual([{ name: 'Anna', action: 'alarm.update' }]);

    await answers.plant.settle();
    const text = `Acknowledged: ${station.site.name}: High level. Reason: Rain.`;
    const confirmation = answers.twilio.requests.at(-1)?.form();
    expect([confirmation?.get('To'), confirmation?.get('Body')]).toEqual([anna.phone, text]);
    const ledger = await answers.plant.query(
      `select kind, state, segments, message_type, recipient_name as name from tocsin.notification where tocsin_alarm_uuid = $1 order by sequence_number`,
      [uuid],
    );
    expect(ledger).toEqual([
      { kind: 'alarm', state: 'sent', segments: expect.any(Number), message_type: 1, name: 'Anna' },
      { kind: 'confirmation', state: 'sent', segments: 1, message_type: 4, name: 'Anna' },
    ]);
  });

  test('with 1 acknowledges without a list of reasons, and by the only reason', async () => {
    const anna = await answers.technician('Anna');
    const free = await answers.alarm([anna]);
    await answers.sms(anna.phone, '1');
    expect(await answers.stateOf(free.uuid)).toMatchObject({ reason: 'Acknowledged by SMS', name: 'Anna' });
    const one = await answers.alarm([anna], { reasons: ['Rain'] });
    await answers.sms(anna.phone, ' ١ ');
    expect(await answers.stateOf(one.uuid)).toMatchObject({ reason: 'Rain' });
  });

  test('with 1 is asked for the reason, whose number stays when a reason is added', async () => {
    const anna = await answers.technician('Anna');
    const { uuid, station } = await answers.alarm([anna], { reasons: ['Pump blocked', 'Rain'] });
    await answers.sms(anna.phone, '1');
    expect(await answers.stateOf(uuid)).toMatchObject(untouched);
    expect(await answers.confirmations(anna.phone)).toEqual([
      `Which reason? Reply 3=Pump blocked, 4=Rain. ${station.site.name}: High level`,
    ]);
    await answers.plant.query(
      `insert into tocsin.reason (tocsin_customer_uuid, rule_uuid, reason)
       select tocsin_customer_uuid, uuid, 'Access flooded' from tocsin.rule_alert where tocsin_site_uuid = $1`,
      [station.site.uuid],
    );
    await answers.sms(anna.phone, '4');
    expect(await answers.stateOf(uuid)).toMatchObject({ reason: 'Rain' });
  });

  test('with a number that is not in the list, or whose reason is gone, is asked again', async () => {
    const anna = await answers.technician('Anna');
    const { uuid, station } = await answers.alarm([anna], { reasons: ['Pump blocked', 'Rain', 'Test'] });
    await answers.sms(anna.phone, '9');
    await answers.plant.query(`delete from tocsin.reason where reason = 'Pump blocked'`);
    await answers.sms(anna.phone, '3');
    expect(await answers.stateOf(uuid)).toMatchObject(untouched);
    expect(await answers.confirmations(anna.phone)).toEqual([
      `Which reason? Reply 3=Pump blocked, 4=Rain, 5=Test. ${station.site.name}: High level`,
      `Which reason? Reply 3=Rain, 4=Test. ${station.site.name}: High level`,
    ]);
    await answers.sms(anna.phone, '3');
    expect(await answers.stateOf(uuid)).toMatchObject({ reason: 'Rain' });
  });

  test('snoozes for the minutes, if the person may and the alarm is not critical', async () => {
    const anna = await answers.technician('Anna');
    const { uuid, station } = await answers.alarm([anna]);
    const now = answers.plant.clock.now().getTime();
    await answers.sms(anna.phone, '2 30');
    const state = await answers.stateOf(uuid);
    expect([state.quiet, state.until.getTime() - now]).toEqual(['shelved', 30 * 60_000]);
    const events = await answers.plant.events(uuid);
    expect(events.at(-1)?.sentence).toMatch(/^Anna shelved the alarm until .*: Snoozed by SMS\.$/);
    await answers.sms(anna.phone, '2 60');
    const [first, second] = await answers.confirmations(anna.phone);
    expect(first).toMatch(new RegExp(`^Snoozed until \\S+ \\S+: ${station.site.name}: High level\\.$`));
    expect(second).toMatch(/^Anna already shelved the alarm until .* Nothing was changed\.$/);

    const bea = await answers.technician('Bea');
    const long = await answers.alarm([bea]);
    await answers.sms(bea.phone, '2 2000');
    expect(await answers.stateOf(long.uuid)).toMatchObject(untouched);
    expect((await answers.confirmations(bea.phone))[0]).toMatch(
      /^You may shelve for at most 24 hours\..* Nothing was changed\.$/,
    );

    const cleo = await answers.technician('Cleo');
    const critical = await answers.alarm([cleo], { columns: { priority: 'critical' } });
    await answers.sms(cleo.phone, '2 30');
    expect(await answers.stateOf(critical.uuid)).toMatchObject(untouched);
    expect((await answers.confirmations(cleo.phone))[0]).toMatch(/^A critical alarm cannot be snoozed by a message\./);
  });
});

describe('nothing changes, and one confirmation says why', () => {
  test('after the alarm has ended', async () => {
    const anna = await answers.technician('Anna');
    const { uuid, station } = await answers.alarm([anna]);
    await answers.plant.pass(60);
    await answers.plant.send(station, 50);
    await answers.plant.settle();
    await answers.sms(anna.phone, '1');
    expect(await answers.stateOf(uuid)).toMatchObject({ ...untouched, resolved: true });
    expect(await answers.confirmations(anna.phone)).toEqual([
      expect.stringMatching(/^Resolved on \S+ \S+: .*: High level\. Nothing was changed\.$/),
    ]);
  });

  test('after somebody else acknowledged', async () => {
    const [anna, ben] = [await answers.technician('Anna'), await answers.technician('Ben')];
    const { uuid } = await answers.alarm([anna, ben]);
    await answers.sms(anna.phone, '1');
    await answers.sms(ben.phone, '1');
    expect(await answers.stateOf(uuid)).toMatchObject({ name: 'Anna' });
    expect(await answers.confirmations(ben.phone)).toEqual([
      expect.stringMatching(/^Anna acknowledged this alarm first, on .* Nothing was changed\.$/),
    ]);
  });

  test('when the provider repeats a message', async () => {
    const anna = await answers.technician('Anna');
    const { uuid } = await answers.alarm([anna]);
    for (let again = 0; again < 3; again += 1) expect(await answers.sms(anna.phone, '1', { id: 'SMtwice' })).toBe(204);
    const events = await answers.plant.events(uuid);
    expect(events.filter(({ kind }) => kind === 'acknowledged')).toHaveLength(1);
    expect(await answers.confirmations(anna.phone)).toHaveLength(1);
  });

  test('for a person without access to the site, and for a disabled user', async () => {
    const [anna, ben] = [await answers.technician('Anna'), await answers.technician('Ben')];
    const { uuid } = await answers.alarm([anna, ben], { linked: [ben] });
    await answers.sms(anna.phone, '1');
    await answers.plant.query('update tocsin.user set status = false where uuid = $1', [ben.uuid]);
    await answers.sms(ben.phone, '1');
    expect(await answers.stateOf(uuid)).toMatchObject(untouched);
    expect(await answers.confirmations(anna.phone)).toEqual([
      expect.stringMatching(/^You are not allowed to change this alarm/),
    ]);
    expect(await answers.confirmations(ben.phone)).toEqual([
      'This number belongs to no active user. Nothing was changed.',
    ]);
  });

  test('for unknown numbers, once a day and at most twenty times an hour in all', async () => {
    const stranger = '+447700800001';
    for (let again = 0; again < 3; again += 1) await answers.sms(stranger, '1');
    expect(await answers.confirmations(stranger)).toHaveLength(1);
    for (let number = 0; number < 25; number += 1) await answers.sms(`+4477008001${10 + number}`, '1');
    const [{ sent }] = await answers.plant.query(
      `select count(*)::int as sent from tocsin.notification where kind = 'confirmation' and recipient_name = 'Unknown number'
       and notify_time > $1::timestamptz - interval '1 hour'`,
      [answers.plant.clock.now()],
    );
    expect(sent).toBe(20);
    answers.plant.clock.advance(25 * 3_600_000);
    await answers.sms(stranger, '1');
    expect(await answers.confirmations(stranger)).toHaveLength(2);
  });

  test('for texts that are no answer, of which an hour brings three confirmations', async () => {
    const anna = await answers.technician('Anna');
    const { uuid } = await answers.alarm([anna]);
    for (const text of ['ok', '', 'I am driving', 'I am driving', '2']) await answers.sms(anna.phone, text);
    expect(await answers.stateOf(uuid)).toMatchObject(untouched);
    expect(await answers.confirmations(anna.phone)).toEqual(
      Array.from({ length: 3 }, () => 'Not understood. Reply 1=ack, 2 30=snooze 30 min. Nothing was changed.'),
    );
    await answers.sms(anna.phone, '1');
    expect(await answers.stateOf(uuid)).toMatchObject({ name: 'Anna' });
  });
});

describe('an answer that can mean several', () => {
  test('alarms lists them with letters, which keep their meaning when another alarm opens', async () => {
    const anna = await answers.technician('Anna');
    const first = await answers.alarm([anna]);
    answers.plant.clock.advance(1000);
    const second = await answers.alarm([anna], { reasons: ['Rain', 'Test'] });
    await answers.sms(anna.phone, '1');
    expect(await answers.confirmations(anna.phone)).toEqual([
      `Which alarm? Reply 1 A for ${second.station.site.name}: High level, 1 B for ${first.station.site.name}: High level.`,
    ]);
    answers.plant.clock.advance(1000);
    await answers.alarm([anna]);
    await answers.sms(anna.phone, '1 b');
    expect(await answers.stateOf(first.uuid)).toMatchObject({ name: 'Anna' });
    await answers.sms(anna.phone, '1A');
    expect(await answers.stateOf(second.uuid)).toMatchObject(untouched);
    expect((await answers.confirmations(anna.phone)).at(-1)).toBe(
      `Which reason? Reply 3 A=Rain, 4 A=Test. ${second.station.site.name}: High level`,
    );
    await answers.sms(anna.phone, '4 a');
    expect(await answers.stateOf(second.uuid)).toMatchObject({ name: 'Anna', reason: 'Test' });
  });

  test('people with one number asks who it is, and acknowledges as that person', async () => {
    const anna = await answers.technician('Anna');
    const ben = await answers.technician('Ben', { phone: `${anna.phone.slice(0, 3)} (0)${anna.phone.slice(3)}` });
    const { uuid, station } = await answers.alarm([anna, ben]);
    await answers.sms(anna.phone, '1');
    expect(await answers.stateOf(uuid)).toMatchObject(untouched);
    expect(await answers.confirmations(anna.phone)).toEqual([
      `Who are you? Reply 1 A for Anna, 1 B for Ben. (${station.site.name}: High level)`,
    ]);
    await answers.sms(anna.phone, '1 B');
    expect(await answers.stateOf(uuid)).toMatchObject({ name: 'Ben' });
  });

  test('customers acts only for the one whose alarm was sent to the number', async () => {
    const anna = await answers.technician('Anna');
    const other = await createCustomer(answers.plant.db);
    const theirs = await createUser(answers.plant.db, { customer: other, level: 0 });
    await answers.plant.query('update tocsin.user set phone_number = $2 where uuid = $1', [theirs.uuid, anna.phone]);
    const { uuid } = await answers.alarm([anna]);
    await answers.sms(anna.phone, '1');
    expect(await answers.stateOf(uuid)).toMatchObject({ name: 'Anna' });
  });
});

describe('a call', () => {
  test('that Twilio did not sign changes nothing, is counted, and logs no number or text', async () => {
    const anna = await answers.technician('Anna');
    const { uuid } = await answers.alarm([anna]);
    expect(await answers.sms(anna.phone, '1 on my way', { key: 'guess' })).toBe(403);
    const large = await fetch(`http://127.0.0.1:${answers.plant.app.port}/api/v1/inbound/twilio`, {
      method: 'POST',
      body: 'x'.repeat(70_000),
    });
    expect(large.status).toBe(413);
    expect(await answers.stateOf(uuid)).toMatchObject(untouched);
    expect(await answers.confirmations(anna.phone)).toEqual([]);
    await answers.sms(anna.phone, 'I am on my way');
    expect(answers.lines).toContainEqual(expect.stringMatching(/^an answer was refused .*signature is wrong/));
    expect(answers.lines.filter((line) => /on my way|auth-token/.test(line) || line.includes(anna.phone))).toEqual([]);
    const counted = await answers.plant.app.metrics.registry.metrics();
    expect(counted).toMatch(/tocsin_answer_calls_refused_total\{provider="twilio",because="proof"\} 1/);
    expect(counted).toMatch(/tocsin_answer_calls_refused_total\{provider="twilio",because="too-large"\} 1/);
    expect(counted).toMatch(/tocsin_answers_total\{provider="twilio",outcome="acknowledged"\} \d+/);
  });

  test('that two processes get at the same time has one effect', async () => {
    const anna = await answers.technician('Anna');
    const { uuid } = await answers.alarm([anna]);
    const { plant, config } = answers;
    const database = await openAgain(plant.db);
    const second = await startTestApp({ config, database, clock: plant.clock });
    try {
      const ports = [plant.app.port, second.port, plant.app.port, second.port];
      const statuses = await Promise.all(ports.map((port) => answers.sms(anna.phone, '1', { id: 'SMboth', port })));
      expect(statuses).toEqual([204, 204, 204, 204]);
      const events = await plant.events(uuid);
      expect(events.filter(({ kind }) => kind === 'acknowledged')).toHaveLength(1);
      expect(await answers.confirmations(anna.phone)).toHaveLength(1);
    } finally {
      await second.close();
    }
  });

  test('of two people at the same time acknowledges once, and tells the other who was first', async () => {
    const [anna, ben] = [await answers.technician('Anna'), await answers.technician('Ben')];
    const { uuid } = await answers.alarm([anna, ben]);
    await Promise.all([answers.sms(anna.phone, '1'), answers.sms(ben.phone, '1')]);
    const texts = [...(await answers.confirmations(anna.phone)), ...(await answers.confirmations(ben.phone))];
    const { name } = await answers.stateOf(uuid);
    expect(texts.filter((text) => text.startsWith('Acknowledged:'))).toHaveLength(1);
    expect(texts.filter((text) => text.startsWith(`${name} acknowledged this alarm first`))).toHaveLength(1);
  });
});

describe('a WhatsApp message', () => {
  test('answers the message that it quotes', async () => {
    const anna = await answers.technician('Anna', { whatsapp: true });
    const first = await answers.alarm([anna]);
    answers.plant.clock.advance(1000);
    const second = await answers.alarm([anna]);
    expect(answers.meta.requests.at(-1)?.json().text.body).toContain('Reply 1=ack, 2 30=snooze 30 min.');
    const [{ id }] = await answers.plant.query(
      'select provider_id as id from tocsin.notification where tocsin_alarm_uuid = $1',
      [first.uuid],
    );
    expect(await answers.whatsApp(anna.phone, '1', { quoted: id, key: 'guess' })).toBe(403);
    await answers.whatsApp(anna.phone, '1', { quoted: id, phoneId: '4711' });
    expect(await answers.stateOf(first.uuid), 'forged, or to another number').toMatchObject(untouched);
    expect(await answers.whatsApp(anna.phone, '1', { quoted: id })).toBe(204);
    expect(await answers.stateOf(first.uuid)).toMatchObject({ name: 'Anna', channel: 'whatsapp-answer' });
    expect(await answers.stateOf(second.uuid)).toMatchObject(untouched);
  });

  test('from before an alarm was sent does not answer it, and no SMS is answered by WhatsApp', async () => {
    const anna = await answers.technician('Anna', { whatsapp: true });
    const before = answers.plant.clock.now();
    answers.plant.clock.advance(60_000);
    const { uuid } = await answers.alarm([anna]);
    await answers.whatsApp(anna.phone, '1', { sentAt: before });
    await answers.sms(anna.phone, '1');
    expect(await answers.stateOf(uuid)).toMatchObject(untouched);
    expect(await answers.confirmations(anna.phone)).toEqual(
      Array.from({ length: 2 }, () => 'No open alarm was sent to this number. Nothing was changed.'),
    );
  });
});

test('an acknowledgement in the console after an answer is refused, and an answer after it too', async () => {
  const anna = await answers.technician('Anna');
  const { uuid } = await answers.alarm([anna]);
  const owner = await answers.plant.browser(await answers.plant.person({ level: 0, name: 'Olga' }));
  await answers.sms(anna.phone, '1');
  const { refusal } = await acknowledge(owner, uuid, 'Rain');
  expect(refusal?.message).toMatch(/^Anna acknowledged this alarm first/);
  await resolve(owner, uuid);
  await answers.sms(anna.phone, '1');
  expect((await answers.confirmations(anna.phone)).at(-1)).toMatch(/^Resolved on /);
});

test('the page Senders shows the address for answers', async () => {
  const manager = await answers.plant.browser(await answers.plant.person({ level: 5 }));
  const { senderStates } = await manager.data('{ senderStates { nodes { name inboundAddress } } }');
  expect(senderStates.nodes).toEqual([
    { name: 'outbox', inboundAddress: null },
    { name: 'whatsapp', inboundAddress: `${PUBLIC}/api/v1/receipts/whatsapp` },
    { name: 'twilio', inboundAddress: `${PUBLIC}/api/v1/inbound/twilio` },
    { name: 'outbox', inboundAddress: null },
  ]);
});

test('offers are deleted after eight days, and message ids after 400', async () => {
  const count = async (table: string) => (await answers.plant.query(`select from tocsin_private.${table}`)).length;
  await answers.plant.pass(8 * 86_400 + 1);
  expect(await count('answer_offer')).toBe(0);
  expect(await count('inbound_message')).toBeGreaterThan(0);
  await answers.plant.query(
    `update tocsin_private.inbound_message set received_at = received_at - interval '393 days'`,
  );
  await answers.plant.pass(600);
  expect(await count('inbound_message')).toBe(0);
});
