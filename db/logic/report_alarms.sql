-- Reports on alarms that were made in a range. Row level security decides which count. An alarm that is still open has no duration.

-- The alarms that a report is about, with what an index holds of them.
create or replace function tocsin_private.reported_alarms(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[])
  returns table (site_uuid uuid, opened timestamptz, created timestamptz, seconds double precision, severity text, rule_uuid uuid, reason text)
  language sql stable
  as $$
    -- Not extract: its numeric takes longer than all the rest.
    select a.tocsin_site_uuid, a.date_time, a.created_at, date_part('epoch', a.resolved_date - a.date_time), a.severity,
      a.rule_uuid, a.reason
    from tocsin.alarm a
    where tocsin_private.check_range($1, $2) and a.created_at >= $1 and a.created_at < $2
      and ($3 is null and $4 is null or a.tocsin_site_uuid = any ((select tocsin_private.report_sites($3, $4))::uuid[]))
    -- So that the seconds are reckoned once for each alarm.
    offset 0
  $$;

create function tocsin.alarm_figures(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null,
  out alarms integer, out still_open integer, out acknowledged integer, out median_seconds double precision, out p90_seconds double precision,
  out total_seconds double precision)
  language sql stable set work_mem = '64MB' set jit = off
  as $$
    select f.alarms::integer, (f.alarms - f.ended)::integer, f.acknowledged::integer, f.shares[1], f.shares[2], coalesce(f.total, 0)
    from (
      select count(*) as alarms, count(a.seconds) as ended, count(a.reason) as acknowledged, sum(a.seconds) as total,
        percentile_cont(array[0.5, 0.9]) within group (order by a.seconds) as shares
      from tocsin_private.reported_alarms($1, $2, $3, $4) a
    ) f
  $$;

-- Everything that is counted of the alarms of a range, for which they are read once. `most` is how many sites and rules are wanted,
-- those with the most alarms; without it all sites, and fifty rules. Quarters of an hour are reckoned into days, not each alarm:
-- clocks are some quarters apart.
--   days: by the day they were made, by the customer's own clock; days without any are left out.
--   reasons: most frequent first. Alarms that nobody gave a reason for are the row without one.
--   sites: those of sites that are gone are the row without a uuid.
--   rules: called as in the latest alarm of each.
create function tocsin.alarm_breakdown(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null,
  most integer default null) returns tocsin.alarm_breakdown language sql stable set work_mem = '64MB' set jit = off
  as $$
    with counts as materialized (
      select grouping(a.site_uuid) = 1 as by_time, a.quarter, a.severity, a.site_uuid, a.rule_uuid, a.reason,
        count(*) as alarms, count(a.seconds) as ended, sum(a.seconds) as seconds, max(a.seconds) as longest
      from (
        select date_bin('15 minutes', r.created, 'epoch') as quarter, r.severity, r.site_uuid, r.rule_uuid, r.reason, r.seconds
        from tocsin_private.reported_alarms($1, $2, $3, $4) r
      ) a
      group by grouping sets ((a.quarter, a.severity), (a.site_uuid, a.rule_uuid, a.reason, a.severity))
    ), days as (
      select (q.quarter at time zone z.zone)::date::text as day,
        coalesce(sum(q.alarms) filter (where q.severity = 'critical'), 0)::integer, coalesce(sum(q.alarms) filter (where q.severity = 'major'), 0)::integer,
        coalesce(sum(q.alarms) filter (where q.severity = 'minor'), 0)::integer, coalesce(sum(q.alarms) filter (where q.severity = 'silent'), 0)::integer
      from counts q cross join (select tocsin_private.my_zone() as zone) z where q.by_time
      group by 1 order by 1
    ), reasons as (
      select c.reason, sum(c.alarms)::integer as alarms from counts c where not c.by_time
      group by 1 order by 2 desc, 1
    ), by_site as (
      select c.site_uuid, sum(c.alarms) as alarms, sum(c.alarms) filter (where c.severity = 'critical') as critical, sum(c.ended) as ended,
        sum(c.alarms) filter (where c.reason is not null) as acknowledged, sum(c.seconds) as seconds, max(c.longest) as longest
      from counts c where not c.by_time group by 1
    ), sites as (
      select s.uuid, coalesce(s.name, 'Sites that are gone'), coalesce(g.name, ''), c.alarms::integer, coalesce(c.critical, 0)::integer,
        (c.alarms - c.ended)::integer, coalesce(c.acknowledged, 0)::integer, c.seconds / nullif(c.ended, 0), c.longest, coalesce(c.seconds, 0)
      from by_site c left join tocsin.site s on s.uuid = c.site_uuid left join tocsin.group g on g.uuid = s.tocsin_group5_uuid
      order by c.alarms desc, s.name, s.uuid limit most
    ), by_rule as (
      select c.rule_uuid, sum(c.alarms)::integer as alarms, coalesce(sum(c.seconds), 0) as seconds
      from counts c where not c.by_time and c.rule_uuid is not null
      group by 1 order by 2 desc, 1 limit least(most, 50)
    ), rules as (
      select c.rule_uuid, coalesce(nullif(l.rule_name, ''), l.message), l.site_name, l.tocsin_site_uuid, c.alarms, c.seconds
      from by_rule c cross join lateral (
        select a.rule_name, a.message, a.site_name, a.tocsin_site_uuid from tocsin.alarm a where a.rule_uuid = c.rule_uuid
        order by a.date_time desc limit 1
      ) l
      order by c.alarms desc, c.rule_uuid
    )
    select array(select d::tocsin.alarm_day from days d), array(select r::tocsin.alarm_reason from reasons r),
      array(select s::tocsin.alarm_site from sites s), array(select r::tocsin.alarm_rule from rules r)
  $$;

create function tocsin.alarms_by_reason(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null)
  returns setof tocsin.alarm_reason language sql stable
  as $$ select r.* from tocsin.alarm_breakdown($1, $2, $3, $4) b cross join unnest(b.reasons) r $$;

create function tocsin.alarms_by_site(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null)
  returns setof tocsin.alarm_site language sql stable
  as $$ select s.* from tocsin.alarm_breakdown($1, $2, $3, $4) b cross join unnest(b.sites) s $$;

create function tocsin.alarms_by_day(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null)
  returns setof tocsin.alarm_day language sql stable
  as $$ select d.* from tocsin.alarm_breakdown($1, $2, $3, $4) b cross join unnest(b.days) d $$;

create function tocsin.alarms_by_rule(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null)
  returns setof tocsin.alarm_rule language sql stable
  as $$ select r.* from tocsin.alarm_breakdown($1, $2, $3, $4) b cross join unnest(b.rules) r $$;
