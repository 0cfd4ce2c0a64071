-- Copies a site with its assets, sensors and channels, data points, rules, rule alerts, actions, links and causes. Rule
-- alerts keep their people and reasons. A copy depends on the copies of causes at the site, and on the same causes elsewhere. The new sensors represent other devices. Their uids are derived from the new site ID,
-- and they have no tokens.
create function tocsin.copy_site(uuid uuid, site_id text, name text) returns tocsin.site language plpgsql volatile strict
  as $$
declare
  source tocsin.site;
  made tocsin.site;
  row record;
  new_uuid uuid;
  number integer := 0;
  sensors jsonb := '{}';
  channels jsonb := '{}';
  assets jsonb := '{}';
  datapoints jsonb := '{}';
  rules jsonb := '{}';
  conditions jsonb := '{}';
  alerts jsonb := '{}';
  reasons jsonb := '{}';
  json text;
begin
  select s.* into source from tocsin.site s where s.uuid = $1;
  if not found or not tocsin_private.is_manager() then perform tocsin_private.refuse_missing(); end if;
  insert into tocsin.site (site_id, name, location, description, address, site_type, site_category, phone_number, tocsin_group2_uuid,
    tocsin_group3_uuid, tocsin_group4_uuid, tocsin_group5_uuid, tocsin_health_duration_hours)
  values ($2, $3, source.location, source.description, source.address, source.site_type, source.site_category, '', source.tocsin_group2_uuid,
    source.tocsin_group3_uuid, source.tocsin_group4_uuid, source.tocsin_group5_uuid, source.tocsin_health_duration_hours)
  returning * into made;

  for row in
    select e.* from tocsin.sensor e where e.uuid in (
      select d.tocsin_sensor_uuid from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid where a.tocsin_site_uuid = $1
      union select a.tocsin_sensor_uuid from tocsin.asset a where a.tocsin_site_uuid = $1)
    order by e.uid
  loop
    number := number + 1;
    insert into tocsin.sensor (uid, status, sensor_type, description, frame_format)
    values (left(regexp_replace($2, '[^A-Za-z0-9._:-]', '-', 'g'), 56) || '-' || number, row.status, row.sensor_type, row.description, row.frame_format)
    returning sensor.uuid into new_uuid;
    sensors := sensors || jsonb_build_object(row.uuid, new_uuid);
  end loop;
  for row in select c.* from tocsin.sensor_channel c where sensors ? c.tocsin_sensor_uuid::text order by c.channel_number loop
    insert into tocsin.sensor_channel (tocsin_sensor_uuid, name, description, channel_number, channel_title_text, channel_normal_color,
      channel_alarm_color, channel_alarm_condition, channel_major_alarm_status, channel_low_text, channel_high_text, channel_factor,
      channel_offset, channel_decimals)
    values ((sensors ->> row.tocsin_sensor_uuid::text)::uuid, row.name, row.description, row.channel_number, row.channel_title_text,
      row.channel_normal_color, row.channel_alarm_color, row.channel_alarm_condition, row.channel_major_alarm_status, row.channel_low_text,
      row.channel_high_text, row.channel_factor, row.channel_offset, row.channel_decimals)
    returning sensor_channel.uuid into new_uuid;
    channels := channels || jsonb_build_object(row.uuid, new_uuid);
  end loop;
  for row in select a.* from tocsin.asset a where a.tocsin_site_uuid = $1 order by a.name loop
    insert into tocsin.asset (tocsin_site_uuid, tocsin_sensor_uuid, name, description, status)
    values (made.uuid, (sensors ->> row.tocsin_sensor_uuid::text)::uuid, row.name, row.description, row.status)
    returning asset.uuid into new_uuid;
    assets := assets || jsonb_build_object(row.uuid, new_uuid);
  end loop;
  for row in select d.* from tocsin.asset_datapoint d where assets ? d.tocsin_asset_uuid::text order by d.tocsin_asset_datapoint_order loop
    insert into tocsin.asset_datapoint (tocsin_asset_uuid, tocsin_sensor_uuid, tocsin_sensor_channel_uuid, tocsin_datapoint_name, uom,
      sensor_type, tocsin_asset_datapoint_order, description)
    values ((assets ->> row.tocsin_asset_uuid::text)::uuid, (sensors ->> row.tocsin_sensor_uuid::text)::uuid,
      (channels ->> row.tocsin_sensor_channel_uuid::text)::uuid, row.tocsin_datapoint_name, row.uom, row.sensor_type,
      row.tocsin_asset_datapoint_order, row.description)
    returning asset_datapoint.uuid into new_uuid;
    datapoints := datapoints || jsonb_build_object(row.uuid, new_uuid);
  end loop;

  for row in select r.* from tocsin.rule r where r.tocsin_site_uuid = $1 order by r.uuid loop
    insert into tocsin.rule (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_lower, value_upper, clear_lower,
      clear_upper, debounce, priority, enabled, message)
    values (made.uuid, (assets ->> row.tocsin_asset_uuid::text)::uuid, (datapoints ->> row.tocsin_datapoint_uuid::text)::uuid, row.name,
      row.value_lower, row.value_upper, row.clear_lower, row.clear_upper, row.debounce, row.priority, row.enabled, row.message)
    returning rule.uuid into new_uuid;
    rules := rules || jsonb_build_object(row.uuid, new_uuid);
  end loop;
  for row in select j.* from tocsin.rules_json j where j.site_id = source.site_id and j.tocsin_customer_uuid = source.tocsin_customer_uuid loop
    json := row.rule_json;
    for new_uuid in select key::uuid from jsonb_each_text(datapoints) loop
      json := replace(json, new_uuid::text, datapoints ->> new_uuid::text);
    end loop;
    insert into tocsin.rules_json (rule_name, site_id, rule_json, enabled) values (row.rule_name, $2, json, row.enabled)
    returning rules_json.uuid into new_uuid;
    conditions := conditions || jsonb_build_object(row.uuid, new_uuid);
  end loop;
  for row in select r.* from tocsin.rule_alert r where r.tocsin_site_uuid = $1 loop
    insert into tocsin.rule_alert (tocsin_site_uuid, tocsin_rule_name, ind_ack, escalate_minutes, escalate_interval_minutes, escalate_count)
    values (made.uuid, row.tocsin_rule_name, row.ind_ack, row.escalate_minutes, row.escalate_interval_minutes, row.escalate_count)
    returning rule_alert.uuid into new_uuid;
    alerts := alerts || jsonb_build_object(row.uuid, new_uuid);
  end loop;
  insert into tocsin.rule_alert_user (tocsin_rule_alert_uuid, tocsin_user_uuid, is_alert, is_resolve, is_health)
  select (alerts ->> u.tocsin_rule_alert_uuid::text)::uuid, u.tocsin_user_uuid, u.is_alert, u.is_resolve, u.is_health
  from tocsin.rule_alert_user u where alerts ? u.tocsin_rule_alert_uuid::text
    -- Disabled users are not copied to the new site, because they would never be notified.
    and tocsin_definer.unreachable_because(u.tocsin_user_uuid) is distinct from 'disabled';
  insert into tocsin.rule_escalate_user (tocsin_rule_alert_uuid, tocsin_user_uuid)
  select (alerts ->> u.tocsin_rule_alert_uuid::text)::uuid, u.tocsin_user_uuid
  from tocsin.rule_escalate_user u where alerts ? u.tocsin_rule_alert_uuid::text
    and tocsin_definer.unreachable_because(u.tocsin_user_uuid) is distinct from 'disabled';
  perform tocsin_definer.copy_plan_steps(a.key::uuid, a.value::uuid) from jsonb_each_text(alerts) a;
  for row in select r.* from tocsin.reason r where alerts ? r.rule_uuid::text loop
    insert into tocsin.reason (rule_uuid, reason, is_nuisance)
    values ((alerts ->> row.rule_uuid::text)::uuid, row.reason, row.is_nuisance) returning reason.uuid into new_uuid;
    reasons := reasons || jsonb_build_object(row.uuid, new_uuid);
  end loop;
  insert into tocsin.site_reason (tocsin_reason_uuid, tocsin_site_uuid)
  select (reasons ->> l.tocsin_reason_uuid::text)::uuid, made.uuid from tocsin.site_reason l
  where reasons ? l.tocsin_reason_uuid::text and l.tocsin_site_uuid = $1;
  insert into tocsin.user_reason (tocsin_reason_uuid, tocsin_user_uuid, tocsin_site_uuid)
  select (reasons ->> l.tocsin_reason_uuid::text)::uuid, l.tocsin_user_uuid, made.uuid from tocsin.user_reason l
  where reasons ? l.tocsin_reason_uuid::text and l.tocsin_site_uuid = $1;
  insert into tocsin.action (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, action, acknowledge, escalate, notify_to, tocsin_users, reply_command)
  select made.uuid, (assets ->> x.tocsin_asset_uuid::text)::uuid, (datapoints ->> x.tocsin_datapoint_uuid::text)::uuid, x.action, x.acknowledge,
    x.escalate, x.notify_to, case when x.action = 2 then p.active else x.tocsin_users end, x.reply_command
  from tocsin.action x cross join lateral (select string_agg(p::text, ',') as active from tocsin_private.people_of_action(x) p
    where tocsin_definer.unreachable_because(p) is distinct from 'disabled') p
  where x.tocsin_site_uuid = $1 and (x.action = 3 or p.active is not null);
  -- Copies the links of visible users only, because managers can link only users whom they can see.
  insert into tocsin.site_user (tocsin_site_uuid, tocsin_user_uuid)
  select made.uuid, l.tocsin_user_uuid from tocsin.site_user l
  where l.tocsin_site_uuid = $1 and exists (select from tocsin.user u where u.uuid = l.tocsin_user_uuid);
  insert into tocsin.dependency (tocsin_rule_uuid, tocsin_rules_json_uuid, tocsin_site_uuid, cause_rule_uuid, cause_rules_json_uuid,
    cause_datapoint_uuid, cause_site_uuid)
  select (rules ->> d.tocsin_rule_uuid::text)::uuid, (conditions ->> d.tocsin_rules_json_uuid::text)::uuid,
    case when d.tocsin_site_uuid is not null then made.uuid end, coalesce((rules ->> d.cause_rule_uuid::text)::uuid, d.cause_rule_uuid),
    coalesce((conditions ->> d.cause_rules_json_uuid::text)::uuid, d.cause_rules_json_uuid),
    coalesce((datapoints ->> d.cause_datapoint_uuid::text)::uuid, d.cause_datapoint_uuid),
    case d.cause_site_uuid when $1 then made.uuid else d.cause_site_uuid end
  from tocsin.dependency d where d.dependent_uuid = $1 or rules ? d.dependent_uuid::text or conditions ? d.dependent_uuid::text;
  return made;
end
$$;
