-- Maintenance windows: planned work on a site, asset or sensor. Managers see and plan all windows of the customer;
-- operators see those of their sites. All changes are made by the functions of maintenance_save.sql.
grant select (uuid, tocsin_customer_uuid, name, scope, target_uuid, tocsin_site_uuid, target_name, site_name, suppresses, repeats,
  first_day, last_day, from_time, to_time, days, weekday, week, day_of_month, tocsin_user_uuid, user_name, created_at, updated_at,
  planned_until, ended_at, ended_how, ended_by_name) on tocsin.maintenance_window to tocsin_request;
create policy read on tocsin.maintenance_window for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and ((select tocsin_private.is_manager()) or tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])
    or scope = 'sensor' and exists (select from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
      where d.tocsin_sensor_uuid = target_uuid and a.tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[]))));

grant select (uuid, tocsin_customer_uuid, tocsin_maintenance_window_uuid, target_uuid, starts_at, ends_at, begun_at, is_done)
  on tocsin.maintenance_occurrence to tocsin_request;
create policy read_of_window on tocsin.maintenance_occurrence for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and exists (select from tocsin.maintenance_window w where w.uuid = tocsin_maintenance_window_uuid));

-- Returns the active occurrences of maintenance windows for a rule, given its data point, asset and site. A window of a
-- sensor applies to the sensor's data points.
create or replace function tocsin_private.maintenance_of(datapoint uuid, asset uuid, site uuid, at timestamptz)
  returns table (uuid uuid, name text, suppresses text, ends_at timestamptz) language sql stable
  as $$
    select w.uuid, w.name, w.suppresses, o.ends_at
    from tocsin.maintenance_occurrence o join tocsin.maintenance_window w on w.uuid = o.tocsin_maintenance_window_uuid
    where o.target_uuid in ($3, $2, (select d.tocsin_sensor_uuid from tocsin.asset_datapoint d where d.uuid = $1))
      and not o.is_done and o.starts_at <= $4 and (o.ends_at is null or o.ends_at > $4)
  $$;

-- Returns the sites that a window concerns, sorted by uuid so that locks are always taken in the same order.
create or replace function tocsin_private.sites_of_target(scope text, target uuid) returns setof uuid language sql stable
  as $$
    select s.uuid from tocsin.site s
    where case $1 when 'site' then s.uuid = $2
      when 'asset' then s.uuid in (select a.tocsin_site_uuid from tocsin.asset a where a.uuid = $2)
      else s.uuid in (select a.tocsin_site_uuid from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
        where d.tocsin_sensor_uuid = $2) end
    order by s.uuid
  $$;

-- Returns the active windows with the sites that they concern, sorted by end. Windows without a known end come last.
create function tocsin.active_maintenance(of_site uuid default null)
  returns table (site_uuid uuid, window_uuid uuid, name text, scope text, target_name text, suppresses text, starts_at timestamptz,
    ends_at timestamptz) language sql stable
  as $$
    select p.uuid, w.uuid, w.name, w.scope, w.target_name, w.suppresses, o.starts_at, o.ends_at
    from tocsin.maintenance_occurrence o join tocsin.maintenance_window w on w.uuid = o.tocsin_maintenance_window_uuid
      cross join lateral tocsin_private.sites_of_target(w.scope, w.target_uuid) p (uuid)
    where o.begun_at is not null and not o.is_done and (o.ends_at is null or o.ends_at > tocsin_private.clock())
      and ($1 is null or p.uuid = $1)
    order by o.ends_at nulls last, w.name, w.uuid, p.uuid
  $$;

-- Returns the occurrences that overlap a range, sorted by start.
create function tocsin.maintenance_calendar(range_from timestamptz, range_to timestamptz)
  returns setof tocsin.maintenance_occurrence language sql stable
  as $$
    select o.* from tocsin.maintenance_occurrence o
    where tocsin_private.check_order($1, $2) and o.starts_at < $2 and (o.ends_at is null or o.ends_at > $1)
      and (o.ends_at is null or o.ends_at > o.starts_at)
    order by o.starts_at, o.uuid
  $$;

-- Returns the active occurrence of a window, or the next one if none is active.
create function tocsin.maintenance_window_next(maintenance_window tocsin.maintenance_window) returns tocsin.maintenance_occurrence
  language sql stable
  as $$
    select o.* from tocsin.maintenance_occurrence o
    where o.tocsin_maintenance_window_uuid = maintenance_window.uuid and (o.ends_at is null or o.ends_at > tocsin_private.clock())
    order by o.starts_at limit 1
  $$;

-- Returns the windows that have not ended, sorted by the start of their active or next occurrence.
create function tocsin.planned_maintenance() returns setof tocsin.maintenance_window language sql stable
  as $$
    select w.* from tocsin.maintenance_window w
    where w.ended_at is null
    order by (select min(o.starts_at) from tocsin.maintenance_occurrence o where o.tocsin_maintenance_window_uuid = w.uuid
      and (o.ends_at is null or o.ends_at > tocsin_private.clock())) nulls last, w.name, w.uuid
  $$;

-- Counts the open alarms that a window keeps quiet.
create function tocsin.maintenance_window_quiet_alarms(maintenance_window tocsin.maintenance_window) returns integer
  language sql stable
  as $$
    select count(*)::integer from tocsin.alarm a
    where a.quiet_source = maintenance_window.uuid and a.quiet_because = 'maintenance' and a.resolved_date is null
  $$;
comment on function tocsin.maintenance_window_quiet_alarms(tocsin.maintenance_window) is '@behavior -filterBy';

-- Returns the maintenance window that keeps an alarm quiet.
create function tocsin.alarm_maintenance_window(alarm tocsin.alarm) returns tocsin.maintenance_window language sql stable
  as $$ select w.* from tocsin.maintenance_window w where alarm.quiet_because = 'maintenance' and w.uuid = alarm.quiet_source $$;
