/**
 * Tests of the advice for rules. The gateway opens the alarms on which the advice is based, and people acknowledge
 * them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertRow, serviceQuery } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import type { Plant, Rule, Station } from '../scenarios/plant.ts';
import { keyOf } from './chart.ts';
import { iso, startRulePlant } from './rule-plant.ts';

const MINUTE = 60;
const HOURS = 5;

let plant: Plant;
let manager: TestBrowser;
let strangers: Record<string, TestBrowser>;
let station: Station;
let rule: Rule;
beforeAll(async () => {
  ({ plant, manager, strangers } = await startRulePlant());
  station = await plant.station();
  rule = await plant.rule(station, { name: 'Vibration', value_upper: 100 });
  const person = await plant.person({ level: 5, name: 'Ruth Adeyemi' });
  await plant.alert(station.site, 'Vibration', { alert: [person], reasons: ['Pump starting', 'Bearing checked'] });
  await markNuisance('Pump starting', true);
  await fill(station);
  await acknowledge(rule);
});
afterAll(() => plant?.close());

/**
 * Sends one reading per minute for five hours. The value is outside the limit for one minute every ten minutes, and
 * once for 25 minutes.
 */
async function fill(at: Station): Promise<void> {
  const readings = Array.from({ length: HOURS * 60 }, (_, minute): [number, number] => {
    const isLong = minute >= 200 && minute < 225;
    return [(HOURS * 60 - minute) * MINUTE, isLong ? 120 : minute % 10 === 5 ? 130 : 50];
  });
  for (let index = 0; index < readings.length; index += 50) await plant.frame(at, readings.slice(index, index + 50));
  await plant.settle();
}

/**
 * Acknowledges the alarms of the rule: the long one as a real alarm, and all short ones except the last as pump starts.
 */
async function acknowledge({ uuid }: Rule): Promise<void> {
  const alarms = await serviceQuery<{ uuid: string; seconds: number }>(
    plant.app.db,
    `select uuid, extract(epoch from resolved_date - date_time)::int as seconds from tocsin.alarm where rule_uuid = $1 order by date_time`,
    [uuid],
  );
  const long = alarms.filter(({ seconds }) => seconds > 10 * MINUTE);
  const short = alarms.filter(({ seconds }) => seconds <= 10 * MINUTE).slice(0, -1);
  for (const [chosen, reason] of [
    [short, 'Pump starting'],
    [long, 'Bearing checked'],
  ] as const) {
    await manager.data(
      `mutation ($input: AcknowledgeAlarmsInput!) { acknowledgeAlarms(input: $input) { clientMutationId } }`,
      { input: { uuids: chosen.map((alarm) => alarm.uuid), reason } },
    );
  }
}

function markNuisance(reason: string, isNuisance: boolean) {
  return serviceQuery(plant.app.db, 'update tocsin.reason set is_nuisance = $2 where reason = $1', [
    reason,
    isNuisance,
  ]);
}

const trial = `valueLower valueUpper clearLower clearUpper debounce alarms alarmsPerDay nuisanceAvoided realKept realMissed
  missed { alarmUuid message ruleName openedAt resolvedAt reason } delay openSeconds isSafe`;
const ruleAdvice = `query ($rule: UUID!, $days: Int) { ruleAdvice(ruleUuid: $rule, days: $days) {
  because sentence notes from to ruleName siteName version unit replayedFrom readings lateReadings tried
  recorded { alarms nuisance real unknown chattering fleeting reasons { reason class alarms } }
  days { start readings lowest highest mean } present { ${trial} } trials { ${trial} } } }`;

const ask = async (uuid: string, days = 30, browser = manager) =>
  (await browser.data(ruleAdvice, { rule: uuid, days })).ruleAdvice;
const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

describe('ruleAdvice', () => {
  test('proposes settings that avoid the nuisance alarms and keep the real one, and changes nothing', async () => {
    const advice = await ask(rule.uuid);
    expect(advice).toMatchObject({
      because: 'proposal',
      notes: [],
      ...{ ruleName: 'Vibration', siteName: station.site.name, version: 1 },
      ...{ readings: 300, lateReadings: 0 },
      recorded: {
        ...{ alarms: 28, nuisance: 26, real: 1, unknown: 1, chattering: 0, fleeting: 0 },
        reasons: [
          { reason: 'Pump starting', class: 'nuisance', alarms: 26 },
          { reason: 'Bearing checked', class: 'real', alarms: 1 },
          { reason: null, class: 'unknown', alarms: 1 },
        ],
      },
      present: {
        valueUpper: 100,
        debounce: 0,
        alarms: 28,
        nuisanceAvoided: 0,
        realKept: 1,
        realMissed: 0,
        isSafe: true,
      },
    });
    const [proposal, ...others] = advice.trials;
    expect(proposal).toMatchObject({
      ...{ valueLower: null, valueUpper: 100, clearLower: null, clearUpper: null, debounce: 90 },
      ...{ alarms: 1, nuisanceAvoided: 26, realKept: 1, realMissed: 0, missed: [], delay: 90, isSafe: true },
    });
    expect(advice.sentence).toBe(
      'The proposal avoids 26 of 26 nuisance alarms and keeps 1 real alarm. Real alarms open up to 90 s later.',
    );
    // The last of the other settings would miss the real alarm. Its list of missed alarms contains this alarm.
    const [missed] = others.at(-1).missed;
    expect(others.at(-1)).toMatchObject({ isSafe: false, realMissed: 1 });
    expect(missed).toMatchObject({ message: 'Vibration', ruleName: 'Vibration', reason: 'Bearing checked' });
    const [stored] = await serviceQuery(plant.app.db, 'select version, debounce from tocsin.rule where uuid = $1', [
      rule.uuid,
    ]);
    expect(stored).toEqual({ version: 1, debounce: 0 });
  });

  test('returns the stored readings and the alarms of each day', async () => {
    const { days, present, trials, readings, replayedFrom } = await ask(rule.uuid, 3);
    expect(days.length).toBeGreaterThanOrEqual(4);
    expect(sum(days.map((day: any) => day.readings))).toBe(readings);
    expect(days[0]).toMatchObject({ readings: 0, lowest: null, highest: null, mean: null });
    expect(days.find((day: any) => day.readings > 100)).toMatchObject({ lowest: 50, highest: 130 });
    expect(present.alarmsPerDay).toHaveLength(days.length);
    for (const each of [present, ...trials]) expect(sum(each.alarmsPerDay)).toBe(each.alarms);
    expect(replayedFrom).toBe(iso(plant.app.clock.now().getTime() - HOURS * 3_600_000));
  });

  test('the proposal does the same when it is simulated', async () => {
    const {
      trials: [proposal],
      from,
      to,
    } = await ask(rule.uuid);
    const { debounce, valueUpper, clearUpper } = proposal;
    const input = { datapointUuid: station.datapointUuid, ruleUuid: rule.uuid, from, to };
    const { simulateRule } = await manager.data(
      'query ($input: SimulateRuleInput!) { simulateRule(input: $input) { alarmCount missedCount } }',
      { input: { ...input, debounce, valueUpper, clearUpper } },
    );
    // The proposal avoids the nuisance alarms. The simulation does not count them as missed.
    expect(simulateRule).toEqual({ alarmCount: proposal.alarms, missedCount: 0 });
  });

  test('counts a reason as it is marked now', async () => {
    await markNuisance('Pump starting', false);
    expect(await ask(rule.uuid)).toMatchObject({
      because: 'no-nuisance',
      trials: [],
      recorded: { nuisance: 0, real: 27 },
    });
    await markNuisance('Pump starting', true);
    expect(await ask(rule.uuid)).toMatchObject({ because: 'proposal' });
  });

  test('does not compare alarms from before the first stored reading, and says how many', async () => {
    const old = plant.app.clock.now().getTime() - 20 * 86_400_000;
    const { uuid } = await insertRow<{ uuid: string }>(plant.app.db, 'tocsin.alarm', {
      ...{ tocsin_customer_uuid: plant.customer.uuid, tocsin_site_uuid: station.site.uuid },
      ...{ tocsin_datapoint_uuid: station.datapointUuid, rule_uuid: rule.uuid, rule_name: 'Vibration' },
      ...{ site_name: station.site.name, message: 'Vibration', source: 'limits', reason: 'Bearing checked' },
      ...{ date_time: iso(old), resolved_date: iso(old + 60_000) },
      acknowledge_json: JSON.stringify({ name: 'Ruth', at: iso(old) }),
    });
    const advice = await ask(rule.uuid);
    expect(advice).toMatchObject({
      because: 'proposal',
      notes: ['1 alarm opened before the first stored reading and cannot be compared.'],
      recorded: { real: 2 },
      present: { realKept: 1, realMissed: 0 },
    });
    expect(await ask(rule.uuid, 10)).toMatchObject({ notes: [], recorded: { real: 1 } });
    await serviceQuery(plant.app.db, 'delete from tocsin.alarm where uuid = $1', [uuid]);
  });

  test('replays more readings than a response may contain', async () => {
    const count = 200_000;
    const busy = await plant.station();
    const watched = await plant.rule(busy);
    const from = iso(plant.app.clock.now().getTime() - 20 * 86_400_000);
    await plant.app.db.migration((tx) =>
      tx.query("call tocsin_private.ensure_partitions($1::timestamptz, $1::timestamptz + interval '20 days')", [from]),
    );
    await serviceQuery(
      plant.app.db,
      `insert into tocsin.reading (channel_key, device_time, server_time, value)
       select $1, $2::timestamptz + i * interval '8 seconds', $2::timestamptz + i * interval '8 seconds', 50 from generate_series(1, $3::integer) i`,
      [await keyOf(plant.app.db, busy.sensor.channels[0] as { uuid: string }), from, count],
    );
    expect(await ask(watched.uuid)).toMatchObject({ because: 'no-alarms', readings: count, present: { alarms: 0 } });
  });

  test('says why there is no advice', async () => {
    const quiet = await plant.station();
    const unused = await plant.rule(quiet);
    expect(await ask(unused.uuid)).toMatchObject({
      because: 'few-readings',
      sentence: 'Only 0 readings are stored for this period. Advice needs at least 100.',
      ...{ trials: [], readings: 0, recorded: { alarms: 0 } },
    });
    const digital = await plant.station({ sensorType: 1, channels: [{ name: 'Pump' }] });
    const conditions = await plant.conditions(digital, 'Both', {
      all: [{ fact: digital.datapointUuid, operator: 'equal', value: 1 }],
    });
    expect(await ask(digital.datapointUuid)).toMatchObject({ because: 'digital', present: null, trials: [], days: [] });
    expect(await ask(conditions.uuid)).toMatchObject({ because: 'conditions', ruleName: null, recorded: null });
  });

  test.each([0, -1, 401])('refuses %s days at the field', async (days) => {
    const { errors } = await manager.graphql(ruleAdvice, { rule: rule.uuid, days });
    expect(errors?.[0]).toMatchObject({
      message: 'Enter a whole number of days from 1 to 400.',
      extensions: { code: 'BAD_USER_INPUT', field: 'days' },
    });
  });

  test('is refused for everybody who is not allowed to change rules, and for other customers', async () => {
    const operator = await plant.browser(await plant.person({ site: station.site }));
    const forbidden = { 'an operator of the site': operator, ...strangers };
    for (const [who, browser] of Object.entries(forbidden)) {
      const { data, errors } = await browser.graphql(ruleAdvice, { rule: rule.uuid, days: 30 });
      expect(data?.ruleAdvice ?? null, who).toBeNull();
      const isElsewhere = who === 'the owner of another customer';
      expect(errors?.[0]?.extensions, who).toMatchObject(
        isElsewhere ? { code: 'BAD_USER_INPUT', field: 'ruleUuid' } : { code: 'FORBIDDEN' },
      );
    }
  });
});
