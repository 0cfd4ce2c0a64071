-- Why: the API answers which rules reach nobody, what disabling somebody would do to the rule alerts that name them, and which methods
-- do not deliver.
create type tocsin.unreached_rule as (site_uuid uuid, site_name text, rule_name text, rule_uuid uuid, kind text, rule_alert_uuid uuid,
  because text);
create type tocsin.named_rule_alert as (rule_alert_uuid uuid, site_uuid uuid, site_name text, rule_name text, roles text,
  reaches_nobody_then boolean, reaches_nobody_now boolean);
create type tocsin.delivery_problem as (method_type integer, cause text, messages integer, alarms integer, since timestamptz, answer text);
