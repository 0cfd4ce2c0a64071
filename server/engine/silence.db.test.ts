import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { createCustomer, serviceQuery } from '../../test/harness/database/factories.ts';
import { createSensor, type TestSensor } from '../../test/harness/device/devices.ts';
import { LiveHub } from '../live/hub.ts';
import { Evaluator } from '../pipeline/evaluator.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import { HandClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { silentLog } from '../platform/log.ts';
import { listening } from './listening.ts';
import { silence } from './silence.ts';

const HOUR = 3_600_000;

let db: Database;
let pipeline: Pipeline;
const clock = new HandClock(new Date('2026-03-04T08:00:00Z'));

beforeAll(async () => {
  db = await openTestDatabase();
  const [gateway, evaluator] = [listening({ db, clock, isListening: () => true, timers: false }), silence(db, clock)];
  tick = async () => {
    await gateway.tick(clock.now());
    await evaluator.tick(clock.now());
  };
  pipeline = await Pipeline.start({
    db,
    clock,
    log: silentLog,
    live: new LiveHub(),
    evaluator: new Evaluator(),
    flood: { perSecond: 50, burst: 500 },
    commandRetryMs: 60_000,
    keepReadingsMs: 400 * 24 * HOUR,
    timers: false,
  });
});
afterAll(async () => {
  await pipeline.close();
  await db.close();
  await disposeTestDatabases();
});

async function speak(sensor: TestSensor): Promise<void> {
  const device = await pipeline.identify(sensor.uid, sensor.token);
  if (!device.ok) throw new Error(device.sentence);
  await pipeline.receive(device, { protocol: 'http', body: Buffer.from('1=1') });
  await pipeline.behind.flush();
}

async function states(sensor: TestSensor): Promise<[number, number]> {
  const [row] = await serviceQuery(
    db,
    `select s.site_status, d.status from tocsin.site s, tocsin.asset_datapoint d where s.uuid = $1 and d.uuid = $2`,
    [sensor.site.uuid, sensor.channels[0]?.datapointUuid],
  );
  return [row.site_status, row.status];
}

let tick: () => Promise<void>;

test('a site becomes silent after its health duration, not before, and the next frame ends that', async () => {
  const customer = await createCustomer(db);
  const first = await createSensor(db, { customer });
  const second = await createSensor(db, { customer, site: first.site });
  const never = await createSensor(db, { customer });
  await serviceQuery(db, 'update tocsin.site set tocsin_health_duration_hours = 2, created_at = $1', [
    new Date(clock.now().getTime() + 2 * HOUR),
  ]);
  await speak(first);
  clock.advance(HOUR);
  await speak(second);
  clock.advance(HOUR - 1000);
  await tick();
  expect(await states(first)).toEqual([1, 1]);
  clock.advance(1000);
  await tick();
  expect(await states(first), 'the first sensor is silent, its site is not').toEqual([1, 3]);
  expect(await states(second)).toEqual([1, 1]);
  clock.advance(HOUR);
  await tick();
  expect(await states(second), 'no sensor sends now').toEqual([3, 3]);
  expect(await states(never), 'a site that never sent has no data before its health duration ends').toEqual([0, 0]);
  clock.advance(HOUR - 1000);
  await tick();
  expect(await states(never)).toEqual([0, 0]);
  clock.advance(1000);
  await tick();
  expect(await states(never), 'a site that never sent is silent after its health duration').toEqual([3, 0]);
  await speak(never);
  expect(await states(never)).toEqual([1, 1]);
  await speak(second);
  expect(await states(second)).toEqual([1, 1]);
  expect(await states(first)).toEqual([1, 3]);
});

test('a site in alarm stays in alarm', async () => {
  const customer = await createCustomer(db);
  const sensor = await createSensor(db, { customer });
  await speak(sensor);
  await serviceQuery(db, 'update tocsin.asset_datapoint set status = 2 where uuid = $1', [
    sensor.channels[0]?.datapointUuid,
  ]);
  await serviceQuery(db, 'update tocsin.site set site_status = 2 where uuid = $1', [sensor.site.uuid]);
  clock.advance(48 * HOUR);
  await tick();
  expect(await states(sensor)).toEqual([2, 2]);
});
