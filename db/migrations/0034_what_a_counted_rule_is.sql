-- Why: the report of alarms leads from a rule to where it is changed, which is another place for conditions and for a channel that raises
-- alarms by itself.
alter type tocsin.alarm_rule add attribute source text;
