import { afterAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { createCustomer, serviceQuery } from '../../test/harness/database/factories.ts';
import { serviceAccess } from '../access.ts';
import { HandClock } from '../platform/clock.ts';
import { shiftDeadlines } from './shift.ts';

afterAll(disposeTestDatabases);

/** Columns that `shiftDeadlines` moves in rows that are still pending. */
const moved = [
  'rule_state.due_at',
  'rule_state.since',
  'alarm.next_escalation_at',
  'alarm.resumes_escalation_at',
  'notification.notify_time',
  'notification.next_attempt_at',
  'last_notified.event_time',
  'last_notified.noted_at',
  'deferred_notification.due_at',
  'deferred_notification.event_time',
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
  /^alarm\.(date_time|resolved_date|pending_since|last_occurred_at)$/,
  /^notification\.(ack_time|sent_at|delivered_at|failed_at)$/,
  /^rule_state\.opened_at$/,
  /^rule_transition\./,
  /^reply_message\.(delivered_on|cancelled_on)$/,
  /^system_alarm\./,
  /^(reading|incoming_sensor_log|health_slot|rollup_\w+|milestone|alarm_event|alarm_work|device_change|write_behind|audit)\./,
  /^(site|asset_datapoint)\.last_updated$/,
];

/** Columns with the database's time, which product time does not affect. */
const ofDatabase = [/^(process|backup)\./, /^notification\.lease_until$/, /^pending_invitation\.next_attempt_at$/];

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

test('moves all pending deadlines by the same span', async () => {
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
    // This reading was uploaded late. Its debounce uses device time, which does not move.
    { since: new Date('2026-03-04T02:00:00Z'), due_at: new Date('2026-03-04T10:02:00Z') },
  ]);
  await db.close();
});
