-- Quiet alarms: alarms that notify nobody and do not escalate, and why.

-- Returns why an alarm of a rule is quiet, given the data point, asset and site of the rule; no row if the alarm is not
-- quiet. If several reasons apply, returns the one that ends last; an unknown end (null) counts as last. `words`
-- contains the names from which domain/alarm/quiet.ts composes its sentence.
create or replace function tocsin_private.quiet_of(alarm uuid, rule uuid, datapoint uuid, asset uuid, site uuid, at timestamptz)
  returns table (because text, source uuid, until timestamptz, words jsonb) language sql stable
  as $$
    select q.because, q.source, q.until, q.words from (
      select 'shelved' as because, s.uuid as source, s.until,
        jsonb_build_object('scope', s.scope, 'targetName', s.target_name, 'userName', s.user_name, 'reason', s.reason) as words
      from tocsin_private.shelving_of($1, $2, $3, $4, $5, $6) s
      union all
      select 'maintenance', m.uuid, m.ends_at, jsonb_build_object('name', m.name)
      from tocsin_private.maintenance_of($3, $4, $5, $6) m
      union all
      -- Only the alarm of a silent site can be a consequence without belonging to a rule. An alarm that a person
      -- reported is never a consequence.
      select 'dependency', d.source, null, d.words from tocsin_private.dependency_of(coalesce($2, $5), $5) d
      where $2 is not null or exists (select from tocsin.alarm a where a.uuid = $1 and a.source = 'silence')
    ) q
    order by q.until desc nulls first, q.because desc, q.source limit 1
  $$;

-- Returns why an open alarm is quiet. Rules with the same message share an alarm, which is quiet only while all of them
-- are. Returns the reason that ends first.
create or replace function tocsin_private.quiet_of_alarm(alarm_uuid uuid, at timestamptz)
  returns table (because text, source uuid, until timestamptz, words jsonb) language sql stable
  as $$
    with alarm as (select a.* from tocsin.alarm a where a.uuid = $1),
    holder as (
      select s.watch_uuid as rule, d.uuid as datapoint, d.tocsin_asset_uuid as asset
      from tocsin_private.rule_state s left join tocsin.rule r on r.uuid = s.watch_uuid
        left join tocsin.asset_datapoint d on d.uuid = coalesce(r.tocsin_datapoint_uuid, s.watch_uuid)
      where s.alarm_uuid = $1 and s.phase in ('open', 'clearing')
    ),
    every_rule as (
      select h.rule, h.datapoint, h.asset from holder h
      union all
      select a.rule_uuid, a.tocsin_datapoint_uuid, a.tocsin_asset_uuid from alarm a where not exists (select from holder)
    ),
    quiet as (
      select q.* from alarm a cross join every_rule r
        left join lateral tocsin_private.quiet_of(a.uuid, r.rule, r.datapoint, r.asset, a.tocsin_site_uuid, $2) q on true
    )
    select q.because, q.source, q.until, q.words from quiet q
    where not exists (select from quiet n where n.because is null) order by q.until nulls last, q.source limit 1
  $$;

set local role tocsin_service;
-- Marks the open alarms of a site that are now quiet, and adds a timeline entry to those that are quiet because of
-- `source`. The entry has `kind`, `sentence` and `detail`, and also records whether an escalation was stopped. The
-- caller must hold a lock on the site's row, so that no alarm opens at the same time. Runs as tocsin_service, because
-- requests are not allowed to write the columns of quiet alarms.
create or replace function tocsin_definer.apply_quiet(site uuid, source uuid, kind text, sentence text, detail jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := tocsin_private.clock();
  one record;
begin
  for one in
    select a.uuid, a.tocsin_customer_uuid, a.next_escalation_at is not null as escalating, q.because, q.source, q.until
    from tocsin.alarm a cross join lateral tocsin_private.quiet_of_alarm(a.uuid, moment) q
    where a.tocsin_site_uuid = apply_quiet.site and a.resolved_date is null
      and (q.because, q.source, q.until) is distinct from (a.quiet_because, a.quiet_source, a.quiet_until)
    order by a.uuid for update of a
  loop
    update tocsin.alarm a set quiet_because = one.because, quiet_source = one.source, quiet_until = one.until,
      tocsin_shelving_uuid = case one.because when 'shelved' then one.source end, next_escalation_at = null, resumes_escalation_at = null
    where a.uuid = one.uuid;
    delete from tocsin_private.deferred_notification d where d.tocsin_alarm_uuid = one.uuid;
    if one.source = apply_quiet.source then
      insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence, detail, tocsin_user_uuid)
      values (one.tocsin_customer_uuid, one.uuid, moment, apply_quiet.kind, apply_quiet.sentence,
        apply_quiet.detail || jsonb_build_object('stopsEscalation', one.escalating), tocsin_private.me());
    end if;
  end loop;
  perform pg_notify('tocsin_live', apply_quiet.site::text);
end
$$;

-- Makes the engine end the quiet time of open alarms that are quiet because of `sources`. The engine checks again
-- whether another reason applies. Also finds alarms by the uuid of their shelving, because processes of the previous
-- version write no other source.
create or replace function tocsin_definer.end_quiet_of(sources uuid[], at timestamptz) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    update tocsin.alarm a set quiet_until = least(a.quiet_until, $2)
    where (a.quiet_source = any ($1) or a.tocsin_shelving_uuid = any ($1)) and a.quiet_because is not null and a.resolved_date is null
  $$;
reset role;
