-- Whoever names a customer names their own. Row level security would refuse it too, but could not say what is wrong.
create or replace function tocsin_private.refuse_foreign_customer() returns trigger language plpgsql
  as $$
begin
  raise insufficient_privilege using column = 'tocsin_customer_uuid',
    message = 'This is not your customer. Leave the field out: what you make belongs to the customer you are signed in to.';
end
$$;

-- Last: what holds for every table, so that none can be forgotten. Row level security is on and also binds the owner of
-- the tables; the server's own role works on all rows, but can only add to the audit trail.
do $$
declare
  item record;
begin
  for item in
    select n.nspname as schema, c.relname as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tocsin_customer_uuid' and not a.attisdropped) as tenant
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and c.relname <> 'migration'
      -- Parts are reached through their parents.
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
    -- A row that a person makes belongs to that person's customer without being told.
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

grant execute on all functions in schema tocsin, tocsin_private to tocsin_request, tocsin_service;
-- Whoever subscribes to push messages does so for themself.
alter table tocsin.push_subscription alter column tocsin_user_uuid set default tocsin_private.me();
set local role tocsin_service;
revoke execute on all functions in schema tocsin_definer from public;
grant usage on schema tocsin_definer to tocsin_request;
grant execute on function tocsin_definer.use_alarm_default_message(uuid), tocsin_definer.unreachable_because(uuid), tocsin_definer.rules_reaching_nobody(uuid, uuid[]),
  tocsin_definer.places_of_people(uuid[]), tocsin_definer.issue_device_token(uuid), tocsin_definer.revoke_device_tokens(uuid),
  tocsin_definer.take_back_reply_message(bigint),
  tocsin_definer.has_device_token(uuid),
  tocsin_definer.datapoint_series(uuid, timestamptz, timestamptz, integer),
  tocsin_definer.datapoint_recent(uuid),
  tocsin_definer.datapoint_history(uuid, timestamptz, timestamptz, integer), tocsin_definer.reason_holds_at(uuid, uuid), tocsin_definer.others_that_hold(uuid, uuid),
  tocsin_definer.undo_acknowledgement(uuid), tocsin_definer.write_alarm_note(uuid, text),
  tocsin_definer.invite_again(uuid), tocsin_definer.sessions_of(uuid), tocsin_definer.end_sessions(uuid),
  tocsin_definer.test_message(uuid, integer), tocsin_definer.channels(), tocsin_definer.machine_clock(), tocsin_definer.people_of_site(uuid), tocsin_definer.person_name(uuid),
  tocsin_definer.set_sms_price(double precision, text),
  tocsin_definer.set_own_profile(text, text),
  tocsin_definer.set_own_channels(text, boolean, boolean, boolean, boolean) to tocsin_request;
-- The migrator attaches them to tables as triggers.
grant execute on all functions in schema tocsin_definer to session_user;
reset role;
