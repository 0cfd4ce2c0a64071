-- oldest program: 0015_clock_offset.sql
-- Figures of the alarms that were created in one hour, computed by the engine when the hour is over. The alarm
-- performance report adds them up instead of reading a million alarms. db/logic/report/report_hours.sql fills the table.
create table tocsin_private.alarm_hour (
  tocsin_customer_uuid uuid not null
    constraint alarm_hour_customer_fkey references tocsin.customer (uuid) on delete cascade,
  hour timestamptz not null,
  -- Alarms created in each ten minutes.
  load integer[] not null,
  critical integer not null,
  major integer not null,
  minor integer not null,
  silent integer not null,
  fleeting integer not null,
  -- Alarms whose opening concerned at least one recipient.
  addressed integer not null,
  -- How long each resolved alarm was open, only for alarms that were open for more than an hour.
  open_seconds double precision[] not null,
  -- Times to acknowledge, one for each acknowledged alarm.
  seconds double precision[] not null,
  -- Unit offices, and sites without one, that can have a flood in this hour: more than ten alarms in a period of ten minutes
  -- and the period before it.
  flood_places uuid[] not null,
  -- Rules with three alarms within a minute, of which at least one was created in this hour.
  chattering_rules uuid[] not null,
  -- One element for each recipient: alarms, the most alarms in ten minutes, acknowledged alarms, the sum of their seconds,
  -- and the creation of the latest alarm.
  recipients uuid[] not null,
  recipient_alarms integer[] not null,
  recipient_peaks integer[] not null,
  recipient_acknowledged integer[] not null,
  recipient_seconds double precision[] not null,
  recipient_latest timestamptz[] not null,
  primary key (tocsin_customer_uuid, hour)
);

-- An alarm of this hour changed after the hour was over. The figures of the hour are not used while a row exists. Rows
-- are only added and deleted, so that transactions do not wait for each other.
create table tocsin_private.alarm_hour_change (
  id bigint generated always as identity primary key,
  tocsin_customer_uuid uuid not null
    constraint alarm_hour_change_customer_fkey references tocsin.customer (uuid) on delete cascade,
  hour timestamptz not null
);
create index alarm_hour_change_idx on tocsin_private.alarm_hour_change (tocsin_customer_uuid, hour);

-- Acknowledged alarms of a rule of the alarm performance report, and those with a nuisance reason.
alter type tocsin.performance_rule add attribute acknowledged integer;
alter type tocsin.performance_rule add attribute nuisance integer;

-- Opening notifications that were suppressed, for whatever reason.
create index alarm_event_not_notified_idx on tocsin.alarm_event (tocsin_customer_uuid, tocsin_alarm_uuid)
  where kind = 'not-notified' and (detail ->> 'because' = 'said-before' or detail ->> 'suppressed' = 'opening');
drop index tocsin.alarm_event_suppressed_idx;
