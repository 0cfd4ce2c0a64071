/** The simulation and the explanation of a rule consider maintenance, shelving and causes as they were. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../harness/long.ts';
import { depend } from './dependency-plant.ts';
import type { Station } from './plant.ts';
import { call, MINUTE, PlannedPlant } from './windows.ts';

let planned: PlannedPlant;
beforeAll(async () => {
  planned = await PlannedPlant.start();
});
afterAll(() => planned?.plant.close());

interface Scene {
  station: Station;
  ruleUuid: string;
  /** Another rule at the site, on which the rule depends. */
  power: Station;
  began: number;
}

/** A rule that depends on a second rule. Vera gets openings and resolutions, and another person gets only openings. */
async function scene(): Promise<Scene> {
  const { plant, vera } = planned;
  const station = await plant.station();
  const { uuid: ruleUuid } = await plant.rule(station, { name: 'High level' });
  await plant.alert(station.site, 'High level', { alert: [vera, await plant.person()], resolve: [vera] });
  const power = await plant.another(station);
  const cause = await plant.rule(power, { name: 'Mains power' });
  expect(
    await depend(await plant.browser(vera), { tocsinRuleUuid: ruleUuid, causeRuleUuid: cause.uuid }),
  ).toBeUndefined();
  const began = plant.clock.now().getTime();
  // The plant's clock is behind the clock of the machine, which made the rule.
  const made = [ruleUuid, new Date(began - 3_600_000)];
  await plant.query('update tocsin.rule set created_at = $2 where uuid = $1', made);
  await plant.query('update tocsin.rule_version set created_at = $2 where rule_uuid = $1', made);
  return { station, ruleUuid, power, began };
}

/** Lets the time pass in steps of a minute, so that the engine runs as often as it does. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) await planned.plant.pass(MINUTE);
}

const iso = (at: number) => new Date(at).toISOString();

async function simulated({ station, ruleUuid, began }: Scene) {
  const { plant, vera } = planned;
  const input = {
    ...{ datapointUuid: station.datapointUuid, ruleUuid, valueUpper: 100 },
    ...{ from: iso(began - 1000), to: iso(plant.clock.now().getTime()) },
  };
  const { simulateRule } = await (await plant.browser(vera)).data(
    'query ($input: SimulateRuleInput!) { simulateRule(input: $input) { alarmCount messages notes } }',
    { input },
  );
  return simulateRule as { alarmCount: number; messages: number; notes: string[] };
}

async function real({ station }: Scene) {
  const [row] = await planned.plant.query<{ alarms: number; messages: number }>(
    `select count(distinct a.uuid)::int as alarms, count(n.uuid)::int as messages
     from tocsin.alarm a left join tocsin.notification n on n.tocsin_alarm_uuid = a.uuid and n.kind in ('alarm', 'resolve', 'reminder')
     where a.tocsin_site_uuid = $1 and a.rule_name = 'High level'`,
    [station.site.uuid],
  );
  return row as { alarms: number; messages: number };
}

async function explained({ ruleUuid, began }: Scene): Promise<{ because: string; sentence: string }> {
  const { plant, vera } = planned;
  const { explainRule } = await (await plant.browser(vera)).data(
    `query ($rule: UUID!, $from: Datetime!, $to: Datetime!) {
       explainRule(ruleUuid: $rule, from: $from, to: $to) { because sentence } }`,
    { rule: ruleUuid, from: iso(began - 1000), to: iso(plant.clock.now().getTime()) },
  );
  return explainRule;
}

async function shelve({ ruleUuid }: Scene): Promise<void> {
  const browser = await planned.plant.browser(planned.vera);
  await browser.graphql('mutation ($input: ShelveInput!) { shelve(input: $input) { result { uuid } } }', {
    input: { scope: 'rule', targetUuid: ruleUuid, minutes: 15, reason: 'Sensor drifts' },
  });
}

async function plan({ station }: Scene, suppresses: string, length: number): Promise<void> {
  const input = planned.windowOf('site', station.site.uuid, 0, length * MINUTE, suppresses);
  // A window that overlaps another one is refused.
  await call(await planned.plant.browser(planned.vera), 'saveMaintenanceWindow', input);
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('send' as const), value: fc.constantFrom(50, 150) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(1, 3, 8, 17) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cause' as const), value: fc.constantFrom(50, 150) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('shelve' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('plan' as const),
      suppresses: fc.constantFrom('notifications', 'alarms'),
      minutes: fc.constantFrom(4, 13),
    }),
  },
);

describe('a simulation of the rule as it is', () => {
  test('counts the alarms and notifications that there were', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 12 }), async (steps) => {
        const one = await scene();
        for (const item of steps) {
          // Each reading has its own time.
          planned.plant.clock.advance(1000);
          if (item.do === 'send') await planned.plant.send(one.station, item.value);
          else if (item.do === 'cause') await planned.plant.send(one.power, item.value);
          else if (item.do === 'shelve') await shelve(one);
          else if (item.do === 'plan') await plan(one, item.suppresses, item.minutes);
          else await minutes(item.minutes);
          await planned.plant.settle();
        }
        await minutes(1);
        const { alarmCount, messages } = await simulated(one);
        expect({ alarms: alarmCount, messages }).toEqual(await real(one));
      }),
      { numRuns: isLong ? 40 : 2 },
    );
  });

  test.each([
    ['a window without notifications', 'notifications', { alarms: 1, messages: 3 }],
    ['a window without alarms', 'alarms', { alarms: 1, messages: 3 }],
  ])('counts the alarm that outlasts %s once for each recipient', async (_, suppresses, expected) => {
    const one = await scene();
    await plan(one, suppresses, 10);
    await minutes(2);
    await planned.plant.send(one.station, 150);
    await minutes(12);
    await planned.plant.send(one.station, 50);
    await minutes(1);
    expect(await real(one)).toEqual(expected);
    const { alarmCount, messages, notes } = await simulated(one);
    expect({ alarms: alarmCount, messages }).toEqual(expected);
    expect(notes).toContainEqual(expect.stringContaining('kept the rule quiet for some time'));
  });

  test.each([
    ['a window without notifications', (one: Scene) => plan(one, 'notifications', 20), 1],
    ['a window without alarms', (one: Scene) => plan(one, 'alarms', 20), 0],
    ['shelving', shelve, 1],
    ['an alarm of its cause', ({ power }: Scene) => planned.plant.send(power, 150), 1],
  ])('counts no notification of an alarm that opens and resolves during %s', async (_, begin, alarms) => {
    const one = await scene();
    await begin(one);
    await minutes(2);
    await planned.plant.send(one.station, 150);
    await minutes(2);
    await planned.plant.send(one.station, 50);
    await minutes(1);
    expect(await real(one)).toEqual({ alarms, messages: 0 });
    const { alarmCount, messages } = await simulated(one);
    expect({ alarms: alarmCount, messages }).toEqual({ alarms, messages: 0 });
  });
});

describe('the explanation of a rule names with its end', () => {
  const TIME = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`;

  test('the window in which its alarm opened', async () => {
    const one = await scene();
    await plan(one, 'notifications', 10);
    await minutes(2);
    await planned.plant.send(one.station, 150);
    await planned.plant.settle();
    const during = await explained(one);
    expect(during.because).toBe('opened');
    expect(during.sentence).toMatch(
      new RegExp(`because maintenance is in progress: Pump service\\. This ends on ${TIME}\\.$`),
    );
    await minutes(12);
    expect((await explained(one)).sentence).toMatch(new RegExp(`Pump service\\. This ended on ${TIME}\\.$`));
  });

  test('the window that suppressed its alarm', async () => {
    const one = await scene();
    await plan(one, 'alarms', 10);
    await minutes(2);
    await planned.plant.send(one.station, 150);
    await minutes(1);
    const { because, sentence } = await explained(one);
    expect(because).toBe('maintenance');
    expect(sentence).toMatch(new RegExp(`The maintenance window "Pump service" suppressed alarms until ${TIME}\\.$`));
  });

  test('the shelving of an open alarm', async () => {
    const one = await scene();
    await planned.plant.send(one.station, 150);
    await minutes(1);
    await shelve(one);
    await planned.plant.settle();
    expect((await explained(one)).sentence).toMatch(new RegExp(`Sensor drifts\\. This ends on ${TIME}\\.$`));
    await minutes(17);
    expect((await explained(one)).sentence).toMatch(new RegExp(`Sensor drifts\\. This ended on ${TIME}\\.$`));
  });

  test('the cause that is in alarm', async () => {
    const one = await scene();
    await planned.plant.send(one.power, 150);
    planned.plant.clock.advance(1000);
    await planned.plant.send(one.station, 150);
    await planned.plant.settle();
    expect((await explained(one)).sentence).toMatch(
      new RegExp(`a consequence of "Mains power" at ${one.station.site.name}\\. This ends with that alarm\\.$`),
    );
    await minutes(1);
    await planned.plant.send(one.power, 50);
    await minutes(1);
    expect((await explained(one)).sentence).toMatch(new RegExp(`This ended on ${TIME}\\.$`));
  });
});
