-- The dashboard. All functions run with the caller's rights, so row level security filters sites and alarms.

-- Returns the severities, worst first, as in domain/rule/priority.ts.
create or replace function tocsin_private.severities() returns text[] language sql immutable parallel safe
  as $$ select array['critical', 'major', 'minor', 'silent'] $$;
create or replace function tocsin_private.severity_rank(severity text) returns integer language sql immutable parallel safe
  as $$ select coalesce(array_position(tocsin_private.severities(), severity), 5) $$;

-- Returns the states of sites, worst first. A site is shelved or in maintenance if all its open alarms are quiet.
create or replace function tocsin_private.board_states() returns text[] language sql immutable parallel safe
  as $$ select tocsin_private.severities() || array['shelved', 'maintenance', 'normal'] $$;

-- Returns the state of each visible site. The first state that applies counts: the severity of the worst open alarm
-- that is not quiet; maintenance, if a window keeps all open alarms quiet; shelved, if the site has a quiet alarm;
-- maintenance, if the site itself is in maintenance; silent; normal. A new site is normal until its health duration has
-- passed.
create or replace function tocsin_private.site_states()
  returns table (site_uuid uuid, state text, acknowledged boolean) language sql stable
  as $$
    with worst as (
      select distinct on (a.tocsin_site_uuid) a.tocsin_site_uuid, a.severity, a.acknowledge_json is not null as acknowledged
      from tocsin.alarm a
      where a.resolved_date is null and a.tocsin_site_uuid is not null and a.quiet_because is null
      order by a.tocsin_site_uuid, tocsin_private.severity_rank(a.severity), a.acknowledge_json is not null, a.date_time desc
    ),
    quiet as (
      select a.tocsin_site_uuid, case when bool_and(a.quiet_because = 'maintenance') then 'maintenance' else 'shelved' end as state
      from tocsin.alarm a where a.resolved_date is null and a.quiet_because is not null and a.tocsin_site_uuid is not null group by 1
    )
    select s.uuid, coalesce(w.severity, q.state, case
      when s.uuid in (select o.target_uuid from tocsin.maintenance_occurrence o where o.begun_at is not null and not o.is_done
        and (o.ends_at is null or o.ends_at > tocsin_private.clock())) then 'maintenance'
      when s.site_status = 3 then 'silent' else 'normal' end), coalesce(w.acknowledged, true)
    from tocsin.site s left join worst w on w.tocsin_site_uuid = s.uuid left join quiet q on q.tocsin_site_uuid = s.uuid
  $$;

-- Returns the sites that match the search text (in name, ID or asset), the site type and the unit office.
create or replace function tocsin_private.filtered_sites(search text, site_type text, unit_office_uuid uuid)
  returns setof tocsin.site language sql stable
  as $$
    select s.* from tocsin.site s
    where ($2 is null or s.site_type = $2) and ($3 is null or s.tocsin_group5_uuid = $3)
      and (coalesce($1, '') = '' or position(lower($1) in lower(s.name)) > 0 or position(lower($1) in lower(s.site_id)) > 0
        or s.uuid in (select a.tocsin_site_uuid from tocsin.asset a where position(lower($1) in lower(a.name)) > 0))
  $$;

-- Returns the sites of the board, sorted by state, worst first. Within a state, sites whose worst alarm is
-- unacknowledged come first, then sites with other unacknowledged alarms, then by name.
create function tocsin.site_board(
  search text default null, site_type text default null, unit_office_uuid uuid default null, state text default null)
  returns setof tocsin.site language sql stable
  as $$
    select s.* from tocsin_private.filtered_sites($1, $2, $3) s join tocsin_private.site_states() t on t.site_uuid = s.uuid
    where tocsin_private.check_choice('state', $4, tocsin_private.board_states())
      and ($4 is null or t.state = $4)
    order by array_position(tocsin_private.board_states(), t.state), t.acknowledged, s.uuid not in (select a.tocsin_site_uuid from tocsin.alarm a
        where a.resolved_date is null and a.acknowledge_json is null and a.quiet_because is null and a.tocsin_site_uuid is not null),
      s.name, s.uuid
  $$;

create function tocsin.site_state_counts(search text default null, site_type text default null, unit_office_uuid uuid default null)
  returns table (state text, sites integer) language sql stable
  as $$
    select t.state, count(*)::integer from tocsin_private.filtered_sites($1, $2, $3) s
    join tocsin_private.site_states() t on t.site_uuid = s.uuid
    group by 1 order by array_position(tocsin_private.board_states(), t.state)
  $$;

-- Returns the site types, for the filter of the board.
create function tocsin.site_types() returns setof text language sql stable
  as $$ select distinct s.site_type from tocsin.site s where s.site_type <> '' order by 1 $$;

-- Returns the alarm that determines the state of a site. It is quiet only if all open alarms of the site are.
create function tocsin.site_worst_alarm(site tocsin.site) returns tocsin.alarm language sql stable
  as $$
    select a.* from tocsin.alarm a where a.tocsin_site_uuid = site.uuid and a.resolved_date is null
    order by a.quiet_because is not null, a.quiet_because = 'maintenance', tocsin_private.severity_rank(a.severity),
      a.acknowledge_json is not null, a.date_time desc limit 1
  $$;

-- Counts the unacknowledged open alarms of a site that are not shelved.
create function tocsin.site_waiting_alarms(site tocsin.site) returns integer language sql stable
  as $$
    select count(*)::integer from tocsin.alarm a
    where a.tocsin_site_uuid = site.uuid and a.resolved_date is null and a.acknowledge_json is null and a.quiet_because is null
  $$;
comment on function tocsin.site_waiting_alarms(tocsin.site) is '@behavior -filterBy';

-- True if the site has a rule, a multi-condition rule or a digital alarm that the caller may see.
create function tocsin.site_has_rules(site tocsin.site) returns boolean language sql stable
  as $$
    select exists (select from tocsin.rule r where r.tocsin_site_uuid = site.uuid and r.enabled)
      or exists (select from tocsin.rules_json j
        where j.tocsin_customer_uuid = site.tocsin_customer_uuid and j.site_id = site.site_id and j.enabled)
      or exists (select from tocsin.asset a join tocsin.asset_datapoint d on d.tocsin_asset_uuid = a.uuid
        join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
        where a.tocsin_site_uuid = site.uuid and d.sensor_type = 1 and c.channel_alarm_condition <> 2)
  $$;
comment on function tocsin.site_has_rules(tocsin.site) is '@behavior -filterBy';

-- Returns the data point of the rule that opened the alarm. If that rule is no longer open and another rule keeps the
-- alarm open, returns the data point of the other rule.
create or replace function tocsin_private.alarm_datapoint(alarm tocsin.alarm) returns uuid language sql stable
  as $$
    select coalesce((select o.datapoint_uuid from tocsin_definer.other_open_rules(alarm.uuid, null) o
      where o.datapoint_uuid is not null and not o.is_clearing
      order by o.datapoint_uuid is not distinct from alarm.tocsin_datapoint_uuid desc limit 1), alarm.tocsin_datapoint_uuid)
  $$;

-- Returns the data point shown for a site: the data point of the worst open alarm, otherwise a data point outside its
-- limits, otherwise a data point with a rule. If several qualify, process values come before device values, and analog
-- before digital.
create function tocsin.site_lead_datapoint(site tocsin.site) returns tocsin.asset_datapoint language sql stable
  as $$
    select d.* from tocsin.asset a join tocsin.asset_datapoint d on d.tocsin_asset_uuid = a.uuid
    where a.tocsin_site_uuid = site.uuid
    -- PostgreSQL runs this subquery once, not for each data point.
    order by d.uuid is not distinct from (select tocsin_private.alarm_datapoint(w) from tocsin.site_worst_alarm(site) w) desc,
      -- Rank of a data point: 2 if its value is outside its limits, 1 if it has a rule, otherwise 0.
      coalesce(case d.sensor_type
        when 1 then (select 2 from tocsin.sensor_channel c where c.uuid = d.tocsin_sensor_channel_uuid and d.status <> 3
          and c.channel_alarm_condition = (d.latest_value <> 0)::integer)
        else (select max(case when d.status <> 3 and (d.latest_value < r.value_lower or d.latest_value > r.value_upper) then 2 else 1 end)
          from tocsin.rule r where r.tocsin_datapoint_uuid = d.uuid and r.enabled) end, 0) desc,
      d.tocsin_datapoint_name ~* 'batt|signal|rssi' or lower(d.uom) = 'dbm',
      d.sensor_type = 1, d.tocsin_asset_datapoint_order, a.name, d.uuid
    limit 1
  $$;

-- Returns the number of sites, the number of silent sites, the last contact, and the start of the longest silence. A site
-- whose silence is shelved does not count as silent.
create function tocsin.plant_summary(out sites integer, out silent_sites integer, out last_contact timestamptz, out silent_since timestamptz)
  language sql stable
  as $$
    select count(*)::integer, count(*) filter (where silent)::integer, max(last_update), min(last_update) filter (where silent)
    from (
      select s.last_update, coalesce(a.counts, s.site_status = 3) as silent
      from tocsin.site s left join lateral (select bool_or(a.quiet_because is null) as counts from tocsin.alarm a
        where a.tocsin_site_uuid = s.uuid and a.severity = 'silent' and a.resolved_date is null) a on true
    ) s
  $$;

-- Counts the alarms that opened in each hour of today and of the 28 days before. Today comes first. Days are in the
-- customer's time zone.
create function tocsin.alarms_opened_by_hour() returns table (day text, opened integer[]) language sql stable
  as $$
    with here as (
      select c.time_zone as zone, (tocsin_private.clock() at time zone c.time_zone)::date as today
      from tocsin.customer c where c.uuid = tocsin_private.my_customer()
    ), counts as materialized (
      select (a.date_time at time zone h.zone)::date as day, extract(hour from a.date_time at time zone h.zone)::integer as hour,
        count(*)::integer as opened
      from tocsin.alarm a cross join here h
      where a.date_time >= (h.today - 28)::timestamp at time zone h.zone and a.date_time <= tocsin_private.clock()
      group by 1, 2
    )
    select (h.today - n)::text,
      array(select coalesce(c.opened, 0) from generate_series(0, 23) hours (hour)
            left join counts c on c.day = h.today - n and c.hour = hours.hour order by hours.hour)
    from here h cross join generate_series(0, 28) n
    order by n
  $$;

-- Counts the alarms opened in a range and how many of them were acknowledged. Also returns the median time from the
-- creation of an alarm to its acknowledgement.
create function tocsin.acknowledgement_figures(range_from timestamptz, range_to timestamptz,
  out alarms integer, out acknowledged integer, out median_seconds double precision)
  language sql stable strict
  as $$
    select count(*)::integer, count(a.acknowledge_json)::integer,
      percentile_cont(0.5) within group (order by extract(epoch from (a.acknowledge_json ->> 'at')::timestamptz - a.created_at))
    from tocsin.alarm a where a.date_time >= range_from and a.date_time < range_to
  $$;

-- Returns the sparkline of the last six hours: the last value of each 7.5 minutes, oldest first, null if there are no
-- readings. Reads the values from the readings, because roll-ups lag behind. Runs as tocsin_service and returns null if
-- the caller is not allowed to see the data point.
set local role tocsin_service;
create or replace function tocsin_definer.datapoint_recent(uuid uuid) returns double precision[]
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off
  as $$
declare
  channel integer := tocsin_private.visible_channel($1);
  now timestamptz := tocsin_private.clock();
  slot constant interval := interval '450 seconds';
begin
  if channel is null then return null; end if;
  return array(
    select (select r.value from tocsin.reading r
            where r.channel_key = channel and r.device_time > now - (back + 1) * slot and r.device_time <= now - back * slot
            order by r.device_time desc limit 1)
    from generate_series(47, 0, -1) as back
  );
end
$$;
reset role;

create function tocsin.asset_datapoint_recent_values(datapoint tocsin.asset_datapoint) returns double precision[] language sql stable
  as $$
    select tocsin_definer.datapoint_recent(datapoint.uuid)
  $$;
comment on function tocsin.asset_datapoint_recent_values(tocsin.asset_datapoint) is '@behavior -filterBy';
