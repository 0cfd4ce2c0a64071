-- Each function saves a rule and its causes in one transaction. A call without a uuid creates the rule. `causes` is the
-- complete list of causes; null keeps the stored list. `seen` is the updated_at that the user saw; the functions refuse
-- to overwrite a newer row. The functions run with the caller's rights.
create function tocsin.save_rule(rule tocsin.rule, causes uuid[] default null, uuid uuid default null, seen timestamptz default null)
  returns tocsin.rule language plpgsql volatile
  as $$
declare
  saved tocsin.rule;
begin
  if $3 is null then
    insert into tocsin.rule (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_lower, value_upper, clear_lower,
      clear_upper, debounce, priority, enabled, message)
    values (rule.tocsin_site_uuid, rule.tocsin_asset_uuid, rule.tocsin_datapoint_uuid, rule.name, rule.value_lower, rule.value_upper,
      rule.clear_lower, rule.clear_upper, coalesce(rule.debounce, 0), coalesce(rule.priority, 'medium'), coalesce(rule.enabled, true),
      coalesce(rule.message, ''))
    returning * into saved;
  else
    update tocsin.rule r set tocsin_site_uuid = rule.tocsin_site_uuid, tocsin_asset_uuid = rule.tocsin_asset_uuid,
      tocsin_datapoint_uuid = rule.tocsin_datapoint_uuid, name = rule.name, value_lower = rule.value_lower, value_upper = rule.value_upper,
      clear_lower = rule.clear_lower, clear_upper = rule.clear_upper, debounce = coalesce(rule.debounce, r.debounce),
      priority = coalesce(rule.priority, r.priority), enabled = coalesce(rule.enabled, r.enabled),
      message = coalesce(rule.message, r.message), updated_at = coalesce($4, r.updated_at)
    where r.uuid = $3 returning * into saved;
    if not found then perform tocsin_private.refuse_missing(); end if;
  end if;
  perform tocsin_private.set_causes('rule', saved.uuid, $2);
  return saved;
end
$$;

create function tocsin.save_rules_json(rules_json tocsin.rules_json, causes uuid[] default null, uuid uuid default null,
  seen timestamptz default null) returns tocsin.rules_json language plpgsql volatile
  as $$
declare
  saved tocsin.rules_json;
begin
  if $3 is null then
    insert into tocsin.rules_json (rule_name, site_id, rule_json, enabled)
    values (rules_json.rule_name, rules_json.site_id, rules_json.rule_json, coalesce(rules_json.enabled, true)) returning * into saved;
  else
    update tocsin.rules_json j set rule_name = rules_json.rule_name, site_id = rules_json.site_id, rule_json = rules_json.rule_json,
      enabled = coalesce(rules_json.enabled, j.enabled), updated_at = coalesce($4, j.updated_at)
    where j.uuid = $3 returning * into saved;
    if not found then perform tocsin_private.refuse_missing(); end if;
  end if;
  perform tocsin_private.set_causes('conditions', saved.uuid, $2);
  return saved;
end
$$;
