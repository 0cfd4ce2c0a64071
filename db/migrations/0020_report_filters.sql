-- Why: the report on alarms can be narrowed to a rule and to a reason. These take two arguments more, and are made anew with the logic.
drop function if exists tocsin_private.reported_alarms(timestamptz, timestamptz, uuid, uuid[]);
drop function if exists tocsin_private.alarms_by_cause(timestamptz, timestamptz, uuid, uuid[]);
drop function if exists tocsin_private.alarms_by_place(timestamptz, timestamptz, uuid, uuid[]);
