/** Required text fields refuse blank text, and single-line text fields refuse line breaks. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertRow, serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { create, done, update } from './api.ts';
import { buildStation, type Station } from './pumps.ts';
import { countRows } from './refused.ts';

let app: TestApp;
let staff: Staff;
let station: Station;
let owner: TestBrowser;
/** Errors that the server logged. The list must stay empty, because bad input is not a server error. */
const faults: unknown[] = [];

beforeAll(async () => {
  const log = { debug() {}, info() {}, warn() {}, error: (...fault: unknown[]) => void faults.push(fault) };
  app = await startTestApp({ log });
  staff = await app.staff();
  station = await buildStation(app.db, staff.customer);
  owner = await app.browser(staff.owner);
});
afterAll(() => app?.close());

const site = () => ({ tocsinSiteUuid: station.site.uuid });

describe('required text that consists only of blanks is refused, for every kind of blank', () => {
  const attempts: [noun: string, field: string, values: () => Record<string, unknown>][] = [
    ['site', 'name', () => ({ siteId: 'PS-BLANK' })],
    ['site', 'siteId', () => ({ name: 'Station' })],
    ['asset', 'name', site],
    ['group', 'name', () => ({ level: 5 })],
    ['sensorChannel', 'name', () => ({ tocsinSensorUuid: station.sensor.uuid, channelNumber: 9 })],
    [
      'rule',
      'name',
      () => ({
        ...site(),
        tocsinAssetUuid: station.asset.uuid,
        tocsinDatapointUuid: station.datapoint.uuid,
        valueUpper: 5,
      }),
    ],
    ['ruleAlert', 'tocsinRuleName', site],
    ['user', 'displayName', () => ({ username: 'blank', email: 'blank@example.com', level: 20 })],
    ['alarm', 'message', site],
    ['alarmDefaultMessage', 'message', () => ({})],
  ];
  test.each(attempts)('%s.%s', async (noun, field, values) => {
    for (const blanks of [' ', '\t', '\u00a0\u2003', '\u3000']) {
      const { refusal } = await create(owner, noun, { ...values(), [field]: blanks });
      expect(refusal, JSON.stringify(blanks)).toMatchObject({
        code: 'BAD_USER_INPUT',
        field,
        message: 'Enter text, not only spaces.',
      });
    }
  });

  test('accepts text that consists only of letters', async () => {
    expect(await done(create(owner, 'asset', { ...site(), name: 'vvv' }, 'name'))).toEqual({ name: 'vvv' });
  });

  test('reason.reason', async () => {
    const alert = await done(create(owner, 'ruleAlert', { ...site(), tocsinRuleName: 'With reasons' }));
    const { refusal } = await create(owner, 'reason', { ruleUuid: alert.uuid, reason: '  ' });
    expect(refusal).toMatchObject({ field: 'reason' });
  });

  test('an existing row with blanks can still be changed in its other fields', async () => {
    const asset = await insertRow(app.db, 'tocsin.asset', {
      tocsin_customer_uuid: staff.customer.uuid,
      tocsin_site_uuid: station.site.uuid,
      name: '  ',
    });
    expect(await done(update(owner, 'asset', asset.uuid, { description: 'Old' }, 'description'))).toEqual({
      description: 'Old',
    });
  });
});

describe('a name has one line', () => {
  let rowsBefore: unknown;
  beforeEach(async () => {
    faults.length = 0;
    rowsBefore = await countRows(app.db);
  });
  afterEach(async () => {
    expect(await countRows(app.db)).toEqual(rowsBefore);
    expect(faults).toEqual([]);
  });

  /** Returns every text column that requests may write, each with a row that the test changes. */
  const named = () => [
    ['site', station.site.uuid, 'name'],
    ['site', station.site.uuid, 'siteId'],
    ['site', station.site.uuid, 'location'],
    ['asset', station.asset.uuid, 'name'],
    ['group', station.office.uuid, 'name'],
    ['sensor', station.sensor.uuid, 'uid'],
    ['sensorChannel', station.channel.uuid, 'name'],
    ['sensorChannel', station.channel.uuid, 'channelHighText'],
    ['assetDatapoint', station.datapoint.uuid, 'tocsinDatapointName'],
    ['user', staff.manager.uuid, 'displayName'],
  ];

  test.each([
    ['line feed', '\n'],
    ['carriage return', '\r'],
    ['next line', '\u0085'],
    ['line separator', '\u2028'],
  ])('refuses a %s at any place', async (_name, lineBreak) => {
    for (const [noun, uuid, field] of named()) {
      for (const text of [`Two${lineBreak}lines`, `${lineBreak}=1+1`, `One${lineBreak}`]) {
        const { refusal } = await update(owner, noun as string, uuid as string, { [field as string]: text });
        expect(refusal, `${noun} ${field}`).toEqual({
          code: 'BAD_USER_INPUT',
          field,
          message: 'Remove the line breaks. This field allows only one line.',
        });
      }
    }
  });

  test('refuses a line break when a record is created, alone or with dependent rows', async () => {
    const rule = {
      tocsinSiteUuid: station.site.uuid,
      tocsinAssetUuid: station.asset.uuid,
      tocsinDatapointUuid: station.datapoint.uuid,
      valueUpper: 4,
    };
    const alert = { tocsinSiteUuid: station.site.uuid };
    for (const [noun, values, field] of [
      ['group', { level: 5 }, 'name'],
      ['rule', rule, 'name'],
      ['ruleAlert', alert, 'tocsinRuleName'],
      ['site', { siteId: 'PS-9' }, 'name'],
    ] as const) {
      const { refusal } = await create(owner, noun, { ...values, [field]: 'Two\nlines' });
      expect(refusal, noun).toMatchObject({ code: 'BAD_USER_INPUT', field });
    }
  });

  test('covers every text that a request may write, except multi-line ones', async () => {
    const columns = await serviceQuery<{ name: string }>(
      app.db,
      `select c.relname || '.' || a.attname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid
       where n.nspname = 'tocsin' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
         and a.atttypid = 'text'::regtype
         and (has_column_privilege('tocsin_request', c.oid, a.attnum, 'insert') or has_column_privilege('tocsin_request', c.oid, a.attnum, 'update'))
         and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'one_line' and a.attnum = any (t.tgattr::smallint[]))
       order by 1`,
    );
    const severalLines = /\.(description|message|reply_command)$/;
    expect(columns.map(({ name }) => name).filter((name) => !severalLines.test(name))).toEqual([
      'action.tocsin_users',
      'alarm.acknowledge_text',
      'alarm.reason',
      'alarm.resolve_note',
      'rules_json.rule_json',
      'site.address',
    ]);
  });
});
