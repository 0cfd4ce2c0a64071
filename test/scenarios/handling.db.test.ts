/** Users acknowledge alarms with a reason and resolve them with a note, one at a time or many at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertRow, linkUser, type SiteRow, type UserRow } from '../harness/database/factories.ts';
import { acknowledge, allowedReasons, many, resolve } from './people.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let anna: UserRow;
let ben: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  anna = await plant.person({ name: 'Anna' });
  ben = await plant.person({ name: 'Ben' });
});
afterAll(() => plant?.close());

/** Creates a station with an open alarm. Anna and Ben are linked to its site. */
async function inAlarm(
  columns: Record<string, unknown> = {},
  people: Parameters<Plant['alert']>[2] = {},
): Promise<{ station: Station; alarm: any; alert: { uuid: string }; rule: string }> {
  const station = await plant.station();
  for (const person of [anna, ben]) await linkUser(plant.db, person, station.site);
  const rule = await plant.rule(station, { name: 'High level', ...columns });
  const alert = await plant.alert(station.site, 'High level', people);
  await plant.send(station, 120);
  await plant.settle();
  const [alarm] = await plant.open(station.site);
  return { station, alarm, alert, rule: rule.uuid };
}

const own = () => ({ tocsin_customer_uuid: plant.customer.uuid });
const reasonUuid = async (alert: { uuid: string }, reason: string): Promise<string> => {
  const [row] = await plant.query('select uuid from tocsin.reason where rule_uuid = $1 and reason = $2', [
    alert.uuid,
    reason,
  ]);
  return row.uuid;
};
async function linkReason(alert: { uuid: string }, reason: string, site: SiteRow, person?: UserRow): Promise<void> {
  const link = { ...own(), tocsin_reason_uuid: await reasonUuid(alert, reason), tocsin_site_uuid: site.uuid };
  if (person) await insertRow(plant.db, 'tocsin.user_reason', { ...link, tocsin_user_uuid: person.uuid });
  else await insertRow(plant.db, 'tocsin.site_reason', link);
}

describe('acknowledging', () => {
  test('takes one of the rule’s reasons, in any case, and stores who, when, reason and note', async () => {
    const { alarm } = await inAlarm({}, { reasons: ['Rain', 'Pump repaired'] });
    const browser = await plant.browser(anna);
    expect(await allowedReasons(browser, alarm.uuid)).toEqual(['Pump repaired', 'Rain']);
    expect((await acknowledge(browser, alarm.uuid, 'Nothing special')).refusal).toEqual({
      field: 'reason',
      message: 'Choose one of the reasons of this rule: Pump repaired, Rain.',
    });
    const { alarm: done } = await acknowledge(browser, alarm.uuid, 'rain', { acknowledgeText: 'Heavy' });
    expect(done).toMatchObject({
      reason: 'Rain',
      acknowledgeJson: { by: anna.uuid, name: 'Anna', reason: 'Rain', text: 'Heavy', channel: 'console' },
    });
    expect(new Date(done.acknowledgeJson.at)).toEqual(plant.clock.now());
  });

  test('takes only reasons that the links of the site and the person allow', async () => {
    const { alarm, alert, station } = await inAlarm({}, { reasons: ['Everywhere', 'Elsewhere', 'Here', 'Of Ben'] });
    const other = await plant.station();
    await linkReason(alert, 'Elsewhere', other.site);
    await linkReason(alert, 'Here', station.site);
    await linkReason(alert, 'Of Ben', station.site, ben);
    expect(await allowedReasons(await plant.browser(anna), alarm.uuid)).toEqual(['Everywhere', 'Here']);
    expect(await allowedReasons(await plant.browser(ben), alarm.uuid)).toEqual(['Everywhere', 'Here', 'Of Ben']);
    for (const reason of ['Elsewhere', 'Of Ben'])
      expect((await acknowledge(await plant.browser(anna), alarm.uuid, reason)).refusal?.message).toBe(
        'Choose one of the reasons of this rule: Everywhere, Here.',
      );
    expect((await acknowledge(await plant.browser(ben), alarm.uuid, 'Of Ben')).refusal).toBeUndefined();
  });

  test('is refused if the links leave a person no reason, even with free text', async () => {
    const { alarm, alert, station } = await inAlarm({}, { reasons: ['Of Ben'] });
    await linkReason(alert, 'Of Ben', station.site, ben);
    expect((await acknowledge(await plant.browser(anna), alarm.uuid, 'My own words')).refusal).toEqual({
      field: 'reason',
      message: 'None of the reasons of this rule is linked to you at this site. Ask a manager to link one.',
    });
  });

  test('takes free text if the rule has no reasons, but not an empty one', async () => {
    const { alarm } = await inAlarm();
    const browser = await plant.browser(anna);
    for (const nothing of ['', '   '])
      expect((await acknowledge(browser, alarm.uuid, nothing)).refusal).toMatchObject({ field: 'reason' });
    expect((await acknowledge(browser, alarm.uuid, 'A duck sat on the float')).alarm).toMatchObject({
      reason: 'A duck sat on the float',
    });
  });

  test('is final: the second is refused with the name of the first', async () => {
    const { alarm } = await inAlarm();
    await acknowledge(await plant.browser(anna), alarm.uuid, 'Rain');
    await plant.pass(60);
    for (const reason of ['Repair', 'Rain']) {
      const { refusal } = await acknowledge(await plant.browser(ben), alarm.uuid, reason);
      expect(refusal?.message).toMatch(/^Anna acknowledged this alarm first, on 2026-\d\d-\d\d \d\d:\d\d\.$/);
    }
    expect(await plant.alarms({ ...alarm, uuid: alarm.tocsin_site_uuid })).toMatchObject([{ reason: 'Rain' }]);
  });

  test('is possible after the alarm resolved by itself', async () => {
    const { alarm, station } = await inAlarm();
    await plant.pass(1);
    await plant.send(station, 50);
    expect(await plant.open(station.site)).toEqual([]);
    expect((await acknowledge(await plant.browser(anna), alarm.uuid, 'Rain')).alarm).toMatchObject({ reason: 'Rain' });
  });

  test('keeps the alarm open, and marks its messages with who and when', async () => {
    const { alarm, station } = await inAlarm({}, { alert: [anna, ben] });
    await plant.pass(60);
    await acknowledge(await plant.browser(anna), alarm.uuid, 'Rain');
    expect(await plant.open(station.site)).toHaveLength(1);
    const told = await plant.query(
      'select ack_time, ack_by_recipient_name from tocsin.notification where tocsin_alarm_uuid = $1',
      [alarm.uuid],
    );
    const mark = { ack_time: plant.clock.now(), ack_by_recipient_name: 'Anna' };
    expect(told).toEqual([mark, mark]);
  });

  test('is refused for people without access as if the alarm did not exist', async () => {
    const { alarm } = await inAlarm();
    const stranger = await plant.browser(await plant.person({ name: 'Stranger' }));
    expect((await acknowledge(stranger, alarm.uuid, 'Rain')).refusal?.message).toMatch(
      /record was deleted, or you are not allowed to change it/,
    );
  });
});

describe('resolving by hand', () => {
  test('stores who and why, notifies resolution recipients, and the alarm opens again while the value is outside', async () => {
    const { alarm, station, rule } = await inAlarm({ debounce: 0 }, { alert: [anna], resolve: [anna] });
    await plant.pass(60);
    const { alarm: done } = await resolve(await plant.browser(ben), alarm.uuid, 'Float freed.');
    expect(done).toMatchObject({ resolvedHow: 'person', resolveNote: 'Float freed.' });
    await plant.settle();
    expect(await plant.alarms(station.site)).toMatchObject([{ resolved_by: ben.uuid }]);
    expect((await plant.events(alarm.uuid)).at(-1)).toMatchObject({
      kind: 'resolved',
      sentence: 'Ben resolved the alarm: Float freed.',
    });
    const [, resolved] = await plant.messages(station.site);
    expect(resolved).toMatchObject({ person: 'Anna', kind: 'resolve', state: 'sent' });
    expect(resolved?.text).toMatch(/by Ben, Float freed. It was still out of limits. Last value 120( .+)?\.$/);
    expect((await plant.transitions(rule)).at(-1)).toMatchObject({ to_phase: 'normal', because: 'resolved-by-person' });
    await plant.pass(30);
    await plant.send(station, 121);
    await plant.settle();
    const [again, ...others] = await plant.open(station.site);
    expect(others).toEqual([]);
    expect(again.uuid).not.toBe(alarm.uuid);
    expect(
      (await plant.messages(station.site)).map(({ kind }) => kind),
      'and is told again',
    ).toEqual(['alarm', 'resolve', 'alarm']);
  });

  test('opens the next alarm only after the debounce', async () => {
    const { station } = await inAlarm({ debounce: 60 });
    await plant.pass(60);
    const [alarm] = await plant.open(station.site);
    await resolve(await plant.browser(ben), alarm.uuid);
    await plant.settle();
    await plant.send(station, 121);
    await plant.pass(59);
    expect(await plant.open(station.site)).toEqual([]);
    await plant.pass(1);
    expect(await plant.open(station.site)).toHaveLength(1);
  });

  test('is possible once', async () => {
    const { alarm } = await inAlarm();
    await resolve(await plant.browser(ben), alarm.uuid);
    expect((await resolve(await plant.browser(anna), alarm.uuid)).refusal?.message).toMatch(
      /^This alarm was already resolved on /,
    );
  });
});

test('handles many at once, each with its own result', async () => {
  const [first, second, third] = [await inAlarm(), await inAlarm({}, { reasons: ['Rain'] }), await inAlarm()];
  const foreign = await plant.station();
  await plant.rule(foreign);
  await plant.send(foreign, 120);
  const [hidden] = await plant.open(foreign.site);
  await acknowledge(await plant.browser(ben), third.alarm.uuid, 'Mine');
  const uuids = [first, second, third].map(({ alarm }) => alarm.uuid).concat(hidden.uuid);
  const browser = await plant.browser(anna);
  const results = await many(browser, 'acknowledge', uuids, { reason: 'Storm' });
  expect(results.map(({ tocsinAlarmUuid }) => tocsinAlarmUuid)).toEqual(uuids);
  expect(results.map(({ ok, sentence }) => (ok ? 'ok' : sentence))).toEqual([
    'ok',
    'Choose one of the reasons of this rule: Rain.',
    expect.stringMatching(/^Ben acknowledged this alarm first/),
    'The record was deleted, or you are not allowed to change it.',
  ]);
  const resolved = await many(browser, 'resolve', uuids, { note: 'Storm is over' });
  expect(resolved.map(({ ok }) => ok)).toEqual([true, true, true, false]);
  const again = await many(browser, 'resolve', uuids.slice(0, 1));
  expect(again).toMatchObject([{ ok: false, sentence: expect.stringMatching(/^This alarm was already resolved on/) }]);
  const { errors } = await browser.graphql('mutation { resolveAlarms(input: { uuids: [] }) { result { ok } } }');
  expect(errors?.[0]?.message).toBe('Select 1 to 500 alarms.');
});

describe('an alarm', () => {
  test('keeps the limits, samples, names, recipients and plan of its opening', async () => {
    const station = await plant.station({ name: 'Old mill' });
    const cleo = await plant.person({ name: 'Cleo' });
    const rule = await plant.rule(station, { name: 'High level', debounce: 60 });
    await plant.alert(
      station.site,
      'High level',
      { alert: [anna], resolve: [ben], escalate: [cleo] },
      { escalate_minutes: 30 },
    );
    await plant.frame(station, [
      [120, 50],
      [60, 110],
      [0, 120],
    ]);
    await plant.query(`update tocsin.site set name = 'New mill' where uuid = $1`, [station.site.uuid]);
    await plant.query('update tocsin.rule set value_upper = 105 where uuid = $1', [rule.uuid]);
    await plant.query('delete from tocsin.rule_escalate_user where tocsin_user_uuid = $1', [cleo.uuid]);
    await plant.settle();
    const [alarm] = await plant.alarms(station.site);
    expect(alarm).toMatchObject({
      site_name: 'Old mill',
      datapoint_name: 'Level',
      rule_version: 1,
      criteria: { upper: 100, debounce: 60 },
      plan: { afterMinutes: 30, everyMinutes: 15, times: 3, people: [cleo.uuid] },
    });
    expect(alarm.samples.map(({ value }: { value: number }) => value)).toEqual([50, 110, 120]);
    const { recipients } = alarm;
    expect([recipients.alert, recipients.resolve, recipients.escalate].map(([person]) => person.name)).toEqual([
      'Anna',
      'Ben',
      'Cleo',
    ]);
  });

  test('has its whole timeline for everybody who sees it', async () => {
    const { alarm, station } = await inAlarm({ debounce: 0 }, { alert: [anna] });
    await plant.pass(10);
    await acknowledge(await plant.browser(anna), alarm.uuid, 'Rain');
    await plant.pass(10);
    await plant.send(station, 50);
    const browser = await plant.browser(ben);
    const { alarm: seen } = await browser.data(
      'query ($u: UUID!) { alarm(uuid: $u) { alarmEvents { nodes { kind sentence } } notifications { nodes { recipientName state } } } }',
      { u: alarm.uuid },
    );
    expect(seen.alarmEvents.nodes).toEqual([
      { kind: 'opened', sentence: 'Level was 120.' },
      { kind: 'acknowledged', sentence: 'Anna acknowledged the alarm: Rain.' },
      { kind: 'resolved', sentence: 'Returned to normal.' },
    ]);
    expect(seen.notifications.nodes).toEqual([{ recipientName: 'Anna', state: 'sent' }]);
  });
});
