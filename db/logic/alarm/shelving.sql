-- Shelving: a user silences an alarm, rule, data point, asset or site for a limited time. Managers see all shelvings of
-- the customer; operators see those of their sites. Both may shelve. All shelvings are changed by the functions in this
-- file.
grant select (uuid, tocsin_customer_uuid, scope, target_uuid, tocsin_site_uuid, target_name, site_name, user_name, reason,
  tocsin_user_uuid, created_at, until, ended_at, ended_how, ended_by_name) on tocsin.shelving to tocsin_request;
create policy read on tocsin.shelving for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and ((select tocsin_private.is_manager()) or tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])));

-- Returns the active shelving that covers a rule. If there are several, returns the one that ends last.
create or replace function tocsin_private.shelving_of(alarm uuid, rule uuid, datapoint uuid, asset uuid, site uuid, at timestamptz)
  returns setof tocsin.shelving language sql stable
  as $$
    select s.* from tocsin.shelving s
    where s.tocsin_site_uuid = $5 and s.ended_at is null and s.until > $6 and s.target_uuid = case s.scope
      when 'alarm' then $1 when 'rule' then $2 when 'datapoint' then $3 when 'asset' then $4 else $5 end
    order by s.until desc, s.uuid limit 1
  $$;

-- Returns the shelving of an open alarm. Only processes of the previous version use this function; use `quiet_of_alarm`
-- instead.
create or replace function tocsin_private.shelving_of_alarm(alarm_uuid uuid, at timestamptz) returns setof tocsin.shelving
  language sql stable
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
    shelved as (
      select s.* from alarm a cross join every_rule r
        left join lateral tocsin_private.shelving_of(a.uuid, r.rule, r.datapoint, r.asset, a.tocsin_site_uuid, $2) s on true
    )
    select s.* from shelved s where not exists (select from shelved n where n.uuid is null) order by s.until, s.uuid limit 1
  $$;

-- Returns the longest time for which the user may shelve.
create or replace function tocsin_private.my_longest_shelving() returns interval language sql stable
  as $$
    select make_interval(hours => case when tocsin_private.is_manager() then c.manager_shelve_hours else c.operator_shelve_hours end)
    from tocsin.customer c where c.uuid = tocsin_private.my_customer()
  $$;

-- Returns the end of a shelving. The user enters the end as a time or as a number of minutes from now. Refuses an end
-- that is in the past or too far in the future. A time may exceed the limit by one minute, because clients' clocks
-- differ.
create or replace function tocsin_private.shelving_end(until timestamptz, minutes integer) returns timestamptz language plpgsql stable
  as $$
declare
  moment timestamptz := tocsin_private.clock();
  longest interval := tocsin_private.my_longest_shelving();
  hours integer := extract(epoch from longest) / 3600;
begin
  if ($1 is null) = ($2 is null) then
    perform tocsin_private.refuse('until', 'Choose a duration or an end time, not both.');
  elsif $2 is not null and $2 < 1 then
    perform tocsin_private.refuse('minutes', 'Choose a duration of at least one minute.');
  elsif $1 <= moment then
    perform tocsin_private.refuse('until', '@shelve-past');
  elsif $1 > moment + longest + interval '1 minute' or $2 > hours * 60 then
    perform tocsin_private.refuse(case when $1 is null then 'minutes' else 'until' end,
      format('You may shelve for at most %s. Choose a time before %s.',
        case when hours % 24 = 0 and hours > 24 then hours / 24 || ' days' when hours = 1 then '1 hour' else hours || ' hours' end,
        tocsin_private.local_time(moment + longest)));
  end if;
  return coalesce($1, moment + make_interval(mins => $2));
end
$$;

create or replace function tocsin_private.check_shelving_reason(reason text) returns text language plpgsql immutable
  as $$
declare
  written text := btrim(regexp_replace(coalesce(reason, ''), '\s+', ' ', 'g'));
begin
  if written = '' then
    perform tocsin_private.refuse('reason', '@shelve-reason');
  elsif length(written) > 500 then
    perform tocsin_private.refuse('reason', 'Enter a reason of at most 500 characters.');
  end if;
  return written;
end
$$;

set local role tocsin_service;
-- Marks the open alarms that a shelving concerns as quiet. `kind` and `sentence` are stored in the timeline entry of
-- each alarm.
create or replace function tocsin_definer.apply_shelving(shelving tocsin.shelving, kind text, sentence text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    select tocsin_definer.apply_quiet(($1).tocsin_site_uuid, ($1).uuid, $2, $3,
      jsonb_build_object('reason', ($1).reason, 'until', ($1).until, 'scope', ($1).scope))
  $$;

-- Stores a shelving and applies it to the open alarms. The caller must check the input first.
create or replace function tocsin_definer.start_shelving(scope text, target uuid, site uuid, name text, reason text, until timestamptz)
  returns tocsin.shelving
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  stored tocsin.shelving;
  what text := case scope when 'alarm' then 'the alarm' else format('the %s "%s"', case scope when 'datapoint' then 'data point' else scope end, name) end;
begin
  -- Inserting an alarm locks the row of its site (foreign key). This lock therefore waits for alarms that are about to
  -- open, and alarms that open later see the shelving.
  perform from tocsin.site s where s.uuid = site and s.tocsin_customer_uuid = tocsin_private.my_customer() for update;
  if not found then perform tocsin_private.refuse_missing(); end if;
  select s.* into stored from tocsin.shelving s
  where s.tocsin_site_uuid = site and s.scope = start_shelving.scope and s.target_uuid = target and s.ended_at is null and s.until > tocsin_private.clock();
  if found then
    perform tocsin_private.refuse('target_uuid', format('%s already shelved %s until %s. Extend that shelving instead.', stored.user_name, what,
      tocsin_private.local_time(stored.until)));
  end if;
  perform tocsin_definer.expire_shelvings();
  insert into tocsin.shelving (tocsin_customer_uuid, scope, target_uuid, tocsin_site_uuid, target_name, site_name, user_name, reason,
    tocsin_user_uuid, created_at, until)
  select s.tocsin_customer_uuid, start_shelving.scope, target, site, start_shelving.name, s.name, tocsin_definer.my_name(),
    start_shelving.reason, tocsin_private.me(), tocsin_private.clock(), start_shelving.until
  from tocsin.site s where s.uuid = site returning * into stored;
  perform tocsin_definer.apply_shelving(stored, 'shelved', format('%s shelved %s until %s: %s.', stored.user_name, what,
    tocsin_private.local_time(stored.until), rtrim(stored.reason, '.')));
  return stored;
end
$$;

create or replace function tocsin_definer.extend_shelving(shelving_uuid uuid, until timestamptz) returns tocsin.shelving
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  stored tocsin.shelving;
begin
  update tocsin.shelving s set until = extend_shelving.until
  where s.uuid = shelving_uuid and s.tocsin_customer_uuid = tocsin_private.my_customer() and s.ended_at is null returning * into stored;
  if not found then perform tocsin_private.refuse_missing(); end if;
  perform tocsin_definer.apply_shelving(stored, 'shelving-extended', format('%s extended the shelving until %s.', tocsin_definer.my_name(),
    tocsin_private.local_time(stored.until)));
  return stored;
end
$$;

-- Ends shelvings early. The engine then notifies people of the alarms that are still open.
create or replace function tocsin_definer.end_shelvings(uuids uuid[], how text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := tocsin_private.clock();
begin
  update tocsin.shelving s set ended_at = moment, ended_how = how, ended_by_name = case how when 'resolved' then '' else tocsin_definer.my_name() end
  where s.uuid = any (uuids) and s.ended_at is null;
  -- The alarms of a deleted rule are about to be resolved. Their quiet time therefore ends ten seconds later, so that
  -- people are notified only of alarms that remain open.
  perform tocsin_definer.end_quiet_of(uuids, moment + case how when 'deleted' then interval '10 seconds' else interval '0' end);
  perform pg_notify('tocsin_quiet', '') where how = 'person';
end
$$;

create or replace function tocsin_definer.end_shelving(shelving_uuid uuid) returns tocsin.shelving
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  ended tocsin.shelving;
begin
  perform from tocsin.shelving s where s.uuid = shelving_uuid and s.tocsin_customer_uuid = tocsin_private.my_customer();
  if not found then perform tocsin_private.refuse_missing(); end if;
  perform tocsin_definer.end_shelvings(array[shelving_uuid], 'person');
  select s.* into ended from tocsin.shelving s where s.uuid = shelving_uuid;
  return ended;
end
$$;

create or replace function tocsin_definer.expire_shelvings() returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    update tocsin.shelving s set ended_at = s.until, ended_how = 'expired'
    where s.ended_at is null and s.until <= tocsin_private.clock()
  $$;

-- A shelving of a single alarm ends when that alarm is resolved.
create or replace function tocsin_definer.end_shelving_of_alarm() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  perform tocsin_definer.end_shelvings(array(select s.uuid from tocsin.shelving s
    where s.tocsin_site_uuid = new.tocsin_site_uuid and s.scope = 'alarm' and s.target_uuid = new.uuid and s.ended_at is null), 'resolved');
  return null;
end
$$;

-- A shelving ends when its rule, data point, asset or site is deleted.
create or replace function tocsin_definer.end_shelvings_of_deleted() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  perform tocsin_definer.end_shelvings(u.uuids, 'deleted')
  from (select array_agg(s.uuid) as uuids from tocsin.shelving s
    where s.target_uuid = old.uuid and s.tocsin_customer_uuid = old.tocsin_customer_uuid and s.ended_at is null) u
  where u.uuids is not null;
  return old;
end
$$;
reset role;

create trigger end_shelving after update of resolved_date on tocsin.alarm for each row
  when (new.resolved_date is not null and old.resolved_date is null and new.quiet_because is not null)
  execute function tocsin_definer.end_shelving_of_alarm();
do $$
declare
  item text;
begin
  foreach item in array array['rule', 'rules_json', 'asset_datapoint', 'asset', 'site'] loop
    execute format('create trigger end_shelvings before delete on tocsin.%I for each row execute function tocsin_definer.end_shelvings_of_deleted()', item);
  end loop;
end
$$;

-- Returns the site and name of the object that a user wants to shelve. Returns no row if the user is not allowed to
-- shelve it.
create or replace function tocsin_private.shelvable(scope text, target uuid) returns table (site uuid, name text) language sql stable
  as $$
    select f.site, f.name from (
      select a.tocsin_site_uuid as site, a.message as name from tocsin.alarm a where $1 = 'alarm' and a.uuid = $2
      union all
      (select a.tocsin_site_uuid, a.rule_name from tocsin.alarm a where $1 = 'rule' and a.rule_uuid = $2 and a.resolved_date is null limit 1)
      union all
      select r.tocsin_site_uuid, r.name from tocsin.rule r where $1 = 'rule' and r.uuid = $2
      union all
      select t.tocsin_site_uuid, d.tocsin_datapoint_name from tocsin.asset_datapoint d join tocsin.asset t on t.uuid = d.tocsin_asset_uuid
      where $1 = 'datapoint' and d.uuid = $2
      union all
      select t.tocsin_site_uuid, t.name from tocsin.asset t where $1 = 'asset' and t.uuid = $2
      union all
      select s.uuid, s.name from tocsin.site s where $1 = 'site' and s.uuid = $2) f
    where tocsin_private.is_manager() or f.site = any (tocsin_private.my_sites())
    limit 1
  $$;

-- Returns whether critical alarms are open in the scope, or whether a rule in the scope opens critical alarms.
create or replace function tocsin_private.shelves_critical(scope text, target uuid, site uuid) returns boolean language sql stable
  as $$
    select exists (select from tocsin.alarm a where a.tocsin_site_uuid = $3 and a.resolved_date is null and a.severity = 'critical'
        and $2 = case $1 when 'alarm' then a.uuid when 'rule' then a.rule_uuid when 'datapoint' then a.tocsin_datapoint_uuid
          when 'asset' then a.tocsin_asset_uuid else a.tocsin_site_uuid end)
      or $1 <> 'alarm' and exists (select from tocsin.rule r where r.tocsin_site_uuid = $3 and r.priority = 'critical' and r.enabled
        and $2 = case $1 when 'rule' then r.uuid when 'datapoint' then r.tocsin_datapoint_uuid
          when 'asset' then r.tocsin_asset_uuid else r.tocsin_site_uuid end)
  $$;

-- Silences an alarm, rule, data point, asset or site. The end is a time or a number of minutes from now. Rules are
-- still evaluated, and alarms are recorded as shelved, but nobody is notified. If the shelving can silence critical
-- alarms, confirm_critical must be true.
create function tocsin.shelve(scope text, target_uuid uuid, reason text, until timestamptz default null, minutes integer default null,
    confirm_critical boolean default false)
  returns tocsin.shelving language plpgsql volatile
  as $$
declare
  place record;
  ends timestamptz;
  written text;
begin
  perform tocsin_private.check_choice('scope', $1, array['alarm', 'rule', 'datapoint', 'asset', 'site']);
  select * into place from tocsin_private.shelvable($1, $2);
  if place.site is null then perform tocsin_private.refuse_missing(); end if;
  perform tocsin_private.refuse('target_uuid', format('This alarm was already resolved on %s.', tocsin_private.local_time(a.resolved_date)))
  from tocsin.alarm a where $1 = 'alarm' and a.uuid = $2 and a.resolved_date is not null;
  ends := tocsin_private.shelving_end($4, $5);
  written := tocsin_private.check_shelving_reason($3);
  if not coalesce($6, false) and tocsin_private.shelves_critical($1, $2, place.site) then
    perform tocsin_private.refuse('confirm_critical', format('%s critical. Confirm that nobody needs to be notified until %s.',
      case $1 when 'alarm' then 'This alarm is' else 'Alarms here can be' end, tocsin_private.local_time(ends)));
  end if;
  return tocsin_definer.start_shelving($1, $2, place.site, place.name, written, ends);
end
$$;

-- Returns a shelving that has not ended and that the user may see.
create or replace function tocsin_private.active_shelving(shelving_uuid uuid) returns tocsin.shelving language plpgsql stable
  as $$
declare
  found_shelving tocsin.shelving;
begin
  select s.* into found_shelving from tocsin.shelving s where s.uuid = $1;
  if not found then perform tocsin_private.refuse_missing(); end if;
  if found_shelving.ended_at is not null or found_shelving.until <= tocsin_private.clock() then
    perform tocsin_private.refuse('uuid', format('The shelving ended on %s. Shelve again if it is still needed.',
      tocsin_private.local_time(least(found_shelving.until, found_shelving.ended_at))));
  end if;
  return found_shelving;
end
$$;

-- Extends a shelving. The new end is a time or a number of minutes from now.
create function tocsin.extend_shelving(uuid uuid, until timestamptz default null, minutes integer default null)
  returns tocsin.shelving language plpgsql volatile
  as $$
declare
  active tocsin.shelving := tocsin_private.active_shelving($1);
  ends timestamptz := tocsin_private.shelving_end($2, $3);
begin
  if ends <= active.until then
    perform tocsin_private.refuse(case when $2 is null then 'minutes' else 'until' end,
      format('The shelving already lasts until %s. Choose a later time, or end the shelving.', tocsin_private.local_time(active.until)));
  end if;
  return tocsin_definer.extend_shelving($1, ends);
end
$$;

-- Ends a shelving early. People are notified at once of alarms that are still open.
create function tocsin.end_shelving(uuid uuid) returns tocsin.shelving language sql volatile
  as $$ select tocsin_definer.end_shelving(s.uuid) from tocsin_private.active_shelving($1) s $$;

-- Returns the active shelvings, sorted by end time.
create function tocsin.active_shelvings(site_uuid uuid default null) returns setof tocsin.shelving language sql stable
  as $$
    select s.* from tocsin.shelving s
    where s.ended_at is null and s.until > tocsin_private.clock() and ($1 is null or s.tocsin_site_uuid = $1)
    order by s.until, s.uuid
  $$;

-- Returns everything that a user can shelve because of an open alarm: the alarm itself, its rule, data point, asset and
-- site. Each row has the number of enabled rules and open alarms that the shelving would cover. `critical` is true if
-- the shelving can silence critical alarms, which the user must confirm.
create function tocsin.shelving_choices(alarm_uuid uuid)
  returns table (scope text, target_uuid uuid, name text, rules integer, open_alarms integer, critical boolean) language sql stable
  as $$
    select c.scope, c.target, s.name,
      (select count(*)::integer from tocsin.rule r where r.enabled and r.tocsin_site_uuid = a.tocsin_site_uuid
        and c.target = case c.scope when 'datapoint' then r.tocsin_datapoint_uuid when 'asset' then r.tocsin_asset_uuid
          when 'site' then r.tocsin_site_uuid end),
      (select count(*)::integer from tocsin.alarm o where o.resolved_date is null and o.tocsin_site_uuid = a.tocsin_site_uuid
        and c.target = case c.scope when 'alarm' then o.uuid when 'rule' then o.rule_uuid when 'datapoint' then o.tocsin_datapoint_uuid
          when 'asset' then o.tocsin_asset_uuid else o.tocsin_site_uuid end),
      tocsin_private.shelves_critical(c.scope, c.target, a.tocsin_site_uuid)
    from tocsin.alarm a
      cross join lateral (values (1, 'alarm', a.uuid), (2, 'rule', a.rule_uuid), (3, 'datapoint', a.tocsin_datapoint_uuid),
        (4, 'asset', a.tocsin_asset_uuid), (5, 'site', a.tocsin_site_uuid)) c (place, scope, target)
      cross join lateral tocsin_private.shelvable(c.scope, c.target) s
    where a.uuid = $1 and a.resolved_date is null
    order by c.place
  $$;

-- Returns the longest time for which the user may shelve, in hours.
create function tocsin.longest_shelving_hours() returns integer language sql stable
  as $$ select (extract(epoch from tocsin_private.my_longest_shelving()) / 3600)::integer $$;
