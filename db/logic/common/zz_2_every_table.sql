-- Refuses a uuid of another customer. Row level security would also refuse the uuid, but without a message.
create or replace function tocsin_private.refuse_foreign_customer() returns trigger language plpgsql
  as $$
begin
  raise insufficient_privilege using column = 'tocsin_customer_uuid',
    message = 'This is not your customer. Omit the field: new records belong to your own customer.';
end
$$;

-- This file is applied last, so that it covers every table and function.

-- Drops obsolete functions of the private schemas, including old overloads. A function is obsolete if its xmin shows
-- that this transaction has not created it. The grants below change the xmin of every function, so this block must run
-- before them. Keeps functions that column defaults or indexes use, because the migrations create them. Also keeps
-- functions that belong to extensions or other owners.
do $$
declare
  item record;
begin
  for item in
    select p.oid::regprocedure as signature, p.proowner::regrole as owner
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('tocsin_private', 'tocsin_definer') and p.prokind = 'f' and p.xmin <> pg_current_xact_id()::xid
      and p.proowner in (current_user::regrole, 'tocsin_service'::regrole)
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      and not exists (select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid)
  loop
    execute format('set local role %s', item.owner);
    execute format('drop function %s', item.signature);
    reset role;
  end loop;
end
$$;

-- Enables row level security for every table and also applies it to the table's owner. tocsin_service may access all
-- rows, but can only read the audit trail and append to it.
do $$
declare
  item record;
begin
  for item in
    select n.nspname as schema, c.relname as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tocsin_customer_uuid' and not a.attisdropped) as tenant
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and c.relname <> 'migration'
      -- Partitions are accessed only through their parent table, so they are skipped.
      and not c.relispartition
  loop
    execute format('alter table %I.%I enable row level security', item.schema, item.name);
    execute format('alter table %I.%I force row level security', item.schema, item.name);
    if item.name = 'audit' then
      execute format('grant select, insert on %I.%I to tocsin_service', item.schema, item.name);
    else
      execute format('grant select, insert, update, delete on %I.%I to tocsin_service', item.schema, item.name);
    end if;
    execute format('create policy service on %I.%I to tocsin_service using (true) with check (true)', item.schema, item.name);
    -- The customer of a new row defaults to the customer of the signed-in user.
    if item.schema = 'tocsin' and item.tenant and item.name <> 'audit' then
      execute format('alter table only %I.%I alter column tocsin_customer_uuid set default tocsin_private.my_customer()', item.schema, item.name);
    end if;
    if item.schema = 'tocsin' and item.tenant and has_column_privilege('tocsin_request', format('%I.%I', item.schema, item.name),
      'tocsin_customer_uuid', 'insert') then
      execute format('create trigger own_customer before insert on %I.%I for each row
        when (new.tocsin_customer_uuid <> tocsin_private.my_customer()) execute function tocsin_private.refuse_foreign_customer()', item.schema, item.name);
    end if;
  end loop;
end
$$;

revoke execute on all functions in schema tocsin, tocsin_private from public;
grant execute on all functions in schema tocsin, tocsin_private to tocsin_request, tocsin_service;
-- A push subscription belongs to the user who creates it.
alter table tocsin.push_subscription alter column tocsin_user_uuid set default tocsin_private.me();
set local role tocsin_service;
revoke execute on all functions in schema tocsin_definer from public;
grant usage on schema tocsin_definer to tocsin_request;
grant execute on function tocsin_definer.use_alarm_default_message(uuid), tocsin_definer.unreachable_because(uuid), tocsin_definer.rules_reaching_nobody(uuid, uuid[]),
  tocsin_definer.rule_alerts_naming(uuid[]), tocsin_definer.issue_device_token(uuid), tocsin_definer.revoke_device_tokens(uuid),
  tocsin_definer.cancel_reply_message(bigint),
  tocsin_definer.has_device_token(uuid),
  tocsin_definer.datapoint_series(uuid, timestamptz, timestamptz, integer),
  tocsin_definer.datapoint_recent(uuid),
  tocsin_definer.datapoint_history(uuid, timestamptz, timestamptz, integer),
  tocsin_definer.readings_of_datapoint(uuid, timestamptz, timestamptz, integer),
  tocsin_definer.reason_is_valid_at(uuid, uuid), tocsin_definer.other_open_rules(uuid, uuid), tocsin_definer.cause_of_alarm(uuid),
  tocsin_definer.undo_acknowledgement(uuid), tocsin_definer.write_alarm_note(uuid, text),
  tocsin_definer.start_shelving(text, uuid, uuid, text, text, timestamptz), tocsin_definer.extend_shelving(uuid, timestamptz),
  tocsin_definer.end_shelving(uuid), tocsin_definer.store_window(tocsin.maintenance_window, jsonb, timestamptz),
  tocsin_definer.end_own_windows(uuid, boolean),
  tocsin_definer.store_plan_steps(uuid, tocsin.plan_step[]), tocsin_definer.copy_plan_steps(uuid, uuid),
  tocsin_definer.replace_step_people(uuid[], uuid), tocsin_definer.people_to_notify(uuid[]),
  tocsin_definer.step_recipient_name(tocsin.rule_step_recipient),
  tocsin_definer.my_rotas(), tocsin_definer.rota_people(), tocsin_definer.on_call_people(),
  tocsin_definer.store_layer(tocsin.rota_layer, uuid[], text), tocsin_definer.rename_rota(uuid, text), tocsin_definer.delete_rota(uuid),
  tocsin_definer.delete_layer(uuid), tocsin_definer.store_override(tocsin.rota_override), tocsin_definer.delete_override(uuid),
  tocsin_definer.store_gap(uuid, timestamptz, timestamptz), tocsin_definer.store_swap(tocsin.rota_swap),
  tocsin_definer.answer_swap(uuid, text), tocsin_definer.renew_feed(uuid), tocsin_definer.my_feeds(),
  tocsin_definer.digests_of_alarm(uuid), tocsin_definer.waits_for_digest(uuid), tocsin_definer.alarms_of_digest(uuid),
  tocsin_definer.store_destination(tocsin.destination, jsonb), tocsin_definer.renew_destination_secret(uuid),
  tocsin_definer.test_destination(uuid), tocsin_definer.resend_delivery(uuid),
  tocsin_definer.assign_alarm(uuid, uuid, uuid), tocsin_definer.release_alarm(uuid), tocsin_definer.assignable_people(uuid, text),
  tocsin_definer.invite_again(uuid), tocsin_definer.sessions_of(uuid), tocsin_definer.end_sessions(uuid),
  tocsin_definer.test_message(uuid, integer), tocsin_definer.channels(), tocsin_definer.machine_clock(), tocsin_definer.open_system_alarms(), tocsin_definer.system_status(), tocsin_definer.people_of_site(uuid), tocsin_definer.person_name(uuid),
  tocsin_definer.set_sms_price(double precision, text), tocsin_definer.sms_accounts(),
  tocsin_definer.set_own_profile(text, text),
  tocsin_definer.set_own_channels(text, boolean, boolean, boolean, boolean) to tocsin_request;
-- The migrator creates triggers that call these functions, so it needs the right to execute them.
grant execute on all functions in schema tocsin_definer to session_user;
reset role;
