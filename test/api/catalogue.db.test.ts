/**
 * Requirements that every table must meet. The tests read the database's catalogue, so that they also cover new tables.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { constraintMessages } from '../../server/graphql/constraint-messages.ts';
import type { Database } from '../../server/platform/database.ts';
import { openTestDatabase } from '../harness/database/database.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  await db.migration((tx) => tx.query("call tocsin_private.ensure_partitions('2026-03-01', '2026-03-20')"));
});
afterAll(() => db?.close());

async function rows<R extends object = any>(text: string): Promise<R[]> {
  return (await db.migration((tx) => tx.query(text))).rows as R[];
}

/** Constraints that no request can violate, each with the reason. */
const outOfReach: Record<string, string> = {
  alarm_customer_fkey: 'the server takes the customer of an alarm from the session',
  alarm_asset_fkey: 'only the pipeline writes the asset of an alarm',
  alarm_datapoint_fkey: 'only the pipeline writes the data point of an alarm',
  alarm_quiet_because_check: 'the server writes why an alarm is quiet',
  alarm_quiet_check: 'the server writes why and until when an alarm is quiet',
  alarm_shelving_fkey: 'the server writes the shelving of an alarm',
  alarm_cause_alarm_fkey: 'the server writes the alarm of the cause',
  alarm_assigned_check: 'the server writes who has an alarm, and since when',
  alarm_assigned_to_fkey: 'only an existing person can get an alarm',
  alarm_acknowledged_by_fkey: 'the server writes who acknowledged the alarm',
  alarm_priority_check: 'the server writes the priority of an alarm',
  alarm_resolved_by_fkey: 'the server writes who resolved the alarm',
  alarm_resolved_how_check: 'the server writes how the alarm was resolved',
  alarm_source_check: 'the server writes the source of an alarm',
  customer_end_point_key: 'only the administrator sets the host name of a customer',
  customer_id_key: 'the database numbers customers',
  customer_partner_fkey: 'no request sets the partner of a customer',
  customer_sms_currency_check: 'the function that sets the price refuses it first',
  customer_sms_price_check: 'the function that sets the price refuses it first',
  customer_sms_price_whole_check: 'the function that sets the price writes both or none',
  customer_status_check: 'no request closes a customer',
  customer_table_name_key: 'the table name is set only when the customer is created',
  push_subscription_user_fkey: 'the server takes the user from the session',
  alarm_site_name_length: 'the server copies the name of the site',
  user_reset_password_check: 'only the sign-in routes write this column',
};
/**
 * Unique keys that contain the primary key and exist only for foreign keys. No request can violate these keys, because
 * requests cannot choose a uuid.
 */
const repeatsPrimaryKey = /_in_(customer|site|sensor|asset)_key$|_pkey$/;
const shortKey = 'sensor_channel_short_key';

describe('constraints', () => {
  const writable = `has_any_column_privilege('tocsin_request', c.oid, 'insert, update')`;
  const query = `
    select c.relname as table, x.name, x.kind from pg_class c join pg_namespace n on n.oid = c.relnamespace
    cross join lateral (
      select conname as name, case contype when 'f' then 'reference' else 'check' end as kind
      from pg_constraint where conrelid = c.oid and contype in ('c', 'f')
      union all
      select i.relname, 'unique' from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = c.oid and x.indisunique
    ) x
    where n.nspname = 'tocsin' and c.relkind in ('r', 'p') and not c.relispartition and ${writable}
    order by 1, 2`;

  test('have a message if a request can violate them', async () => {
    const all = await rows<{ table: string; name: string; kind: string }>(query);
    expect(all.length).toBeGreaterThan(150);
    const silent = all.filter(
      ({ name, kind }) =>
        !constraintMessages[name] &&
        !outOfReach[name] &&
        name !== shortKey &&
        !(kind === 'check' && name.endsWith('_length')) &&
        !(kind === 'unique' && repeatsPrimaryKey.test(name)),
    );
    expect(silent).toEqual([]);
  });

  test('have messages only for existing constraints and columns', async () => {
    const known = new Map((await rows<{ table: string; name: string }>(query)).map((row) => [row.name, row.table]));
    const columns = new Set(
      (
        await rows(
          `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'tocsin'`,
        )
      ).map(({ name }) => name),
    );
    for (const [name, { field }] of Object.entries(constraintMessages)) {
      expect(known.has(name), `${name} does not exist`).toBe(true);
      if (field) expect(columns, `${name} speaks of ${field}`).toContain(`${known.get(name)}.${field}`);
    }
    expect(Object.keys(outOfReach).filter((name) => !known.has(name))).toEqual([]);
  });

  test('have unique names, because an error carries only the name', async () => {
    const names = (await rows<{ name: string }>(query)).map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('index every foreign key', async () => {
    const unindexed = await rows(`
      select k.conname from pg_constraint k join pg_namespace n on n.oid = k.connamespace
      where k.contype = 'f' and n.nspname in ('tocsin', 'tocsin_private') and k.conparentid = 0
        and not exists (select from pg_index i where i.indrelid = k.conrelid and i.indpred is null
          and k.conkey[array_length(k.conkey, 1)] in (i.indkey[0], i.indkey[1]))`);
    expect(unindexed).toEqual([]);
  });

  test('include the customer in every foreign key between a customer’s rows', async () => {
    const loose = await rows(`
      select k.conname from pg_constraint k join pg_namespace n on n.oid = k.connamespace
      where k.contype = 'f' and n.nspname = 'tocsin' and k.confrelid not in ('tocsin.customer'::regclass, 'tocsin.partner'::regclass)
        and not exists (select from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any (k.conkey) and a.attname = 'tocsin_customer_uuid')`);
    expect(loose).toEqual([]);
  });
});

describe('row level security and grants', () => {
  test('apply to every table and its owner; partitions belong to the server’s role and have no policy', async () => {
    const tables = await rows<{ name: string; safe: boolean; part: boolean }>(`
      select n.nspname || '.' || c.relname as name, c.relispartition as part,
        c.relrowsecurity and case when c.relispartition
          then c.relowner = 'tocsin_service'::regrole and not exists (select from pg_policy p where p.polrelid = c.oid)
            and not has_any_column_privilege('tocsin_request', c.oid, 'select, insert, update')
          else c.relforcerowsecurity and c.relowner <> 'tocsin_service'::regrole end as safe
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p')`);
    expect(tables.filter(({ part }) => part).length).toBeGreaterThan(0);
    expect(tables.filter(({ safe }) => !safe)).toEqual([]);
  });

  test('grant columns to requests, never a whole table, and nothing private', async () => {
    const grants = await rows(`
      select c.oid::regclass::text as name, p.privilege_type as verb
      from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join lateral aclexplode(c.relacl) p
      where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p', 'v', 'm', 'S')
        and p.grantee in ('tocsin_request'::regrole, 0) and p.privilege_type <> 'DELETE'`);
    expect(grants).toEqual([]);
    const hidden = await rows(`
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('tocsin_private', 'tocsin_definer') and c.relkind in ('r', 'p')
        and (has_any_column_privilege('tocsin_request', c.oid, 'select, insert, update')
          or has_table_privilege('tocsin_request', c.oid, 'delete, truncate'))`);
    expect(hidden).toEqual([]);
  });

  test('do not let requests write what the server maintains', async () => {
    const written = await rows<{ name: string }>(`
      select c.relname || '.' || a.attname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where n.nspname = 'tocsin' and c.relkind in ('r', 'p') and not a.attisdropped
        and (has_column_privilege('tocsin_request', c.oid, a.attnum, 'insert') or has_column_privilege('tocsin_request', c.oid, a.attnum, 'update'))
        and a.attname in ('uuid', 'id', 'created_at', 'varified', 'acknowledged_by', 'acknowledge_json', 'latest_value', 'site_status')`);
    expect(written).toEqual([]);
  });

  test('accept the time of the last change only where a trigger compares it', async () => {
    const marks = await rows<{ name: string }>(`
      select c.relname || '.' || a.attname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where n.nspname = 'tocsin' and c.relkind in ('r', 'p') and a.attname in ('updated_at', 'last_updated')
        and (has_column_privilege('tocsin_request', c.oid, a.attnum, 'insert')
          or has_column_privilege('tocsin_request', c.oid, a.attnum, 'update') and not exists (
            select from pg_trigger t where t.tgrelid = c.oid and (t.tgname = 'touch' or c.relname = 'site' and t.tgname = 'guard')
              and (t.tgattr = ''::int2vector or a.attnum = any (t.tgattr::int2[]))))`);
    expect(marks).toEqual([]);
  });
});

/** Tables without an audit trigger, each with the reason. None of them holds configuration that people edit. */
const unrecorded: Record<string, string> = {
  'tocsin.alarm_event': 'is the timeline of an alarm',
  'tocsin.audit': 'is the record itself',
  'tocsin.outbox': 'is written by the server alone',
  'tocsin.notification': 'records its own states',
  'tocsin.alarm_flood': 'is written by the server alone',
  'tocsin.destination_delivery': 'records its own states',
  'tocsin_private.destination_alarm': 'is written by the server alone',
  'tocsin_private.destination_turn': 'is written by the server alone',
  'tocsin_private.destination_work': 'is a queue; the timeline of the alarm has its events',
  'tocsin_private.digest_audience': 'is written by the server alone',
  'tocsin_private.digest_entry': 'is written by the server alone',
  'tocsin_private.digest_turn': 'is written by the server alone',
  'tocsin_private.sms_budget_warning': 'is written by the server alone',
  'tocsin_private.sms_usage': 'counts notifications',
  'tocsin_private.suppressed_sms': 'is written by the server alone',
  'tocsin.push_subscription': 'is a browser that people switch on and off for themselves',
  'tocsin.rule_transition': 'is the history of a rule’s state',
  'tocsin.rule_version': 'is the history of a rule’s settings',
  'tocsin_private.alarm_hour': 'is computed from alarms',
  'tocsin_private.alarm_hour_change': 'is computed from alarms',
  'tocsin_private.report_subscription': 'is an e-mail that people order and stop for themselves',
  'tocsin_private.alarm_work': 'is a queue of changes that are on record elsewhere',
  'tocsin_private.evaluator_shard': 'is the progress of the evaluator',
  'tocsin_private.rule_state': 'is the state of the evaluator; every change of it is a transition',
  'tocsin.incoming_sensor_log': 'holds frames of devices',
  'tocsin.reading': 'holds readings of devices',
  'tocsin.health_slot': 'is counted by the server',
  'tocsin.health_week': 'is computed from slots',
  'tocsin.rollup_day': 'is computed from readings',
  'tocsin.rollup_hour': 'is computed from readings',
  'tocsin.rollup_minute': 'is computed from readings',
  'tocsin_private.backup': 'is reported by a job',
  'tocsin_private.database_size': 'is measured every hour',
  'tocsin_private.deferred_notification': 'is a queue; the alarm says who waits for what',
  'tocsin.maintenance_occurrence': 'follows from the maintenance window, which is on record',
  'tocsin_private.frame_minute': 'counts frames',
  'tocsin_private.last_notified': 'is derived from notifications, which are on record',
  'tocsin_private.device_change': 'is a queue of changes that are on record elsewhere',
  'tocsin_private.sensor_takeover': 'says which process serves a sensor',
  'tocsin_private.write_behind': 'is the progress of a process',
  'tocsin_private.milestone': 'is the progress of the engine',
  'tocsin_private.migration': 'is its own record',
  'tocsin_private.attempts': 'changes with every sign-in; the trail records sign-ins',
  'tocsin_private.early_receipt': 'holds a receipt until its message is known',
  'tocsin_private.inbound_message': 'finds repeated messages; the timeline of the alarm has the answer',
  'tocsin_private.answer_offer': 'is derived from notifications, which are on record',
  'tocsin_private.session': 'changes with every sign-in',
  'tocsin_private.one_time_code': 'changes with every code',
  'tocsin_private.pending_invitation': 'is a queue; the invited user is on record',
  'tocsin_private.process': 'is written by the process itself',
  'tocsin_private.system_alarm': 'is the history of the installation',
  'tocsin_private.lease': 'is renewed by its holder every two seconds',
  'tocsin_private.secret': 'is generated by the server for its own use',
  'tocsin_private.installation': 'is written when the product is set up',
};

test('every configurable table records its changes', async () => {
  const tables = await rows<{ name: string; recorded: boolean }>(`
    select n.nspname || '.' || c.relname as name,
      exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'record_change' and t.tgenabled = 'O') as recorded
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and not c.relispartition order by 1`);
  const silent = tables.filter(({ recorded }) => !recorded).map(({ name }) => name);
  expect(silent).toEqual(Object.keys(unrecorded).sort((a, b) => (a < b ? -1 : 1)));
});

describe('functions', () => {
  test('that requests can call run with the caller’s rights', async () => {
    const definers = await rows(`
      select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('tocsin', 'tocsin_private') and p.prosecdef`);
    expect(definers).toEqual([]);
  });

  const triggers = [
    'end_access',
    'end_assignments',
    'end_shelving_of_alarm',
    'end_shelvings_of_deleted',
    'end_windows_of_deleted',
    'follow_sensor_status',
    'plan_again',
    'convert_health_slots',
    'end_cause',
    'forget_alarm_hours',
    'mark_alarm_hours',
    'end_conditions',
    'end_site_alarms',
    'follow_alarm',
    'follow_dependency',
    'invite',
    'keep_rule_version',
    'note_alarm_event',
    'note_alarm_work',
    'note_device_change',
    'record_change',
    'recount_sms_of_customer',
    'recount_sms_of_office',
    'stamp_reply_message',
    'transfer_rule_alert',
  ];
  /**
   * Functions that requests may execute. These functions check permissions themselves; other tests cover these checks.
   */
  const open = [
    'answer_swap',
    'delete_layer',
    'delete_override',
    'delete_rota',
    'my_feeds',
    'my_rotas',
    'on_call_people',
    'rename_rota',
    'renew_feed',
    'rota_people',
    'store_gap',
    'store_layer',
    'store_override',
    'store_swap',
    'copy_plan_steps',
    'people_to_notify',
    'replace_step_people',
    'step_recipient_name',
    'store_plan_steps',
    'advice_dismissal_of',
    'dismiss_advice',
    'store_destination',
    'renew_destination_secret',
    'test_destination',
    'resend_delivery',
    'resume_advice',
    'alarm_hour_candidates',
    'alarm_hour_gaps',
    'alarm_hour_loads',
    'alarm_hour_recipients',
    'alarm_hour_seconds',
    'alarm_hour_totals',
    'my_weekly_report',
    'set_weekly_report',
    'end_weekly_report',
    'assign_alarm',
    'assignable_people',
    'cause_of_alarm',
    'channels',
    'datapoint_recent',
    'datapoint_history',
    'readings_of_datapoint',
    'datapoint_series',
    'digests_of_alarm',
    'alarms_of_digest',
    'waits_for_digest',
    'end_sessions',
    'start_shelving',
    'extend_shelving',
    'end_shelving',
    'store_window',
    'end_own_windows',
    'has_device_token',
    'invite_again',
    'issue_device_token',
    'machine_clock',
    'open_system_alarms',
    'other_open_rules',
    'people_of_site',
    'person_name',
    'rule_alerts_naming',
    'reason_is_valid_at',
    'release_alarm',
    'revoke_device_tokens',
    'rules_reaching_nobody',
    'sessions_of',
    'set_own_channels',
    'set_own_profile',
    'set_sms_price',
    'sms_accounts',
    'system_status',
    'cancel_reply_message',
    'test_message',
    'undo_acknowledgement',
    'unreachable_because',
    'use_alarm_default_message',
    'write_alarm_note',
  ];
  /** Functions that only the server and its triggers may execute. */
  const closed = [
    'change_layer',
    'refuse_planned_layers',
    'check_rota_name',
    'check_rota_people',
    'find_session',
    'my_name',
    'reaches',
    'apply_quiet',
    'apply_maintenance',
    'begin_maintenance',
    'begin_maintenance_again',
    'end_maintenance',
    'windows_to_plan',
    'store_occurrences',
    'recheck_openings',
    'end_windows',
    'apply_shelving',
    'end_quiet_of',
    'end_shelvings',
    'expire_shelvings',
    'end_assignment',
    'end_dependencies',
    'record_consequences',
    'recount_sms',
    'compute_alarm_hours',
    'compute_next_alarm_hours',
  ];

  test('with more rights have a fixed search path and the server’s role, and few are open to requests', async () => {
    const definers = await rows<{ name: string; path: string | null; owner: string; trigger: boolean; open: boolean }>(`
      select p.proname as name, (select c from unnest(p.proconfig) c where c like 'search_path=%') as path,
        p.proowner::regrole::text as owner, p.prorettype = 'trigger'::regtype as trigger,
        has_function_privilege('tocsin_request', p.oid, 'execute') as open
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema')`);
    expect(definers.map(({ name }) => name).sort()).toEqual(
      [...triggers, ...open, ...closed].sort((a, b) => (a < b ? -1 : 1)),
    );
    for (const definer of definers) {
      expect(definer, definer.name).toEqual({
        name: definer.name,
        path: 'search_path=pg_catalog, pg_temp',
        owner: 'tocsin_service',
        trigger: triggers.includes(definer.name),
        open: open.includes(definer.name),
      });
    }
  });

  test('no view runs with the rights of its owner', async () => {
    const views = await rows(`
      select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('v', 'm')
        and not coalesce('security_invoker=true' = any (c.reloptions), false)`);
    expect(views).toEqual([]);
  });
});
