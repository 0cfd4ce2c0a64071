-- Planning, changing and ending maintenance windows.
set local role tocsin_service;

-- Stores a window and its occurrences. If an occurrence is active, applies it. The caller must have checked the input. For
-- a change, `wanted.updated_at` is the version that the user saw; null means that no version is compared.
create or replace function tocsin_definer.store_window(wanted tocsin.maintenance_window, plan jsonb, until timestamptz)
  returns tocsin.maintenance_window language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := tocsin_private.clock();
  stored tocsin.maintenance_window;
  other record;
  active tocsin.maintenance_occurrence;
begin
  wanted.tocsin_customer_uuid := tocsin_private.my_customer();
  wanted.user_name := tocsin_definer.my_name();
  perform tocsin_definer.recheck_openings(wanted.scope, wanted.target_uuid);
  -- Locks the sites, so that windows of the same site are saved one after another. Also waits for alarms that are about
  -- to open.
  perform from tocsin.site s where s.uuid in (select tocsin_private.sites_of_target(wanted.scope, wanted.target_uuid))
    order by s.uuid for update;
  select w.* into stored from tocsin.maintenance_window w where w.uuid = wanted.uuid for update;
  if stored.updated_at <> wanted.updated_at then perform tocsin_private.refuse_outdated(); end if;
  select o.starts_at, o.ends_at, w.name, p.starts_at as own_start into other
  from tocsin.maintenance_occurrence o join tocsin.maintenance_window w on w.uuid = o.tocsin_maintenance_window_uuid
    join tocsin_private.planned(plan) p on p.starts_at < coalesce(o.ends_at, 'infinity') and p.ends_at > o.starts_at
  where o.target_uuid = wanted.target_uuid and not o.is_done and (o.ends_at is null or o.ends_at > moment)
    and w.uuid is distinct from wanted.uuid and w.repeats <> 'until-ended'
  order by p.starts_at, o.starts_at limit 1;
  if found then
    perform tocsin_private.refuse('to_time', format('Overlaps "%s", %s to %s. %s', other.name, tocsin_private.local_time(other.starts_at),
      tocsin_private.local_time(other.ends_at), case when other.own_start < other.starts_at
        then format('End at %s or earlier, or choose another day.', right(tocsin_private.local_time(other.starts_at), 5))
        else format('Start at %s or later, or choose another day.', right(tocsin_private.local_time(other.ends_at), 5)) end));
  end if;
  if wanted.uuid is null then
    wanted.uuid := gen_random_uuid();
    insert into tocsin.maintenance_window select wanted.* returning * into stored;
  else
    update tocsin.maintenance_window w set (name, suppresses, repeats, first_day, last_day, from_time, to_time, days, weekday, week,
        day_of_month, updated_at)
      = (wanted.name, wanted.suppresses, wanted.repeats, wanted.first_day, wanted.last_day, wanted.from_time, wanted.to_time, wanted.days,
        wanted.weekday, wanted.week, wanted.day_of_month, moment)
    where w.uuid = wanted.uuid and w.tocsin_customer_uuid = tocsin_private.my_customer() and w.ended_at is null returning * into stored;
    if not found then perform tocsin_private.refuse_missing(); end if;
  end if;
  perform tocsin_definer.store_occurrences(stored.uuid, plan, until);
  update tocsin.maintenance_occurrence o set begun_at = moment
  where o.tocsin_maintenance_window_uuid = stored.uuid and o.begun_at is null and o.starts_at <= moment and o.ends_at > moment
  returning o.* into active;
  if found then
    perform tocsin_definer.apply_maintenance(stored, active.ends_at, format('%s started maintenance', tocsin_definer.my_name()));
  end if;
  perform pg_notify('tocsin_quiet', '');
  select w.* into stored from tocsin.maintenance_window w where w.uuid = stored.uuid;
  return stored;
end
$$;

-- Ends the active occurrences of windows. If `whole` is true, also deletes the occurrences that have not begun, and
-- ends the windows themselves. The engine then notifies people of the alarms that are still open.
create or replace function tocsin_definer.end_windows(uuids uuid[], how text, whole boolean) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := tocsin_private.clock();
  one tocsin.maintenance_window;
begin
  for one in select w.* from tocsin.maintenance_window w where w.uuid = any (uuids) order by w.uuid for update loop
    perform tocsin_definer.recheck_openings(one.scope, one.target_uuid);
    perform pg_notify('tocsin_live', s::text) from tocsin_private.sites_of_target(one.scope, one.target_uuid) s;
  end loop;
  delete from tocsin.maintenance_occurrence o
  where whole and o.tocsin_maintenance_window_uuid = any (uuids) and o.starts_at > moment;
  update tocsin.maintenance_occurrence o set ends_at = greatest(o.starts_at, moment), begun_at = coalesce(o.begun_at, moment), is_done = true
  where o.tocsin_maintenance_window_uuid = any (uuids) and o.starts_at <= moment and (o.ends_at is null or o.ends_at > moment);
  update tocsin.maintenance_window w set ended_at = moment, ended_how = how,
    ended_by_name = case how when 'person' then tocsin_definer.my_name() else '' end
  where w.uuid = any (uuids) and w.ended_at is null
    and (whole or not exists (select from tocsin.maintenance_occurrence o where o.tocsin_maintenance_window_uuid = w.uuid and not o.is_done));
  -- The alarms of a deleted object are about to be resolved. Their quiet time therefore ends ten seconds later, so that
  -- people are notified only of alarms that remain open.
  perform tocsin_definer.end_quiet_of(uuids, moment + case how when 'deleted' then interval '10 seconds' else interval '0' end);
  perform pg_notify('tocsin_quiet', '') where how = 'person';
end
$$;

-- A sensor with status 2 (maintenance) has a window without a planned end. The window ends when the status changes.
create or replace function tocsin_definer.follow_sensor_status() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  stored tocsin.maintenance_window;
  moment timestamptz := tocsin_private.clock();
begin
  if new.status = 2 then
    insert into tocsin.maintenance_window (tocsin_customer_uuid, name, scope, target_uuid, target_name, site_name, suppresses, repeats,
      tocsin_user_uuid, user_name, created_at, updated_at)
    values (new.tocsin_customer_uuid, 'Sensor in maintenance', 'sensor', new.uuid, new.uid, '', 'alarms', 'until-ended',
      tocsin_private.me(), tocsin_definer.my_name(), moment, moment) returning * into stored;
    insert into tocsin.maintenance_occurrence (tocsin_customer_uuid, tocsin_maintenance_window_uuid, target_uuid, starts_at, begun_at)
    values (new.tocsin_customer_uuid, stored.uuid, new.uuid, moment, moment);
    perform tocsin_definer.apply_maintenance(stored, null, format('%s put the sensor %s into maintenance', stored.user_name, new.uid));
  else
    perform tocsin_definer.end_windows(array(select w.uuid from tocsin.maintenance_window w
      where w.target_uuid = new.uuid and w.repeats = 'until-ended' and w.ended_at is null), 'person', true);
  end if;
  return null;
end
$$;

-- A window ends when its site, asset or sensor is deleted.
create or replace function tocsin_definer.end_windows_of_deleted() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  perform tocsin_definer.end_windows(u.uuids, 'deleted', true)
  from (select array_agg(w.uuid) as uuids from tocsin.maintenance_window w
    where w.target_uuid = old.uuid and w.tocsin_customer_uuid = old.tocsin_customer_uuid and w.ended_at is null) u
  where u.uuids is not null;
  return old;
end
$$;

-- Occurrences are planned in the customer's local time, so a new time zone moves them.
create or replace function tocsin_definer.plan_again() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  update tocsin.maintenance_window w set planned_until = null where w.tocsin_customer_uuid = new.uuid and w.ended_at is null;
  perform pg_notify('tocsin_maintenance', '');
  return null;
end
$$;
reset role;

create trigger follow_status after insert on tocsin.sensor for each row when (new.status = 2)
  execute function tocsin_definer.follow_sensor_status();
create trigger follow_new_status after update of status on tocsin.sensor for each row
  when (old.status <> new.status and (old.status = 2 or new.status = 2)) execute function tocsin_definer.follow_sensor_status();
create trigger plan_maintenance after update of time_zone on tocsin.customer for each row
  when (old.time_zone <> new.time_zone) execute function tocsin_definer.plan_again();
do $$
declare
  item text;
begin
  foreach item in array array['sensor', 'asset', 'site'] loop
    execute format('create trigger end_maintenance before delete on tocsin.%I for each row execute function tocsin_definer.end_windows_of_deleted()', item);
  end loop;
end
$$;

-- Returns the site, the site's name and the name of the object for which a window is planned. Returns no row if the
-- user is not allowed to plan it.
create or replace function tocsin_private.plannable(scope text, target uuid) returns table (site uuid, name text, site_name text)
  language sql stable
  as $$
    select f.site, f.name, f.site_name from (
      select s.uuid as site, s.name, s.name as site_name from tocsin.site s where $1 = 'site' and s.uuid = $2
      union all
      select s.uuid, a.name, s.name from tocsin.asset a join tocsin.site s on s.uuid = a.tocsin_site_uuid where $1 = 'asset' and a.uuid = $2
      union all
      select null, e.uid, coalesce((select string_agg(s.name, ', ' order by s.name) from tocsin.site s
        where s.uuid in (select tocsin_private.sites_of_target('sensor', e.uuid))), '')
      from tocsin.sensor e where $1 = 'sensor' and e.uuid = $2) f
    where tocsin_private.is_manager()
  $$;

-- Plans a maintenance window for a site, asset or sensor. If `uuid` is given, changes that window instead. Days and
-- times are in the company's time zone. `seen` is the updated_at that the user saw; a newer window is not overwritten. The
-- server computes and checks the occurrences before this function runs (server/graphql/schema/maintenance-plan.ts).
create function tocsin.save_maintenance_window(name text, scope text, target_uuid uuid, suppresses text, repeats text, first_day date,
    from_time text, to_time text, days integer default 0, last_day date default null, weekday integer default null,
    week integer default null, day_of_month integer default null, uuid uuid default null, seen timestamptz default null)
  returns tocsin.maintenance_window language plpgsql volatile
  as $$
declare
  plan jsonb := nullif(current_setting('tocsin.maintenance_plan', true), '')::jsonb;
  title text := btrim(regexp_replace(coalesce($1, ''), '\s+', ' ', 'g'));
  place record;
  wanted tocsin.maintenance_window;
begin
  perform tocsin_private.check_choice('scope', $2, array['site', 'asset', 'sensor']);
  perform tocsin_private.check_choice('suppresses', $4, array['notifications', 'alarms', 'health']);
  if title = '' then
    perform tocsin_private.refuse('name', '@name-missing');
  elsif length(title) > 200 then
    perform tocsin_private.refuse('name', 'Enter a name of at most 200 characters.');
  end if;
  select * into place from tocsin_private.plannable($2, $3);
  if place.name is null then perform tocsin_private.refuse_missing(); end if;
  if $14 is not null then
    select w.* into wanted from tocsin.maintenance_window w where w.uuid = $14;
    if wanted.uuid is null or wanted.ended_at is not null or wanted.repeats = 'until-ended' then
      perform tocsin_private.refuse_missing();
    elsif (wanted.scope, wanted.target_uuid) is distinct from ($2, $3) then
      perform tocsin_private.refuse('target_uuid', 'A window cannot be moved to another site, asset or sensor. Add another window instead.');
    end if;
  end if;
  wanted.uuid := $14;
  wanted.name := title;
  wanted.scope := $2;
  wanted.target_uuid := $3;
  wanted.tocsin_site_uuid := place.site;
  wanted.target_name := place.name;
  wanted.site_name := place.site_name;
  wanted.suppresses := $4;
  wanted.repeats := $5;
  wanted.first_day := $6;
  wanted.last_day := case when $5 <> 'once' then $10 end;
  wanted.from_time := $7;
  wanted.to_time := $8;
  wanted.days := coalesce($9, 0);
  wanted.weekday := case when $5 in ('weekly', 'monthly-weekday') then $11 end;
  wanted.week := case when $5 = 'monthly-weekday' then $12 end;
  wanted.day_of_month := case when $5 = 'monthly-day' then $13 end;
  wanted.tocsin_user_uuid := tocsin_private.me();
  wanted.created_at := tocsin_private.clock();
  wanted.updated_at := case when $14 is null then tocsin_private.clock() else $15 end;
  wanted.ended_by_name := '';
  return tocsin_definer.store_window(wanted, plan -> 'occurrences', to_timestamp((plan ->> 'until')::float8 / 1000));
end
$$;

-- Ends the maintenance that is in progress. Later occurrences stay planned. If the window exists because of a sensor's
-- status 2 (maintenance), the sensor becomes active.
create function tocsin.end_maintenance(window_uuid uuid) returns tocsin.maintenance_window language plpgsql volatile
  as $$
declare
  planned tocsin.maintenance_window;
begin
  select w.* into planned from tocsin.maintenance_window w where w.uuid = $1 and tocsin_private.is_manager();
  if not found then perform tocsin_private.refuse_missing(); end if;
  if not exists (select from tocsin.maintenance_occurrence o where o.tocsin_maintenance_window_uuid = $1
    and o.starts_at <= tocsin_private.clock() and (o.ends_at is null or o.ends_at > tocsin_private.clock())) then
    perform tocsin_private.refuse('window_uuid', 'This window is not in progress. Delete it if it is no longer needed.');
  end if;
  if planned.repeats = 'until-ended' then
    update tocsin.sensor s set status = 1 where s.uuid = planned.target_uuid;
  else
    perform tocsin_definer.end_own_windows($1, false);
  end if;
  select w.* into planned from tocsin.maintenance_window w where w.uuid = $1;
  return planned;
end
$$;

-- Deletes a window: ends the maintenance that is in progress, and removes all later occurrences. Past occurrences stay
-- in the calendar.
create function tocsin.delete_maintenance_window(window_uuid uuid) returns tocsin.maintenance_window language plpgsql volatile
  as $$
declare
  planned tocsin.maintenance_window;
begin
  select w.* into planned from tocsin.maintenance_window w where w.uuid = $1 and w.ended_at is null and tocsin_private.is_manager();
  if not found then perform tocsin_private.refuse_missing(); end if;
  if planned.repeats = 'until-ended' then
    update tocsin.sensor s set status = 1 where s.uuid = planned.target_uuid;
  else
    perform tocsin_definer.end_own_windows($1, true);
  end if;
  select w.* into planned from tocsin.maintenance_window w where w.uuid = $1;
  return planned;
end
$$;

set local role tocsin_service;
create or replace function tocsin_definer.end_own_windows(window_uuid uuid, whole boolean) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    select tocsin_definer.end_windows(array[w.uuid], 'person', $2) from tocsin.maintenance_window w
    where w.uuid = $1 and w.tocsin_customer_uuid = tocsin_private.my_customer()
  $$;
reset role;
