/** Rules with several conditions on different sensors of a site. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileConditions } from '../../domain/rule/conditions.ts';
import { create, done, update } from '../api/api.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { resolve } from './people.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let manager: TestBrowser;
let level: Station;
let flow: Station;
let elsewhere: Station;
beforeAll(async () => {
  plant = await Plant.start();
  manager = await plant.browser(await plant.person({ level: 5, name: 'Mia Manager' }));
  elsewhere = await plant.station();
});
afterAll(() => plant?.close());

/** Creates a site with two sensors: a level and a flow. */
async function twoSensors(): Promise<void> {
  level = await plant.station();
  flow = await plant.another(level);
}

const above = ({ datapointUuid }: Station, value: number) => ({ fact: datapointUuid, operator: 'greaterThan', value });
const below = ({ datapointUuid }: Station, value: number) => ({ fact: datapointUuid, operator: 'lessThan', value });

test('opens when all conditions over two sensors hold, and resolves when one no longer does', async () => {
  await twoSensors();
  await plant.conditions(level, 'Blocked', { all: [above(level, 80), below(flow, 5)] }, { priority: 'high' });
  await plant.send(level, 90);
  expect(await plant.alarms(level.site), 'the flow has no value yet').toEqual([]);
  await plant.pass(1);
  await plant.send(flow, 20);
  expect(await plant.alarms(level.site)).toEqual([]);
  await plant.pass(1);
  await plant.send(flow, 3);
  expect(await plant.open(level.site)).toMatchObject([
    { source: 'conditions', rule_name: 'Blocked', message: 'Blocked', priority: 'high', severity: 'major' },
  ]);
  await plant.pass(1);
  await plant.send(level, 70);
  expect(await plant.open(level.site)).toEqual([]);
  const [{ uuid }] = await plant.alarms(level.site);
  expect(await plant.events(uuid)).toContainEqual(
    expect.objectContaining({ kind: 'resolved', sentence: 'The conditions are no longer met.' }),
  );
});

test('opens when any condition holds, even if the other is unknown', async () => {
  await twoSensors();
  await plant.conditions(level, 'Either', { any: [above(level, 80), below(flow, 5)] });
  await plant.send(flow, 3);
  expect(await plant.open(level.site)).toHaveLength(1);
  await plant.pass(1);
  await plant.send(level, 90);
  await plant.pass(1);
  await plant.send(flow, 20);
  expect(await plant.alarms(level.site), 'the level keeps the alarm open').toMatchObject([{ resolved_date: null }]);
});

test('opens nothing for unknown values, even under not', async () => {
  await twoSensors();
  await plant.conditions(level, 'Dry', { all: [{ not: above(flow, 5) }, above(level, 80)] });
  await plant.send(level, 90);
  expect(await plant.alarms(level.site)).toEqual([]);
  await plant.pass(1);
  await plant.send(flow, 5);
  expect(await plant.open(level.site)).toHaveLength(1);
});

test('debounces conditions, even when the sensors become silent', async () => {
  await twoSensors();
  const rule = await plant.conditions(
    level,
    'Blocked',
    { all: [above(level, 80), below(flow, 5)] },
    { debounce: 60, message: 'Blocked outlet at {site}' },
  );
  await plant.send(level, 90);
  await plant.send(flow, 3);
  await plant.pass(59);
  expect(await plant.alarms(level.site)).toEqual([]);
  await plant.pass(1);
  expect(await plant.open(level.site)).toMatchObject([{ message: `Blocked outlet at ${level.site.name}` }]);
  expect((await plant.transitions(rule.uuid)).map(({ to_phase }) => to_phase)).toEqual(['pending', 'open']);
});

test('opens again with the next reading after it was resolved by hand while it holds', async () => {
  await twoSensors();
  await plant.conditions(level, 'Blocked', { all: [above(level, 80), below(flow, 5)] });
  await plant.send(level, 90);
  await plant.send(flow, 3);
  const [alarm] = await plant.open(level.site);
  await resolve(manager, alarm.uuid);
  await plant.settle();
  expect(await plant.open(level.site)).toEqual([]);
  await plant.pass(1);
  await plant.send(level, 91);
  const [again] = await plant.open(level.site);
  expect(again.uuid).not.toBe(alarm.uuid);
});

describe('texts of conditions', () => {
  /** Creates a sump with a level in metres, and a pump with texts for its states. */
  async function sumpAndPump(): Promise<void> {
    await twoSensors();
    await plant.query("update tocsin.asset set name = 'Sump' where uuid = $1", [level.sensor.assetUuid]);
    await plant.query("update tocsin.asset_datapoint set uom = 'm' where uuid = $1", [level.datapointUuid]);
    await plant.query("update tocsin.asset set name = 'Pump 1' where uuid = $1", [flow.sensor.assetUuid]);
    await plant.query(
      "update tocsin.asset_datapoint set tocsin_datapoint_name = 'Motor', sensor_type = 1 where uuid = $1",
      [flow.datapointUuid],
    );
    await plant.query(
      "update tocsin.sensor_channel set channel_low_text = 'standing', channel_high_text = 'running' where uuid = $1",
      [flow.sensor.channels[0]?.uuid],
    );
  }
  const dry = () => ({
    all: [below(level, 0.4), { fact: flow.datapointUuid, operator: 'equal', value: 1 }],
  });

  test('notify people with the values of that moment, and keep the alarm’s message', async () => {
    await sumpAndPump();
    const person = await plant.person({ name: 'Paul', site: level.site });
    await plant.alert(level.site, 'Dry run', { alert: [person] });
    await plant.conditions(level, 'Dry run', dry(), { debounce: 60 });
    await plant.send(flow, 1);
    await plant.send(level, 0.31);
    await plant.pass(30);
    await plant.send(level, 0.25);
    await plant.pass(30);
    const values = 'Sump Level: 0.25 m (below 0.4 m), Pump 1 Motor: running';
    const [alarm] = await plant.open(level.site);
    expect(alarm).toMatchObject({
      message: 'Dry run',
      criteria: {
        words: 'Sump, Level is below 0.4 m and Pump 1, Motor is running',
        measured: values,
        datapoints: [level.datapointUuid, flow.datapointUuid],
        values: { [level.datapointUuid]: 0.25, [flow.datapointUuid]: 1 },
      },
      value: null,
    });
    const [told] = await plant.messages(level.site);
    expect(told?.text).toMatch(/, at \d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(told?.text).toContain(`${level.site.name}: Dry run. ${values}, at `);
    expect(await plant.events(alarm.uuid)).toContainEqual(
      expect.objectContaining({
        kind: 'opened',
        sentence: `The conditions of "Dry run" were met for at least 60 s: ${values}.`,
      }),
    );
    const { explainAlarm } = await manager.data('query ($uuid: UUID!) { explainAlarm(uuid: $uuid) { sentence } }', {
      uuid: alarm.uuid,
    });
    expect(explainAlarm.sentence).toContain(`The conditions of version 1 of the rule "Dry run" were met: ${values}.`);
  });

  test('show an operator of the site the data points of its conditions, and those of no other alarm', async () => {
    await sumpAndPump();
    const operator = await plant.browser(await plant.person({ name: 'Nora Night', site: level.site }));
    await plant.conditions(level, 'Dry run', { any: [{ all: [above(level, 9)] }, dry()] });
    await plant.rule(level, { name: 'Low level', message: 'Low level', value_lower: 0.4, value_upper: null });
    await plant.send(flow, 1);
    await plant.send(level, 0.31);
    const { alarms } = await operator.data(
      `query ($site: UUID!) { alarms(filter: { tocsinSiteUuid: { equalTo: $site } }, orderBy: [MESSAGE_ASC]) { nodes {
        source conditionDatapoints { nodes { uuid tocsinDatapointName } } } } }`,
      { site: level.site.uuid },
    );
    expect(alarms.nodes).toEqual([
      {
        source: 'conditions',
        conditionDatapoints: {
          nodes: [
            { uuid: level.datapointUuid, tocsinDatapointName: 'Level' },
            { uuid: flow.datapointUuid, tocsinDatapointName: 'Motor' },
          ],
        },
      },
      { source: 'limits', conditionDatapoints: { nodes: [] } },
    ]);
    expect((await plant.open(level.site)).find(({ source }) => source === 'conditions').criteria.values).toEqual({
      [level.datapointUuid]: 0.31,
      [flow.datapointUuid]: 1,
    });
  });

  test('are among the alarms of each of their data points while open', async () => {
    await sumpAndPump();
    const operator = await plant.browser(await plant.person({ name: 'Nora Night', site: level.site }));
    const stranger = await plant.browser(await plant.person({ name: 'Sam Stranger', site: elsewhere.site }));
    await plant.conditions(level, 'Dry run', { all: [dry()] });
    await plant.rule(level, { name: 'Low level', message: 'Low level', value_lower: 0.4, value_upper: null });
    await plant.send(flow, 1);
    await plant.send(level, 0.31);
    const now = plant.clock.now().getTime();
    const named = async (browser: TestBrowser, { datapointUuid }: Station, from: number, to: number) => {
      const { alarmsOfDatapoints } = await browser.data(
        `query ($of: [UUID]!, $from: Datetime!, $to: Datetime!) { alarmsOfDatapoints(datapointUuids: $of, from: $from, to: $to) {
          nodes { message } } }`,
        { of: [datapointUuid], from: new Date(from).toISOString(), to: new Date(to).toISOString() },
      );
      return alarmsOfDatapoints.nodes.map(({ message }: { message: string }) => message).toSorted();
    };
    expect(await named(operator, level, now - 60_000, now + 60_000)).toEqual(['Dry run', 'Low level']);
    expect(await named(operator, flow, now - 60_000, now + 60_000)).toEqual(['Dry run']);
    expect(await named(operator, flow, now - 120_000, now - 60_000), 'before the alarm').toEqual([]);
    expect(await named(operator, elsewhere, now - 60_000, now + 60_000)).toEqual([]);
    expect(await named(stranger, flow, now - 60_000, now + 60_000)).toEqual([]);
    await plant.pass(1);
    await plant.send(flow, 0);
    expect(await named(operator, flow, now - 60_000, now + 60_000), 'the alarm has resolved').toEqual(['Dry run']);
    expect(await named(operator, flow, now + 30_000, now + 60_000), 'after the alarm').toEqual([]);
  });

  test('do not use a default message about one value, so two rules make two alarms', async () => {
    await sumpAndPump();
    const [{ uuid }] = await plant.query(
      'insert into tocsin.alarm_default_message (tocsin_customer_uuid, message) values ($1, $2) returning uuid',
      [plant.customer.uuid, '{site}: {datapoint} is {value} {unit} (alarm {limit})'],
    );
    for (const name of ['Low', 'Dry']) await plant.conditions(level, name, { all: [below(level, 0.4)] });
    await plant.send(level, 0.31);
    expect((await plant.open(level.site)).map(({ message }) => message).toSorted()).toEqual(['Dry', 'Low']);
    await plant.query("update tocsin.alarm_default_message set message = 'Look at {site}' where uuid = $1", [uuid]);
    await plant.conditions(level, 'Full', { all: [above(level, 9)] });
    await plant.pass(1);
    await plant.send(level, 9.5);
    expect(await plant.open(level.site)).toMatchObject([{ message: `Look at ${level.site.name}`, rule_name: 'Full' }]);
    await plant.query('delete from tocsin.alarm_default_message where uuid = $1', [uuid]);
  });

  test('show the values by which they held, even if a sensor’s clock is ahead', async () => {
    await sumpAndPump();
    await plant.conditions(level, 'Dry run', { any: [dry(), above(level, 9)] });
    await plant.send(flow, 0, 60);
    await plant.send(flow, 1);
    await plant.send(level, 0.31, 30);
    expect(await plant.open(level.site)).toMatchObject([
      { criteria: { measured: 'Sump Level: 0.31 m (below 0.4 m), Pump 1 Motor: running' } },
    ]);
  });
});

test('ignores frames of a sensor in maintenance', async () => {
  await twoSensors();
  await plant.conditions(level, 'Blocked', { all: [above(level, 80), below(flow, 5)] });
  await plant.send(level, 90);
  await plant.query('update tocsin.sensor set status = 2 where uuid = $1', [flow.sensor.uuid]);
  await plant.send(flow, 3);
  await plant.pass(60);
  expect(await plant.alarms(level.site)).toEqual([]);
});

test('evaluates two values of one frame one after the other', async () => {
  const station = await plant.station({ channels: [{ name: 'Level' }, { name: 'Pressure' }] });
  const [first, second] = station.sensor.channels.map(({ datapointUuid }) => datapointUuid);
  const rule = await plant.conditions(station, 'Both', {
    all: [
      { fact: first, operator: 'greaterThan', value: 5 },
      { fact: second, operator: 'equal', value: 1 },
    ],
  });
  const pipeline = plant.app.gateway!.pipeline;
  const device = await pipeline.identify(station.sensor.uid, station.sensor.token);
  if (!device.ok) throw new Error(device.sentence);
  await pipeline.receive(device, { protocol: 'http', body: Buffer.from('1=9;2=1') });
  expect(await plant.open(station.site)).toHaveLength(1);
  expect(await plant.transitions(rule.uuid)).toMatchObject([{ to_phase: 'open', because: 'alarm-state' }]);
});

test('the alarm keeps its evaluated rule after later changes', async () => {
  await twoSensors();
  const rule = await plant.conditions(level, 'Full', { all: [above(level, 80)] });
  await plant.send(level, 90);
  const [alarm] = await plant.open(level.site);
  const ruleJson = JSON.stringify({ conditions: { all: [above(level, 85)] }, event: { type: 'alarm' } });
  await done(update(manager, 'rulesJson', rule.uuid, { ruleJson }));
  await plant.settle();
  const [kept] = await plant.open(level.site);
  expect(kept.uuid).toBe(alarm.uuid);
  expect(kept.criteria.words).toMatch(/^[^-]*, Level is above 80$/);
  expect(JSON.parse(kept.criteria.ruleJson).conditions).toEqual({ all: [above(level, 80)] });
  expect((await plant.events(alarm.uuid)).at(-1)).toMatchObject({
    kind: 'rule-changed',
    sentence: expect.stringMatching(/^Mia Manager changed the rule to version 2\./),
  });
  await plant.pass(1);
  await plant.send(level, 84);
  expect(await plant.open(level.site), 'resolved by the new conditions').toEqual([]);
});

test('disabling or deleting the rule resolves its alarm and says so', async () => {
  for (const end of ['disable', 'delete'] as const) {
    await twoSensors();
    const rule = await plant.conditions(level, 'Full', { all: [above(level, 80)] });
    await plant.send(level, 90);
    const [alarm] = await plant.open(level.site);
    if (end === 'disable') await done(update(manager, 'rulesJson', rule.uuid, { enabled: false }));
    else
      await manager.data(
        'mutation ($s: String!) { deleteRulesJson(input: { ruleName: "Full", siteId: $s }) { rulesJson { uuid } } }',
        { s: level.site.site_id },
      );
    await plant.settle();
    expect(await plant.open(level.site)).toEqual([]);
    expect((await plant.events(alarm.uuid)).at(-1)).toMatchObject({
      kind: 'resolved',
      sentence: `Mia Manager ${end}d the rule, so the rule is no longer evaluated.`,
    });
  }
});

test.each<[string, () => unknown, RegExp]>([
  ['that is not valid JSON', () => '{"conditions":', /not valid JSON/],
  ['without conditions', () => ({ event: { type: 'alarm' } }), /^conditions is missing/],
  ['without an event', () => ({ conditions: { all: [above(elsewhere, 1)] } }), /^event is missing/],
  ['with nothing in all', () => ({ conditions: { all: [] }, event: { type: 'alarm' } }), /^conditions\.all is empty/],
  [
    'with an unknown operator',
    () => ({ conditions: { all: [{ ...above(level, 1), operator: 'near' }] }, event: { type: 'alarm' } }),
    /^conditions\.all\[0\]\.operator is "near"\. Use one of equal/,
  ],
  [
    'that compares with a word',
    () => ({ conditions: { all: [{ ...above(level, 1), value: 'high' }] }, event: { type: 'alarm' } }),
    /^conditions\.all\[0\]\.value is "high"\. Use a number/,
  ],
  [
    'that asks whether a value is in a number',
    () => ({ conditions: { all: [{ ...above(level, 1), operator: 'in', value: 5 }] }, event: { type: 'alarm' } }),
    /list of numbers/,
  ],
  [
    'about a datapoint of another site',
    () => ({ conditions: { any: [{ all: [above(elsewhere, 1)] }] }, event: { type: 'alarm' } }),
    /^conditions\.any\[0\]\.all\[0\]\.fact is "[0-9a-f-]{36}", which is not a data point of the site\. Choose/,
  ],
])('refuses one %s with a message', async (_title, rule, sentence) => {
  await twoSensors();
  const written = rule();
  const ruleJson = typeof written === 'string' ? written : JSON.stringify(written);
  const { refusal } = await create(manager, 'rulesJson', { ruleName: 'Bad', siteId: level.site.site_id, ruleJson });
  expect(refusal).toMatchObject({ field: 'ruleJson', message: expect.stringMatching(sentence) });
});

test('the API stores exactly the rules that the evaluator compiles', async () => {
  await twoSensors();
  const fine = { all: [above(level, 1)] };
  const nested = (depth: number): object => (depth === 0 ? above(level, 1) : { all: [nested(depth - 1)] });
  const event = { type: 'alarm' };
  const rules: unknown[] = [
    { conditions: fine, event },
    { conditions: { not: above(level, 1) }, event },
    {
      conditions: { all: [{ ...above(level, 1), name: 'high', priority: 2 }], name: 'both' },
      event,
      name: 'x',
      priority: 1,
    },
    { conditions: { any: [{ ...above(level, 1), operator: 'in', value: [1, 2.5] }] }, event },
    { conditions: { any: [{ ...above(level, 1), operator: 'notIn', value: [] }] }, event },
    { conditions: { all: [{ ...above(level, 1), value: [1] }] }, event },
    { conditions: { all: [{ ...above(level, 1), value: true }] }, event },
    { conditions: { all: [{ ...above(level, 1), path: '$.x' }] }, event },
    { conditions: { all: [{ fact: level.datapointUuid, operator: 'equal' }] }, event },
    { conditions: { all: [above(level, 1)], any: [above(level, 2)] }, event },
    { conditions: { all: [above(level, 1)], fact: 'x' }, event },
    { conditions: { all: [null] }, event },
    { conditions: { not: [above(level, 1)] }, event },
    { conditions: above(level, 1), event },
    { conditions: nested(8), event },
    { conditions: nested(9), event },
    { conditions: { all: Array.from({ length: 50 }, () => above(level, 1)) }, event },
    { conditions: { all: Array.from({ length: 51 }, () => above(level, 1)) }, event },
    { conditions: fine, event, priority: 'high' },
    { conditions: fine, event, onSuccess: 'x' },
    { conditions: fine, event: { type: '' } },
    { conditions: fine, event: { type: 'alarm', params: [] } },
    { conditions: fine, event: { type: 'alarm', more: 1 } },
    ...[
      { priority: 'critical', debounce: 604_800, message: 'x'.repeat(500) },
      { severity: 'major' },
      { severity: 'silent' },
      { priority: 'urgent' },
      { priority: null },
      { debounce: 'a minute' },
      { debounce: 1.5 },
      { debounce: -1 },
      { debounce: 604_801 },
      { message: 5 },
      { message: 'x'.repeat(501) },
      { colour: 'red' },
    ].map((params) => ({ conditions: fine, event: { type: 'alarm', params } })),
  ];
  const written = [
    ...rules.map((rule) => JSON.stringify(rule)),
    `{"conditions":{"all":[{"fact":"${level.datapointUuid}","operator":"equal","value":1e999}]},"event":{"type":"alarm"}}`,
  ];
  const compiled = written.map((ruleJson) => compileConditions(ruleJson).ok);
  const taken: boolean[] = [];
  for (const [index, ruleJson] of written.entries()) {
    const values = { ruleName: `Rule ${index}`, siteId: level.site.site_id, ruleJson };
    const { refusal } = await create(manager, 'rulesJson', values);
    if (refusal) expect(refusal, ruleJson).toMatchObject({ field: 'ruleJson', code: 'BAD_USER_INPUT' });
    taken.push(refusal === undefined);
  }
  const differ = written.filter((_, index) => taken[index] !== compiled[index]);
  expect(differ).toEqual([]);
  expect(compiled.filter(Boolean)).toHaveLength(8);
});
