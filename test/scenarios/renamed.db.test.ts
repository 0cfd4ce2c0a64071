/** A renamed rule keeps its recipients. The tests configure no sender, so messages go to the outbox. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SILENT_SITE } from '../../domain/alarm/texts.ts';
import { linkUser, type UserRow } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { acknowledge } from './people.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let anna: UserRow;
let boss: UserRow;
let manager: TestBrowser;
beforeAll(async () => {
  plant = await Plant.start({ publicUrl: 'https://tocsin.example' });
  anna = await plant.person({ name: 'Anna' });
  boss = await plant.person({ name: 'Boss' });
  manager = await plant.browser(await plant.person({ level: 5, name: 'Mia' }));
});
afterAll(() => plant?.close());

const MINUTE = 60;
const CALLS = {
  rule: 'mutation ($uuid: UUID!, $name: String!) { updateRule(input: { uuid: $uuid, patch: { name: $name } }) { rule { name } } }',
  rulesJson:
    'mutation ($uuid: UUID!, $name: String!) { updateRulesJson(input: { uuid: $uuid, patch: { ruleName: $name } }) { rulesJson { ruleName } } }',
  sensorChannel:
    'mutation ($uuid: UUID!, $name: String!) { updateSensorChannel(input: { uuid: $uuid, patch: { channelTitleText: $name } }) { sensorChannel { name } } }',
};
const rename = (noun: keyof typeof CALLS, uuid: string | undefined, name: string) =>
  manager.data(CALLS[noun], { uuid, name });

const told = async ({ site }: Station) => (await plant.messages(site)).map(({ person, kind }) => `${person} ${kind}`);
const alertNames = async ({ site }: Station) =>
  (
    await plant.query('select tocsin_rule_name as name from tocsin.rule_alert where tocsin_site_uuid = $1 order by 1', [
      site.uuid,
    ])
  ).map(({ name }) => name);

async function watched(): Promise<{ station: Station; rule: { uuid: string } }> {
  const station = await plant.station();
  await linkUser(plant.db, anna, station.site);
  const rule = await plant.rule(station, { name: 'High level' });
  await plant.alert(station.site, 'High level', { alert: [anna], escalate: [boss], reasons: ['Pump blocked'] });
  return { station, rule };
}

describe('a rule with a new name', () => {
  test('keeps its recipients and reasons, even for the alarm that was open at the time', async () => {
    const { station, rule } = await watched();
    await plant.send(station, 120);
    await plant.settle();
    await rename('rule', rule.uuid, 'Tank nearly full');
    expect(await alertNames(station)).toEqual(['Tank nearly full']);
    await plant.pass(15 * MINUTE);
    expect(await told(station)).toEqual(['Anna alarm', 'Boss escalation']);
    const [open] = await plant.open(station.site);
    const browser = await plant.browser(anna);
    const wrong = await acknowledge(browser, open.uuid, 'Something else');
    expect(wrong.refusal?.message).toBe('Choose one of the reasons of this rule: Pump blocked.');
    expect((await acknowledge(browser, open.uuid, 'Pump blocked')).refusal).toBeUndefined();

    await plant.send(station, 50);
    await plant.pass(60 * MINUTE);
    await plant.send(station, 120);
    await plant.settle();
    expect((await told(station)).filter((line) => line === 'Anna alarm')).toHaveLength(2);
    expect((await plant.alarms(station.site)).map(({ rule_name }) => rule_name)).toEqual([
      'Tank nearly full',
      'Tank nearly full',
    ]);
  });

  test('keeps the old name on past and acknowledged alarms', async () => {
    const { station, rule } = await watched();
    await plant.send(station, 120);
    await plant.settle();
    const [open] = await plant.open(station.site);
    await acknowledge(await plant.browser(anna), open.uuid, 'Pump blocked');
    await plant.pass(1);
    await plant.send(station, 50);
    await plant.settle();
    expect(await plant.open(station.site)).toEqual([]);
    await rename('rule', rule.uuid, 'Tank nearly full');
    expect((await plant.alarms(station.site)).map(({ rule_name }) => rule_name)).toEqual(['High level']);
  });

  test('leaves the rule alert to another rule with the old name', async () => {
    const { station, rule } = await watched();
    const second = await plant.rule(await plant.another(station), { name: 'High level' });
    await rename('rule', rule.uuid, 'Tank nearly full');
    expect(await alertNames(station)).toEqual(['High level']);
    await rename('rule', second.uuid, 'Well nearly full');
    expect(await alertNames(station)).toEqual(['Well nearly full']);
  });

  test('leaves the rule alert if others are joined to the new name', async () => {
    const { station, rule } = await watched();
    await plant.alert(station.site, 'Tank nearly full', { alert: [boss] });
    await rename('rule', rule.uuid, 'Tank nearly full');
    expect(await alertNames(station)).toEqual(['High level', 'Tank nearly full']);
    await plant.send(station, 120);
    await plant.settle();
    expect(await told(station)).toEqual(['Boss alarm']);
  });

  test('is not matched with a rule of another site, or with silence', async () => {
    const { station, rule } = await watched();
    const elsewhere = await watched();
    await plant.query('update tocsin.rule set name = $2 where uuid = $1', [rule.uuid, SILENT_SITE]);
    expect(await alertNames(station)).toEqual([SILENT_SITE]);
    await rename('rule', rule.uuid, 'Level');
    expect(await alertNames(station)).toEqual([SILENT_SITE]);
    expect(await alertNames(elsewhere.station)).toEqual(['High level']);
  });
});

test('multi-condition rules and digital alarms keep their recipients at each site too', async () => {
  const station = await plant.station({ channels: [{ name: 'Door', channel_alarm_condition: 1 }], sensorType: 1 });
  await linkUser(plant.db, anna, station.site);
  const rule = await plant.conditions(station, 'Open at night', {
    all: [{ fact: station.datapointUuid, operator: 'equal', value: 1 }],
  });
  await plant.alert(station.site, 'Open at night', { alert: [anna] });
  await plant.alert(station.site, 'Door', { alert: [boss] });
  await rename('rulesJson', rule.uuid, 'Door left open');
  await rename('sensorChannel', station.sensor.channels[0]?.uuid, 'Cold store door');
  expect(await alertNames(station)).toEqual(['Cold store door', 'Door left open']);
  await plant.send(station, 1);
  await plant.settle();
  expect((await told(station)).sort()).toEqual(['Anna alarm', 'Boss alarm']);
});
