-- Consequences: alarms of a dependent that are open while an alarm of its cause is open. See dependency.sql for the
-- dependencies and the word "watch", and quiet.sql for quiet alarms.

-- Returns the name of a cause for use in sentences.
create or replace function tocsin_private.cause_text(kind text, name text, site_name text) returns text language sql immutable parallel safe
  as $$ select case $1 when 'silence' then 'the silence of ' || $3 else '"' || $2 || '" at ' || $3 end $$;

-- Returns what a cause is called to readers who may see the site of its consequence, but no other site.
create or replace function tocsin_private.cause_text_at(site uuid, cause_site uuid, kind text, name text, site_name text) returns text
  language sql immutable parallel safe
  as $$ select case when $1 = $2 then tocsin_private.cause_text($3, $4, $5) else 'an alarm at another site' end $$;

-- Returns the open alarm of a watch: the alarm that the watch opened, or one that it shares with other rules. The alarm is
-- null for the watches in the setting `tocsin.opening`, because they open their alarm later in this transaction.
create or replace function tocsin_private.alarm_of_watch(watch uuid) returns table (alarm uuid, at timestamptz)
  language sql stable rows 1
  as $$
    select o.alarm, o.at from (
      select a.uuid as alarm, a.date_time as at from tocsin.alarm a where a.rule_uuid = $1 and a.resolved_date is null
      union all
      select a.uuid, a.date_time from tocsin_private.rule_state s join tocsin.alarm a on a.uuid = s.alarm_uuid
      where s.watch_uuid = $1 and s.phase in ('open', 'clearing') and a.resolved_date is null
      union all
      select a.uuid, a.date_time from tocsin.alarm a where a.tocsin_site_uuid = $1 and a.source = 'silence' and a.resolved_date is null
      union all
      select null, null where $1 = any (string_to_array(nullif(current_setting('tocsin.opening', true), ''), ',')::uuid[])
    ) o
    order by o.at nulls last, o.alarm limit 1
  $$;

-- Returns the root cause of an alarm of a watch: the cause in alarm that has no cause in alarm itself. If there are
-- several, returns the one whose alarm opened first. Returns no row if no cause is in alarm. A watch that is its own
-- cause is never a root cause, so a cycle cannot silence alarms. `words` is stored in timelines and notifications, whose
-- readers might not be allowed to see sites other than `site`.
create or replace function tocsin_private.dependency_of(watch uuid, site uuid)
  returns table (source uuid, words jsonb) language sql stable rows 1
  as $$
    with in_alarm as materialized (
      select c.cause as watch, c.cause_site as site, a.alarm, a.at from tocsin_private.causes_of_watch($1, $2) c
      cross join lateral tocsin_private.alarm_of_watch(c.cause) a
    )
    select i.alarm, jsonb_build_object('cause', tocsin_private.cause_text_at($2, p.site, p.kind, p.name, p.site_name))
    from in_alarm i cross join lateral tocsin_private.watch_place(i.watch) p
    where not exists (select from tocsin_private.causes_of_watch(i.watch, i.site) c join in_alarm o on o.watch = c.cause)
    order by i.at nulls last, i.watch limit 1
  $$;

-- Returns the open alarms of these watches. For a site, returns all open alarms at the site except those that a person
-- reported.
create or replace function tocsin_private.open_alarms_of(watches uuid[]) returns setof tocsin.alarm language sql stable
  as $$
    select a.* from tocsin.alarm a where a.resolved_date is null and a.source <> 'person' and a.uuid in (
      select o.uuid from tocsin.alarm o where o.rule_uuid = any ($1) and o.resolved_date is null
      union
      select o.uuid from tocsin.alarm o where o.tocsin_site_uuid = any ($1) and o.resolved_date is null
      union
      select s.alarm_uuid from tocsin_private.rule_state s where s.watch_uuid = any ($1) and s.phase in ('open', 'clearing'))
  $$;

-- Serializes openings of alarms that concern the same dependencies, so that a cause and its consequence see each other
-- even if different processes open them. Call this before alarms of these watches or silent sites open, and before
-- their rows are locked. `opening` lists the watches that will have an open alarm when the transaction ends. Returns
-- whether there are dependencies.
create or replace function tocsin_private.begin_openings(watches uuid[], opening uuid[]) returns boolean language plpgsql volatile
  as $$
begin
  perform tocsin_private.lock_dependencies(c.customer) from (
    select distinct d.tocsin_customer_uuid as customer from tocsin.dependency d
    where d.cause_uuid = any ($1) or d.dependent_uuid = any ($1) order by 1) c;
  if not found then return false; end if;
  perform set_config('tocsin.opening', array_to_string($2, ','), true);
  return true;
end
$$;

-- Stores the alarm under which a consequence is recorded, and keeps it even when the alarm is no longer a consequence.
create or replace function tocsin_private.keep_cause_alarm() returns trigger language plpgsql
  as $$
begin
  new.tocsin_cause_alarm_uuid := new.quiet_source;
  return new;
end
$$;
create trigger keep_cause_alarm before update of quiet_source on tocsin.alarm for each row
  when (new.quiet_because = 'dependency' and new.quiet_source is not null and new.tocsin_cause_alarm_uuid is distinct from new.quiet_source)
  execute function tocsin_private.keep_cause_alarm();

set local role tocsin_service;
-- Records the open alarms that depend on these watches under their cause. Call it after the states of the rules are
-- written. Runs as tocsin_service, because requests are not allowed to write the columns of quiet alarms.
create or replace function tocsin_definer.record_consequences(watches uuid[]) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := tocsin_private.clock();
  dependents uuid[];
  one record;
begin
  perform set_config('tocsin.opening', '', true);
  with recursive link as materialized (
    select d.dependent_uuid, d.cause_uuid, p.site from tocsin.dependency d
    cross join lateral tocsin_private.watch_place(d.cause_uuid) p
    where d.tocsin_customer_uuid in (select c.tocsin_customer_uuid from tocsin.dependency c where c.cause_uuid = any (watches))
  ), reached (watch) as (
    select l.dependent_uuid from link l where l.cause_uuid = any (watches)
    union
    -- If a site depends on a cause, so do the dependents of the site's rules.
    select l.dependent_uuid from reached r join link l on r.watch in (l.cause_uuid, l.site)
  )
  select array_agg(r.watch) into dependents from reached r;
  if dependents is null then return; end if;
  -- Locks the alarms before they are checked, so that the engine cannot end their quiet time in between.
  perform from tocsin.alarm a where a.uuid in (select o.uuid from tocsin_private.open_alarms_of(dependents) o) order by a.uuid for update;
  for one in
    select a.uuid, a.tocsin_customer_uuid, a.next_escalation_at is not null as escalating, a.quiet_because, a.quiet_source, q.source, q.words
    from tocsin_private.open_alarms_of(dependents) a cross join lateral tocsin_private.quiet_of_alarm(a.uuid, moment) q
    where q.because = 'dependency' and (a.quiet_because, a.quiet_source) is distinct from ('dependency', q.source)
    order by a.uuid
  loop
    update tocsin.alarm a set quiet_because = 'dependency', quiet_source = one.source, quiet_until = null, tocsin_shelving_uuid = null,
      next_escalation_at = null, resumes_escalation_at = null
    where a.uuid = one.uuid;
    delete from tocsin_private.deferred_notification d where d.tocsin_alarm_uuid = one.uuid;
    -- An alarm that opened in this transaction already has its timeline entry, so none is added.
    continue when one.quiet_because = 'dependency' and one.quiet_source is null;
    insert into tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid, at, kind, sentence, detail)
    values (one.tocsin_customer_uuid, one.uuid, moment, 'dependency-started',
      format('The alarm is a consequence of %s. Nobody is notified until that alarm ends.', one.words ->> 'cause'),
      jsonb_build_object('because', 'dependency', 'stage', 'dependency', 'cause', one.source, 'stopsEscalation', one.escalating));
  end loop;
end
$$;

-- Ends the quiet time of consequences whose cause has ended. The engine then checks whether another cause is in alarm;
-- if not, it notifies people. Skips rows that another transaction has locked.
create or replace function tocsin_definer.end_dependencies() returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    update tocsin.alarm a set quiet_until = tocsin_private.clock()
    where a.uuid in (
      select o.uuid from tocsin.alarm o
      where o.quiet_because = 'dependency' and o.quiet_until is null and o.resolved_date is null
        and not exists (select from tocsin.alarm c where c.uuid = o.quiet_source and c.resolved_date is null)
      for update skip locked)
  $$;

-- Wakes the engine when the cause of quiet alarms ends.
create or replace function tocsin_definer.end_cause() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from tocsin.alarm a where a.quiet_source = new.uuid and a.resolved_date is null) then
    perform pg_notify('tocsin_quiet', '');
  end if;
  return null;
end
$$;

-- A new dependency applies to open alarms at once. When a dependency is removed, the engine checks again which alarms
-- are quiet.
create or replace function tocsin_definer.follow_dependency() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op = 'INSERT' then
    perform tocsin_definer.record_consequences(array[new.cause_uuid]);
    return null;
  end if;
  -- The alarms of a deleted rule are about to be resolved. Their quiet time therefore ends ten seconds later, so that
  -- people are notified only of alarms that remain open.
  update tocsin.alarm a set quiet_until = tocsin_private.clock() + case when pg_trigger_depth() > 1 then interval '10 seconds' else interval '0' end
  where a.tocsin_customer_uuid = old.tocsin_customer_uuid and a.quiet_because = 'dependency' and a.resolved_date is null;
  if found then perform pg_notify('tocsin_quiet', ''); end if;
  return null;
end
$$;
reset role;
create trigger end_cause after update of resolved_date on tocsin.alarm for each row
  when (new.resolved_date is not null and old.resolved_date is null) execute function tocsin_definer.end_cause();
create trigger follow after insert or delete on tocsin.dependency for each row execute function tocsin_definer.follow_dependency();

set local role tocsin_service;
-- Returns the name of the alarm's cause, such as '"Mains power" at Mill', or no name if the user is not allowed to see the
-- site of the cause. Runs as tocsin_service, because such users cannot read the alarm of the cause.
create or replace function tocsin_definer.cause_of_alarm(alarm uuid) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select case when tocsin_private.is_manager() or c.tocsin_site_uuid = any (tocsin_private.my_sites())
      then tocsin_private.cause_text(c.source, c.rule_name, c.site_name)
      else tocsin_private.cause_text_at(a.tocsin_site_uuid, c.tocsin_site_uuid, c.source, c.rule_name, c.site_name) end
    from tocsin.alarm a join tocsin.alarm c on c.uuid = a.tocsin_cause_alarm_uuid
    where a.uuid = $1 and a.tocsin_customer_uuid = tocsin_private.my_customer()
      and (tocsin_private.is_manager() or a.tocsin_site_uuid = any (tocsin_private.my_sites()))
  $$;
reset role;
-- Returns the name of the cause under which the alarm was last recorded; null if it was never a consequence.
create function tocsin.alarm_cause_name(alarm tocsin.alarm) returns text language sql stable
  as $$ select case when alarm.tocsin_cause_alarm_uuid is not null then tocsin_definer.cause_of_alarm(alarm.uuid) end $$;
comment on function tocsin.alarm_cause_name(tocsin.alarm) is '@behavior -filterBy';
