-- Why: files of the alarm report list what its figures count, by the same function. It answers the key of each alarm as well now, and a
-- function cannot answer more than it did without being made anew.
drop function if exists tocsin_private.reported_alarms(timestamptz, timestamptz, uuid, uuid[], uuid, text, text);
