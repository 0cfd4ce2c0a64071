-- The audit trail records who changed what, with the values before and after. No role can change or delete its rows.
grant select (id, tocsin_customer_uuid, tocsin_user_uuid, user_display_name, action, noun, row_key, before, after, created_at, updated_at)
  on tocsin.audit to tocsin_request;
create policy read_as_owner on tocsin.audit for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_owner()));

-- Returns the users in the audit trail, including deleted users, with their latest name. A loose index scan reads one
-- row for each user.
create function tocsin.audit_people() returns table (uuid uuid, name text) language sql stable
  as $$
    with recursive found (uuid, name) as (
      (select a.tocsin_user_uuid, a.user_display_name from tocsin.audit a
       where a.tocsin_customer_uuid = tocsin_private.my_customer() and a.tocsin_user_uuid is not null
       order by a.tocsin_user_uuid desc, a.created_at desc limit 1)
      union all
      select n.* from found f cross join lateral (
        select a.tocsin_user_uuid, a.user_display_name from tocsin.audit a
        where a.tocsin_customer_uuid = tocsin_private.my_customer() and a.tocsin_user_uuid < f.uuid
        order by a.tocsin_user_uuid desc, a.created_at desc limit 1) n
    )
    select f.uuid, f.name from found f order by f.name, f.uuid
  $$;

create or replace function tocsin_private.refuse_audit_change() returns trigger language plpgsql
  as $$ begin raise exception 'The audit trail is append-only.' using errcode = '42501'; end $$;
create trigger append_only before update or delete on tocsin.audit
  for each row execute function tocsin_private.refuse_audit_change();
create trigger append_only_whole before truncate on tocsin.audit
  for each statement execute function tocsin_private.refuse_audit_change();

-- Records a change in the audit trail. Runs as tocsin_service, because users cannot write the audit trail. The trigger
-- arguments name the columns to omit: secrets, and columns that the pipeline updates.
set local role tocsin_service;
create or replace function tocsin_definer.record_change() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  -- For a trigger without arguments, tg_argv is null, and subtracting null would make the whole row null.
  hidden text[] := coalesce(tg_argv, '{}');
  old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - hidden end;
  new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - hidden end;
  whole jsonb := coalesce(new_row, old_row);
  person uuid := tocsin_private.me();
  owner uuid;
begin
  if old_row - '{updated_at,last_updated}'::text[] = new_row - '{updated_at,last_updated}'::text[] then
    return null;
  end if;
  owner := coalesce((whole ->> 'tocsin_customer_uuid')::uuid,
    case tg_table_name when 'customer' then (whole ->> 'uuid')::uuid end,
    (select u.tocsin_customer_uuid from tocsin.user u where u.uuid = (whole ->> 'user_uuid')::uuid));
  insert into tocsin.audit (tocsin_customer_uuid, tocsin_user_uuid, user_display_name, action, noun, row_key, before, after, created_at, updated_at)
  values (owner, person,
    coalesce((select u.display_name from tocsin.user u where u.uuid = person), 'Tocsin'),
    tg_table_name || '.' || case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end,
    tg_table_name, coalesce(whole ->> 'uuid', whole ->> 'id', whole ->> 'user_uuid', whole ->> 'rule_uuid', ''),
    old_row, new_row, tocsin_private.clock(), tocsin_private.clock());
  return null;
end
$$;
reset role;

-- Records a request for a password reset or an invitation. Only the server calls this function.
create or replace function tocsin_private.record_request(noun text, person uuid, asker text, address text) returns void language sql
  as $$
    insert into tocsin.audit (tocsin_customer_uuid, tocsin_user_uuid, user_display_name, action, noun, row_key, after, created_at, updated_at)
    select u.tocsin_customer_uuid, tocsin_private.me(), asker, noun || '.request', noun, u.uuid,
      jsonb_strip_nulls(jsonb_build_object('display_name', u.display_name, 'email', u.email, 'asked_from', address)),
      tocsin_private.clock(), tocsin_private.clock()
    from tocsin.user u where u.uuid = person
  $$;

-- Records sign-ins and sign-outs. A failed sign-in has no acting user. Only the server calls this function.
create or replace function tocsin_private.record_access(event text, person uuid, detail jsonb) returns void language sql
  as $$
    insert into tocsin.audit (tocsin_customer_uuid, tocsin_user_uuid, user_display_name, action, noun, row_key, after, created_at, updated_at)
    select u.tocsin_customer_uuid, case when event <> 'sign_in_failed' then u.uuid end,
      case when event = 'sign_in_failed' then 'Someone who was not signed in' else u.display_name end,
      event || '.record', event, u.uuid, jsonb_build_object('display_name', u.display_name, 'email', u.email) || detail,
      tocsin_private.clock(), tocsin_private.clock()
    from tocsin.user u where u.uuid = person
  $$;

do $$
declare
  item record;
  columns text;
  hidden text;
begin
  for item in
    select * from (values
      ('tocsin', 'partner', '{}'::text[]), ('tocsin', 'customer', '{}'), ('tocsin', 'user', '{}'), ('tocsin', 'group', '{}'),
      ('tocsin', 'site', '{site_status,gsm_signal_strength,last_update}'), ('tocsin', 'site_user', '{}'),
      ('tocsin', 'sensor', '{last_contact}'), ('tocsin', 'sensor_channel', '{}'), ('tocsin', 'asset', '{}'),
      ('tocsin', 'asset_datapoint', '{latest_value}'), ('tocsin', 'rule', '{}'), ('tocsin', 'rule_alert', '{}'),
      ('tocsin', 'rule_alert_user', '{}'), ('tocsin', 'rule_escalate_user', '{}'), ('tocsin', 'reason', '{}'),
      ('tocsin', 'site_reason', '{}'), ('tocsin', 'user_reason', '{}'), ('tocsin', 'rules_json', '{}'),
      ('tocsin', 'alarm_default_message', '{}'), ('tocsin', 'action', '{}'), ('tocsin', 'shelving', '{}'),
      ('tocsin', 'maintenance_window', '{planned_until}'), ('tocsin', 'dependency', '{dependent_uuid,cause_uuid}'),
      ('tocsin', 'rota', '{}'), ('tocsin', 'rota_layer', '{version}'), ('tocsin', 'rota_layer_person', '{}'), ('tocsin', 'rota_override', '{}'),
      ('tocsin', 'rota_gap', '{}'), ('tocsin', 'rota_swap', '{}'), ('tocsin', 'rule_step', '{}'), ('tocsin', 'rule_step_recipient', '{}'),
      ('tocsin_private', 'calendar_feed', '{secret_hash}'),
      ('tocsin', 'destination', '{}'), ('tocsin_private', 'destination_secret', '{url,secret}'),
      ('tocsin', 'reply_message', '{reply,delivered_on,sent_on,attempts}'), ('tocsin_private', 'advice_dismissal', '{}'),
      ('tocsin_private', 'device_token', '{token_hash}'), ('tocsin_private', 'credential', '{password_hash}')
    ) as t (schema, name, hidden)
  loop
    hidden := (select coalesce(string_agg(quote_literal(h), ', '), '') from unnest(item.hidden) h);
    -- The audit trigger fires only for columns that users configure, so updates by the pipeline cause no extra work.
    select string_agg(quote_ident(a.attname), ', ') into columns from pg_attribute a
    where a.attrelid = format('%I.%I', item.schema, item.name)::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname <> all (item.hidden || '{updated_at,last_updated,created_at}'::text[]);
    execute format('create trigger record_change after insert or delete on %I.%I for each row
      execute function tocsin_definer.record_change(%s)', item.schema, item.name, hidden);
    -- The pipeline updates status, colour and title of a data point. The trigger records these columns only if a user
    -- changes them.
    execute format('create trigger record_update after update of %s on %I.%I for each row %s
      execute function tocsin_definer.record_change(%s)', columns, item.schema, item.name,
      case item.name when 'asset_datapoint' then 'when (tocsin_private.me() is not null)' else '' end, hidden);
  end loop;
  -- Records the changes that users make to alarms. Changes by the pipeline are in the alarm's timeline.
  create trigger record_change after insert or update of reason, acknowledge_text, resolved_date, assigned_at on tocsin.alarm
    for each row when (tocsin_private.me() is not null) execute function tocsin_definer.record_change();
end
$$;
