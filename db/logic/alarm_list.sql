-- Alarms as lists, and the news of them. All of it runs with the rights of the person who asks: row level security decides
-- which alarms and messages there are.

-- Open alarms by severity, since when the oldest of them that nobody acknowledged is open, and when the newest of those came.
create function tocsin.open_alarm_counts() returns table (severity text, open integer, unacknowledged integer,
  oldest_unacknowledged timestamptz, newest_unacknowledged timestamptz) language sql stable
  as $$
    select a.severity, count(*)::integer, count(*) filter (where a.acknowledge_json is null)::integer,
      min(a.date_time) filter (where a.acknowledge_json is null), max(a.created_at) filter (where a.acknowledge_json is null)
    from tocsin.alarm a where a.resolved_date is null
    group by 1 order by tocsin_private.severity_rank(a.severity)
  $$;

-- The words of a search, eight at most.
create or replace function tocsin_private.words_of(search text) returns setof text language sql immutable parallel safe
  as $$ select w.word from regexp_split_to_table(lower($1), '\s+') w (word) where w.word <> '' limit 8 $$;

-- Sites by the words of a search that their ID has, and assets by those that their name has.
create or replace function tocsin_private.places_with_words(search text) returns table (uuid uuid, word text)
  language sql stable parallel safe
  as $$
    select s.uuid, w.word from tocsin_private.words_of($1) w (word) join tocsin.site s on position(w.word in lower(s.site_id)) > 0
    union all
    select t.uuid, w.word from tocsin_private.words_of($1) w (word) join tocsin.asset t on position(w.word in lower(t.name)) > 0
  $$;

-- Alarms in which each word of a search is found: in the message, the name or the ID of the site, the name of the asset, or in who
-- acknowledged it, with which reason and in which words. The lists, their files and the reports are all searched by this; it is
-- written into their questions. The places are asked for once and not for each alarm.
create or replace function tocsin_private.alarms_with_words(search text) returns setof tocsin.alarm language sql stable parallel safe
  as $$
    select a.* from tocsin.alarm a
    where coalesce($1, '') = '' or not exists (select from tocsin_private.words_of($1) w (word)
      where (position(w.word in lower(a.message)) > 0 or position(w.word in lower(a.site_name)) > 0
        or position(w.word in lower(a.asset_name)) > 0 or position(w.word in lower(a.reason)) > 0
        or position(w.word in lower(a.acknowledge_text)) > 0
        or position(w.word in lower(a.acknowledge_json ->> 'name')) > 0
        or (a.tocsin_site_uuid, w.word) in (select p.uuid, p.word from tocsin_private.places_with_words($1) p)
        or (a.tocsin_asset_uuid, w.word) in (select p.uuid, p.word from tocsin_private.places_with_words($1) p)) is not true)
  $$;

-- Alarms by whatever narrows a list of them. A range narrows what is past to those that were open at some time in it: an open alarm
-- is never hidden by it.
create or replace function tocsin_private.alarms_like(is_open boolean, severity text, search text, state text, site_uuid uuid,
  group_uuid uuid, rule_name text, range_from timestamptz, range_to timestamptz)
  returns setof tocsin.alarm language sql stable
  as $$
    select a.* from tocsin_private.alarms_with_words($3) a
    where tocsin_private.check_choice('severity', $2, tocsin_private.severities())
      and tocsin_private.check_choice('state', $4, array['waiting', 'acknowledged', 'escalated'])
      and tocsin_private.check_order($8, $9)
      and ($1 is null or (a.resolved_date is null) = $1) and ($2 is null or a.severity = $2)
      and case $4 when 'waiting' then a.acknowledge_json is null when 'acknowledged' then a.acknowledge_json is not null
        when 'escalated' then a.escalation_step > 0 else true end
      and ($5 is null or a.tocsin_site_uuid = $5)
      and ($6 is null or a.tocsin_site_uuid in (select s.uuid from tocsin.site s
        where $6 in (s.tocsin_group2_uuid, s.tocsin_group3_uuid, s.tocsin_group4_uuid, s.tocsin_group5_uuid)))
      and ($7 is null or a.rule_name = $7)
      and (($8 is null and $9 is null) or a.resolved_date is null
        or (($8 is null or a.resolved_date >= $8) and ($9 is null or a.date_time < $9)))
  $$;

-- Open alarms with those first that nobody has acknowledged, worst and newest first; past ones, last resolved first; or without
-- is_open both. By site, the sites come worst first where all are open, and by name otherwise.
create function tocsin.alarm_list(is_open boolean default null, severity text default null, search text default null,
  state text default null, site_uuid uuid default null, group_uuid uuid default null, rule_name text default null,
  range_from timestamptz default null, range_to timestamptz default null, by_site boolean default false)
  returns setof tocsin.alarm language sql stable
  as $$
    select a.* from tocsin_private.alarms_like($1, $2, $3, $4, $5, $6, $7, $8, $9) a
    order by
      case when $10 and $1 then (
        select min(tocsin_private.severity_rank(w.severity) * 2 + (w.acknowledge_json is not null)::integer) from tocsin.alarm w
        where w.tocsin_site_uuid = a.tocsin_site_uuid and w.resolved_date is null) end,
      case when $10 then a.site_name end, case when $10 then a.tocsin_site_uuid end,
      a.resolved_date desc, a.acknowledge_json is not null, tocsin_private.severity_rank(a.severity), a.date_time desc, a.uuid
  $$;

-- In an order of its own the cursors of the list are places in it, and move when an alarm leaves it. Whoever acknowledges page by
-- page names an order, and the cursors are then keys.
comment on function tocsin.alarm_list(boolean, text, text, text, uuid, uuid, text, timestamptz, timestamptz, boolean) is '@behavior +order';

-- How many alarms a list has, as one row. Counting the list itself would put all of them in order first, and a function that
-- answers a single value is planned without its arguments.
create function tocsin.alarm_count(is_open boolean default null, severity text default null, search text default null,
  state text default null, site_uuid uuid default null, group_uuid uuid default null, rule_name text default null,
  range_from timestamptz default null, range_to timestamptz default null)
  returns setof integer language sql stable
  as $$ select count(*)::integer from tocsin_private.alarms_like($1, $2, $3, $4, $5, $6, $7, $8, $9) $$;

-- The names of rules that alarms have, to choose from.
create function tocsin.alarm_rule_names() returns setof text language sql stable
  as $$ select distinct a.rule_name from tocsin.alarm a where a.rule_name <> '' order by 1 limit 500 $$;

-- How many people have been told of an alarm: by a message that went out.
create function tocsin.alarm_told_count(alarm tocsin.alarm) returns integer language sql stable
  as $$
    select count(distinct coalesce(n.tocsin_user_uuid::text, n.recipient_name))::integer
    from tocsin.notification n where n.tocsin_alarm_uuid = alarm.uuid and tocsin_private.went_out(n.state, n.provider)
  $$;
-- Counting for every alarm of the customer in order to filter would be dear.
comment on function tocsin.alarm_told_count(tocsin.alarm) is '@behavior -filterBy';

-- Why nobody was notified of an alarm. `kept`: no sender is set up, so its messages only lie in the outbox. `failed`: given up.
-- `retrying`: the sender fails and is tried again. `nobody-joined`: nobody is named. `unreachable`: nothing reaches those who are.
-- Null where somebody was notified, while its messages are on their way for the first time, and where a person reported it.
create function tocsin.alarm_untold_because(alarm tocsin.alarm) returns text language sql stable
  as $$
    select case when bool_or(tocsin_private.went_out(n.state, n.provider)) or bool_or(n.state = 'queued' and n.attempts = 0) then null
      when bool_or(n.state = 'queued') then 'retrying'
      when bool_or(tocsin_private.message_fate(n.state, n.provider) = 'kept') then 'kept'
      when bool_or(n.state = 'failed') then 'failed'
      when count(*) = 0 and alarm.recipients -> 'alert' = '[]' and alarm.recipients -> 'escalate' = '[]' then 'nobody-joined'
      when count(*) = 0 and jsonb_array_length(alarm.recipients -> 'alert') > 0
        and not jsonb_path_exists(alarm.recipients, '$.alert[*].ways[*]') then 'unreachable' end
    from tocsin.notification n where n.tocsin_alarm_uuid = alarm.uuid
  $$;
-- The methods of the messages that reached nobody, for the words about it.
create function tocsin.alarm_untold_methods(alarm tocsin.alarm) returns integer[] language sql stable
  as $$
    select array(select distinct n.method_type::integer from tocsin.notification n where n.tocsin_alarm_uuid = alarm.uuid
      and not tocsin_private.went_out(n.state, n.provider) order by 1)
  $$;
comment on function tocsin.alarm_untold_methods(tocsin.alarm) is '@behavior -filterBy';
comment on function tocsin.alarm_untold_because(tocsin.alarm) is '@behavior -filterBy';

-- The data points that the conditions of an alarm name, in the order of the rule; none where it was not judged by conditions. Names
-- and values are those of now, and what whoever asks may not see, or what is gone, is left out. As a list
-- they are looked up by their keys; joined, all there are might be read for each alarm.
create function tocsin.alarm_condition_datapoints(alarm tocsin.alarm) returns setof tocsin.asset_datapoint language sql stable
  as $$
    select d.* from tocsin.asset_datapoint d
    where d.uuid = any (array(select n.uuid::uuid from jsonb_array_elements_text(case jsonb_typeof(alarm.judged_by -> 'datapoints')
      when 'array' then alarm.judged_by -> 'datapoints' else '[]' end) n (uuid)))
    order by position(d.uuid::text in alarm.judged_by ->> 'datapoints')
  $$;

-- The alarms of data points that were open in a range of time, newest first: of each by itself, and of conditions that name any of them.
-- Conditions are of one site, so that only its alarms are looked through.
create function tocsin.alarms_of_datapoints(datapoint_uuids uuid[], "from" timestamptz, "to" timestamptz)
  returns setof tocsin.alarm language sql stable
  as $$
    select a.* from (
      select o.* from tocsin.alarm o
      where o.tocsin_datapoint_uuid = any ($1) and o.date_time < $3 and (o.resolved_date is null or o.resolved_date > $2)
      union all
      select c.* from tocsin.alarm c
      where c.tocsin_datapoint_uuid is null and c.source = 'conditions' and c.judged_by -> 'datapoints' ?| $1::text[]
        and c.tocsin_site_uuid in (select t.tocsin_site_uuid from tocsin.asset t join tocsin.asset_datapoint d on d.tocsin_asset_uuid = t.uuid
          where d.uuid = any ($1))
        and c.date_time < $3 and (c.resolved_date is null or c.resolved_date > $2)
    ) a
    order by a.date_time desc, a.uuid
  $$;

-- Earlier and later alarms of the same rule or data point, newest first. A silent site is like its other silences, and what
-- people reported like what was reported there in the same words.
create function tocsin.alarm_similar(alarm tocsin.alarm) returns setof tocsin.alarm language sql stable
  as $$
    select a.* from tocsin.alarm a
    where a.uuid <> alarm.uuid and (a.rule_uuid = alarm.rule_uuid or a.tocsin_datapoint_uuid = alarm.tocsin_datapoint_uuid
      or (alarm.rule_uuid is null and alarm.tocsin_datapoint_uuid is null and a.tocsin_site_uuid = alarm.tocsin_site_uuid
        and a.source = alarm.source and (a.source = 'silence' or a.message = alarm.message)))
    order by a.date_time desc, a.uuid
  $$;

-- Open alarms that wait for the person who asks: nobody has acknowledged them, and they are addressed to this person or this is among
-- those they are escalated to. Worst first, and in it the oldest.
create function tocsin.alarms_waiting_for_me() returns setof tocsin.alarm language sql stable
  as $$
    select a.* from tocsin.alarm a
    where a.resolved_date is null and a.acknowledge_json is null
      and (a.recipients -> 'alert' @> jsonb_build_array(jsonb_build_object('uuid', tocsin_private.me()))
        or a.recipients -> 'escalate' @> jsonb_build_array(jsonb_build_object('uuid', tocsin_private.me()))
        or exists (select from tocsin.notification n where n.tocsin_alarm_uuid = a.uuid and n.tocsin_user_uuid = tocsin_private.me()))
    order by tocsin_private.severity_rank(a.severity), a.date_time, a.uuid
  $$;

-- The messages to the person who asks, newest first.
create function tocsin.my_notifications() returns setof tocsin.notification language sql stable
  as $$
    select n.* from tocsin.notification n where n.tocsin_user_uuid = tocsin_private.me() order by n.notify_time desc, n.uuid
  $$;

-- Whoever changes alarms says whose they are, once for each transaction, so that open pages ask again (server/live/alarm-news.ts).
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
