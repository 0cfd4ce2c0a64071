/**
 * SQL condition: the alarm `a` was acknowledged with a reason that is marked as nuisance today. `names` are further names
 * of the rule, as SQL.
 */
export const isNuisance = (names: string) =>
  `tocsin_private.is_nuisance(a.tocsin_site_uuid, array[a.rule_name, ${names}]::text[], a.reason)`;
