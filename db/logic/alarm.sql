-- Managers see all alarms of the customer, operators those of their sites; both acknowledge and resolve there.
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, site_name, rule_name,
  severity, message, date_time, resolved_date, reason, acknowledge_text, acknowledge_json, acknowledged_by, created_at),
  insert (tocsin_site_uuid, message, date_time, reason, acknowledge_text, resolved_date),
  update (reason, acknowledge_text, resolved_date) on tocsin.alarm to tocsin_request;
create policy read_all on tocsin.alarm for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()));
create policy read_of_sites on tocsin.alarm for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[]));
create policy report on tocsin.alarm for insert to tocsin_request with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and not (select tocsin_private.is_partner_account())
  and exists (select from tocsin.site s where s.uuid = tocsin_site_uuid));
create policy handle on tocsin.alarm for update to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and ((select tocsin_private.is_manager()) or tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])));

-- What a person may do with an alarm: acknowledge once with a reason, and resolve once. The server writes who and when.
create or replace function tocsin_private.guard_alarm() returns trigger language plpgsql
  as $$
declare
  display text;
begin
  if tg_op = 'INSERT' then
    new.date_time := coalesce(new.date_time, tocsin_private.clock());
    new.created_at := tocsin_private.clock();
    select s.name into new.site_name from tocsin.site s where s.uuid = new.tocsin_site_uuid;
  end if;
  if new.date_time > tocsin_private.clock() + interval '5 minutes' then
    perform tocsin_private.refuse('date_time', 'An alarm cannot begin in the future.');
  end if;
  if tg_op = 'UPDATE' and old.acknowledge_json is not null
     and (new.reason is distinct from old.reason or new.acknowledge_text is distinct from old.acknowledge_text) then
    perform tocsin_private.refuse('reason', format('%s acknowledged this alarm first, on %s UTC.',
      old.acknowledge_json ->> 'name', to_char((old.acknowledge_json ->> 'at')::timestamptz at time zone 'UTC', 'YYYY-MM-DD HH24:MI')));
  end if;
  if new.acknowledge_text is not null and new.reason is null then
    perform tocsin_private.refuse('reason', 'Choose a reason to acknowledge the alarm.');
  end if;
  if new.reason is not null and new.acknowledge_json is null then
    if btrim(new.reason) = '' then
      perform tocsin_private.refuse('reason', 'Choose a reason to acknowledge the alarm.');
    end if;
    select u.display_name into display from tocsin.user u where u.uuid = tocsin_private.me();
    new.acknowledged_by := tocsin_private.me();
    new.acknowledge_json := jsonb_build_object('by', tocsin_private.me(), 'name', display, 'at', tocsin_private.clock(),
      'reason', new.reason, 'text', new.acknowledge_text, 'channel', 'console');
  end if;
  if tg_op = 'UPDATE' and old.resolved_date is not null and new.resolved_date is distinct from old.resolved_date then
    perform tocsin_private.refuse('resolved_date', format('This alarm was resolved on %s UTC.',
      to_char(old.resolved_date at time zone 'UTC', 'YYYY-MM-DD HH24:MI')));
  end if;
  if new.resolved_date > tocsin_private.clock() + interval '5 minutes' then
    perform tocsin_private.refuse('resolved_date', 'An alarm cannot be resolved in the future.');
  end if;
  return new;
end
$$;
create trigger guard before insert or update on tocsin.alarm for each row
  when (tocsin_private.me() is not null) execute function tocsin_private.guard_alarm();

-- The open-alarm lookup.
create function tocsin.open_alarm(tocsin_site_uuid uuid, message text) returns tocsin.alarm language sql stable strict
  as $$ select a.* from tocsin.alarm a where a.tocsin_site_uuid = $1 and a.message = $2 and a.resolved_date is null $$;

-- Alarm report: sites and a range of created times, newest first.
create function tocsin.alarm_reports(site_uuids uuid[], created_from timestamptz, created_to timestamptz)
  returns setof tocsin.alarm language sql stable strict
  as $$
    select a.* from tocsin.alarm a
    where a.tocsin_site_uuid = any ($1) and a.created_at >= $2 and a.created_at < $3
    order by a.created_at desc, a.uuid
  $$;
