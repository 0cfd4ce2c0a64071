-- The user who acknowledged an alarm can undo the acknowledgement for ten seconds, plus one second for latency. Runs as
-- tocsin_service, because requests cannot write the columns of the acknowledgement. Triggers of the alarm write the
-- timeline and the audit trail.
set local role tocsin_service;
create or replace function tocsin_definer.undo_acknowledgement(alarm_uuid uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  found_alarm tocsin.alarm;
begin
  select a.* into found_alarm from tocsin.alarm a
  where a.uuid = alarm_uuid and a.tocsin_customer_uuid = tocsin_private.my_customer() for update;
  if found_alarm.acknowledge_json is null then
    perform tocsin_private.refuse('uuids', 'This alarm is not acknowledged, so there is nothing to undo.');
  elsif found_alarm.acknowledged_by is distinct from tocsin_private.me() then
    perform tocsin_private.refuse('uuids', format('%1$s acknowledged this alarm. Only %1$s can undo it.', found_alarm.acknowledge_json ->> 'name'));
  elsif found_alarm.resolved_date is not null then
    perform tocsin_private.refuse('uuids', 'This alarm is resolved, so its acknowledgement cannot be undone.');
  elsif (found_alarm.acknowledge_json ->> 'at')::timestamptz < tocsin_private.clock() - interval '11 seconds' then
    perform tocsin_private.refuse('uuids', 'An acknowledgement can be undone only within 10 seconds. Add a note to the alarm instead.');
  end if;
  update tocsin.alarm a set reason = null, acknowledge_text = null, acknowledge_json = null, acknowledged_by = null,
    next_escalation_at = case when a.quiet_because is null then a.resumes_escalation_at end, resumes_escalation_at = null
  where a.uuid = alarm_uuid;
end
$$;

-- Adds a note to the timeline of an alarm. Also notifies open pages, because the triggers that usually do so fire only
-- if the alarm itself changes.
create or replace function tocsin_definer.write_alarm_note(alarm_uuid uuid, note text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence, detail, tocsin_user_uuid)
    select a.tocsin_customer_uuid, a.uuid, tocsin_private.clock(), 'note', note,
      jsonb_build_object('name', tocsin_definer.my_name()), tocsin_private.me()
    from tocsin.alarm a where a.uuid = alarm_uuid and a.tocsin_customer_uuid = tocsin_private.my_customer();
    select pg_notify('tocsin_alarm', tocsin_private.my_customer()::text)
  $$;
reset role;

-- Returns one result for each alarm. If one alarm is refused, the other alarms are still processed.
create function tocsin.undo_acknowledgements(uuids uuid[]) returns setof tocsin.alarm_result language plpgsql volatile
  as $$
declare
  one uuid;
begin
  perform tocsin_private.check_bulk_size(uuids);
  foreach one in array uuids loop
    begin
      perform from tocsin.alarm a where a.uuid = one;
      if not found then perform tocsin_private.refuse_missing(); end if;
      perform tocsin_definer.undo_acknowledgement(one);
      return next row(one, true, '')::tocsin.alarm_result;
    exception when sqlstate 'TC400' or sqlstate 'TC404' then
      return next row(one, false, sqlerrm)::tocsin.alarm_result;
    end;
  end loop;
end
$$;

create function tocsin.add_alarm_note(uuid uuid, note text) returns tocsin.alarm language plpgsql volatile
  as $$
declare
  noted tocsin.alarm;
  written text := btrim($2, E' \t\r\n');
begin
  select a.* into noted from tocsin.alarm a where a.uuid = $1;
  if not found then perform tocsin_private.refuse_missing(); end if;
  if coalesce(written, '') = '' then
    perform tocsin_private.refuse('note', '@note-missing');
  elsif length(written) > 1000 then
    perform tocsin_private.refuse('note', 'Enter a note of at most 1,000 characters.');
  end if;
  perform tocsin_definer.write_alarm_note($1, written);
  return noted;
end
$$;
