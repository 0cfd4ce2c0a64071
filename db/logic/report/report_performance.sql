-- The alarm performance report: the figures of EEMUA 191 about the alarms that were created in a range. report_parts.sql
-- aggregates the alarms, report_hours.sql computes whole hours in advance, report_lists.sql lists the alarms of a figure.

-- Refuses a partner account. Row level security would show it an empty report instead.
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
    ), totals as materialized (
      select coalesce(sum(p.critical), 0)::integer as critical, coalesce(sum(p.major), 0)::integer as major,
        coalesce(sum(p.minor), 0)::integer as minor, coalesce(sum(p.silent), 0)::integer as silent,
        coalesce(sum(p.fleeting), 0)::integer as fleeting, coalesce(sum(p.stale), 0)::integer as stale,
        coalesce(sum(p.addressed), 0)::integer as addressed
      from checked k cross join lateral tocsin_private.performance_totals($1, $2, $3, $4, $5, $6, k.stale_hours) p
    ), by_rule as materialized (
      select p.rule_uuid, p.alarms::integer as alarms
      from checked k cross join lateral tocsin_private.performance_by_rule($1, $2, $3, $4, $5, $6) p where p.rule_uuid is not null
      order by 2 desc, 1 limit 10
    ), rules as (
      select r.rule_uuid, l.name, l.site_name, l.tocsin_site_uuid, l.source, l.severity, r.alarms, n.acknowledged, n.nuisance,
        tocsin_definer.advice_dismissal_of(r.rule_uuid) is not null as is_advice_dismissed
      from by_rule r cross join lateral (
        select coalesce(nullif(a.rule_name, ''), a.message) as name, a.site_name, a.tocsin_site_uuid, a.source, a.severity from tocsin.alarm a
        where a.rule_uuid = r.rule_uuid order by a.date_time desc, a.uuid limit 1
      ) l cross join lateral (
        select coalesce(sum(g.alarms), 0)::integer as acknowledged, coalesce(sum(g.alarms) filter (where
          tocsin_private.is_nuisance(g.tocsin_site_uuid, array[g.rule_name, tocsin_private.name_of_rule(r.rule_uuid)], g.reason)), 0)::integer as nuisance
        from (
          select a.tocsin_site_uuid, a.rule_name, a.reason, count(*) as alarms from tocsin.alarm a
          where a.rule_uuid = r.rule_uuid and a.created_at >= $1 and a.created_at < $2 and a.reason is not null
            and ($4 is null or a.tocsin_site_uuid = any ($4))
            and ($3 is null or a.tocsin_site_uuid in (select s.uuid from tocsin.site s where s.tocsin_group5_uuid = $3))
            and ($6 is null or $6 = any (coalesce(a.recipient_uuids, tocsin_private.recipients_with_methods(a.recipients))))
          group by 1, 2, 3
        ) g
      ) n order by r.alarms desc, r.rule_uuid
    ), load as materialized (
      select l.period, l.alarms::integer as alarms from checked k cross join lateral tocsin_private.performance_load($1, $2, $3, $4, $5, $6) l
    ), bounds as (
      -- The counted range starts with the first site or the first alarm, because alarms of deleted sites can be older
      -- than every remaining site.
      select b.since, b.until, greatest(1, ((b.until - interval '1 microsecond') at time zone k.time_zone)::date
          - (b.since at time zone k.time_zone)::date + 1) as days,
        ceil(date_part('epoch', b.until - $1) / 600)::integer - floor(date_part('epoch', b.since - $1) / 600)::integer as periods
      from checked k cross join lateral (
        select greatest($1, least(tocsin.reported_since($3, $4), u.until - interval '10 minutes',
          $1 + interval '10 minutes' * (select min(l.period) from load l))) as since, u.until
        from (select case when tocsin_private.clock() > $1 then least($2, tocsin_private.clock()) else $2 end as until) u
      ) b
    ), floods as materialized (
      select f.* from checked k cross join lateral tocsin_private.performance_floods($1, $2, $3, $4, $5, $6, k.flood_end) f
    ), named_floods as (
      select s.uuid, coalesce(s.name, g.name, ''), f.began, least($2, f.ended), f.alarms::integer, o.uuid, coalesce(o.message, ''), g.uuid
      from floods f left join tocsin.site s on s.uuid = f.place left join tocsin.group g on g.uuid = f.place
      left join lateral (
        select a.uuid, a.message from tocsin_private.flood_places() p join tocsin.alarm a on a.tocsin_site_uuid = p.site
        where p.place = f.place and a.created_at >= f.began and a.created_at < f.began + interval '1 millisecond'
          and a.opened_quiet is null and ($5 is null or a.rule_uuid = $5) and ($4 is null or p.site = any ($4))
          and ($6 is null or $6 = any (coalesce(a.recipient_uuids, tocsin_private.recipients_with_methods(a.recipients))))
        order by a.date_time, a.uuid limit 1
      ) o on true
      order by f.began, 2, f.place limit 200
    ), by_recipient as materialized (
      select p.* from checked k cross join lateral tocsin_private.performance_by_recipient($1, $2, $3, $4, $5, $6) p
    ), people as (
      select p.recipient_uuid, coalesce(n.name, ''), p.alarms::integer, p.peak::integer, p.acknowledged::integer,
        p.seconds / nullif(p.acknowledged, 0)
      from (select b.* from by_recipient b order by b.alarms desc, b.recipient_uuid limit 200) p
      -- Takes the recipient's name from the latest alarm, because the user may be deleted or invisible to the caller.
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
    select t.critical + t.major + t.minor + t.silent, t.critical, t.major, t.minor, t.silent, b.days::integer, b.periods,
      (select count(*) filter (where l.alarms > 10) from load l)::integer,
      coalesce((select sum(l.alarms) filter (where l.alarms > 10) from load l), 0)::integer,
      (select count(*) from floods f)::integer,
      (select count(distinct p.period) from floods f cross join generate_series(tocsin_private.period_of(f.began, $1),
        tocsin_private.period_of(least(f.ended, b.until) - interval '1 microsecond', $1)) p (period))::integer,
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
