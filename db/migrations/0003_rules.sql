-- Why: what is judged, who is told and with which reasons an alarm may be acknowledged.
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
  constraint rule_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint rule_limits_check check (value_lower is not null or value_upper is not null),
  constraint rule_limits_order_check check (value_lower is null or value_upper is null or value_lower < value_upper),
  -- Limits are ordinary numbers: no comparison with NaN or infinity ever opens an alarm.
  constraint rule_limits_finite_check check (
    coalesce(value_lower, 0) between -1e300 and 1e300 and coalesce(value_upper, 0) between -1e300 and 1e300),
  constraint rule_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade,
  -- The asset must stand on that site, and the datapoint belong to that asset.
  constraint rule_asset_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid)
    references tocsin.asset (tocsin_customer_uuid, tocsin_site_uuid, uuid) on update cascade on delete cascade,
  constraint rule_datapoint_fkey foreign key (tocsin_customer_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid)
    references tocsin.asset_datapoint (tocsin_customer_uuid, tocsin_asset_uuid, uuid) on update cascade on delete cascade
);
call tocsin_private.limit_text('tocsin.rule', 'name 1-200', 'message 0-500');
create index rule_name_idx on tocsin.rule (tocsin_customer_uuid, name);
create index rule_site_idx on tocsin.rule (tocsin_site_uuid);
create index rule_asset_idx on tocsin.rule (tocsin_asset_uuid);
create index rule_datapoint_idx on tocsin.rule (tocsin_datapoint_uuid);

create table tocsin.rule_alert (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_site_uuid uuid not null,
  tocsin_rule_name text not null,
  ind_ack boolean not null default true,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  constraint rule_alert_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint rule_alert_once_key unique (tocsin_site_uuid, tocsin_rule_name),
  constraint rule_alert_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade
);
call tocsin_private.limit_text('tocsin.rule_alert', 'tocsin_rule_name 1-200');
create index rule_alert_name_idx on tocsin.rule_alert (tocsin_customer_uuid, tocsin_rule_name);

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

-- rule_uuid names the rule alert: that is the rule as people know it, a site and a rule name with its people and
-- reasons, and it also stands for multi-condition rules, which have no row in tocsin.rule.
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

-- site_id is the site's own ID, as people write it; it follows when a site gets another one.
create table tocsin.rules_json (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  rule_name text not null,
  site_id text not null,
  rule_json text not null,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  constraint rules_json_once_key unique (tocsin_customer_uuid, rule_name, site_id),
  constraint rules_json_site_fkey foreign key (tocsin_customer_uuid, site_id)
    references tocsin.site (tocsin_customer_uuid, site_id) on update cascade on delete cascade
);
create index rules_json_site_idx on tocsin.rules_json (tocsin_customer_uuid, site_id);
call tocsin_private.limit_text('tocsin.rules_json', 'rule_name 1-200', 'site_id 1-64', 'rule_json 2-65536');

create table tocsin.alarm_default_message (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint alarm_default_message_customer_fkey references tocsin.customer (uuid) on delete restrict,
  message text not null,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock()
);
call tocsin_private.limit_text('tocsin.alarm_default_message', 'message 1-500');
create unique index alarm_default_message_once_key on tocsin.alarm_default_message (tocsin_customer_uuid, message);

create table tocsin.action (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_site_uuid uuid not null,
  tocsin_asset_uuid uuid not null,
  tocsin_datapoint_uuid uuid,
  -- 1 notify one person, 2 notify the people listed, 3 queue a sensor command.
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
  -- The asset must stand on that site, and the datapoint belong to that asset.
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
