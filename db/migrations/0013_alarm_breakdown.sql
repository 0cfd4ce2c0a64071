-- Why: the report on alarms counts them by reason, by site and by rule in one pass. These are the rows of its answer.
create type tocsin.alarm_reason as (reason text, alarms integer);
create type tocsin.alarm_site as (uuid uuid, site_name text, uo_name text, alarms integer, critical integer, still_open integer,
  acknowledged integer, mean_seconds double precision, longest_seconds double precision, total_seconds double precision);
create type tocsin.alarm_rule as (uuid uuid, rule_name text, site_name text, site_uuid uuid, alarms integer, total_seconds double precision);
create type tocsin.alarm_breakdown as (reasons tocsin.alarm_reason[], sites tocsin.alarm_site[], rules tocsin.alarm_rule[]);
-- Without these the planner takes every alarm for a place and a quarter of an hour of its own, and leaves a report to one process.
create statistics tocsin.alarm_place_statistics (ndistinct) on tocsin_site_uuid, rule_uuid, severity from tocsin.alarm;
create statistics tocsin.alarm_quarter_statistics on (date_bin('15 minutes', created_at, 'epoch')) from tocsin.alarm;
-- Reports name the places they are about themselves: a list of thousands of sites was compared one by one with every row.
drop function if exists tocsin_private.report_sites(uuid, uuid[]);
-- It answers other columns than before, and is made anew with the logic.
drop function if exists tocsin_private.reported_alarms(timestamptz, timestamptz, uuid, uuid[]);
-- Messages are listed by time and then by key; with both in the index a portion of a long file is read without sorting the rest.
create index notification_by_time_idx on tocsin.notification (tocsin_customer_uuid, notify_time desc, uuid);
drop index tocsin.notification_time_idx;
create index alarm_by_creation_idx on tocsin.alarm (tocsin_customer_uuid, created_at desc, uuid);
drop index tocsin.alarm_created_idx;
