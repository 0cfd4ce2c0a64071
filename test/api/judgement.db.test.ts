/** Why an alarm fired, why a rule did not, and what a rule would have done: asked for as different people. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestBrowser } from '../harness/app.ts';
import { PASSWORD } from '../harness/app.ts';
import { createCustomer, createUser, insertRow, serviceQuery, type UserRow } from '../harness/factories.ts';
import { Plant, type Station } from '../scenarios/plant.ts';
import { DAY, HOUR, keyOf, MINUTE, type Reading, store } from './chart.ts';

let plant: Plant;
let manager: TestBrowser;
let strangers: Record<string, TestBrowser>;

beforeAll(async () => {
  plant = await Plant.start();
  manager = await plant.browser(await plant.person({ level: 5, name: 'Mia Manager' }));
  const elsewhere = await plant.station({ name: 'Elsewhere' });
  const other = await createCustomer(plant.app.db);
  const partner = await createUser(plant.app.db, {
    customer: plant.customer,
    level: 5,
    partnerAccount: true,
    password: PASSWORD,
  });
  strangers = {
    'an operator of another site': await plant.browser(await plant.person({ site: elsewhere.site })),
    'a partner account': await plant.browser(partner),
    'the owner of another customer': await plant.browser(
      await createUser(plant.app.db, { customer: other, level: 0, password: PASSWORD }),
    ),
  };
});
afterAll(() => plant?.close());

const explainAlarm = `query ($uuid: UUID!) { explainAlarm(uuid: $uuid) {
  alarmUuid message because sentence pendingSince openedAt recordedAt value unit occurrences notes mustAcknowledge
  judgedBy { kind ruleUuid ruleName version versionNow valueLower valueUpper clearLower clearUpper debounce alarmState words silentHours }
  samples { at value out } transitions { at noticedAt from to because value version alarmUuid }
  stages { name held { sentence because userUuid } }
  recipients { userUuid name told ways { methodType address } notTold { methodType because sentence } }
  escalation { afterMinutes everyMinutes times people step nextAt }
  messages { name address methodType kind state attempts queuedAt sentAt provider providerAnswer text }
  timeline { at kind sentence because } } }`;

const explainRule = `query ($ruleUuid: UUID!, $from: Datetime!, $to: Datetime!) {
  explainRule(ruleUuid: $ruleUuid, from: $from, to: $to) { kind ruleName deleted because sentence from to readings lateReadings
    transitionCount transitions { at from to because value version alarmUuid } alarms { alarmUuid message openedAt resolvedAt }
    versions { version from to enabled valueLower valueUpper clearLower debounce words because sentence readings lateReadings
      wouldHaveOpened { since openedAt resolvedAt peak } } } }`;

const simulateRule = `query ($input: SimulateRuleInput!, $first: Int) { simulateRule(input: $input) {
  from to readings lateReadings alarmCount alarmsPerDay chattering messages notes missedCount
  alarms(first: $first) { since openedAt resolvedAt peak } missed { alarmUuid message ruleName openedAt resolvedAt reason } } }`;

/** A rule that was made at this moment of the turned clock. */
async function makeRule(station: Station, columns: Record<string, unknown> = {}) {
  const rule = await plant.rule(station, { ...columns, created_at: iso(now()) });
  await asClock('update tocsin.rule_version set created_at = tocsin_private.clock() where rule_uuid = $1', [rule.uuid]);
  return rule;
}

const iso = (ms: number) => new Date(ms).toISOString();
const now = () => plant.app.clock.now().getTime();
const ago = (ms: number) => iso(now() - ms);

async function whyRule(ruleUuid: string, from: string, to: string, browser = manager) {
  return (await browser.data(explainRule, { ruleUuid, from, to })).explainRule;
}

/** Stores readings as if they had come in at their time, without judging them. */
async function keep(station: Station, readings: readonly (Partial<Reading> & { time: number; value: number })[]) {
  const times = readings.map(({ time }) => time);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  await plant.app.db.migration((tx) =>
    tx.query('call tocsin_private.ensure_partitions($1::timestamptz, $2::timestamptz)', [iso(first), iso(last)]),
  );
  const key = await keyOf(plant.app.db, station.sensor.channels[0] as { uuid: string });
  await store(
    plant.app.db,
    key,
    readings.map((reading) => ({ arrived: reading.time, ...reading })),
  );
}

async function openOne(values: Record<string, unknown> = {}, tellEnd = true) {
  const station = await plant.station();
  const anna = await plant.person({ name: 'Anna Operator', site: station.site });
  const bob = await plant.person({
    name: 'Bob Nophone',
    flags: { sms_notification: true, email_notification: false, phone_number: '' },
  });
  const eve = await plant.person({ name: 'Eve Escalated' });
  const rule = await makeRule(station, { name: 'High level', debounce: 60, ...values });
  await plant.alert(station.site, 'High level', {
    alert: [anna, bob],
    resolve: tellEnd ? [anna] : [],
    escalate: [eve],
  });
  await plant.send(station, 50);
  await plant.pass(60);
  const since = now();
  await plant.send(station, 120);
  await plant.pass(60);
  const [alarm] = await plant.open(station.site);
  return { station, anna, bob, eve, rule, alarm, since };
}

describe('explainAlarm', () => {
  test('says by which version and limits, from which samples, since when, whom it reached and whom not', async () => {
    const { rule, alarm, anna, bob, eve, since } = await openOne();
    const { explainAlarm: why } = await manager.data(explainAlarm, { uuid: alarm.uuid });
    expect(why).toMatchObject({
      alarmUuid: alarm.uuid,
      message: 'High level',
      because: 'above-upper',
      pendingSince: iso(since),
      openedAt: iso(since + MINUTE),
      value: 120,
      mustAcknowledge: true,
      judgedBy: {
        kind: 'limits',
        ruleUuid: rule.uuid,
        ruleName: 'High level',
        version: 1,
        versionNow: 1,
        valueLower: null,
        valueUpper: 100,
        debounce: 60,
      },
      escalation: { afterMinutes: 15, everyMinutes: 15, times: 3, people: 1, step: 0 },
    });
    expect(why.sentence).toBe(
      'Level was 120. By version 1 of the rule "High level" the alarm is above 100. It stayed so for 1 minute, as long as the rule waits.',
    );
    expect(why.samples).toEqual([
      { at: iso(since - MINUTE), value: 50, out: false },
      { at: iso(since), value: 120, out: true },
    ]);
    expect(why.transitions.map(({ from, to, because }: any) => [from, to, because])).toEqual([
      ['normal', 'pending', 'above-upper'],
      ['pending', 'open', 'stayed-out'],
    ]);
    expect(why.transitions.map(({ alarmUuid }: any) => alarmUuid)).toEqual([null, alarm.uuid]);
    expect(why.recipients.map(({ userUuid, told }: any) => [userUuid, told])).toEqual(
      expect.arrayContaining([
        [anna.uuid, 'when-it-opens'],
        [bob.uuid, 'when-it-opens'],
        [eve.uuid, 'when-nobody-acknowledges'],
        [anna.uuid, 'when-it-resolves'],
      ]),
    );
    const bobs = why.recipients.find(({ userUuid }: any) => userUuid === bob.uuid);
    expect(bobs.ways).toEqual([]);
    expect(bobs.notTold).toEqual([{ methodType: 3, because: 'no-address', sentence: expect.stringContaining('Bob') }]);
    expect(why.messages).toEqual([
      expect.objectContaining({
        name: 'Anna Operator',
        address: anna.email,
        methodType: 1,
        kind: 'alarm',
        state: 'sent',
      }),
    ]);
    expect(why.stages.map(({ name }: any) => name)).toEqual(['once', 'repeat']);
    expect(why.timeline.map(({ kind }: any) => kind)).toContain('opened');
  });

  test('what was changed on the rule since then does not change what it was judged by', async () => {
    const { rule, alarm } = await openOne();
    await serviceQuery(plant.app.db, 'update tocsin.rule set value_upper = 110 where uuid = $1', [rule.uuid]);
    const { explainAlarm: why } = await manager.data(explainAlarm, { uuid: alarm.uuid });
    expect(why.judgedBy).toMatchObject({ version: 1, versionNow: 2, valueUpper: 100 });
  });

  test('a message that was held back says by which stage', async () => {
    const { station, anna, alarm } = await openOne({ debounce: 0 }, false);
    // Back inside and out again at once: a new alarm with the same words, within ten minutes.
    await plant.send(station, 50);
    await plant.settle();
    await plant.pass(60);
    await plant.send(station, 120);
    await plant.settle();
    const [again] = await plant.open(station.site);
    expect(again.uuid).not.toBe(alarm.uuid);
    const { explainAlarm: why } = await manager.data(explainAlarm, { uuid: again.uuid });
    const repeat = why.stages.find(({ name }: any) => name === 'repeat');
    expect(repeat.held).toEqual([{ sentence: expect.any(String), because: 'said-before', userUuid: anna.uuid }]);
    expect(why.messages.filter(({ kind }: any) => kind === 'alarm')).toEqual([]);
  });

  test('a digital channel and what a person reported are explained too', async () => {
    const pump = await plant.station({
      sensorType: 1,
      channels: [{ name: 'Pump', channel_alarm_condition: 1, channel_low_text: 'off', channel_high_text: 'failed' }],
    });
    await plant.send(pump, 0);
    await plant.pass(1);
    await plant.send(pump, 1);
    const [failed] = await plant.open(pump.site);
    const { explainAlarm: digital } = await manager.data(explainAlarm, { uuid: failed.uuid });
    expect(digital).toMatchObject({
      because: 'alarm-state',
      sentence: 'Pump was in its alarm state, failed.',
      judgedBy: { kind: 'digital', alarmState: 'high' },
      samples: [
        { value: 0, out: false },
        { value: 1, out: true },
      ],
    });
    const { alarm: reported } = (
      await manager.data(
        'mutation ($site: UUID!) { createAlarm(input: { alarm: { tocsinSiteUuid: $site, message: "Smell of gas" } }) { alarm { uuid } } }',
        { site: pump.site.uuid },
      )
    ).createAlarm;
    const { explainAlarm: person } = await manager.data(explainAlarm, { uuid: reported.uuid });
    expect(person).toMatchObject({ because: 'reported', sentence: 'A person reported it.', samples: [], messages: [] });
  });

  test('nobody sees the alarm of a site that is not theirs, and the operator of the site does', async () => {
    const { alarm, anna, rule } = await openOne();
    const asAnna = await plant.browser(anna);
    const { explainAlarm: seen } = await asAnna.data(explainAlarm, { uuid: alarm.uuid });
    expect(seen.messages).toHaveLength(1);
    expect((await whyRule(rule.uuid, ago(HOUR), ago(0), asAnna)).because).toBe('opened');
    for (const [who, browser] of Object.entries(strangers)) {
      const { explainAlarm: hidden } = await browser.data(explainAlarm, { uuid: alarm.uuid });
      expect(hidden, who).toBeNull();
      expect(await whyRule(rule.uuid, ago(HOUR), ago(0), browser), who).toBeNull();
    }
  });
});

describe('explainRule', () => {
  test('it opened: with the alarm and every step', async () => {
    const { rule, alarm } = await openOne();
    const why = await whyRule(rule.uuid, ago(HOUR), ago(0));
    expect(why).toMatchObject({
      kind: 'limits',
      ruleName: 'High level',
      because: 'opened',
      sentence: 'It opened an alarm.',
      readings: 2,
      transitionCount: 2,
      alarms: [{ alarmUuid: alarm.uuid, message: 'High level', resolvedAt: null }],
      versions: [
        {
          version: 1,
          enabled: true,
          valueUpper: 100,
          debounce: 60,
          because: 'opened',
          sentence: 'It opened an alarm.',
        },
      ],
    });
    // Later it is still open, and nothing new opened.
    await plant.pass(3600);
    expect(await whyRule(rule.uuid, ago(HOUR / 2), ago(0))).toMatchObject({ because: 'already-open' });
  });

  test('never out, out for too short, and no readings', async () => {
    const station = await plant.station();
    const rule = await makeRule(station, { debounce: 60 });
    await plant.send(station, 50);
    await plant.pass(600);
    await plant.send(station, 90);
    await plant.pass(600);
    const never = await whyRule(rule.uuid, ago(HOUR), ago(0));
    expect(never).toMatchObject({ because: 'never-out', readings: 2, transitionCount: 0 });
    expect(never.sentence).toContain('90');
    const quiet = ago(0);
    await plant.send(station, 120);
    await plant.pass(40);
    await plant.send(station, 60);
    await plant.pass(600);
    const short = await whyRule(rule.uuid, quiet, ago(0));
    expect(short).toMatchObject({
      because: 'too-short',
      sentence: 'The longest time out was 40 seconds, and the rule waits for 1 minute.',
      transitions: [{ because: 'above-upper' }, { because: 'back-before-debounce' }],
    });
    expect((await whyRule(rule.uuid, ago(300_000), ago(60_000))).because).toBe('no-readings');
  });

  test('disabled, deleted, and not made yet', async () => {
    const station = await plant.station();
    const early = ago(0);
    await plant.pass(600);
    const rule = await makeRule(station, { enabled: false });
    await plant.send(station, 120);
    await plant.pass(600);
    const off = await whyRule(rule.uuid, early, ago(0));
    expect(off).toMatchObject({ because: 'disabled', sentence: 'The rule was disabled.' });
    expect(await whyRule(rule.uuid, early, iso(Date.parse(early) + MINUTE))).toMatchObject({ because: 'not-made-yet' });
    await serviceQuery(plant.app.db, 'delete from tocsin.rule where uuid = $1', [rule.uuid]);
    expect(await whyRule(rule.uuid, early, ago(0))).toMatchObject({
      because: 'disabled',
      deleted: true,
      sentence: 'The rule was disabled. The rule has been deleted since.',
    });
  });

  test('every version answers for its own time', async () => {
    const station = await plant.station();
    const rule = await makeRule(station, { value_upper: 200 });
    const begin = ago(0);
    await plant.send(station, 120);
    await plant.pass(600);
    await asClock('update tocsin.rule set value_upper = 100 where uuid = $1', [rule.uuid]);
    await plant.settle();
    await plant.pass(1);
    await plant.send(station, 121);
    await plant.pass(60);
    const why = await whyRule(rule.uuid, begin, ago(0));
    expect(why.because).toBe('opened');
    expect(why.versions.map(({ version, valueUpper, because }: any) => [version, valueUpper, because])).toEqual([
      [1, 200, 'never-out'],
      [2, 100, 'opened'],
    ]);
    expect(why.versions[0].to).toBe(why.versions[1].from);
  });

  test('a sensor in maintenance or disabled says so, and readings that came late too', async () => {
    const station = await plant.station({ columns: { status: 2, updated_at: iso(now()) } });
    const rule = await makeRule(station);
    await plant.send(station, 120);
    await plant.pass(60);
    const resting = await whyRule(rule.uuid, ago(HOUR), ago(0));
    expect(resting).toMatchObject({ because: 'sensor-in-maintenance', transitionCount: 0 });
    expect(resting.sentence).toContain(station.sensor.uid);
    await asClock('update tocsin.sensor set status = 0 where uuid = $1', [station.sensor.uuid]);
    await plant.pass(60);
    expect((await whyRule(rule.uuid, ago(HOUR), ago(0))).because).toBe('sensor-disabled');

    const late = await plant.station();
    const lateRule = await makeRule(late);
    await plant.pass(3600);
    await plant.send(late, 50);
    await plant.pass(60);
    await plant.send(late, 150, 1800);
    await plant.pass(60);
    expect(await plant.open(late.site)).toEqual([]);
    expect(await whyRule(lateRule.uuid, ago(HOUR), ago(20 * MINUTE))).toMatchObject({
      because: 'only-late-readings',
      readings: 0,
      lateReadings: 1,
    });
    const unjudged = await plant.station();
    const unjudgedRule = await makeRule(unjudged);
    await plant.pass(60);
    await keep(unjudged, [{ time: now() - 30_000, value: 130 }]);
    const why = await whyRule(unjudgedRule.uuid, ago(MINUTE), ago(0));
    expect(why).toMatchObject({ because: 'would-have-opened', alarms: [] });
    expect(why.sentence).toContain('Nothing of it is on record');

    // What an older version says is about that version, not about the one that is in force.
    await asClock('update tocsin.rule set value_upper = 200 where uuid = $1', [unjudgedRule.uuid]);
    await plant.pass(60);
    const later = await whyRule(unjudgedRule.uuid, ago(2 * MINUTE), ago(0));
    expect(later.versions.map(({ version, sentence }: any) => [version, sentence])).toEqual([
      [1, 'It would have opened an alarm.'],
      [2, 'No readings arrived in this time.'],
    ]);
  });

  test('conditions and digital channels are explained like rules', async () => {
    const station = await plant.station({ channels: [{ name: 'Level' }, { name: 'Flow' }] });
    const [level, flow] = station.sensor.channels.map(({ datapointUuid }) => datapointUuid);
    const conditions = {
      all: [
        { fact: level, operator: 'greaterThan', value: 100 },
        { fact: flow, operator: 'lessThan', value: 5 },
      ],
    };
    const ruleJson = { conditions, event: { type: 'alarm', params: { debounce: 60 } } };
    const rule = await insertRow(plant.app.db, 'tocsin.rules_json', {
      tocsin_customer_uuid: plant.customer.uuid,
      rule_name: 'Blocked',
      site_id: station.site.site_id,
      rule_json: JSON.stringify(ruleJson),
      created_at: iso(now()),
    });
    const begin = ago(0);
    await plant.send(station, 120);
    await plant.pass(10);
    await plant.send(station, 2, 0, 2);
    await plant.pass(30);
    await plant.send(station, 20, 0, 2);
    await plant.pass(60);
    const why = await whyRule(rule.uuid, begin, ago(0));
    expect(why).toMatchObject({
      kind: 'conditions',
      because: 'too-short',
      sentence: 'The longest time out was 30 seconds, and the rule waits for 1 minute.',
      readings: 3,
      versions: [{ debounce: 60, words: expect.stringContaining('100') }],
    });
    const pump = await plant.station({ sensorType: 1, channels: [{ name: 'Pump', channel_alarm_condition: 1 }] });
    await asClock('update tocsin.asset_datapoint set created_at = tocsin_private.clock() where uuid = $1', [
      pump.datapointUuid,
    ]);
    await plant.send(pump, 0);
    await plant.pass(60);
    expect(await whyRule(pump.datapointUuid, ago(HOUR), ago(0))).toMatchObject({
      kind: 'digital',
      because: 'never-out',
    });
  });
});

describe('simulateRule', () => {
  const start = () => now() - 10 * DAY;

  /** Out for five minutes at every full hour, of ten days. */
  async function hourly(): Promise<Station> {
    const station = await plant.station();
    const readings = Array.from({ length: 10 * 24 * 12 }, (_, index) => ({
      time: start() + index * 5 * MINUTE,
      value: index % 12 === 0 ? 120 + (index % 5) : 50,
    }));
    await keep(station, readings);
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

  test('alarms, alarms a day, chattering and the first of them', async () => {
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
      flutter,
      Array.from({ length: 20 }, (_, index) => ({ time: start() + index * MINUTE, value: index % 2 === 0 ? 120 : 50 })),
    );
    expect(await ask(draftOf(flutter))).toMatchObject({ alarmCount: 10, chattering: 9 });
    expect(await ask({ ...draftOf(flutter), clearUpper: 40 })).toMatchObject({ alarmCount: 1, chattering: 0 });
  });

  test('messages by the rule alert, and the acknowledged alarms it would have missed', async () => {
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
    // Anna by e-mail and SMS, the owner by one way that a manager may not see; Anna again when it is over.
    expect(named.messages).toBe(240 * 3 + 240 * 2);
    expect(named.notes).toEqual([
      'You may not see how 1 person of the rule alert would be told, so one message is counted for each.',
    ]);
    expect(named.missed).toEqual([
      expect.objectContaining({ alarmUuid: missed.uuid, ruleName: 'High level', reason: 'Pump blocked' }),
    ]);
    const all = await ask(draft);
    expect(all.missed.map(({ alarmUuid }: any) => alarmUuid)).toEqual([missed.uuid, otherRule.uuid]);
    expect(all.messages).toBe(0);
    expect(all.notes).toEqual(['No rule name was given, so it is not known who would have been told.']);
    const blind = await ask({ ...draft, valueUpper: 1000 });
    expect(blind.missed.map(({ alarmUuid }: any) => alarmUuid)).toContain(caught.uuid);
  });

  test('who is not told when it ends is not told again within ten minutes', async () => {
    const station = await plant.station();
    const anna = await plant.person({ name: 'Anna Told' });
    const ben = await plant.person({ name: 'Ben Told' });
    await plant.alert(station.site, 'High level', { alert: [anna, ben], resolve: [anna] });
    await keep(
      station,
      Array.from({ length: 16 }, (_, index) => ({ time: start() + index * MINUTE, value: index % 2 === 0 ? 120 : 50 })),
    );
    const { alarmCount, messages } = await ask({ ...draftOf(station), ruleName: 'High level' });
    // Eight alarms, two minutes apart: Anna hears of each and of its end, Ben of the first and of the sixth.
    expect([alarmCount, messages]).toEqual([8, 8 + 8 + 2]);
  });

  test('what arrived after newer readings is left out, and the future too', async () => {
    const station = await plant.station();
    const at = (minutes: number) => start() + minutes * MINUTE;
    await keep(station, [
      { time: at(0), value: 50 },
      { time: at(10), value: 120, arrived: at(40) },
      { time: at(20), value: 50, arrived: at(20) },
      { time: at(30), value: 120, arrived: at(30) },
    ]);
    const result = await ask({ ...draftOf(station), to: iso(now() + 5 * DAY), debounce: 60 });
    expect(result).toMatchObject({ readings: 3, lateReadings: 1, alarmCount: 1, to: iso(now()) });
    expect(result.alarms[0]).toMatchObject({ since: iso(at(30)), resolvedAt: null });
  });

  test('the state at the beginning comes from the readings before it', async () => {
    const station = await plant.station();
    await keep(station, [
      { time: start() - HOUR, value: 120 },
      { time: start() + HOUR, value: 121 },
      { time: start() + 2 * HOUR, value: 50 },
      { time: start() + 3 * HOUR, value: 122 },
    ]);
    const result = await ask({ ...draftOf(station), debounce: 60 });
    expect(result.alarms.map(({ openedAt }: any) => openedAt)).toEqual([iso(start() + 3 * HOUR + MINUTE)]);
    expect(result.readings).toBe(3);
  });

  test('a draft that could not be stored, and a range that is none, get a sentence and their field', async () => {
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
      'Give a lower limit, an upper limit or both.',
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
      'Say when the range begins, such as 2026-03-02T08:00:00Z.',
    ]);
    expect((await refused({ to: draft.from })).slice(0, 2)).toEqual([bad, 'to']);
    expect(await refused({ from: iso(now() - 401 * DAY), to: iso(now()) })).toEqual([
      bad,
      'from',
      'The range may be 400 days long at most. Begin it later.',
    ]);
    expect((await refused({ from: iso(now() + DAY), to: iso(now() + 2 * DAY) })).slice(0, 2)).toEqual([bad, 'from']);
    expect((await refused({ datapointUuid: 'x' }))[2]).toContain('Invalid UUID');
    const { errors } = await manager.graphql(simulateRule, { input: draft, first: 501 });
    expect(errors?.[0]?.message).toContain('from 0 to 500');
  });

  test('only who sees the datapoint may try a rule on it', async () => {
    const station = await hourly();
    const operator: UserRow = await plant.person({ site: station.site });
    expect((await ask(draftOf(station), await plant.browser(operator))).alarmCount).toBe(240);
    for (const [who, browser] of Object.entries(strangers)) {
      expect(await ask(draftOf(station), browser), who).toBeNull();
    }
  });
});

test('the alarm of a silent site says how long nothing arrived', async () => {
  const station = await plant.station({ name: 'Far away' });
  await plant.send(station, 50);
  await plant.pass(60);
  for (let day = 0; day < 4; day += 1) await plant.pass(86_400);
  const [silent] = (await plant.open(station.site)).filter(({ source }) => source === 'silence');
  // The session of the other tests has ended by now.
  const someone = await plant.browser(await plant.person({ level: 5 }));
  const { explainAlarm: why } = await someone.data(explainAlarm, { uuid: silent.uuid });
  expect(why).toMatchObject({ because: 'site-silent', judgedBy: { kind: 'silence' }, samples: [] });
  expect(why.sentence).toBe(`Nothing arrived from any sensor of Far away for ${why.judgedBy.silentHours} hours.`);
  expect(why.notes).toEqual(['No rule alert of this site names anybody to be told of its health.']);
});

/** What the server itself does at this moment of the turned clock. */
function asClock(text: string, values: unknown[]): Promise<unknown> {
  const settings = { 'tocsin.now': iso(now()) };
  return plant.app.db.transaction({ role: 'tocsin_service', settings }, (tx) => tx.query(text, values));
}
