-- Managers see all alarms of the customer; operators see the alarms of their sites. Both may acknowledge and resolve
-- alarms.
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, site_name, rule_name,
  severity, message, date_time, resolved_date, reason, acknowledge_text, acknowledge_json, acknowledged_by, created_at,
  source, rule_uuid, rule_version, priority, asset_name, datapoint_name, value, unit, pending_since, criteria, samples, recipients, plan,
  must_acknowledge, occurrences, last_occurred_at, escalation_step, next_escalation_at, resumes_escalation_at, resolved_by, resolved_how, resolve_note,
  quiet_because, quiet_until, quiet_source, tocsin_shelving_uuid, tocsin_cause_alarm_uuid, opened_quiet, reminders, assigned_to, assigned_name, assigned_at,
  recipient_uuids, acknowledged_seconds, plan_step, plan_repeat),
  insert (tocsin_site_uuid, message, date_time, reason, acknowledge_text, resolved_date),
  update (reason, acknowledge_text, resolved_date, resolve_note) on tocsin.alarm to tocsin_request;
create policy read on tocsin.alarm for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and ((select tocsin_private.is_manager()) or tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])));
create policy report on tocsin.alarm for insert to tocsin_request with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and not (select tocsin_private.is_partner_account())
  and exists (select from tocsin.site s where s.uuid = tocsin_site_uuid));
create policy handle on tocsin.alarm for update to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and ((select tocsin_private.is_manager()) or tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])));

set local role tocsin_service;
-- Returns whether a reason may be used at a site. Runs as tocsin_service, because the function also considers links to
-- sites that the user cannot see.
create or replace function tocsin_definer.reason_is_valid_at(reason uuid, site uuid) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select not exists (select from tocsin.site_reason l where l.tocsin_reason_uuid = $1)
      or exists (select from tocsin.site_reason l where l.tocsin_reason_uuid = $1 and l.tocsin_site_uuid = $2)
  $$;

-- Returns the rules, other than `but_for`, that keep a shared alarm open: rules of the site with the same message. Runs
-- as tocsin_service, because requests cannot read rule states.
create or replace function tocsin_definer.other_open_rules(alarm_uuid uuid, but_for uuid) returns setof tocsin.alarm_holder
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select s.watch_uuid, case s.kind
        when 'limits' then jsonb_build_object('kind', s.kind, 'lower', r.value_lower, 'upper', r.value_upper,
          'clearLower', r.clear_lower, 'clearUpper', r.clear_upper, 'debounce', r.debounce, 'unit', d.uom)
        when 'digital' then jsonb_build_object('kind', s.kind, 'alarmState', case c.channel_alarm_condition when 0 then 'low' else 'high' end,
          'lowText', c.channel_low_text, 'highText', c.channel_high_text)
        else jsonb_build_object('kind', s.kind) end,
      coalesce(r.name, j.rule_name, nullif(c.channel_title_text, ''), c.name),
      d.uuid, d.tocsin_datapoint_name, d.latest_value, d.uom, d.sensor_type::integer, d.datapoint_title_text, s.phase = 'clearing'
    from tocsin_private.rule_state s join tocsin.alarm a on a.uuid = s.alarm_uuid and a.tocsin_customer_uuid = tocsin_private.my_customer()
      left join tocsin.rule r on r.uuid = s.watch_uuid left join tocsin.rules_json j on j.uuid = s.watch_uuid
      left join tocsin.asset_datapoint d on d.uuid = coalesce(r.tocsin_datapoint_uuid, s.watch_uuid)
      left join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
    where s.alarm_uuid = $1 and s.phase in ('open', 'clearing') and s.watch_uuid is distinct from $2
    order by s.phase = 'clearing', 3, s.watch_uuid
  $$;
reset role;

create function tocsin.alarm_other_holders(alarm tocsin.alarm) returns setof tocsin.alarm_holder language sql stable
  as $$ select * from tocsin_definer.other_open_rules(alarm.uuid, alarm.rule_uuid) $$;
-- The API offers no filter for the rules that share an alarm, because there are only a few.
comment on function tocsin.alarm_other_holders(tocsin.alarm) is '@behavior -filterProc';

-- Returns the reasons that the user may choose when acknowledging the alarm: the reasons of the alarm's rule and of the
-- rules that share the alarm. A reason without site links is valid at every site. A reason without user links at the
-- site is valid for every user.
create function tocsin.alarm_allowed_reasons(alarm tocsin.alarm) returns setof text language sql stable
  as $$
    select r.reason from tocsin.rule_alert a join tocsin.reason r on r.rule_uuid = a.uuid
    where a.tocsin_site_uuid = alarm.tocsin_site_uuid
      and (a.tocsin_rule_name = alarm.rule_name or a.tocsin_rule_name in (select o.rule_name from tocsin.alarm_other_holders(alarm) o))
      and tocsin_definer.reason_is_valid_at(r.uuid, alarm.tocsin_site_uuid)
      and (not exists (select from tocsin.user_reason l where l.tocsin_reason_uuid = r.uuid and l.tocsin_site_uuid = alarm.tocsin_site_uuid)
        or exists (select from tocsin.user_reason l where l.tocsin_reason_uuid = r.uuid and l.tocsin_site_uuid = alarm.tocsin_site_uuid
          and l.tocsin_user_uuid = tocsin_private.me()))
    group by r.reason order by lower(r.reason), r.reason
  $$;

create or replace function tocsin_private.refuse_second_acknowledgement(first jsonb) returns void language plpgsql
  as $$
begin
  perform tocsin_private.refuse('reason', format('%s acknowledged this alarm first, on %s.',
    first ->> 'name', tocsin_private.local_time((first ->> 'at')::timestamptz)));
end
$$;

-- Checks the changes of users. An alarm can be acknowledged once, with a reason, and resolved once. The trigger sets
-- the user and the time.
create or replace function tocsin_private.guard_alarm() returns trigger language plpgsql
  as $$
declare
  allowed text[];
  chosen text;
begin
  if tg_op = 'INSERT' then
    -- An alarm's start time defaults to the current time. A client whose clock is slow may send a resolved_date that is
    -- already in the past by the server's clock. If the difference is at most five minutes, the alarm starts at
    -- resolved_date.
    new.date_time := coalesce(new.date_time, tocsin_private.clock());
    if new.date_time = tocsin_private.clock() and new.resolved_date > new.date_time - interval '5 minutes' then
      new.date_time := least(new.date_time, new.resolved_date);
    end if;
    new.created_at := tocsin_private.clock();
    select s.name into new.site_name from tocsin.site s where s.uuid = new.tocsin_site_uuid;
    -- Row level security would also refuse an alarm at an invisible site, but without a message. The message does not
    -- reveal whether the site exists.
    if not found and new.tocsin_site_uuid is not null and not tocsin_private.is_partner_account() then
      raise foreign_key_violation using constraint = 'alarm_site_fkey', message = 'The site does not exist, or the user is not allowed to see it.';
    end if;
  end if;
  if new.date_time > tocsin_private.clock() + interval '5 minutes' then
    perform tocsin_private.refuse('date_time', 'The start time is in the future. Enter an earlier time.');
  end if;
  -- Only tocsin_definer.undo_acknowledgement can clear acknowledge_json, because requests cannot write it.
  if tg_op = 'UPDATE' and old.acknowledge_json is not null and new.acknowledge_json is null then
    return new;
  end if;
  if tg_op = 'UPDATE' and old.acknowledge_json is not null
     and (new.reason is distinct from old.reason or new.acknowledge_text is distinct from old.acknowledge_text) then
    perform tocsin_private.refuse_second_acknowledgement(old.acknowledge_json);
  end if;
  if new.acknowledge_text is not null and new.reason is null then
    perform tocsin_private.refuse('reason', 'Choose a reason to acknowledge the alarm.');
  end if;
  if new.reason is not null and new.acknowledge_json is null then
    if btrim(new.reason) = '' then
      perform tocsin_private.refuse('reason', 'Choose a reason to acknowledge the alarm.');
    end if;
    allowed := array(select tocsin.alarm_allowed_reasons(new));
    if cardinality(allowed) > 0 then
      select a into chosen from unnest(allowed) a where lower(a) = lower(btrim(new.reason));
      if chosen is null then
        perform tocsin_private.refuse('reason', format('Choose one of the reasons of this rule: %s.', array_to_string(allowed, ', ')));
      end if;
      new.reason := chosen;
    elsif exists (select from tocsin.rule_alert a join tocsin.reason r on r.rule_uuid = a.uuid
      where a.tocsin_site_uuid = new.tocsin_site_uuid and a.tocsin_rule_name = new.rule_name) then
      -- Free text is only allowed for rules without reasons. Otherwise users could bypass the links between reasons and
      -- users.
      perform tocsin_private.refuse('reason', 'None of the reasons of this rule is linked to you at this site. Ask a manager to link one.');
    end if;
    new.acknowledged_by := tocsin_private.me();
    new.acknowledge_json := jsonb_build_object('by', tocsin_private.me(), 'name', (select u.display_name from tocsin.user u where u.uuid = tocsin_private.me()), 'at', tocsin_private.clock(),
      'reason', new.reason, 'text', new.acknowledge_text, 'channel', coalesce(nullif(current_setting('tocsin.channel', true), ''), 'console'));
    new.resumes_escalation_at := new.next_escalation_at;
    new.next_escalation_at := null;
  end if;
  if tg_op = 'UPDATE' and old.resolved_date is not null and new.resolved_date is distinct from old.resolved_date then
    perform tocsin_private.refuse('resolved_date', format('This alarm was already resolved on %s.',
      tocsin_private.local_time(old.resolved_date)));
  end if;
  if new.resolved_date > tocsin_private.clock() + interval '5 minutes' then
    perform tocsin_private.refuse('resolved_date', 'The resolution time is in the future. Enter an earlier time.');
  end if;
  if new.resolved_date is not null and (tg_op = 'INSERT' or old.resolved_date is null) then
    new.resolved_by := tocsin_private.me();
    new.resolved_how := 'person';
    new.next_escalation_at := null;
  end if;
  return new;
end
$$;
create trigger guard before insert or update on tocsin.alarm for each row
  when (tocsin_private.me() is not null) execute function tocsin_private.guard_alarm();

-- Writes the timeline, updates notifications and queues work for the engine. Runs as tocsin_service, because requests
-- cannot write the tables involved.
set local role tocsin_service;
create or replace function tocsin_definer.follow_alarm() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  name text := tocsin_definer.my_name();
  moment timestamptz := tocsin_private.clock();
begin
  if tg_op = 'INSERT' then
    insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence, tocsin_user_uuid)
    values (new.tocsin_customer_uuid, new.uuid, new.date_time, 'opened', format('%s reported the alarm.', name), tocsin_private.me());
  end if;
  if new.acknowledge_json is not null and (tg_op = 'INSERT' or old.acknowledge_json is null) then
    insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence, detail, tocsin_user_uuid)
    values (new.tocsin_customer_uuid, new.uuid, moment, 'acknowledged', format('%s acknowledged the alarm%s: %s.', name,
      case new.acknowledge_json ->> 'channel' when 'sms-answer' then ' by SMS' when 'whatsapp-answer' then ' by WhatsApp' else '' end, rtrim(new.reason, '.')),
      new.acknowledge_json, tocsin_private.me());
    update tocsin.notification n set ack_time = moment, ack_by_recipient_name = name
    where n.tocsin_alarm_uuid = new.uuid and n.ack_time is null and n.kind <> 'digest';
    if tg_op = 'UPDATE' and old.next_escalation_at is not null then
      insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence)
      values (new.tocsin_customer_uuid, new.uuid, moment, 'escalation-stopped', case new.escalation_step
        when 0 then 'The alarm was acknowledged before the first escalation.' else 'The alarm was acknowledged, so it is not escalated further.' end);
    end if;
  end if;
  if tg_op = 'UPDATE' and old.acknowledge_json is not null and new.acknowledge_json is null then
    insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence, tocsin_user_uuid)
    values (new.tocsin_customer_uuid, new.uuid, moment, 'acknowledgement-undone', format('%s undid the acknowledgement%s', name,
      case when new.next_escalation_at is null then '.' else '. Escalation resumes.' end), tocsin_private.me());
    update tocsin.notification n set ack_time = null, ack_by_recipient_name = null
    where n.tocsin_alarm_uuid = new.uuid and n.ack_time = (old.acknowledge_json ->> 'at')::timestamptz;
  end if;
  if new.resolved_date is not null and (tg_op = 'INSERT' or old.resolved_date is null) then
    insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence, tocsin_user_uuid)
    values (new.tocsin_customer_uuid, new.uuid, moment, 'resolved',
      format('%s resolved the alarm%s', name, coalesce(': ' || nullif(rtrim(btrim(new.resolve_note), '.'), '') || '.', '.')), tocsin_private.me());
    insert into tocsin_private.alarm_work (kind, uuid, because, by_name) values ('resolved', new.uuid, coalesce(new.resolve_note, ''), name);
    perform pg_notify('tocsin_alarm_work', '');
  end if;
  perform pg_notify('tocsin_live', new.tocsin_site_uuid::text) where new.tocsin_site_uuid is not null;
  return null;
end
$$;
reset role;
create trigger follow after insert or update of reason, acknowledge_text, resolved_date on tocsin.alarm for each row
  when (tocsin_private.me() is not null) execute function tocsin_definer.follow_alarm();

-- When a site is deleted, resolves its silence alarm and the alarms that users reported. Alarms of rules are resolved
-- when the rules are deleted. Runs as tocsin_service, because users who may delete a site may not be allowed to change
-- its alarms.
set local role tocsin_service;
create or replace function tocsin_definer.end_site_alarms() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  update tocsin.alarm a set resolved_date = greatest(tocsin_private.clock(), a.date_time), resolve_note = 'the site was deleted'
  where a.tocsin_site_uuid = old.uuid and a.resolved_date is null and a.source in ('silence', 'person');
  return old;
end
$$;
reset role;
create trigger end_site_alarms before delete on tocsin.site for each row execute function tocsin_definer.end_site_alarms();

-- Returns the method, such as SMS, by which the link to this alarm was sent. After verifying the link, the server
-- stores the alarm and the method in tocsin.verified_link (server/graphql/schema/alarm-link.ts). Refuses an unverified
-- link.
create or replace function tocsin_private.method_of_link(alarm_uuid uuid) returns text language plpgsql stable
  as $$
declare
  claim text[] := string_to_array(current_setting('tocsin.verified_link', true), ' ');
begin
  if claim[1]::uuid = alarm_uuid then return claim[2]; end if;
  perform tocsin_private.refuse('link', '@alarm-link-invalid');
end
$$;

-- Acknowledges one alarm, from the console or through the link in a message.
create function tocsin.acknowledge_alarm(uuid uuid, reason text, acknowledge_text text default null, link text default null)
  returns tocsin.alarm language plpgsql volatile
  as $$
declare
  done tocsin.alarm;
begin
  perform set_config('tocsin.channel', tocsin_private.method_of_link($1), true) where $4 is not null;
  -- Refuses a second acknowledgement with the same text here. The trigger does not refuse it, because no column
  -- changes.
  perform tocsin_private.refuse_second_acknowledgement(a.acknowledge_json) from tocsin.alarm a where a.uuid = $1 and a.acknowledge_json is not null;
  update tocsin.alarm a set reason = coalesce($2, ''), acknowledge_text = $3 where a.uuid = $1 returning a.* into done;
  if not found then perform tocsin_private.refuse_missing(); end if;
  return done;
end
$$;
create function tocsin.resolve_alarm(uuid uuid, note text default null) returns tocsin.alarm language plpgsql volatile
  as $$
declare
  done tocsin.alarm;
begin
  select a.* into done from tocsin.alarm a where a.uuid = $1;
  if not found then perform tocsin_private.refuse_missing(); end if;
  if done.resolved_date is not null then
    perform tocsin_private.refuse('resolved_date', format('This alarm was already resolved on %s.',
      tocsin_private.local_time(done.resolved_date)));
  end if;
  update tocsin.alarm a set resolved_date = greatest(tocsin_private.clock(), a.date_time), resolve_note = nullif(btrim($2), '')
  where a.uuid = $1 returning a.* into done;
  if not found then perform tocsin_private.refuse_missing(); end if;
  return done;
end
$$;

create or replace function tocsin_private.check_bulk_size(uuids uuid[]) returns void language plpgsql
  as $$
begin
  if coalesce(cardinality(uuids), 0) not between 1 and 500 then
    perform tocsin_private.refuse('uuids', 'Select 1 to 500 alarms.');
  end if;
end
$$;
-- Bulk actions return one result for each alarm. If one alarm is refused, the other alarms are still processed.
create function tocsin.acknowledge_alarms(uuids uuid[], reason text, acknowledge_text text default null)
  returns setof tocsin.alarm_result language plpgsql volatile
  as $$
declare
  one uuid;
begin
  perform tocsin_private.check_bulk_size(uuids);
  foreach one in array uuids loop
    begin
      perform tocsin.acknowledge_alarm(one, $2, $3);
      return next row(one, true, '')::tocsin.alarm_result;
    exception when sqlstate 'TC400' or sqlstate 'TC404' then
      return next row(one, false, sqlerrm)::tocsin.alarm_result;
    end;
  end loop;
end
$$;
create function tocsin.resolve_alarms(uuids uuid[], note text default null)
  returns setof tocsin.alarm_result language plpgsql volatile
  as $$
declare
  one uuid;
begin
  perform tocsin_private.check_bulk_size(uuids);
  foreach one in array uuids loop
    begin
      perform tocsin.resolve_alarm(one, $2);
      return next row(one, true, '')::tocsin.alarm_result;
    exception when sqlstate 'TC400' or sqlstate 'TC404' then
      return next row(one, false, sqlerrm)::tocsin.alarm_result;
    end;
  end loop;
end
$$;

-- A site has at most one open alarm with the same message.
create function tocsin.open_alarm(tocsin_site_uuid uuid, message text) returns tocsin.alarm language sql stable strict
  as $$ select a.* from tocsin.alarm a where a.tocsin_site_uuid = $1 and a.message = $2 and a.resolved_date is null $$;

-- Returns the alarms of the given sites that were created in a range, newest first.
create function tocsin.alarm_reports(site_uuids uuid[], created_from timestamptz, created_to timestamptz)
  returns setof tocsin.alarm language sql stable strict
  as $$
    select a.* from tocsin.alarm a
    where a.tocsin_site_uuid = any ($1) and a.created_at >= $2 and a.created_at < $3
    order by a.created_at desc, a.uuid
  $$;

-- The timeline is visible to everyone who may see the alarm.
grant select (id, tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence, detail, tocsin_user_uuid) on tocsin.alarm_event to tocsin_request;
create policy read_of_alarm on tocsin.alarm_event for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and exists (select from tocsin.alarm a where a.uuid = tocsin_alarm_uuid));
