/** Escalation and actions. The tests configure no sender, so messages go to the outbox. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkUser, type UserRow } from '../harness/database/factories.ts';
import { acknowledge, resolve } from './people.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let anna: UserRow;
let boss: UserRow;
beforeAll(async () => {
  plant = await Plant.start({ publicUrl: 'https://tocsin.example' });
  anna = await plant.person({ name: 'Anna' });
  boss = await plant.person({ name: 'Boss' });
});
afterAll(() => plant?.close());

const MINUTE = 60;

async function inAlarm(
  people: Parameters<Plant['alert']>[2],
  columns: Record<string, unknown> = {},
): Promise<{ station: Station; alarm: any }> {
  const station = await plant.station();
  await linkUser(plant.db, anna, station.site);
  await plant.rule(station, { name: 'High level' });
  await plant.alert(station.site, 'High level', people, columns);
  await plant.send(station, 120);
  await plant.settle();
  const [alarm] = await plant.open(station.site);
  return { station, alarm };
}

const escalations = async ({ site }: Station) =>
  (await plant.messages(site))
    .filter(({ kind }) => kind === 'escalation')
    .map(({ person, step }) => `${person} ${step}`);
const eventsOf = async (alarm: { uuid: string }, kind: string) =>
  (await plant.events(alarm.uuid)).filter((event) => event.kind === kind).map(({ sentence }) => sentence);

describe('an unacknowledged alarm', () => {
  test('escalates after 15 minutes and twice more by default', async () => {
    const { station, alarm } = await inAlarm({ alert: [anna], escalate: [boss] });
    await plant.pass(15 * MINUTE - 1);
    expect(await escalations(station)).toEqual([]);
    await plant.pass(1);
    expect(await escalations(station)).toEqual(['Boss 1']);
    await plant.pass(15 * MINUTE);
    await plant.pass(15 * MINUTE);
    expect(await escalations(station)).toEqual(['Boss 1', 'Boss 2', 'Boss 3']);
    await plant.pass(600 * MINUTE);
    expect(await escalations(station)).toHaveLength(3);
    const told = (await plant.messages(station.site)).filter(({ kind }) => kind === 'escalation');
    expect(told.map(({ text }) => text.split('.')[0])).toEqual([
      'MINOR: Not acknowledged for 15 min',
      'MINOR: Not acknowledged for 30 min',
      'MINOR: Not acknowledged for 45 min',
    ]);
    expect(await eventsOf(alarm, 'escalated')).toEqual([
      'Nobody acknowledged the alarm, so it was escalated (1 of 3) to Boss.',
      'Nobody acknowledged the alarm, so it was escalated (2 of 3) to Boss.',
      'Nobody acknowledged the alarm, so it was escalated (3 of 3) to Boss.',
    ]);
  });

  test('escalates by the minutes, interval and count of its rule alert', async () => {
    const plan = { escalate_minutes: 5, escalate_interval_minutes: 2, escalate_count: 2 };
    const { station } = await inAlarm({ escalate: [boss] }, plan);
    await plant.pass(5 * MINUTE);
    await plant.pass(2 * MINUTE - 1);
    expect(await escalations(station)).toEqual(['Boss 1']);
    await plant.pass(1);
    await plant.pass(60 * MINUTE);
    expect(await escalations(station)).toEqual(['Boss 1', 'Boss 2']);
  });

  test('does not escalate if it need not be acknowledged', async () => {
    const { station } = await inAlarm({ alert: [anna], escalate: [boss] }, { ind_ack: false });
    await plant.pass(60 * MINUTE);
    expect(await escalations(station)).toEqual([]);
  });

  test('escalates by the plan stored on it, after changes of the rule alert', async () => {
    const { station } = await inAlarm({ escalate: [boss] }, { escalate_minutes: 5, escalate_count: 1 });
    await plant.query(
      'update tocsin.rule_alert set escalate_minutes = 60, escalate_count = 9 where tocsin_site_uuid = $1',
      [station.site.uuid],
    );
    await plant.query('delete from tocsin.rule_escalate_user where tocsin_user_uuid = $1', [boss.uuid]);
    await plant.pass(5 * MINUTE);
    await plant.pass(120 * MINUTE);
    expect(await escalations(station)).toEqual(['Boss 1']);
  });

  test('escalates late once after a downtime, and waits a whole interval for the next', async () => {
    const { station } = await inAlarm({ escalate: [boss] });
    await plant.restart(50 * MINUTE);
    await plant.settle();
    await plant.settle();
    expect(await escalations(station)).toEqual(['Boss 1']);
    await plant.pass(15 * MINUTE - 1);
    expect(await escalations(station)).toEqual(['Boss 1']);
    await plant.pass(1);
    expect(await escalations(station)).toEqual(['Boss 1', 'Boss 2']);
  });

  test('skips a user who was disabled meanwhile, and says so', async () => {
    const leaver = await plant.person({ name: 'Leaver' });
    const { station, alarm } = await inAlarm({ escalate: [boss, leaver] });
    await plant.query('update tocsin.user set status = false where uuid = $1', [leaver.uuid]);
    await plant.pass(15 * MINUTE);
    expect(await escalations(station)).toEqual(['Boss 1']);
    expect(await eventsOf(alarm, 'not-notified')).toEqual([
      expect.stringMatching(/^Leaver is not notified: the account is disabled/),
    ]);
  });
});

describe('escalation stops', () => {
  test('when somebody acknowledges the alarm', async () => {
    const { station, alarm } = await inAlarm({ escalate: [boss] });
    await plant.pass(15 * MINUTE);
    await acknowledge(await plant.browser(anna), alarm.uuid, 'Rain');
    await plant.pass(120 * MINUTE);
    expect(await escalations(station)).toEqual(['Boss 1']);
    expect(await eventsOf(alarm, 'escalation-stopped')).toEqual([
      'The alarm was acknowledged, so it is not escalated further.',
    ]);
  });

  test('if somebody acknowledges the alarm before the first escalation, and the timeline says so', async () => {
    const { station, alarm } = await inAlarm({ escalate: [boss] });
    await acknowledge(await plant.browser(anna), alarm.uuid, 'Rain');
    await plant.pass(120 * MINUTE);
    expect(await escalations(station)).toEqual([]);
    expect(await eventsOf(alarm, 'escalation-stopped')).toEqual([
      'The alarm was acknowledged before the first escalation.',
    ]);
  });

  test('when the alarm resolves', async () => {
    const { station, alarm } = await inAlarm({ escalate: [boss] });
    await plant.pass(10 * MINUTE);
    await plant.send(station, 50);
    await plant.pass(120 * MINUTE);
    expect(await escalations(station)).toEqual([]);
    expect(await eventsOf(alarm, 'escalation-stopped')).toEqual([
      'The alarm was resolved before the first escalation.',
    ]);
  });
});

describe('the resolution', () => {
  const messages = async ({ site }: Station) => (await plant.messages(site)).filter(({ kind }) => kind === 'resolve');
  const ends = async (station: Station) => (await messages(station)).map(({ person }) => person);

  test('is sent to escalation recipients, in the transaction that resolves the alarm', async () => {
    const { station } = await inAlarm({ alert: [anna], escalate: [boss] });
    await plant.pass(15 * MINUTE);
    await plant.send(station, 50);
    expect(await ends(station)).toEqual(['Boss']);
    const [same] = await plant.query(
      `select a.xmin::text = n.xmin::text as same from tocsin.alarm a join tocsin.notification n on n.tocsin_alarm_uuid = a.uuid
       where a.tocsin_site_uuid = $1 and n.kind = 'resolve'`,
      [station.site.uuid],
    );
    expect(same).toEqual({ same: true });
    await plant.settle();
    const text = `RESOLVED (minor): ${station.site.name}: High level. After 15 min: inside its limits since`;
    expect(await messages(station)).toMatchObject([{ state: 'sent', text: expect.stringContaining(text) }]);
  });

  test('is sent once to people named for it too, and to alert users who are not', async () => {
    const cleo = await plant.person({ name: 'Cleo' });
    const { station } = await inAlarm({ alert: [cleo, boss], resolve: [boss], escalate: [boss, cleo] });
    await plant.pass(15 * MINUTE);
    await plant.pass(15 * MINUTE);
    await plant.send(station, 50);
    await plant.settle();
    expect((await ends(station)).sort()).toEqual(['Boss', 'Cleo']);
  });

  test('is not sent to people to whom it had not escalated', async () => {
    const { station } = await inAlarm({ escalate: [boss] });
    await plant.pass(10 * MINUTE);
    await plant.send(station, 50);
    await plant.pass(MINUTE);
    expect(await ends(station)).toEqual([]);
  });

  test('is sent after an acknowledgement, even if another alarm was resolved shortly before', async () => {
    const { station } = await inAlarm({ escalate: [boss] }, { escalate_minutes: 5 });
    await plant.pass(5 * MINUTE);
    await plant.send(station, 50);
    await plant.pass(MINUTE);
    await plant.send(station, 120);
    await plant.settle();
    await plant.pass(5 * MINUTE);
    const [alarm] = await plant.open(station.site);
    const browser = await plant.browser(anna);
    await acknowledge(browser, alarm.uuid, 'Rain');
    await resolve(browser, alarm.uuid, 'Pump runs');
    await plant.settle();
    expect(await ends(station)).toEqual(['Boss', 'Boss']);
    expect((await messages(station)).at(-1)?.text).toMatch(/by Anna, Pump runs\. It was still out/);
  });

  test('is sent when the rule is disabled', async () => {
    const { station } = await inAlarm({ escalate: [boss] });
    await plant.pass(15 * MINUTE);
    await plant.query('update tocsin.rule set enabled = false where tocsin_site_uuid = $1', [station.site.uuid]);
    await plant.settle();
    expect(await ends(station)).toEqual(['Boss']);
  });
});

test('a message without a sender goes to the outbox and is marked so', async () => {
  const { station } = await inAlarm({ alert: [anna] });
  const [row] = await plant.query(
    'select provider, provider_id, provider_answer, state from tocsin.notification where tocsin_site_uuid = $1',
    [station.site.uuid],
  );
  expect(row).toMatchObject({
    provider: 'outbox',
    state: 'sent',
    provider_answer: expect.stringMatching(/no sender is configured/),
  });
  const [kept] = await plant.query('select address, body from tocsin.outbox where uuid = $1', [row.provider_id]);
  expect(kept).toMatchObject({ address: anna.email, body: expect.stringMatching(/High level/) });
});

test('an alarm counts a person with only a message in the outbox as not notified', async () => {
  const { station } = await inAlarm({ alert: [anna] });
  const told = async ({ site } = station) => {
    const [alarm] = await plant.query(
      `select tocsin.alarm_notified_count(a) as told, tocsin.alarm_not_notified_because(a) as because from tocsin.alarm a
       where a.tocsin_site_uuid = $1`,
      [site.uuid],
    );
    return alarm;
  };
  expect(await told()).toEqual({ told: 0, because: 'kept' });
  await plant.query(`update tocsin.notification set provider = 'email' where tocsin_site_uuid = $1`, [
    station.site.uuid,
  ]);
  expect(await told()).toEqual({ told: 1, because: null });
  expect(await told((await inAlarm({ alert: [] })).station)).toEqual({ told: 0, because: 'no-recipients' });
  // The alarm notifies nobody when it opens, but escalation notifies Anna later.
  const later = await inAlarm({ alert: [], escalate: [anna] });
  expect(await told(later.station)).toEqual({ told: 0, because: null });
});

describe('an action', () => {
  async function station(): Promise<Station> {
    const made = await plant.station();
    await plant.rule(made, { name: 'High level' });
    return made;
  }
  const raise = async (made: Station) => {
    await plant.send(made, 120);
    await plant.settle();
    return (await plant.open(made.site))[0];
  };
  const told = async ({ site }: Station) => (await plant.messages(site)).map(({ person, kind }) => `${person} ${kind}`);

  test('of type 1 notifies one person, of type 2 the listed people, each once', async () => {
    const made = await station();
    const [cleo, dan] = [await plant.person({ name: 'Cleo' }), await plant.person({ name: 'Dan' })];
    await plant.alert(made.site, 'High level', { alert: [anna] });
    await plant.action(made, { action: 1, notify_to: cleo.uuid });
    await plant.action(made, { action: 2, tocsin_users: `${anna.uuid}, ${cleo.uuid};${dan.uuid}` });
    await raise(made);
    expect(await told(made)).toEqual(['Anna alarm', 'Cleo action', 'Dan action']);
  });

  test('of type 2 says on the alarm whom it could not find', async () => {
    const made = await station();
    const other = await plant.person();
    await plant.action(made, { action: 2, tocsin_users: `nobody,${other.uuid}` });
    const alarm = await raise(made);
    expect(alarm.recipients.notes).toContain('No user of this customer has the uuid nobody.');
    expect(await told(made)).toHaveLength(1);
  });

  test('of type 3 queues a command that the sensor’s next call gets, and the alarm says so', async () => {
    const made = await station();
    await plant.action(made, { action: 3, reply_command: 'STOP PUMP 1' });
    const alarm = await raise(made);
    expect(
      await plant.query('select reply_command, delivered_on from tocsin.reply_message where uid = $1', [
        made.sensor.uid,
      ]),
    ).toEqual([{ reply_command: 'STOP PUMP 1', delivered_on: null }]);
    expect(await eventsOf(alarm, 'action')).toEqual([
      `The command "STOP PUMP 1" was queued for the sensor ${made.sensor.uid}.`,
    ]);
    const pipeline = plant.app.gateway!.pipeline;
    const device = await pipeline.identify(made.sensor.uid, made.sensor.token);
    if (!device.ok) throw new Error(device.sentence);
    const answer = await pipeline.receive(device, { protocol: 'http', body: Buffer.from('1=121') });
    expect(answer).toMatchObject({ ok: true, commands: [{ text: 'STOP PUMP 1' }] });
  });

  test('of another data point or asset does not apply', async () => {
    const made = await plant.station({ channels: [{ name: 'Level' }, { name: 'Flow' }] });
    await plant.rule(made, { name: 'High level' });
    const elsewhere = await plant.another(made);
    await plant.action(made, {
      action: 1,
      notify_to: boss.uuid,
      tocsin_datapoint_uuid: made.sensor.channels[1]?.datapointUuid,
    });
    await plant.action(elsewhere, { action: 1, notify_to: boss.uuid });
    await raise(made);
    expect(await told(made)).toEqual([]);
    await plant.action(made, { action: 1, notify_to: anna.uuid, tocsin_datapoint_uuid: made.datapointUuid });
    await plant.pass(1);
    await plant.send(made, 50);
    await plant.pass(1);
    await raise(made);
    expect(await told(made)).toEqual(['Anna action']);
  });

  test('runs when the alarm opens, not at further occurrences', async () => {
    const made = await plant.station();
    await plant.rule(made, { name: 'High level', debounce: 60 });
    await plant.action(made, { action: 3, reply_command: 'STOP' });
    await plant.send(made, 120);
    await plant.pass(60);
    await plant.send(made, 50);
    await plant.pass(30);
    await plant.send(made, 120);
    await plant.pass(60);
    expect(await plant.open(made.site)).toMatchObject([{ occurrences: 2 }]);
    expect(await plant.query('select from tocsin.reply_message where uid = $1', [made.sensor.uid])).toHaveLength(1);
  });

  test('that must be acknowledged makes the alarm so, although its rule alert does not', async () => {
    const made = await station();
    await plant.alert(made.site, 'High level', { escalate: [boss] }, { ind_ack: false });
    await plant.action(made, { action: 1, notify_to: anna.uuid, acknowledge: true });
    expect(await raise(made)).toMatchObject({ must_acknowledge: true });
    await plant.pass(15 * MINUTE);
    expect(await escalations(made)).toEqual(['Boss 1']);
  });

  test('that escalates notifies its people again until somebody acknowledges', async () => {
    const made = await station();
    await plant.action(made, { action: 1, notify_to: anna.uuid, escalate: true });
    await plant.action(made, { action: 1, notify_to: boss.uuid });
    await raise(made);
    await plant.pass(15 * MINUTE);
    expect(await escalations(made)).toEqual(['Anna 1']);
  });
});
