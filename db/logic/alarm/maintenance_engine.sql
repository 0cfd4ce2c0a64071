-- Begins and ends maintenance. These functions run as tocsin_service, because requests are not allowed to write the
-- tables.
set local role tocsin_service;

-- Locks the sites of a window, as tocsin_definer.apply_quiet requires, and marks their open alarms as quiet.
create or replace function tocsin_definer.apply_maintenance(of_window tocsin.maintenance_window, ends_at timestamptz, changed text)
  returns void language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  sites uuid[] := array(select tocsin_private.sites_of_target(of_window.scope, of_window.target_uuid));
  zone text := (select c.time_zone from tocsin.customer c where c.uuid = of_window.tocsin_customer_uuid);
  site uuid;
begin
  perform from tocsin.site s where s.uuid = any (sites) order by s.uuid for update;
  foreach site in array sites loop
    perform tocsin_definer.apply_quiet(site, of_window.uuid, 'maintenance-started', format('%s: %s%s. Nobody is notified.', changed, of_window.name,
        coalesce(', until ' || to_char(apply_maintenance.ends_at at time zone zone, 'YYYY-MM-DD HH24:MI'), '')),
      jsonb_build_object('window', of_window.uuid, 'until', apply_maintenance.ends_at));
  end loop;
end
$$;

-- Begins the next occurrence that is due. Returns false if none is due. An occurrence that ended while no process was
-- running is only marked as begun.
create or replace function tocsin_definer.begin_maintenance() returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := tocsin_private.clock();
  due record;
  planned tocsin.maintenance_window;
begin
  select o.* into due from tocsin.maintenance_occurrence o where o.begun_at is null and o.starts_at <= moment
  order by o.starts_at, o.uuid limit 1;
  if not found then return false; end if;
  select w.* into planned from tocsin.maintenance_window w where w.uuid = due.tocsin_maintenance_window_uuid;
  -- Locks the sites before the occurrence, in the same order as when a window is saved.
  perform from tocsin.site s where s.uuid in (select tocsin_private.sites_of_target(planned.scope, planned.target_uuid))
    order by s.uuid for update;
  update tocsin.maintenance_occurrence o set begun_at = moment where o.uuid = due.uuid and o.begun_at is null returning o.* into due;
  if found and (due.ends_at is null or due.ends_at > moment) then
    perform tocsin_definer.apply_maintenance(planned, due.ends_at, 'Maintenance started');
  end if;
  return true;
end
$$;

-- Marks open alarms as quiet once more for occurrences that began in the last 30 seconds, because another process whose
-- clock is slightly behind may have opened an alarm since.
create or replace function tocsin_definer.begin_maintenance_again() returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  one record;
begin
  for one in
    select w, o.ends_at from tocsin.maintenance_occurrence o join tocsin.maintenance_window w on w.uuid = o.tocsin_maintenance_window_uuid
    where not o.is_done and o.begun_at > tocsin_private.clock() - interval '30 seconds'
      and (o.ends_at is null or o.ends_at > tocsin_private.clock())
    order by o.uuid
  loop
    perform tocsin_definer.apply_maintenance(one.w, one.ends_at, 'Maintenance started');
  end loop;
end
$$;

-- Marks ended occurrences as done, and windows without a further occurrence as ended.
create or replace function tocsin_definer.end_maintenance() returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := tocsin_private.clock();
  windows uuid[];
  one record;
begin
  with over as (
    update tocsin.maintenance_occurrence o set is_done = true
    where o.uuid in (select d.uuid from tocsin.maintenance_occurrence d where not d.is_done and d.begun_at is not null and d.ends_at <= moment
      order by d.uuid for update skip locked)
    returning o.tocsin_maintenance_window_uuid as uuid
  )
  select array_agg(o.uuid) into windows from over o;
  if windows is null then return; end if;
  update tocsin.maintenance_window w set ended_at = moment, ended_how = 'over'
  where w.uuid = any (windows) and w.ended_at is null and (w.repeats = 'once' or w.last_day < w.planned_until::date)
    and not exists (select from tocsin.maintenance_occurrence o where o.tocsin_maintenance_window_uuid = w.uuid and not o.is_done);
  for one in select distinct p.uuid from tocsin.maintenance_window w cross join lateral tocsin_private.sites_of_target(w.scope, w.target_uuid) p (uuid)
    where w.uuid = any (windows)
  loop
    perform pg_notify('tocsin_live', one.uuid::text);
  end loop;
end
$$;

-- Returns up to 100 windows whose occurrences are not yet stored for the whole period `ahead`, with their time zones.
create or replace function tocsin_definer.windows_to_plan(ahead interval)
  returns table (uuid uuid, zone text, planned_until timestamptz, recurrence jsonb)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select w.uuid, c.time_zone, w.planned_until, jsonb_build_object('repeats', w.repeats, 'firstDay', w.first_day, 'lastDay', w.last_day,
      'fromTime', w.from_time, 'toTime', w.to_time, 'days', w.days, 'weekday', w.weekday, 'week', w.week, 'dayOfMonth', w.day_of_month)
    from tocsin.maintenance_window w join tocsin.customer c on c.uuid = w.tocsin_customer_uuid
    where w.ended_at is null and w.repeats <> 'until-ended'
      and (w.planned_until is null or w.repeats <> 'once' and w.planned_until < tocsin_private.clock() + $1)
    order by w.planned_until nulls first, w.uuid limit 100
  $$;

-- Replaces the stored occurrences of a window that have not ended. `plan` has pairs of start and end in milliseconds,
-- up to `until`. An active occurrence keeps its start and gets the new end, or ends now if the plan no longer contains
-- it. The caller must hold a lock on the window, so that plans are stored one after another.
create or replace function tocsin_definer.store_occurrences(window_uuid uuid, plan jsonb, until timestamptz) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := tocsin_private.clock();
  active uuid;
  runs tstzrange;
begin
  delete from tocsin.maintenance_occurrence o where o.tocsin_maintenance_window_uuid = window_uuid and o.starts_at > moment;
  select tstzrange(p.starts_at, p.ends_at) into runs from tocsin_private.planned(plan) p where p.starts_at <= moment and p.ends_at > moment;
  select o.uuid into active from tocsin.maintenance_occurrence o
  where o.tocsin_maintenance_window_uuid = window_uuid and o.starts_at <= moment and o.ends_at > moment;
  if active is not null then
    update tocsin.maintenance_occurrence o set ends_at = coalesce(upper(runs), moment) where o.uuid = active;
    perform tocsin_definer.end_quiet_of(array[window_uuid], moment);
  end if;
  insert into tocsin.maintenance_occurrence (tocsin_customer_uuid, tocsin_maintenance_window_uuid, target_uuid, starts_at, ends_at)
  select w.tocsin_customer_uuid, w.uuid, w.target_uuid, p.starts_at, p.ends_at
  from tocsin.maintenance_window w cross join tocsin_private.planned(plan) p
  where w.uuid = window_uuid and (active is null or p.starts_at > moment);
  update tocsin.maintenance_window w set planned_until = until where w.uuid = window_uuid;
end
$$;

-- Makes the evaluator check again whether a window still keeps the alarms of a target from opening. Locks the shards in
-- order. Call this before the sites are locked, because evaluations lock in this order.
create or replace function tocsin_definer.recheck_openings(scope text, target uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := tocsin_private.clock();
  sites uuid[] := array(select tocsin_private.sites_of_target(scope, target));
  held uuid[];
  shards smallint[];
begin
  select array_agg(s.watch_uuid), array_agg(distinct s.shard) into held, shards
  from tocsin_private.rule_state s left join tocsin.rule r on r.uuid = s.watch_uuid
    left join tocsin.asset_datapoint d on d.uuid = s.watch_uuid left join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
    left join tocsin.rules_json j on j.uuid = s.watch_uuid
    left join tocsin.site p on p.tocsin_customer_uuid = j.tocsin_customer_uuid and p.site_id = j.site_id
  where s.phase = 'pending' and s.opened_at > moment and coalesce(r.tocsin_site_uuid, a.tocsin_site_uuid, p.uuid) = any (sites);
  if held is null then return; end if;
  perform from tocsin_private.evaluator_shard e where e.shard = any (shards) order by e.shard for update;
  update tocsin_private.rule_state s set opened_at = greatest(s.since, moment), due_at = moment
  where s.watch_uuid = any (held) and s.phase = 'pending' and s.opened_at > moment;
  update tocsin_private.evaluator_shard e set version = e.version + 1 where e.shard = any (shards);
end
$$;
reset role;

create or replace function tocsin_private.planned(plan jsonb) returns table (starts_at timestamptz, ends_at timestamptz)
  language sql immutable
  as $$ select to_timestamp((p ->> 0)::float8 / 1000), to_timestamp((p ->> 1)::float8 / 1000) from jsonb_array_elements($1) p $$;
