/** From reading to alarm. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Plant } from './plant.ts';

let plant: Plant;
beforeAll(async () => {
  plant = await Plant.start();
});
afterAll(() => plant?.close());

test('a value that stays out of limits for the debounce opens one alarm, and one that stays inside resolves it', async () => {
  const station = await plant.station();
  const anna = await plant.person({ name: 'Anna Operator' });
  const rule = await plant.rule(station, { debounce: 60, name: 'High level' });
  await plant.alert(station.site, 'High level', { alert: [anna], resolve: [anna] });
  await plant.send(station, 50);
  await plant.pass(60);
  await plant.send(station, 120);
  expect(await plant.open(station.site)).toEqual([]);
  await plant.pass(59);
  expect(await plant.open(station.site)).toEqual([]);
  await plant.pass(1);
  const [alarm] = await plant.open(station.site);
  expect(alarm).toMatchObject({
    message: 'High level',
    severity: 'minor',
    value: 120,
    rule_uuid: rule.uuid,
    source: 'limits',
  });
  await plant.pass(60);
  const back = plant.clock.now().toISOString().slice(0, 16).replace('T', ' ');
  await plant.send(station, 80);
  await plant.pass(30);
  await plant.send(station, 70);
  await plant.pass(30);
  expect(await plant.open(station.site)).toEqual([]);
  expect(
    (await plant.transitions(rule.uuid)).map(({ to_phase, because, value }) => [to_phase, because, value]),
  ).toEqual([
    ['pending', 'above-upper', 120],
    ['open', 'stayed-out', 120],
    ['clearing', 'back-inside', 80],
    ['normal', 'stayed-inside', 80],
  ]);
  expect((await plant.messages(station.site)).map(({ person, kind, state }) => [person, kind, state])).toEqual([
    ['Anna Operator', 'alarm', 'sent'],
    ['Anna Operator', 'resolve', 'sent'],
  ]);
  // By the value that came back, and not by that of the alarm or by one that came later.
  expect((await plant.messages(station.site))[1]?.text).toBe(
    `RESOLVED (minor): ${station.site.name}: High level. After 2 min: inside its limits since ${back} (80)`,
  );
  expect((await plant.events(alarm.uuid)).map(({ kind }) => kind)).toEqual(['opened', 'clearing', 'resolved']);
});

test('a brief spike raises nothing', async () => {
  const station = await plant.station();
  const rule = await plant.rule(station, { debounce: 60 });
  await plant.send(station, 120);
  await plant.pass(30);
  await plant.send(station, 80);
  await plant.pass(600);
  expect(await plant.alarms(station.site)).toEqual([]);
  expect((await plant.transitions(rule.uuid)).map(({ because }) => because)).toEqual([
    'above-upper',
    'back-before-debounce',
  ]);
});
