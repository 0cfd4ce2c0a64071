/**
 * Readings as they occur in practice: late, repeated, out of order, or missing. The tests also cover backlogs, devices
 * with a wrong clock, and a restart of the server between readings.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../harness/server/app.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
beforeAll(async () => {
  plant = await Plant.start();
});
afterAll(() => plant?.close());

const steps = async (uuid: string) =>
  (await plant.transitions(uuid)).map(({ to_phase, because, at }) => `${to_phase} ${because} ${secondsAgo(at)}`);
const secondsAgo = (at: Date) => (plant.clock.now().getTime() - at.getTime()) / 1000;

async function watched(columns: Record<string, unknown> = {}): Promise<{ station: Station; rule: string }> {
  const station = await plant.station();
  const { uuid } = await plant.rule(station, { debounce: 60, ...columns });
  return { station, rule: uuid };
}

test('stores a late reading, which changes no alarm', async () => {
  const { station, rule } = await watched({ debounce: 0 });
  await plant.send(station, 50);
  await plant.send(station, 120, 300);
  await plant.pass(600);
  expect(await plant.alarms(station.site)).toEqual([]);
  await plant.send(station, 120);
  await plant.send(station, 50, 10);
  await plant.pass(60);
  expect(await plant.open(station.site), 'a late value inside the limits does not resolve the alarm').toHaveLength(1);
  expect(await steps(rule)).toEqual(['open above-upper 60']);
  const [stored] = await plant.query<{ count: string }>(
    'select count(*) from tocsin.reading r join tocsin.sensor_channel c on c.key = r.channel_key where c.uuid = $1',
    [station.sensor.channels[0]?.uuid],
  );
  expect(Number(stored?.count)).toBe(4);
});

test('ignores a duplicate, and another value of the same time', async () => {
  const { station, rule } = await watched();
  await plant.send(station, 120);
  await plant.send(station, 120);
  await plant.send(station, 50);
  await plant.pass(30);
  await plant.send(station, 120, 30);
  await plant.pass(30);
  expect(await plant.open(station.site), 'the first value of the same device time counts').toHaveLength(1);
  expect(await steps(rule)).toEqual(['pending above-upper 60', 'open stayed-out 0']);
});

test('evaluates values of one frame in the order of their times', async () => {
  const { station, rule } = await watched();
  await plant.frame(station, [
    [0, 50],
    [120, 130],
    [30, 120],
    [200, 50],
  ]);
  expect(await steps(rule)).toEqual(['pending above-upper 120', 'open stayed-out 60', 'clearing back-inside 0']);
  const [alarm] = await plant.open(station.site);
  expect(secondsAgo(alarm.date_time)).toBe(60);
  expect(secondsAgo(alarm.pending_since)).toBe(120);
});

test('opens and resolves an alarm for an excursion inside one frame, and notifies of it', async () => {
  const { station, rule } = await watched({ name: 'Backlog' });
  const anna = await plant.person({ name: 'Anna' });
  await plant.alert(station.site, 'Backlog', { alert: [anna], resolve: [anna] });
  await plant.frame(station, [
    [1000, 120],
    [900, 125],
    [800, 50],
    [100, 50],
  ]);
  await plant.settle();
  expect(await steps(rule)).toEqual([
    'pending above-upper 1000',
    'open stayed-out 940',
    'clearing back-inside 800',
    'normal stayed-inside 740',
  ]);
  const [alarm] = await plant.alarms(station.site);
  expect([alarm.date_time, alarm.resolved_date].map(secondsAgo)).toEqual([940, 740]);
  expect((await plant.messages(station.site)).map(({ kind }) => kind).sort()).toEqual(['alarm', 'resolve']);
});

test('opens nothing for an excursion shorter than the debounce, however many readings it has', async () => {
  const { station } = await watched();
  await plant.frame(
    station,
    Array.from({ length: 60 }, (_, index) => [100 - index, 120] as const),
  );
  await plant.frame(station, [[40.5, 50]]);
  await plant.pass(600);
  expect(await plant.alarms(station.site)).toEqual([]);
});

test('evaluates the newest frame of a backlog that a logger uploads newest first', async () => {
  const { station, rule } = await watched();
  await plant.frame(station, [
    [200, 120],
    [100, 120],
  ]);
  await plant.frame(station, [
    [400, 50],
    [300, 130],
  ]);
  expect(await steps(rule)).toEqual(['pending above-upper 200', 'open stayed-out 140']);
  expect(await plant.alarms(station.site)).toMatchObject([{ occurrences: 1, resolved_date: null }]);
});

test('keeps a value during a gap in the data until the next one', async () => {
  const { station, rule } = await watched();
  await plant.frame(station, [
    [7200, 120],
    [0, 120],
  ]);
  expect(await steps(rule)).toEqual(['pending above-upper 7200', 'open stayed-out 7140']);
});

test('opens the alarm on time, once, when a sensor outside its limits becomes silent', async () => {
  const { station, rule } = await watched();
  await plant.send(station, 120);
  await plant.pass(59.999);
  expect(await plant.alarms(station.site)).toEqual([]);
  await plant.pass(0.001);
  expect(await plant.open(station.site)).toHaveLength(1);
  await plant.pass(86_400);
  expect(await plant.alarms(station.site)).toMatchObject([{ source: 'limits', occurrences: 1 }, { source: 'silence' }]);
  expect(await plant.transitions(rule)).toHaveLength(2);
});

test('resolves the alarm on time when a sensor inside its limits becomes silent', async () => {
  const { station } = await watched();
  await plant.send(station, 120);
  await plant.pass(60);
  await plant.send(station, 50);
  await plant.pass(59);
  expect(await plant.open(station.site)).toHaveLength(1);
  await plant.pass(1);
  expect(await plant.open(station.site)).toEqual([]);
});

test('counts leaving the limits while clearing as an occurrence of the same alarm', async () => {
  const { station } = await watched();
  await plant.send(station, 120);
  await plant.pass(60);
  for (let round = 0; round < 2; round += 1) {
    await plant.send(station, 50);
    await plant.pass(30);
    await plant.send(station, 130);
    await plant.pass(30);
  }
  const [alarm, ...others] = await plant.alarms(station.site);
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({ occurrences: 3, resolved_date: null });
  expect(secondsAgo(alarm.last_occurred_at)).toBe(30);
  expect((await plant.events(alarm.uuid)).map(({ kind }) => kind)).toEqual([
    'opened',
    'clearing',
    'out-again',
    'clearing',
    'out-again',
  ]);
});

test('replaces a time far in the future by now, so that the debounce keeps its length', async () => {
  const { station } = await watched();
  await plant.send(station, 120, -3600);
  await plant.pass(59);
  expect(await plant.alarms(station.site)).toEqual([]);
  await plant.pass(1);
  expect(await plant.open(station.site)).toHaveLength(1);
  await plant.send(station, 50);
  await plant.pass(60);
  expect(await plant.open(station.site), 'later readings are evaluated').toEqual([]);
});

test('keeps the alarm when a device’s clock is set back, until it passes the old time', async () => {
  const { station } = await watched({ debounce: 0 });
  await plant.send(station, 120, -240);
  expect(await plant.open(station.site)).toHaveLength(1);
  await plant.pass(60);
  await plant.send(station, 50);
  expect(await plant.open(station.site)).toHaveLength(1);
  await plant.pass(240);
  await plant.send(station, 50);
  expect(await plant.open(station.site)).toEqual([]);
});

test('two processes on one database evaluate as one', async () => {
  const { station, rule } = await watched();
  const second = await startTestApp({ database: plant.db, clock: plant.clock });
  const first = plant.app;
  const through = async (app: typeof first, value: number) => {
    plant.app = app;
    await plant.send(station, value);
    plant.app = first;
  };
  try {
    await through(first, 120);
    await through(second, 121);
    plant.clock.advance(60_000);
    await Promise.all([first.engine?.tick(), second.engine?.tick()]);
    expect(await plant.open(station.site)).toHaveLength(1);
    await through(second, 50);
    plant.clock.advance(30_000);
    await through(first, 130);
    await through(second, 131);
    plant.clock.advance(30_000);
    await Promise.all([first.engine?.tick(), second.engine?.tick()]);
    expect(await plant.alarms(station.site)).toMatchObject([{ occurrences: 2, resolved_date: null }]);
    expect((await plant.transitions(rule)).map(({ because }) => because)).toEqual([
      'above-upper',
      'stayed-out',
      'back-inside',
      'out-again',
    ]);
  } finally {
    await second.close();
  }
});

test('stores an unreadable frame and opens nothing', async () => {
  const { station } = await watched({ debounce: 0 });
  const pipeline = plant.app.gateway!.pipeline;
  const device = await pipeline.identify(station.sensor.uid, station.sensor.token);
  if (!device.ok) throw new Error(device.sentence);
  const answer = await pipeline.receive(device, { protocol: 'http', body: Buffer.from('{"1": 120') });
  expect(answer.ok).toBe(false);
  await plant.pass(60);
  expect(await plant.alarms(station.site)).toEqual([]);
});

test('stores readings of a sensor in maintenance and opens nothing', async () => {
  const { station } = await watched({ debounce: 0 });
  await plant.query('update tocsin.sensor set status = 2 where uuid = $1', [station.sensor.uuid]);
  await plant.send(station, 120);
  await plant.pass(60);
  expect(await plant.alarms(station.site)).toEqual([]);
});

test('opens and resolves on time after a restart', async () => {
  const { station, rule } = await watched();
  const late = await watched();
  await plant.send(station, 120);
  await plant.send(late.station, 120);
  await plant.pass(30);
  await plant.restart();
  await plant.pass(29);
  expect(await plant.alarms(station.site)).toEqual([]);
  await plant.pass(1);
  expect(await plant.open(station.site)).toHaveLength(1);
  await plant.send(station, 50);
  await plant.restart();
  await plant.pass(60);
  expect(await plant.open(station.site)).toEqual([]);
  expect((await plant.transitions(rule)).map(({ because }) => because)).toEqual([
    'above-upper',
    'stayed-out',
    'back-inside',
    'stayed-inside',
  ]);
  expect(await plant.open(late.station.site)).toHaveLength(1);
});

test('processes what became due while the server was down once, with its due time', async () => {
  const { station, rule } = await watched();
  await plant.send(station, 120);
  await plant.restart(600);
  await plant.settle();
  await plant.restart();
  await plant.send(station, 120);
  await plant.settle();
  const [alarm, ...others] = await plant.alarms(station.site);
  expect(others).toEqual([]);
  expect(secondsAgo(alarm.date_time)).toBe(540);
  expect(await plant.transitions(rule)).toHaveLength(2);
});
