/** Alarms of sites that stop sending data. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkUser, type UserRow } from '../harness/database/factories.ts';
import { acknowledge, resolve } from './people.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let anna: UserRow;
let boss: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  anna = await plant.person({ name: 'Anna' });
  boss = await plant.person({ name: 'Boss' });
});
afterAll(() => plant?.close());

const HOUR = 3600;

/** Creates a site with this health duration in hours. The site has just sent a value. */
async function heard(hours = 2): Promise<Station> {
  const station = await plant.station();
  await plant.query('update tocsin.site set tocsin_health_duration_hours = $2 where uuid = $1', [
    station.site.uuid,
    hours,
  ]);
  await plant.send(station, 50);
  await plant.settle();
  return station;
}

const told = async ({ site }: Station) => (await plant.messages(site)).map(({ person, kind }) => `${person} ${kind}`);

test('a site without data for its health duration opens one alarm, sent to health recipients', async () => {
  const station = await heard();
  const other = await plant.another(station);
  await plant.send(other, 1);
  await plant.alert(station.site, 'High level', { alert: [boss], health: [anna] });
  await plant.alert(station.site, 'Low level', { health: [anna] });
  await plant.pass(2 * HOUR - 1);
  expect(await plant.alarms(station.site)).toEqual([]);
  await plant.pass(1);
  for (let round = 0; round < 3; round += 1) await plant.pass(HOUR);
  const [alarm, ...others] = await plant.alarms(station.site);
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({ source: 'silence', severity: 'silent', message: 'Site silent', resolved_date: null });
  expect(await told(station), 'notified once, although two rule alerts name her').toEqual(['Anna health']);
  const [row] = await plant.query(
    'select message_type, notify_message from tocsin.notification where tocsin_alarm_uuid = $1',
    [alarm.uuid],
  );
  expect(row).toEqual({
    message_type: 2,
    notify_message: `SILENT: ${station.site.name}: None of its sensors has sent data for 2 h.`,
  });
});

test('the alarm has the time at which the silence was due, however late it is noticed', async () => {
  const station = await heard();
  const due = plant.clock.now().getTime() + 2 * HOUR * 1000;
  await plant.alert(station.site, 'Site silent', { health: [anna], escalate: [boss] }, { escalate_minutes: 5 });
  await plant.pass(2 * HOUR - 30);
  // The restart is too short to count as downtime.
  await plant.restart(120);
  await plant.settle();
  const noticed = plant.clock.now().getTime();
  const [alarm] = await plant.open(station.site);
  expect([alarm.date_time.getTime(), alarm.created_at.getTime()]).toEqual([due, noticed]);
  expect((await plant.events(alarm.uuid))[0]).toMatchObject({ kind: 'opened' });
  // Nobody could acknowledge the alarm before it was created, so escalation counts from its creation.
  expect(alarm.next_escalation_at.getTime()).toBe(noticed + 5 * 60_000);
});

test('starts the health duration again after a downtime of the server', async () => {
  const station = await heard();
  await plant.restart(10 * HOUR);
  await plant.settle();
  const due = plant.clock.now().getTime() + 2 * HOUR * 1000;
  await plant.pass(2 * HOUR + 20);
  expect((await plant.open(station.site)).map(({ date_time }) => date_time.getTime())).toEqual([due]);
});

test('one sending sensor keeps its site from being silent', async () => {
  const station = await heard();
  const other = await plant.another(station);
  for (let round = 0; round < 4; round += 1) {
    await plant.send(other, round);
    await plant.pass(HOUR);
  }
  expect(await plant.alarms(station.site)).toEqual([]);
});

test('the next frame of any sensor resolves it, and notifies resolution recipients', async () => {
  const station = await heard();
  const other = await plant.another(station);
  await plant.alert(station.site, 'High level', { health: [anna, boss], resolve: [anna] });
  await plant.pass(3 * HOUR);
  const [alarm] = await plant.open(station.site);
  await plant.pass(60);
  await plant.send(other, 1);
  await plant.settle();
  expect(await plant.open(station.site)).toEqual([]);
  expect(await plant.alarms(station.site)).toMatchObject([
    { resolved_how: 'heard-again', resolved_date: plant.clock.now() },
  ]);
  expect((await plant.events(alarm.uuid)).map(({ kind }) => kind)).toEqual(['opened', 'resolved']);
  expect(await told(station)).toEqual(['Anna health', 'Boss health', 'Anna resolve']);
  expect((await plant.messages(station.site)).find(({ kind }) => kind === 'resolve')?.text).toMatch(
    /After 1 h 1 min: the site is sending data again$/,
  );
  const numbers = 'select message_type as type from tocsin.notification where tocsin_site_uuid = $1 order by 1';
  expect(await plant.query(numbers, [station.site.uuid])).toEqual([{ type: 2 }, { type: 2 }, { type: 3 }]);
  await plant.pass(3 * HOUR);
  expect(await plant.alarms(station.site), 'the next silence opens another alarm').toHaveLength(2);
});

test('an unreadable frame counts as contact', async () => {
  const station = await heard();
  await plant.pass(3 * HOUR);
  const pipeline = plant.app.gateway!.pipeline;
  const device = await pipeline.identify(station.sensor.uid, station.sensor.token);
  if (!device.ok) throw new Error(device.sentence);
  await pipeline.receive(device, { protocol: 'http', body: Buffer.from('{"1": ') });
  await plant.settle();
  expect(await plant.open(station.site)).toEqual([]);
});

test('a site without any contact opens nothing', async () => {
  const station = await plant.station();
  await plant.pass(100 * HOUR);
  expect(await plant.alarms(station.site)).toEqual([]);
});

test('a silent site in alarm has both alarms, and stays in alarm after contact', async () => {
  const station = await heard();
  await plant.rule(station, { name: 'High level' });
  await plant.pass(1);
  await plant.send(station, 120);
  await plant.pass(3 * HOUR);
  await plant.pass(HOUR);
  expect((await plant.open(station.site)).map(({ source }) => source)).toEqual(['limits', 'silence']);
  await plant.send(station, 121);
  await plant.settle();
  expect((await plant.open(station.site)).map(({ source }) => source)).toEqual(['limits']);
  const [{ site_status }] = await plant.query('select site_status from tocsin.site where uuid = $1', [
    station.site.uuid,
  ]);
  expect(site_status).toBe(2);
});

test('does not count time in which the server was down as silence', async () => {
  const station = await heard();
  await plant.restart(10 * HOUR);
  await plant.settle();
  expect(await plant.alarms(station.site)).toEqual([]);
  await plant.pass(2 * HOUR - 1);
  expect(await plant.alarms(station.site)).toEqual([]);
  await plant.pass(1);
  expect(await plant.open(station.site), 'the full health duration counts from the restart').toHaveLength(1);
});

test('a short restart does not delay it', async () => {
  const station = await heard();
  await plant.pass(HOUR);
  await plant.restart(60);
  await plant.pass(HOUR - 60);
  expect(await plant.open(station.site)).toHaveLength(1);
});

test('does not open again after a person resolved it, until the site was heard', async () => {
  const [quiet, busy] = [await heard(), await heard()];
  await plant.rule(busy, { name: 'High level' });
  await plant.pass(1);
  await plant.send(busy, 120);
  await plant.pass(3 * HOUR);
  const manager = await plant.app.browser(await plant.person({ level: 5 }));
  for (const { site } of [quiet, busy]) {
    const alarm = (await plant.open(site)).find(({ source }) => source === 'silence');
    expect((await resolve(manager, alarm.uuid, 'Known')).refusal).toBeUndefined();
  }
  for (let round = 0; round < 3; round += 1) await plant.pass(60);
  const silences = async ({ site }: Station) => (await plant.alarms(site)).filter(({ source }) => source === 'silence');
  expect([(await silences(quiet)).length, (await silences(busy)).length]).toEqual([1, 1]);
  for (const station of [quiet, busy]) await plant.send(station, 50);
  await plant.pass(3 * HOUR);
  expect([(await silences(quiet)).length, (await silences(busy)).length]).toEqual([2, 2]);
});

test('is acknowledged and escalated by the rule alert of its name', async () => {
  const station = await heard();
  await linkUser(plant.db, anna, station.site);
  await plant.alert(
    station.site,
    'Site silent',
    { health: [anna], escalate: [boss], reasons: ['Power cut'] },
    { escalate_minutes: 5 },
  );
  await plant.pass(2 * HOUR);
  await plant.pass(5 * 60);
  expect(await told(station)).toEqual(['Anna health', 'Boss escalation']);
  const [alarm] = await plant.open(station.site);
  const browser = await plant.app.browser(anna);
  expect((await acknowledge(browser, alarm.uuid, 'Whatever')).refusal?.message).toMatch(/Power cut/);
  await acknowledge(browser, alarm.uuid, 'Power cut');
  await plant.pass(HOUR);
  expect(await told(station)).toHaveLength(2);
});
