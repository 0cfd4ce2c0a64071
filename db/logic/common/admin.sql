-- Optimistic locking, and the effects of a deletion.

-- Optimistic locking: refuses an update whose updated_at differs from the stored value, because another user has
-- changed the row in the meantime.
create or replace function tocsin_private.touch() returns trigger language plpgsql
  as $$
begin
  if new.updated_at is distinct from old.updated_at and tocsin_private.me() is not null then
    perform tocsin_private.refuse_outdated();
  end if;
  new.updated_at := tocsin_private.clock();
  return new;
end
$$;
create or replace function tocsin_private.refuse_outdated() returns void language plpgsql
  as $$ begin raise exception using errcode = 'TC409', message = 'The record was changed in the meantime. Reload it, then make your change again.'; end $$;

do $$
declare
  t text;
begin
  foreach t in array array['asset', 'asset_datapoint', 'user', 'group', 'sensor', 'sensor_channel', 'rule', 'rule_alert', 'reason',
    'rules_json', 'alarm_default_message', 'action'] loop
    execute format('grant update (updated_at) on tocsin.%I to tocsin_request', t);
  end loop;
  grant select (updated_at) on tocsin.asset_datapoint to tocsin_request;
  grant update (last_updated) on tocsin.site to tocsin_request;
end
$$;

-- True if a multi-condition rule compares one of these data points. Such a rule refers to data points by uuid in
-- `fact`, at any depth of the JSON.
create or replace function tocsin_private.compares_any(rule_json text, datapoints uuid[]) returns boolean language sql immutable parallel safe
  as $$ select exists (select from jsonb_path_query(rule_json::jsonb, '$.conditions.**.fact') f where lower(f #>> '{}') = any (datapoints::text[])) $$;

-- Counts the records that a deletion would remove and those that it would keep. Counts only records that the caller may
-- see.
create function tocsin.deletion_effects(noun text, uuid uuid) returns setof tocsin.deletion_effect language plpgsql stable strict
  as $$
declare
  assets uuid[];
  datapoints uuid[];
  alerts uuid[];
  conditions uuid[];
  causes uuid[];
begin
  perform tocsin_private.check_choice('noun', noun, array['site', 'asset', 'asset_datapoint', 'sensor', 'sensor_channel', 'rule', 'rules_json',
    'rule_alert', 'reason', 'action', 'alarm_default_message', 'group', 'user', 'maintenance_window', 'destination', 'rota', 'rota_layer']);
  assets := case noun
    when 'site' then array(select a.uuid from tocsin.asset a where a.tocsin_site_uuid = $2)
    when 'asset' then array[$2] else '{}' end;
  datapoints := array(select d.uuid from tocsin.asset_datapoint d where d.tocsin_asset_uuid = any (assets)
    or noun = 'sensor' and d.tocsin_sensor_uuid = $2 or noun = 'sensor_channel' and d.tocsin_sensor_channel_uuid = $2
    or noun = 'asset_datapoint' and d.uuid = $2);
  alerts := case noun
    when 'site' then array(select r.uuid from tocsin.rule_alert r where r.tocsin_site_uuid = $2)
    when 'rule_alert' then array[$2] else '{}' end;
  conditions := case noun
    when 'rules_json' then array[$2]
    when 'site' then array(select j.uuid from tocsin.rules_json j join tocsin.site s on s.site_id = j.site_id
      and s.tocsin_customer_uuid = j.tocsin_customer_uuid where s.uuid = $2)
    else array(select j.uuid from tocsin.rules_json j where tocsin_private.compares_any(j.rule_json, datapoints)) end;
  causes := array[$2] || datapoints || conditions || array(select r.uuid from tocsin.rule r where r.tocsin_datapoint_uuid = any (datapoints));
  return query
  select e.noun, e.rows::integer, e.stays from (values
    ('asset', case when $1 = 'site' then cardinality(assets) else 0 end, false),
    ('sensor_channel', case when $1 = 'sensor' then (select count(*) from tocsin.sensor_channel c where c.tocsin_sensor_uuid = $2) else 0 end, false),
    ('asset_datapoint', case when $1 = 'asset_datapoint' then 0 else cardinality(datapoints) end, false),
    ('rule', (select count(*) from tocsin.rule r where r.tocsin_datapoint_uuid = any (datapoints)), false),
    ('rules_json', case when $1 = 'rules_json' then 0 else cardinality(conditions) end, false),
    ('rule_alert', case when $1 = 'site' then cardinality(alerts) else 0 end, false),
    ('reason', (select count(*) from tocsin.reason r where r.rule_uuid = any (alerts)), false),
    ('action', (select count(*) from tocsin.action x where x.tocsin_asset_uuid = any (assets)
      or x.tocsin_datapoint_uuid = any (datapoints) or $1 = 'user' and x.notify_to = $2), false),
    ('site_user', (select count(*) from tocsin.site_user l where $1 = 'site' and l.tocsin_site_uuid = $2 or $1 = 'user' and l.tocsin_user_uuid = $2), false),
    ('rule_alert_user', (select count(*) from tocsin.rule_alert_user u where u.tocsin_rule_alert_uuid = any (alerts)
      or $1 = 'user' and u.tocsin_user_uuid = $2), false),
    ('rule_escalate_user', (select count(*) from tocsin.rule_escalate_user u where u.tocsin_rule_alert_uuid = any (alerts)
      or $1 = 'user' and u.tocsin_user_uuid = $2), false),
    ('destination', (select count(*) from tocsin.destination t where $1 = 'site' and t.tocsin_site_uuid = $2
      or $1 = 'group' and t.tocsin_group_uuid = $2), false),
    ('rule_step_recipient', (select count(*) from tocsin.rule_step_recipient t where t.tocsin_rule_alert_uuid = any (alerts)
      or $1 = 'user' and t.tocsin_user_uuid = $2), false),
    ('reply_message', case when $1 = 'sensor' then (select count(*) from tocsin.reply_message m join tocsin.sensor s on s.uid = m.uid
      and s.tocsin_customer_uuid = m.tocsin_customer_uuid where s.uuid = $2) else 0 end, false),
    ('site', case when $1 = 'group' then (select count(*) from tocsin.site s
      where $2 in (s.tocsin_group2_uuid, s.tocsin_group3_uuid, s.tocsin_group4_uuid, s.tocsin_group5_uuid)) else 0 end, true),
    ('alarm', (select count(*) from tocsin.alarm a where $1 = 'site' and a.tocsin_site_uuid = $2
      or $1 <> 'site' and (a.tocsin_datapoint_uuid = any (datapoints) or a.rule_uuid = any (conditions)) or $1 = 'rule' and a.rule_uuid = $2), true),
    -- Readings belong to the channel, so they become unreachable only if the channel is deleted.
    (case when $1 = 'sensor_channel' then 'history' else 'kept_history' end, case when $1 = 'sensor' then 0 else
      (select count(distinct d.tocsin_sensor_channel_uuid) from tocsin.asset_datapoint d
       where d.uuid = any (datapoints) and d.latest_value is not null) end, $1 <> 'sensor_channel'),
    -- A rule alert belongs to a site and a rule name. It is therefore kept for the next rule with the same name.
    ('kept_rule_alert', (select count(*) from tocsin.rule_alert ra where $1 <> 'site' and (ra.tocsin_site_uuid, ra.tocsin_rule_name) in (
        select a.tocsin_site_uuid, r.name from tocsin.rule r join tocsin.asset_datapoint d on d.uuid = r.tocsin_datapoint_uuid
        join tocsin.asset a on a.uuid = d.tocsin_asset_uuid where $1 = 'rule' and r.uuid = $2 or r.tocsin_datapoint_uuid = any (datapoints)
        union all
        select s.uuid, j.rule_name from tocsin.rules_json j join tocsin.site s on s.site_id = j.site_id
        and s.tocsin_customer_uuid = j.tocsin_customer_uuid where j.uuid = any (conditions))), true),
    ('maintenance_window', (select count(*) from tocsin.maintenance_window w where w.ended_at is null
      and (w.target_uuid = any (assets) or $1 in ('site', 'sensor') and w.target_uuid = $2)), true),
    ('quiet_alarm', (select count(*) from tocsin.alarm a where $1 = 'maintenance_window' and a.quiet_source = $2
      and a.quiet_because = 'maintenance' and a.resolved_date is null), true),
    ('rota_layer', (select count(*) from tocsin.rota_layer l where $1 = 'rota' and l.tocsin_rota_uuid = $2), false),
    ('rota_override', (select count(*) from tocsin.rota_override o join tocsin.rota_layer l on l.uuid = o.tocsin_rota_layer_uuid
      where $2 in (l.uuid, l.tocsin_rota_uuid) and o.ends_at > tocsin_private.clock()), false),
    -- A deleted person stays in the rota, so that the gap is seen.
    ('rota_gap', (select count(distinct p.tocsin_rota_layer_uuid) from tocsin.rota_layer_person p where $1 = 'user' and p.person_uuid = $2), true),
    ('dependent', (select count(distinct d.dependent_uuid) from tocsin.dependency d
      where d.cause_uuid = any (causes) and d.dependent_uuid <> all (causes)), true),
    -- Counts the open alarms that the deletion resolves. An alarm that a user reported has no rule, so it is resolved
    -- only with its site.
    ('open_alarm', (select count(*) from tocsin.alarm a where a.resolved_date is null and ($1 = 'site' and a.tocsin_site_uuid = $2
      or $1 <> 'site' and a.source <> 'person' and a.tocsin_datapoint_uuid = any (datapoints)
      or $1 <> 'site' and a.rule_uuid = any (conditions) or $1 = 'rule' and a.rule_uuid = $2)), true)
  ) as e (noun, rows, stays)
  where e.rows > 0;
end
$$;
