-- Rules, who they notify, acknowledge reasons, actions, and the state of each rule.
create table tocsin.rule (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_site_uuid uuid not null,
  tocsin_asset_uuid uuid not null,
  tocsin_datapoint_uuid uuid not null,
  name text not null,
  value_lower double precision,
  value_upper double precision,
  debounce integer not null default 0 constraint rule_debounce_check check (debounce between 0 and 604800),
  priority text not null default 'medium'
    constraint rule_priority_check check (priority in ('low', 'medium', 'high', 'critical')),
  enabled boolean not null default true,
  message text not null default '',
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  version integer not null default 1,
  -- Limits at which the alarm clears (hysteresis). Null: the same as the limits.
  clear_lower double precision,
  clear_upper double precision,
  constraint rule_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint rule_limits_check check (value_lower is not null or value_upper is not null),
  constraint rule_limits_order_check check (value_lower is null or value_upper is null or value_lower < value_upper),
  -- NaN and infinity would never open an alarm.
  constraint rule_limits_finite_check check (
    coalesce(value_lower, 0) between -1e300 and 1e300 and coalesce(value_upper, 0) between -1e300 and 1e300),
  constraint rule_clear_lower_check check (clear_lower is null
    or (value_lower is not null and clear_lower >= value_lower and clear_lower <= coalesce(value_upper, 1e300))),
  constraint rule_clear_upper_check check (clear_upper is null
    or (value_upper is not null and clear_upper <= value_upper and clear_upper >= coalesce(value_lower, -1e300))),
  constraint rule_clear_order_check check (clear_lower is null or clear_upper is null or clear_lower <= clear_upper),
  constraint rule_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade,
  -- The asset must belong to the site, and the data point to the asset.
  constraint rule_asset_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid)
    references tocsin.asset (tocsin_customer_uuid, tocsin_site_uuid, uuid) on update cascade on delete cascade,
  constraint rule_datapoint_fkey foreign key (tocsin_customer_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid)
    references tocsin.asset_datapoint (tocsin_customer_uuid, tocsin_asset_uuid, uuid) on update cascade on delete cascade
);
call tocsin_private.limit_text('tocsin.rule', 'name 1-200', 'message 0-500');
create index rule_site_idx on tocsin.rule (tocsin_site_uuid);
create index rule_asset_idx on tocsin.rule (tocsin_asset_uuid);
create index rule_datapoint_idx on tocsin.rule (tocsin_datapoint_uuid);
create index rule_by_name_idx on tocsin.rule (tocsin_customer_uuid, name, uuid) include (tocsin_site_uuid);

-- Every version of a rule, to explain past alarms. Rows outlive the rule.
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

-- Multi-condition rules. site_id is the site's ID, not its uuid, and follows its changes.
create table tocsin.rules_json (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  rule_name text not null,
  site_id text not null,
  rule_json text not null,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  version integer not null default 1,
  enabled boolean not null default true,
  constraint rules_json_once_key unique (tocsin_customer_uuid, rule_name, site_id),
  constraint rules_json_site_fkey foreign key (tocsin_customer_uuid, site_id)
    references tocsin.site (tocsin_customer_uuid, site_id) on update cascade on delete cascade
);
create index rules_json_site_idx on tocsin.rules_json (tocsin_customer_uuid, site_id);
call tocsin_private.limit_text('tocsin.rules_json', 'rule_name 1-200', 'site_id 1-64', 'rule_json 2-65536');
create index rules_json_by_name_idx on tocsin.rules_json (tocsin_customer_uuid, rule_name, uuid);

create table tocsin.rule_alert (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_site_uuid uuid not null,
  tocsin_rule_name text not null,
  ind_ack boolean not null default true,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  escalate_minutes integer not null default 15
    constraint rule_alert_escalate_minutes_check check (escalate_minutes between 1 and 10080),
  escalate_interval_minutes integer not null default 15
    constraint rule_alert_escalate_interval_check check (escalate_interval_minutes between 1 and 10080),
  -- An alert without rule_escalate_user rows does not escalate.
  escalate_count integer not null default 3
    constraint rule_alert_escalate_count_check check (escalate_count between 1 and 100),
  constraint rule_alert_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint rule_alert_once_key unique (tocsin_site_uuid, tocsin_rule_name),
  constraint rule_alert_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade
);
call tocsin_private.limit_text('tocsin.rule_alert', 'tocsin_rule_name 1-200');
create index rule_alert_by_name_idx on tocsin.rule_alert (tocsin_customer_uuid, tocsin_rule_name, uuid) include (tocsin_site_uuid);

create table tocsin.rule_alert_user (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_rule_alert_uuid uuid not null,
  tocsin_user_uuid uuid not null,
  is_alert boolean not null default true,
  is_resolve boolean not null default false,
  is_health boolean not null default false,
  created_at timestamptz not null default tocsin_private.clock(),
  constraint rule_alert_user_once_key unique (tocsin_rule_alert_uuid, tocsin_user_uuid),
  constraint rule_alert_user_rule_alert_fkey foreign key (tocsin_customer_uuid, tocsin_rule_alert_uuid)
    references tocsin.rule_alert (tocsin_customer_uuid, uuid) on delete cascade,
  constraint rule_alert_user_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete cascade
);
create index rule_alert_user_user_idx on tocsin.rule_alert_user (tocsin_user_uuid);

create table tocsin.rule_escalate_user (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_rule_alert_uuid uuid not null,
  tocsin_user_uuid uuid not null,
  created_at timestamptz not null default tocsin_private.clock(),
  constraint rule_escalate_user_once_key unique (tocsin_rule_alert_uuid, tocsin_user_uuid),
  constraint rule_escalate_user_rule_alert_fkey foreign key (tocsin_customer_uuid, tocsin_rule_alert_uuid)
    references tocsin.rule_alert (tocsin_customer_uuid, uuid) on delete cascade,
  constraint rule_escalate_user_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete cascade
);
create index rule_escalate_user_user_idx on tocsin.rule_escalate_user (tocsin_user_uuid);

-- rule_uuid references the rule alert: a site and a rule name. Multi-condition rules have no row in tocsin.rule.
create table tocsin.reason (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  rule_uuid uuid not null,
  reason text not null,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  constraint reason_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint reason_rule_alert_fkey foreign key (tocsin_customer_uuid, rule_uuid)
    references tocsin.rule_alert (tocsin_customer_uuid, uuid) on delete cascade
);
call tocsin_private.limit_text('tocsin.reason', 'reason 1-200');
create unique index reason_once_key on tocsin.reason (rule_uuid, lower(reason));
create index reason_by_rule_idx on tocsin.reason (tocsin_customer_uuid, rule_uuid, uuid);

create table tocsin.site_reason (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_reason_uuid uuid not null,
  tocsin_site_uuid uuid not null,
  created_at timestamptz not null default tocsin_private.clock(),
  constraint site_reason_once_key unique (tocsin_reason_uuid, tocsin_site_uuid),
  constraint site_reason_reason_fkey foreign key (tocsin_customer_uuid, tocsin_reason_uuid)
    references tocsin.reason (tocsin_customer_uuid, uuid) on delete cascade,
  constraint site_reason_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade
);
create index site_reason_site_idx on tocsin.site_reason (tocsin_site_uuid);

create table tocsin.user_reason (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_reason_uuid uuid not null,
  tocsin_user_uuid uuid not null,
  tocsin_site_uuid uuid not null,
  created_at timestamptz not null default tocsin_private.clock(),
  constraint user_reason_once_key unique (tocsin_reason_uuid, tocsin_user_uuid, tocsin_site_uuid),
  constraint user_reason_reason_fkey foreign key (tocsin_customer_uuid, tocsin_reason_uuid)
    references tocsin.reason (tocsin_customer_uuid, uuid) on delete cascade,
  constraint user_reason_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete cascade,
  constraint user_reason_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade
);
create index user_reason_user_idx on tocsin.user_reason (tocsin_user_uuid);
create index user_reason_site_idx on tocsin.user_reason (tocsin_site_uuid);

create table tocsin.alarm_default_message (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint alarm_default_message_customer_fkey references tocsin.customer (uuid) on delete restrict,
  message text not null,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  -- The message that new alarms of the customer use.
  is_used boolean not null default false
);
call tocsin_private.limit_text('tocsin.alarm_default_message', 'message 1-500');
create unique index alarm_default_message_once_key on tocsin.alarm_default_message (tocsin_customer_uuid, message);
create unique index alarm_default_message_used_key on tocsin.alarm_default_message (tocsin_customer_uuid) where is_used;

create table tocsin.action (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_site_uuid uuid not null,
  tocsin_asset_uuid uuid not null,
  tocsin_datapoint_uuid uuid,
  -- 1 notify one user, 2 notify the listed users, 3 queue a sensor command.
  action smallint not null constraint action_action_check check (action between 1 and 3),
  acknowledge boolean not null default false,
  escalate boolean not null default false,
  notify_to uuid,
  tocsin_users text not null default '',
  reply_command text not null default '',
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  constraint action_notify_to_check check (action <> 1 or notify_to is not null),
  constraint action_users_check check (action <> 2 or tocsin_users <> ''),
  constraint action_command_check check (action <> 3 or reply_command <> ''),
  constraint action_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade,
  -- The asset must belong to the site, and the data point to the asset.
  constraint action_asset_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid)
    references tocsin.asset (tocsin_customer_uuid, tocsin_site_uuid, uuid) on update cascade on delete cascade,
  constraint action_datapoint_fkey foreign key (tocsin_customer_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid)
    references tocsin.asset_datapoint (tocsin_customer_uuid, tocsin_asset_uuid, uuid) on update cascade on delete cascade,
  constraint action_notify_to_fkey foreign key (tocsin_customer_uuid, notify_to)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete cascade
);
call tocsin_private.limit_text('tocsin.action', 'tocsin_users 0-4000', 'reply_command 0-500');
create index action_asset_idx on tocsin.action (tocsin_asset_uuid);
create index action_site_idx on tocsin.action (tocsin_site_uuid);
create index action_datapoint_idx on tocsin.action (tocsin_datapoint_uuid);
create index action_notify_to_idx on tocsin.action (notify_to);
create index action_by_site_idx on tocsin.action (tocsin_customer_uuid, tocsin_site_uuid, uuid);

-- Sensors are divided into 64 shards. The evaluator locks the row of a shard; the version tells whether its cache is current.
create table tocsin_private.judge_part (
  part smallint primary key,
  version bigint not null default 0
);
insert into tocsin_private.judge_part (part) select generate_series(0, 63);

-- Rules that are pending, open or clearing. A rule in the normal state has no row.
create table tocsin_private.rule_state (
  -- uuid of the rule, the multi-condition rule, or the data point of a digital channel.
  watch_uuid uuid primary key,
  kind text not null constraint rule_state_kind_check check (kind in ('limits', 'digital', 'conditions')),
  part smallint not null constraint rule_state_part_fkey references tocsin_private.judge_part (part),
  version integer not null,
  phase text not null constraint rule_state_phase_check check (phase in ('pending', 'open', 'clearing')),
  -- Device time.
  since timestamptz not null,
  opened_at timestamptz not null,
  -- Server time at which the debounce ends even if no further reading arrives.
  due_at timestamptz,
  value double precision,
  alarm_uuid uuid
);
create index rule_state_part_idx on tocsin_private.rule_state (part);
create index rule_state_due_idx on tocsin_private.rule_state (due_at) where due_at is not null;
create index rule_state_alarm_idx on tocsin_private.rule_state (alarm_uuid);

-- Every change of a rule's state, including those that opened no alarm.
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

-- API input: a recipient of a rule alert.
create type tocsin.told_person as (tocsin_user_uuid uuid, is_alert boolean, is_resolve boolean, is_health boolean);

-- API results: rules that notify nobody, and rule alerts that name a user.
create type tocsin.unreached_rule as (site_uuid uuid, site_name text, rule_name text, rule_uuid uuid, kind text, rule_alert_uuid uuid,
  because text);
create type tocsin.named_rule_alert as (rule_alert_uuid uuid, site_uuid uuid, site_name text, rule_name text, roles text,
  reaches_nobody_then boolean, reaches_nobody_now boolean);
