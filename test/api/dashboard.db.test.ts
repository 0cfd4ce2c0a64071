/**
 * Tests of the dashboard's queries, sent by an owner, an operator and a partner: board of sites, alarm counts and key
 * figures.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRow, linkUser, serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { list } from './api.ts';
import { buildStation, type Station } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;
let operator: TestBrowser;
let partner: TestBrowser;
let abbey: Station;
let beck: Station;
let canal: Station;
let dale: Station;

const now = '2026-03-30T08:00:00Z';
const by = { name: 'Owen Hughes', at: '2026-03-30T07:30:00Z', reason: 'Crew on the way' };

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  // In London, daylight saving time began on 29 March 2026. These tests run on the day after.
  await serviceQuery(app.db, 'update tocsin.customer set time_zone = $2 where uuid = $1', [
    staff.customer.uuid,
    'Europe/London',
  ]);
  abbey = await buildStation(app.db, staff.customer, { name: 'Abbey Lane' });
  beck = await buildStation(app.db, staff.customer, { name: 'Beck Side' });
  canal = await buildStation(app.db, staff.customer, { name: 'Canal Head' });
  dale = await buildStation(app.db, staff.customer, { name: 'Dale Street' });
  await status(abbey, 1, '2026-03-30T07:59:00Z');
  await status(beck, 2, '2026-03-30T07:58:00Z');
  await status(canal, 2, '2026-03-30T07:57:00Z');
  await status(dale, 3, '2026-03-29T20:00:00Z');
  await alarm(beck, { severity: 'minor', message: 'Battery low', date_time: '2026-03-30T05:10:00Z' });
  await alarm(beck, { severity: 'major', message: 'Mains lost', date_time: '2026-03-30T07:00:00Z', by });
  await alarm(canal, { severity: 'major', message: 'Level high', date_time: '2026-03-30T06:00:00Z' });
  await alarm(canal, {
    severity: 'critical',
    message: 'Flood',
    date_time: '2026-03-27T10:00:00Z',
    resolved: '2026-03-27T11:00:00Z',
  });
  await linkUser(app.db, staff.operator, beck.site);
  app.clock.set(new Date(now));
  owner = await app.browser(staff.owner);
  operator = await app.browser(staff.operator);
  partner = await app.browser(staff.partner);
});
afterAll(() => app?.close());

function status({ site }: Station, value: number, heard: string) {
  return serviceQuery(app.db, 'update tocsin.site set site_status = $2, last_update = $3 where uuid = $1', [
    site.uuid,
    value,
    heard,
  ]);
}

interface AlarmValues {
  severity: string;
  message: string;
  date_time: string;
  resolved?: string;
  by?: typeof by;
}

function alarm({ site, asset, datapoint }: Station, { resolved, by: who, ...values }: AlarmValues) {
  return insertRow(app.db, 'tocsin.alarm', {
    tocsin_customer_uuid: site.tocsin_customer_uuid,
    tocsin_site_uuid: site.uuid,
    tocsin_asset_uuid: asset.uuid,
    tocsin_datapoint_uuid: datapoint.uuid,
    site_name: 'as it was called',
    created_at: values.date_time,
    ...values,
    ...(resolved && { resolved_date: resolved }),
    ...(who && { reason: who.reason, acknowledge_json: JSON.stringify(who) }),
  });
}

const names = (sites: { name: string }[]) => sites.map(({ name }) => name);

test('orders sites by severity, unacknowledged before acknowledged', async () => {
  const board = await list(owner, 'siteBoard', 'name worstAlarm { message } leadDatapoint { uuid }');
  expect(names(board)).toEqual(['Canal Head', 'Beck Side', 'Dale Street', 'Abbey Lane']);
  expect(board.map(({ worstAlarm }) => worstAlarm?.message ?? null)).toEqual(['Level high', 'Mains lost', null, null]);
  expect(board[0].leadDatapoint.uuid).toBe(canal.datapoint.uuid);
});

test('filters sites by state, unit office and search: a name, an ID or an asset', async () => {
  const board = async (variables: Record<string, [string, unknown]>) =>
    names(await list(owner, 'siteBoard', 'name', variables));
  expect(await board({ state: ['String', 'silent'] })).toEqual(['Dale Street']);
  expect(await board({ unitOfficeUuid: ['UUID', abbey.office.uuid] })).toEqual(['Abbey Lane']);
  expect(await board({ search: ['String', 'bECK'] })).toEqual(['Beck Side']);
  expect(await board({ search: ['String', canal.asset.name] })).toContain('Canal Head');
  // The search treats wildcards as plain text.
  expect(await board({ search: ['String', '%'] })).toEqual([]);
});

test('orders a site with an unacknowledged alarm before sites whose alarms are all acknowledged, and counts such alarms', async () => {
  // Ordered by name alone, the board would show Aqueduct first.
  const weir = await buildStation(app.db, staff.customer, { name: 'Aqueduct' });
  try {
    await alarm(weir, { severity: 'major', message: 'Gate stuck', date_time: '2026-03-30T07:10:00Z', by });
    const board = await list(owner, 'siteBoard', 'name waitingAlarms', { state: ['String', 'major'] });
    expect(board).toEqual([
      { name: 'Canal Head', waitingAlarms: 1 },
      { name: 'Beck Side', waitingAlarms: 1 },
      { name: 'Aqueduct', waitingAlarms: 0 },
    ]);
  } finally {
    await serviceQuery(app.db, 'delete from tocsin.alarm where tocsin_site_uuid = $1', [weir.site.uuid]);
    await serviceQuery(app.db, 'delete from tocsin.site where uuid = $1', [weir.site.uuid]);
  }
});

test('counts the same sites as the board', async () => {
  expect(await list(owner, 'siteStateCounts', 'state sites')).toEqual([
    { state: 'major', sites: 2 },
    { state: 'silent', sites: 1 },
    { state: 'normal', sites: 1 },
  ]);
});

test('returns the last contact and the longest silence', async () => {
  const { plantSummary } = await owner.data('{ plantSummary { sites silentSites lastContact silentSince } }');
  expect(plantSummary).toMatchObject({ sites: 4, silentSites: 1 });
  expect(Date.parse(plantSummary.lastContact)).toBe(Date.parse('2026-03-30T07:59:00Z'));
  expect(Date.parse(plantSummary.silentSince)).toBe(Date.parse('2026-03-29T20:00:00Z'));
});

test('counts a site without contact as normal until it is silent', async () => {
  const { site } = await buildStation(app.db, staff.customer, { name: 'Eden Mill' });
  try {
    const counts = await list(owner, 'siteStateCounts', 'state sites');
    expect(counts.slice(1)).toEqual([
      { state: 'silent', sites: 1 },
      { state: 'normal', sites: 2 },
    ]);
    expect(names(await list(owner, 'siteBoard', 'name', { state: ['String', 'normal'] }))).toContain('Eden Mill');
    const { plantSummary } = await owner.data('{ plantSummary { sites silentSites } }');
    expect(plantSummary).toEqual({ sites: 5, silentSites: 1 });
  } finally {
    await serviceQuery(app.db, 'delete from tocsin.site where uuid = $1', [site.uuid]);
  }
});

test('counts open alarms by severity, with the oldest unacknowledged', async () => {
  const counts = await list(owner, 'openAlarmCounts', 'severity open unacknowledged oldestUnacknowledged');
  expect(counts).toMatchObject([
    { severity: 'major', open: 2, unacknowledged: 1 },
    { severity: 'minor', open: 1, unacknowledged: 1 },
  ]);
  expect(Date.parse(counts[1].oldestUnacknowledged)).toBe(Date.parse('2026-03-30T05:10:00Z'));
});

test('counts alarms by hour of the customer’s time zone, across the start of daylight saving time', async () => {
  const days = await list(owner, 'alarmsOpenedByHour', 'day opened');
  expect(days).toHaveLength(29);
  expect(days[0].day).toBe('2026-03-30');
  // London is at UTC+1 on 30 March, so the alarms opened at 06:10, 07:00 and 08:00 local time.
  expect(days[0].opened.slice(5, 10)).toEqual([0, 1, 1, 1, 0]);
  expect(days[3].day).toBe('2026-03-27');
  expect(days[3].opened.indexOf(1)).toBe(10);
});

test('uses the median as time to acknowledge', async () => {
  const { acknowledgementFigures } = await owner.data(
    '{ acknowledgementFigures(rangeFrom: "2026-03-30T00:00:00Z", rangeTo: "2026-03-31T00:00:00Z") { alarms acknowledged medianSeconds } }',
  );
  expect(acknowledgementFigures).toEqual({ alarms: 3, acknowledged: 1, medianSeconds: 1800 });
});

test('measures the time to acknowledge from the server’s creation of the alarm', async () => {
  const shift = (by: string) =>
    serviceQuery(
      app.db,
      'update tocsin.alarm set created_at = created_at + $1::interval where acknowledge_json is not null',
      [by],
    );
  await shift('10 minutes');
  const { acknowledgementFigures } = await owner.data(
    '{ acknowledgementFigures(rangeFrom: "2026-03-30T00:00:00Z", rangeTo: "2026-03-31T00:00:00Z") { medianSeconds } }',
  );
  await shift('-10 minutes');
  expect(acknowledgementFigures).toEqual({ medianSeconds: 1200 });
});

test('lists unacknowledged alarms first, worst first, and past ones separately', async () => {
  const alarms = async (isOpen: boolean, more: Record<string, [string, unknown]> = {}) =>
    (await list(owner, 'alarmList', 'message notifiedCount', { isOpen: ['Boolean!', isOpen], ...more })).map(
      ({ message }) => message,
    );
  expect(await alarms(true)).toEqual(['Level high', 'Battery low', 'Mains lost']);
  expect(await alarms(true, { severity: ['String', 'minor'] })).toEqual(['Battery low']);
  expect(await alarms(true, { search: ['String', 'MAINS'] })).toEqual(['Mains lost']);
  // Each word of the search can match the message, the site, the site's ID or the asset.
  const ofBeck = [beck.asset.name, 'called', beck.site.site_id.toLowerCase()].join('  ');
  expect(await alarms(true, { search: ['String', ofBeck] })).toEqual(['Battery low', 'Mains lost']);
  expect(await alarms(true, { search: ['String', ` mains ${ofBeck} `] })).toEqual(['Mains lost']);
  expect(await alarms(true, { search: ['String', `level ${ofBeck}`] })).toEqual([]);
  expect(await alarms(false)).toEqual(['Flood']);
});

test('returns the last value of each eighth of an hour for six hours, oldest first, and none for gaps', async () => {
  await app.db.migration((tx) => tx.query("call tocsin_private.ensure_partitions('2026-03-01', '2026-03-31')"));
  await serviceQuery(
    app.db,
    `insert into tocsin.reading (channel_key, device_time, server_time, value)
     select c.key, t, t, row_number() over (order by t) from tocsin.sensor_channel c,
       generate_series(timestamptz '2026-03-28T09:00:00Z', '2026-03-30T06:20:00Z', interval '2 minutes 30 seconds') t
     where c.uuid = $1`,
    [beck.channel.uuid],
  );
  const slot = 450_000;
  const first = Date.parse('2026-03-28T09:00:00Z');
  const last = Date.parse('2026-03-30T06:20:00Z');
  const hours = Array.from({ length: 48 }, (_, index) => {
    const end = app.clock.now().getTime() - (47 - index) * slot;
    const newest = Math.min(last, first + Math.floor((end - first) / 150_000) * 150_000);
    return newest > end - slot ? (newest - first) / 150_000 + 1 : null;
  });
  expect(hours[0]).toBeGreaterThan(0);
  expect(hours.at(-1)).toBeNull();
  for (const person of [owner, operator]) {
    const [site] = await list(person, 'siteBoard', 'leadDatapoint { recentValues }', { search: ['String', 'beck'] });
    expect(site.leadDatapoint.recentValues).toEqual(hours);
  }
});

test('lists a value outside its limits without an alarm first, and does not evaluate values without a rule', async () => {
  const own = { tocsin_customer_uuid: staff.customer.uuid };
  const { site, asset, sensor } = abbey;
  const channel = await insertRow(app.db, 'tocsin.sensor_channel', {
    ...own,
    tocsin_sensor_uuid: sensor.uuid,
    name: 'Flow',
    channel_number: 2,
  });
  const flow = await insertRow(app.db, 'tocsin.asset_datapoint', {
    ...own,
    tocsin_asset_uuid: asset.uuid,
    tocsin_sensor_uuid: sensor.uuid,
    tocsin_sensor_channel_uuid: channel.uuid,
    tocsin_datapoint_name: 'Flow',
    tocsin_asset_datapoint_order: 9,
    uom: 'l/s',
    sensor_type: 2,
    status: 1,
    latest_value: 7,
  });
  const seen = async () => {
    const [found] = await list(owner, 'siteBoard', 'hasRules leadDatapoint { uuid }', { search: ['String', 'abbey'] });
    return [found.hasRules, found.leadDatapoint.uuid === flow.uuid];
  };
  const change = (table: string, column: string, value: unknown, uuid: string) =>
    serviceQuery(app.db, `update tocsin.${table} set ${column} = $2 where uuid = $1`, [uuid, value]);
  expect(await seen()).toEqual([false, false]);
  // Both data points get a rule, so the result depends only on whether the value is outside the limits.
  for (const datapoint of [flow, abbey.datapoint])
    await insertRow(app.db, 'tocsin.rule', {
      ...own,
      tocsin_site_uuid: site.uuid,
      tocsin_asset_uuid: asset.uuid,
      tocsin_datapoint_uuid: datapoint.uuid,
      name: 'Too high',
      value_upper: 5,
    });
  expect(await seen()).toEqual([true, true]);
  await change('asset_datapoint', 'status', 3, flow.uuid);
  expect(await seen(), 'an old value is not outside its limits').toEqual([true, false]);
  await change('asset_datapoint', 'status', 1, flow.uuid);
  await change('asset_datapoint', 'latest_value', 5, flow.uuid);
  expect(await seen(), 'a value on the limit is inside').toEqual([true, false]);
  await change('asset_datapoint', 'latest_value', 7, flow.uuid);
  await serviceQuery(app.db, "update tocsin.rule set enabled = false where name = 'Too high'");
  expect(await seen()).toEqual([false, false]);

  // The digital channel has the value 0. The test later makes 0 the channel's alarm condition.
  await change('asset_datapoint', 'sensor_type', 1, flow.uuid);
  await change('asset_datapoint', 'latest_value', 0, flow.uuid);
  expect(await seen()).toEqual([false, false]);
  await change('sensor_channel', 'channel_alarm_condition', 0, channel.uuid);
  expect(await seen()).toEqual([true, true]);
  await change('asset_datapoint', 'latest_value', 1, flow.uuid);
  expect(await seen()).toEqual([true, false]);
});

test('shows an operator only linked sites', async () => {
  expect(names(await list(operator, 'siteBoard', 'name'))).toEqual(['Beck Side']);
  expect(await list(operator, 'siteStateCounts', 'state sites')).toEqual([{ state: 'major', sites: 1 }]);
  expect(await list(operator, 'openAlarmCounts', 'severity open')).toEqual([
    { severity: 'major', open: 1 },
    { severity: 'minor', open: 1 },
  ]);
});

test('shows a partner account neither alarms nor values', async () => {
  expect(await list(partner, 'openAlarmCounts', 'severity')).toEqual([]);
  expect(await list(partner, 'alarmList', 'message', { isOpen: ['Boolean!', true] })).toEqual([]);
  const board = await list(partner, 'siteBoard', 'worstAlarm { message } leadDatapoint { uuid }');
  expect(board.every((site) => site.worstAlarm === null && site.leadDatapoint === null)).toBe(true);
});
