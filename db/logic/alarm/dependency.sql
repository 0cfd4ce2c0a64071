-- Dependencies: a rule, a multi-condition rule or a site (the dependent) depends on causes. While an alarm of a cause
-- is open, alarms of the dependent are consequences: they are recorded under the alarm of the cause and notify nobody.
-- Managers configure dependencies; operators see those of their sites.
--
-- Functions identify a rule, a multi-condition rule, a digital alarm or a silent site by a single uuid, called `watch`:
-- the same uuid as in alarm.rule_uuid, or the site's uuid for its silence.
grant select (uuid, tocsin_customer_uuid, tocsin_rule_uuid, tocsin_rules_json_uuid, tocsin_site_uuid, cause_rule_uuid,
  cause_rules_json_uuid, cause_datapoint_uuid, cause_site_uuid, dependent_uuid, cause_uuid, created_at),
  insert (tocsin_rule_uuid, tocsin_rules_json_uuid, tocsin_site_uuid, cause_rule_uuid, cause_rules_json_uuid, cause_datapoint_uuid,
    cause_site_uuid), delete on tocsin.dependency to tocsin_request;
create policy manage on tocsin.dependency for all to tocsin_request
  using (tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()))
  with check (tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()));
create policy read_of_sites on tocsin.dependency for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and (tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[]) or exists (select from tocsin.rule r
    where r.uuid = tocsin_rule_uuid and r.tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[]))));

-- Returns the kind, name and site of a watch. Returns no row if the watch was deleted or the user is not allowed to see
-- it.
create or replace function tocsin_private.watch_place(watch uuid) returns table (kind text, name text, site uuid, site_name text)
  language sql stable rows 1
  as $$
    select 'rule', r.name, s.uuid, s.name from tocsin.rule r join tocsin.site s on s.uuid = r.tocsin_site_uuid where r.uuid = $1
    union all
    select 'conditions', j.rule_name, s.uuid, s.name from tocsin.rules_json j
      join tocsin.site s on s.site_id = j.site_id and s.tocsin_customer_uuid = j.tocsin_customer_uuid where j.uuid = $1
    union all
    select 'digital', coalesce(nullif(c.channel_title_text, ''), c.name, d.tocsin_datapoint_name), s.uuid, s.name
    from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid join tocsin.site s on s.uuid = a.tocsin_site_uuid
      left join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid where d.uuid = $1
    union all
    select 'silence', s.name, s.uuid, s.name from tocsin.site s where s.uuid = $1
  $$;

-- Returns whether a watch is a direct or indirect cause of the site. Such a watch does not depend on the site's causes,
-- even if it is a rule of the site.
create or replace function tocsin_private.is_cause_of_site(watch uuid, site uuid) returns boolean language sql stable
  as $$
    with recursive named (watch) as (
      select d.cause_uuid from tocsin.dependency d where d.dependent_uuid = $2
      union
      select d.cause_uuid from named n join tocsin.dependency d on d.dependent_uuid = n.watch
    )
    select exists (select from named n where n.watch = $1)
  $$;

-- Returns the direct and indirect causes of a watch at its site. A rule has its own causes and those of its site.
create or replace function tocsin_private.causes_of_watch(watch uuid, site uuid) returns table (cause uuid, cause_site uuid)
  language sql stable rows 5
  as $$
    with recursive reached (watch, site, is_start) as (
      select $1, $2, true
      union
      select d.cause_uuid, p.site, false
      from reached r join tocsin.dependency d on d.dependent_uuid = any (array[r.watch, r.site])
        and (d.dependent_uuid = r.watch or not tocsin_private.is_cause_of_site(r.watch, r.site))
      cross join lateral tocsin_private.watch_place(d.cause_uuid) p
    )
    select r.watch, r.site from reached r where not r.is_start
  $$;

-- Locks a customer's dependencies until the transaction ends, so that changes to dependencies and openings of the
-- alarms concerned run one after another.
create or replace function tocsin_private.lock_dependencies(customer uuid) returns void language sql volatile
  as $$ select pg_advisory_xact_lock(hashtextextended('dependency ' || $1, 0)) $$;

-- Returns the path from a dependent to itself, such as 'Pump 1 → Mains power → Pump 1'; null if there is none.
create or replace function tocsin_private.dependency_cycle(dependent uuid) returns text language plpgsql stable
  as $$
declare
  queue uuid[] := array[$1];
  -- Maps each watch to the watch from which it was reached.
  before jsonb := '{}';
  path text;
  item uuid;
  one record;
begin
  while cardinality(queue) > 0 loop
    item := queue[1];
    queue := queue[2:];
    for one in
      select d.cause_uuid as next from tocsin.dependency d where d.dependent_uuid = item
      union
      select p.site from tocsin_private.watch_place(item) p where p.site <> item
        and exists (select from tocsin.dependency d where d.dependent_uuid = p.site)
        and not tocsin_private.is_cause_of_site(item, p.site)
      order by 1
    loop
      continue when before ? one.next::text;
      before := before || jsonb_build_object(one.next, item);
      queue := queue || one.next;
    end loop;
    exit when before ? $1::text;
  end loop;
  if not before ? $1::text then return null; end if;
  item := $1;
  path := (select p.name from tocsin_private.watch_place(item) p);
  loop
    item := (before ->> item::text)::uuid;
    path := (select p.name from tocsin_private.watch_place(item) p) || ' → ' || path;
    exit when item = $1;
  end loop;
  return path;
end
$$;

-- A rule or site may have at most ten causes, and must not depend on itself.
create or replace function tocsin_private.guard_dependency() returns trigger language plpgsql
  as $$
declare
  cycle text;
begin
  perform tocsin_private.lock_dependencies(new.tocsin_customer_uuid);
  if (select count(*) from tocsin.dependency d where d.dependent_uuid = new.dependent_uuid) > 10 then
    perform tocsin_private.refuse('causes', 'Choose at most 10 causes.');
  end if;
  if new.cause_datapoint_uuid is not null and not exists (select from tocsin.asset_datapoint d
      join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
      where d.uuid = new.cause_datapoint_uuid and d.sensor_type = 1 and c.channel_alarm_condition <> 2) then
    perform tocsin_private.refuse('causes', 'Choose a data point whose digital channel has an alarm state.');
  end if;
  cycle := tocsin_private.dependency_cycle(new.dependent_uuid);
  if cycle is not null then
    perform tocsin_private.refuse('causes', format('This would create a cycle: %s. Remove one of these causes.', cycle));
  end if;
  return null;
end
$$;
create trigger check_cycle after insert on tocsin.dependency for each row execute function tocsin_private.guard_dependency();

-- Replaces the causes of a rule, multi-condition rule or site. If the list is null, keeps the stored causes. Runs with
-- the caller's rights.
create or replace function tocsin_private.set_causes(kind text, dependent uuid, causes uuid[]) returns void language plpgsql
  as $$
begin
  if causes is null then return; end if;
  causes := array_remove(causes, null);
  perform tocsin_private.lock_dependencies(tocsin_private.my_customer());
  delete from tocsin.dependency d where d.dependent_uuid = dependent and d.cause_uuid <> all (causes);
  if exists (select from unnest(causes) c where not exists (select from tocsin_private.watch_place(c))) then
    perform tocsin_private.refuse('causes', 'A cause no longer exists. Remove it from the list.');
  end if;
  insert into tocsin.dependency (tocsin_rule_uuid, tocsin_rules_json_uuid, tocsin_site_uuid, cause_rule_uuid, cause_rules_json_uuid,
    cause_datapoint_uuid, cause_site_uuid)
  select case when $1 = 'rule' then $2 end, case when $1 = 'conditions' then $2 end, case when $1 = 'site' then $2 end,
    case when p.kind = 'rule' then c.uuid end, case when p.kind = 'conditions' then c.uuid end, case when p.kind = 'digital' then c.uuid end,
    case when p.kind = 'silence' then c.uuid end
  from (select distinct c from unnest(causes) c) c (uuid) cross join lateral tocsin_private.watch_place(c.uuid) p
  where not exists (select from tocsin.dependency d where d.dependent_uuid = dependent and d.cause_uuid = c.uuid);
end
$$;

-- Returns the direct causes of a rule, multi-condition rule or site.
create or replace function tocsin_private.named_causes(dependent uuid) returns setof tocsin.cause language sql stable rows 10
  as $$
    select d.cause_uuid, p.kind, p.name, p.site, p.site_name from tocsin.dependency d
    cross join lateral tocsin_private.watch_place(d.cause_uuid) p
    where d.dependent_uuid = $1 order by p.name, p.site_name, d.cause_uuid
  $$;
create function tocsin.rule_causes(rule tocsin.rule) returns setof tocsin.cause language sql stable rows 10
  as $$ select * from tocsin_private.named_causes(rule.uuid) $$;
create function tocsin.rules_json_causes(rule tocsin.rules_json) returns setof tocsin.cause language sql stable rows 10
  as $$ select * from tocsin_private.named_causes(rule.uuid) $$;
create function tocsin.site_causes(site tocsin.site) returns setof tocsin.cause language sql stable rows 10
  as $$ select * from tocsin_private.named_causes(site.uuid) $$;
-- The API offers no filters for the lists of causes, because the lists are short.
comment on function tocsin.rule_causes(tocsin.rule) is '@behavior -filterProc';
comment on function tocsin.rules_json_causes(tocsin.rules_json) is '@behavior -filterProc';
comment on function tocsin.site_causes(tocsin.site) is '@behavior -filterProc';

-- Returns the rules, multi-condition rules, digital alarms and sites that can be chosen as causes. Every search word
-- must occur in the cause's name or in the name of its site. Causes at the given site come first.
create function tocsin.cause_choices(search text default null, site_uuid uuid default null) returns setof tocsin.cause
  language sql stable rows 30
  as $$
    with choice as (
      select r.uuid, 'rule' as kind, r.name, r.tocsin_site_uuid as site from tocsin.rule r
      union all
      select j.uuid, 'conditions', j.rule_name, s.uuid from tocsin.rules_json j
        join tocsin.site s on s.site_id = j.site_id and s.tocsin_customer_uuid = j.tocsin_customer_uuid
      union all
      select d.uuid, 'digital', coalesce(nullif(c.channel_title_text, ''), c.name), a.tocsin_site_uuid from tocsin.asset_datapoint d
        join tocsin.asset a on a.uuid = d.tocsin_asset_uuid join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
      where d.sensor_type = 1 and c.channel_alarm_condition <> 2
      union all
      select s.uuid, 'silence', s.name, s.uuid from tocsin.site s
    )
    select c.uuid, c.kind, c.name, s.uuid, s.name from choice c join tocsin.site s on s.uuid = c.site
    where tocsin_private.is_manager() and not exists (select from tocsin_private.search_words($1) w (word)
      where position(w.word in lower(c.name || ' ' || s.name)) = 0)
    order by s.uuid is distinct from $2, lower(c.name), lower(s.name), c.uuid limit 30
  $$;
comment on function tocsin.cause_choices(text, uuid) is '@behavior -filterProc';
