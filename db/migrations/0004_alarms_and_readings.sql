-- Why: what happened. These rows are the proof, so an alarm and a message outlive the site, rule or person they speak of.
create table tocsin.alarm (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint alarm_customer_fkey references tocsin.customer (uuid) on delete restrict,
  tocsin_site_uuid uuid,
  tocsin_asset_uuid uuid,
  tocsin_datapoint_uuid uuid,
  -- As it was called when the alarm opened.
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
    references tocsin.user (tocsin_customer_uuid, uuid) on delete set null (acknowledged_by)
);
call tocsin_private.limit_text('tocsin.alarm', 'message 1-600', 'reason 1-500', 'acknowledge_text 0-2000', 'site_name 1-200', 'rule_name 0-200');
-- One open alarm for a site and message.
create unique index alarm_open_key on tocsin.alarm (tocsin_site_uuid, message) where resolved_date is null;
create index alarm_site_idx on tocsin.alarm (tocsin_site_uuid, date_time desc);
create index alarm_date_time_idx on tocsin.alarm (tocsin_customer_uuid, date_time desc);
create index alarm_created_idx on tocsin.alarm (tocsin_customer_uuid, created_at desc);
create index alarm_resolved_idx on tocsin.alarm (tocsin_customer_uuid, resolved_date);
create index alarm_message_idx on tocsin.alarm (tocsin_customer_uuid, message);
create index alarm_asset_idx on tocsin.alarm (tocsin_asset_uuid);
create index alarm_datapoint_idx on tocsin.alarm (tocsin_datapoint_uuid);
create index alarm_acknowledged_by_idx on tocsin.alarm (acknowledged_by);
create index alarm_open_by_severity_idx on tocsin.alarm (tocsin_customer_uuid, severity) where resolved_date is null;

create table tocsin.notification (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint notification_customer_fkey references tocsin.customer (uuid) on delete restrict,
  tocsin_site_uuid uuid,
  tocsin_alarm_uuid uuid,
  tocsin_user_uuid uuid,
  recipient_name text not null,
  address text not null,
  -- 1 e-mail, 2 WhatsApp, 3 SMS, 4 app push.
  method_type smallint not null constraint notification_method_type_check check (method_type between 1 and 4),
  -- 1 alarm, 2 health, 3 resolve, 4 other.
  message_type smallint not null constraint notification_message_type_check check (message_type between 1 and 4),
  notify_message text not null,
  notify_time timestamptz not null,
  ack_time timestamptz,
  ack_by_recipient_name text,
  state text not null default 'queued'
    constraint notification_state_check check (state in ('queued', 'sent', 'delivered', 'failed')),
  -- Billed parts of an SMS; 0 on the other ways.
  parts smallint not null default 0,
  attempts smallint not null default 0,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  idempotency_key uuid not null default gen_random_uuid() constraint notification_idempotency_key unique,
  provider text not null default '',
  provider_id text not null default '',
  provider_answer text not null default '',
  sent_at timestamptz,
  delivered_at timestamptz,
  failed_at timestamptz,
  created_at timestamptz not null default tocsin_private.clock(),
  constraint notification_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete set null (tocsin_site_uuid),
  constraint notification_alarm_fkey foreign key (tocsin_customer_uuid, tocsin_alarm_uuid)
    references tocsin.alarm (tocsin_customer_uuid, uuid) on delete set null (tocsin_alarm_uuid),
  constraint notification_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete set null (tocsin_user_uuid)
);
create index notification_time_idx on tocsin.notification (tocsin_customer_uuid, notify_time desc);
create index notification_site_idx on tocsin.notification (tocsin_site_uuid, notify_time desc);
create index notification_alarm_idx on tocsin.notification (tocsin_alarm_uuid);
create index notification_user_idx on tocsin.notification (tocsin_user_uuid, notify_time desc);
create index notification_due_idx on tocsin.notification (next_attempt_at) where state = 'queued';

-- Whatever a device said, word for word, by time so that old parts can be dropped whole.
create table tocsin.incoming_sensor_log (
  auto_id bigint generated always as identity,
  tocsin_customer_uuid uuid not null,
  uid text not null,
  raw_data text not null,
  date_time timestamptz not null,
  primary key (auto_id, date_time)
) partition by range (date_time);
create index incoming_sensor_log_time_idx on tocsin.incoming_sensor_log (tocsin_customer_uuid, date_time desc);
create index incoming_sensor_log_uid_idx on tocsin.incoming_sensor_log (tocsin_customer_uuid, uid, date_time desc);

create table tocsin.reply_message (
  id bigint generated always as identity primary key,
  tocsin_customer_uuid uuid not null,
  uid text not null,
  reply text,
  reply_command text not null,
  queued_on timestamptz not null default tocsin_private.clock(),
  delivered_on timestamptz,
  constraint reply_message_sensor_fkey foreign key (tocsin_customer_uuid, uid)
    references tocsin.sensor (tocsin_customer_uuid, uid) on update cascade on delete cascade
);
call tocsin_private.limit_text('tocsin.reply_message', 'uid 1-64', 'reply_command 1-500', 'reply 0-4000');
create index reply_message_uid_idx on tocsin.reply_message (tocsin_customer_uuid, uid, queued_on desc);
create index reply_message_queued_idx on tocsin.reply_message (tocsin_customer_uuid, queued_on desc);

-- Made for volume: a short key, no surrogate, one index, by time. A second reading of the same channel and
-- device time is the same reading.
create table tocsin.reading (
  channel_key integer not null,
  device_time timestamptz not null,
  server_time timestamptz not null,
  value double precision not null,
  primary key (channel_key, device_time)
) partition by range (device_time);

-- A slot of a site's health duration in which anything arrived.
create table tocsin.health_slot (
  tocsin_site_uuid uuid not null,
  tocsin_customer_uuid uuid not null,
  slot_start timestamptz not null,
  primary key (tocsin_site_uuid, slot_start),
  constraint health_slot_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade
);
