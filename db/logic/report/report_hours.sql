-- Figures of whole hours for the alarm performance report. An hour is computed two hours after its end. A later change
-- of its alarms adds a row to alarm_hour_change in the same transaction. The statement that computes an hour deletes
-- only the change rows that its snapshot contains. So the figures of an hour without a change row always equal a
-- recomputation from its alarms.

-- Returns the rules with at least three alarms within a minute, at least one of which was created in the range.
create or replace function tocsin_private.rules_that_chatter(customer_uuid uuid, range_from timestamptz, range_to timestamptz)
  returns table (hour timestamptz, rule_uuid uuid) language plpgsql stable set jit = off
  as $$
begin
  return query
    select s.hour, s.rule_uuid
    from (
      select date_trunc('hour', a.created_at, 'UTC') as hour, a.rule_uuid, min(a.date_time) as first, max(a.date_time) as last
      from tocsin.alarm a
      where a.tocsin_customer_uuid = $1 and a.created_at >= $2 and a.created_at < $3 and a.rule_uuid is not null
      group by 1, 2
    ) s
    where exists (
      select from (
        select n.date_time - lag(n.date_time, 2) over (order by n.date_time) as gap from tocsin.alarm n
        where n.tocsin_customer_uuid = $1 and n.rule_uuid = s.rule_uuid
          and n.date_time between s.first - interval '1 minute' and s.last + interval '1 minute'
      ) g
      where g.gap <= interval '1 minute');
end
$$;

-- Returns the place in which the alarms of each site count for floods: the site's unit office, or the site itself if it
-- has none.
create or replace function tocsin_private.flood_places() returns table (site uuid, place uuid) language sql stable parallel safe
  as $$ select s.uuid, coalesce(s.tocsin_group5_uuid, s.uuid) from tocsin.site s $$;

-- Returns the places with more than ten alarms in two successive periods of ten minutes, and the hour of the later
-- period, which begins in the range. Alarms that were quiet when they opened do not count. `range_from` is a multiple
-- of ten minutes.
create or replace function tocsin_private.places_with_bursts(customer_uuid uuid, range_from timestamptz, range_to timestamptz)
  returns table (hour timestamptz, place uuid) language plpgsql stable set jit = off
  as $$
begin
  return query
    select distinct date_trunc('hour', $2 + c.later * interval '10 minutes', 'UTC'), c.place
    from (
      select n.place, k.later, sum(n.alarms) as alarms
      from (
        select p.place, floor((date_part('epoch', a.created_at) - date_part('epoch', $2)) / 600)::integer as period, count(*) as alarms
        from tocsin.alarm a join tocsin_private.flood_places() p on p.site = a.tocsin_site_uuid
        where a.tocsin_customer_uuid = $1 and a.created_at >= $2 - interval '10 minutes' and a.created_at < $3 and a.opened_quiet is null
        group by 1, 2
      ) n cross join lateral (values (n.period), (n.period + 1)) k (later)
      where k.later >= 0 group by 1, 2
    ) c
    where c.alarms > 10 and $2 + c.later * interval '10 minutes' < $3;
end
$$;

set local role tocsin_service;
-- Computes a customer's hours from `first` up to, but not including, `last`. Both must be whole hours. The caller must
-- hold the lock of the milestone `alarm-hours`, so that an older snapshot never overwrites a newer one.
create or replace function tocsin_definer.compute_alarm_hours(customer_uuid uuid, first timestamptz, last timestamptz) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp set work_mem = '64MB' set jit = off
  as $$
begin
  with changes as (
    delete from tocsin_private.alarm_hour_change c where c.tocsin_customer_uuid = $1 and c.hour >= $2 and c.hour < $3
  ), own as materialized (
    select date_trunc('hour', a.created_at, 'UTC') as hour,
      floor((date_part('epoch', a.created_at) - date_part('epoch', $2)) / 600)::integer as period, a.created_at,
      a.tocsin_site_uuid as site, a.severity, a.date_time as opened, a.resolved_date as resolved, a.opened_quiet is not null as is_quiet,
      coalesce(a.acknowledged_seconds, tocsin_private.seconds_to_acknowledge(a.acknowledge_json, a.created_at)) as seconds,
      coalesce(a.recipient_uuids, tocsin_private.recipients_with_methods(a.recipients)) as people
    from tocsin.alarm a where a.tocsin_customer_uuid = $1 and a.created_at >= $2 and a.created_at < $3
  ), loads as materialized (
    select o.hour, o.period, count(*)::integer as alarms from own o group by 1, 2
  ), totals as (
    select o.hour, count(*) filter (where o.severity = 'critical')::integer as critical, count(*) filter (where o.severity = 'major')::integer as major,
      count(*) filter (where o.severity = 'minor')::integer as minor, count(*) filter (where o.severity = 'silent')::integer as silent,
      count(*) filter (where o.resolved - o.opened <= interval '30 seconds')::integer as fleeting,
      count(*) filter (where not o.is_quiet and o.people <> '{}')::integer as addressed,
      array_agg(date_part('epoch', o.resolved - o.opened)) filter (where o.resolved - o.opened > interval '1 hour') as open_seconds,
      array_agg(o.seconds) filter (where o.seconds is not null) as seconds
    from own o group by 1
  ), floods as (
    select f.hour, array_agg(distinct f.place) as places from tocsin_private.places_with_bursts($1, $2, $3) f group by 1
  ), by_period as (
    select o.hour, u.uuid, o.period, count(*) as alarms, count(o.seconds) as acknowledged, sum(o.seconds) as seconds,
      max(o.created_at) as latest
    from own o cross join unnest(o.people) u (uuid) where not o.is_quiet group by 1, 2, 3
  ), by_recipient as (
    select p.hour, p.uuid, sum(p.alarms)::integer as alarms, max(p.alarms)::integer as peak, sum(p.acknowledged)::integer as acknowledged,
      coalesce(sum(p.seconds), 0) as seconds, max(p.latest) as latest
    from by_period p group by 1, 2
  ), people as (
    select r.hour, array_agg(r.uuid) as uuids, array_agg(r.alarms) as alarms, array_agg(r.peak) as peaks,
      array_agg(r.acknowledged) as acknowledged, array_agg(r.seconds) as seconds, array_agg(r.latest) as latest
    from by_recipient r group by 1
  ), chattering as (
    select c.hour, array_agg(c.rule_uuid) as rules from tocsin_private.rules_that_chatter($1, $2, $3) c group by 1
  )
  insert into tocsin_private.alarm_hour as h (tocsin_customer_uuid, hour, load, critical, major, minor, silent, fleeting,
    addressed, open_seconds, seconds, flood_places, chattering_rules, recipients,
    recipient_alarms, recipient_peaks, recipient_acknowledged, recipient_seconds, recipient_latest)
  select $1, g.hour,
    array(select coalesce(l.alarms, 0) from generate_series(0, 5) n (slot)
      left join loads l on l.hour = g.hour and l.period = floor((date_part('epoch', g.hour) - date_part('epoch', $2)) / 600)::integer + n.slot
      order by n.slot),
    coalesce(t.critical, 0), coalesce(t.major, 0), coalesce(t.minor, 0), coalesce(t.silent, 0), coalesce(t.fleeting, 0),
    coalesce(t.addressed, 0), coalesce(t.open_seconds, '{}'), coalesce(t.seconds, '{}'), coalesce(f.places, '{}'), coalesce(c.rules, '{}'), coalesce(p.uuids, '{}'), coalesce(p.alarms, '{}'),
    coalesce(p.peaks, '{}'), coalesce(p.acknowledged, '{}'), coalesce(p.seconds, '{}'), coalesce(p.latest, '{}')
  from generate_series($2, $3 - interval '1 hour', interval '1 hour') g (hour)
  left join totals t on t.hour = g.hour left join floods f on f.hour = g.hour left join chattering c on c.hour = g.hour
  left join people p on p.hour = g.hour
  on conflict on constraint alarm_hour_pkey do update set load = excluded.load, critical = excluded.critical, major = excluded.major,
    minor = excluded.minor, silent = excluded.silent, fleeting = excluded.fleeting, addressed = excluded.addressed,
    open_seconds = excluded.open_seconds, seconds = excluded.seconds, flood_places = excluded.flood_places,
    chattering_rules = excluded.chattering_rules, recipients = excluded.recipients, recipient_alarms = excluded.recipient_alarms,
    recipient_peaks = excluded.recipient_peaks, recipient_acknowledged = excluded.recipient_acknowledged,
    recipient_seconds = excluded.recipient_seconds, recipient_latest = excluded.recipient_latest;
end
$$;

-- Computes at most `most` due hours of one customer. Changed hours come first, then the hours after the last computed
-- hour, beginning with the hour of the customer's first alarm. Returns false if nothing is due, or if another process
-- is doing the work.
create or replace function tocsin_definer.compute_next_alarm_hours(now timestamptz, most integer) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  -- All hours before this time ended at least two hours ago.
  until timestamptz := date_trunc('hour', $1 - interval '2 hours', 'UTC');
  chosen record;
  last timestamptz;
begin
  insert into tocsin_private.milestone (name, at) values ('alarm-hours', $1) on conflict (name) do nothing;
  perform from tocsin_private.milestone m where m.name = 'alarm-hours' for update skip locked;
  if not found then return false; end if;
  select e.tocsin_customer_uuid as customer, e.hour as first, b.first as begun into chosen
  from tocsin_private.alarm_hour_change e
  cross join lateral (
    select min(h.hour) as first, max(h.hour) as last from tocsin_private.alarm_hour h where h.tocsin_customer_uuid = e.tocsin_customer_uuid
  ) b
  where e.hour <= b.last order by e.id limit 1;
  if found and chosen.first < chosen.begun then
    -- The changed hour is before the first computed hour. All hours are therefore computed again from the first alarm,
    -- so that there is no gap.
    delete from tocsin_private.alarm_hour h where h.tocsin_customer_uuid = chosen.customer;
    return true;
  end if;
  if found then
    select max(e.hour) + interval '1 hour' into last from tocsin_private.alarm_hour_change e
    where e.tocsin_customer_uuid = chosen.customer and e.hour >= chosen.first and e.hour < least(until, chosen.first + make_interval(hours => most));
    perform tocsin_definer.compute_alarm_hours(chosen.customer, chosen.first, last);
    return true;
  end if;
  select n.customer, n.first into chosen
  from (
    select u.uuid as customer, coalesce(
      (select max(h.hour) + interval '1 hour' from tocsin_private.alarm_hour h where h.tocsin_customer_uuid = u.uuid),
      (select date_trunc('hour', min(a.created_at), 'UTC') from tocsin.alarm a where a.tocsin_customer_uuid = u.uuid)) as first
    from tocsin.customer u
  ) n
  where n.first < until order by n.first limit 1;
  if not found then return false; end if;
  perform tocsin_definer.compute_alarm_hours(chosen.customer, chosen.first, least(until, chosen.first + make_interval(hours => most)));
  return true;
end
$$;

-- Marks the hours of changed alarms, so that they are computed again. An alarm created in the last hour needs no mark,
-- because its hour is computed only later. `old_rows` and `new_rows` are the changed alarms before and after the
-- statement.
create or replace function tocsin_definer.mark_alarm_hours() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  closed timestamptz := tocsin_private.clock() - interval '1 hour';
begin
  if tg_op = 'INSERT' then
    insert into tocsin_private.alarm_hour_change (tocsin_customer_uuid, hour)
    select distinct n.tocsin_customer_uuid, date_trunc('hour', n.created_at, 'UTC') from new_rows n where n.created_at < closed;
  elsif tg_op = 'DELETE' then
    insert into tocsin_private.alarm_hour_change (tocsin_customer_uuid, hour)
    select distinct o.tocsin_customer_uuid, date_trunc('hour', o.created_at, 'UTC') from old_rows o
    join tocsin.customer c on c.uuid = o.tocsin_customer_uuid where o.created_at < closed;
  else
    insert into tocsin_private.alarm_hour_change (tocsin_customer_uuid, hour)
    select distinct c.tocsin_customer_uuid, date_trunc('hour', c.created_at, 'UTC')
    from old_rows o join new_rows n on n.uuid = o.uuid
    cross join lateral (values (o.tocsin_customer_uuid, o.created_at), (n.tocsin_customer_uuid, n.created_at)) c (tocsin_customer_uuid, created_at)
    where c.created_at < closed and (
      (o.created_at, o.date_time, o.tocsin_site_uuid, o.rule_uuid, o.severity, o.opened_quiet is null, o.recipient_uuids, o.acknowledged_seconds)
        is distinct from
      (n.created_at, n.date_time, n.tocsin_site_uuid, n.rule_uuid, n.severity, n.opened_quiet is null, n.recipient_uuids, n.acknowledged_seconds)
      or o.resolved_date is distinct from n.resolved_date
        -- A resolution between 30 seconds and one hour after the opening changes no figure, so the hour is not computed
        -- again.
        and not (coalesce(o.resolved_date - o.date_time between interval '30.000001 seconds' and interval '1 hour', true)
          and coalesce(n.resolved_date - n.date_time between interval '30.000001 seconds' and interval '1 hour', true)));
  end if;
  return null;
end
$$;

reset role;

-- Returns the computed hours of the range that the report can use. Operators get none, because an hour counts all
-- alarms of the customer, and only managers see them all. The range must start at a multiple of ten minutes, so that
-- its periods match those of the hours. PostgreSQL inlines this function.
create or replace function tocsin_private.usable_alarm_hours(range_from timestamptz, range_to timestamptz) returns setof tocsin_private.alarm_hour
  language sql stable
  as $$
    select h.* from tocsin_private.alarm_hour h
    where (select tocsin_private.is_manager()) and date_part('epoch', $1)::numeric % 600 = 0
      and h.tocsin_customer_uuid = (select tocsin_private.my_customer()) and h.hour >= $1 and h.hour <= $2 - interval '1 hour'
      and h.hour not in (select c.hour from tocsin_private.alarm_hour_change c where c.tocsin_customer_uuid = (select tocsin_private.my_customer()))
  $$;

set local role tocsin_service;
-- Returns the parts of the range between the usable hours. Returns the whole range if there are none, or if so many hours are
-- missing that reading all alarms once is faster than reading the alarms between the hours.
create or replace function tocsin_definer.alarm_hour_gaps(range_from timestamptz, range_to timestamptz)
  returns table (gap_from timestamptz, gap_to timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  return query
    with bounds as (
      select h.hour, h.hour + interval '1 hour' as until from tocsin_private.usable_alarm_hours($1, $2) h
      union all select $2, $2
    ), gaps as (
      select g.gap_from, g.gap_to, count(*) over () as count
      from (select lag(b.until, 1, $1) over (order by b.hour) as gap_from, b.hour as gap_to from bounds b) g where g.gap_from < g.gap_to
    )
    select g.gap_from, g.gap_to from gaps g where g.count <= 30
    union all
    select $1, $2 where exists (select from gaps g where g.count > 30);
end
$$;

-- The following functions return the figures of the computed hours that a report can use.
create or replace function tocsin_definer.alarm_hour_loads(range_from timestamptz, range_to timestamptz)
  returns table (hour timestamptz, load integer[])
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  return query select h.hour, h.load from tocsin_private.usable_alarm_hours($1, $2) h;
end
$$;

create or replace function tocsin_definer.alarm_hour_seconds(range_from timestamptz, range_to timestamptz)
  returns table (seconds double precision[])
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  return query select h.seconds from tocsin_private.usable_alarm_hours($1, $2) h where h.seconds <> '{}';
end
$$;

-- Counts only resolved alarms as stale, because an open alarm becomes stale as time passes.
create or replace function tocsin_definer.alarm_hour_totals(range_from timestamptz, range_to timestamptz, stale_hours integer)
  returns table (critical bigint, major bigint, minor bigint, silent bigint, fleeting bigint, stale bigint, addressed bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  return query
    select sum(h.critical), sum(h.major), sum(h.minor), sum(h.silent), sum(h.fleeting),
      sum((select count(*) from unnest(h.open_seconds) o (seconds) where o.seconds > 3600 * $3))::bigint, sum(h.addressed)
    from tocsin_private.usable_alarm_hours($1, $2) h;
end
$$;

create or replace function tocsin_definer.alarm_hour_recipients(range_from timestamptz, range_to timestamptz)
  returns table (recipient_uuid uuid, alarms bigint, peak bigint, acknowledged bigint, seconds double precision, latest timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  return query
    select r.uuid, sum(r.alarms), max(r.peak)::bigint, sum(r.acknowledged), sum(r.seconds), max(r.latest)
    from tocsin_private.usable_alarm_hours($1, $2) h
    cross join unnest(h.recipients, h.recipient_alarms, h.recipient_peaks, h.recipient_acknowledged, h.recipient_seconds,
      h.recipient_latest) r (uuid, alarms, peak, acknowledged, seconds, latest)
    group by 1;
end
$$;

create or replace function tocsin_definer.alarm_hour_candidates(range_from timestamptz, range_to timestamptz, out flood_places uuid[],
  out chattering_rules uuid[]) language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  flood_places := array(select distinct unnest(h.flood_places) from tocsin_private.usable_alarm_hours($1, $2) h where h.flood_places <> '{}');
  chattering_rules := array(
    select distinct unnest(h.chattering_rules) from tocsin_private.usable_alarm_hours($1, $2) h where h.chattering_rules <> '{}');
end
$$;
grant execute on function tocsin_definer.alarm_hour_gaps(timestamptz, timestamptz), tocsin_definer.alarm_hour_loads(timestamptz, timestamptz),
  tocsin_definer.alarm_hour_seconds(timestamptz, timestamptz), tocsin_definer.alarm_hour_totals(timestamptz, timestamptz, integer),
  tocsin_definer.alarm_hour_recipients(timestamptz, timestamptz), tocsin_definer.alarm_hour_candidates(timestamptz, timestamptz)
  to tocsin_request;
reset role;

-- An hour lists the places with many alarms, so all hours are computed again when a site moves to another unit office.
set local role tocsin_service;
create or replace function tocsin_definer.forget_alarm_hours() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from tocsin_private.alarm_hour h where h.tocsin_customer_uuid = new.tocsin_customer_uuid;
  return null;
end
$$;
reset role;
create trigger forget_alarm_hours after update of tocsin_group5_uuid on tocsin.site for each row
  when (new.tocsin_group5_uuid is distinct from old.tocsin_group5_uuid) execute function tocsin_definer.forget_alarm_hours();

create trigger mark_hours_of_new after insert on tocsin.alarm referencing new table as new_rows
  for each statement execute function tocsin_definer.mark_alarm_hours();
create trigger mark_hours_of_deleted after delete on tocsin.alarm referencing old table as old_rows
  for each statement execute function tocsin_definer.mark_alarm_hours();
create trigger mark_hours_of_changed after update on tocsin.alarm referencing old table as old_rows new table as new_rows
  for each statement execute function tocsin_definer.mark_alarm_hours();

-- Returns the parts of the range for which the report reads alarms; between them it uses computed hours. With a filter,
-- returns the whole range, because computed hours cannot be filtered.
create or replace function tocsin_private.performance_gaps(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (gap_from timestamptz, gap_to timestamptz) language plpgsql stable
  as $$
begin
  if num_nonnulls($3, $4, $5, $6) > 0 then
    return query select $1, $2;
  else
    return query select g.gap_from, g.gap_to from tocsin_definer.alarm_hour_gaps($1, $2) g;
  end if;
end
$$;

-- Returns whether the report uses computed hours.
create or replace function tocsin_private.uses_alarm_hours(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns boolean language plpgsql stable
  as $$
begin
  return not exists (select from tocsin_private.performance_gaps($1, $2, $3, $4, $5, $6) g where g.gap_from = $1 and g.gap_to = $2);
end
$$;
