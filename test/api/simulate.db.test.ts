/** Simulations of rules by users with different access rights. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertRow, type UserRow } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import type { Plant, Station } from '../scenarios/plant.ts';
import { DAY, HOUR, MINUTE } from './chart.ts';
import { iso, keep, startRulePlant } from './rule-plant.ts';

let plant: Plant;
let manager: TestBrowser;
let strangers: Record<string, TestBrowser>;
beforeAll(async () => {
  ({ plant, manager, strangers } = await startRulePlant());
});
afterAll(() => plant?.close());

const simulateRule = `query ($input: SimulateRuleInput!, $first: Int) { simulateRule(input: $input) {
  from to readings lateReadings alarmCount alarmsPerDay chattering messages notes missedCount
  alarms(first: $first) { since openedAt resolvedAt peak } missed { alarmUuid message ruleName openedAt resolvedAt reason } } }`;

const now = () => plant.app.clock.now().getTime();

describe('simulateRule', () => {
  const start = () => now() - 10 * DAY;

  /** Creates a station whose value is outside the limits for five minutes at every full hour, for ten days. */
  async function hourly(): Promise<Station> {
    const station = await plant.station();
    const readings = Array.from({ length: 10 * 24 * 12 }, (_, index) => ({
      time: start() + index * 5 * MINUTE,
      value: index % 12 === 0 ? 120 + (index % 5) : 50,
    }));
    await keep(plant, station, readings);
    return station;
  }

  const ask = async (values: Record<string, unknown>, browser = manager, first?: number) =>
    (await browser.data(simulateRule, { input: values, first })).simulateRule;
  const draftOf = (station: Station) => ({
    datapointUuid: station.datapointUuid,
    from: iso(start()),
    to: iso(start() + 10 * DAY),
    valueUpper: 100,
  });

  test('returns alarms, alarms a day, chattering and the first alarms', async () => {
    const station = await hourly();
    const result = await ask({ ...draftOf(station), debounce: 60 }, manager, 2);
    expect(result).toMatchObject({ readings: 2880, lateReadings: 0, alarmCount: 240, alarmsPerDay: 24, chattering: 0 });
    expect(result.alarms).toEqual([
      {
        since: iso(start()),
        openedAt: iso(start() + MINUTE),
        resolvedAt: iso(start() + 6 * MINUTE),
        peak: 120,
      },
      {
        since: iso(start() + HOUR),
        openedAt: iso(start() + HOUR + MINUTE),
        resolvedAt: iso(start() + HOUR + 6 * MINUTE),
        peak: 122,
      },
    ]);
    expect((await ask(draftOf(station))).alarms).toHaveLength(100);
    expect((await ask({ ...draftOf(station), debounce: 301 })).alarmCount).toBe(0);
    expect((await ask({ ...draftOf(station), debounce: 300 })).alarmCount).toBe(240);
    const flutter = await plant.station();
    await keep(
      plant,
      flutter,
      Array.from({ length: 20 }, (_, index) => ({ time: start() + index * MINUTE, value: index % 2 === 0 ? 120 : 50 })),
    );
    expect(await ask(draftOf(flutter))).toMatchObject({ alarmCount: 10, chattering: 9 });
    expect(await ask({ ...draftOf(flutter), clearUpper: 40 })).toMatchObject({ alarmCount: 1, chattering: 0 });
  });

  test('returns messages by the rule alert, and acknowledged alarms that the draft would have missed', async () => {
    const station = await hourly();
    const anna = await plant.person({
      name: 'Anna Told',
      flags: { sms_notification: true, phone_number: '+442079460123' },
    });
    const owner = await plant.person({ level: 0, name: 'Olga Owner' });
    await plant.alert(station.site, 'High level', { alert: [anna, owner], resolve: [anna] });
    const past = (from: number, values: Record<string, unknown> = {}) =>
      insertRow(plant.app.db, 'tocsin.alarm', {
        tocsin_customer_uuid: plant.customer.uuid,
        tocsin_site_uuid: station.site.uuid,
        tocsin_datapoint_uuid: station.datapointUuid,
        site_name: station.site.name,
        rule_name: 'High level',
        message: 'High level',
        source: 'limits',
        date_time: iso(from),
        resolved_date: iso(from + MINUTE),
        reason: 'Pump blocked',
        acknowledge_json: JSON.stringify({ name: 'Anna', at: iso(from) }),
        ...values,
      });
    const caught = await past(start() + 3 * HOUR + 2 * MINUTE);
    const missed = await past(start() + 3 * HOUR + 30 * MINUTE);
    const otherRule = await past(start() + 5 * HOUR + 30 * MINUTE, { rule_name: 'Low level' });
    await past(start() + 4 * HOUR + 30 * MINUTE, { acknowledge_json: null, reason: null });
    const draft = { ...draftOf(station), debounce: 60 };
    const named = await ask({ ...draft, ruleName: 'High level' });
    // Each opening notifies Anna by e-mail and SMS, and the owner by one method that the manager is not allowed to see.
    // Each resolution notifies Anna again.
    expect(named.messages).toBe(240 * 3 + 240 * 2);
    expect(named.notes).toEqual([
      'You cannot see the notification methods of one recipient, so one message is counted for this recipient.',
    ]);
    expect(named.missed).toEqual([
      expect.objectContaining({ alarmUuid: missed.uuid, ruleName: 'High level', reason: 'Pump blocked' }),
    ]);
    // The draft has a different name from its stored rule. The simulation must still use the missed alarms and the
    // recipients of the stored rule.
    const rule = await plant.rule(station, { name: 'High level' });
    const own = await past(start() + 7 * HOUR + 30 * MINUTE, { rule_name: 'Level', rule_uuid: rule.uuid });
    const renamed = await ask({ ...draft, ruleName: 'Level of today', ruleUuid: rule.uuid });
    expect(renamed.missed.map(({ alarmUuid }: any) => alarmUuid)).toEqual([missed.uuid, own.uuid]);
    expect(renamed.messages).toBe(named.messages);
    const other = await plant.rule(station, { name: 'High level' });
    expect((await ask({ ...draft, ruleName: 'Level of today', ruleUuid: rule.uuid })).messages).toBe(0);
    await plant.query('delete from tocsin.rule where uuid = $1', [other.uuid]);
    const all = await ask(draft);
    expect(all.missed.map(({ alarmUuid }: any) => alarmUuid)).toEqual([missed.uuid, otherRule.uuid, own.uuid]);
    expect(all.messages).toBe(0);
    expect(all.notes).toEqual(['No rule name was entered, so the recipients are unknown.']);
    // An empty rule name is treated like a missing name.
    expect((await ask({ ...draft, ruleName: '', ruleUuid: rule.uuid })).notes).toEqual(all.notes);
    const blind = await ask({ ...draft, valueUpper: 1000 });
    expect(blind.missed.map(({ alarmUuid }: any) => alarmUuid)).toContain(caught.uuid);
  });

  test('says that a simulation ignores the SMS budget', async () => {
    const station = await hourly();
    const byMail = await plant.person();
    const bySms = await plant.person({ flags: { sms_notification: true, phone_number: '+44 7700 900001' } });
    await plant.alert(station.site, 'By mail', { alert: [byMail] });
    await plant.alert(station.site, 'By SMS', { alert: [bySms] });
    const notesOf = async (ruleName: string) => (await ask({ ...draftOf(station), debounce: 60, ruleName })).notes;
    expect(await notesOf('By SMS')).toEqual([]);
    const change = 'update tocsin.customer set sms_month_budget = $2 where uuid = $1';
    await plant.query(change, [plant.customer.uuid, 100]);
    expect(await notesOf('By SMS')).toEqual([
      expect.stringContaining('The simulation ignores it and counts every SMS.'),
    ]);
    expect(await notesOf('By mail')).toEqual([]);
    await plant.query(change, [plant.customer.uuid, null]);
  });

  test('suppresses a repeat within ten minutes for people who do not get the resolution', async () => {
    const station = await plant.station();
    const anna = await plant.person({ name: 'Anna Told' });
    const ben = await plant.person({ name: 'Ben Told' });
    await plant.alert(station.site, 'High level', { alert: [anna, ben], resolve: [anna] });
    await keep(
      plant,
      station,
      Array.from({ length: 16 }, (_, index) => ({ time: start() + index * MINUTE, value: index % 2 === 0 ? 120 : 50 })),
    );
    const { alarmCount, messages } = await ask({ ...draftOf(station), ruleName: 'High level' });
    // The rule opens eight alarms at intervals of two minutes. Anna is notified of each opening and resolution. Ben is
    // notified of the first and the sixth opening.
    expect([alarmCount, messages]).toEqual([8, 8 + 8 + 2]);
  });

  test('ignores readings that arrived after newer ones, and the future', async () => {
    const station = await plant.station();
    const at = (minutes: number) => start() + minutes * MINUTE;
    await keep(plant, station, [
      { time: at(0), value: 50 },
      { time: at(10), value: 120, arrived: at(40) },
      { time: at(20), value: 50, arrived: at(20) },
      { time: at(30), value: 120, arrived: at(30) },
    ]);
    const result = await ask({ ...draftOf(station), to: iso(now() + 5 * DAY), debounce: 60 });
    expect(result).toMatchObject({ readings: 3, lateReadings: 1, alarmCount: 1, to: iso(now()) });
    expect(result.alarms[0]).toMatchObject({ since: iso(at(30)), resolvedAt: null });
  });

  test('derives the initial state from earlier readings', async () => {
    const station = await plant.station();
    await keep(plant, station, [
      { time: start() - HOUR, value: 120 },
      { time: start() + HOUR, value: 121 },
      { time: start() + 2 * HOUR, value: 50 },
      { time: start() + 3 * HOUR, value: 122 },
    ]);
    const result = await ask({ ...draftOf(station), debounce: 60 });
    expect(result.alarms.map(({ openedAt }: any) => openedAt)).toEqual([iso(start() + 3 * HOUR + MINUTE)]);
    expect(result.readings).toBe(3);
  });

  test('refuses an invalid draft or range with a message at its field', async () => {
    const station = await hourly();
    const draft = draftOf(station);
    const refused = async (values: Record<string, unknown>) => {
      const { errors } = await manager.graphql(simulateRule, { input: { ...draft, ...values } });
      return [errors?.[0]?.extensions?.code, errors?.[0]?.extensions?.field, errors?.[0]?.message];
    };
    const bad = 'BAD_USER_INPUT';
    expect(await refused({ valueUpper: null })).toEqual([
      bad,
      'valueUpper',
      'Enter a lower limit, an upper limit or both.',
    ]);
    expect((await refused({ valueLower: 100 })).slice(0, 2)).toEqual([bad, 'valueUpper']);
    expect((await refused({ valueUpper: 1e305 })).slice(0, 2)).toEqual([bad, 'valueUpper']);
    expect((await refused({ clearUpper: 101 })).slice(0, 2)).toEqual([bad, 'clearUpper']);
    expect((await refused({ clearLower: 1 })).slice(0, 2)).toEqual([bad, 'clearLower']);
    expect((await refused({ debounce: -1 })).slice(0, 2)).toEqual([bad, 'debounce']);
    expect((await refused({ debounce: 604_801 })).slice(0, 2)).toEqual([bad, 'debounce']);
    expect(await refused({ from: 'yesterday' })).toEqual([
      bad,
      'from',
      '"yesterday" is not a time. Write it like 2026-03-02T07:00:00Z.',
    ]);
    expect((await refused({ to: draft.from })).slice(0, 2)).toEqual([bad, 'to']);
    expect(await refused({ from: iso(now() - 401 * DAY), to: iso(now()) })).toEqual([
      bad,
      'from',
      'The range can cover at most 400 days. Choose a later start.',
    ]);
    expect((await refused({ from: iso(now() + DAY), to: iso(now() + 2 * DAY) })).slice(0, 2)).toEqual([bad, 'from']);
    expect((await refused({ datapointUuid: 'x' }))[2]).toContain('is not a uuid');
    const { errors } = await manager.graphql(simulateRule, { input: draft, first: 501 });
    expect(errors?.[0]?.message).toContain('from 0 to 500');
  });

  test('refuses a missing or inaccessible rule; a rule of another data point is simulated on the given data point', async () => {
    const station = await plant.station();
    const elsewhere = await plant.rule(await plant.station(), { name: 'High level' });
    const gone = '00000000-0000-4000-8000-000000000000';
    const operator = await plant.browser(await plant.person({ site: station.site }));
    for (const [browser, ruleUuid] of [
      [manager, gone],
      [operator, elsewhere.uuid],
    ] as const) {
      const { errors } = await browser.graphql(simulateRule, { input: { ...draftOf(station), ruleUuid } });
      expect(errors?.[0]).toMatchObject({
        message:
          'This rule was deleted, or you do not have access to it. Omit ruleUuid to match past alarms by ruleName.',
        extensions: { code: 'BAD_USER_INPUT', field: 'ruleUuid' },
      });
    }
    // A draft without a name uses the stored rule's name.
    expect(await ask({ ...draftOf(station), ruleName: null, ruleUuid: elsewhere.uuid })).toMatchObject({
      missedCount: 0,
      notes: ['Nobody is notified: this site has no rule alert for "High level".'],
    });
    expect(await ask({ ...draftOf(station), ruleName: 'Other', ruleUuid: elsewhere.uuid })).toMatchObject({
      notes: ['Nobody is notified: this site has no rule alert for "Other".'],
    });
  });

  test('is allowed only for users who see the data point', async () => {
    const station = await hourly();
    const operator: UserRow = await plant.person({ site: station.site });
    expect((await ask(draftOf(station), await plant.browser(operator))).alarmCount).toBe(240);
    for (const [who, browser] of Object.entries(strangers)) {
      const { data, errors } = await browser.graphql(simulateRule, { input: draftOf(station) });
      expect(data, who).toEqual({ simulateRule: null });
      expect(errors?.[0]?.extensions, who).toEqual({ code: 'BAD_USER_INPUT', field: 'datapointUuid' });
    }
  });
});
