/**
 * The notification of a repeated opening is suppressed for ten minutes. After that, it is sent if the alarm is still
 * open.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deferred } from '../../server/engine/deferred.ts';
import type { UserRow } from '../harness/database/factories.ts';
import { acknowledge, resolve } from './people.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let vera: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  vera = await plant.person({ name: 'Vera', level: 5 });
});
afterAll(() => plant?.close());

const TEN_MINUTES = 600;

/** Opens two alarms, two minutes apart. Vera is notified only of the first alarm, and the second alarm stays open. */
async function suppressed(people: Parameters<Plant['alert']>[2] = { alert: [vera] }): Promise<Station> {
  const station = await plant.station();
  await plant.rule(station, { name: 'High level' });
  await plant.alert(station.site, 'High level', people, { escalate_minutes: 5 });
  await plant.send(station, 120);
  await plant.pass(60);
  await plant.send(station, 50);
  await plant.pass(60);
  await plant.send(station, 120);
  await plant.settle();
  expect(await plant.alarms(station.site)).toHaveLength(2);
  expect(await sent(station)).toEqual(['Vera 0']);
  return station;
}

/**
 * Returns the sent opening notifications in order. Each text contains the name of the recipient and the index of the
 * alarm.
 */
async function sent({ site }: Station): Promise<string[]> {
  const alarms = (await plant.alarms(site)).map(({ uuid }) => uuid);
  const rows = await plant.query(
    `select recipient_name as name, tocsin_alarm_uuid as alarm from tocsin.notification
     where tocsin_site_uuid = $1 and kind in ('alarm', 'action') order by sequence_number`,
    [site.uuid],
  );
  return rows.map(({ name, alarm }) => `${name} ${alarms.indexOf(alarm)}`);
}

describe('a suppressed opening', () => {
  test('is sent once when the ten minutes end, even after a restart', async () => {
    const station = await suppressed();
    await plant.pass(TEN_MINUTES - 121);
    expect(await sent(station)).toEqual(['Vera 0']);
    await plant.restart();
    await plant.pass(1);
    expect(await sent(station)).toEqual(['Vera 0', 'Vera 1']);
    expect(await plant.messages(station.site)).toMatchObject([{ state: 'sent' }, { state: 'sent' }]);
    await plant.pass(3 * TEN_MINUTES);
    expect(await sent(station)).toHaveLength(2);
  });

  test('is sent once if two processes find it due', async () => {
    const station = await suppressed();
    plant.clock.advance(TEN_MINUTES * 1000);
    const tick = () => deferred(plant.db, plant.clock).tick(plant.clock.now());
    await Promise.all([tick(), tick(), tick()]);
    expect(await sent(station)).toEqual(['Vera 0', 'Vera 1']);
    expect(await plant.query('select from tocsin_private.deferred_notification')).toEqual([]);
  });

  test('is cancelled when the alarm resolves before', async () => {
    const station = await suppressed();
    await plant.pass(60);
    await plant.send(station, 50);
    expect(await plant.query('select from tocsin_private.deferred_notification')).toEqual([]);
    await plant.pass(TEN_MINUTES);
    expect(await sent(station)).toEqual(['Vera 0']);
  });

  test('is sent if a reading after a gap shows that the alarm was still open after ten minutes', async () => {
    const station = await suppressed();
    plant.clock.advance(TEN_MINUTES * 1000);
    await plant.send(station, 50);
    await plant.settle();
    expect(await sent(station)).toEqual(['Vera 0', 'Vera 1']);
  });

  test('is cancelled when a person resolves the alarm, and the next alarm is sent at once', async () => {
    const station = await suppressed();
    const [alarm] = await plant.open(station.site);
    await resolve(await plant.browser(vera), alarm.uuid);
    await plant.settle();
    await plant.pass(1);
    await plant.send(station, 121);
    await plant.settle();
    expect(await sent(station)).toEqual(['Vera 0', 'Vera 2']);
    await plant.pass(TEN_MINUTES);
    expect(await sent(station)).toHaveLength(2);
  });

  test('is not sent to the person who acknowledged the alarm', async () => {
    const station = await suppressed();
    const [alarm] = await plant.open(station.site);
    await acknowledge(await plant.browser(vera), alarm.uuid, 'On my way');
    await plant.pass(TEN_MINUTES);
    expect(await sent(station)).toEqual(['Vera 0']);
  });

  test('is sent although somebody else acknowledged the alarm, because it is still open', async () => {
    const station = await suppressed();
    const [alarm] = await plant.open(station.site);
    const other = await plant.person({ level: 5 });
    await acknowledge(await plant.browser(other), alarm.uuid, 'On my way');
    await plant.pass(TEN_MINUTES);
    expect(await sent(station)).toEqual(['Vera 0', 'Vera 1']);
  });

  test('is not sent to a person who is disabled by then', async () => {
    const station = await suppressed();
    await plant.query('update tocsin.user set status = false where uuid = $1', [vera.uuid]);
    await plant.pass(TEN_MINUTES);
    await plant.query('update tocsin.user set status = true where uuid = $1', [vera.uuid]);
    expect(await sent(station)).toEqual(['Vera 0']);
  });

  test('is not sent again to a person to whom the alarm was escalated before', async () => {
    const station = await suppressed({ alert: [vera], escalate: [vera] });
    await plant.pass(310);
    expect((await plant.messages(station.site)).map(({ kind }) => kind)).toEqual(['alarm', 'escalation']);
    await plant.pass(TEN_MINUTES - 310);
    expect(await sent(station)).toEqual(['Vera 0']);
  });
});

test('the timeline says whether the opening or the resolution was suppressed', async () => {
  const rita = await plant.person({ name: 'Rita' });
  const station = await suppressed({ alert: [vera], resolve: [rita] });
  await plant.pass(60);
  await plant.send(station, 50);
  await plant.settle();
  const [, second] = await plant.alarms(station.site);
  const rows = await plant.query(
    `select sentence, detail from tocsin.alarm_event where tocsin_alarm_uuid = $1 and kind = 'not-notified' order by id`,
    [second.uuid],
  );
  expect(rows).toMatchObject([
    {
      sentence:
        'The opening notification to Vera by e-mail was deferred. The same address received one for the previous alarm less than 10 minutes earlier. If this alarm is still open when the 10 minutes end, the notification is sent.',
      detail: { suppressed: 'opening', user: vera.uuid },
    },
    {
      sentence:
        'The resolution notification to Rita by e-mail was not sent. The same address received one for the previous alarm less than 10 minutes earlier.',
      detail: { suppressed: 'resolution', user: rita.uuid },
    },
  ]);
});

test('an alarm that rules share resolves when the last of them ends inside one frame', async () => {
  const station = await plant.station();
  await plant.rule(station, { name: 'High level', message: 'Level' });
  await plant.rule(station, { name: 'Very high level', message: 'Level', value_upper: 110 });
  await plant.alert(station.site, 'High level', { alert: [vera], resolve: [vera] });
  const otto = await plant.person({ name: 'Otto' });
  await plant.alert(station.site, 'Very high level', { alert: [otto], resolve: [otto] });
  await plant.frame(station, [
    [60, 120],
    [50, 105],
    [40, 50],
    [30, 120],
    [20, 50],
    [10, 120],
  ]);
  await plant.settle();
  expect((await plant.alarms(station.site)).map(({ resolved_date }) => resolved_date === null)).toEqual([
    false,
    false,
    true,
  ]);
  for (const name of ['Vera', 'Otto']) {
    const kinds = await plant.query(
      `select kind from tocsin.notification where tocsin_site_uuid = $1 and recipient_name = $2 order by sequence_number`,
      [station.site.uuid, name],
    );
    expect(
      kinds.map(({ kind }) => kind),
      name,
    ).toEqual(['alarm', 'resolve', 'alarm', 'resolve', 'alarm']);
  }
});
