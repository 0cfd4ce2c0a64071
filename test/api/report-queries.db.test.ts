/** The queries in section 7 of the specification about alarms, frames, commands and the reporting area. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRow, linkUser, serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { create, done, list } from './api.ts';
import { addNotification, buildStation, openAlarm, type Station } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let owner: TestBrowser;
let operator: TestBrowser;
let hill: Station;
let quay: Station;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  hill = await buildStation(app.db, staff.customer, { name: 'Hill' });
  quay = await buildStation(app.db, staff.customer, { name: 'Quay' });
  await linkUser(app.db, staff.operator, quay.site);
  owner = await app.browser(staff.owner);
  operator = await app.browser(staff.operator);
});
afterAll(() => app?.close());

const day = 24 * 60 * 60 * 1000;

test('orders the alarms of a site by time, resolution and message', async () => {
  const station = await buildStation(app.db, staff.customer);
  const at = '2026-03-01T10:00:00Z';
  await openAlarm(app.db, station, { message: 'C still open', at });
  await openAlarm(app.db, station, { message: 'B resolved late', at, resolved: '2026-03-01T12:00:00Z' });
  await openAlarm(app.db, station, { message: 'A resolved late', at, resolved: '2026-03-01T12:00:00Z' });
  await openAlarm(app.db, station, { message: 'D resolved early', at, resolved: '2026-03-01T11:00:00Z' });
  await openAlarm(app.db, station, { message: 'E the day before', at: '2026-02-28T10:00:00Z' });
  const alarms = await list(owner, 'alarms', 'message resolvedDate', {
    filter: ['AlarmFilter', { tocsinSiteUuid: { equalTo: station.site.uuid } }],
    orderBy: ['[AlarmOrderBy!]', ['DATE_TIME_ASC', 'RESOLVED_DATE_ASC', 'MESSAGE_ASC']],
  });
  expect(alarms.map(({ message }) => message)).toEqual([
    'E the day before',
    'D resolved early',
    'A resolved late',
    'B resolved late',
    'C still open',
  ]);
  expect(alarms.map(({ resolvedDate }) => resolvedDate !== null)).toEqual([false, true, true, true, false]);
});

test('filters the alarm report by sites and a range of creation times', async () => {
  const station = await buildStation(app.db, staff.customer);
  const alarm = (message: string, at: string, on = station) => openAlarm(app.db, on, { message, at });
  await alarm('before', '2026-02-28T23:59:59Z');
  await alarm('first', '2026-03-01T00:00:00Z');
  await alarm('last', '2026-03-01T23:59:59Z');
  await alarm('after', '2026-03-02T00:00:00Z');
  await alarm('elsewhere', '2026-03-01T12:00:00Z', await buildStation(app.db, staff.customer));
  const reports = await list(owner, 'alarmReports', 'message site { siteId }', {
    siteUuids: ['[UUID]!', [station.site.uuid]],
    createdFrom: ['Datetime!', '2026-03-01T00:00:00Z'],
    createdTo: ['Datetime!', '2026-03-02T00:00:00Z'],
  });
  expect(reports.map(({ message }) => message)).toEqual(['last', 'first']);
});

test('finds an open alarm by site and message until it is resolved', async () => {
  const query = 'query ($s: UUID!, $m: String!) { openAlarm(tocsinSiteUuid: $s, message: $m) { uuid } }';
  const find = async (message: string) =>
    (await owner.data(query, { s: hill.site.uuid, m: message })).openAlarm?.uuid ?? null;
  await openAlarm(app.db, hill, {
    message: 'Level high',
    at: '2026-02-27T08:00:00Z',
    resolved: '2026-02-27T09:00:00Z',
  });
  expect(await find('Level high')).toBeNull();
  const alarm = await openAlarm(app.db, hill, { message: 'Level high', at: '2026-03-02T07:00:00Z' });
  expect(await find('Level high')).toBe(alarm.uuid);
  expect(await find('Level low')).toBeNull();
});

test('returns the 500 newest frames of a range from the sensor log, or those that contain a uid', async () => {
  await serviceQuery(
    app.db,
    `insert into tocsin.incoming_sensor_log (tocsin_customer_uuid, uid, raw_data, date_time)
     select $1, 'GW-1', 'uid=' || case when n % 100 = 0 then 'NM-77' else 'NM-' || n end || ' v=' || n,
       timestamptz '2026-03-01T00:00:00Z' + n * interval '1 second'
     from generate_series(1, 620) n`,
    [staff.customer.uuid],
  );
  const range = {
    dateTimeFrom: ['Datetime!', '2026-03-01T00:00:00Z'],
    dateTimeTo: ['Datetime!', '2026-03-01T00:10:11Z'],
  } satisfies Record<string, [string, unknown]>;
  const frames = await list(owner, 'sensorLogs', 'autoId uid rawData dateTime', range);
  expect(frames).toHaveLength(500);
  // The end of the range is exclusive.
  expect(frames[0].rawData).toBe('uid=NM-610 v=610');
  expect(frames[499].rawData).toBe('uid=NM-111 v=111');
  const ofUid = await list(owner, 'sensorLogs', 'rawData', { ...range, uid: ['String', 'NM-77'] });
  expect(ofUid.map(({ rawData }) => rawData.replace('uid=NM-77', 'it'))).toEqual(
    expect.arrayContaining(['it v=600', 'it v=500', 'it v=400', 'it v=300', 'it v=200', 'it v=100']),
  );
  expect(ofUid.every(({ rawData }) => rawData.includes('NM-77'))).toBe(true);
  // The filter compares the uid column, so it also finds frames whose text does not contain the uid.
  expect(await list(owner, 'sensorLogs', 'rawData', { ...range, uid: ['String', 'gw-1'] })).toHaveLength(500);
  // A percent sign is plain text, not a wildcard.
  expect(await list(owner, 'sensorLogs', 'rawData', { ...range, uid: ['String', 'NM%77'] })).toEqual([]);
});

test('returns all reply messages, or those of a uid, and queues a new one with the server’s time', async () => {
  const command = (uid: string, replyCommand: string) =>
    done(
      create(
        owner,
        'replyMessage',
        { uid, replyCommand, queuedOn: '2001-01-01T00:00:00Z' },
        'id uid replyCommand queuedOn deliveredOn reply',
      ),
    );
  const queued = await command(hill.sensor.uid, 'SET INTERVAL 60');
  expect(queued).toMatchObject({ uid: hill.sensor.uid, deliveredOn: null, reply: null });
  expect(new Date(queued.queuedOn)).toEqual(app.clock.now());
  await command(quay.sensor.uid, 'REBOOT');
  const all = await list(owner, 'replyMessages', 'replyCommand');
  expect(all.map(({ replyCommand }) => replyCommand)).toEqual(['SET INTERVAL 60', 'REBOOT']);
  const filter = { uid: { equalTo: quay.sensor.uid } };
  expect(
    await list(owner, 'replyMessages', 'replyCommand sensor { uuid }', { filter: ['ReplyMessageFilter', filter] }),
  ).toEqual([{ replyCommand: 'REBOOT', sensor: { uuid: quay.sensor.uuid } }]);
});

test('returns the unit offices of the sites that a user may see', async () => {
  await insertRow(app.db, 'tocsin.group', {
    tocsin_customer_uuid: staff.customer.uuid,
    level: 5,
    name: 'Office without sites',
  });
  const offices = await list(owner, 'unitOfficesByUser', 'uuid uoName');
  const names = offices.map(({ uoName }) => uoName);
  expect(names).toEqual(expect.arrayContaining([hill.office.name, quay.office.name]));
  expect(names).not.toContain('Office without sites');
  expect(await list(operator, 'unitOfficesByUser', 'uuid uoName')).toEqual([
    { uuid: quay.office.uuid, uoName: quay.office.name },
  ]);
});

test('returns the sites of a unit office with their SIM number', async () => {
  await serviceQuery(app.db, `update tocsin.site set phone_number = '+353860000001' where uuid = $1`, [hill.site.uuid]);
  const sites = await list(owner, 'sitesByUnitOffice', 'siteName siteId siteSimNumber', {
    unitOfficeUuid: ['UUID!', hill.office.uuid],
  });
  expect(sites).toEqual([{ siteName: 'Hill', siteId: hill.site.site_id, siteSimNumber: '+353860000001' }]);
  expect(
    await list(operator, 'sitesByUnitOffice', 'siteName', { unitOfficeUuid: ['UUID!', hill.office.uuid] }),
  ).toEqual([]);
});

test('acknowledgement reports: SMS about alarms for unit offices, every message for sites, newest first', async () => {
  const station = await buildStation(app.db, staff.customer);
  const note = (at: string, message: string, more = {}) => addNotification(app.db, station, { at, message, ...more });
  await note('2026-02-20T08:00:00Z', 'older', { ack: '2026-02-20T08:05:00Z' });
  await note('2026-02-21T08:00:00Z', 'newer');
  await note('2026-02-21T09:00:00Z', 'by e-mail', { method: 1, segments: 0 });
  await note('2026-02-21T10:00:00Z', 'resolved', { type: 3 });
  await note('2026-02-22T00:00:00Z', 'outside the range');
  const range = {
    notifyFrom: ['Datetime!', '2026-02-20T00:00:00Z'],
    notifyTo: ['Datetime!', '2026-02-22T00:00:00Z'],
  } satisfies Record<string, [string, unknown]>;
  const fields = 'notifyMessage notifyTime ackTime ackByRecipientName';
  const byOffice = await list(owner, 'acknowledgementReportsByUnitOffices', fields, {
    ...range,
    unitOfficeUuids: ['[UUID]!', [station.office.uuid]],
  });
  expect(byOffice.map(({ notifyMessage }) => notifyMessage)).toEqual(['newer', 'older']);
  expect(byOffice[0]).toMatchObject({ ackTime: null, ackByRecipientName: null });
  expect(byOffice[1].ackByRecipientName).toBe('Aoife Byrne');
  expect(new Date(byOffice[1].ackTime)).toEqual(new Date('2026-02-20T08:05:00Z'));
  const bySite = await list(owner, 'acknowledgementReportsBySites', 'notifyMessage', {
    ...range,
    siteUuids: ['[UUID]!', [station.site.uuid]],
  });
  expect(bySite.map(({ notifyMessage }) => notifyMessage)).toEqual(['resolved', 'by e-mail', 'newer', 'older']);
});

test('health reports count the slots of twelve weeks and today, by unit office and by site', async () => {
  const station = await buildStation(app.db, staff.customer, { name: 'Healthy A' });
  const twin = await buildStation(app.db, staff.customer, { office: station.office, name: 'Healthy B' });
  const [site, second] = [station.site.uuid, twin.site.uuid];
  await serviceQuery(app.db, `update tocsin.site set created_at = '2025-01-01' where uuid = any ($1)`, [
    [site, second],
  ]);
  const slot = (uuid: string, at: string) =>
    insertRow(app.db, 'tocsin.health_slot', {
      tocsin_customer_uuid: staff.customer.uuid,
      tocsin_site_uuid: uuid,
      slot_start: at,
    });
  // The test runs at 08:00 on Monday, 2 March. The twelve weeks begin on Monday, 8 December.
  const starts = Array.from({ length: 13 }, (_, week) => new Date(Date.UTC(2025, 11, 8) + week * 7 * day));
  await slot(site, '2025-12-07T00:00:00Z');
  await slot(site, '2025-12-08T00:00:00Z');
  await slot(site, '2025-12-09T00:00:00Z');
  await slot(site, '2026-03-01T00:00:00Z');
  await slot(site, '2026-03-02T00:00:00Z');
  await slot(second, '2025-12-14T00:00:00Z');
  const weeks = {
    weekStarts: ['[Datetime]!', starts],
    today: ['Datetime!', '2026-03-02T00:00:00Z'],
  } satisfies Record<string, [string, unknown]>;
  const bySite = await list(owner, 'healthReportBySite', 'siteName w1Count w2Count w12Count todaycount expected', {
    ...weeks,
    unitOfficeUuid: ['UUID', station.office.uuid],
  });
  // The current slot counts as expected only for a site that has already sent data in it.
  const expected = [...Array<number>(12).fill(7), 1];
  const expectedOfSecond = [...Array<number>(12).fill(7), 0];
  expect(bySite).toEqual([
    { siteName: station.site.name, w1Count: 2, w2Count: 0, w12Count: 1, todaycount: 1, expected },
    { siteName: twin.site.name, w1Count: 1, w2Count: 0, w12Count: 0, todaycount: 0, expected: expectedOfSecond },
  ]);
  const offices = await list(
    owner,
    'healthReportByUnitOffice',
    'uuid uoName siteCount w1Count w12Count todaycount expected',
    weeks,
  );
  expect(offices.find(({ uuid }) => uuid === station.office.uuid)).toEqual({
    uuid: station.office.uuid,
    uoName: station.office.name,
    siteCount: 2,
    w1Count: 3,
    w12Count: 1,
    todaycount: 1,
    expected: [...Array<number>(12).fill(14), 1],
  });
});

test('refuses a health report without thirteen dates', async () => {
  const { errors } = await owner.graphql(
    '{ healthReportBySite(weekStarts: ["2026-03-02T00:00:00Z"], today: "2026-03-02T00:00:00Z") { nodes { siteName } } }',
  );
  expect(errors?.[0]).toMatchObject({
    message: 'Send the start dates of twelve weeks. You may add the end of the last week as a thirteenth date.',
    extensions: { field: 'weekStarts' },
  });
});

test('a health report by site with twelve start dates equals the one with thirteen', async () => {
  const starts = Array.from({ length: 13 }, (_, n) => new Date(Date.UTC(2025, 11, 8 + 7 * n)).toISOString());
  const query = `query ($weekStarts: [Datetime]!) {
    healthReportBySite(weekStarts: $weekStarts, today: "2026-03-02T00:00:00Z") {
      nodes { siteName w1Count w11Count w12Count todaycount expected } } }`;
  const thirteen = await owner.data(query, { weekStarts: starts });
  expect(await owner.data(query, { weekStarts: starts.slice(0, 12) })).toEqual(thirteen);
});

test('SMS reports count messages by kind and billed segments', async () => {
  const station = await buildStation(app.db, staff.customer);
  const sms = (type: number, more = {}) =>
    addNotification(app.db, station, { at: '2026-02-10T08:00:00Z', type, ...more });
  await sms(1, { segments: 2 });
  await sms(1);
  await sms(2);
  await sms(3, { state: 'sent' });
  await sms(4);
  await sms(1, { state: 'failed' });
  await sms(1, { method: 1, segments: 0 });
  await sms(1, { at: '2026-01-31T08:00:00Z' });
  const range = {
    rangeFrom: ['Datetime!', '2026-02-01T00:00:00Z'],
    rangeTo: ['Datetime!', '2026-03-01T00:00:00Z'],
  } satisfies Record<string, [string, unknown]>;
  const counts = { alarmSms: 2, healthSms: 1, resolveSms: 1, otherSms: 1, smsCount: 5, eqs: 6 };
  const fields = 'alarmSms healthSms resolveSms otherSms smsCount eqs';
  const offices = await list(owner, 'smsReportByUnitOffice', `uuid uoName ${fields}`, range);
  expect(offices.find(({ uuid }) => uuid === station.office.uuid)).toMatchObject({
    uoName: station.office.name,
    ...counts,
  });
  const sites = await list(owner, 'smsReportBySite', `siteId ${fields}`, {
    ...range,
    unitOfficeUuid: ['UUID', station.office.uuid],
  });
  expect(sites).toEqual([{ siteId: station.site.site_id, ...counts }]);
});
