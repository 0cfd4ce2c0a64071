-- oldest program: 0015_clock_offset.sql
-- The targets of the alarm performance report. The default values are those of EEMUA 191.
alter table tocsin.customer
  -- Alarms per recipient and day, and in ten minutes: acceptable up to the target, manageable up to the limit.
  add column day_alarms_target integer not null default 150
    constraint customer_day_alarms_target_check check (day_alarms_target between 1 and 10000),
  add column day_alarms_limit integer not null default 300
    constraint customer_day_alarms_limit_check check (day_alarms_limit between 1 and 10000),
  add column period_alarms_target integer not null default 1
    constraint customer_period_alarms_target_check check (period_alarms_target between 1 and 1000),
  add column period_alarms_limit integer not null default 2
    constraint customer_period_alarms_limit_check check (period_alarms_limit between 1 and 1000),
  -- A flood of a site ends before the first ten minutes with fewer alarms.
  add column flood_end_alarms smallint not null default 5
    constraint customer_flood_end_alarms_check check (flood_end_alarms between 1 and 10),
  add column stale_hours smallint not null default 24
    constraint customer_stale_hours_check check (stale_hours between 1 and 8760),
  add column stale_target integer not null default 5
    constraint customer_stale_target_check check (stale_target between 0 and 10000),
  -- The following targets are percentages.
  add column busy_share_target smallint not null default 1
    constraint customer_busy_share_target_check check (busy_share_target between 0 and 100),
  add column flood_share_target smallint not null default 1
    constraint customer_flood_share_target_check check (flood_share_target between 0 and 100),
  add column top_rules_share_target smallint not null default 5
    constraint customer_top_rules_share_target_check check (top_rules_share_target between 0 and 100),
  add column major_share_target smallint not null default 15
    constraint customer_major_share_target_check check (major_share_target between 0 and 100),
  add column critical_share_target smallint not null default 5
    constraint customer_critical_share_target_check check (critical_share_target between 0 and 100),
  add constraint customer_day_alarms_order_check check (day_alarms_limit >= day_alarms_target) not valid,
  add constraint customer_period_alarms_order_check check (period_alarms_limit >= period_alarms_target) not valid,
  add constraint customer_share_targets_sum_check check (major_share_target + critical_share_target <= 100) not valid;
alter table tocsin.customer validate constraint customer_day_alarms_order_check;
alter table tocsin.customer validate constraint customer_period_alarms_order_check;
alter table tocsin.customer validate constraint customer_share_targets_sum_check;

-- A trigger copies these from `recipients` and `acknowledge_json`, which are too large for an index. Alarms that opened
-- before this migration have no `recipient_uuids`.
alter table tocsin.alarm
  -- The people whom the opening of the alarm concerned and who had a working method.
  add column recipient_uuids uuid[],
  -- From the creation of the alarm to its acknowledgement.
  add column acknowledged_seconds double precision;

-- Covering index for the alarm performance report.
create index alarm_performance_idx on tocsin.alarm (tocsin_customer_uuid, created_at)
  include (tocsin_site_uuid, rule_uuid, severity, date_time, resolved_date, acknowledged_seconds, opened_quiet, recipient_uuids);
create index alarm_old_recipients_idx on tocsin.alarm (tocsin_customer_uuid, created_at) where recipient_uuids is null;
create index alarm_without_recipients_idx on tocsin.alarm (tocsin_customer_uuid, created_at) where recipient_uuids = '{}';
create index alarm_opened_quiet_idx on tocsin.alarm (tocsin_customer_uuid, created_at) where opened_quiet is not null;
create index notification_unsent_idx on tocsin.notification (tocsin_customer_uuid, tocsin_alarm_uuid)
  where state in ('queued', 'failed') or provider = 'outbox';
create index alarm_event_suppressed_idx on tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid)
  where kind = 'not-notified' and detail ->> 'because' = 'said-before';

-- API results: the alarm performance report.
create type tocsin.performance_rule as (uuid uuid, rule_name text, site_name text, site_uuid uuid, source text, severity text,
  alarms integer);
create type tocsin.performance_flood as (site_uuid uuid, site_name text, began_at timestamptz, ended_at timestamptz, alarms integer,
  first_alarm_uuid uuid, first_message text);
create type tocsin.performance_recipient as (uuid uuid, name text, alarms integer, peak integer, acknowledged integer,
  mean_seconds double precision);
create type tocsin.performance_cause as (kind text, cause text, alarms integer, rules integer);
create type tocsin.performance as (
  alarms integer, critical integer, major integer, minor integer, silent integer,
  -- Days and ten-minute periods of the range, from the first site until now.
  days integer, periods integer,
  busy_periods integer, busy_alarms integer, flood_count integer, flood_periods integer, flood_alarms integer,
  top_alarms integer, chattering integer, fleeting integer, stale integer,
  acknowledged integer, median_seconds double precision, p90_seconds double precision,
  -- Alarms that concerned at least one recipient, and the sum over all recipients.
  addressed integer, recipient_count integer, recipient_alarms integer,
  floods tocsin.performance_flood[], rules tocsin.performance_rule[], recipients tocsin.performance_recipient[],
  causes tocsin.performance_cause[],
  -- Alarms in each ten minutes of the range; empty for a range of more than 92 days.
  load integer[]);
