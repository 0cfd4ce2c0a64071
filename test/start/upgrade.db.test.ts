/** What a database of an earlier version holds, and what is left of it after the migrations that came since. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { migrate } from '../../server/platform/migrate.ts';
import { openPostgres } from '../../server/platform/postgres.ts';
import { root } from '../../server/prepare.ts';
import { migrateTestDatabase, testDatabaseKind } from '../harness/database.ts';
import { type TestPostgres, testPostgres } from '../harness/postgres.ts';

const NAME = 'tocsin_upgrade_test';
/** The last migration of the version that is upgraded. */
const LAST = '0020';

/** Functions as that version had them, which its logic made. The logic of today is not theirs, so they are made here. */
const OLD_FUNCTIONS = `
  create function tocsin_private.told(timestamptz, timestamptz, boolean, uuid, uuid[]) returns int language sql as 'select 1';
  create function tocsin_private.acknowledgement_rows(timestamptz, timestamptz, boolean, uuid, uuid[]) returns int language sql as 'select 1';
  create function tocsin_private.delivery_rows(timestamptz, timestamptz, integer, text, text, uuid, uuid[]) returns int language sql as 'select 1';
  create function tocsin_private.stamp_reply_message() returns trigger language plpgsql as 'begin new.reply_command := ''old''; return new; end';
  create trigger stamp before insert on tocsin.reply_message for each row execute function tocsin_private.stamp_reply_message();
  set local role tocsin_service;
  create function tocsin_definer.note_rule_change() returns trigger language plpgsql as 'begin return new; end';
  create function tocsin_definer.datapoint_day(uuid) returns int language sql as 'select 1';
  reset role;`;

const OLD_ROWS = `
  insert into tocsin.partner (id, name) values (7, 'Partner');
  insert into tocsin.customer (uuid, tocsin_partner_id, name, table_name) values ('00000000-0000-4000-8000-000000000001', 7, 'North Water', 'north');
  insert into tocsin.sensor (tocsin_customer_uuid, uid, sensor_type) values ('00000000-0000-4000-8000-000000000001', 'pump-7', 2);
  insert into tocsin.notification (tocsin_customer_uuid, recipient_name, address, method_type, message_type, notify_message, notify_time,
    state, parts, provider, sent_at)
  values ('00000000-0000-4000-8000-000000000001', 'Ann', '+44 1', 3, 1, 'kept', '2026-03-02 08:00Z', 'sent', 1, 'outbox', '2026-03-02 08:00Z'),
    ('00000000-0000-4000-8000-000000000001', 'Ann', '+44 1', 3, 1, 'sent', '2026-03-02 08:01Z', 'delivered', 2, 'twilio', '2026-03-02 08:01Z'),
    ('00000000-0000-4000-8000-000000000001', 'Ann', '+44 1', 3, 1, 'waits', '2026-03-02 08:02Z', 'queued', 0, '', null);
  create table tocsin.incoming_sensor_log_2026w10 partition of tocsin.incoming_sensor_log for values from ('2026-03-02') to ('2026-03-09');
  insert into tocsin.incoming_sensor_log (tocsin_customer_uuid, uid, raw_data, date_time, encoding)
  values ('00000000-0000-4000-8000-000000000001', 'pump-7', '1=20.5', '2026-03-02 08:00Z', 'text'),
    ('00000000-0000-4000-8000-000000000001', 'pump-7', '//79', '2026-03-02 08:01Z', 'base64');
  insert into tocsin.user (uuid, tocsin_customer_uuid, username, display_name, email, level)
  values ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'ann', 'Ann', 'ann@plant.example', 20);
  insert into tocsin.alarm_default_message (tocsin_customer_uuid, message, created_at)
  values ('00000000-0000-4000-8000-000000000001', 'newer', '2026-03-02 08:01Z'), ('00000000-0000-4000-8000-000000000001', 'oldest', '2026-03-02 08:00Z');
  insert into tocsin.site (uuid, tocsin_customer_uuid, name, site_id) values ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000001', 'North', 'N-1');
  insert into tocsin.rule_alert (tocsin_customer_uuid, tocsin_site_uuid, tocsin_rule_name, escalate_count)
  select '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000003', 'Escalates ' || times, times from unnest(array[0, 2]) times;
  insert into tocsin.rule_escalate_user (tocsin_customer_uuid, tocsin_rule_alert_uuid, tocsin_user_uuid)
  select a.tocsin_customer_uuid, a.uuid, '00000000-0000-4000-8000-000000000002' from tocsin.rule_alert a;`;

// The migrations are the same on the embedded database, and starting from nothing is tested on both.
describe.skipIf(testDatabaseKind() === 'embedded')(`a database of migration ${LAST}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-upgrade-'));
  let server: TestPostgres;
  let db: Database;

  beforeAll(async () => {
    const [migrationsDir, logicDir] = [join(folder, 'migrations'), join(folder, 'logic')];
    for (const made of [migrationsDir, logicDir]) mkdirSync(made);
    const all = join(root, 'db/migrations');
    for (const file of readdirSync(all)) {
      if (file.slice(0, 4) <= LAST) cpSync(join(all, file), join(migrationsDir, file));
    }
    server = await testPostgres();
    await server.dropDatabase(NAME);
    await server.createDatabase(NAME);
    db = await openPostgres({ url: server.urlFor(NAME), log: silentLog });
    await migrate(db, {
      ...{ migrationsDir, logicDir, product: 'Tocsin', version: 'old' },
      log: silentLog,
      clock: systemClock,
    });
    await db.migration(async (tx) => {
      await tx.query(`begin; ${OLD_FUNCTIONS} ${OLD_ROWS} commit`);
    });
    await migrateTestDatabase(db);
  });
  afterAll(async () => {
    await db?.close();
    await server?.dropDatabase(NAME);
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** As the server itself, which sees every row. */
  const rows = async (text: string) =>
    (
      await db.migration(async (tx) => {
        await tx.query('begin; set local role tocsin_service');
        try {
          return await tx.query(text);
        } finally {
          await tx.query('rollback');
        }
      })
    ).rows;

  test('keeps its messages word for word, and those of the outbox are no SMS that somebody pays', async () => {
    expect(
      await rows('select notify_message, state, parts, provider from tocsin.notification order by notify_time'),
    ).toEqual([
      { notify_message: 'kept', state: 'sent', parts: 1, provider: 'outbox' },
      { notify_message: 'sent', state: 'delivered', parts: 2, provider: 'twilio' },
      { notify_message: 'waits', state: 'queued', parts: 0, provider: '' },
    ]);
    const [index] = await rows(`select pg_get_indexdef('tocsin.notification_sms_idx'::regclass) as text`);
    expect(index.text).toContain("provider <> 'outbox'");
  });

  test('keeps its log, and takes what is turned away, in parts that were there before too', async () => {
    const log = 'select raw_data, encoding from tocsin.incoming_sensor_log order by date_time';
    const before = [
      { raw_data: '1=20.5', encoding: 'text' },
      { raw_data: '//79', encoding: 'base64' },
    ];
    expect(await rows(log)).toEqual(before);
    const add = (encoding: string) =>
      rows(`insert into tocsin.incoming_sensor_log (tocsin_customer_uuid, uid, raw_data, date_time, encoding)
        values ('00000000-0000-4000-8000-000000000001', 'pump-7', '', '2026-03-03 08:00Z', '${encoding}') returning encoding`);
    expect(await add('none')).toEqual([{ encoding: 'none' }]);
    await expect(add('morse')).rejects.toThrow(/incoming_sensor_log_encoding_check/);
  });

  test('escalates to nobody where it escalated 0 times, which none can any more', async () => {
    expect(
      await rows(`select a.tocsin_rule_name as rule, a.escalate_count as times, count(e.uuid)::int as people from tocsin.rule_alert a
        left join tocsin.rule_escalate_user e on e.tocsin_rule_alert_uuid = a.uuid group by 1, 2 order by 1`),
    ).toEqual([
      { rule: 'Escalates 0', times: 3, people: 0 },
      { rule: 'Escalates 2', times: 2, people: 1 },
    ]);
    await expect(rows('update tocsin.rule_alert set escalate_count = 0')).rejects.toThrow(/escalate_count_check/);
  });

  test('keeps using the oldest default message', async () => {
    expect(await rows('select message, is_used from tocsin.alarm_default_message order by message')).toEqual([
      { message: 'newer', is_used: false },
      { message: 'oldest', is_used: true },
    ]);
  });

  test('has no function of the earlier version left, nor a trigger that calls one', async () => {
    const functions = await rows(`
      select p.proname as name, count(*)::int as count from pg_proc p
      where p.proname in ('told', 'acknowledgement_rows', 'delivery_rows', 'note_rule_change', 'datapoint_day') group by 1 order by 1`);
    expect(functions).toEqual(['acknowledgement_rows', 'delivery_rows', 'told'].map((name) => ({ name, count: 1 })));
    expect(
      await rows(`insert into tocsin.reply_message (tocsin_customer_uuid, uid, reply_command)
        values ('00000000-0000-4000-8000-000000000001', 'pump-7', 'REBOOT') returning reply_command`),
    ).toEqual([{ reply_command: 'REBOOT' }]);
  });
});
