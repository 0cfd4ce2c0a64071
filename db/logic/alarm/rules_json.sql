-- Multi-condition rules: validation of the JSON, and deletion. Policies are in rule.sql. Accepts what domain/rule/conditions.ts
-- compiles: all, any, not, comparisons of data points, and an event. An invalid rule would never open an alarm.
create or replace function tocsin_private.guard_keys(node jsonb, place text, known text[]) returns void language plpgsql
  as $$
declare
  stranger text := (select k from jsonb_object_keys(node) k where k <> all (known) order by k limit 1);
begin
  if stranger is not null then
    perform tocsin_private.refuse('rule_json', format('%s has the unknown key "%s". Remove it.', place, left(stranger, 60)));
  end if;
end
$$;
-- True if all entries are finite numbers.
create or replace function tocsin_private.are_numbers(list jsonb) returns boolean language sql immutable
  as $$ select coalesce(bool_and(case jsonb_typeof(v) when 'number' then abs((v #>> '{}')::numeric) < 1.7e308 else false end), false)
    from jsonb_array_elements(list) v $$;
-- Returns the number of comparisons.
create or replace function tocsin_private.guard_conditions(node jsonb, place text, depth integer, site uuid) returns integer language plpgsql
  as $$
declare
  item jsonb;
  number integer := 0;
  comparisons integer := 0;
  words text[];
begin
  if jsonb_typeof(node) is distinct from 'object' then
    perform tocsin_private.refuse('rule_json', format('%s must be an object.', place));
  end if;
  words := array(select w from unnest(array['all', 'any', 'not']) w where node ? w);
  if cardinality(words) = 0 then
    perform tocsin_private.guard_comparison(node, place, site);
    return 1;
  end if;
  if depth > 8 then
    perform tocsin_private.refuse('rule_json', format('%s is nested more than 8 levels deep. Make the conditions flatter.', place));
  end if;
  if cardinality(words) > 1 then
    perform tocsin_private.refuse('rule_json', format('%s has both %s and %s. Put one inside the other.', place, words[1], words[2]));
  end if;
  perform tocsin_private.guard_keys(node, place, array[words[1], 'name', 'priority']);
  if words[1] = 'not' then
    return tocsin_private.guard_conditions(node -> 'not', place || '.not', depth + 1, site);
  end if;
  if (case jsonb_typeof(node -> words[1]) when 'array' then jsonb_array_length(node -> words[1]) = 0 else true end) then
    perform tocsin_private.refuse('rule_json', format('%s.%s must be a list with at least one condition.', place, words[1]));
  end if;
  for item in select * from jsonb_array_elements(node -> words[1]) loop
    comparisons := comparisons
      + tocsin_private.guard_conditions(item, format('%s.%s[%s]', place, words[1], number), depth + 1, site);
    number := number + 1;
  end loop;
  return comparisons;
end
$$;
create or replace function tocsin_private.guard_comparison(node jsonb, place text, site uuid) returns void language plpgsql
  as $$
begin
  if jsonb_typeof(node -> 'fact') is distinct from 'string' then
    perform tocsin_private.refuse('rule_json', format('%s needs all, any, not, or a fact: the uuid of a data point.', place));
  end if;
  perform tocsin_private.guard_keys(node, place, array['fact', 'operator', 'value', 'name', 'priority']);
  if coalesce(node ->> 'operator', '') not in ('equal', 'notEqual', 'lessThan', 'lessThanInclusive', 'greaterThan',
    'greaterThanInclusive', 'in', 'notIn') then
    perform tocsin_private.refuse('rule_json', format('%s.operator must be equal, notEqual, lessThan, lessThanInclusive, greaterThan, greaterThanInclusive, in or notIn.', place));
  end if;
  -- Parentheses, because PL/pgSQL would take the first THEN of the CASE as its own.
  if not (case when node ->> 'operator' not in ('in', 'notIn') then tocsin_private.are_numbers(jsonb_build_array(node -> 'value'))
      when jsonb_typeof(node -> 'value') = 'array' then tocsin_private.are_numbers(node -> 'value') else false end) then
    perform tocsin_private.refuse('rule_json', format('%s.value must be a number, or a list of numbers for in and notIn.', place));
  end if;
  -- A missing site is refused by its foreign key, with its own message.
  if site is not null and not exists (select from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
    where d.uuid::text = lower(node ->> 'fact') and a.tocsin_site_uuid = site) then
    perform tocsin_private.refuse('rule_json', format('%s.fact: the site has no data point %s.', place, left(node ->> 'fact', 60)));
  end if;
end
$$;
create or replace function tocsin_private.guard_event(event jsonb) returns void language plpgsql
  as $$
declare
  params jsonb := coalesce(event -> 'params', '{}');
begin
  if jsonb_typeof(event -> 'type') is distinct from 'string' or event ->> 'type' = '' then
    perform tocsin_private.refuse('rule_json', 'The rule needs an event with a type, such as {"type": "alarm", "params": {"message": "…"}}.');
  end if;
  perform tocsin_private.guard_keys(event, 'event', array['type', 'params']);
  if jsonb_typeof(params) <> 'object' then
    perform tocsin_private.refuse('rule_json', 'event.params must be an object with message, priority and debounce.');
  end if;
  perform tocsin_private.guard_keys(params, 'event.params', array['message', 'priority', 'debounce', 'severity']);
  if params ? 'message' and (jsonb_typeof(params -> 'message') <> 'string' or length(params ->> 'message') > 500) then
    perform tocsin_private.refuse('rule_json', 'event.params.message must be a text of at most 500 characters.');
  end if;
  if params ? 'priority' and coalesce(params ->> 'priority', '') not in ('low', 'medium', 'high', 'critical') then
    perform tocsin_private.refuse('rule_json', 'event.params.priority must be low, medium, high or critical.');
  end if;
  if params ? 'severity' and coalesce(params ->> 'severity', '') not in ('minor', 'major', 'critical') then
    perform tocsin_private.refuse('rule_json', 'event.params.severity must be minor, major or critical.');
  end if;
  if params ? 'debounce' and not (case jsonb_typeof(params -> 'debounce') when 'number'
      then (params ->> 'debounce')::numeric between 0 and 604800 and (params ->> 'debounce')::numeric % 1 = 0 else false end) then
    perform tocsin_private.refuse('rule_json', 'event.params.debounce must be whole seconds from 0 to 604800 (seven days).');
  end if;
end
$$;
create or replace function tocsin_private.guard_rules_json() returns trigger language plpgsql
  as $$
declare
  rule jsonb;
  site uuid;
  message text;
begin
  begin
    rule := new.rule_json::jsonb;
  exception
    when invalid_text_representation or untranslatable_character then
      perform tocsin_private.refuse('rule_json', 'This is not valid JSON. Check brackets, commas and quotation marks.');
  end;
  if jsonb_typeof(rule) <> 'object' or jsonb_typeof(rule -> 'conditions') is distinct from 'object' then
    perform tocsin_private.refuse('rule_json', 'A rule is a JSON object with conditions and an event.');
  end if;
  perform tocsin_private.guard_keys(rule, 'The rule', array['conditions', 'event', 'name', 'priority']);
  if rule ? 'priority' and jsonb_typeof(rule -> 'priority') <> 'number' then
    perform tocsin_private.refuse('rule_json', 'Put the priority of the alarm into event.params.priority.');
  end if;
  if not rule -> 'conditions' ?| array['all', 'any', 'not'] then
    perform tocsin_private.refuse('rule_json', 'conditions must start with all, any or not.');
  end if;
  perform tocsin_private.guard_event(rule -> 'event');
  message := rule #>> '{event,params,message}';
  if message is not null and tocsin_private.me() is not null and tocsin_private.unknown_placeholders(message) <> '{}'
    and not exists (select from tocsin.rules_json j where j.rule_json::jsonb #>> '{event,params,message}' = message) then
    perform tocsin_private.refuse_placeholders('rule_json', message);
  end if;
  select s.uuid into site from tocsin.site s
  where s.site_id = new.site_id and s.tocsin_customer_uuid = coalesce(new.tocsin_customer_uuid, tocsin_private.my_customer());
  if tocsin_private.guard_conditions(rule -> 'conditions', 'conditions', 1, site) > 50 then
    perform tocsin_private.refuse('rule_json', 'The rule has more than 50 comparisons. Split it into several rules.');
  end if;
  return new;
end
$$;
create trigger guard before insert or update of rule_json, site_id on tocsin.rules_json
  for each row execute function tocsin_private.guard_rules_json();

-- Deletes multi-condition rules with their data points: they could never open or clear again. Runs as tocsin_service, because
-- users who may delete a sensor may lack the right to rules.
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
