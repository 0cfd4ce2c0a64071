/**
 * Tests of the queries that explain why an alarm opened and why a rule opened no alarm, sent by users with different
 * roles.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timeText } from '../../domain/alarm/message.ts';
import { insertRow, serviceQuery } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import type { Plant, Station } from '../scenarios/plant.ts';
import { HOUR, MINUTE } from './chart.ts';
import { iso, keep, startRulePlant } from './rule-plant.ts';

let plant: Plant;
let manager: TestBrowser;
let strangers: Record<string, TestBrowser>;
beforeAll(async () => {
  ({ plant, manager, strangers } = await startRulePlant());
});
afterAll(() => plant?.close());

const explainAlarm = `query ($uuid: UUID!) { explainAlarm(uuid: $uuid) {
  alarmUuid message because sentence pendingSince openedAt recordedAt value unit occurrences notes mustAcknowledge
  criteria { kind ruleUuid ruleName version versionNow valueLower valueUpper clearLower clearUpper debounce alarmState words silentHours }
  samples { at value out } transitions { at noticedAt from to because value version alarmUuid }
  stages { name held { sentence because userUuid } }
  recipients { userUuid name notifiedWhen methods { methodType address } skipped { methodType because sentence } }
  escalation { afterMinutes everyMinutes times people step nextAt }
  messages { name address methodType kind state attempts queuedAt sentAt provider providerAnswer text }
  timeline { at kind sentence because } } }`;

const explainRule = `query ($ruleUuid: UUID!, $from: Datetime!, $to: Datetime!) {
  explainRule(ruleUuid: $ruleUuid, from: $from, to: $to) { kind ruleName deleted because sentence from to readings lateReadings
    transitionCount transitions { at from to because value version alarmUuid } alarms { alarmUuid message openedAt resolvedAt resolvedName }
    versions { version from to enabled valueLower valueUpper clearLower debounce words because sentence readings lateReadings
      wouldHaveOpened { since openedAt resolvedAt peak } } } }`;

const now = () => plant.app.clock.now().getTime();
const ago = (ms: number) => iso(now() - ms);

/** Creates a rule with the test clock's time as its creation time. */
async function makeRule(station: Station, columns: Record<string, unknown> = {}) {
  const rule = await plant.rule(station, { ...columns, created_at: iso(now()) });
  await asClock('update tocsin.rule_version set created_at = tocsin_private.clock() where rule_uuid = $1', [rule.uuid]);
  return rule;
}

/** Runs an SQL statement at the product time of the test clock. */
function asClock(text: string, values: unknown[]): Promise<unknown> {
  const settings = { 'tocsin.now': iso(now()) };
  return plant.app.db.transaction({ role: 'tocsin_service', settings }, (tx) => tx.query(text, values));
}

async function whyRule(ruleUuid: string, from: string, to: string, browser = manager) {
  return (await browser.data(explainRule, { ruleUuid, from, to })).explainRule;
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
  test('returns version, limits, samples, start, and who was notified and who was not', async () => {
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
      criteria: {
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
      'Level was 120, and version 1 of the rule "High level" opens an alarm above 100. This lasted for 1 minute (debounce).',
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
    expect(why.recipients.map(({ userUuid, notifiedWhen }: any) => [userUuid, notifiedWhen])).toEqual(
      expect.arrayContaining([
        [anna.uuid, 'when-it-opens'],
        [bob.uuid, 'when-it-opens'],
        [eve.uuid, 'when-nobody-acknowledges'],
        [anna.uuid, 'when-it-resolves'],
      ]),
    );
    const bobs = why.recipients.find(({ userUuid }: any) => userUuid === bob.uuid);
    expect(bobs.methods).toEqual([]);
    expect(bobs.skipped).toEqual([{ methodType: 3, because: 'no-address', sentence: expect.stringContaining('Bob') }]);
    expect(why.messages).toEqual([
      expect.objectContaining({
        name: 'Anna Operator',
        address: anna.email,
        methodType: 1,
        kind: 'alarm',
        state: 'sent',
      }),
    ]);
    expect(why.stages.map(({ name }: any) => name)).toEqual([
      'shelved',
      'maintenance',
      'dependency',
      'once',
      'flood',
      'repeat',
      'budget',
    ]);
    expect(why.timeline.map(({ kind }: any) => kind)).toContain('opened');
  });

  test('notifies the escalation recipients of the resolution, and nobody else', async () => {
    const { alarm, anna, eve } = await openOne();
    const resolveRecipients = async () => {
      const { explainAlarm: why } = await manager.data(explainAlarm, { uuid: alarm.uuid });
      return why.recipients
        .filter(({ notifiedWhen }: any) => notifiedWhen === 'when-it-resolves')
        .map(({ userUuid }: any) => userUuid);
    };
    expect(await resolveRecipients()).toEqual([anna.uuid]);
    await plant.pass(15 * 60);
    expect(await resolveRecipients()).toEqual([anna.uuid, eve.uuid]);
  });

  test('returns the rule as it was evaluated, after later changes', async () => {
    const { rule, alarm } = await openOne();
    await serviceQuery(plant.app.db, 'update tocsin.rule set value_upper = 110 where uuid = $1', [rule.uuid]);
    const { explainAlarm: why } = await manager.data(explainAlarm, { uuid: alarm.uuid });
    expect(why.criteria).toMatchObject({ version: 1, versionNow: 2, valueUpper: 100 });
  });

  test('names the stage that suppressed a notification', async () => {
    const { station, anna, alarm } = await openOne({ debounce: 0 }, false);
    // The value returns inside the limits, then leaves them again. A second alarm with the same text opens within ten
    // minutes.
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

  test('explains digital alarms and reported alarms too', async () => {
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
      criteria: { kind: 'digital', alarmState: 'high' },
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
    expect(person).toMatchObject({
      because: 'reported',
      sentence: 'A person reported the alarm.',
      samples: [],
      messages: [],
    });
  });

  test('is refused for a site that the user does not see, and allowed for its operator', async () => {
    const { alarm, anna, rule } = await openOne();
    const asAnna = await plant.browser(anna);
    const { explainAlarm: seen } = await asAnna.data(explainAlarm, { uuid: alarm.uuid });
    expect(seen.messages).toHaveLength(1);
    expect((await whyRule(rule.uuid, ago(HOUR), ago(0), asAnna)).because).toBe('opened');
    for (const [who, browser] of Object.entries(strangers)) {
      const { explainAlarm: hidden } = await browser.data(explainAlarm, { uuid: alarm.uuid });
      expect(hidden, who).toBeNull();
      const { data, errors } = await browser.graphql(explainRule, { ruleUuid: rule.uuid, from: ago(HOUR), to: ago(0) });
      expect(data, who).toEqual({ explainRule: null });
      expect(errors?.[0]).toMatchObject({
        message: 'This rule was deleted, or you do not have access to it. Choose another.',
        extensions: { code: 'BAD_USER_INPUT', field: 'ruleUuid' },
      });
    }
  });
});

describe('explainRule', () => {
  test('returns the alarm and every transition after an opening', async () => {
    const { rule, alarm } = await openOne();
    const why = await whyRule(rule.uuid, ago(HOUR), ago(0));
    expect(why).toMatchObject({
      kind: 'limits',
      ruleName: 'High level',
      because: 'opened',
      sentence: 'It opened an alarm. The alarm is still open.',
      readings: 2,
      transitionCount: 2,
      alarms: [{ alarmUuid: alarm.uuid, message: 'High level', resolvedAt: null, resolvedName: null }],
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
    // An hour later, the alarm is still open and remains the only one.
    await plant.pass(3600);
    expect(await whyRule(rule.uuid, ago(HOUR / 2), ago(0))).toMatchObject({ because: 'already-open' });
  });

  test('says that it fired while its alarm is open, even without recorded transitions', async () => {
    const { rule, alarm } = await openOne();
    await serviceQuery(plant.app.db, 'delete from tocsin.rule_transition where watch_uuid = $1', [rule.uuid]);
    expect(await whyRule(rule.uuid, ago(HOUR), ago(0))).toMatchObject({
      because: 'opened',
      sentence: 'It opened an alarm. The alarm is still open.',
      alarms: [{ alarmUuid: alarm.uuid, resolvedAt: null }],
      transitionCount: 0,
      versions: [{ version: 1, because: 'opened', sentence: 'It opened an alarm.' }],
    });
  });

  test('evaluates a reading by the version that was valid when it arrived', async () => {
    const station = await plant.station();
    await plant.pass(3600);
    const rule = await makeRule(station);
    await plant.pass(60);
    // A logger uploads readings that it measured before the rule was created: 30 and 20 minutes earlier.
    await plant.send(station, 90, 1800);
    const inside = await whyRule(rule.uuid, ago(HOUR), ago(25 * MINUTE));
    expect(inside).toMatchObject({ because: 'never-out', readings: 1, versions: [{ version: 1, readings: 1 }] });
    await plant.send(station, 120, 1200);
    await plant.settle();
    const [alarm] = await plant.open(station.site);
    const before = await whyRule(rule.uuid, ago(HOUR), ago(10 * MINUTE));
    expect(before).toMatchObject({
      because: 'opened',
      readings: 2,
      alarms: [{ alarmUuid: alarm.uuid }],
      versions: [{ version: 1, because: 'opened', from: iso(now() - 30 * MINUTE) }],
    });
    // Readings that arrived before the rule was created are not evaluated, whatever their device time.
    await plant.pass(1);
    const second = await makeRule(station, { name: 'Made later', value_upper: 50 });
    expect(await whyRule(second.uuid, ago(HOUR), ago(10 * MINUTE))).toMatchObject({ because: 'not-made-yet' });
  });

  test('distinguishes values that were never outside, values that were outside too briefly, and missing readings', async () => {
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
      sentence: 'The longest time outside was 40 seconds, but the debounce is 1 minute.',
      transitions: [{ because: 'above-upper' }, { because: 'back-before-debounce' }],
    });
    const none = { because: 'no-readings', sentence: 'No readings arrived in this period.' };
    expect(await whyRule(rule.uuid, ago(300_000), ago(60_000))).toMatchObject(none);
    // The data point has readings from before the rule was created. The rule did not evaluate them.
    const made = await makeRule(station, { name: 'Just made' });
    await plant.pass(60);
    const sentence = 'No readings arrived while this version was active.';
    expect(await whyRule(made.uuid, ago(HOUR), ago(0))).toMatchObject({ because: 'no-readings', sentence });
  });

  test('distinguishes rules that were disabled, deleted or not created yet', async () => {
    const station = await plant.station();
    const early = ago(0);
    const zone = 'Asia/Kathmandu';
    await serviceQuery(plant.app.db, 'update tocsin.customer set time_zone = $1', [zone]);
    await plant.pass(600);
    const rule = await makeRule(station, { enabled: false });
    await plant.send(station, 120);
    await plant.pass(600);
    const off = await whyRule(rule.uuid, early, ago(0));
    expect(off).toMatchObject({ because: 'disabled', sentence: 'The rule was disabled.', readings: 0 });
    expect(await whyRule(rule.uuid, early, iso(Date.parse(early) + MINUTE))).toMatchObject({
      because: 'not-made-yet',
      sentence: `The rule was created on ${timeText(new Date(Date.parse(early) + 10 * MINUTE), zone)}, after this period.`,
    });
    await serviceQuery(plant.app.db, 'delete from tocsin.rule where uuid = $1', [rule.uuid]);
    expect(await whyRule(rule.uuid, early, ago(0))).toMatchObject({
      because: 'disabled',
      deleted: true,
      sentence: 'The rule was disabled. The rule has been deleted since.',
    });
  });

  test('does not evaluate what arrived while the rule was disabled', async () => {
    const station = await plant.station();
    const rule = await makeRule(station);
    const begin = ago(0);
    await plant.send(station, 20);
    await plant.pass(60);
    await asClock('update tocsin.rule set enabled = false where uuid = $1', [rule.uuid]);
    await plant.pass(60);
    await plant.send(station, 21);
    await plant.pass(60);
    await plant.send(station, 22);
    await plant.pass(60);
    const why = await whyRule(rule.uuid, begin, ago(0));
    expect(why).toMatchObject({ because: 'never-out', readings: 1, versions: [{ readings: 1 }, { readings: 0 }] });
  });

  test('evaluates each period by its own version', async () => {
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

  test('reports a sensor in maintenance or disabled, and late readings', async () => {
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
    const sinceMade = await whyRule(lateRule.uuid, ago(2 * HOUR), ago(20 * MINUTE));
    expect(sinceMade.sentence).toMatch(
      /^The only reading of the time this version was active arrived after newer ones/,
    );
    const unjudged = await plant.station();
    const unjudgedRule = await makeRule(unjudged);
    await plant.pass(60);
    await keep(plant, unjudged, [{ time: now() - 30_000, value: 130 }]);
    const why = await whyRule(unjudgedRule.uuid, ago(MINUTE), ago(0));
    expect(why).toMatchObject({ because: 'would-have-opened', alarms: [] });
    expect(why.sentence).toContain('The readings were not evaluated when they arrived');

    // The response has a separate sentence for each version of the rule.
    await asClock('update tocsin.rule set value_upper = 200 where uuid = $1', [unjudgedRule.uuid]);
    await plant.pass(60);
    const later = await whyRule(unjudgedRule.uuid, ago(2 * MINUTE), ago(0));
    expect(later.versions.map(({ version, sentence }: any) => [version, sentence])).toEqual([
      [1, 'The rule would have opened an alarm.'],
      [2, 'No readings arrived while this version was active.'],
    ]);
  });

  test('explains conditions and digital channels like rules', async () => {
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
      sentence: 'The longest time outside was 30 seconds, but the debounce is 1 minute.',
      readings: 3,
      versions: [
        {
          debounce: 60,
          words: expect.stringMatching(/^Asset \d+, Level is above 100 and Asset \d+, Flow is below 5$/),
        },
      ],
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

test('returns for a silent site how long nothing arrived', async () => {
  const station = await plant.station({ name: 'Far away' });
  await plant.send(station, 50);
  await plant.pass(60);
  for (let day = 0; day < 4; day += 1) await plant.pass(86_400);
  const [silent] = (await plant.open(station.site)).filter(({ source }) => source === 'silence');
  // The test signs in again, because the session of the other tests has expired.
  const someone = await plant.browser(await plant.person({ level: 5 }));
  const { explainAlarm: why } = await someone.data(explainAlarm, { uuid: silent.uuid });
  expect(why).toMatchObject({ because: 'site-silent', criteria: { kind: 'silence' }, samples: [] });
  expect(why.sentence).toBe(`No sensor at Far away sent data for ${why.criteria.silentHours} hours.`);
  expect(why.notes).toEqual(['No rule alert of this site notifies anyone when the site is silent.']);
});
