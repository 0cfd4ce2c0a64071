-- Reports on sites and their health. They run with the caller's rights, so row level security filters the sites.

-- Returns the unit offices (groups of level 5) of the sites that the user sees.
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

-- Returns the creation time of the oldest site, because reports cannot start earlier. Returns null if there are no
-- sites.
create function tocsin.reported_since(unit_office_uuid uuid default null, site_uuids uuid[] default null) returns timestamptz
  language sql stable
  as $$
    select min(s.created_at) from tocsin.site s
    where ($1 is null or s.tocsin_group5_uuid = $1) and ($2 is null or s.uuid = any ($2))
  $$;

-- Refuses a report range that is missing, reversed or too long.
create or replace function tocsin_private.check_range(range_from timestamptz, range_to timestamptz) returns boolean language plpgsql stable parallel safe
  as $$
begin
  if range_from is null or not isfinite(range_from) then perform tocsin_private.refuse('range_from', 'Enter the start of the range.'); end if;
  if range_to is null or not isfinite(range_to) then perform tocsin_private.refuse('range_to', 'Enter the end of the range.'); end if;
  if range_to <= range_from then perform tocsin_private.refuse('range_to', '@range-order'); end if;
  if range_to > range_from + interval '10 years 2 days' then
    perform tocsin_private.refuse('range_from', '@report-range');
  end if;
  return true;
end
$$;

-- Refuses an empty selection. Null selects everything.
create or replace function tocsin_private.check_not_empty(field text, chosen uuid[], sentence text) returns boolean language plpgsql stable parallel safe
  as $$
begin
  if cardinality(chosen) = 0 then perform tocsin_private.refuse(field, sentence); end if;
  return true;
end
$$;

create or replace function tocsin_private.check_report(range_from timestamptz, range_to timestamptz, site_uuids uuid[]) returns void
  language plpgsql stable
  as $$
begin
  perform tocsin_private.check_range(range_from, range_to);
  perform tocsin_private.check_not_empty('site_uuids', site_uuids, 'Choose at least one site.');
end
$$;

-- Counts the slots that start in a range. A slot is `hours` long. Slots are aligned to 1970-01-01 in UTC.
create or replace function tocsin_private.slots_between(hours integer, first timestamptz, last timestamptz)
  returns integer language sql immutable parallel safe
  as $$
    select greatest(0, ceil(extract(epoch from last) / (hours * 3600)) - ceil(extract(epoch from first) / (hours * 3600)))::integer
  $$;

-- Returns the first full hour at or after a time, as the number of hours since 1970 in UTC.
create or replace function tocsin_private.first_full_hour(at timestamptz) returns bigint language sql immutable parallel safe
  as $$ select ceil(extract(epoch from at) / 3600)::bigint $$;

-- Updates tocsin.health_week when tocsin.health_slot changes.
create or replace function tocsin_private.update_health_weeks() returns trigger language plpgsql
  as $$
begin
  if tg_op = 'INSERT' then
    insert into tocsin.health_week as w (tocsin_site_uuid, tocsin_customer_uuid, week, hours)
    select s.tocsin_site_uuid, s.tocsin_customer_uuid, s.hour / 168, bit_or(set_bit(repeat('0', 168)::bit(168), s.hour % 168, 1))
    from (select c.*, (floor(extract(epoch from c.slot_start) / 3600) + 72)::integer as hour from changed c) s
    group by 1, 2, 3 order by 1, 3
    on conflict (tocsin_site_uuid, week) do update set hours = w.hours | excluded.hours;
  else
    update tocsin.health_week w set hours = w.hours & ~gone.hours
    from (
      select s.tocsin_site_uuid, s.hour / 168 as week, bit_or(set_bit(repeat('0', 168)::bit(168), s.hour % 168, 1)) as hours
      from (select c.*, (floor(extract(epoch from c.slot_start) / 3600) + 72)::integer as hour from changed c) s
      group by 1, 2
    ) gone
    where w.tocsin_site_uuid = gone.tocsin_site_uuid and w.week = gone.week;
    delete from tocsin.health_week w using changed c where w.tocsin_site_uuid = c.tocsin_site_uuid and bit_count(w.hours) = 0;
  end if;
  return null;
end
$$;
-- Recomputes the rows of `health_week` of the given sites from their health slots.
create or replace function tocsin_private.rebuild_health_weeks(sites uuid[]) returns void language sql
  as $$
    insert into tocsin.health_week as w (tocsin_site_uuid, tocsin_customer_uuid, week, hours)
    select s.tocsin_site_uuid, s.tocsin_customer_uuid, s.hour / 168, bit_or(set_bit(repeat('0', 168)::bit(168), s.hour % 168, 1))
    from (select h.*, (floor(extract(epoch from h.slot_start) / 3600) + 72)::integer as hour
      from tocsin.health_slot h where h.tocsin_site_uuid = any (sites)) s
    group by 1, 2, 3
    on conflict (tocsin_site_uuid, week) do update set hours = excluded.hours
  $$;

create trigger update_weeks_insert after insert on tocsin.health_slot referencing new table as changed
  for each statement execute function tocsin_private.update_health_weeks();
-- A user can delete health slots only by deleting the site, which also deletes its health weeks. The trigger is
-- therefore not needed for users.
create trigger update_weeks_delete after delete on tocsin.health_slot referencing old table as changed
  for each statement when (tocsin_private.me() is null) execute function tocsin_private.update_health_weeks();

-- Converts the past slots of a site when its health duration changes, so that all weeks are comparable. A longer slot
-- is filled if at least one of the old slots that it covers was filled. A shorter slot is filled if the old slot that
-- contained it was filled.
set local role tocsin_service;
create or replace function tocsin_definer.convert_health_slots() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  old_length constant bigint := old.tocsin_health_duration_hours * 3600;
  length constant bigint := new.tocsin_health_duration_hours * 3600;
  moments bigint[];
begin
  moments := array(
    select distinct k.slot * length from (
      select floor(extract(epoch from h.slot_start))::bigint as start from tocsin.health_slot h where h.tocsin_site_uuid = new.uuid
    ) h cross join lateral generate_series(
      case when length >= old_length then h.start / length else (h.start + length - 1) / length end,
      case when length >= old_length then h.start / length else (h.start + old_length - 1) / length end
    ) k (slot)
    where k.slot * length <= extract(epoch from tocsin_private.clock()));
  delete from tocsin.health_slot where tocsin_site_uuid = new.uuid;
  delete from tocsin.health_week where tocsin_site_uuid = new.uuid;
  insert into tocsin.health_slot (tocsin_site_uuid, tocsin_customer_uuid, slot_start)
  select new.uuid, new.tocsin_customer_uuid, to_timestamp(m) from unnest(moments) m;
  return null;
end
$$;
reset role;
create trigger convert_health_slots after update of tocsin_health_duration_hours on tocsin.site for each row
  when (old.tocsin_health_duration_hours <> new.tocsin_health_duration_hours) execute function tocsin_definer.convert_health_slots();

grant select (tocsin_site_uuid, tocsin_customer_uuid, week, hours) on tocsin.health_week to tocsin_request;
create policy read on tocsin.health_week for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and ((select tocsin_private.is_manager()) or tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])));

-- Returns the received and expected slots of each visible site. Periods 1 to 12 are weeks; period 13 is one day,
-- usually today. Counting starts with the creation of the site. A slot is expected once it has ended, or earlier if
-- data arrived in it. The slot in which the site was created is expected only if data arrived in it. `received`
-- therefore never exceeds `expected`.
create or replace function tocsin_private.health_counts(week_starts timestamptz[], today timestamptz)
  returns table (site_uuid uuid, period integer, received integer, expected integer) language plpgsql stable
  set work_mem = '32MB' set jit = off
  as $$
declare
  now_hour bigint := floor(extract(epoch from tocsin_private.clock()) / 3600);
  zone text := tocsin_private.my_zone();
begin
  if array_length(week_starts, 1) = 12 then
    week_starts := week_starts || ((week_starts[12] at time zone zone) + interval '7 days') at time zone zone;
  end if;
  if coalesce(array_length(week_starts, 1), 0) <> 13 then
    perform tocsin_private.refuse('week_starts', 'Send the start dates of twelve weeks. You may add the end of the last week as a thirteenth date.');
  end if;
  if exists (select from unnest(week_starts) with ordinality w (start, n)
             join unnest(week_starts) with ordinality v (start, n) on v.n = w.n + 1 where v.start <= w.start)
     or array_position(week_starts, null) is not null then
    perform tocsin_private.refuse('week_starts', 'The weekly start dates must be in ascending order.');
  end if;
  perform tocsin_private.check_range(week_starts[1], week_starts[13]);
  return query
    with periods as materialized (
      select n as period, tocsin_private.first_full_hour(week_starts[n]) as first, tocsin_private.first_full_hour(week_starts[n + 1]) as last
      from generate_series(1, 12) n
      union all
      select 13, tocsin_private.first_full_hour(health_counts.today), least(now_hour + 1,
        tocsin_private.first_full_hour(((health_counts.today at time zone zone)::date + 1)::timestamp at time zone zone))
    ),
    -- The UTC weeks that overlap a period. The mask marks the hours of the week that belong to the period.
    masks as materialized (
      select p.period, w.week, (repeat('0', m.first) || repeat('1', m.last - m.first) || repeat('0', 168 - m.last))::bit(168) as hours
      from periods p
      cross join generate_series(((p.first + 72) / 168)::integer, ((p.last + 71) / 168)::integer) w (week)
      cross join lateral (
        select greatest(0, p.first + 72 - 168 * w.week)::integer as first, least(168, p.last + 72 - 168 * w.week)::integer as last
      ) m
      where m.last > m.first
    ),
    sites as materialized (
      select s.uuid, s.tocsin_health_duration_hours as hours, tocsin_private.first_full_hour(s.created_at) as since,
        floor(extract(epoch from s.created_at) / 3600)::bigint / s.tocsin_health_duration_hours * s.tocsin_health_duration_hours as made,
        now_hour / s.tocsin_health_duration_hours * s.tocsin_health_duration_hours as running
      from tocsin.site s
    ),
    arrived as (
      select s.uuid, m.period,
        sum(bit_count(w.hours & m.hours
          & case when s.made + 72 <= 168 * w.week then m.hours
            else repeat('1', 168)::bit(168) >> least(168, s.made + 72 - 168 * w.week)::integer end))::integer as received,
        bool_or((s.made + 72) / 168 = w.week and get_bit(w.hours & m.hours, ((s.made + 72) % 168)::integer) = 1) as made,
        bool_or((s.running + 72) / 168 = w.week and get_bit(w.hours & m.hours, ((s.running + 72) % 168)::integer) = 1) as running
      from tocsin.health_week w join masks m on m.week = w.week join sites s on s.uuid = w.tocsin_site_uuid
      group by 1, 2
    )
    select s.uuid, p.period, coalesce(a.received, 0),
      (greatest(0, (least(p.last, s.running) + s.hours - 1) / s.hours - (greatest(p.first, s.since) + s.hours - 1) / s.hours)
        + (coalesce(a.made, false) and s.made < least(s.since, s.running))::integer
        + (coalesce(a.running, false) and s.running >= s.made)::integer)::integer
    from sites s cross join periods p
    left join arrived a on a.uuid = s.uuid and a.period = p.period;
end
$$;

-- Sites without a unit office share one row without a uuid, so that the totals include all sites.
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
      group by 1, 2
    ), r as (
      select office, max(sites) as sites, array_agg(received order by period) as n, array_agg(expected order by period) as expected
      from c group by 1
    )
    select g.uuid, coalesce(g.name, 'No unit office'), r.sites, n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13], r.expected
    from r left join tocsin.group g on g.uuid = r.office
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


-- Returns the gaps of a site: ended slots without data, with consecutive slots merged, longest first.
create function tocsin.health_gaps(site_uuid uuid, range_from timestamptz, range_to timestamptz)
  returns table (gap_from timestamptz, gap_to timestamptz, slots integer) language sql stable strict
  as $$
    with missing as (
      select n.slot, s.tocsin_health_duration_hours * interval '1 hour' as length,
        n.slot - row_number() over (order by n.slot) * s.tocsin_health_duration_hours * interval '1 hour' as run
      from tocsin.site s
      cross join lateral (
        select to_timestamp(s.tocsin_health_duration_hours * 3600.0 * k) as slot
        from generate_series(ceil(extract(epoch from greatest($2, s.created_at)) / (s.tocsin_health_duration_hours * 3600))::bigint,
          ceil(extract(epoch from least($3, tocsin_private.clock())) / (s.tocsin_health_duration_hours * 3600))::bigint - 1) k
      ) n
      where s.uuid = $1 and tocsin_private.check_range($2, $3)
        and n.slot + s.tocsin_health_duration_hours * interval '1 hour' <= tocsin_private.clock()
        and not exists (select from tocsin.health_slot h where h.tocsin_site_uuid = s.uuid and h.slot_start = n.slot)
    )
    select min(m.slot), max(m.slot + m.length), count(*)::integer from missing m group by m.run
    order by 3 desc, 1
  $$;
