/**
 * Calls every read function of the API once. Every test run executes this file twice: on the embedded database and on
 * PostgreSQL.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { weeksUntil } from '../../domain/week.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp } from '../harness/server/app.ts';
import { accessOf } from './api.ts';
import { addNotification, buildStation, openAlarm, type Station } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let station: Station;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  station = await buildStation(app.db, staff.customer);
  await openAlarm(app.db, station, { message: 'Level high', at: '2026-03-01T07:00:00Z' });
  await addNotification(app.db, station, { at: '2026-03-01T07:00:00Z' });
});
afterAll(async () => {
  await app?.close();
});

interface ReadFunction {
  name: string;
  /** Names of the arguments, in the order of the declaration. */
  names: string[];
  types: string[];
  /** Table to which a computed column belongs; null for other functions. */
  table: string | null;
}

const readFunctions = () =>
  serviceQuery<ReadFunction>(
    app.db,
    `select p.proname as name, coalesce(p.proargnames[1:p.pronargs], '{}') as names,
       array(select format_type(t, null) from unnest(p.proargtypes) with ordinality a (t, n) order by n) as types,
       (select c.relname from pg_class c where c.reltype = p.proargtypes[0] and c.relkind in ('r', 'p')) as table
     from pg_proc p
     where p.pronamespace = 'tocsin'::regnamespace and p.prokind = 'f' and p.provolatile <> 'v' order by 1`,
  );

/** Values of the arguments that a function needs in order to run to its end. All other arguments are null. */
const given = (): Record<string, unknown> => ({
  range_from: '2026-03-01T00:00:00Z',
  range_to: '2026-03-02T00:00:00Z',
  from: '2026-03-01T00:00:00Z',
  to: '2026-03-02T00:00:00Z',
  notify_from: '2026-03-01T00:00:00Z',
  notify_to: '2026-03-02T00:00:00Z',
  created_from: '2026-03-01T00:00:00Z',
  created_to: '2026-03-02T00:00:00Z',
  date_time_from: '2026-03-01T00:00:00Z',
  date_time_to: '2026-03-02T00:00:00Z',
  week_starts: weeksUntil(app.clock.now(), 'UTC'),
  today: '2026-03-02T00:00:00Z',
  datapoint_uuids: [station.datapoint.uuid],
  site_uuids: [station.site.uuid],
  noun: 'site',
  uuid: station.site.uuid,
  tocsin_user_uuid: staff.operator.uuid,
  tocsin_site_uuid: station.site.uuid,
  width: 100,
  most: 5,
  words: ['level'],
  search: 'level',
});

test('every read function of the API runs without an error', async () => {
  const values = given();
  const refused: string[] = [];
  const functions = await readFunctions();
  for (const { name, names, types, table } of functions) {
    const sql = table
      ? `select tocsin.${name}(one) from tocsin.${table} one`
      : `select * from tocsin.${name}(${types.map((type, place) => `$${place + 1}::${type}`).join(', ')})`;
    const parameters = table ? [] : names.map((argument) => values[argument] ?? null);
    await app.db
      .transaction(accessOf(app, staff.owner), (tx) => tx.query(sql, parameters))
      .catch((error) => refused.push(`${name}: ${error.message}`));
  }
  expect(refused).toEqual([]);
  expect(functions.length).toBeGreaterThan(60);
});
