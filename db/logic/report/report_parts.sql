-- The parts of the alarm performance report: each function aggregates the alarms that were created in a range. Row level
-- security filters the alarms. Periods of ten minutes count from the start of the range.

-- Returns the people in `alarm.recipients` whom the opening of the alarm concerned and who had a working method. PL/pgSQL
-- caches the plan; an SQL function would be planned for each new alarm.
create or replace function tocsin_private.recipients_with_methods(recipients jsonb) returns uuid[] language plpgsql immutable parallel safe
  as $$
begin
  if coalesce(jsonb_typeof($1 -> 'alert') <> 'array', true) then return '{}'; end if;
  return (
    select coalesce(array_agg(distinct (r ->> 'uuid')::uuid), '{}') from jsonb_array_elements($1 -> 'alert') r
    where jsonb_path_exists(r, '$.methods[*]') and r ->> 'uuid' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');
end
$$;

-- Returns the seconds from the creation of an alarm to its acknowledgement; null if it was not acknowledged.
create or replace function tocsin_private.seconds_to_acknowledge(acknowledge_json jsonb, created timestamptz) returns double precision
  language sql stable parallel safe
  as $$
    select case when $1 ->> 'at' is not null then greatest(0, date_part('epoch', ($1 ->> 'at')::timestamptz - $2)) end
  $$;

-- Copies what the report needs from JSON into columns that the report's index covers.
create or replace function tocsin_private.copy_performance_columns() returns trigger language plpgsql
  as $$
begin
  if new.recipient_uuids is null or tg_op = 'UPDATE' and new.recipients is distinct from old.recipients then
    new.recipient_uuids := tocsin_private.recipients_with_methods(new.recipients);
  end if;
  new.acknowledged_seconds := tocsin_private.seconds_to_acknowledge(new.acknowledge_json, new.created_at);
  return new;
end
$$;
create trigger performance_columns before insert or update of reason, acknowledge_json, recipients, created_at on tocsin.alarm
  for each row execute function tocsin_private.copy_performance_columns();

-- Returns the number of the period in which an alarm was created. Uses date_part, because extract returns numeric, which
-- takes longer.
create or replace function tocsin_private.period_of(created timestamptz, range_from timestamptz) returns integer
  language sql stable parallel safe
  as $$ select floor((date_part('epoch', $1) - date_part('epoch', $2)) / 600)::integer $$;

-- Returns the alarms of the report, narrowed by unit office, sites, rule and recipient. PostgreSQL inlines this
-- function. The first branch reads only the index alarm_performance_idx; the second branch reads older alarms, whose
-- recipient_uuids is null.
create or replace function tocsin_private.performance_alarms(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (site_uuid uuid, rule_uuid uuid, severity text, created timestamptz, opened timestamptz, resolved timestamptz,
    seconds double precision, is_quiet boolean, people uuid[]) language sql stable parallel safe
  as $$
    select a.tocsin_site_uuid, a.rule_uuid, a.severity, a.created_at, a.date_time, a.resolved_date, a.acknowledged_seconds,
      a.opened_quiet is not null, a.recipient_uuids
    from tocsin.alarm a
    where a.recipient_uuids is not null and a.created_at >= $1 and a.created_at < $2 and ($4 is null or a.tocsin_site_uuid = any ($4))
      and ($3 is null or a.tocsin_site_uuid in (select s.uuid from tocsin.site s where s.tocsin_group5_uuid = $3))
      and ($5 is null or a.rule_uuid = $5) and ($6 is null or $6 = any (a.recipient_uuids))
    union all
    select o.tocsin_site_uuid, o.rule_uuid, o.severity, o.created_at, o.date_time, o.resolved_date,
      tocsin_private.seconds_to_acknowledge(o.acknowledge_json, o.created_at), o.opened_quiet is not null,
      tocsin_private.recipients_with_methods(o.recipients)
    from tocsin.alarm o
    where o.recipient_uuids is null and o.created_at >= $1 and o.created_at < $2 and ($4 is null or o.tocsin_site_uuid = any ($4))
      and ($3 is null or o.tocsin_site_uuid in (select s.uuid from tocsin.site s where s.tocsin_group5_uuid = $3))
      and ($5 is null or o.rule_uuid = $5) and ($6 is null or $6 = any (tocsin_private.recipients_with_methods(o.recipients)))
  $$;

-- The following functions aggregate the alarms of the report. Each uses RETURN QUERY, the only PL/pgSQL statement that
-- PostgreSQL runs in parallel, and forces a custom plan. Most of them read only the alarms between the computed hours.

-- Returns totals of each part of the range. An alarm is fleeting if it was resolved within 30 s, and stale if it was open for
-- longer than `stale_hours`.
create or replace function tocsin_private.performance_totals(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid, stale_hours integer)
  returns table (critical bigint, major bigint, minor bigint, silent bigint, fleeting bigint, stale bigint, addressed bigint)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
declare
  now timestamptz := tocsin_private.clock();
  longest interval := make_interval(hours => stale_hours);
  uses_hours boolean := tocsin_private.uses_alarm_hours($1, $2, $3, $4, $5, $6);
  gap record;
begin
  for gap in select g.* from tocsin_private.performance_gaps($1, $2, $3, $4, $5, $6) g loop
    return query
      select count(*) filter (where a.severity = 'critical'), count(*) filter (where a.severity = 'major'),
        count(*) filter (where a.severity = 'minor'), count(*) filter (where a.severity = 'silent'),
        count(*) filter (where a.resolved - a.opened <= interval '30 seconds'),
        count(*) filter (where a.resolved - a.opened > longest or not uses_hours and a.resolved is null and now - a.opened > longest),
        count(*) filter (where not a.is_quiet and a.people <> '{}')
      from tocsin_private.performance_alarms(gap.gap_from, gap.gap_to, $3, $4, $5, $6) a;
  end loop;
  if uses_hours then
    return query select t.* from tocsin_definer.alarm_hour_totals($1, $2, $7) t;
    -- Open alarms become stale as time passes, so the computed hours do not count them.
    return query
      select 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, count(*), 0::bigint from tocsin.alarm a
      where a.resolved_date is null and a.created_at >= $1 and a.created_at < $2 and now - a.date_time > longest;
  end if;
end
$$;

-- Counts alarms by rule. Alarms without a rule are counted under a null uuid.
create or replace function tocsin_private.performance_by_rule(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (rule_uuid uuid, alarms bigint)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
begin
  if $6 is not null then
    return query select a.rule_uuid, count(*) from tocsin_private.performance_alarms($1, $2, $3, $4, $5, $6) a group by 1;
    return;
  end if;
  -- Without a filter by recipient, a smaller index suffices.
  return query
    select a.rule_uuid, count(*) from tocsin.alarm a
    where a.created_at >= $1 and a.created_at < $2 and ($4 is null or a.tocsin_site_uuid = any ($4))
      and ($3 is null or a.tocsin_site_uuid in (select s.uuid from tocsin.site s where s.tocsin_group5_uuid = $3))
      and ($5 is null or a.rule_uuid = $5)
    group by 1;
end
$$;

-- Counts alarms by period.
create or replace function tocsin_private.performance_load(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (period integer, alarms bigint)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
declare
  gap record;
begin
  for gap in select g.* from tocsin_private.performance_gaps($1, $2, $3, $4, $5, $6) g loop
    return query
      select tocsin_private.period_of(a.created, $1), count(*)
      from tocsin_private.performance_alarms(gap.gap_from, gap.gap_to, $3, $4, $5, $6) a group by 1;
  end loop;
  if tocsin_private.uses_alarm_hours($1, $2, $3, $4, $5, $6) then
    return query
      select tocsin_private.period_of(h.hour, $1) + l.slot::integer - 1, l.alarms::bigint
      from tocsin_definer.alarm_hour_loads($1, $2) h cross join unnest(h.load) with ordinality l (alarms, slot)
      where l.alarms > 0;
  end if;
end
$$;

-- Returns the number of acknowledged alarms, and the median and 90th percentile of the time to acknowledge.
create or replace function tocsin_private.performance_acknowledged(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (acknowledged bigint, median_seconds double precision, p90_seconds double precision)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
declare
  gap record;
  others double precision[] := '{}';
begin
  if not tocsin_private.uses_alarm_hours($1, $2, $3, $4, $5, $6) then
    return query
      select count(*), percentile_cont(0.5) within group (order by a.seconds), percentile_disc(0.9) within group (order by a.seconds)
      from tocsin_private.performance_alarms($1, $2, $3, $4, $5, $6) a where a.seconds is not null;
    return;
  end if;
  for gap in select g.* from tocsin_private.performance_gaps($1, $2, $3, $4, $5, $6) g loop
    others := others || array(
      select a.seconds from tocsin_private.performance_alarms(gap.gap_from, gap.gap_to, $3, $4, $5, $6) a where a.seconds is not null);
  end loop;
  return query
    select count(*), percentile_cont(0.5) within group (order by t.seconds), percentile_disc(0.9) within group (order by t.seconds)
    from (
      select unnest(h.seconds) as seconds from tocsin_definer.alarm_hour_seconds($1, $2) h
      union all select unnest(others)
    ) t;
end
$$;

-- Counts the alarms of each recipient in each part of the range, without alarms that were quiet when they opened.
-- Alarms of one period and the same recipients are counted together before they are counted for each recipient.
create or replace function tocsin_private.performance_recipient_parts(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (recipient_uuid uuid, alarms bigint, peak bigint, acknowledged bigint, seconds double precision, latest timestamptz)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
declare
  gap record;
begin
  for gap in select g.* from tocsin_private.performance_gaps($1, $2, $3, $4, $5, $6) g loop
    return query
      select p.uuid, sum(p.alarms)::bigint, max(p.alarms)::bigint, sum(p.acknowledged)::bigint, sum(p.seconds), max(p.latest)
      from (
        select u.uuid, l.period, sum(l.alarms) as alarms, sum(l.acknowledged) as acknowledged, sum(l.seconds) as seconds,
          max(l.latest) as latest
        from (
          select tocsin_private.period_of(a.created, $1) as period, a.people, count(*) as alarms, count(a.seconds) as acknowledged,
            sum(a.seconds) as seconds, max(a.created) as latest
          from tocsin_private.performance_alarms(gap.gap_from, gap.gap_to, $3, $4, $5, $6) a where not a.is_quiet group by 1, 2
        ) l cross join unnest(l.people) u (uuid)
        where $6 is null or u.uuid = $6
        group by 1, 2
      ) p group by 1;
  end loop;
  if tocsin_private.uses_alarm_hours($1, $2, $3, $4, $5, $6) then
    return query select r.* from tocsin_definer.alarm_hour_recipients($1, $2) r;
  end if;
end
$$;

-- Counts the alarms of each recipient.
create or replace function tocsin_private.performance_by_recipient(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (recipient_uuid uuid, alarms bigint, peak bigint, acknowledged bigint, seconds double precision, latest timestamptz)
  language sql stable
  as $$
    select p.recipient_uuid, sum(p.alarms)::bigint, max(p.peak), sum(p.acknowledged)::bigint, sum(p.seconds), max(p.latest)
    from tocsin_private.performance_recipient_parts($1, $2, $3, $4, $5, $6) p group by 1
  $$;

-- Returns the rules that can have chattering openings in the range; null if any rule can. A rule is listed in the hour
-- of the latest of its three alarms within a minute.
create or replace function tocsin_private.chattering_candidates(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns uuid[] language sql stable
  as $$
    select case when tocsin_private.uses_alarm_hours($1, $2, $3, $4, $5, $6) then array(
      select unnest(h.chattering_rules) from tocsin_definer.alarm_hour_candidates($1, $2) h
      union
      select r.rule_uuid from tocsin_private.performance_gaps($1, $2, $3, $4, $5, $6) g
      cross join lateral tocsin_private.rules_that_chatter(tocsin_private.my_customer(), g.gap_from, g.gap_to) r) end
  $$;

-- Returns the places that can have floods in the range; null if any place can. The alarms that start a flood (more than
-- ten) were created in two successive periods of ten minutes. The place is listed in the hour or gap that contains the
-- later period.
create or replace function tocsin_private.flood_candidates(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns uuid[] language sql stable
  as $$
    select case when tocsin_private.uses_alarm_hours($1, $2, $3, $4, $5, $6) then array(
      select unnest(h.flood_places) from tocsin_definer.alarm_hour_candidates($1, $2) h
      union
      select f.place from tocsin_private.performance_gaps($1, $2, $3, $4, $5, $6) g
      cross join lateral tocsin_private.places_with_bursts(tocsin_private.my_customer(), g.gap_from, g.gap_to) f) end
  $$;

-- Returns the chattering openings: at least three alarms of a rule within a minute. An opening is a rule and a time of
-- the device; several alarms can share it.
create or replace function tocsin_private.chattering_openings(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (rule_uuid uuid, opened timestamptz, alarms bigint)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
declare
  candidates uuid[] := tocsin_private.chattering_candidates($1, $2, $3, $4, $5, $6);
begin
  if candidates = '{}' then return; end if;
  return query
    select c.rule_uuid, c.opened, count(*)
    from (
      select a.rule_uuid, a.opened, a.opened - lag(a.opened, 2) over w <= interval '1 minute'
          or lead(a.opened, 2) over w - a.opened <= interval '1 minute'
          or lead(a.opened) over w - lag(a.opened) over w <= interval '1 minute' as is_chattering
      from tocsin_private.performance_alarms($1, $2, $3, $4, $5, $6) a
      where a.rule_uuid is not null and (candidates is null or a.rule_uuid = any (candidates))
      window w as (partition by a.rule_uuid order by a.opened)
    ) c
    where c.is_chattering group by 1, 2;
end
$$;

-- Returns the alarm floods of the places. A flood starts when more than ten alarms of a place have been created within
-- ten minutes, and ends when fewer than `flood_end` have; domain/alarm/alarm-flood.ts has the same rule. Alarms that
-- were quiet when they opened do not count. A flood begins with the oldest alarm of the ten minutes in which it
-- started. A key has the number of the place in its high bits, and the milliseconds since the start of the range in its
-- low bits. So a single sorted array has all alarms, and alarms of different places are never within ten minutes of
-- each other. Comparing the array with itself is several times faster than a window over the rows.
create or replace function tocsin_private.performance_floods(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid, flood_end integer)
  returns table (place uuid, began timestamptz, ended timestamptz, alarms bigint)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
declare
  candidates uuid[] := tocsin_private.flood_candidates($1, $2, $3, $4, $5, $6);
begin
  if candidates = '{}' then return; end if;
  return query
    with places as materialized (
      select p.site, p.place, dense_rank() over (order by p.place) as number from tocsin_private.flood_places() p
      where candidates is null or p.place = any (candidates)
    ), sorted as materialized (
      select array_agg(k.key order by k.key) as keys
      from (
        select (p.number << 41) + floor(date_part('epoch', a.created - $1) * 1000 + 0.01)::bigint as key
        from tocsin_private.performance_alarms($1, $2, $3, $4, $5, $6) a join places p on p.site = a.site_uuid where not a.is_quiet
      ) k
    ), compared as (
      select u.number, u.key, u.tenth, u.before, u.before is null or u.before + 600000 <= u.key as breaks,
        u.tenth is not null and u.tenth + 600000 > u.key as starts
      from sorted s cross join lateral unnest(s.keys, array_fill(null::bigint, array[10]) || s.keys,
        array_fill(null::bigint, array[flood_end]) || s.keys) with ordinality u (key, tenth, before, number)
      where u.key is not null
    ), marked as (
      -- The alarms between two breaks belong to at most one flood, which starts at the first alarm that is marked as a
      -- start.
      select c.*, count(*) filter (where c.breaks) over (order by c.number) as run from compared c where c.breaks or c.starts
    ), runs as (
      select m.run, min(m.number) as first_number, min(m.key) as first_key, min(m.before) filter (where m.breaks) as before,
        min(m.number) filter (where m.starts) as start_number, min(m.tenth) filter (where m.starts) as start_key
      from marked m group by m.run
    ), bounded as (
      select r.*, coalesce(lead(r.first_number) over w - 1, t.amount) as last_number, lead(r.first_key) over w as next_key,
        coalesce(lead(r.before) over w, t.tail) + 600000 as ends
      from runs r
      cross join (select cardinality(s.keys) as amount, s.keys[cardinality(s.keys) - flood_end + 1] as tail from sorted s) t
      window w as (order by r.run)
    ), found as (
      -- An alarm of the previous flood does not count for the next flood.
      select b.last_number, b.ends,
        case when b.start_number - 10 > coalesce(lag(b.last_number) over w, 0) then b.start_number - 10 else lag(b.last_number) over w + 1 end as number,
        case when b.start_number - 10 > coalesce(lag(b.last_number) over w, 0) then b.start_key else lag(b.next_key) over w end as key
      from bounded b where b.start_number is not null window w as (order by b.run)
    )
    select p.place, $1 + (f.key - (p.number << 41)) * interval '1 millisecond', $1 + (f.ends - (p.number << 41)) * interval '1 millisecond',
      f.last_number - f.number + 1
    from found f join (select distinct q.place, q.number from places q) p on p.number = f.key >> 41;
end
$$;
