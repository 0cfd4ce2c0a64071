-- Assignment makes one person responsible for an open alarm. The alarm is assigned to nobody, or to an active person
-- who may see it. Assigning an alarm neither acknowledges it nor stops its escalation. All assignments are made by the
-- functions in this file.

-- Returns whether a person is active and may see the alarms of a site. Applies the same conditions as the row level
-- security policy of tocsin.alarm.
create or replace function tocsin_private.may_see_alarms(person tocsin.user, site uuid) returns boolean language sql stable
  as $$
    select person.status and not person.tocsin_partner_account and (person.level < 10
      or exists (select from tocsin.site_user l where l.tocsin_user_uuid = person.uuid and l.tocsin_site_uuid = $2))
  $$;

set local role tocsin_service;
-- Assigns an open alarm to a person. Refuses if the alarm is assigned to someone other than the caller or
-- `from_person`, so that callers cannot take an alarm from someone unknowingly. Runs as tocsin_service, because
-- requests cannot write the columns of the assignment. The caller must check first that the user can see the alarm.
create or replace function tocsin_definer.assign_alarm(alarm_uuid uuid, person uuid, from_person uuid) returns tocsin.alarm
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  me uuid := tocsin_private.me();
  my_name text := tocsin_definer.my_name();
  assignee tocsin.user;
  found_alarm tocsin.alarm;
  changed tocsin.alarm;
begin
  -- The following locks wait for concurrent changes that end the person's access. Such a change locks the same rows
  -- before it releases the person's alarms. To prevent deadlocks, the alarm is therefore locked last.
  perform from tocsin.site s where s.uuid = (select a.tocsin_site_uuid from tocsin.alarm a where a.uuid = alarm_uuid) for key share;
  select u.* into assignee from tocsin.user u where u.uuid = person and u.tocsin_customer_uuid = tocsin_private.my_customer() for share;
  perform from tocsin.site_user l where l.tocsin_user_uuid = person
    and l.tocsin_site_uuid = (select a.tocsin_site_uuid from tocsin.alarm a where a.uuid = alarm_uuid) for share;
  select a.* into found_alarm from tocsin.alarm a
  where a.uuid = alarm_uuid and a.tocsin_customer_uuid = tocsin_private.my_customer() for update;
  if not found then perform tocsin_private.refuse_missing(); end if;
  if found_alarm.resolved_date is not null then
    perform tocsin_private.refuse('uuid', format('This alarm was already resolved on %s.', tocsin_private.local_time(found_alarm.resolved_date)));
  elsif tocsin_private.may_see_alarms(assignee, found_alarm.tocsin_site_uuid) is not true then
    perform tocsin_private.refuse('user_uuid', '@assignee-missing');
  elsif found_alarm.assigned_to = person then
    return found_alarm;
  elsif found_alarm.assigned_to <> me and found_alarm.assigned_to is distinct from from_person then
    perform tocsin_private.refuse('from_user_uuid', format('%s has had this alarm since %s. Take it over if you still want it.',
      found_alarm.assigned_name, tocsin_private.local_time(found_alarm.assigned_at)));
  end if;
  update tocsin.alarm a set assigned_to = person, assigned_name = assignee.display_name, assigned_at = tocsin_private.clock()
  where a.uuid = alarm_uuid returning a.* into changed;
  insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence, detail, tocsin_user_uuid)
  values (changed.tocsin_customer_uuid, alarm_uuid, tocsin_private.clock(),
    case when person <> me then 'assigned' when found_alarm.assigned_to is null then 'taken' else 'taken-over' end,
    case when person = me and found_alarm.assigned_to is null then format('%s took the alarm.', my_name)
      when person = me then format('%s took the alarm over from %s.', my_name, found_alarm.assigned_name)
      when found_alarm.assigned_to = me then format('%s handed the alarm over to %s.', my_name, assignee.display_name)
      when found_alarm.assigned_to is null then format('%s assigned the alarm to %s.', my_name, assignee.display_name)
      else format('%s assigned the alarm to %s. It was previously assigned to %s.', my_name, assignee.display_name, found_alarm.assigned_name) end,
    jsonb_build_object('name', assignee.display_name, 'before', found_alarm.assigned_name), me);
  return changed;
end
$$;

-- Releases an open alarm and adds the release to its timeline.
create or replace function tocsin_definer.end_assignment(alarm tocsin.alarm, sentence text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    update tocsin.alarm a set assigned_to = null, assigned_name = null, assigned_at = null where a.uuid = alarm.uuid;
    insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence, detail, tocsin_user_uuid)
    values (alarm.tocsin_customer_uuid, alarm.uuid, tocsin_private.clock(), 'released', sentence,
      jsonb_build_object('before', alarm.assigned_name), tocsin_private.me())
  $$;

create or replace function tocsin_definer.release_alarm(alarm_uuid uuid) returns tocsin.alarm
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  found_alarm tocsin.alarm;
begin
  select a.* into found_alarm from tocsin.alarm a
  where a.uuid = alarm_uuid and a.tocsin_customer_uuid = tocsin_private.my_customer() for update;
  if not found then perform tocsin_private.refuse_missing(); end if;
  if found_alarm.resolved_date is not null then
    perform tocsin_private.refuse('uuid', format('This alarm was already resolved on %s.', tocsin_private.local_time(found_alarm.resolved_date)));
  elsif found_alarm.assigned_to is null then
    perform tocsin_private.refuse('uuid', 'This alarm is not assigned to anyone, so there is nothing to release.');
  elsif found_alarm.assigned_to <> tocsin_private.me() then
    perform tocsin_private.refuse('uuid', format('%s has this alarm. You can take it over.', found_alarm.assigned_name));
  end if;
  perform tocsin_definer.end_assignment(found_alarm, format('%s released the alarm.', tocsin_definer.my_name()));
  select a.* into found_alarm from tocsin.alarm a where a.uuid = alarm_uuid;
  return found_alarm;
end
$$;

-- Releases the open alarms of a person who was deleted or disabled, or who may no longer see them.
create or replace function tocsin_definer.end_assignments() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  is_deleted boolean := tg_table_name = 'user' and tg_op = 'DELETE';
  person uuid := (to_jsonb(old) ->> case tg_table_name when 'user' then 'uuid' else 'tocsin_user_uuid' end)::uuid;
  lost tocsin.alarm;
begin
  for lost in
    select a.* from tocsin.alarm a left join tocsin.user u on u.uuid = a.assigned_to
    where a.assigned_to = person and a.resolved_date is null
      and (is_deleted or tocsin_private.may_see_alarms(u, a.tocsin_site_uuid) is not true)
    order by a.uuid for update of a
  loop
    perform tocsin_definer.end_assignment(lost, format(case when is_deleted then '%s was deleted, so the alarm is no longer assigned.'
      when exists (select from tocsin.user u where u.uuid = person and not u.status) then '%s was disabled, so the alarm is no longer assigned.'
      else '%s may no longer see the alarm, so it is no longer assigned.' end, lost.assigned_name));
  end loop;
  return old;
end
$$;

-- Returns the people to whom an alarm can be assigned. Runs as tocsin_service, because operators cannot read accounts.
-- Returns only names, and nothing if the caller is not allowed to see the alarm.
create or replace function tocsin_definer.assignable_people(alarm_uuid uuid, search text) returns table (uuid uuid, name text)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select u.uuid, u.display_name
    from tocsin.alarm a join tocsin.user u on u.tocsin_customer_uuid = a.tocsin_customer_uuid
    where a.uuid = $1 and a.tocsin_customer_uuid = tocsin_private.my_customer()
      and (tocsin_private.is_manager() or a.tocsin_site_uuid = any (tocsin_private.my_sites()))
      and tocsin_private.may_see_alarms(u, a.tocsin_site_uuid)
      and not exists (select from tocsin_private.search_words(coalesce($2, '')) w (word) where position(w.word in lower(u.display_name)) = 0)
    order by lower(u.display_name), u.uuid
  $$;
reset role;

create trigger end_assignments after update of status, level, tocsin_partner_account on tocsin.user
  for each row execute function tocsin_definer.end_assignments();
create trigger end_assignments_of_deleted before delete on tocsin.user
  for each row execute function tocsin_definer.end_assignments();
create trigger end_assignments after delete or update of tocsin_site_uuid, tocsin_user_uuid on tocsin.site_user
  for each row execute function tocsin_definer.end_assignments();

create or replace function tocsin_private.refuse_unseen_alarm(alarm_uuid uuid) returns void language plpgsql stable
  as $$
begin
  perform from tocsin.alarm a where a.uuid = $1;
  if not found then perform tocsin_private.refuse_missing(); end if;
end
$$;

-- Assigns an open alarm to the caller. To take it over, pass its current assignee as from_user_uuid. The call is
-- refused if the alarm is now assigned to someone else.
create function tocsin.take_alarm(uuid uuid, from_user_uuid uuid default null) returns tocsin.alarm language plpgsql volatile
  as $$
begin
  perform tocsin_private.refuse_unseen_alarm($1);
  return tocsin_definer.assign_alarm($1, tocsin_private.me(), $2);
end
$$;

-- Assigns an open alarm to a person. If the alarm is assigned to someone other than the caller, pass that person as
-- from_user_uuid.
create function tocsin.assign_alarm(uuid uuid, user_uuid uuid, from_user_uuid uuid default null) returns tocsin.alarm
  language plpgsql volatile
  as $$
begin
  perform tocsin_private.refuse_unseen_alarm($1);
  return tocsin_definer.assign_alarm($1, $2, $3);
end
$$;

-- Releases an open alarm that is assigned to the caller.
create function tocsin.release_alarm(uuid uuid) returns tocsin.alarm language plpgsql volatile
  as $$
begin
  perform tocsin_private.refuse_unseen_alarm($1);
  return tocsin_definer.release_alarm($1);
end
$$;

-- Returns the people to whom an open alarm can be assigned, sorted by name.
create function tocsin.assignable_people(alarm_uuid uuid, search text default null) returns table (uuid uuid, name text)
  language sql stable
  as $$ select * from tocsin_definer.assignable_people($1, $2) $$;

-- Returns the open alarms that are assigned to the user. The worst alarms come first, then the oldest.
create function tocsin.alarms_assigned_to_me() returns setof tocsin.alarm language sql stable
  as $$
    select a.* from tocsin.alarm a
    where a.resolved_date is null and a.assigned_to = tocsin_private.me()
    order by tocsin_private.severity_rank(a.severity), a.date_time, a.uuid
  $$;
