/**
 * SQL condition for an alarm `a` that was acknowledged with a reason now marked as nuisance. `names` is SQL for further
 * names of the rule.
 */
export const isNuisance = (names: string) =>
  `tocsin_private.is_nuisance(a.tocsin_site_uuid, array[a.rule_name, ${names}]::text[], a.reason)`;
