-- Why: reports can be about those alarms alone that had to be acknowledged. These functions have one parameter more now, and those without it go.
drop function if exists tocsin_private.alarms_in_report(timestamptz, timestamptz, uuid, uuid[], uuid, text, text);
drop function if exists tocsin_private.reported_alarms(timestamptz, timestamptz, uuid, uuid[], uuid, text, text);
drop function if exists tocsin_private.alarms_by_cause(timestamptz, timestamptz, uuid, uuid[], uuid, text, text);
drop function if exists tocsin_private.alarms_by_place(timestamptz, timestamptz, uuid, uuid[], uuid, text, text);
