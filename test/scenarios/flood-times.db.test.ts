/** Which alarms belong to a flood, when they open in several transactions. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { UserRow } from '../harness/database/factories.ts';
import { calmDown, floodStation, floodsOf, heard, raise } from './flood-plant.ts';
import { Plant } from './plant.ts';

let plant: Plant;
let vera: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  vera = await plant.person({ name: 'Vera', level: 5 });
});
afterAll(() => plant?.close());
beforeEach(() => calmDown(plant));

async function listOf(flood: string): Promise<number> {
  const { alarmList } = await (await plant.browser(vera)).data(
    'query ($flood: UUID!) { alarmList(floodUuid: $flood, first: 50) { nodes { uuid } } }',
    { flood },
  );
  return alarmList.nodes.length;
}

test('alarms of the whole ten minutes count', async () => {
  const storm = await floodStation(plant, { alert: [vera] });
  await raise(plant, storm, 1, 6);
  await plant.pass(590);
  await raise(plant, storm, 7, 11);
  expect(await heard(plant, storm)).toHaveLength(10);
  expect((await floodsOf(plant)).at(-1)).toMatchObject({ alarms: 11 });
});

test('alarms that are ten minutes old do not count', async () => {
  const storm = await floodStation(plant, { alert: [vera] });
  await raise(plant, storm, 1, 6);
  await plant.pass(600);
  await raise(plant, storm, 7, 11);
  expect(await heard(plant, storm)).toHaveLength(11);
});

test('an alarm after a flood is not in its list', async () => {
  const storm = await floodStation(plant, { alert: [vera] });
  await raise(plant, storm, 1, 12);
  await plant.pass(620);
  await raise(plant, storm, 13);
  const [flood] = (await floodsOf(plant)).slice(-1);
  expect(flood).toMatchObject({ alarms: 12, ended_at: expect.any(Date) });
  expect(await listOf(flood.uuid)).toBe(12);
});

test('an alarm belongs to one flood only', async () => {
  await plant.query('update tocsin.customer set flood_end_alarms = 10 where uuid = $1', [plant.customer.uuid]);
  const storm = await floodStation(plant, { alert: [vera] });
  await raise(plant, storm, 1, 11);
  await plant.pass(540);
  await raise(plant, storm, 12, 19);
  await plant.pass(70);
  expect((await floodsOf(plant)).at(-1)).toMatchObject({ alarms: 19, ended_at: expect.any(Date) });
  await raise(plant, storm, 20, 22);
  const [first, second] = (await floodsOf(plant)).slice(-2);
  expect([first.alarms, second.alarms]).toEqual([19, 3]);
  expect([await listOf(first.uuid), await listOf(second.uuid)]).toEqual([19, 3]);
  await plant.query('update tocsin.customer set flood_end_alarms = 5 where uuid = $1', [plant.customer.uuid]);
});
