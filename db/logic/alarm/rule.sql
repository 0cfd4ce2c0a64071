-- Managers maintain rules and recipients. Operators can read the rules and recipients of their sites, because they need
-- the reasons to acknowledge.
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
grant select (uuid, tocsin_customer_uuid, rule_uuid, reason, is_nuisance, created_at, updated_at),
  insert (rule_uuid, reason, is_nuisance), update (reason, is_nuisance), delete on tocsin.reason to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_reason_uuid, tocsin_site_uuid, created_at),
  insert (tocsin_reason_uuid, tocsin_site_uuid), update (tocsin_reason_uuid, tocsin_site_uuid), delete on tocsin.site_reason to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_reason_uuid, tocsin_user_uuid, tocsin_site_uuid, created_at),
  insert (tocsin_reason_uuid, tocsin_user_uuid, tocsin_site_uuid), delete on tocsin.user_reason to tocsin_request;
grant select (uuid, tocsin_customer_uuid, rule_name, site_id, rule_json, enabled, version, created_at, updated_at),
  insert (rule_name, site_id, rule_json, enabled), update (rule_name, site_id, rule_json, enabled), delete on tocsin.rules_json to tocsin_request;
grant select (uuid, tocsin_customer_uuid, message, is_used, created_at, updated_at),
  insert (message), update (message), delete on tocsin.alarm_default_message to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, action, acknowledge,
  escalate, notify_to, tocsin_users, reply_command, created_at, updated_at),
  insert (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, action, acknowledge, escalate, notify_to, tocsin_users, reply_command),
  update (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, action, acknowledge, escalate, notify_to, tocsin_users, reply_command)
  on tocsin.action to tocsin_request;
-- Rights are granted by column, so that a new column is hidden until it is listed here.
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
  -- The server writes the tables of rule versions and transitions; managers only read them.
  foreach t in array array['rule_version', 'rule_transition'] loop
    execute format(
      'create policy read_all on tocsin.%I for select to tocsin_request using (
         tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()))', t);
  end loop;
  -- Operators may read the rows of their sites. A row refers to its site directly or through its rule alert.
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

-- Refuses users who are not allowed to change rules.
create or replace function tocsin_private.require_manager() returns void language plpgsql stable
  as $$
begin
  if not tocsin_private.is_manager() then
    raise exception 'Only managers can get advice for rules.' using errcode = '42501';
  end if;
end
$$;

-- tocsin_users is a list of user uuids. Other text is refused, because it would notify nobody.
create or replace function tocsin_private.check_action_users() returns trigger language plpgsql
  as $$
begin
  if exists (select from regexp_split_to_table(btrim(new.tocsin_users, E' \t\n\r,;'), '[\s,;]+') p (entry)
    where p.entry <> '' and p.entry !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$') then
    perform tocsin_private.refuse('tocsin_users', 'Enter user uuids, separated by commas.');
  end if;
  return new;
end
$$;
create trigger check_users before insert or update of tocsin_users on tocsin.action for each row
  when (current_user = 'tocsin_request') execute function tocsin_private.check_action_users();

create function tocsin.delete_user_reasons(tocsin_reason_uuid uuid) returns integer language sql volatile strict
  as $$
    with gone as (delete from tocsin.user_reason r where r.tocsin_reason_uuid = $1 returning 1)
    select count(*)::integer from gone
  $$;

-- Returns the unknown placeholders of a message, as domain/alarm/message.ts does. Stored messages and their copies are
-- not checked.
create or replace function tocsin_private.unknown_placeholders(message text) returns text[] language sql immutable parallel safe
  as $$
    select array(select '{' || m[1] || '}' from regexp_matches($1, '\{([^{}\s][^{}]*)\}', 'g') with ordinality r (m, place)
      where m[1] <> all (array['site', 'asset', 'datapoint', 'value', 'limit', 'unit', 'time']) group by m[1] order by min(place))
  $$;
create or replace function tocsin_private.refuse_placeholders(field text, message text) returns void language plpgsql
  as $$
declare
  unknown text[] := tocsin_private.unknown_placeholders(message);
begin
  perform tocsin_private.refuse(field, format('%s %s. Use {site}, {asset}, {datapoint}, {value}, {limit}, {unit} and {time}.',
    left(array_to_string(unknown, ', '), 200), case when cardinality(unknown) = 1 then 'is not a placeholder' else 'are not placeholders' end));
end
$$;
create or replace function tocsin_private.check_message() returns trigger language plpgsql
  as $$
begin
  if tg_op = 'UPDATE' and new.message = old.message or tocsin_private.unknown_placeholders(new.message) = '{}' then return new; end if;
  if tg_table_name = 'rule' and tg_op = 'INSERT' and exists (select from tocsin.rule r where r.message = new.message) then return new; end if;
  perform tocsin_private.refuse_placeholders('message', new.message);
  return new;
end
$$;
create trigger check_message before insert or update of message on tocsin.rule for each row when (tocsin_private.me() is not null)
  execute function tocsin_private.check_message();
create trigger check_message before insert or update of message on tocsin.alarm_default_message for each row
  when (tocsin_private.me() is not null) execute function tocsin_private.check_message();

-- Counts the rules, multi-condition rules and digital alarms of a site that have this name.
create or replace function tocsin_private.count_alarm_sources(site uuid, called text) returns integer language sql stable
  as $$
    select (select count(*) from tocsin.rule r where r.tocsin_site_uuid = $1 and r.name = $2)::integer
      + (select count(*) from tocsin.rules_json j join tocsin.site s on s.site_id = j.site_id and s.tocsin_customer_uuid = j.tocsin_customer_uuid
        where s.uuid = $1 and j.rule_name = $2)::integer
      + (select count(distinct c.uuid) from tocsin.asset a join tocsin.asset_datapoint d on d.tocsin_asset_uuid = a.uuid and d.sensor_type = 1
        join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid and c.channel_alarm_condition <> 2
        where a.tocsin_site_uuid = $1 and coalesce(nullif(c.channel_title_text, ''), c.name) = $2)::integer
  $$;
-- Counts the rules that share the rule alert, because they have the same name.
create function tocsin.rule_alert_rule_count(alert tocsin.rule_alert) returns integer language sql stable
  as $$ select tocsin_private.count_alarm_sources(alert.tocsin_site_uuid, alert.tocsin_rule_name) $$;

-- A change to a rule creates a new version of the rule. It also notifies the engine and the pipeline.
-- tocsin.rule_version keeps all versions of rules with limits. Functions that write other tables run as tocsin_service,
-- because requests cannot write those tables.
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
-- A change to the name or the site ID does not create a new version.
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

-- Queues a changed or ended rule or digital alarm, so that the engine evaluates it again. Rules in the normal state
-- have no row in rule_state and are not queued.
create or replace function tocsin_definer.note_alarm_work() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  ended boolean := tg_op = 'DELETE';
  watches uuid[];
begin
  -- Forms send every column, so the trigger compares old and new values.
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
    -- A data point that moves to another sensor keeps its rules, so these rules must be evaluated again too.
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

-- After a rule is renamed, renames its rule alert. Also updates the rule name of alarms that are open or not
-- acknowledged. Keeps the previous name if another rule of the site still uses it, or if the new name already has a
-- rule alert.
create or replace function tocsin_definer.transfer_rule_alert() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  was text;
  called text;
  sites uuid[];
  site uuid;
begin
  if tg_table_name = 'rule' then
    was := old.name;
    called := new.name;
    sites := array[new.tocsin_site_uuid];
  elsif tg_table_name = 'rules_json' then
    was := old.rule_name;
    called := new.rule_name;
    sites := array(select s.uuid from tocsin.site s where s.site_id = new.site_id and s.tocsin_customer_uuid = new.tocsin_customer_uuid);
  else
    was := coalesce(nullif(old.channel_title_text, ''), old.name);
    called := coalesce(nullif(new.channel_title_text, ''), new.name);
    sites := case when new.channel_alarm_condition <> 2 then array(select distinct a.tocsin_site_uuid from tocsin.asset_datapoint d
      join tocsin.asset a on a.uuid = d.tocsin_asset_uuid where d.tocsin_sensor_channel_uuid = new.uuid and d.sensor_type = 1) end;
  end if;
  -- The rule alert `Site silent` lists the people to notify about a silent site. It is never renamed.
  if was = called or was = 'Site silent' then return null; end if;
  foreach site in array coalesce(sites, '{}') loop
    continue when tocsin_private.count_alarm_sources(site, was) > 0
      or exists (select from tocsin.rule_alert a where a.tocsin_site_uuid = site and a.tocsin_rule_name = called);
    update tocsin.rule_alert a set tocsin_rule_name = called where a.tocsin_site_uuid = site and a.tocsin_rule_name = was;
    if found then
      update tocsin.alarm a set rule_name = called
      where a.tocsin_site_uuid = site and a.rule_name = was and (a.resolved_date is null or a.acknowledge_json is null);
    end if;
  end loop;
  return null;
end
$$;
reset role;
create trigger transfer_rule_alert after update of name on tocsin.rule for each row execute function tocsin_definer.transfer_rule_alert();
create trigger transfer_rule_alert after update of rule_name on tocsin.rules_json for each row execute function tocsin_definer.transfer_rule_alert();
create trigger transfer_rule_alert after update of name, channel_title_text on tocsin.sensor_channel
  for each row execute function tocsin_definer.transfer_rule_alert();
create trigger keep_version after insert or update on tocsin.rule for each row execute function tocsin_definer.keep_rule_version();
create trigger note_alarm_work after delete or update of value_lower, value_upper, clear_lower, clear_upper, debounce, enabled,
  tocsin_datapoint_uuid on tocsin.rule for each row execute function tocsin_definer.note_alarm_work();
create trigger note_alarm_work after delete or update of rule_json, enabled on tocsin.rules_json
  for each row execute function tocsin_definer.note_alarm_work();
create trigger note_alarm_work after delete or update of tocsin_sensor_uuid on tocsin.asset_datapoint
  for each row execute function tocsin_definer.note_alarm_work();
create trigger note_alarm_work after update of channel_alarm_condition on tocsin.sensor_channel
  for each row execute function tocsin_definer.note_alarm_work();

-- Raises an error about a limit that no longer fits the clear limit after it was changed or removed.
create or replace function tocsin_private.refuse_limit(which text, side text, value_lower double precision, value_upper double precision,
  clear_side text, clear_limit double precision) returns void language plpgsql
  as $$
declare
  changed double precision := case side when 'lower' then value_lower else value_upper end;
  article text := case side when 'lower' then 'a lower' else 'an upper' end;
begin
  perform tocsin_private.refuse('value_' || side, format(case when changed is null
    then '%s: Without %s limit, the rule cannot keep its %s clear limit of %s. Change or remove the clear limit too.'
    else '%s: %s limit of %s contradicts the %s clear limit of %s. Change or remove the clear limit too.' end,
    variadic case when changed is null then array[which, article, clear_side, clear_limit::text]
      else array[which, initcap(left(article, 1)) || substr(article, 2), changed::text, clear_side, clear_limit::text] end));
end
$$;

-- Changes several rules, all or none. Returns the number of changed rules. A parameter at its default keeps the column
-- unchanged; null removes a limit. `seen` contains the updated_at that the user saw for each rule. Error messages name
-- the rule.
create function tocsin.change_rules(rules uuid[], seen timestamptz[] default null, priority text default 'as it is',
  debounce integer default -2147483648, value_lower double precision default 'NaN', value_upper double precision default 'NaN',
  clear_lower double precision default 'NaN', clear_upper double precision default 'NaN') returns integer language plpgsql volatile
  as $$
declare
  given text[] := array_remove(array[case when $3 is distinct from 'as it is' then 'priority' end,
    case when $4 is distinct from -2147483648 then 'debounce' end, case when $5 is distinct from 'NaN' then 'value_lower' end,
    case when $6 is distinct from 'NaN' then 'value_upper' end, case when $7 is distinct from 'NaN' then 'clear_lower' end,
    case when $8 is distinct from 'NaN' then 'clear_upper' end], null);
  item record;
  was record;
  wanted record;
  changed integer := 0;
  broken text;
  which text;
begin
  if coalesce(cardinality($1), 0) not between 1 and 1000 then
    perform tocsin_private.refuse('rules', 'You can change 1 to 1,000 rules at a time.');
  end if;
  if cardinality($2) <> cardinality($1) then
    perform tocsin_private.refuse('seen', 'Send the time of the last change for each rule.');
  end if;
  if cardinality(given) = 0 then
    perform tocsin_private.refuse('rules', '@nothing-changed');
  end if;
  -- Locks the rules in key order, so that concurrent calls cannot deadlock.
  for item in select k.uuid, min(k.seen) as seen from unnest($1, $2) k (uuid, seen) group by k.uuid order by k.uuid
  loop
    select r.updated_at, r.priority, r.debounce, r.value_lower, r.value_upper, r.clear_lower, r.clear_upper into was
    from tocsin.rule r where r.uuid = item.uuid for update;
    if not found then perform tocsin_private.refuse_missing(); end if;
    if item.seen <> was.updated_at then perform tocsin_private.refuse_outdated(); end if;
    wanted := was;
    if 'priority' = any (given) then wanted.priority := $3; end if;
    if 'debounce' = any (given) then wanted.debounce := $4; end if;
    if 'value_lower' = any (given) then wanted.value_lower := $5; end if;
    if 'value_upper' = any (given) then wanted.value_upper := $6; end if;
    if 'clear_lower' = any (given) then wanted.clear_lower := $7; end if;
    if 'clear_upper' = any (given) then wanted.clear_upper := $8; end if;
    continue when wanted is not distinct from was;
    update tocsin.rule r set priority = wanted.priority, debounce = wanted.debounce, value_lower = wanted.value_lower,
      value_upper = wanted.value_upper, clear_lower = wanted.clear_lower, clear_upper = wanted.clear_upper
    where r.uuid = item.uuid;
    changed := changed + 1;
  end loop;
  return changed;
exception when check_violation or sqlstate 'TC404' or sqlstate 'TC409' then
  get stacked diagnostics broken = constraint_name;
  -- For a deleted rule, takes the name from its newest version.
  select v.name || coalesce(', ' || s.name, '') into which from tocsin.rule_version v left join tocsin.site s on s.uuid = v.tocsin_site_uuid
  where v.rule_uuid = item.uuid order by v.version desc limit 1;
  which := coalesce(which, item.uuid::text, 'null');
  if sqlstate = 'TC404' then
    perform tocsin_private.refuse('rules', which || ': The rule was deleted, or you are not allowed to change it. Choose the rules again.');
  end if;
  -- PostgreSQL checks constraints in name order, so for contradicting limits it would report the clear limit. The
  -- refusal must report the limits instead.
  if broken like 'rule\_clear\_%' then
    broken := case when wanted.value_lower is null and wanted.value_upper is null then 'rule_limits_check'
      when wanted.value_lower >= wanted.value_upper then 'rule_limits_order_check' else broken end;
  end if;
  -- If the user changed only the limit, the refusal refers to the limit instead of the clear limit.
  if broken = 'rule_clear_lower_check' and 'clear_lower' <> all (given) then
    perform tocsin_private.refuse_limit(which, case when 'value_upper' = any (given) and wanted.clear_lower > wanted.value_upper
      then 'upper' else 'lower' end, wanted.value_lower, wanted.value_upper, 'lower', wanted.clear_lower);
  end if;
  if broken = 'rule_clear_upper_check' and 'clear_upper' <> all (given) then
    perform tocsin_private.refuse_limit(which, case when 'value_lower' = any (given) and wanted.clear_upper < wanted.value_lower
      then 'lower' else 'upper' end, wanted.value_lower, wanted.value_upper, 'upper', wanted.clear_upper);
  end if;
  -- The error refers to the field that the user changed. It also contains the rule's name, except for errors that would
  -- affect every rule.
  raise exception using errcode = sqlstate, message = sqlerrm, constraint = broken,
    hint = case when broken in ('rule_priority_check', 'rule_debounce_check', 'rule_limits_finite_check') then '' else which end,
    column = case
      when broken = 'rule_limits_finite_check' and 'value_lower' = any (given) and abs($5) > 1e300 then 'value_lower'
      when broken in ('rule_limits_check', 'rule_limits_order_check') and 'value_upper' <> all (given) then 'value_lower'
      when broken = 'rule_clear_order_check' and 'clear_upper' <> all (given) then 'clear_lower'
      else '' end;
end
$$;

-- Clients may send the uuid of the rule instead of the uuid of its rule alert. A site has at most one rule alert for
-- each rule name.
create or replace function tocsin_private.find_rule_alert_of_reason() returns trigger language plpgsql
  as $$
declare
  alert uuid;
begin
  if exists (select from tocsin.rule_alert a where a.uuid = new.rule_uuid) then return new; end if;
  select a.uuid into alert from tocsin.rule r
  left join tocsin.rule_alert a on a.tocsin_site_uuid = r.tocsin_site_uuid and a.tocsin_rule_name = r.name
  where r.uuid = new.rule_uuid;
  if found and alert is null then
    perform tocsin_private.refuse('rule_uuid', 'This rule has no rule alert yet. Create its rule alert first, then add reasons.');
  end if;
  new.rule_uuid := coalesce(alert, new.rule_uuid);
  return new;
end
$$;
create trigger a_find_rule_alert before insert on tocsin.reason for each row
  when (tocsin_private.me() is not null) execute function tocsin_private.find_rule_alert_of_reason();
