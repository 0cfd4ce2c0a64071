-- Alarms, their timeline and the results of the alarm report. An alarm outlives its site, rule and users.
create table tocsin.alarm (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint alarm_customer_fkey references tocsin.customer (uuid) on delete restrict,
  tocsin_site_uuid uuid,
  tocsin_asset_uuid uuid,
  tocsin_datapoint_uuid uuid,
  -- The name when the alarm opened.
  site_name text not null,
  rule_name text not null default '',
  severity text not null default 'major'
    constraint alarm_severity_check check (severity in ('critical', 'major', 'minor', 'silent')),
  message text not null,
  date_time timestamptz not null default tocsin_private.clock(),
  resolved_date timestamptz,
  reason text,
  acknowledge_text text,
  acknowledge_json jsonb,
  acknowledged_by uuid,
  created_at timestamptz not null default tocsin_private.clock(),
  -- Copied when the alarm opens, so that later changes of the rule do not alter it.
  source text not null default 'person'
    constraint alarm_source_check check (source in ('limits', 'digital', 'conditions', 'silence', 'person')),
  rule_uuid uuid,
  rule_version integer,
  priority text not null default 'medium'
    constraint alarm_priority_check check (priority in ('low', 'medium', 'high', 'critical')),
  asset_name text not null default '',
  datapoint_name text not null default '',
  value double precision,
  unit text not null default '',
  pending_since timestamptz,
  judged_by jsonb,
  samples jsonb,
  recipients jsonb,
  plan jsonb,
  must_acknowledge boolean not null default true,
  occurrences integer not null default 1,
  last_occurred_at timestamptz,
  escalation_step smallint not null default 0,
  next_escalation_at timestamptz,
  resolved_by uuid,
  resolved_how text
    constraint alarm_resolved_how_check check (resolved_how in ('by-itself', 'person', 'rule-changed', 'heard-again')),
  resolve_note text,
  resumes_escalation_at timestamptz,
  constraint alarm_resolved_check check (resolved_date >= date_time),
  constraint alarm_acknowledged_check check ((reason is null) = (acknowledge_json is null)),
  constraint alarm_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint alarm_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete set null (tocsin_site_uuid),
  constraint alarm_asset_fkey foreign key (tocsin_customer_uuid, tocsin_asset_uuid)
    references tocsin.asset (tocsin_customer_uuid, uuid) on delete set null (tocsin_asset_uuid),
  constraint alarm_datapoint_fkey foreign key (tocsin_customer_uuid, tocsin_datapoint_uuid)
    references tocsin.asset_datapoint (tocsin_customer_uuid, uuid) on delete set null (tocsin_datapoint_uuid),
  constraint alarm_acknowledged_by_fkey foreign key (tocsin_customer_uuid, acknowledged_by)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete set null (acknowledged_by),
  constraint alarm_resolved_by_fkey foreign key (tocsin_customer_uuid, resolved_by)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete set null (resolved_by)
);
comment on column tocsin.alarm.resumes_escalation_at is 'When escalation was due before the alarm was acknowledged; restored when the acknowledgement is undone.';
call tocsin_private.limit_text('tocsin.alarm', 'message 1-600', 'reason 1-500', 'acknowledge_text 0-2000', 'site_name 1-200',
  'rule_name 0-200', 'resolve_note 0-2000');
-- At most one open alarm for each site and message.
create unique index alarm_open_key on tocsin.alarm (tocsin_site_uuid, message) where resolved_date is null;
create index alarm_site_idx on tocsin.alarm (tocsin_site_uuid, date_time desc);
create index alarm_date_time_idx on tocsin.alarm (tocsin_customer_uuid, date_time desc);
create index alarm_message_idx on tocsin.alarm (tocsin_customer_uuid, message);
create index alarm_asset_idx on tocsin.alarm (tocsin_asset_uuid);
create index alarm_datapoint_idx on tocsin.alarm (tocsin_datapoint_uuid);
create index alarm_acknowledged_by_idx on tocsin.alarm (acknowledged_by);
create index alarm_open_by_severity_idx on tocsin.alarm (tocsin_customer_uuid, severity) where resolved_date is null;
create index alarm_by_creation_idx on tocsin.alarm (tocsin_customer_uuid, created_at desc, uuid);
create index alarm_by_end_idx on tocsin.alarm (tocsin_customer_uuid, resolved_date) include (tocsin_site_uuid);
create index alarm_resolved_by_idx on tocsin.alarm (resolved_by);
create index alarm_rule_idx on tocsin.alarm (rule_uuid, date_time desc);
create index alarm_escalation_idx on tocsin.alarm (next_escalation_at) where next_escalation_at is not null;
-- Covering indexes for the alarm report.
create index alarm_report_idx on tocsin.alarm (tocsin_customer_uuid, created_at)
  include (tocsin_site_uuid, date_time, resolved_date, severity, rule_uuid, reason);
create index alarm_needs_none_idx on tocsin.alarm (tocsin_customer_uuid, created_at) where not must_acknowledge and reason is null;
-- Without these statistics the planner overestimates the groups of the report and uses no parallel workers.
create statistics tocsin.alarm_place_statistics (ndistinct) on tocsin_site_uuid, rule_uuid, severity from tocsin.alarm;
create statistics tocsin.alarm_quarter_statistics on (date_bin('15 minutes', created_at, 'epoch')) from tocsin.alarm;

-- Timeline of an alarm. Notifications have their own table.
create table tocsin.alarm_event (
  id bigint generated always as identity primary key,
  tocsin_customer_uuid uuid not null,
  tocsin_alarm_uuid uuid not null,
  at timestamptz not null,
  kind text not null constraint alarm_event_kind_check check (kind in ('opened', 'occurred', 'clearing', 'out-again', 'one-back',
    'acknowledged', 'acknowledgement-undone', 'resolved', 'escalated', 'escalation-stopped', 'not-told', 'action', 'rule-changed',
    'message', 'note')),
  sentence text not null,
  detail jsonb,
  tocsin_user_uuid uuid,
  constraint alarm_event_alarm_fkey foreign key (tocsin_customer_uuid, tocsin_alarm_uuid)
    references tocsin.alarm (tocsin_customer_uuid, uuid) on delete cascade
);
create index alarm_event_alarm_idx on tocsin.alarm_event (tocsin_alarm_uuid, at, id);

-- Queue for the engine: alarms that a user resolved, and rules that a user changed, disabled or deleted.
create table tocsin_private.alarm_work (
  id bigint generated always as identity primary key,
  kind text not null constraint alarm_work_kind_check check (kind in ('resolved', 'rule-changed', 'rule-ended')),
  -- uuid of the alarm (resolved) or of the rule.
  uuid uuid not null,
  because text not null default '',
  by_name text not null default '',
  at timestamptz not null default tocsin_private.clock()
);

-- API result: one alarm of a bulk acknowledge or resolve.
create type tocsin.alarm_result as (tocsin_alarm_uuid uuid, ok boolean, sentence text);

-- API result: a rule that keeps a shared alarm open, beside the rule that opened it.
create type tocsin.alarm_holder as (
  rule_uuid uuid,
  -- Like alarm.judged_by, but of the current version of the rule.
  judged_by jsonb,
  rule_name text,
  datapoint_uuid uuid,
  datapoint_name text,
  latest_value double precision,
  uom text,
  sensor_type integer,
  datapoint_title_text text,
  is_clearing boolean
);

-- API results: the alarm report.
create type tocsin.alarm_reason as (reason text, alarms integer);
create type tocsin.alarm_site as (uuid uuid, site_name text, uo_name text, alarms integer, critical integer, still_open integer,
  acknowledged integer, mean_seconds double precision, longest_seconds double precision, total_seconds double precision);
create type tocsin.alarm_rule as (uuid uuid, rule_name text, site_name text, site_uuid uuid, alarms integer, total_seconds double precision,
  source text);
create type tocsin.alarm_day as (day text, critical integer, major integer, minor integer, silent integer);
create type tocsin.alarm_breakdown as (reasons tocsin.alarm_reason[], sites tocsin.alarm_site[], rules tocsin.alarm_rule[],
  days tocsin.alarm_day[]);
