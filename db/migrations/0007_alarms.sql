-- Why: readings are judged now. Rules get clear limits and versions, what is not at rest is stored so that it survives a
-- restart, an alarm keeps everything it depends on, and a message every step of its life.
alter table tocsin.rule
  add column version integer not null default 1,
  -- Where a value counts as inside again; without them the limits themselves.
  add column clear_lower double precision,
  add column clear_upper double precision,
  add constraint rule_clear_lower_check check (clear_lower is null
    or (value_lower is not null and clear_lower >= value_lower and clear_lower <= coalesce(value_upper, 1e300))),
  add constraint rule_clear_upper_check check (clear_upper is null
    or (value_upper is not null and clear_upper <= value_upper and clear_upper >= coalesce(value_lower, -1e300))),
  add constraint rule_clear_order_check check (clear_lower is null or clear_upper is null or clear_lower <= clear_upper);

alter table tocsin.rules_json
  add column version integer not null default 1,
  add column enabled boolean not null default true;

alter table tocsin.rule_alert
  add column escalate_minutes integer not null default 15
    constraint rule_alert_escalate_minutes_check check (escalate_minutes between 1 and 10080),
  add column escalate_interval_minutes integer not null default 15
    constraint rule_alert_escalate_interval_check check (escalate_interval_minutes between 1 and 10080),
  add column escalate_count integer not null default 3
    constraint rule_alert_escalate_count_check check (escalate_count between 0 and 100);

-- Every state a rule has had, so that whatever was judged by it can be understood later. It outlives the rule.
create table tocsin.rule_version (
  rule_uuid uuid not null,
  version integer not null,
  tocsin_customer_uuid uuid not null
    constraint rule_version_customer_fkey references tocsin.customer (uuid) on delete cascade,
  tocsin_site_uuid uuid not null,
  tocsin_datapoint_uuid uuid not null,
  name text not null,
  value_lower double precision,
  value_upper double precision,
  clear_lower double precision,
  clear_upper double precision,
  debounce integer not null,
  priority text not null,
  enabled boolean not null,
  message text not null,
  changed_by text not null default '',
  created_at timestamptz not null default tocsin_private.clock(),
  primary key (rule_uuid, version)
);
create index rule_version_customer_idx on tocsin.rule_version (tocsin_customer_uuid);
alter table tocsin.rule no force row level security;
insert into tocsin.rule_version (rule_uuid, version, tocsin_customer_uuid, tocsin_site_uuid, tocsin_datapoint_uuid, name, value_lower,
  value_upper, debounce, priority, enabled, message, created_at)
select uuid, version, tocsin_customer_uuid, tocsin_site_uuid, tocsin_datapoint_uuid, name, value_lower, value_upper, debounce, priority,
  enabled, message, updated_at
from tocsin.rule;
alter table tocsin.rule force row level security;

-- Who judges a sensor holds the row of its part, and the version says whether what a process remembers is current.
create table tocsin_private.judge_part (
  part smallint primary key,
  version bigint not null default 0
);
insert into tocsin_private.judge_part (part) select generate_series(0, 63);

-- Rules that are not at rest. A rule at rest has no row.
create table tocsin_private.rule_state (
  -- The rule, the multi-condition rule, or the datapoint of a digital channel.
  watch_uuid uuid primary key,
  kind text not null constraint rule_state_kind_check check (kind in ('limits', 'digital', 'conditions')),
  part smallint not null constraint rule_state_part_fkey references tocsin_private.judge_part (part),
  version integer not null,
  phase text not null constraint rule_state_phase_check check (phase in ('pending', 'open', 'clearing')),
  -- By the device's clock.
  since timestamptz not null,
  opened_at timestamptz not null,
  -- By the server's clock: when the debounce falls due although nothing more arrives.
  due_at timestamptz,
  value double precision,
  alarm_uuid uuid
);
create index rule_state_part_idx on tocsin_private.rule_state (part);
create index rule_state_due_idx on tocsin_private.rule_state (due_at) where due_at is not null;
create index rule_state_alarm_idx on tocsin_private.rule_state (alarm_uuid);

-- Every change of a rule's state, also those that never became an alarm: the answer to 'why did nothing happen'.
create table tocsin.rule_transition (
  id bigint generated always as identity primary key,
  tocsin_customer_uuid uuid not null
    constraint rule_transition_customer_fkey references tocsin.customer (uuid) on delete cascade,
  tocsin_site_uuid uuid not null,
  tocsin_datapoint_uuid uuid,
  watch_uuid uuid not null,
  rule_name text not null,
  rule_version integer not null,
  from_phase text not null,
  to_phase text not null,
  because text not null,
  at timestamptz not null,
  noticed_at timestamptz not null,
  value double precision,
  tocsin_alarm_uuid uuid
);
create index rule_transition_customer_idx on tocsin.rule_transition (tocsin_customer_uuid);
create index rule_transition_watch_idx on tocsin.rule_transition (watch_uuid, at desc);
create index rule_transition_alarm_idx on tocsin.rule_transition (tocsin_alarm_uuid) where tocsin_alarm_uuid is not null;
create index rule_transition_noticed_idx on tocsin.rule_transition using brin (noticed_at);

-- What an alarm depends on is frozen on it when it opens.
alter table tocsin.alarm
  add column source text not null default 'person'
    constraint alarm_source_check check (source in ('limits', 'digital', 'conditions', 'silence', 'person')),
  add column rule_uuid uuid,
  add column rule_version integer,
  add column priority text not null default 'medium'
    constraint alarm_priority_check check (priority in ('low', 'medium', 'high', 'critical')),
  add column asset_name text not null default '',
  add column datapoint_name text not null default '',
  add column value double precision,
  add column unit text not null default '',
  add column pending_since timestamptz,
  add column judged_by jsonb,
  add column samples jsonb,
  add column recipients jsonb,
  add column plan jsonb,
  add column must_acknowledge boolean not null default true,
  add column occurrences integer not null default 1,
  add column last_occurred_at timestamptz,
  add column escalation_step smallint not null default 0,
  add column next_escalation_at timestamptz,
  add column resolved_by uuid,
  add column resolved_how text
    constraint alarm_resolved_how_check check (resolved_how in ('by-itself', 'person', 'rule-changed', 'heard-again')),
  add column resolve_note text,
  add constraint alarm_resolved_by_fkey foreign key (tocsin_customer_uuid, resolved_by)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete set null (resolved_by);
call tocsin_private.limit_text('tocsin.alarm', 'resolve_note 0-2000');
create index alarm_resolved_by_idx on tocsin.alarm (resolved_by);
create index alarm_rule_idx on tocsin.alarm (rule_uuid, date_time desc);
create index alarm_escalation_idx on tocsin.alarm (next_escalation_at) where next_escalation_at is not null;

-- Everything that happened to an alarm, in sentences; messages have their own rows.
create table tocsin.alarm_event (
  id bigint generated always as identity primary key,
  tocsin_customer_uuid uuid not null,
  tocsin_alarm_uuid uuid not null,
  at timestamptz not null,
  kind text not null constraint alarm_event_kind_check check (kind in ('opened', 'occurred', 'clearing', 'out-again', 'acknowledged',
    'resolved', 'escalated', 'escalation-stopped', 'not-told', 'action', 'rule-changed', 'message')),
  sentence text not null,
  detail jsonb,
  tocsin_user_uuid uuid,
  constraint alarm_event_alarm_fkey foreign key (tocsin_customer_uuid, tocsin_alarm_uuid)
    references tocsin.alarm (tocsin_customer_uuid, uuid) on delete cascade
);
create index alarm_event_alarm_idx on tocsin.alarm_event (tocsin_alarm_uuid, at, id);

alter table tocsin.notification
  add column kind text not null default 'other'
    constraint notification_kind_check check (kind in ('alarm', 'resolve', 'escalation', 'health', 'action', 'other')),
  add column step smallint not null default 0,
  -- What it is about: the rule at its site, whatever value and time the text names.
  add column topic text not null default '',
  add column subject text not null default '',
  -- What was answered to each attempt, in order.
  add column attempt_log jsonb not null default '[]',
  -- The same alarm, kind, step, way and address is queued once.
  add column once_key text;
create unique index notification_once_key on tocsin.notification (tocsin_customer_uuid, once_key);
-- What people were told of late.
create index notification_repeat_idx on tocsin.notification (tocsin_customer_uuid, address, notify_time desc);
drop index tocsin.notification_due_idx;
create index notification_due_idx on tocsin.notification (method_type, next_attempt_at) where state = 'queued';

-- A browser or app that a person wants to be told in.
create table tocsin.push_subscription (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_user_uuid uuid not null,
  endpoint text not null,
  subscription text not null,
  device text not null default '',
  created_at timestamptz not null default tocsin_private.clock(),
  constraint push_subscription_once_key unique (tocsin_user_uuid, endpoint),
  constraint push_subscription_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete cascade
);
call tocsin_private.limit_text('tocsin.push_subscription', 'endpoint 10-2000', 'subscription 20-4000', 'device 0-200');

-- What the engine has to carry out because a person changed something: an alarm was resolved by hand, or what an alarm is
-- judged by was changed, disabled or deleted.
create table tocsin_private.alarm_work (
  id bigint generated always as identity primary key,
  kind text not null constraint alarm_work_kind_check check (kind in ('resolved', 'rule-changed', 'rule-ended')),
  -- The alarm, or the rule.
  uuid uuid not null,
  because text not null default '',
  by_name text not null default '',
  at timestamptz not null default tocsin_private.clock()
);

-- What became of each alarm when many are handled at once.
create type tocsin.alarm_result as (tocsin_alarm_uuid uuid, ok boolean, sentence text);
