-- Why: rules with the same words at a site share one alarm. Whoever looks at it, or is about to resolve it, must see what keeps it open
-- beside the rule that opened it.
create type tocsin.alarm_holder as (
  rule_uuid uuid,
  -- As `judged_by` of an alarm, but by the rule as it is now.
  judged_by jsonb,
  rule_name text,
  datapoint_uuid uuid,
  datapoint_name text,
  latest_value double precision,
  uom text,
  sensor_type integer,
  datapoint_title_text text,
  -- Whether its value is back and only has to stay there.
  is_clearing boolean
);
