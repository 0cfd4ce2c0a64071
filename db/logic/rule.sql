-- Managers keep rules and who is told; operators read those of their sites, because they acknowledge by them.
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_lower,
  value_upper, clear_lower, clear_upper, debounce, priority, enabled, message, version, created_at, updated_at),
  insert (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_lower, value_upper, clear_lower, clear_upper,
    debounce, priority, enabled, message),
  update (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_lower, value_upper, clear_lower, clear_upper,
    debounce, priority, enabled, message),
  delete on tocsin.rule to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_rule_name, ind_ack, escalate_minutes, escalate_interval_minutes,
  escalate_count, created_at, updated_at),
  insert (tocsin_site_uuid, tocsin_rule_name, ind_ack, escalate_minutes, escalate_interval_minutes, escalate_count),
  update (ind_ack, escalate_minutes, escalate_interval_minutes, escalate_count), delete on tocsin.rule_alert to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_rule_alert_uuid, tocsin_user_uuid, is_alert, is_resolve, is_health, created_at),
  insert (tocsin_rule_alert_uuid, tocsin_user_uuid, is_alert, is_resolve, is_health),
  update (is_alert, is_resolve, is_health), delete on tocsin.rule_alert_user to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_rule_alert_uuid, tocsin_user_uuid, created_at),
  insert (tocsin_rule_alert_uuid, tocsin_user_uuid), update (tocsin_user_uuid), delete on tocsin.rule_escalate_user to tocsin_request;
grant select (uuid, tocsin_customer_uuid, rule_uuid, reason, created_at, updated_at),
  insert (rule_uuid, reason), update (reason), delete on tocsin.reason to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_reason_uuid, tocsin_site_uuid, created_at),
  insert (tocsin_reason_uuid, tocsin_site_uuid), update (tocsin_reason_uuid, tocsin_site_uuid), delete on tocsin.site_reason to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_reason_uuid, tocsin_user_uuid, tocsin_site_uuid, created_at),
  insert (tocsin_reason_uuid, tocsin_user_uuid, tocsin_site_uuid), delete on tocsin.user_reason to tocsin_request;
grant select (uuid, tocsin_customer_uuid, rule_name, site_id, rule_json, enabled, version, created_at, updated_at),
  insert (rule_name, site_id, rule_json, enabled), update (rule_name, site_id, rule_json, enabled), delete on tocsin.rules_json to tocsin_request;
grant select (uuid, tocsin_customer_uuid, message, created_at, updated_at),
  insert (message), update (message) on tocsin.alarm_default_message to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, action, acknowledge,
  escalate, notify_to, tocsin_users, reply_command, created_at, updated_at),
  insert (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, action, acknowledge, escalate, notify_to, tocsin_users, reply_command),
  update (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, action, acknowledge, escalate, notify_to, tocsin_users, reply_command)
  on tocsin.action to tocsin_request;
-- The columns one by one, so that a new one is not seen before somebody thought of it.
grant select (rule_uuid, version, tocsin_customer_uuid, tocsin_site_uuid, tocsin_datapoint_uuid, name, value_lower, value_upper, clear_lower,
  clear_upper, debounce, priority, enabled, message, changed_by, created_at) on tocsin.rule_version to tocsin_request;
grant select (id, tocsin_customer_uuid, tocsin_site_uuid, tocsin_datapoint_uuid, watch_uuid, rule_name, rule_version, from_phase,
  to_phase, because, at, noticed_at, value, tocsin_alarm_uuid) on tocsin.rule_transition to tocsin_request;

do $$
declare
  t text;
begin
  foreach t in array array['rule', 'rule_alert', 'rule_alert_user', 'rule_escalate_user', 'reason', 'site_reason',
    'user_reason', 'rules_json', 'alarm_default_message', 'action'] loop
    execute format(
      'create policy manage on tocsin.%I for all to tocsin_request
         using (tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()))
         with check (tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()))', t);
  end loop;
  -- What the server alone writes.
  foreach t in array array['rule_version', 'rule_transition'] loop
    execute format(
      'create policy read_all on tocsin.%I for select to tocsin_request using (
         tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()))', t);
  end loop;
  -- What hangs on a site directly, and what hangs on a rule alert of such a site.
  foreach t in array array['rule', 'rule_alert', 'site_reason', 'user_reason', 'action', 'rule_version', 'rule_transition'] loop
    execute format(
      'create policy read_of_sites on tocsin.%I for select to tocsin_request using (
         tocsin_customer_uuid = (select tocsin_private.my_customer())
         and tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[]))', t);
  end loop;
  foreach t in array array['rule_alert_user', 'rule_escalate_user', 'reason'] loop
    execute format(
      'create policy read_of_sites on tocsin.%I for select to tocsin_request using (
         tocsin_customer_uuid = (select tocsin_private.my_customer()) and exists (
           select from tocsin.rule_alert r where r.uuid = %I.%I
           and r.tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])))',
      t, t, case t when 'reason' then 'rule_uuid' else 'tocsin_rule_alert_uuid' end);
  end loop;
  foreach t in array array['rule', 'rule_alert', 'reason', 'rules_json', 'alarm_default_message', 'action'] loop
    execute format('create trigger touch before update on tocsin.%I for each row execute function tocsin_private.touch()', t);
  end loop;
end
$$;

create function tocsin.delete_user_reasons(tocsin_reason_uuid uuid) returns integer language sql volatile strict
  as $$
    with gone as (delete from tocsin.user_reason r where r.tocsin_reason_uuid = $1 returning 1)
    select count(*)::integer from gone
  $$;

-- A rule whose judgement changes becomes a new version, and every version is kept. What is judged by it now is told to the
-- engine, and the pipeline that its sensor has to be read again. As tocsin_service, because no request may write any of it.
create or replace function tocsin_private.next_version() returns trigger language plpgsql
  as $$
begin
  if to_jsonb(new) - '{updated_at,version}'::text[] <> to_jsonb(old) - '{updated_at,version}'::text[] then
    new.version := old.version + 1;
  end if;
  return new;
end
$$;
create trigger next_version before update on tocsin.rule for each row execute function tocsin_private.next_version();
-- Its name and its site's ID are not among what it judges by.
create trigger next_version before update of rule_json, enabled on tocsin.rules_json for each row execute function tocsin_private.next_version();

set local role tocsin_service;
create or replace function tocsin_definer.keep_rule_version() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into tocsin.rule_version (rule_uuid, version, tocsin_customer_uuid, tocsin_site_uuid, tocsin_datapoint_uuid, name, value_lower,
    value_upper, clear_lower, clear_upper, debounce, priority, enabled, message, changed_by)
  values (new.uuid, new.version, new.tocsin_customer_uuid, new.tocsin_site_uuid, new.tocsin_datapoint_uuid, new.name, new.value_lower,
    new.value_upper, new.clear_lower, new.clear_upper, new.debounce, new.priority, new.enabled, new.message, tocsin_definer.my_name())
  on conflict do nothing;
  return null;
end
$$;

-- What was judged by a rule until now has to be looked at by the engine. The rule is the row itself, or the datapoint of a
-- digital channel.
create or replace function tocsin_definer.note_alarm_work() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  ended boolean := tg_op = 'DELETE';
  watches uuid[];
begin
  -- Whoever saves a form writes every column; what judges is the same unless one of these is another.
  if tg_op = 'UPDATE' and not exists (select from unnest(array['value_lower', 'value_upper', 'clear_lower', 'clear_upper', 'debounce',
    'enabled', 'tocsin_datapoint_uuid', 'tocsin_sensor_uuid', 'rule_json', 'channel_alarm_condition']) k
    where to_jsonb(old) -> k is distinct from to_jsonb(new) -> k) then
    return null;
  end if;
  if tg_table_name = 'sensor_channel' then
    ended := new.channel_alarm_condition = 2;
    select array_agg(d.uuid) into watches from tocsin.asset_datapoint d where d.tocsin_sensor_channel_uuid = new.uuid;
  else
    if not ended and tg_table_name in ('rule', 'rules_json') then
      ended := not (to_jsonb(new) ->> 'enabled')::boolean;
    end if;
    watches := array[old.uuid];
    -- A datapoint that gets another sensor takes its rules along.
    if tg_table_name = 'asset_datapoint' and not ended then
      watches := watches || array(select r.uuid from tocsin.rule r where r.tocsin_datapoint_uuid = old.uuid);
    end if;
  end if;
  insert into tocsin_private.alarm_work (kind, uuid, because, by_name)
  select case when ended then 'rule-ended' else 'rule-changed' end, w.watch_uuid,
    case when tg_op = 'DELETE' then 'deleted' when ended then 'disabled'
      when tg_table_name = 'asset_datapoint' then 'moved' else 'changed' end, tocsin_definer.my_name()
  from tocsin_private.rule_state w where w.watch_uuid = any (watches);
  if found then perform pg_notify('tocsin_alarm_work', ''); end if;
  return null;
end
$$;
reset role;
create trigger keep_version after insert or update on tocsin.rule for each row execute function tocsin_definer.keep_rule_version();
create trigger note_alarm_work after delete or update of value_lower, value_upper, clear_lower, clear_upper, debounce, enabled,
  tocsin_datapoint_uuid on tocsin.rule for each row execute function tocsin_definer.note_alarm_work();
create trigger note_alarm_work after delete or update of rule_json, enabled on tocsin.rules_json
  for each row execute function tocsin_definer.note_alarm_work();
create trigger note_alarm_work after delete or update of tocsin_sensor_uuid on tocsin.asset_datapoint
  for each row execute function tocsin_definer.note_alarm_work();
create trigger note_alarm_work after update of channel_alarm_condition on tocsin.sensor_channel
  for each row execute function tocsin_definer.note_alarm_work();

-- The same for several rules, in all of them or in none. What is not given stays as it is in each of them. `seen` is, for each of the
-- rules in their order, the time of the row that the person has seen. What is refused says in the hint which of them it is.
create function tocsin.change_rules(rules uuid[], seen timestamptz[] default null, priority text default null, debounce integer default null,
  value_lower double precision default null, value_upper double precision default null,
  clear_lower double precision default null, clear_upper double precision default null) returns integer language plpgsql volatile
  as $$
declare
  item record;
  broken text;
begin
  if coalesce(cardinality($1), 0) not between 1 and 1000 then
    perform tocsin_private.refuse('rules', 'Change 1 to 1,000 rules at once.');
  end if;
  if cardinality($2) <> cardinality($1) then
    perform tocsin_private.refuse('seen', 'Give one time for each of the rules.');
  end if;
  if num_nonnulls($3, $4, $5, $6, $7, $8) = 0 then
    perform tocsin_private.refuse('rules', 'Nothing was changed, because no new value was given.');
  end if;
  -- In the order of their keys, so that two people who change the same ones do not wait for each other.
  for item in select k.uuid, k.seen, r.name || ', ' || s.name as name from unnest($1, $2) k (uuid, seen)
    left join tocsin.rule r on r.uuid = k.uuid left join tocsin.site s on s.uuid = r.tocsin_site_uuid order by k.uuid
  loop
    update tocsin.rule r set priority = coalesce($3, r.priority), debounce = coalesce($4, r.debounce),
      value_lower = coalesce($5, r.value_lower), value_upper = coalesce($6, r.value_upper),
      clear_lower = coalesce($7, r.clear_lower), clear_upper = coalesce($8, r.clear_upper),
      updated_at = coalesce(item.seen, r.updated_at)
    where r.uuid = item.uuid;
    if not found then
      perform tocsin_private.refuse('rules', 'One of these rules is no longer there, or not yours to change. Choose them again.');
    end if;
  end loop;
  return cardinality($1);
exception when check_violation or sqlstate 'TC409' then
  get stacked diagnostics broken = constraint_name;
  raise exception using errcode = sqlstate, message = sqlerrm, constraint = broken, hint = item.name;
end
$$;
