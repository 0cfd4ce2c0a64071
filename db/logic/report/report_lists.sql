-- Functions that list the alarms of each figure of the alarm performance report.

-- Returns the current name of a rule; null if the rule was deleted.
create or replace function tocsin_private.name_of_rule(uuid uuid) returns text language plpgsql stable
  as $$
begin
  return coalesce((select r.name from tocsin.rule r where r.uuid = $1), (select j.rule_name from tocsin.rules_json j where j.uuid = $1));
end
$$;

-- Returns whether the reason of an acknowledgement is marked as nuisance today. `rule_names` are the names of the rule: a
-- renamed rule keeps its reasons, but its earlier alarms keep the old name. PL/pgSQL caches the plan.
create or replace function tocsin_private.is_nuisance(site_uuid uuid, rule_names text[], reason text) returns boolean language plpgsql stable
  as $$
begin
  return exists (
    select from tocsin.rule_alert l join tocsin.reason n on n.rule_uuid = l.uuid
    where l.tocsin_site_uuid = $1 and l.tocsin_rule_name = any ($2) and n.is_nuisance and lower(n.reason) = lower($3));
end
$$;

-- Returns the alarms of the range that notified nobody, with the cause. Kind `shelved`: the alarm opened while it
-- was shelved; the cause is the reason for the shelving. Kind `unreached`: no notification was sent; the cause is that of
-- `alarm_not_notified_because`. Kind `suppressed`: the alarm opened while it was quiet for another reason, or every opening
-- notification was suppressed. The cause is the code of the reason; empty for repeats within ten minutes. The candidates
-- come from partial indexes, because most alarms notify somebody.
create or replace function tocsin_private.performance_unnotified(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid)
  returns table (uuid uuid, rule_uuid uuid, kind text, cause text)
  language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
begin
  return query
    with candidates as (
      select a.uuid from tocsin.alarm a where a.created_at >= $1 and a.created_at < $2 and a.opened_quiet is not null
      union
      select a.uuid from tocsin.alarm a where a.created_at >= $1 and a.created_at < $2 and a.recipient_uuids = '{}'
      union
      select a.uuid from tocsin.alarm a where a.created_at >= $1 and a.created_at < $2 and a.recipient_uuids is null
        and not jsonb_path_exists(a.recipients, '$.alert[*].methods[*]')
      union
      select n.tocsin_alarm_uuid from tocsin.notification n where n.state in ('queued', 'failed') or n.provider = 'outbox'
      union
      select e.tocsin_alarm_uuid from tocsin.notification n cross join unnest(n.digest_uuids) p (part)
        join tocsin.alarm_event e on e.kind = 'digest' and e.detail ->> 'digest' = p.part::text
      where n.state in ('queued', 'failed') or n.provider = 'outbox'
      union
      select e.tocsin_alarm_uuid from tocsin.alarm_event e
      where e.kind = 'not-notified' and (e.detail ->> 'because' = 'said-before' or e.detail ->> 'suppressed' = 'opening')
    ), found as (
      select a.uuid, a.rule_uuid, a.opened_quiet, s.reason,
        case when a.opened_quiet is null then tocsin.alarm_not_notified_because(a) end as because,
        case when a.opened_quiet is null and not exists (select from tocsin_private.notifications_of_alarm(a.uuid) n) then (
          select max(case e.detail ->> 'because' when 'said-before' then '' else e.detail ->> 'because' end) from tocsin.alarm_event e
          where e.tocsin_alarm_uuid = a.uuid and e.kind = 'not-notified'
            and (e.detail ->> 'because' = 'said-before' or e.detail ->> 'suppressed' = 'opening')) end as suppressed
      from candidates c join tocsin.alarm a on a.uuid = c.uuid
      -- The current shelving of the alarm; otherwise the shelving that was active when the alarm opened.
      left join lateral (
        select s.reason from tocsin.shelving s
        where a.opened_quiet = 'shelved' and (s.uuid = a.tocsin_shelving_uuid or a.tocsin_shelving_uuid is null
          and s.tocsin_site_uuid = a.tocsin_site_uuid and s.created_at <= a.created_at and coalesce(s.ended_at, s.until) > a.created_at
          and s.target_uuid = case s.scope when 'rule' then a.rule_uuid when 'datapoint' then a.tocsin_datapoint_uuid
            when 'asset' then a.tocsin_asset_uuid when 'site' then a.tocsin_site_uuid end)
        order by s.until desc, s.uuid limit 1
      ) s on true
      where a.created_at >= $1 and a.created_at < $2 and ($4 is null or a.tocsin_site_uuid = any ($4))
        and ($3 is null or a.tocsin_site_uuid in (select g.uuid from tocsin.site g where g.tocsin_group5_uuid = $3))
        and ($5 is null or a.rule_uuid = $5)
        and ($6 is null or $6 = any (coalesce(a.recipient_uuids, tocsin_private.recipients_with_methods(a.recipients))))
    )
    select f.uuid, f.rule_uuid, k.kind,
      case k.kind when 'shelved' then coalesce(f.reason, '') when 'unreached' then f.because else coalesce(f.opened_quiet, f.suppressed) end
    from found f cross join lateral (
      select case when f.opened_quiet = 'shelved' then 'shelved' when f.opened_quiet is not null then 'suppressed'
        when f.because <> 'flood' then 'unreached' when f.suppressed is not null then 'suppressed' end as kind
    ) k
    where k.kind is not null;
end
$$;

-- Returns the alarms that a figure of the report counts. `only` selects the figure; `cause` narrows the list of alarms
-- that notified nobody. The function has the same filters as the report, so that a list has as many alarms as its
-- figure.
create or replace function tocsin_private.alarms_of_figure(
  range_from timestamptz, range_to timestamptz, unit_office_uuid uuid, site_uuids uuid[], of_rule uuid, to_recipient uuid,
  "only" text, cause text)
  returns setof uuid language plpgsql stable set work_mem = '64MB' set jit = off set plan_cache_mode = force_custom_plan
  as $$
declare
  now timestamptz := tocsin_private.clock();
  stale_hours integer;
  flood_end integer;
begin
  perform tocsin_private.check_choice('only', $7, array['addressed', 'acknowledged', 'nuisance', 'busy', 'flood', 'top', 'chattering', 'fleeting',
    'stale', 'shelved', 'suppressed', 'unreached']);
  if $7 in ('shelved', 'suppressed', 'unreached') then
    return query select u.uuid from tocsin_private.performance_unnotified($1, $2, $3, $4, $5, $6) u
      where u.kind = $7 and ($8 is null or u.cause = $8);
    return;
  end if;
  select c.stale_hours, c.flood_end_alarms into stale_hours, flood_end
  from tocsin.customer c where c.uuid = tocsin_private.my_customer();
  return query
    with range_alarms as (
      select a.* from tocsin.alarm a
      where a.created_at >= $1 and a.created_at < $2 and ($4 is null or a.tocsin_site_uuid = any ($4))
        and ($3 is null or a.tocsin_site_uuid in (select s.uuid from tocsin.site s where s.tocsin_group5_uuid = $3))
        and ($5 is null or a.rule_uuid = $5)
        and ($6 is null or $6 = any (coalesce(a.recipient_uuids, tocsin_private.recipients_with_methods(a.recipients))))
    )
    select a.uuid from range_alarms a
    where case $7
      when 'fleeting' then a.resolved_date - a.date_time <= interval '30 seconds'
      when 'stale' then coalesce(a.resolved_date, now) - a.date_time > make_interval(hours => stale_hours)
      when 'addressed' then a.opened_quiet is null
        and coalesce(a.recipient_uuids, tocsin_private.recipients_with_methods(a.recipients)) <> '{}'
      when 'acknowledged' then a.acknowledge_json ->> 'at' is not null
      when 'nuisance' then a.reason is not null
        and tocsin_private.is_nuisance(a.tocsin_site_uuid, array[a.rule_name, tocsin_private.name_of_rule(a.rule_uuid)], a.reason)
      when 'chattering' then (a.rule_uuid, a.date_time) in (
        select c.rule_uuid, c.opened from tocsin_private.chattering_openings($1, $2, $3, $4, $5, $6) c)
      when 'busy' then tocsin_private.period_of(a.created_at, $1) in (
        select l.period from tocsin_private.performance_load($1, $2, $3, $4, $5, $6) l where l.alarms > 10)
      when 'flood' then a.uuid in (
        select o.uuid from tocsin_private.performance_floods($1, $2, $3, $4, $5, $6, flood_end) f
          join tocsin_private.flood_places() p on p.place = f.place
          join tocsin.alarm o on o.tocsin_site_uuid = p.site and o.opened_quiet is null and o.created_at >= f.began and o.created_at < f.ended)
      when 'top' then a.rule_uuid in (
        select t.rule_uuid from tocsin_private.performance_by_rule($1, $2, $3, $4, $5, $6) t
        where t.rule_uuid is not null order by t.alarms desc, 1 limit 10)
      else false end;
end
$$;
