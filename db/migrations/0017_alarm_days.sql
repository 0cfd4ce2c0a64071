-- Why: the report on alarms counts them by day in the same pass as by reason.
create type tocsin.alarm_day as (day text, critical integer, major integer, minor integer, silent integer);
alter type tocsin.alarm_breakdown add attribute days tocsin.alarm_day[];
