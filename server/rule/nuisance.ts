/**
 * Returns the SQL condition that the alarm `a` was acknowledged with a reason that is marked as nuisance today. `names`
 * is SQL for other names of the rule: a renamed rule keeps its reasons, but its earlier alarms keep the old name.
 */
export const isNuisance = (names: string) => `exists (
  select from tocsin.rule_alert l join tocsin.reason n on n.rule_uuid = l.uuid
  where l.tocsin_site_uuid = a.tocsin_site_uuid and l.tocsin_rule_name in (a.rule_name, ${names}) and n.is_nuisance
    and lower(n.reason) = lower(a.reason))`;
