-- The alarm performance report: the figures of EEMUA 191 about the alarms that were created in a range. Row level
-- security filters the alarms. Periods of ten minutes count from the start of the range.

-- Returns the recipients of the alarm's opening, from `alarm.recipients`, who had a working method.
create or replace function tocsin_private.recipients_with_methods(recipients jsonb) returns uuid[] language sql immutable parallel safe
  as $$
    select coalesce(array_agg(distinct (r ->> 'uuid')::uuid), '{}')
    from jsonb_array_elements(case jsonb_typeof($1 -> 'alert') when 'array' then $1 -> 'alert' else '[]' end) r
    where jsonb_path_exists(r, '$.methods[*]') and r ->> 'uuid' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  $$;

-- Returns the time from the creation of an alarm to its acknowledgement; null if it has none.
create or replace function tocsin_private.seconds_to_acknowledge(acknowledge_json jsonb, created timestamptz) returns double precision
  language sql stable parallel safe
  as $$
    select case when $1 ->> 'at' is not null then greatest(0, date_part('epoch', ($1 ->> 'at')::timestamptz - $2)) end
  $$;

-- Copies the values that the report needs into columns of the alarm, so that the report's index can cover them.
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

-- Returns the alarms of the report, filtered by unit office, sites, rule and recipient. PostgreSQL inlines this
-- function. The first branch reads only the index alarm_performance_idx; the second one reads alarms that were created
-- before this index existed.
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

-- The next functions aggregate the alarms of the report. Each uses RETURN QUERY, the only PL/pgSQL statement that
-- PostgreSQL runs in parallel, and forces a custom plan.

-- Counts the alarms by site, rule and severity. An alarm is fleeting if it was resolved within 30 s, and stale if it
-- was open for longer than `stale_hours`.
create or replace function tocsin_private.performance_by_place(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid, stale_hours integer)
  returns table (site_uuid uuid, rule_uuid uuid, severity text, alarms bigint, fleeting bigint, stale bigint, addressed bigint)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
declare
  now timestamptz := tocsin_private.clock();
  longest interval := make_interval(hours => stale_hours);
begin
  return query
    select a.site_uuid, a.rule_uuid, a.severity, count(*), count(*) filter (where a.resolved - a.opened <= interval '30 seconds'),
      count(*) filter (where coalesce(a.resolved, now) - a.opened > longest),
      count(*) filter (where not a.is_quiet and a.people <> '{}')
    from tocsin_private.performance_alarms($1, $2, $3, $4, $5, $6) a group by 1, 2, 3;
end
$$;

-- Counts the alarms by period.
create or replace function tocsin_private.performance_load(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (period integer, alarms bigint)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
begin
  return query
    select tocsin_private.period_of(a.created, $1), count(*)
    from tocsin_private.performance_alarms($1, $2, $3, $4, $5, $6) a group by 1;
end
$$;

-- Returns the times from creation to acknowledgement.
create or replace function tocsin_private.performance_acknowledged(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (acknowledged bigint, median_seconds double precision, p90_seconds double precision)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
begin
  return query
    select count(*), percentile_cont(0.5) within group (order by a.seconds), percentile_disc(0.9) within group (order by a.seconds)
    from tocsin_private.performance_alarms($1, $2, $3, $4, $5, $6) a where a.seconds is not null;
end
$$;

-- Counts the alarms of each recipient. Leaves out alarms that were shelved when they opened. For speed, first counts
-- the alarms with the same period and the same recipients, then adds up these counts for each recipient.
create or replace function tocsin_private.performance_by_recipient(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (recipient_uuid uuid, alarms bigint, peak bigint, acknowledged bigint, seconds double precision, latest timestamptz)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
begin
  return query
    select p.uuid, sum(p.alarms)::bigint, max(p.alarms)::bigint, sum(p.acknowledged)::bigint, sum(p.seconds), max(p.latest)
    from (
      select u.uuid, l.period, sum(l.alarms) as alarms, sum(l.acknowledged) as acknowledged, sum(l.seconds) as seconds,
        max(l.latest) as latest
      from (
        select tocsin_private.period_of(a.created, $1) as period, a.people, count(*) as alarms, count(a.seconds) as acknowledged,
          sum(a.seconds) as seconds, max(a.created) as latest
        from tocsin_private.performance_alarms($1, $2, $3, $4, $5, $6) a where not a.is_quiet group by 1, 2
      ) l cross join unnest(l.people) u (uuid)
      where $6 is null or u.uuid = $6
      group by 1, 2
    ) p group by 1;
end
$$;

-- Returns the openings of chattering alarms: at least three alarms of a rule within a minute. An opening is identified
-- by a rule and a device time; several alarms can share it.
create or replace function tocsin_private.chattering_openings(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (rule_uuid uuid, opened timestamptz, alarms bigint)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
begin
  return query
    select c.rule_uuid, c.opened, count(*)
    from (
      select a.rule_uuid, a.opened, a.opened - lag(a.opened, 2) over w <= interval '1 minute'
          or lead(a.opened, 2) over w - a.opened <= interval '1 minute'
          or lead(a.opened) over w - lag(a.opened) over w <= interval '1 minute' as is_chattering
      from tocsin_private.performance_alarms($1, $2, $3, $4, $5, $6) a where a.rule_uuid is not null
      window w as (partition by a.rule_uuid order by a.opened)
    ) c
    where c.is_chattering group by 1, 2;
end
$$;

-- Returns the floods of the sites: consecutive periods, of which the first has more than ten alarms of the site and none
-- has fewer than `flood_end`.
create or replace function tocsin_private.floods(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid, flood_end integer)
  returns table (site_uuid uuid, first_period integer, last_period integer, alarms bigint)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
begin
  return query
    with many as (
      select a.site_uuid, tocsin_private.period_of(a.created, $1) as period, count(*) as alarms
      from tocsin_private.performance_alarms($1, $2, $3, $4, $5, $6) a where a.site_uuid is not null
      group by 1, 2 having count(*) >= $7
    ), runs as (
      select m.*, m.period - row_number() over (partition by m.site_uuid order by m.period) as run from many m
    ), begun as (
      select r.*, bool_or(r.alarms > 10) over (partition by r.site_uuid, r.run order by r.period) as is_flood from runs r
    )
    select b.site_uuid, min(b.period), max(b.period), sum(b.alarms)::bigint from begun b where b.is_flood group by b.site_uuid, b.run;
end
$$;

-- Returns the alarms of the range that notified nobody, with the cause. Kind `shelved`: the alarm opened while it was
-- shelved; the cause is the reason for the shelving. Kind `unreached`: no notification was sent; the cause is the
-- result of `alarm_not_notified_because`. Kind `suppressed`: every opening notification was a repeat within ten
-- minutes. The function reads the candidates from partial indexes, because most alarms notify somebody.
create or replace function tocsin_private.performance_unnotified(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (uuid uuid, rule_uuid uuid, kind text, cause text)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
begin
  return query
    with candidates as (
      select a.uuid from tocsin.alarm a where a.created_at >= $1 and a.created_at < $2 and a.opened_quiet is not null
      union
      select a.uuid from tocsin.alarm a where a.created_at >= $1 and a.created_at < $2 and a.recipient_uuids = '{}'
      union
      select a.uuid from tocsin.alarm a where a.created_at >= $1 and a.created_at < $2 and a.recipient_uuids is null
        and not jsonb_path_exists(a.recipients, '$.alert[*].methods[*]')
      union
      select n.tocsin_alarm_uuid from tocsin.notification n where n.state in ('queued', 'failed') or n.provider = 'outbox'
      union
      select e.tocsin_alarm_uuid from tocsin.alarm_event e
      where e.kind = 'not-notified' and e.detail ->> 'because' = 'said-before'
    ), found as (
      select a.uuid, a.rule_uuid, a.opened_quiet, tocsin.alarm_not_notified_because(a) as because, s.reason,
        exists (select from tocsin.notification n where n.tocsin_alarm_uuid = a.uuid) as is_notified,
        exists (select from tocsin.alarm_event e where e.tocsin_alarm_uuid = a.uuid and e.kind = 'not-notified'
          and e.detail ->> 'because' = 'said-before') as is_repeat
      from candidates c join tocsin.alarm a on a.uuid = c.uuid
      -- The shelving that is stored with the alarm. If there is none, the shelving that was active when the alarm
      -- opened.
      left join lateral (
        select s.reason from tocsin.shelving s
        where a.opened_quiet = 'shelved' and (s.uuid = a.tocsin_shelving_uuid or a.tocsin_shelving_uuid is null
          and s.tocsin_site_uuid = a.tocsin_site_uuid and s.created_at <= a.created_at and coalesce(s.ended_at, s.until) > a.created_at
          and s.target_uuid = case s.scope when 'rule' then a.rule_uuid when 'datapoint' then a.tocsin_datapoint_uuid
            when 'asset' then a.tocsin_asset_uuid when 'site' then a.tocsin_site_uuid end)
        order by s.until desc, s.uuid limit 1
      ) s on true
      where a.created_at >= $1 and a.created_at < $2 and ($4 is null or a.tocsin_site_uuid = any ($4))
        and ($3 is null or a.tocsin_site_uuid in (select g.uuid from tocsin.site g where g.tocsin_group5_uuid = $3))
        and ($5 is null or a.rule_uuid = $5)
        and ($6 is null or $6 = any (coalesce(a.recipient_uuids, tocsin_private.recipients_with_methods(a.recipients))))
    )
    select f.uuid, f.rule_uuid, k.kind,
      case k.kind when 'shelved' then coalesce(f.reason, '') when 'unreached' then f.because else '' end
    from found f cross join lateral (
      select case when f.opened_quiet is not null then 'shelved' when f.because is not null then 'unreached'
        when f.is_repeat and not f.is_notified then 'suppressed' end as kind
    ) k
    where k.kind is not null;
end
$$;

-- Returns the alarms that a figure of the report counts. `only` identifies the figure; for alarms that notified nobody,
-- `cause` selects one cause. The filters are the same as in the report, so that a list has as many alarms as its figure
-- counts.
create or replace function tocsin_private.alarms_of_figure(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid,
  "only" text, cause text)
  returns setof uuid language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
declare
  now timestamptz := tocsin_private.clock();
  stale_hours integer;
  flood_end integer;
begin
  perform tocsin_private.check_choice('only', $7, array['addressed', 'acknowledged', 'busy', 'flood', 'top', 'chattering', 'fleeting',
    'stale', 'shelved', 'suppressed', 'unreached']);
  if $7 in ('shelved', 'suppressed', 'unreached') then
    return query select u.uuid from tocsin_private.performance_unnotified($1, $2, $3, $4, $5, $6) u
      where u.kind = $7 and ($8 is null or u.cause = $8);
    return;
  end if;
  select c.stale_hours, c.flood_end_alarms into stale_hours, flood_end
  from tocsin.customer c where c.uuid = tocsin_private.my_customer();
  return query
    with range_alarms as (
      select a.* from tocsin.alarm a
      where a.created_at >= $1 and a.created_at < $2 and ($4 is null or a.tocsin_site_uuid = any ($4))
        and ($3 is null or a.tocsin_site_uuid in (select s.uuid from tocsin.site s where s.tocsin_group5_uuid = $3))
        and ($5 is null or a.rule_uuid = $5)
        and ($6 is null or $6 = any (coalesce(a.recipient_uuids, tocsin_private.recipients_with_methods(a.recipients))))
    )
    select a.uuid from range_alarms a
    where case $7
      when 'fleeting' then a.resolved_date - a.date_time <= interval '30 seconds'
      when 'stale' then coalesce(a.resolved_date, now) - a.date_time > make_interval(hours => stale_hours)
      when 'addressed' then a.opened_quiet is null
        and coalesce(a.recipient_uuids, tocsin_private.recipients_with_methods(a.recipients)) <> '{}'
      when 'acknowledged' then a.acknowledge_json ->> 'at' is not null
      when 'chattering' then (a.rule_uuid, a.date_time) in (
        select c.rule_uuid, c.opened from tocsin_private.chattering_openings($1, $2, $3, $4, $5, $6) c)
      when 'busy' then tocsin_private.period_of(a.created_at, $1) in (
        select l.period from tocsin_private.performance_load($1, $2, $3, $4, $5, $6) l where l.alarms > 10)
      when 'flood' then (a.tocsin_site_uuid, tocsin_private.period_of(a.created_at, $1)) in (
        select f.site_uuid, p.period from tocsin_private.floods($1, $2, $3, $4, $5, $6, flood_end) f
        cross join generate_series(f.first_period, f.last_period) p (period))
      when 'top' then a.rule_uuid in (
        select t.rule_uuid from tocsin_private.performance_by_place($1, $2, $3, $4, $5, $6, 1) t
        where t.rule_uuid is not null group by 1 order by sum(t.alarms) desc, 1 limit 10)
      else false end;
end
$$;

-- Refuses partner accounts. Without this check, row level security would show them an empty report.
create or replace function tocsin_private.check_report_reader() returns boolean language plpgsql stable
  as $$
begin
  if tocsin_private.is_partner_account() then
    raise insufficient_privilege using column = 'report', message = 'Partner accounts cannot view reports.';
  end if;
  return true;
end
$$;

-- Returns all figures of the report. Targets are settings of the customer; domain/report/performance.ts compares the
-- figures with them.
create function tocsin.report_performance(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null,
  site_uuids uuid[] default null, of_rule uuid default null, to_recipient uuid default null)
  returns tocsin.performance language sql stable set jit = off
  as $$
    with checked as materialized (
      select tocsin_private.check_report_reader(), tocsin_private.check_report($1, $2, $4), c.stale_hours::integer as stale_hours, c.flood_end_alarms::integer as flood_end, c.time_zone
      from tocsin.customer c where c.uuid = tocsin_private.my_customer()
    ), counts as materialized (
      select p.* from checked k cross join lateral tocsin_private.performance_by_place($1, $2, $3, $4, $5, $6, k.stale_hours) p
    ), totals as (
      select coalesce(sum(c.alarms), 0)::integer as alarms, coalesce(sum(c.alarms) filter (where c.severity = 'critical'), 0)::integer as critical,
        coalesce(sum(c.alarms) filter (where c.severity = 'major'), 0)::integer as major,
        coalesce(sum(c.alarms) filter (where c.severity = 'minor'), 0)::integer as minor,
        coalesce(sum(c.alarms) filter (where c.severity = 'silent'), 0)::integer as silent,
        coalesce(sum(c.fleeting), 0)::integer as fleeting, coalesce(sum(c.stale), 0)::integer as stale,
        coalesce(sum(c.addressed), 0)::integer as addressed
      from counts c
    ), by_rule as (
      select c.rule_uuid, sum(c.alarms)::integer as alarms from counts c where c.rule_uuid is not null
      group by 1 order by 2 desc, 1 limit 10
    ), rules as (
      select r.rule_uuid, l.name, l.site_name, l.tocsin_site_uuid, l.source, l.severity, r.alarms
      from by_rule r cross join lateral (
        select coalesce(nullif(a.rule_name, ''), a.message) as name, a.site_name, a.tocsin_site_uuid, a.source, a.severity from tocsin.alarm a
        where a.rule_uuid = r.rule_uuid order by a.date_time desc, a.uuid limit 1
      ) l order by r.alarms desc, r.rule_uuid
    ), load as materialized (
      select l.period, l.alarms::integer as alarms from checked k cross join lateral tocsin_private.performance_load($1, $2, $3, $4, $5, $6) l
    ), bounds as (
      -- A deleted site may have alarms that are older than the oldest existing site.
      select b.since, b.until, greatest(1, ((b.until - interval '1 microsecond') at time zone k.time_zone)::date
          - (b.since at time zone k.time_zone)::date + 1) as days,
        ceil(date_part('epoch', b.until - $1) / 600)::integer - floor(date_part('epoch', b.since - $1) / 600)::integer as periods
      from checked k cross join lateral (
        select greatest($1, least(tocsin.reported_since($3, $4), u.until - interval '10 minutes',
          $1 + interval '10 minutes' * (select min(l.period) from load l))) as since, u.until
        from (select case when tocsin_private.clock() > $1 then least($2, tocsin_private.clock()) else $2 end as until) u
      ) b
    ), floods as materialized (
      select f.* from checked k cross join lateral tocsin_private.floods($1, $2, $3, $4, $5, $6, k.flood_end) f
    ), named_floods as (
      select f.site_uuid, coalesce(s.name, ''), $1 + interval '10 minutes' * f.first_period as began_at,
        least($2, $1 + interval '10 minutes' * (f.last_period + 1)), f.alarms::integer, o.uuid, coalesce(o.message, '')
      from floods f left join tocsin.site s on s.uuid = f.site_uuid
      left join lateral (
        select a.uuid, a.message from tocsin.alarm a
        where a.created_at >= $1 + interval '10 minutes' * f.first_period and a.created_at < $1 + interval '10 minutes' * (f.first_period + 1)
          and a.created_at < $2 and a.tocsin_site_uuid = f.site_uuid and ($5 is null or a.rule_uuid = $5)
          and ($6 is null or $6 = any (coalesce(a.recipient_uuids, tocsin_private.recipients_with_methods(a.recipients))))
        order by a.date_time, a.created_at, a.uuid limit 1
      ) o on true
      order by f.first_period, s.name, f.site_uuid limit 200
    ), by_recipient as materialized (
      select p.* from checked k cross join lateral tocsin_private.performance_by_recipient($1, $2, $3, $4, $5, $6) p
    ), people as (
      select p.recipient_uuid, coalesce(n.name, ''), p.alarms::integer, p.peak::integer, p.acknowledged::integer,
        p.seconds / nullif(p.acknowledged, 0)
      from (select b.* from by_recipient b order by b.alarms desc, b.recipient_uuid limit 200) p
      -- The name is taken from the latest alarm, because the user may be deleted or invisible to the caller.
      left join lateral (
        select r ->> 'name' as name from tocsin.alarm a cross join jsonb_array_elements(a.recipients -> 'alert') r
        where a.created_at = p.latest and r ->> 'uuid' = p.recipient_uuid::text limit 1
      ) n on true
      order by p.alarms desc, 2, p.recipient_uuid
    ), causes as (
      select u.kind, u.cause, count(*)::integer, count(distinct u.rule_uuid)::integer
      from checked k cross join lateral tocsin_private.performance_unnotified($1, $2, $3, $4, $5, $6) u
      group by 1, 2 order by 1, 3 desc, 2
    )
    select t.alarms, t.critical, t.major, t.minor, t.silent, b.days::integer, b.periods,
      (select count(*) filter (where l.alarms > 10) from load l)::integer,
      coalesce((select sum(l.alarms) filter (where l.alarms > 10) from load l), 0)::integer,
      (select count(*) from floods f)::integer,
      (select count(distinct p.period) from floods f cross join generate_series(f.first_period, f.last_period) p (period))::integer,
      coalesce((select sum(f.alarms) from floods f), 0)::integer,
      coalesce((select sum(r.alarms) from by_rule r), 0)::integer,
      coalesce((select sum(c.alarms) from checked k cross join lateral tocsin_private.chattering_openings($1, $2, $3, $4, $5, $6) c), 0)::integer,
      t.fleeting, t.stale, w.acknowledged::integer, w.median_seconds, w.p90_seconds, t.addressed,
      (select count(*) from by_recipient p)::integer, coalesce((select sum(p.alarms) from by_recipient p), 0)::integer,
      array(select f::tocsin.performance_flood from named_floods f), array(select r::tocsin.performance_rule from rules r),
      array(select p::tocsin.performance_recipient from people p), array(select c::tocsin.performance_cause from causes c),
      case when $2 - $1 <= interval '92 days 2 hours' then array(select coalesce(l.alarms, 0)
        from generate_series(0, ceil(date_part('epoch', $2 - $1) / 600)::integer - 1) n (period) left join load l on l.period = n.period
        order by n.period) else '{}'::integer[] end
    from totals t cross join bounds b
    cross join tocsin_private.performance_acknowledged($1, $2, $3, $4, $5, $6) w
  $$;
