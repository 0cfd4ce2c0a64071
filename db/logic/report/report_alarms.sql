-- Reports on alarms that were created in a range. Row level security filters the alarms. An open alarm has no duration.

-- Returns the alarms of a report. PostgreSQL inlines this function; an optimisation fence would prevent parallel plans.
-- The callers are PL/pgSQL functions that force custom plans, because the generic plan that PostgreSQL chooses after
-- five calls takes twice as long. An empty reason selects alarms without a reason, including those that need no
-- acknowledgement. If `must_acknowledge` is true, the function returns alarms that need an acknowledgement; if false,
-- alarms that need none. `only` and `cause` select the alarms that a figure of the performance report counts in the
-- same range. `to_recipient` selects alarms that had this person among the recipients of their opening.
create or replace function tocsin_private.alarms_in_report(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, with_reason text, search text,
  must_acknowledge boolean, "only" text default null, cause text default null, of_severity text default null, to_recipient uuid default null)
  returns setof tocsin.alarm language sql stable parallel safe
  as $$
    select a.* from tocsin_private.matching_alarms($7) a
    where a.created_at >= $1 and a.created_at < $2 and ($4 is null or a.tocsin_site_uuid = any ($4))
      and ($3 is null or a.tocsin_site_uuid in (select s.uuid from tocsin.site s where s.tocsin_group5_uuid = $3))
      and ($5 is null or a.rule_uuid = $5) and ($6 is null or a.reason = $6 or $6 = '' and a.reason is null)
      and ($8 is null or a.must_acknowledge = $8) and ($11 is null or a.severity = $11)
      and ($12 is null or $12 = any (coalesce(a.recipient_uuids, tocsin_private.recipients_with_methods(a.recipients))))
      and ($9 is null or a.uuid in (select f from tocsin_private.alarms_of_figure($1, $2, $3, $4, $5, $12, $9, $10) f))
  $$;

-- Returns the alarms of a report with the columns of the covering index alarm_report_idx. PostgreSQL reads the table
-- only for a search, or if the caller needs the uuid.
create or replace function tocsin_private.reported_alarms(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, with_reason text, search text,
  must_acknowledge boolean, "only" text default null, cause text default null, of_severity text default null, to_recipient uuid default null)
  returns table (uuid uuid, site_uuid uuid, created timestamptz, resolved timestamptz, seconds double precision, severity text, rule_uuid uuid,
    reason text) language sql stable parallel safe
  as $$
    -- Uses date_part, because extract returns numeric, which takes longer than the rest of the query.
    select a.uuid, a.tocsin_site_uuid, a.created_at, a.resolved_date, date_part('epoch', a.resolved_date - a.date_time), a.severity,
      a.rule_uuid, a.reason
    from tocsin_private.alarms_in_report($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) a
  $$;

-- Returns the alarms of a report as a list, in the requested order.
create function tocsin.alarm_report(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null,
  of_rule uuid default null, with_reason text default null, search text default null, must_acknowledge boolean default null,
  "only" text default null, cause text default null, of_severity text default null, to_recipient uuid default null)
  returns setof tocsin.alarm language sql stable
  as $$
    select a.* from tocsin_private.alarms_in_report($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) a
    where tocsin_private.check_range($1, $2) and tocsin_private.check_not_empty('site_uuids', $4, 'Choose at least one site.')
  $$;
comment on function tocsin.alarm_report(timestamptz, timestamptz, uuid, uuid[], uuid, text, text, boolean, text, text, text, uuid) is '@behavior +order';

-- Returns the totals of the alarm report. `need_none` counts the alarms that need no acknowledgement and have none.
create function tocsin.alarm_figures(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null,
  of_rule uuid default null, with_reason text default null, search text default null, must_acknowledge boolean default null,
  "only" text default null, cause text default null, of_severity text default null, to_recipient uuid default null,
  out alarms integer, out still_open integer, out acknowledged integer, out median_seconds double precision,
  out p90_seconds double precision, out total_seconds double precision, out need_none integer)
  language plpgsql stable
  set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
#variable_conflict use_column
begin
  perform tocsin_private.check_report($1, $2, $4);
  select f.alarms::integer, (f.alarms - f.ended)::integer, f.acknowledged::integer, f.middle, f.most, coalesce(f.total, 0)
  into alarms, still_open, acknowledged, median_seconds, p90_seconds, total_seconds
  from (
    select count(*) as alarms, count(a.seconds) as ended, count(a.reason) as acknowledged, sum(a.seconds) as total,
      percentile_cont(0.5) within group (order by a.seconds) as middle, percentile_disc(0.9) within group (order by a.seconds) as most
    -- OFFSET 0 ensures that the seconds are computed once for each alarm. PostgreSQL never computes percentiles in
    -- parallel.
    from (select r.seconds, r.reason from tocsin_private.reported_alarms($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) r offset 0) a
  ) f;
  -- Counts the alarms that need no acknowledgement in a separate query, so that PostgreSQL can use a partial index.
  select count(*)::integer into need_none from tocsin_private.alarms_in_report($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) a
  where not a.must_acknowledge and a.reason is null;
end
$$;

-- Counts alarms by day in the customer's time zone, severity and reason. If no sites are selected, the function runs a
-- separate query for each day, which is faster than computing the day of each alarm. A range of more than 400 days
-- starts with its first alarm.
create or replace function tocsin_private.alarms_by_cause(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[],
  of_rule uuid, with_reason text, search text, must_acknowledge boolean, "only" text, cause text, of_severity text, to_recipient uuid)
  returns table (day date, severity text, reason text, alarms bigint) language plpgsql stable
  set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
#variable_conflict use_column
declare
  zone text := tocsin_private.my_zone();
  first timestamptz := $1;
begin
  perform tocsin_private.check_report($1, $2, $4);
  if $3 is null and $4 is null and $9 is null then
    if $2 > $1 + interval '400 days' then
      select min(a.created_at) into first from tocsin.alarm a where a.created_at >= $1 and a.created_at < $2;
    end if;
    return query
      select d.day::date, a.severity, a.reason, a.alarms
      from generate_series((first at time zone zone)::date::timestamp, $2 at time zone zone, interval '1 day') d (day)
      cross join lateral (
        select r.severity, r.reason, count(*) as alarms
        from tocsin_private.reported_alarms(greatest($1, d.day at time zone zone), least($2, (d.day + interval '1 day') at time zone zone),
          null, null, $5, $6, $7, $8, $9, $10, $11, $12) r
        group by 1, 2
      ) a;
  else
    return query
      select (r.created at time zone zone)::date, r.severity, r.reason, count(*)
      from tocsin_private.reported_alarms($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) r group by 1, 2, 3;
  end if;
end
$$;

-- Counts the alarms of each day. Days without alarms are left out.
create function tocsin.alarms_by_day(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null)
  returns setof tocsin.alarm_day language sql stable
  as $$ select d.* from tocsin.alarm_breakdown($1, $2, $3, $4, 0) b cross join unnest(b.days) d $$;

-- Counts alarms by reason, most frequent first. Alarms without a reason are counted in one row whose reason is null.
create function tocsin.alarms_by_reason(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null)
  returns setof tocsin.alarm_reason language sql stable
  as $$ select r.* from tocsin.alarm_breakdown($1, $2, $3, $4, 0) b cross join unnest(b.reasons) r $$;

-- Counts alarms by site, rule and severity. Uses RETURN QUERY, the only PL/pgSQL statement that PostgreSQL runs in
-- parallel.
create or replace function tocsin_private.alarms_by_place(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[],
  of_rule uuid, with_reason text, search text, must_acknowledge boolean, "only" text, cause text, of_severity text, to_recipient uuid)
  returns table (site_uuid uuid, rule_uuid uuid, severity text, alarms bigint, acknowledged bigint, ended bigint, seconds double precision,
    longest double precision) language plpgsql stable
  set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
begin
  perform tocsin_private.check_report($1, $2, $4);
  return query
    select a.site_uuid, a.rule_uuid, a.severity, count(*), count(a.reason), count(a.resolved), sum(a.seconds), max(a.seconds)
    from tocsin_private.reported_alarms($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) a group by 1, 2, 3;
end
$$;

-- Counts alarms by day, reason, site and rule. `most` limits the number of sites and rules. At most fifty rules are
-- returned. By default, sites and rules with the most alarms come first. Deleted sites share one entry without a uuid.
-- The name of a rule comes from its latest alarm. A leading minus reverses the requested order; nulls are last in both
-- directions.
create function tocsin.alarm_breakdown(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null,
  most integer default null, of_rule uuid default null, with_reason text default null, search text default null,
  site_sort text default null, rule_sort text default null, must_acknowledge boolean default null,
  "only" text default null, cause text default null, of_severity text default null, to_recipient uuid default null)
  returns tocsin.alarm_breakdown language sql stable set jit = off
  as $$
    with causes as materialized (
      select * from tocsin_private.alarms_by_cause($1, $2, $3, $4, $6, $7, $8, $11, $12, $13, $14, $15)
    ), days as (
      select c.day::text, coalesce(sum(c.alarms) filter (where c.severity = 'critical'), 0)::integer,
        coalesce(sum(c.alarms) filter (where c.severity = 'major'), 0)::integer,
        coalesce(sum(c.alarms) filter (where c.severity = 'minor'), 0)::integer,
        coalesce(sum(c.alarms) filter (where c.severity = 'silent'), 0)::integer
      from causes c group by c.day order by c.day
    ), reasons as (
      select c.reason, sum(c.alarms)::integer from causes c group by 1 order by 2 desc, 1
    ), counts as materialized (
      select * from tocsin_private.alarms_by_place($1, $2, $3, $4, $6, $7, $8, $11, $12, $13, $14, $15)
    ), by_site as (
      select c.site_uuid, sum(c.alarms) as alarms, sum(c.alarms) filter (where c.severity = 'critical') as critical, sum(c.ended) as ended,
        sum(c.acknowledged) as acknowledged, sum(c.seconds) as seconds, max(c.longest) as longest
      from counts c group by 1
    ), sites as (
      select s.uuid, coalesce(s.name, 'Deleted sites'), coalesce(g.name, ''), c.alarms::integer, coalesce(c.critical, 0)::integer,
        (c.alarms - c.ended)::integer, c.acknowledged::integer, c.seconds / nullif(c.ended, 0), c.longest, coalesce(c.seconds, 0)
      from by_site c left join tocsin.site s on s.uuid = c.site_uuid left join tocsin.group g on g.uuid = s.tocsin_group5_uuid
      where tocsin_private.check_choice('site_sort', $9, array['name', 'alarms', 'open', 'mean', 'longest', '-name', '-alarms', '-open', '-mean',
        '-longest'])
      order by case $9 when 'name' then s.name end, case $9 when '-name' then s.name end desc nulls last,
        case ltrim($9, '-') when 'alarms' then c.alarms when 'open' then c.alarms - c.ended when 'mean' then c.seconds / nullif(c.ended, 0)
          when 'longest' then c.longest end * case when $9 like '-%' then -1 else 1 end,
        c.alarms desc, s.name, s.uuid limit tocsin_private.check_count('most', $5)
    ), by_rule as (
      select c.rule_uuid, sum(c.alarms)::integer as alarms, coalesce(sum(c.seconds), 0) as seconds
      from counts c
      where c.rule_uuid is not null and tocsin_private.check_choice('rule_sort', $10, array['name', 'site', 'alarms', '-name', '-site', '-alarms'])
      group by 1
      order by case $10 when 'alarms' then sum(c.alarms) end, 2 desc, 1
      -- A sort by name or site needs the names of all rules. Otherwise only the returned rules are looked up.
      limit case when ltrim($10, '-') in ('name', 'site') then null else least(tocsin_private.check_count('most', $5), 50) end
    ), rules as (
      select c.rule_uuid, l.name, l.site_name, l.tocsin_site_uuid, c.alarms, c.seconds, l.source
      from by_rule c cross join lateral (
        select coalesce(nullif(a.rule_name, ''), a.message) as name, a.site_name, a.tocsin_site_uuid, a.source from tocsin.alarm a
        where a.rule_uuid = c.rule_uuid order by a.date_time desc limit 1
      ) l
      order by case $10 when 'name' then l.name when 'site' then l.site_name end,
        case $10 when '-name' then l.name when '-site' then l.site_name end desc nulls last,
        case $10 when 'alarms' then c.alarms end, c.alarms desc, c.rule_uuid limit least(tocsin_private.check_count('most', $5), 50)
    )
    select array(select r::tocsin.alarm_reason from reasons r), array(select s::tocsin.alarm_site from sites s),
      array(select r::tocsin.alarm_rule from rules r), array(select d::tocsin.alarm_day from days d)
  $$;

-- Counts the sites and rules with alarms. All deleted sites count as one.
create function tocsin.alarm_offenders(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null,
  of_rule uuid default null, with_reason text default null, search text default null, must_acknowledge boolean default null,
  "only" text default null, cause text default null, of_severity text default null, to_recipient uuid default null,
  out sites integer, out rules integer)
  language sql stable set jit = off
  as $$
    select count(distinct coalesce(c.site_uuid::text, ''))::integer, count(distinct c.rule_uuid)::integer
    from tocsin_private.alarms_by_place($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) c
  $$;

create function tocsin.alarms_by_site(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null)
  returns setof tocsin.alarm_site language sql stable
  as $$ select s.* from tocsin.alarm_breakdown($1, $2, $3, $4) b cross join unnest(b.sites) s $$;

create function tocsin.alarms_by_rule(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null, site_uuids uuid[] default null)
  returns setof tocsin.alarm_rule language sql stable
  as $$ select r.* from tocsin.alarm_breakdown($1, $2, $3, $4) b cross join unnest(b.rules) r $$;
