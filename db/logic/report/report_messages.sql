-- Reports on notifications: SMS costs, acknowledgements and delivery. Row level security filters the notifications. A
-- range includes its start but not its end.

-- The following two functions return notifications with their acknowledgements, newest first. The function for unit
-- offices returns only SMS about alarms. The function for sites returns all notifications.
create function tocsin.acknowledgement_reports_by_unit_offices(
  unit_office_uuids uuid[], notify_from timestamptz, notify_to timestamptz)
  returns setof tocsin.notification language sql stable strict
  as $$
    select n.* from tocsin.notification n join tocsin.site s on s.uuid = n.tocsin_site_uuid
    where tocsin_private.check_range($2, $3)
      and tocsin_private.check_not_empty('unit_office_uuids', $1, 'Choose at least one unit office.')
      and s.tocsin_group5_uuid = any ($1) and n.notify_time >= $2 and n.notify_time < $3
      and n.method_type = 3 and n.message_type = 1
    order by n.notify_time desc, n.uuid
  $$;

create function tocsin.acknowledgement_reports_by_sites(
  site_uuids uuid[], notify_from timestamptz, notify_to timestamptz)
  returns setof tocsin.notification language sql stable strict
  as $$
    select n.* from tocsin.notification n
    where tocsin_private.check_range($2, $3) and tocsin_private.check_not_empty('site_uuids', $1, 'Choose at least one site.')
      and n.tocsin_site_uuid = any ($1) and n.notify_time >= $2 and n.notify_time < $3
    order by n.notify_time desc, n.uuid
  $$;

-- Refuses an unknown sort column.
create or replace function tocsin_private.check_sort(sort text, columns text[]) returns boolean language sql stable parallel safe
  as $$ select tocsin_private.check_choice('sort', $1, $2 || array(select '-' || c from unnest($2) c)) $$;

-- Returns the rows of the acknowledgement report: SMS about alarms or all notifications, optionally only those to one
-- recipient.
create or replace function tocsin_private.acknowledgement_rows(range_from timestamptz, range_to timestamptz, sms_only boolean,
  unit_office_uuid uuid, site_uuids uuid[], of_person text)
  returns setof tocsin.notification language sql stable
  as $$
    select n.* from tocsin.notification n
    where tocsin_private.check_range($1, $2) and tocsin_private.check_not_empty('site_uuids', $5, 'Choose at least one site.')
      and n.notify_time >= $1 and n.notify_time < $2 and (not coalesce($3, true) or n.method_type = 3 and n.message_type = 1)
      and ($5 is null or n.tocsin_site_uuid = any ($5)) and ($6 is null or n.recipient_name = $6)
      and ($4 is null or n.tocsin_site_uuid in (select s.uuid from tocsin.site s where s.tocsin_group5_uuid = $4))
  $$;
-- Returns the rows of the acknowledgement report, newest first or sorted by a column. A leading minus reverses the
-- order; nulls are always last. Each order has a separate CASE, so that the planner drops unused orders and reads the
-- newest rows from the index.
create function tocsin.acknowledgement_report(range_from timestamptz, range_to timestamptz, sms_only boolean default true,
  unit_office_uuid uuid default null, site_uuids uuid[] default null, of_person text default null, sort text default null)
  returns setof tocsin.notification language sql stable
  as $$
    select n.* from tocsin_private.acknowledgement_rows($1, $2, $3, $4, $5, $6) n
    left join tocsin.site s on s.uuid = n.tocsin_site_uuid left join tocsin.group g on g.uuid = s.tocsin_group5_uuid
    where tocsin_private.check_sort($7, array['time', 'site', 'office', 'person', 'by', 'after'])
    order by case $7 when 'site' then s.name when 'office' then g.name when 'person' then n.recipient_name when 'by' then n.ack_by_recipient_name end,
      case $7 when '-site' then s.name when '-office' then g.name when '-person' then n.recipient_name when '-by' then n.ack_by_recipient_name end
        desc nulls last,
      case $7 when 'after' then n.ack_time - n.notify_time end, case $7 when '-after' then n.ack_time - n.notify_time end desc nulls last,
      case $7 when 'time' then n.notify_time end, n.notify_time desc, n.uuid
  $$;

-- Returns the sent notifications about alarms, with the time to the first acknowledgement by anyone and by the
-- recipient. Queued, failed and outbox notifications do not count.
create or replace function tocsin_private.sent_alarm_notifications(
  range_from timestamptz, range_to timestamptz, sms_only boolean, unit_office_uuid uuid, site_uuids uuid[], of_person text)
  returns table (recipient_name text, seconds double precision, own double precision) language sql stable parallel safe
  as $$
    select m.recipient_name, m.seconds, case when m.themselves then m.seconds end
    from (
      select n.recipient_name, n.ack_by_recipient_name = n.recipient_name as themselves,
        case when n.ack_time is not null then greatest(0, date_part('epoch', n.ack_time - n.notify_time)) end as seconds
      from tocsin.notification n
      where n.message_type = 1 and (n.method_type = 3 or not coalesce($3, true)) and tocsin_private.was_sent(n.state, n.provider)
        and n.notify_time >= $1 and n.notify_time < $2 and ($5 is null or n.tocsin_site_uuid = any ($5))
        and ($6 is null or n.recipient_name = $6)
        and ($4 is null or n.tocsin_site_uuid in (select s.uuid from tocsin.site s where s.tocsin_group5_uuid = $4))
      -- OFFSET 0 ensures that the seconds are computed once for each notification.
      offset 0
    ) m
  $$;

-- Counts messages and acknowledgements by recipient. `acknowledged` counts the messages whose alarm was acknowledged by
-- anyone, `by_themselves` those whose alarm was acknowledged by the recipient. The seconds are the median and the 90th
-- percentile of the time that the recipient took to acknowledge.
create function tocsin.acknowledgements_by_person(range_from timestamptz, range_to timestamptz, sms_only boolean default true,
  unit_office_uuid uuid default null, site_uuids uuid[] default null, of_person text default null)
  returns table (recipient_name text, messages integer, acknowledged integer, by_themselves integer,
    median_seconds double precision, p90_seconds double precision) language plpgsql stable set work_mem = '64MB' set jit = off
  as $$
#variable_conflict use_column
begin
  perform tocsin_private.check_report($1, $2, $5);
  return query
    select p.name, p.messages::integer, p.acknowledged::integer, p.by_themselves::integer, p.middle, p.most
    from (
      select t.recipient_name as name, count(*) as messages, count(t.seconds) as acknowledged, count(t.own) as by_themselves,
        percentile_cont(0.5) within group (order by t.own) as middle, percentile_disc(0.9) within group (order by t.own) as most
      from tocsin_private.sent_alarm_notifications($1, $2, $3, $4, $5, $6) t group by 1
    ) p
    order by p.by_themselves, p.messages desc, p.name;
end
$$;

-- Returns the totals of the acknowledgement report, with the time to the first acknowledgement by anyone.
create function tocsin.acknowledgement_totals(range_from timestamptz, range_to timestamptz, sms_only boolean default true,
  unit_office_uuid uuid default null, site_uuids uuid[] default null, of_person text default null,
  out messages integer, out acknowledged integer, out median_seconds double precision, out p90_seconds double precision)
  language plpgsql stable set work_mem = '64MB' set jit = off
  as $$
begin
  perform tocsin_private.check_report($1, $2, $5);
  select f.messages::integer, f.acknowledged::integer, f.middle, f.most
  into messages, acknowledged, median_seconds, p90_seconds
  from (
    select count(*) as messages, count(t.seconds) as acknowledged, percentile_cont(0.5) within group (order by t.seconds) as middle,
      percentile_disc(0.9) within group (order by t.seconds) as most
    from tocsin_private.sent_alarm_notifications($1, $2, $3, $4, $5, $6) t
  ) f;
end
$$;

-- Counts the SMS that a provider accepted, by kind. `eqs` are billed segments. SMS of deleted sites have no site.
-- Parallel workers are disabled, because the page runs three of these queries at once.
create or replace function tocsin_private.sms_counts(range_from timestamptz, range_to timestamptz)
  returns table (site_uuid uuid, alarm_sms integer, health_sms integer, resolve_sms integer, other_sms integer, sms_count integer, eqs integer)
  language plpgsql stable set jit = off set max_parallel_workers_per_gather = 0
  as $$
begin
  perform tocsin_private.check_range(range_from, range_to);
  return query
    select n.tocsin_site_uuid,
      count(*) filter (where n.message_type = 1)::integer, count(*) filter (where n.message_type = 2)::integer,
      count(*) filter (where n.message_type = 3)::integer, count(*) filter (where n.message_type = 4)::integer,
      count(*)::integer, sum(n.segments)::integer
    from tocsin.notification n
    where n.method_type = 3 and tocsin_private.was_accepted(n.state, n.provider, n.sent_at)
      and n.notify_time >= range_from and n.notify_time < range_to
    group by 1;
end
$$;

-- SMS that belong to no unit office share one row without a uuid, so that the totals include all SMS.
create function tocsin.sms_report_by_unit_office(range_from timestamptz, range_to timestamptz)
  returns table (uuid uuid, uo_name text, alarm_sms integer, health_sms integer, resolve_sms integer, other_sms integer, sms_count integer, eqs integer)
  language sql stable strict
  as $$
    select g.uuid, coalesce(g.name, 'No unit office'), coalesce(sum(c.alarm_sms), 0)::integer, coalesce(sum(c.health_sms), 0)::integer,
      coalesce(sum(c.resolve_sms), 0)::integer, coalesce(sum(c.other_sms), 0)::integer, coalesce(sum(c.sms_count), 0)::integer,
      coalesce(sum(c.eqs), 0)::integer
    from tocsin.site s full join tocsin_private.sms_counts(range_from, range_to) c on c.site_uuid = s.uuid
    left join tocsin.group g on g.uuid = s.tocsin_group5_uuid
    group by g.uuid, g.name
    having g.uuid is not null or sum(c.sms_count) > 0
    order by g.name
  $$;

create function tocsin.sms_report_by_site(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null)
  returns table (uuid uuid, site_name text, site_id text, alarm_sms integer, health_sms integer, resolve_sms integer, other_sms integer, sms_count integer, eqs integer)
  language sql stable
  as $$
    select s.uuid, coalesce(s.name, 'No site'), coalesce(s.site_id, ''), coalesce(c.alarm_sms, 0), coalesce(c.health_sms, 0), coalesce(c.resolve_sms, 0),
      coalesce(c.other_sms, 0), coalesce(c.sms_count, 0), coalesce(c.eqs, 0)
    from tocsin.site s full join tocsin_private.sms_counts(range_from, range_to) c on c.site_uuid = s.uuid
    where $3 is null or s.tocsin_group5_uuid = $3
    order by s.name, s.uuid
  $$;

-- Counts SMS by day in the customer's time zone. Days without SMS are left out.
create function tocsin.sms_by_day(range_from timestamptz, range_to timestamptz, unit_office_uuid uuid default null)
  returns table (day text, alarm_sms integer, health_sms integer, resolve_sms integer, other_sms integer, sms_count integer, eqs integer)
  language sql stable set jit = off set max_parallel_workers_per_gather = 0
  as $$
    with quarters as (
      -- Groups the notifications by quarter hour first, because converting each notification to a local day would be
      -- slow. Time zone offsets are multiples of 15 minutes, so a quarter hour never spans two days.
      select date_bin('15 minutes', n.notify_time, 'epoch') as quarter, count(*) filter (where n.message_type = 1) as alarm,
        count(*) filter (where n.message_type = 2) as health, count(*) filter (where n.message_type = 3) as resolve,
        count(*) filter (where n.message_type = 4) as other, count(*) as messages, sum(n.segments) as segments
      from tocsin.notification n
      where tocsin_private.check_range($1, $2) and n.method_type = 3 and tocsin_private.was_accepted(n.state, n.provider, n.sent_at)
        and n.notify_time >= $1 and n.notify_time < $2
        and ($3 is null or n.tocsin_site_uuid in (select s.uuid from tocsin.site s where s.tocsin_group5_uuid = $3))
      group by 1
    )
    select (q.quarter at time zone (select tocsin_private.my_zone()))::date::text, sum(q.alarm)::integer, sum(q.health)::integer,
      sum(q.resolve)::integer, sum(q.other)::integer, sum(q.messages)::integer, sum(q.segments)::integer
    from quarters q group by 1 order by 1
  $$;

-- Refuses an unknown method, kind or state.
create or replace function tocsin_private.check_message(way_field text, way integer, of_kind integer, state_field text, state text) returns boolean
  language plpgsql stable parallel safe
  as $$
begin
  if way not between 1 and 4 then
    perform tocsin_private.refuse(way_field, 'Choose 1 (e-mail), 2 (WhatsApp), 3 (SMS) or 4 (app push).');
  end if;
  if of_kind not between 1 and 4 then
    perform tocsin_private.refuse('of_kind', 'Choose 1 (alarm), 2 (health), 3 (resolve) or 4 (other).');
  end if;
  return tocsin_private.check_choice(state_field, state, array['queued', 'sent', 'delivered', 'kept', 'failed', 'out', 'taken']);
end
$$;

-- Returns the method and state of a notification as words, for the search.
create or replace function tocsin_private.method_and_state(way smallint, state text, provider text) returns text language sql immutable parallel safe
  as $$
    select case $1 when 1 then 'e-mail ' when 2 then 'whatsapp ' when 3 then 'sms ' else 'app push ' end
      || case tocsin_private.shown_state($2, $3) when 'kept' then 'no provider, kept in the outbox' else tocsin_private.shown_state($2, $3) end
  $$;

-- Returns the sites whose name or ID contains a search word.
create or replace function tocsin_private.matching_sites(search text) returns table (uuid uuid, word text) language sql stable parallel safe
  as $$
    select s.uuid, w.word from tocsin_private.search_words($1) w (word)
    join tocsin.site s on position(w.word in lower(s.name)) > 0 or position(w.word in lower(s.site_id)) > 0
  $$;

-- Returns the digits of a phone number without leading zeros, so that 0170/123 matches +49170123. Null for text that is
-- not a number or has too few digits.
create or replace function tocsin_private.phone_digits(number text) returns text language sql immutable parallel safe
  as $$
    select case when $1 ~ '^[-+0-9\s()./]+$' then substring(ltrim(regexp_replace($1, '[^0-9]', '', 'g'), '0') from '^.{4,}$') end
  $$;

-- Returns the notifications of the range, filtered by method, state, site, text, recipient and kind. The rows are
-- unordered, so that an export need not wait for a sort. Every search word must match the text, the recipient, the
-- address, the site, the method, the state or the provider's response. Push endpoints are not searched.
create or replace function tocsin_private.delivery_rows(range_from timestamptz, range_to timestamptz, method_type integer, state text,
  search text, unit_office_uuid uuid, site_uuids uuid[], of_person text, of_kind integer)
  returns setof tocsin.notification language sql stable
  as $$
    select n.* from tocsin.notification n
    where tocsin_private.check_range($1, $2) and tocsin_private.check_not_empty('site_uuids', $7, 'Choose at least one site.')
      and tocsin_private.check_message('method_type', $3, $9, 'state', $4)
      and n.notify_time >= $1 and n.notify_time < $2
      and ($3 is null or n.method_type = $3) and tocsin_private.matches_state(n.state, n.provider, n.sent_at, $4)
      and (coalesce($5, '') = '' or not exists (select from tocsin_private.search_words($5) w (word)
        where (position(w.word in lower(n.notify_message)) > 0 or position(w.word in lower(n.recipient_name)) > 0
          or position(w.word in lower(n.provider_answer)) > 0
          or position(w.word in tocsin_private.method_and_state(n.method_type, n.state, n.provider)) > 0
          or (n.tocsin_site_uuid, w.word) in (select s.uuid, s.word from tocsin_private.matching_sites($5) s)
          or n.method_type = 1 and position(w.word in lower(n.address)) > 0
          or $5 ~ '[0-9]' and n.method_type in (2, 3) and position(coalesce(tocsin_private.phone_digits($5), tocsin_private.phone_digits(w.word))
            in tocsin_private.phone_digits(n.address)) > 0) is not true))
      and ($7 is null or n.tocsin_site_uuid = any ($7))
      and ($6 is null or n.tocsin_site_uuid in (select s.uuid from tocsin.site s where s.tocsin_group5_uuid = $6))
      and ($8 is null or n.recipient_name = $8) and ($9 is null or n.message_type = $9)
  $$;
create function tocsin.delivery_report(range_from timestamptz, range_to timestamptz, method_type integer default null, state text default null,
  search text default null, unit_office_uuid uuid default null, site_uuids uuid[] default null, of_person text default null,
  of_kind integer default null, sort text default null)
  returns setof tocsin.notification language sql stable
  as $$
    select n.* from tocsin_private.delivery_rows($1, $2, $3, $4, $5, $6, $7, $8, $9) n left join tocsin.site s on s.uuid = n.tocsin_site_uuid
    where tocsin_private.check_sort($10, array['time', 'way', 'person', 'site', 'state'])
    order by case $10 when 'site' then s.name when 'person' then n.recipient_name end,
      case $10 when '-site' then s.name when '-person' then n.recipient_name end desc nulls last,
      -- Methods are sorted by name, states by progress.
      case ltrim($10, '-') when 'way' then array_position(array[4, 1, 3, 2], n.method_type::integer)
        when 'state' then array_position(array['queued', 'sent', 'delivered', 'kept', 'failed'], tocsin_private.shown_state(n.state, n.provider)) end
        * case when $10 like '-%' then -1 else 1 end,
      case $10 when 'time' then n.notify_time end, n.notify_time desc, n.uuid
  $$;

-- Returns delivery figures by method, or by recipient and method, with the filters of the list. Durations run from the
-- time at which a notification was due until its delivery, or until it was sent if the method has no receipts.
create function tocsin.delivery_figures(range_from timestamptz, range_to timestamptz, by_person boolean default false,
  unit_office_uuid uuid default null, site_uuids uuid[] default null, way integer default null, in_state text default null,
  search text default null, of_person text default null, of_kind integer default null)
  returns table (method_type integer, recipient_name text, messages integer, queued integer, sent integer, delivered integer, kept integer,
    failed integer, median_seconds double precision, p90_seconds double precision) language plpgsql stable set work_mem = '64MB' set jit = off
  set plan_cache_mode = force_custom_plan
  as $$
#variable_conflict use_column
begin
  perform tocsin_private.check_report($1, $2, $5);
  perform tocsin_private.check_message('way', $6, $10, 'in_state', $7);
  return query
    select w.method_type::integer, w.person, w.messages::integer, w.queued::integer, w.sent::integer, w.delivered::integer, w.kept::integer,
      w.failed::integer, w.middle, w.most
    from (
      select m.method_type, m.person, count(*) as messages, count(*) filter (where m.shown_state = 'queued') as queued,
        count(*) filter (where m.shown_state = 'sent') as sent, count(*) filter (where m.shown_state = 'delivered') as delivered,
        count(*) filter (where m.shown_state = 'kept') as kept, count(*) filter (where m.shown_state = 'failed') as failed,
        percentile_cont(0.5) within group (order by m.seconds) as middle, percentile_disc(0.9) within group (order by m.seconds) as most
      from (
        select n.method_type, case when $3 then n.recipient_name end as person, tocsin_private.shown_state(n.state, n.provider) as shown_state,
          case when tocsin_private.was_sent(n.state, n.provider) then
            greatest(0, date_part('epoch', coalesce(n.delivered_at, n.sent_at) - n.notify_time)) end as seconds
        from tocsin_private.delivery_rows($1, $2, $6, $7, $8, $4, $5, $9, $10) n
        offset 0
      ) m
      group by 1, 2
    ) w
    order by w.person, w.method_type;
end
$$;
