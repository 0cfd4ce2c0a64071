-- Why: the figures of alarms follow the search of their list too. These functions have one parameter more now, and those without it go.
drop function if exists tocsin_private.reported_alarms(timestamptz, timestamptz, uuid, uuid[], uuid, text);
drop function if exists tocsin_private.alarms_by_cause(timestamptz, timestamptz, uuid, uuid[], uuid, text);
drop function if exists tocsin_private.alarms_by_place(timestamptz, timestamptz, uuid, uuid[], uuid, text);
