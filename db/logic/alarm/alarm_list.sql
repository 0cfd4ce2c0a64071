-- Lists of alarms, and live updates of open pages. All functions run with the caller's rights, so row level security
-- filters the alarms.

-- Counts open alarms by severity. Quiet alarms are counted separately: those that are shelved or in maintenance, and
-- consequences. Also returns when the oldest unacknowledged alarm opened, and when the newest one was created.
create function tocsin.open_alarm_counts() returns table (severity text, open integer, unacknowledged integer,
  oldest_unacknowledged timestamptz, newest_unacknowledged timestamptz, shelved integer, consequences integer) language sql stable
  as $$
    select a.severity, count(*) filter (where a.quiet_because is null)::integer,
      count(*) filter (where a.acknowledge_json is null and a.quiet_because is null)::integer,
      min(a.date_time) filter (where a.acknowledge_json is null and a.quiet_because is null),
      max(a.created_at) filter (where a.acknowledge_json is null and a.quiet_because is null),
      count(*) filter (where a.quiet_because in ('shelved', 'maintenance'))::integer,
      count(*) filter (where a.quiet_because = 'dependency')::integer
    from tocsin.alarm a where a.resolved_date is null
    group by 1 order by tocsin_private.severity_rank(a.severity)
  $$;

-- Returns the words of a search text, at most eight.
create or replace function tocsin_private.search_words(search text) returns setof text language sql immutable parallel safe
  as $$ select w.word from regexp_split_to_table(lower($1), '\s+') w (word) where w.word <> '' limit 8 $$;

-- Returns sites whose ID contains a search word, and assets whose name contains a search word.
create or replace function tocsin_private.matching_places(search text) returns table (uuid uuid, word text)
  language sql stable parallel safe
  as $$
    select s.uuid, w.word from tocsin_private.search_words($1) w (word) join tocsin.site s on position(w.word in lower(s.site_id)) > 0
    union all
    select t.uuid, w.word from tocsin_private.search_words($1) w (word) join tocsin.asset t on position(w.word in lower(t.name)) > 0
  $$;

-- Returns the alarms in which every search word occurs: in the message, site name, site ID, asset name or
-- acknowledgement. Lists, exports and reports share this function, which PostgreSQL inlines. Sites and assets are
-- searched once, not for each alarm.
create or replace function tocsin_private.matching_alarms(search text) returns setof tocsin.alarm language sql stable parallel safe
  as $$
    select a.* from tocsin.alarm a
    where coalesce($1, '') = '' or not exists (select from tocsin_private.search_words($1) w (word)
      where (position(w.word in lower(a.message)) > 0 or position(w.word in lower(a.site_name)) > 0
        or position(w.word in lower(a.asset_name)) > 0 or position(w.word in lower(a.reason)) > 0
        or position(w.word in lower(a.acknowledge_text)) > 0
        or position(w.word in lower(a.acknowledge_json ->> 'name')) > 0
        or (a.tocsin_site_uuid, w.word) in (select p.uuid, p.word from tocsin_private.matching_places($1) p)
        or (a.tocsin_asset_uuid, w.word) in (select p.uuid, p.word from tocsin_private.matching_places($1) p)) is not true)
  $$;

-- Applies the filters of the alarm list. A digest is identified by the uuid of its notification. A time range selects
-- past alarms that were open at any time in the range; it never hides an open alarm. If `is_shelved` is true, only
-- shelved alarms and alarms in maintenance are selected; if it is false, all quiet alarms are left out.
create or replace function tocsin_private.filtered_alarms(is_open boolean, severity text, search text, state text, site_uuid uuid,
  group_uuid uuid, rule_name text, range_from timestamptz, range_to timestamptz, is_shelved boolean, is_mine boolean,
  flood_uuid uuid, digest_uuid uuid)
  returns setof tocsin.alarm language sql stable
  as $$
    select a.* from tocsin_private.matching_alarms($3) a
    where tocsin_private.check_choice('severity', $2, tocsin_private.severities())
      and tocsin_private.check_choice('state', $4, array['waiting', 'acknowledged', 'escalated'])
      and tocsin_private.check_order($8, $9)
      and ($1 is null or (a.resolved_date is null) = $1)
      and ($10 is null or case when $10 then a.resolved_date is null and a.quiet_because in ('shelved', 'maintenance')
        else a.resolved_date is not null or a.quiet_because is null end)
      and ($11 is null or (a.assigned_to = tocsin_private.me()) is true = $11) and ($2 is null or a.severity = $2)
      and case $4 when 'waiting' then a.acknowledge_json is null when 'acknowledged' then a.acknowledge_json is not null
        when 'escalated' then a.escalation_step > 0 else true end
      and ($12 is null or a.uuid in (select tocsin_private.alarms_of_flood($12)))
      and ($13 is null or a.uuid in (select tocsin_definer.alarms_of_digest($13)))
      and ($5 is null or a.tocsin_site_uuid = $5)
      and ($6 is null or a.tocsin_site_uuid in (select s.uuid from tocsin.site s
        where $6 in (s.tocsin_group2_uuid, s.tocsin_group3_uuid, s.tocsin_group4_uuid, s.tocsin_group5_uuid)))
      and ($7 is null or a.rule_name = $7)
      and (($8 is null and $9 is null) or a.resolved_date is null
        or (($8 is null or a.resolved_date >= $8) and ($9 is null or a.date_time < $9)))
  $$;

-- Sorts open alarms by acknowledgement (unacknowledged first), then by severity, newest first; consequences and other
-- quiet alarms come last.
-- Sorts past alarms by resolution time, newest first. If is_open is null, open alarms come before past alarms. With
-- by_site, the alarms of a site stay together: the worst site comes first if is_open is true, otherwise sites are sorted
-- by name.
create function tocsin.alarm_list(is_open boolean default null, severity text default null, search text default null,
  state text default null, site_uuid uuid default null, group_uuid uuid default null, rule_name text default null,
  range_from timestamptz default null, range_to timestamptz default null, by_site boolean default false,
  is_shelved boolean default null, is_mine boolean default null, flood_uuid uuid default null, digest_uuid uuid default null)
  returns setof tocsin.alarm language sql stable
  as $$
    select a.* from tocsin_private.filtered_alarms($1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $12, $13, $14) a
    order by
      case when $10 and $1 then (
        select min(tocsin_private.severity_rank(w.severity) * 2 + (w.acknowledge_json is not null)::integer)
          filter (where w.quiet_because is null) from tocsin.alarm w
        where w.tocsin_site_uuid = a.tocsin_site_uuid and w.resolved_date is null) end,
      case when $10 then a.site_name end, case when $10 then a.tocsin_site_uuid end,
      a.resolved_date desc, case when a.resolved_date is null then
        coalesce(array_position(array['dependency', 'maintenance', 'shelved'], a.quiet_because), 0) end,
      a.acknowledge_json is not null, tocsin_private.severity_rank(a.severity), a.date_time desc, a.uuid
  $$;

-- Bulk actions that read alarm_list page by page pass an explicit order, in which cursors are keys. In the default
-- order, cursors are offsets, which shift when an alarm leaves the list.
comment on function tocsin.alarm_list(boolean, text, text, text, uuid, uuid, text, timestamptz, timestamptz, boolean, boolean, boolean, uuid, uuid) is '@behavior +order';

-- Counts the alarms of a list. Counting the rows of alarm_list would sort them first. The function returns a set,
-- because PostgreSQL would plan a scalar function without knowing its arguments.
create function tocsin.alarm_count(is_open boolean default null, severity text default null, search text default null,
  state text default null, site_uuid uuid default null, group_uuid uuid default null, rule_name text default null,
  range_from timestamptz default null, range_to timestamptz default null,
  is_shelved boolean default null, is_mine boolean default null, flood_uuid uuid default null, digest_uuid uuid default null)
  returns setof integer language sql stable
  as $$ select count(*)::integer from tocsin_private.filtered_alarms($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) $$;

-- Returns the rule names of alarms, for the filter of the alarm list.
create function tocsin.alarm_rule_names() returns setof text language sql stable
  as $$ select distinct a.rule_name from tocsin.alarm a where a.rule_name <> '' order by 1 limit 500 $$;

-- Counts the recipients to whom a notification or a digest was sent.
create function tocsin.alarm_notified_count(alarm tocsin.alarm) returns integer language sql stable
  as $$
    select count(distinct n.recipient)::integer
    from tocsin_private.notifications_of_alarm(alarm.uuid) n where tocsin_private.was_sent(n.state, n.provider)
  $$;
-- The API offers no filter by the number of notified people, because filtering would compute the count for every alarm
-- of the customer.
comment on function tocsin.alarm_notified_count(tocsin.alarm) is '@behavior -filterBy';

-- Returns why nobody was notified of an alarm. `kept`: no sender is configured, so the notifications are in the outbox.
-- `failed`: all attempts failed. `retrying`: sending failed and will be tried again. `no-recipients`: no recipient is
-- configured. `unreachable`: no recipient has a working method. `shelved`, `maintenance`, `dependency`: the alarm was quiet
-- when it opened. `flood`: the alarm opened in a flood and waits for the next digest. Null: someone was notified, the first
-- attempt is in progress, or a user reported the alarm.
create function tocsin.alarm_not_notified_because(alarm tocsin.alarm) returns text language sql stable
  as $$
    select case when bool_or(tocsin_private.was_sent(n.state, n.provider)) or bool_or(n.state = 'queued' and n.attempts = 0) then null
      when bool_or(n.state = 'queued') then 'retrying'
      when bool_or(tocsin_private.shown_state(n.state, n.provider) = 'kept') then 'kept'
      when bool_or(n.state = 'failed') then 'failed'
      when count(*) = 0 and alarm.recipients -> 'alert' = '[]' and alarm.recipients -> 'escalate' = '[]' and not coalesce(alarm.plan ? 'steps', false) then 'no-recipients'
      when count(*) = 0 and jsonb_array_length(alarm.recipients -> 'alert') > 0
        and not jsonb_path_exists(alarm.recipients, '$.alert[*].methods[*]') then 'unreachable'
      when count(*) = 0 and alarm.opened_quiet is not null then alarm.opened_quiet
      when count(*) = 0 and tocsin_definer.waits_for_digest(alarm.uuid) then 'flood' end
    from tocsin_private.notifications_of_alarm(alarm.uuid) n
  $$;
-- Returns the methods of the notifications that were not sent.
create function tocsin.alarm_not_notified_methods(alarm tocsin.alarm) returns integer[] language sql stable
  as $$
    select array(select distinct n.method_type::integer from tocsin_private.notifications_of_alarm(alarm.uuid) n
      where not tocsin_private.was_sent(n.state, n.provider) order by 1)
  $$;
comment on function tocsin.alarm_not_notified_methods(tocsin.alarm) is '@behavior -filterBy';
comment on function tocsin.alarm_not_notified_because(tocsin.alarm) is '@behavior -filterBy';

-- Returns the data points in the conditions of an alarm, in the order of the rule, with their current names and values.
-- Deleted and invisible data points are left out. The uuids are passed as an array for a lookup by key; a join might
-- scan all data points for each alarm.
create function tocsin.alarm_condition_datapoints(alarm tocsin.alarm) returns setof tocsin.asset_datapoint language sql stable
  as $$
    select d.* from tocsin.asset_datapoint d
    where d.uuid = any (array(select n.uuid::uuid from jsonb_array_elements_text(case jsonb_typeof(alarm.criteria -> 'datapoints')
      when 'array' then alarm.criteria -> 'datapoints' else '[]' end) n (uuid)))
    order by position(d.uuid::text in alarm.criteria ->> 'datapoints')
  $$;

-- Returns alarms of data points that were open in the range, newest first. Includes alarms of multi-condition rules
-- that compare one of the data points. Such a rule belongs to one site, so only the alarms of that site are searched.
create function tocsin.alarms_of_datapoints(datapoint_uuids uuid[], "from" timestamptz, "to" timestamptz)
  returns setof tocsin.alarm language sql stable
  as $$
    select a.* from (
      select o.* from tocsin.alarm o
      where o.tocsin_datapoint_uuid = any ($1) and o.date_time < $3 and (o.resolved_date is null or o.resolved_date > $2)
      union all
      select c.* from tocsin.alarm c
      where c.tocsin_datapoint_uuid is null and c.source = 'conditions' and c.criteria -> 'datapoints' ?| $1::text[]
        and c.tocsin_site_uuid in (select t.tocsin_site_uuid from tocsin.asset t join tocsin.asset_datapoint d on d.tocsin_asset_uuid = t.uuid
          where d.uuid = any ($1))
        and c.date_time < $3 and (c.resolved_date is null or c.resolved_date > $2)
    ) a
    order by a.date_time desc, a.uuid
  $$;

-- Returns other alarms of the same rule or data point, newest first. For a silent site, returns its other silence
-- alarms. For an alarm that a user reported, returns the alarms of the site with the same message.
create function tocsin.alarm_similar(alarm tocsin.alarm) returns setof tocsin.alarm language sql stable
  as $$
    select a.* from tocsin.alarm a
    where a.uuid <> alarm.uuid and (a.rule_uuid = alarm.rule_uuid or a.tocsin_datapoint_uuid = alarm.tocsin_datapoint_uuid
      or (alarm.rule_uuid is null and alarm.tocsin_datapoint_uuid is null and a.tocsin_site_uuid = alarm.tocsin_site_uuid
        and a.source = alarm.source and (a.source = 'silence' or a.message = alarm.message)))
    order by a.date_time desc, a.uuid
  $$;

-- Returns the unacknowledged open alarms that concern the user: as a recipient, as an escalation recipient, or because
-- a notification was addressed to the user. Leaves out alarms that are assigned to the user. The worst alarms come
-- first, then the oldest.
create function tocsin.alarms_waiting_for_me() returns setof tocsin.alarm language sql stable
  as $$
    select a.* from tocsin.alarm a
    where a.resolved_date is null and a.acknowledge_json is null and a.quiet_because is null
      and a.assigned_to is distinct from tocsin_private.me()
      and (a.recipients -> 'alert' @> jsonb_build_array(jsonb_build_object('uuid', tocsin_private.me()))
        or a.recipients -> 'escalate' @> jsonb_build_array(jsonb_build_object('uuid', tocsin_private.me()))
        or exists (select from tocsin.notification n where n.tocsin_alarm_uuid = a.uuid and n.tocsin_user_uuid = tocsin_private.me()))
    order by tocsin_private.severity_rank(a.severity), a.date_time, a.uuid
  $$;

-- Returns the caller's notifications, newest first.
create function tocsin.my_notifications() returns setof tocsin.notification language sql stable
  as $$
    select n.* from tocsin.notification n where n.tocsin_user_uuid = tocsin_private.me() order by n.notify_time desc, n.uuid
  $$;

-- Notifies open pages that alarms have changed, once for each customer and transaction (server/live/alarm-news.ts).
create or replace function tocsin_private.announce_alarms() returns trigger language plpgsql
  as $$
begin
  perform pg_notify('tocsin_alarm', c.uuid::text) from (select distinct n.tocsin_customer_uuid as uuid from changed n) c;
  return null;
end
$$;
create trigger announce_new after insert on tocsin.alarm referencing new table as changed
  for each statement execute function tocsin_private.announce_alarms();
create trigger announce_changed after update on tocsin.alarm referencing new table as changed
  for each statement execute function tocsin_private.announce_alarms();
