/**
 * A process takes over sensors from another process on the same database. The tests check unwritten values, server
 * times, commands and rate limits.
 */
import { afterAll, afterEach, expect, test } from 'vitest';
import { listening } from '../../server/engine/listening.ts';
import { silence } from '../../server/engine/silence.ts';
import { HandClock } from '../../server/platform/clock.ts';
import { disposeTestDatabases } from '../harness/database/database.ts';
import { insertRow, serviceQuery } from '../harness/database/factories.ts';
import type { TestSensor } from '../harness/device/devices.ts';
import { Cluster, SECOND, send } from './cluster.ts';
import { createTwins } from './twins.ts';

let cluster: Cluster;
afterEach(() => cluster?.close());
afterAll(disposeTestDatabases);

const query = (text: string, ...values: unknown[]) => serviceQuery(cluster.db, text, values);
const HOUR = 3600 * SECOND;

async function newSensor(): Promise<TestSensor> {
  const [twin] = await createTwins(cluster.db);
  return twin.sensors[0] as TestSensor;
}

test('a process writes newest values and contacts that a killed one left, and ends the silence of their sites', async () => {
  cluster = await Cluster.start(2);
  const sensor = await newSensor();
  const { clock } = cluster;
  await query('update tocsin.site set tocsin_health_duration_hours = 1 where uuid = $1', sensor.site.uuid);
  const gateway = listening({ db: cluster.db, clock, isListening: () => true, timers: false });
  const engine = silence(cluster.db, clock);
  await send(cluster.process(0), sensor, { t: clock.now().toISOString(), '1': 50 });
  await cluster.flush();
  clock.advance(HOUR);
  await gateway.tick(clock.now());
  await engine.tick(clock.now());
  const siteOf = async () =>
    (
      await query(
        `select s.site_status, s.last_update, e.last_contact, d.latest_value, d.last_updated,
           (select count(*)::int from tocsin.alarm a where a.tocsin_site_uuid = s.uuid and a.resolved_date is null) as open
         from tocsin.site s, tocsin.sensor e, tocsin.asset_datapoint d where s.uuid = $1 and e.uuid = $2 and d.uuid = $3`,
        sensor.site.uuid,
        sensor.uuid,
        sensor.channels[0]?.datapointUuid,
      )
    )[0];
  expect(await siteOf()).toMatchObject({ site_status: 3, open: 1 });

  clock.advance(SECOND);
  const heard = clock.now();
  await send(cluster.process(0), sensor, { t: heard.toISOString(), '1': 60 });
  // The other process serves another sensor, which has newer readings. These readings must not hide the unwritten
  // values of the killed process.
  clock.advance(SECOND);
  await send(cluster.process(1), await newSensor(), { '1': 1 });
  const { repair, behind } = cluster.process(1).pipeline;
  await behind.flush();
  await repair.run('vanished');
  expect(await siteOf(), 'the process was alive a moment ago').toMatchObject({ site_status: 3, latest_value: 50 });
  await cluster.kill(0);
  await repair.run('vanished');
  expect(await siteOf()).toEqual({
    site_status: 1,
    last_update: heard,
    last_contact: heard,
    latest_value: 60,
    last_updated: heard,
    open: 0,
  });
  expect(await query('select 1 from tocsin_private.write_behind'), 'those of living processes').toHaveLength(2);
});

test('a process that starts writes at once what the others have not written', async () => {
  cluster = await Cluster.start(1);
  const sensor = await newSensor();
  await send(cluster.process(0), sensor, { '1': 60 });
  await cluster.kill(0);
  await cluster.process(0).pipeline.repair.run('all');
  const [row] = await query(
    'select latest_value from tocsin.asset_datapoint where uuid = $1',
    sensor.channels[0]?.datapointUuid,
  );
  expect(row).toEqual({ latest_value: 60 });
});

test('a process that stops leaves nothing to repair', async () => {
  cluster = await Cluster.start(2);
  const [first, second] = cluster.processes.splice(0);
  await first?.pipeline.close();
  expect(await query('select 1 from tocsin_private.write_behind')).toHaveLength(1);
  await second?.pipeline.close();
  expect(await query('select 1 from tocsin_private.write_behind')).toEqual([]);
  for (const process of [first, second]) await process?.db.close();
});

test('readings of an unfinished batch do not count as written behind', async () => {
  cluster = await Cluster.start(1);
  const { behind } = cluster.process(0).pipeline;
  const untilOf = async () => (await query('select written_until from tocsin_private.write_behind'))[0]?.written_until;
  const began = cluster.clock.now();
  const finished = behind.expect(began.getTime());
  cluster.clock.advance(SECOND);
  const sensor = await newSensor();
  await send(cluster.process(0), sensor, { '1': 1 });
  await behind.flush();
  expect(await untilOf()).toEqual(began);
  finished();
  cluster.clock.advance(SECOND);
  await send(cluster.process(0), sensor, { '1': 2 });
  await behind.flush();
  expect(await untilOf()).toEqual(cluster.clock.now());
});

test('server times of a channel increase over processes whose clocks differ by two seconds', async () => {
  cluster = await Cluster.start(1);
  const behindBy2 = new HandClock(new Date(cluster.clock.now().getTime() - 2 * SECOND));
  await cluster.add(behindBy2);
  const sensor = await newSensor();
  const values: number[] = [];
  for (let round = 1; round <= 12; round += 1) {
    const answer = await send(cluster.process(round % 3), sensor, { '1': round });
    expect(answer).toMatchObject({ ok: true, accepted: 1 });
    values.push(round);
    if (round % 4 === 0) {
      cluster.clock.advance(500);
      behindBy2.advance(500);
    }
  }
  const stored = await query(
    'select value from tocsin.reading where channel_key = $1 order by device_time',
    sensor.channels[0]?.key,
  );
  expect(stored.map(({ value }) => value)).toEqual(values);
});

test('sends a command again only after the retry time, even if the device changes the process often', async () => {
  cluster = await Cluster.start(2);
  const sensor = await newSensor();
  for (const number of [0, 1]) await send(cluster.process(number), sensor, { '1': 1 });
  const { id } = await insertRow(cluster.db, 'tocsin.reply_message', {
    tocsin_customer_uuid: sensor.customerUuid,
    uid: sensor.uid,
    reply_command: 'REBOOT',
    queued_on: cluster.clock.now().toISOString(),
  });
  const sentAt: number[] = [];
  for (let second = 0; second < 125; second += 5) {
    // The command is due at 0, 60 and 120 s. Consecutive frames at these times go to different processes, and so do
    // consecutive frames at other times.
    const number = second % 60 === 0 ? second / 60 : second / 5;
    const answer = await send(cluster.process(number), sensor, { '1': 1 });
    if (answer.ok && answer.commands.some((command) => command.id === Number(id))) sentAt.push(second);
    cluster.clock.advance(5 * SECOND);
  }
  expect(sentAt).toEqual([0, 60, 120]);
});

test('a device that sends through several processes gets no more than its burst and rate', async () => {
  const [perSecond, burst] = [2, 20];
  cluster = await Cluster.start(3, { flood: { perSecond, burst } });
  const sensor = await newSensor();
  let accepted = 0;
  const seconds = 30;
  for (let second = 0; second < seconds; second += 1) {
    for (let count = 0; count < 12; count += 1) {
      const answer = await send(cluster.process(count), sensor, { '1': count });
      if (answer.ok) accepted += 1;
      else expect(answer.because).toBe('flood');
    }
    cluster.clock.advance(SECOND);
  }
  // Each process can accept one frame too many before it knows how many frames the others have accepted.
  expect(accepted).toBeLessThanOrEqual(burst + perSecond * seconds + cluster.processes.length);
  expect(accepted).toBeGreaterThan(perSecond * seconds);
});
