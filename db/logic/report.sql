-- The older reporting area. These run with the rights of the person who asks: row level security decides which sites count.

-- A unit office is a group of level 5; a person's unit offices are those of the sites they may see.
create function tocsin.unit_offices_by_user() returns table (uuid uuid, uo_name text) language sql stable
  as $$
    select g.uuid, g.name from tocsin.group g
    where g.level = 5 and exists (select from tocsin.site s where s.tocsin_group5_uuid = g.uuid)
    order by g.name
  $$;

create function tocsin.sites_by_unit_office(unit_office_uuid uuid)
  returns table (uuid uuid, site_name text, site_id text, site_sim_number text) language sql stable strict
  as $$
    select s.uuid, s.name, s.site_id, s.phone_number from tocsin.site s
    where s.tocsin_group5_uuid = unit_office_uuid
    order by s.name
  $$;

-- Acknowledgements of alarm messages by SMS for unit offices, and of all messages for sites, newest first.
create function tocsin.acknowledgement_reports_by_unit_offices(
  unit_office_uuids uuid[], notify_from timestamptz, notify_to timestamptz)
  returns setof tocsin.notification language sql stable strict
  as $$
    select n.* from tocsin.notification n join tocsin.site s on s.uuid = n.tocsin_site_uuid
    where s.tocsin_group5_uuid = any ($1) and n.notify_time >= $2 and n.notify_time < $3
      and n.method_type = 3 and n.message_type = 1
    order by n.notify_time desc, n.uuid
  $$;

create function tocsin.acknowledgement_reports_by_sites(
  site_uuids uuid[], notify_from timestamptz, notify_to timestamptz)
  returns setof tocsin.notification language sql stable strict
  as $$
    select n.* from tocsin.notification n
    where n.tocsin_site_uuid = any ($1) and n.notify_time >= $2 and n.notify_time < $3
    order by n.notify_time desc, n.uuid
  $$;

-- How many slots of so many hours begin in a range. Slots are counted from 1970 on, in UTC.
create or replace function tocsin_private.slots_between(hours integer, first timestamptz, last timestamptz)
  returns integer language sql immutable parallel safe
  as $$
    select greatest(0, ceil(extract(epoch from last) / (hours * 3600)) - ceil(extract(epoch from first) / (hours * 3600)))::integer
  $$;

-- Received and expected slots of each visible site in each of twelve weeks (period 1 to 12) and today (period 13).
create or replace function tocsin_private.health_counts(week_starts timestamptz[], today timestamptz)
  returns table (site_uuid uuid, period integer, received integer, expected integer) language plpgsql stable
  as $$
begin
  if coalesce(array_length(week_starts, 1), 0) <> 13 then
    perform tocsin_private.refuse('week_starts', 'Give thirteen weekly start dates: twelve weeks and the end of the last.');
  end if;
  if exists (select from unnest(week_starts) with ordinality w (start, n)
             join unnest(week_starts) with ordinality v (start, n) on v.n = w.n + 1 where v.start <= w.start)
     or array_position(week_starts, null) is not null then
    perform tocsin_private.refuse('week_starts', 'The weekly start dates must follow each other.');
  end if;
  return query
    with periods as (
      select n as period, week_starts[n] as first, week_starts[n + 1] as last from generate_series(1, 12) n
      union all
      select 13, health_counts.today, tocsin_private.clock()
    ),
    arrived as (
      select h.tocsin_site_uuid, p.period, count(*)::integer as received
      from tocsin.health_slot h join periods p on h.slot_start >= p.first and h.slot_start < p.last
      where h.slot_start >= least(week_starts[1], health_counts.today)
      group by 1, 2
    )
    select s.uuid, p.period, coalesce(a.received, 0),
      tocsin_private.slots_between(s.tocsin_health_duration_hours, greatest(p.first, s.created_at), p.last)
    from tocsin.site s cross join periods p
    left join arrived a on a.tocsin_site_uuid = s.uuid and a.period = p.period;
end
$$;

create function tocsin.health_report_by_unit_office(week_starts timestamptz[], today timestamptz)
  returns table (uuid uuid, uo_name text, site_count integer,
    w1_count integer, w2_count integer, w3_count integer, w4_count integer, w5_count integer, w6_count integer,
    w7_count integer, w8_count integer, w9_count integer, w10_count integer, w11_count integer, w12_count integer,
    todaycount integer, expected integer[])
  language sql stable strict
  as $$
    with c as (
      select s.tocsin_group5_uuid as office, h.period, sum(h.received)::integer as received, sum(h.expected)::integer as expected,
        count(*)::integer as sites
      from tocsin_private.health_counts(week_starts, today) h join tocsin.site s on s.uuid = h.site_uuid
      where s.tocsin_group5_uuid is not null
      group by 1, 2
    ), r as (
      select office, max(sites) as sites, array_agg(received order by period) as n, array_agg(expected order by period) as expected
      from c group by 1
    )
    select g.uuid, g.name, r.sites, n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13], r.expected
    from r join tocsin.group g on g.uuid = r.office
    order by g.name
  $$;

create function tocsin.health_report_by_site(week_starts timestamptz[], today timestamptz, unit_office_uuid uuid default null)
  returns table (uuid uuid, site_name text, site_id text, uo_name text,
    w1_count integer, w2_count integer, w3_count integer, w4_count integer, w5_count integer, w6_count integer,
    w7_count integer, w8_count integer, w9_count integer, w10_count integer, w11_count integer, w12_count integer,
    todaycount integer, expected integer[])
  language sql stable
  as $$
    with r as (
      select site_uuid, array_agg(received order by period) as n, array_agg(expected order by period) as expected
      from tocsin_private.health_counts(week_starts, today) group by 1
    )
    select s.uuid, s.name, s.site_id, g.name, n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13], r.expected
    from r join tocsin.site s on s.uuid = r.site_uuid
    left join tocsin.group g on g.uuid = s.tocsin_group5_uuid
    where unit_office_uuid is null or s.tocsin_group5_uuid = unit_office_uuid
    order by s.name
  $$;

-- SMS by kind; eqs is what the provider bills.
create or replace function tocsin_private.sms_counts(range_from timestamptz, range_to timestamptz)
  returns table (site_uuid uuid, alarm_sms integer, health_sms integer, resolve_sms integer, other_sms integer, sms_count integer, eqs integer)
  language sql stable
  as $$
    select n.tocsin_site_uuid,
      count(*) filter (where n.message_type = 1)::integer, count(*) filter (where n.message_type = 2)::integer,
      count(*) filter (where n.message_type = 3)::integer, count(*) filter (where n.message_type = 4)::integer,
      count(*)::integer, sum(n.parts)::integer
    from tocsin.notification n
    where n.method_type = 3 and n.state in ('sent', 'delivered') and n.notify_time >= range_from and n.notify_time < range_to
    group by 1
  $$;

create function tocsin.sms_report_by_unit_office(range_from timestamptz, range_to timestamptz)
  returns table (uuid uuid, uo_name text, alarm_sms integer, health_sms integer, resolve_sms integer, other_sms integer, sms_count integer, eqs integer)
  language sql stable strict
  as $$
    select g.uuid, g.name, coalesce(sum(c.alarm_sms), 0)::integer, coalesce(sum(c.health_sms), 0)::integer,
      coalesce(sum(c.resolve_sms), 0)::integer, coalesce(sum(c.other_sms), 0)::integer, coalesce(sum(c.sms_count), 0)::integer,
      coalesce(sum(c.eqs), 0)::integer
    from tocsin.group g join tocsin.site s on s.tocsin_group5_uuid = g.uuid
    left join tocsin_private.sms_counts(range_from, range_to) c on c.site_uuid = s.uuid
    where g.level = 5
    group by g.uuid, g.name order by g.name
  $$;

create function tocsin.sms_report_by_site(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null)
  returns table (uuid uuid, site_name text, site_id text, alarm_sms integer, health_sms integer, resolve_sms integer, other_sms integer, sms_count integer, eqs integer)
  language sql stable
  as $$
    select s.uuid, s.name, s.site_id, coalesce(c.alarm_sms, 0), coalesce(c.health_sms, 0), coalesce(c.resolve_sms, 0),
      coalesce(c.other_sms, 0), coalesce(c.sms_count, 0), coalesce(c.eqs, 0)
    from tocsin.site s left join tocsin_private.sms_counts(range_from, range_to) c on c.site_uuid = s.uuid
    where unit_office_uuid is null or s.tocsin_group5_uuid = unit_office_uuid
    order by s.name
  $$;
