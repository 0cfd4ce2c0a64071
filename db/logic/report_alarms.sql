-- Reports on alarms that were made in a range. Row level security decides which count. An alarm that is still open has no duration.

-- The alarms that a report is about, with what an index holds of them.
create or replace function tocsin_private.reported_alarms(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[])
  returns table (site_uuid uuid, opened timestamptz, created timestamptz, seconds double precision, severity text, rule_uuid uuid, reason text)
  language sql stable
  as $$
    select a.tocsin_site_uuid, a.date_time, a.created_at, extract(epoch from a.resolved_date - a.date_time)::double precision, a.severity,
      a.rule_uuid, a.reason
    from tocsin.alarm a
    where tocsin_private.check_range($1, $2) and a.created_at >= $1 and a.created_at < $2
      and ($3 is null and $4 is null or a.tocsin_site_uuid = any ((select tocsin_private.report_sites($3, $4))::uuid[]))
  $$;

create function tocsin.alarm_figures(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null,
  out alarms integer, out still_open integer, out acknowledged integer, out median_seconds double precision, out p90_seconds double precision,
  out total_seconds double precision)
  language sql stable set work_mem = '64MB' set jit = off
  as $$
    select count(*)::integer, count(*) filter (where a.seconds is null)::integer, count(a.reason)::integer,
      percentile_cont(0.5) within group (order by a.seconds), percentile_cont(0.9) within group (order by a.seconds), coalesce(sum(a.seconds), 0)
    from tocsin_private.reported_alarms($1, $2, $3, $4) a
  $$;

-- Most frequent first. Alarms that nobody gave a reason for are the row without one.
create function tocsin.alarms_by_reason(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null)
  returns table (reason text, alarms integer) language sql stable set jit = off
  as $$
    select a.reason, count(*)::integer from tocsin_private.reported_alarms($1, $2, $3, $4) a
    group by 1 order by 2 desc, 1
  $$;

-- Sites by how many alarms they had. Those of sites that are gone are the row without a uuid.
create function tocsin.alarms_by_site(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null)
  returns table (uuid uuid, site_name text, uo_name text, alarms integer, critical integer, still_open integer, acknowledged integer,
    mean_seconds double precision, longest_seconds double precision, total_seconds double precision) language sql stable set jit = off
  as $$
    with counts as (
      select a.site_uuid, count(*)::integer as alarms, count(*) filter (where a.severity = 'critical')::integer as critical,
        count(*) filter (where a.seconds is null)::integer as still_open, count(a.reason)::integer as acknowledged,
        avg(a.seconds) as mean, max(a.seconds) as longest, coalesce(sum(a.seconds), 0) as total
      from tocsin_private.reported_alarms($1, $2, $3, $4) a group by 1
    )
    select s.uuid, coalesce(s.name, 'Sites that are gone'), coalesce(g.name, ''), c.alarms, c.critical, c.still_open, c.acknowledged,
      c.mean, c.longest, c.total
    from counts c left join tocsin.site s on s.uuid = c.site_uuid left join tocsin.group g on g.uuid = s.tocsin_group5_uuid
    order by c.alarms desc, s.name, s.uuid
  $$;

-- Alarms by the day they were made, by the customer's own clock; days without any are left out.
create function tocsin.alarms_by_day(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null)
  returns table (day text, critical integer, major integer, minor integer, silent integer) language sql stable set jit = off
  as $$
    with quarters as (
      select date_bin('15 minutes', a.created, 'epoch') as quarter, a.severity, count(*) as alarms
      from tocsin_private.reported_alarms($1, $2, $3, $4) a group by 1, 2
    )
    select (q.quarter at time zone z.zone)::date::text,
      coalesce(sum(q.alarms) filter (where q.severity = 'critical'), 0)::integer, coalesce(sum(q.alarms) filter (where q.severity = 'major'), 0)::integer,
      coalesce(sum(q.alarms) filter (where q.severity = 'minor'), 0)::integer, coalesce(sum(q.alarms) filter (where q.severity = 'silent'), 0)::integer
    from quarters q cross join (select tocsin_private.my_zone() as zone) z
    group by 1 order by 1
  $$;

-- The fifty rules with the most alarms, called as in the latest of them.
create function tocsin.alarms_by_rule(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null)
  returns table (uuid uuid, rule_name text, site_name text, site_uuid uuid, alarms integer, total_seconds double precision) language sql stable set jit = off
  as $$
    with counts as (
      select a.rule_uuid, count(*)::integer as alarms, coalesce(sum(a.seconds), 0) as total
      from tocsin_private.reported_alarms($1, $2, $3, $4) a where a.rule_uuid is not null
      group by 1 order by 2 desc, 1 limit 50
    )
    select c.rule_uuid, coalesce(nullif(l.rule_name, ''), l.message), l.site_name, l.tocsin_site_uuid, c.alarms, c.total
    from counts c cross join lateral (
      select a.rule_name, a.message, a.site_name, a.tocsin_site_uuid from tocsin.alarm a where a.rule_uuid = c.rule_uuid
      order by a.date_time desc limit 1
    ) l
    order by c.alarms desc, c.rule_uuid
  $$;
