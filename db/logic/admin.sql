-- What managers do beyond changing rows: copy a site, see what a deletion takes along, invite, end sessions, try a channel.

-- Whoever sends the time of the row they have seen is told when it is not the newest any more: nothing is overwritten unseen.
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
  as $$ begin raise exception using errcode = 'TC409', message = 'Somebody changed it meanwhile.'; end $$;

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

-- What a deletion takes along, and what outlives it. Counted with the rights of the person who asks.
create function tocsin.deletion_effects(noun text, uuid uuid) returns setof tocsin.deletion_effect language plpgsql stable strict
  as $$
declare
  assets uuid[];
  datapoints uuid[];
  alerts uuid[];
begin
  assets := case noun
    when 'site' then array(select a.uuid from tocsin.asset a where a.tocsin_site_uuid = $2)
    when 'asset' then array[$2] else '{}' end;
  datapoints := array(select d.uuid from tocsin.asset_datapoint d where d.tocsin_asset_uuid = any (assets)
    or noun = 'sensor' and d.tocsin_sensor_uuid = $2 or noun = 'sensor_channel' and d.tocsin_sensor_channel_uuid = $2
    or noun = 'asset_datapoint' and d.uuid = $2);
  alerts := case noun
    when 'site' then array(select r.uuid from tocsin.rule_alert r where r.tocsin_site_uuid = $2)
    when 'rule_alert' then array[$2] else '{}' end;
  return query
  select e.noun, e.rows::integer, e.stays from (values
    ('asset', case when $1 = 'site' then cardinality(assets) else 0 end, false),
    ('sensor_channel', case when $1 = 'sensor' then (select count(*) from tocsin.sensor_channel c where c.tocsin_sensor_uuid = $2) else 0 end, false),
    ('asset_datapoint', case when $1 = 'asset_datapoint' then 0 else cardinality(datapoints) end, false),
    ('rule', (select count(*) from tocsin.rule r where r.tocsin_datapoint_uuid = any (datapoints)), false),
    ('rules_json', case when $1 = 'site' then (select count(*) from tocsin.rules_json j join tocsin.site s on s.site_id = j.site_id
      and s.tocsin_customer_uuid = j.tocsin_customer_uuid where s.uuid = $2) else 0 end, false),
    ('rule_alert', case when $1 = 'site' then cardinality(alerts) else 0 end, false),
    ('reason', (select count(*) from tocsin.reason r where r.rule_uuid = any (alerts)), false),
    ('action', (select count(*) from tocsin.action x where x.tocsin_asset_uuid = any (assets)
      or x.tocsin_datapoint_uuid = any (datapoints) or $1 = 'user' and x.notify_to = $2), false),
    ('site_user', (select count(*) from tocsin.site_user l where $1 = 'site' and l.tocsin_site_uuid = $2 or $1 = 'user' and l.tocsin_user_uuid = $2), false),
    ('rule_alert_user', (select count(*) from tocsin.rule_alert_user u where u.tocsin_rule_alert_uuid = any (alerts)
      or $1 = 'user' and u.tocsin_user_uuid = $2), false),
    ('rule_escalate_user', (select count(*) from tocsin.rule_escalate_user u where u.tocsin_rule_alert_uuid = any (alerts)
      or $1 = 'user' and u.tocsin_user_uuid = $2), false),
    ('reply_message', case when $1 = 'sensor' then (select count(*) from tocsin.reply_message m join tocsin.sensor s on s.uid = m.uid
      and s.tocsin_customer_uuid = m.tocsin_customer_uuid where s.uuid = $2) else 0 end, false),
    ('site', case when $1 = 'group' then (select count(*) from tocsin.site s
      where $2 in (s.tocsin_group2_uuid, s.tocsin_group3_uuid, s.tocsin_group4_uuid, s.tocsin_group5_uuid)) else 0 end, true),
    ('alarm', (select count(*) from tocsin.alarm a where $1 = 'site' and a.tocsin_site_uuid = $2
      or $1 <> 'site' and a.tocsin_datapoint_uuid = any (datapoints) or $1 = 'rule' and a.rule_uuid = $2), true),
    ('open_alarm', (select count(*) from tocsin.alarm a where a.resolved_date is null and ($1 = 'site' and a.tocsin_site_uuid = $2
      or $1 <> 'site' and a.tocsin_datapoint_uuid = any (datapoints) or $1 = 'rule' and a.rule_uuid = $2)), true)
  ) as e (noun, rows, stays)
  where e.rows > 0;
end
$$;

-- A copy of a site with everything under it: assets, sensors with their channels, datapoints, rules, rule alerts with people and
-- reasons, actions and links. Sensors get new uids, from the new site's ID, and no token: their devices are other ones.
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

  insert into tocsin.rule (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_lower, value_upper, clear_lower,
    clear_upper, debounce, priority, enabled, message)
  select made.uuid, (assets ->> r.tocsin_asset_uuid::text)::uuid, (datapoints ->> r.tocsin_datapoint_uuid::text)::uuid, r.name, r.value_lower,
    r.value_upper, r.clear_lower, r.clear_upper, r.debounce, r.priority, r.enabled, r.message
  from tocsin.rule r where r.tocsin_site_uuid = $1;
  for row in select j.* from tocsin.rules_json j where j.site_id = source.site_id and j.tocsin_customer_uuid = source.tocsin_customer_uuid loop
    json := row.rule_json;
    for new_uuid in select key::uuid from jsonb_each_text(datapoints) loop
      json := replace(json, new_uuid::text, datapoints ->> new_uuid::text);
    end loop;
    insert into tocsin.rules_json (rule_name, site_id, rule_json, enabled) values (row.rule_name, $2, json, row.enabled);
  end loop;
  for row in select r.* from tocsin.rule_alert r where r.tocsin_site_uuid = $1 loop
    insert into tocsin.rule_alert (tocsin_site_uuid, tocsin_rule_name, ind_ack, escalate_minutes, escalate_interval_minutes, escalate_count)
    values (made.uuid, row.tocsin_rule_name, row.ind_ack, row.escalate_minutes, row.escalate_interval_minutes, row.escalate_count)
    returning rule_alert.uuid into new_uuid;
    alerts := alerts || jsonb_build_object(row.uuid, new_uuid);
  end loop;
  insert into tocsin.rule_alert_user (tocsin_rule_alert_uuid, tocsin_user_uuid, is_alert, is_resolve, is_health)
  select (alerts ->> u.tocsin_rule_alert_uuid::text)::uuid, u.tocsin_user_uuid, u.is_alert, u.is_resolve, u.is_health
  from tocsin.rule_alert_user u where alerts ? u.tocsin_rule_alert_uuid::text;
  insert into tocsin.rule_escalate_user (tocsin_rule_alert_uuid, tocsin_user_uuid)
  select (alerts ->> u.tocsin_rule_alert_uuid::text)::uuid, u.tocsin_user_uuid
  from tocsin.rule_escalate_user u where alerts ? u.tocsin_rule_alert_uuid::text;
  for row in select r.* from tocsin.reason r where alerts ? r.rule_uuid::text loop
    insert into tocsin.reason (rule_uuid, reason) values ((alerts ->> row.rule_uuid::text)::uuid, row.reason) returning reason.uuid into new_uuid;
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
    x.escalate, x.notify_to, x.tocsin_users, x.reply_command
  from tocsin.action x where x.tocsin_site_uuid = $1;
  -- Only people whom the manager may see can be linked by them.
  insert into tocsin.site_user (tocsin_site_uuid, tocsin_user_uuid)
  select made.uuid, l.tocsin_user_uuid from tocsin.site_user l
  where l.tocsin_site_uuid = $1 and exists (select from tocsin.user u where u.uuid = l.tocsin_user_uuid);
  return made;
end
$$;

-- As tocsin_service, because invitations, sessions and messages are nobody's to touch. Each asks for itself whether the caller
-- may: a manager for people with a higher level number, everybody for themself where that makes sense.
set local role tocsin_service;
create or replace function tocsin_definer.reaches(user_uuid uuid, themself boolean) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  return exists (select from tocsin.user u where u.uuid = user_uuid and u.tocsin_customer_uuid = tocsin_private.my_customer()
    and (themself and u.uuid = tocsin_private.me() or tocsin_private.is_manager() and u.level > tocsin_private.my_level()));
end
$$;
create or replace function tocsin_definer.invite_again(user_uuid uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if not tocsin_definer.reaches(user_uuid, false) then perform tocsin_private.refuse_missing(); end if;
  if exists (select from tocsin_private.credential c where c.user_uuid = invite_again.user_uuid) then
    perform tocsin_private.refuse('uuid', 'This person has a password already. They can use "Forgot password".');
  end if;
  if not (select u.status from tocsin.user u where u.uuid = user_uuid) then
    perform tocsin_private.refuse('uuid', 'This person is disabled. Enable them first.');
  end if;
  if exists (select from tocsin_private.pending_invitation p where p.user_uuid = invite_again.user_uuid
    and p.requested_at > tocsin_private.clock() - interval '1 minute') then
    perform tocsin_private.refuse('uuid', 'They were invited less than a minute ago. Give the message time to arrive.');
  end if;
  insert into tocsin_private.pending_invitation (user_uuid, requested_at, next_attempt_at)
  values (user_uuid, tocsin_private.clock(), tocsin_private.clock())
  on conflict on constraint pending_invitation_pkey do update
    set requested_at = excluded.requested_at, next_attempt_at = excluded.next_attempt_at, attempts = 0, problem = '';
end
$$;
create or replace function tocsin_definer.sessions_of(user_uuid uuid) returns setof tocsin.user_session
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if not tocsin_definer.reaches(user_uuid, true) then perform tocsin_private.refuse_missing(); end if;
  return query select s.created_at, s.last_seen_at, s.address, s.user_agent
  from tocsin_private.session s where s.user_uuid = sessions_of.user_uuid and s.expires_at > tocsin_private.clock()
  order by s.last_seen_at desc;
end
$$;
create or replace function tocsin_definer.end_sessions(user_uuid uuid) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  ended integer;
begin
  if not tocsin_definer.reaches(user_uuid, true) then perform tocsin_private.refuse_missing(); end if;
  delete from tocsin_private.session s where s.user_uuid = end_sessions.user_uuid;
  get diagnostics ended = row_count;
  return ended;
end
$$;
create or replace function tocsin_definer.test_message(user_uuid uuid, method integer) returns uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  person record;
  target text;
  made uuid;
begin
  if not tocsin_definer.reaches(user_uuid, true) then perform tocsin_private.refuse_missing(); end if;
  if method not between 1 and 4 then perform tocsin_private.refuse('method_type', 'Choose 1 e-mail, 2 WhatsApp, 3 SMS or 4 app push.'); end if;
  select u.*, c.name as customer into person from tocsin.user u join tocsin.customer c on c.uuid = u.tocsin_customer_uuid where u.uuid = user_uuid;
  target := case method when 1 then person.email when 4 then (select p.uuid::text from tocsin.push_subscription p
    where p.tocsin_user_uuid = user_uuid order by p.created_at desc limit 1)
    else nullif(btrim(person.phone_number), '') end;
  if target is null then
    perform tocsin_private.refuse('method_type', case when method = 4 then 'No browser or app of this person is subscribed.' else 'The profile has no phone number.' end);
  end if;
  if (select count(*) from tocsin.notification n where n.tocsin_user_uuid = user_uuid and n.kind = 'other'
      and n.notify_time > tocsin_private.clock() - interval '10 minutes') >= 5 then
    perform tocsin_private.refuse('method_type', 'Five test messages in ten minutes are enough. Wait a little.');
  end if;
  insert into tocsin.notification (tocsin_customer_uuid, tocsin_user_uuid, recipient_name, address, method_type, message_type, kind, subject,
    notify_message, notify_time, next_attempt_at)
  values (person.tocsin_customer_uuid, user_uuid, person.display_name, target, method, 4, 'other', 'Test message of ' || person.customer,
    'This is a test message of ' || person.customer || '. Nothing happened.', tocsin_private.clock(), tocsin_private.clock())
  returning notification.uuid into made;
  perform pg_notify('tocsin_message', '');
  return made;
end
$$;
create or replace function tocsin_definer.set_sms_price(price double precision, currency text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if not tocsin_private.is_manager() then
    raise exception 'Only managers set the price.' using errcode = '42501';
  end if;
  if price is not null and not (price > 0 and price <= 1000) then
    perform tocsin_private.refuse('price', 'Give a price above 0 and up to 1,000, or leave it empty.');
  end if;
  if price is not null and coalesce(currency, '') !~ '^[A-Z]{3}$' then
    perform tocsin_private.refuse('currency', 'Give the three letters of the currency, such as EUR.');
  end if;
  update tocsin.customer c set sms_price = price, sms_currency = case when price is not null then currency end,
    updated_at = tocsin_private.clock()
  where c.uuid = tocsin_private.my_customer();
end
$$;
-- Everybody's ways are kept by whoever stands above them. Above an owner stands nobody, so owners keep their own.
create or replace function tocsin_definer.set_own_channels(phone text, by_email boolean, by_sms boolean, by_whatsapp boolean, by_apps boolean)
  returns void language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if not tocsin_private.is_owner() then
    raise exception 'Only owners keep their own channels.' using errcode = '42501';
  end if;
  if length(phone) > 32 then
    perform tocsin_private.refuse('phone_number', 'A phone number has at most 32 characters.');
  end if;
  if (by_sms or by_whatsapp) and btrim(phone) = '' then
    perform tocsin_private.refuse('phone_number', 'SMS and WhatsApp need a phone number.');
  end if;
  update tocsin.user u set phone_number = btrim(phone), email_notification = by_email, sms_notification = by_sms,
    whatsapp_notification = by_whatsapp, apps_notification = by_apps
  where u.uuid = tocsin_private.me();
end
$$;
create or replace function tocsin_definer.channels() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select coalesce((select i.value from tocsin_private.installation i where i.name = 'channels'), '[]') $$;
reset role;

create function tocsin.resend_invitation(tocsin_user_uuid uuid) returns boolean language sql volatile strict
  as $$ select true from (select tocsin_definer.invite_again($1)) done $$;
create function tocsin.user_sessions(tocsin_user_uuid uuid) returns setof tocsin.user_session language sql stable strict
  as $$ select * from tocsin_definer.sessions_of($1) $$;
create function tocsin.end_user_sessions(tocsin_user_uuid uuid) returns integer language sql volatile strict
  as $$ select tocsin_definer.end_sessions($1) $$;
-- Tries a way to reach somebody; what became of it stands in the notification.
create function tocsin.send_test_message(tocsin_user_uuid uuid, method_type integer) returns uuid language sql volatile strict
  as $$ select tocsin_definer.test_message($1, $2) $$;

create function tocsin.set_own_channels(phone_number text, email_notification boolean, sms_notification boolean,
  whatsapp_notification boolean, apps_notification boolean) returns boolean language sql volatile strict
  as $$ select true from (select tocsin_definer.set_own_channels($1, $2, $3, $4, $5)) done $$;

-- What an SMS part costs; null where nobody is to reckon with it.
create function tocsin.set_sms_price(price double precision default null, currency text default null) returns tocsin.customer
  language plpgsql volatile
  as $$
declare
  customer tocsin.customer;
begin
  perform tocsin_definer.set_sms_price($1, $2);
  select c.* into customer from tocsin.customer c where c.uuid = tocsin_private.my_customer();
  return customer;
end
$$;

-- How people are reached here, and how that went of late for this customer.
create function tocsin.channel_states() returns setof tocsin.channel_state language sql stable
  as $$
    select (c ->> 'methodType')::integer, c ->> 'name', c ->> 'title', (c ->> 'leavesTheHouse')::boolean,
      (select max(n.sent_at) from tocsin.notification n
        where n.method_type = (c ->> 'methodType')::integer and tocsin_private.was_taken(n.state, n.provider, n.sent_at)),
      f.at, f.answer,
      (select count(*)::integer from tocsin.notification n where n.method_type = (c ->> 'methodType')::integer and n.state = 'queued'),
      c ->> 'receiptAddress', c ->> 'receiptProblem'
    from jsonb_array_elements(tocsin_definer.channels()) c
    left join lateral (
      select n.notify_time as at, n.provider_answer as answer from tocsin.notification n
      where n.method_type = (c ->> 'methodType')::integer and n.provider_answer <> '' and (n.state = 'failed' or n.state = 'queued' and n.attempts > 0)
      order by n.notify_time desc limit 1) f on true
    where tocsin_private.is_manager()
    order by 1
  $$;
