/** Planning maintenance windows: their times, changes and refusals. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { UserRow } from '../harness/database/factories.ts';
import type { Plant, Station } from './plant.ts';
import { call, daysBetween, HOUR, MINUTE, PlannedPlant, scopes, targets } from './windows.ts';

let planned: PlannedPlant;
let plant: Plant;
let vera: UserRow;
let olga: UserRow;
beforeAll(async () => {
  planned = await PlannedPlant.start();
  ({ plant, vera, olga } = planned);
});
afterAll(() => plant?.close());

const windowOf: PlannedPlant['windowOf'] = (...given) => planned.windowOf(...given);
const save: PlannedPlant['save'] = (input) => planned.save(input);
const stationWithRule = () => planned.stationWithRule();
const notified: PlannedPlant['notified'] = (station) => planned.notified(station);

describe('the times of a window', () => {
  test('follow the time zone of the company, even after it has changed', async () => {
    const station = await stationWithRule();
    const { next } = await save({
      ...windowOf('site', station.site.uuid, HOUR, 2 * HOUR),
      ...{ repeats: 'once', firstDay: '2027-07-01', fromTime: '08:00', toTime: '12:00', days: 0 },
    });
    expect(next).toMatchObject({ startsAt: expect.stringContaining('2027-07-01T07:00') });
    await plant.query("update tocsin.customer set time_zone = 'America/New_York' where uuid = $1", [
      plant.customer.uuid,
    ]);
    await plant.settle();
    const [moved] = await plant.query('select starts_at from tocsin.maintenance_occurrence where target_uuid = $1', [
      station.site.uuid,
    ]);
    await plant.query("update tocsin.customer set time_zone = 'Europe/London' where uuid = $1", [plant.customer.uuid]);
    await plant.settle();
    expect(moved.starts_at.toISOString()).toBe('2027-07-01T12:00:00.000Z');
  });

  test('of a weekly window stay the same local times when the clocks change', async () => {
    const station = await stationWithRule();
    await save({
      ...{ name: 'Generator test', scope: 'site', targetUuid: station.site.uuid, suppresses: 'notifications' },
      ...{
        repeats: 'weekly',
        firstDay: '2027-03-20',
        lastDay: '2027-04-04',
        weekday: 7,
        fromTime: '00:30',
        toTime: '03:00',
      },
    });
    const rows = await plant.query(
      `select starts_at, ends_at from tocsin.maintenance_occurrence where target_uuid = $1 order by starts_at`,
      [station.site.uuid],
    );
    expect(
      rows.map(({ starts_at, ends_at }) => [starts_at, ends_at].map((at) => at.toISOString().slice(5, 16))),
    ).toEqual([
      ['03-21T00:30', '03-21T03:00'],
      ['03-28T00:30', '03-28T02:00'],
      ['04-03T23:30', '04-04T02:00'],
    ]);
  });
});

test('a weekly window ends after its last day', async () => {
  const station = await plant.station();
  const input = windowOf('site', station.site.uuid, 0, HOUR);
  const weekday = ((new Date(input.firstDay).getUTCDay() + 6) % 7) + 1;
  const { uuid } = await save({ ...input, repeats: 'weekly', weekday, lastDay: input.firstDay });
  await plant.pass(MINUTE);
  expect((await plant.query('select ended_how from tocsin.maintenance_window where uuid = $1', [uuid]))[0]).toEqual({
    ended_how: null,
  });
  await plant.pass(HOUR);
  expect((await plant.query('select ended_how from tocsin.maintenance_window where uuid = $1', [uuid]))[0]).toEqual({
    ended_how: 'over',
  });
});

describe('a planned window', () => {
  test('can be changed to end later or earlier', async () => {
    const station = await stationWithRule();
    const input = windowOf('site', station.site.uuid, 0, HOUR);
    const { uuid } = await save(input);
    await plant.pass(MINUTE);
    await plant.send(station, 120);
    const later = planned.local(3 * HOUR - MINUTE);
    await save({ ...input, uuid, toTime: later.time, days: daysBetween(input.firstDay, later.day) });
    await plant.pass(2 * HOUR);
    expect(await notified(station)).toEqual([]);
    await plant.pass(HOUR);
    expect(await notified(station)).toEqual(['reminder Vera']);
  });

  test.each(scopes)('ends when its %s is deleted, and the audit trail records it', async (scope) => {
    const station = await stationWithRule();
    const { uuid } = await save(windowOf(scope, targets[scope](station), 0, HOUR));
    if (scope === 'sensor')
      await plant.query('delete from tocsin.asset_datapoint where tocsin_sensor_uuid = $1', [station.sensor.uuid]);
    await plant.query(`delete from tocsin.${scope} where uuid = $1`, [targets[scope](station)]);
    const rows = await plant.query(
      `select action, after ->> 'ended_how' as how from tocsin.audit where row_key = $1 and noun = 'maintenance_window' order by id`,
      [uuid],
    );
    expect(rows.at(-1)).toEqual({ action: 'maintenance_window.update', how: 'deleted' });
  });

  test('can be deleted, and people are notified at once', async () => {
    const station = await stationWithRule();
    const { uuid } = await save(windowOf('site', station.site.uuid, 0, HOUR));
    await plant.pass(MINUTE);
    await plant.send(station, 120);
    const { window } = await call(await plant.browser(vera), 'deleteMaintenanceWindow', { windowUuid: uuid });
    expect(window).toMatchObject({ endedHow: 'person', endedByName: 'Vera' });
    await plant.settle();
    expect(await notified(station)).toEqual(['reminder Vera']);
  });
});

describe('a window is refused', () => {
  let station: Station;
  beforeEach(async () => {
    station = await stationWithRule();
  });
  const refusal = async (change: object, by = vera) =>
    (
      await call(await plant.browser(by), 'saveMaintenanceWindow', {
        ...windowOf('site', station.site.uuid, HOUR, 2 * HOUR),
        ...change,
      })
    ).refusal;

  test('without a name, with an end that is not after the start, and if it never takes place', async () => {
    expect(await refusal({ name: ' ' })).toEqual({ field: 'name', message: 'Enter a name.' });
    expect(await refusal({ toTime: '00:00', fromTime: '00:00', days: 0 })).toEqual({
      field: 'toTime',
      message: 'The end is not after the start. Choose a later end.',
    });
    const february = { repeats: 'monthly-day', dayOfMonth: 31, firstDay: '2030-02-01', lastDay: '2030-02-28' };
    expect(await refusal({ ...february, fromTime: '08:00', toTime: '12:00', days: 0 })).toMatchObject({
      field: 'lastDay',
      message: expect.stringMatching(/^No occurrence falls on or before this day\./),
    });
    expect(await refusal({ scope: 'plant' })).toMatchObject({ field: 'scope' });
    expect(await refusal({ suppresses: 'everything' })).toMatchObject({ field: 'suppresses' });
  });

  test('if it overlaps another window of the same object', async () => {
    await save(windowOf('site', station.site.uuid, HOUR, 2 * HOUR));
    expect(await refusal({})).toMatchObject({
      field: 'toTime',
      message: expect.stringMatching(
        /^Overlaps "Pump service", .* to .*\. (Start|End) at \d\d:\d\d or (later|earlier), or choose another day\.$/,
      ),
    });
    expect(await refusal(windowOf('site', station.site.uuid, 2 * HOUR, 3 * HOUR))).toBeUndefined();
    expect(await refusal(windowOf('site', station.site.uuid, 0, HOUR))).toBeUndefined();
    expect(await refusal(windowOf('asset', targets.asset(station), HOUR, 2 * HOUR))).toBeUndefined();
  });

  test('if somebody changed the window in the meantime', async () => {
    const own = await plant.station();
    const input = windowOf('site', own.site.uuid, HOUR, 2 * HOUR);
    const planned = await save(input);
    const change = (name: string, seen: string) => refusal({ ...input, name, uuid: planned.uuid, seen });
    await plant.pass(1);
    expect(await change('First', planned.updatedAt)).toBeUndefined();
    await plant.pass(1);
    expect(await change('Second', planned.updatedAt)).toMatchObject({
      message: 'The record was changed in the meantime. Reload it, then make your change again.',
    });
    const [stored] = await plant.query('select name, updated_at from tocsin.maintenance_window where uuid = $1', [
      planned.uuid,
    ]);
    expect(stored.name).toBe('First');
    expect(await change('Second', stored.updated_at.toISOString())).toBeUndefined();
  });

  test('for an operator', async () => {
    expect(await refusal({}, olga)).toMatchObject({ message: expect.stringMatching(/^The record was deleted/) });
    const { uuid } = await save(windowOf('site', station.site.uuid, 0, HOUR));
    for (const name of ['endMaintenance', 'deleteMaintenanceWindow']) {
      const { refusal: refused } = await call(await plant.browser(olga), name, { windowUuid: uuid });
      expect(refused).toMatchObject({ message: expect.stringMatching(/^The record was deleted/) });
    }
  });
});

test('an operator sees the active windows of their sites', async () => {
  const [own, other] = [await stationWithRule(), await plant.station()];
  await save(windowOf('sensor', own.sensor.uuid, 0, HOUR));
  await save(windowOf('site', other.site.uuid, 0, HOUR));
  await plant.pass(MINUTE);
  const { activeMaintenance } = await (await plant.browser(olga)).data(
    '{ activeMaintenance { nodes { siteUuid name scope targetName } } }',
  );
  const sites = activeMaintenance.nodes.map(({ siteUuid }: { siteUuid: string }) => siteUuid);
  expect(sites).toContain(own.site.uuid);
  expect(sites).not.toContain(other.site.uuid);
});
