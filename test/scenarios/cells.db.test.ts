/** A customer moves from one running cell to another. Both cells have devices, users and providers. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setActive } from '../../server/cell/freeze.ts';
import { exportTo, importFrom } from '../harness/database/cells.ts';
import { type CustomerRow, createSite, serviceQuery, type UserRow } from '../harness/database/factories.ts';
import { createSensor } from '../harness/device/devices.ts';
import { type SmtpCatcher, startSmtpCatcher } from '../harness/provider/smtp.ts';
import { Plant, type Station } from './plant.ts';

let before: Plant;
let after: Plant;
let mails: { before: SmtpCatcher; after: SmtpCatcher };
let customer: CustomerRow;
let person: UserRow;
let high: Station;
let pending: Station;

beforeAll(async () => {
  const [first, second] = await Promise.all([startSmtpCatcher(), startSmtpCatcher()]);
  mails = { before: first, after: second };
  before = await Plant.start({ publicUrl: 'https://old.example', smtpUrl: first.url });
  // Both cells use the same clock.
  after = await Plant.start({ publicUrl: 'https://new.example', smtpUrl: second.url }, { clock: before.clock });
  customer = before.customer;
  await serviceQuery(before.db, `update tocsin.customer set end_point = 'plant.example' where uuid = $1`, [
    customer.uuid,
  ]);
  person = await before.person({ name: 'Vera', level: 0, flags: { email_notification: true } });
  high = await before.station({ name: 'High' });
  await before.rule(high, { name: 'High level' });
  await before.alert(high.site, 'High level', { alert: [person], resolve: [person] });
  pending = await before.station({ name: 'Pending' });
  await before.rule(pending, { name: 'Slow level', debounce: 60 });
  await before.alert(pending.site, 'Slow level', { alert: [person] });
  // Creates channels in the new cell, so that the channel keys of the moving customer are already in use there.
  const site = await createSite(after.db, { customer: after.customer });
  await createSensor(after.db, { customer: after.customer, site, uid: 'resident-1', channels: [{}, {}, {}, {}] });
});
afterAll(async () => {
  await before?.close();
  await after?.close();
  await Promise.all([mails?.before.stop(), mails?.after.stop()]);
});

const phases = (plant: Plant) =>
  plant.query(`select watch_uuid, phase from tocsin_private.rule_state order by watch_uuid`);
const answerOf = async (plant: Plant, station: Station, value: number) => {
  const pipeline = plant.app.gateway!.pipeline;
  const device = await pipeline.identify(station.sensor.uid, station.sensor.token);
  if (!device.ok) return device;
  const time = plant.clock.now().getTime();
  return pipeline.receive(device, { protocol: 'http', body: Buffer.from(JSON.stringify({ time, 1: value })) });
};

describe('a customer that moves', () => {
  test('gets no notifications from the old cell, which refuses its devices for a while and signs its users out', async () => {
    mails.before.failWith(451);
    await before.send(high, 120);
    await before.send(pending, 120);
    await before.settle();
    expect(mails.before.messages, 'the mail waits for its provider').toHaveLength(0);
    const browser = await before.browser(person);

    const device = await before.app.gateway!.pipeline.identify(high.sensor.uid, high.sensor.token);
    const path = await exportTo(before.db, before.clock, customer);

    expect(await answerOf(before, high, 130)).toMatchObject({
      ok: false,
      because: 'unavailable',
      retryAfterMs: 60_000,
    });
    // A device that connected before the freeze is already identified. The old cell must refuse its frames too.
    const body = Buffer.from(JSON.stringify({ time: before.clock.now().getTime(), 1: 140 }));
    if (!device.ok) throw new Error(device.sentence);
    expect(await before.app.gateway!.pipeline.receive(device, { protocol: 'http', body })).toMatchObject({
      ok: false,
      because: 'unavailable',
    });
    expect((await browser.graphql('{ sites { nodes { uuid } } }')).status).toBe(401);
    mails.before.failWith(null);

    // Before the import, the new cell has already rolled up readings to a time later than the customer's readings.
    await after.pass(300);
    await importFrom(after.db, after.clock, path);
    rmSync(path);
    await before.pass(600);
    expect(mails.before.messages, 'the old cell sends nothing').toHaveLength(0);
  });

  test('gets the waiting notification from the new cell, once', async () => {
    await after.settle();
    const opened = mails.after.messages.filter(({ subject }) => subject.includes('High'));
    expect(opened).toHaveLength(1);
    const rows = await after.query(
      `select state from tocsin.notification where tocsin_site_uuid = $1 and method_type = 1`,
      [high.site.uuid],
    );
    expect(rows).toEqual([{ state: 'sent' }]);
  });

  test('has its debounce continued by the new cell, and the alarm notified there', async () => {
    const [alarm] = await after.open(pending.site);
    expect(alarm).toMatchObject({ rule_name: 'Slow level', tocsin_site_uuid: pending.site.uuid });
    expect(
      (await after.transitions(alarm.rule_uuid)).map(({ from_phase, to_phase }) => [from_phase, to_phase]),
    ).toEqual([
      ['normal', 'pending'],
      ['pending', 'open'],
    ]);
    expect(await phases(after)).toHaveLength(2);
    expect(mails.after.messages.filter(({ subject }) => subject.includes('Slow'))).toHaveLength(1);
  });

  test('is served to its devices with their tokens, and its alarm is resolved by their next value', async () => {
    expect(await answerOf(after, high, 20)).toMatchObject({ ok: true, accepted: 1 });
    await after.settle();
    expect(await after.open(high.site)).toEqual([]);
    const [point] = await after.query('select latest_value from tocsin.asset_datapoint where uuid = $1', [
      high.datapointUuid,
    ]);
    expect(point.latest_value).toBe(20);
    const values = await after.query(
      `select r.value from tocsin.reading r join tocsin.sensor_channel c on c.key = r.channel_key
       where c.uuid = $1 order by r.device_time`,
      [high.sensor.channels[0]!.uuid],
    );
    expect(values.map(({ value }) => value)).toEqual([120, 20]);
  });

  test('lets its people sign in with their passwords', async () => {
    const browser = await after.app.browser(person, { host: 'plant.example' });
    const { sites } = await browser.data('{ sites { nodes { name } } }');
    expect(sites.nodes.map(({ name }: { name: string }) => name).sort()).toEqual(['High', 'Pending']);
  });

  test('rolls up the readings that the old cell had not rolled up', async () => {
    await after.pass(300);
    const minutes = await after.query(
      `select r.max from tocsin.rollup_minute r join tocsin.sensor_channel c on c.key = r.channel_key
       where c.uuid = $1 order by r.bucket`,
      [high.sensor.channels[0]!.uuid],
    );
    expect(minutes.map(({ max }) => max)).toEqual([120, 20]);
  });

  test('works in the old cell again after it is enabled there', async () => {
    await setActive(before.db, before.clock, customer.uuid, true);
    expect(await answerOf(before, high, 20)).toMatchObject({ ok: true });
  });
});
