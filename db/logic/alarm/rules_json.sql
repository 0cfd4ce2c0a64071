-- Checks multi-condition rules before they are written, and deletes rules that lost their data points. The policies are
-- in rule.sql. The API has already validated the JSON with domain/rule/conditions.ts. This trigger makes only the
-- checks that need the database: JSON that jsonb can read, data points of the rule's own site, and known placeholders.
create or replace function tocsin_private.guard_rules_json() returns trigger language plpgsql
  as $$
declare
  rule jsonb;
  site uuid;
  message text;
  foreign_fact record;
begin
  begin
    rule := new.rule_json::jsonb;
  exception
    when invalid_text_representation or untranslatable_character then
      perform tocsin_private.refuse('rule_json', 'This is not valid JSON. Check brackets, commas and quotation marks.');
  end;
  message := rule #>> '{event,params,message}';
  if message is not null and tocsin_private.me() is not null and tocsin_private.unknown_placeholders(message) <> '{}'
    and not exists (select from tocsin.rules_json j where j.rule_json::jsonb #>> '{event,params,message}' = message) then
    perform tocsin_private.refuse_placeholders('rule_json', message);
  end if;
  select s.uuid into site from tocsin.site s
  where s.site_id = new.site_id and s.tocsin_customer_uuid = coalesce(new.tocsin_customer_uuid, tocsin_private.my_customer());
  -- A missing site is refused by the foreign key, with a separate message.
  if site is null then return new; end if;
  -- Walks through the JSON, so that the error can name the path of the fact, such as conditions.all[0].fact.
  with recursive node (path, value) as (
    select 'conditions', rule -> 'conditions'
    union all
    select n.path || inner_node.step, inner_node.value from node n cross join lateral (
      select '.' || o.key, o.value from jsonb_each(case jsonb_typeof(n.value) when 'object' then n.value else '{}' end) o
      union all
      select format('[%s]', a.place - 1), a.value
      from jsonb_array_elements(case jsonb_typeof(n.value) when 'array' then n.value else '[]' end) with ordinality a (value, place)
    ) inner_node (step, value)
  )
  select n.path, n.value #>> '{}' as uuid into foreign_fact from node n
  where n.path like '%.fact' and not exists (select from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
    where d.uuid::text = lower(n.value #>> '{}') and a.tocsin_site_uuid = site)
  limit 1;
  if found then
    perform tocsin_private.refuse('rule_json', format('%s is "%s", which is not a data point of the site. Choose a data point of the site.',
      foreign_fact.path, left(foreign_fact.uuid, 60)));
  end if;
  return new;
end
$$;
create trigger guard before insert or update of rule_json, site_id on tocsin.rules_json
  for each row execute function tocsin_private.guard_rules_json();

-- When a data point is deleted, deletes the multi-condition rules that compare this data point, because they could
-- never open or clear an alarm again. Runs as tocsin_service, because users who may delete a sensor may not be allowed
-- to change rules.
set local role tocsin_service;
create or replace function tocsin_definer.end_conditions() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from tocsin.rules_json j where j.tocsin_customer_uuid in (select g.tocsin_customer_uuid from gone g)
    and tocsin_private.compares_any(j.rule_json, array(select g.uuid from gone g));
  return null;
end
$$;
reset role;
create trigger end_conditions after delete on tocsin.asset_datapoint referencing old table as gone
  for each statement execute function tocsin_definer.end_conditions();

create function tocsin.delete_rules_json(rule_name text, site_id text) returns tocsin.rules_json language plpgsql volatile strict
  as $$
declare
  gone tocsin.rules_json;
begin
  delete from tocsin.rules_json j where j.rule_name = $1 and j.site_id = $2 returning j.* into gone;
  if not found then perform tocsin_private.refuse_missing(); end if;
  return gone;
end
$$;
