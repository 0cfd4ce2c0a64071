import { afterAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import {
  createCustomer,
  createSite,
  createUser,
  insertRow,
  serviceQuery,
} from '../../test/harness/database/factories.ts';
import { serviceAccess } from '../access.ts';
import { HandClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { shiftDeadlines } from './shift.ts';

afterAll(disposeTestDatabases);

/** Columns with pending deadlines, which `shiftDeadlines` moves. */
const moved = [
  'rule_state.due_at',
  'rule_state.since',
  'alarm.next_escalation_at',
  'alarm.resumes_escalation_at',
  'alarm.quiet_until',
  'shelving.until',
  'notification.notify_time',
  'notification.next_attempt_at',
  'last_notified.event_time',
  'last_notified.noted_at',
  'deferred_notification.due_at',
  'deferred_notification.event_time',
  'destination_delivery.next_attempt_at',
  'destination_delivery.queued_at',
  'destination_turn.next_at',
  'alarm_flood.ends_at',
  'digest_entry.due_at',
  'digest_turn.next_at',
  'session.created_at',
  'session.last_seen_at',
  'session.expires_at',
  'one_time_code.created_at',
  'one_time_code.expires_at',
  'pending_invitation.requested_at',
  'early_receipt.created_at',
  'attempts.wait_until',
  'attempts.ends_at',
  'attempts.running_until',
  'reply_message.queued_on',
  'reply_message.sent_on',
  'reply_message.expires_on',
  'site.last_update',
  'sensor.last_contact',
];

/** Columns with the time of a past event. `shiftDeadlines` must not move them. */
const stays = [
  /\.(updated_at|changed_at|revoked_at|used_at|applied_at)$/,
  /^(?!session|one_time_code|early_receipt).*\.created_at$/,
  /^alarm\.(date_time|resolved_date|pending_since|last_occurred_at|assigned_at)$/,
  /^notification\.(ack_time|sent_at|delivered_at|failed_at)$/,
  /^rule_state\.opened_at$/,
  /^rule_transition\./,
  /^reply_message\.(delivered_on|cancelled_on)$/,
  // People planned the times of maintenance windows and rotas, so they do not move.
  /^(maintenance_(window|occurrence)|rota_(override|gap|swap))\./,
  /^(destination_delivery\.(sent_at|failed_at)|destination_work\.at|inbound_message\.received_at)$/,
  /^(system_alarm\.|shelving\.ended_at$|suppressed_sms\.)/,
  /^(reading|incoming_sensor_log|health_slot|rollup_\w+|milestone|alarm_event|alarm_work|device_change|write_behind|audit)\./,
  /^(alarm_flood\.(began_at|ended_at|last_alarm_at)|digest_audience\.used_at)$/,
  /^(alarm_hour|alarm_hour_change)\.hour$/,
  // Time of the last weekly report that was sent. The next report is due at a calendar time, which does not move.
  /^report_subscription\.sent_until$/,
  /^(site|asset_datapoint)\.last_updated$/,
];

/** Columns that hold times of the database's clock. A step of the server's clock does not change them. */
const ofDatabase = [
  /^(process|backup|lease|database_size|frame_minute)\./,
  /^(notification|destination_delivery)\.lease_until$/,
  /^pending_invitation\.next_attempt_at$/,
];

test('every time column is either moved with the clock or a record of the past', async () => {
  const db = await openTestDatabase();
  const rows = await serviceQuery<{ name: string }>(
    db,
    `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and not c.relispartition
       and a.atttypid = 'timestamptz'::regtype and not a.attisdropped order by 1`,
  );
  const names = rows.map(({ name }) => name);
  expect(moved.filter((name) => !names.includes(name))).toEqual([]);
  const unknown = names.filter(
    (name) => !moved.includes(name) && ![...stays, ...ofDatabase].some((pattern) => pattern.test(name)),
  );
  expect(
    unknown,
    'add each to `moved` and server/clock/shift.ts if something is due by it, otherwise to `stays`',
  ).toEqual([]);
  await db.close();
});

test('moves the start of a debounce, except for a reading that was uploaded late', async () => {
  const db = await openTestDatabase();
  const clock = new HandClock(new Date('2026-03-04T08:00:00Z'));
  const state = (since: string, watch: string) =>
    serviceQuery(
      db,
      `insert into tocsin_private.rule_state (watch_uuid, kind, shard, version, phase, since, opened_at, due_at)
       values ($1, 'limits', 0, 1, 'pending', $2, $2, '2026-03-04T08:02:00Z')`,
      [watch, since],
    );
  const [live, late] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  await state('2026-03-04T08:00:00Z', live as string);
  await state('2026-03-04T02:00:00Z', late as string);
  const customer = await createCustomer(db);
  for (const [watch, at] of [
    [live, '2026-03-04T08:00:00Z'],
    [late, '2026-03-04T02:00:00Z'],
  ]) {
    await serviceQuery(
      db,
      `insert into tocsin.rule_transition (tocsin_customer_uuid, tocsin_site_uuid, watch_uuid, rule_name, rule_version, from_phase,
         to_phase, because, at, noticed_at)
       values ($1, gen_random_uuid(), $2, 'High', 1, 'normal', 'pending', 'above-upper', $3, '2026-03-04T08:00:00Z')`,
      [customer.uuid, watch, at],
    );
  }
  await db.transaction(serviceAccess(clock), (tx) => shiftDeadlines(tx, 7_200_000));
  const rows = await serviceQuery(db, 'select since, due_at from tocsin_private.rule_state order by watch_uuid');
  expect(rows).toEqual([
    { since: new Date('2026-03-04T10:00:00Z'), due_at: new Date('2026-03-04T10:02:00Z') },
    // The reading was uploaded late, so its debounce uses device time, which does not move.
    { since: new Date('2026-03-04T02:00:00Z'), due_at: new Date('2026-03-04T10:02:00Z') },
  ]);
  await db.close();
});

const SPAN = 7_200_000;
const NOW = new Date('2026-03-04T08:00:00Z');

/** Returns the names of the tables in `moved`, including the schema. */
const tables = (db: Database) =>
  serviceQuery<{ table: string; columns: string[] }>(
    db,
    `select n.nspname || '.' || c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and a.atttypid = 'timestamptz'::regtype
       and not a.attisdropped and c.relname = any ($1) group by 1 order by 1`,
    [[...new Set(moved.map((name) => name.split('.')[0]))]],
  );

/** Returns every time in the tables of `moved`, in milliseconds, keyed by `table.column`. Each table has one row. */
async function timesOf(db: Database): Promise<Map<string, number | undefined>> {
  const times = new Map<string, number | undefined>();
  for (const { table, columns } of await tables(db)) {
    const rows = await serviceQuery<Record<string, Date | null>>(db, `select ${columns.join(', ')} from ${table}`);
    expect(rows, table).toHaveLength(1);
    for (const [column, time] of Object.entries(rows[0] ?? {}))
      times.set(`${table.replace(/^\w+\./, '')}.${column}`, time?.getTime());
  }
  return times;
}

/** Shifts the deadlines. Returns the shift of each changed column, in milliseconds. */
async function shifted(db: Database): Promise<Record<string, number>> {
  const before = await timesOf(db);
  await db.transaction(serviceAccess(new HandClock(NOW)), (tx) => shiftDeadlines(tx, SPAN));
  const after = await timesOf(db);
  return Object.fromEntries(
    [...after]
      .map(([name, time]) => [name, (time ?? 0) - (before.get(name) ?? 0)] as const)
      .filter(([, by]) => by !== 0),
  );
}

/** Inserts one row with pending deadlines into each table of `moved`. */
async function insertPending(db: Database): Promise<void> {
  const at = NOW;
  const later = new Date(at.getTime() + SPAN);
  const customer = await createCustomer(db);
  const user = await createUser(db, { customer });
  const site = await createSite(db, { customer });
  const own = { tocsin_customer_uuid: customer.uuid };
  const watch = site.uuid;
  await serviceQuery(db, 'update tocsin.site set last_update = $1, site_status = 1', [at]);
  await insertRow(db, 'tocsin.sensor', { ...own, uid: 'shifted', sensor_type: 1, last_contact: at });
  await insertRow(db, 'tocsin_private.rule_state', {
    ...{
      watch_uuid: watch,
      kind: 'limits',
      shard: 0,
      version: 1,
      phase: 'pending',
      since: at,
      opened_at: at,
      due_at: at,
    },
  });
  await insertRow(db, 'tocsin.rule_transition', {
    ...{ ...own, tocsin_site_uuid: site.uuid, watch_uuid: watch, rule_name: 'High', rule_version: 1 },
    ...{ from_phase: 'normal', to_phase: 'pending', because: 'above-upper', at, noticed_at: at },
  });
  const alarm = await insertRow(db, 'tocsin.alarm', {
    ...{ ...own, tocsin_site_uuid: site.uuid, site_name: site.name, message: 'High', date_time: at },
    ...{ next_escalation_at: at, resumes_escalation_at: at, quiet_because: 'shelved', quiet_until: at },
  });
  await insertRow(db, 'tocsin.shelving', {
    ...{ ...own, scope: 'alarm', target_uuid: alarm.uuid, tocsin_site_uuid: site.uuid, target_name: 'High' },
    ...{ site_name: site.name, user_name: 'Ann', reason: 'Work', until: at },
  });
  await insertRow(db, 'tocsin.notification', {
    ...{ ...own, recipient_name: 'Ann', address: 'ann@plant.example', method_type: 1, message_type: 1 },
    ...{ notify_message: 'High', notify_time: at, next_attempt_at: at, lease_until: at },
  });
  const address = { method_type: 1, address: 'ann@plant.example' };
  await insertRow(db, 'tocsin_private.last_notified', {
    ...{ ...address, topic: 'High', alarm_uuid: alarm.uuid, ended: false, event_time: at, noted_at: at },
  });
  await insertRow(db, 'tocsin_private.deferred_notification', {
    ...{ ...own, once_key: 'once', tocsin_alarm_uuid: alarm.uuid, tocsin_user_uuid: user.uuid, topic: 'High' },
    ...{ due_at: at, event_time: at, draft: '{}' },
  });
  const flood = await insertRow(db, 'tocsin.alarm_flood', {
    ...{ ...own, tocsin_site_uuid: site.uuid, place_name: site.name, began_at: at, ends_at: at, last_alarm_at: at },
    ...{ alarms: 11, tocsin_alarm_uuid: alarm.uuid, first_message: 'High', first_site_name: site.name },
  });
  await insertRow(db, 'tocsin_private.digest_audience', { ...own, key: 'k', addresses: '[]', used_at: at });
  await insertRow(db, 'tocsin_private.digest_entry', {
    ...{ ...own, tocsin_alarm_uuid: alarm.uuid, tocsin_alarm_flood_uuid: flood.uuid, kind: 'alarm', step: 0 },
    ...{ audience: 'k', due_at: at },
  });
  await insertRow(db, 'tocsin_private.digest_turn', { ...own, next_at: at });
  const destination = await insertRow(db, 'tocsin.destination', {
    ...{ ...own, name: 'Control room', kind: 'webhook', tocsin_site_uuid: site.uuid, host: 'hooks.plant.example' },
  });
  await insertRow(db, 'tocsin.destination_delivery', {
    ...{ ...own, tocsin_destination_uuid: destination.uuid, event: 'test', next_attempt_at: at, queued_at: at },
  });
  await insertRow(db, 'tocsin_private.destination_turn', { ...own, next_at: at });
  const lasts = { user_uuid: user.uuid, created_at: at, expires_at: at };
  await insertRow(db, 'tocsin_private.session', { ...lasts, token_hash: Buffer.from('token'), last_seen_at: at });
  await insertRow(db, 'tocsin_private.one_time_code', { ...lasts, purpose: 'reset', code_hash: Buffer.from('code') });
  await insertRow(db, 'tocsin_private.pending_invitation', {
    ...{ user_uuid: user.uuid, requested_at: at, next_attempt_at: at },
  });
  await insertRow(db, 'tocsin_private.attempts', {
    ...{ kind: 'failuresPerAccount', key: Buffer.alloc(32, 1), wait_until: at, ends_at: later, running_until: at },
  });
  await insertRow(db, 'tocsin_private.early_receipt', {
    ...{ provider: 'twilio', provider_id: '1', state: 'delivered', words: '', created_at: at },
  });
  await insertRow(db, 'tocsin.reply_message', {
    ...{ ...own, uid: 'shifted', reply_command: 'on', queued_on: at, sent_on: at, expires_on: later },
  });
  const value = JSON.stringify({ since: at, until: at });
  await insertRow(db, 'tocsin_private.installation', { name: 'listening', value });
}

test('moves all pending deadlines by the same span, and no other time', async () => {
  const db = await openTestDatabase();
  await insertPending(db);
  expect(await shifted(db)).toEqual(Object.fromEntries(moved.map((name) => [name, SPAN])));
  const [listening] = await serviceQuery(
    db,
    `select (value ->> 'since')::timestamptz as since, (value ->> 'until')::timestamptz as until
     from tocsin_private.installation where name = 'listening'`,
  );
  const later = new Date(NOW.getTime() + SPAN);
  expect(listening).toEqual({ since: later, until: later });

  await serviceQuery(db, 'update tocsin_private.rule_state set due_at = null');
  await serviceQuery(db, `update tocsin.notification set state = 'sent', sent_at = notify_time`);
  await serviceQuery(db, 'update tocsin_private.one_time_code set used_at = created_at');
  await serviceQuery(db, 'update tocsin.reply_message set delivered_on = sent_on');
  await serviceQuery(db, 'update tocsin.site set site_status = 3');
  await serviceQuery(db, `update tocsin.shelving set ended_at = until, ended_how = 'person'`);
  await serviceQuery(db, 'update tocsin.alarm_flood set ended_at = ends_at');
  await serviceQuery(db, `update tocsin.destination_delivery set state = 'sent'`);
  const settled =
    /^(rule_state|alarm_flood|destination_delivery|notification|one_time_code|reply_message|site|shelving)\./;
  const pending = moved.filter((name) => !settled.test(name));
  expect(await shifted(db), 'after some are settled').toEqual(Object.fromEntries(pending.map((name) => [name, SPAN])));
  await db.close();
});
