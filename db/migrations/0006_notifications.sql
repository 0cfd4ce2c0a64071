-- Notifications and everything about sending them. A notification outlives its alarm, site and user.
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
  -- Billed segments of an SMS; 0 for other methods.
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
  kind text not null default 'other'
    constraint notification_kind_check check (kind in ('alarm', 'resolve', 'escalation', 'health', 'action', 'other')),
  step smallint not null default 0,
  -- The rule and site, independent of value and time. Repeats are suppressed by topic.
  topic text not null default '',
  subject text not null default '',
  -- The provider's answer to each attempt, in order.
  attempt_log jsonb not null default '[]',
  -- Prevents a second notification for the same alarm, kind, step, method and address.
  once_key text,
  -- Order of queueing; notify_time is equal within a transaction.
  sequence_number bigint generated always as identity,
  constraint notification_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete set null (tocsin_site_uuid),
  constraint notification_alarm_fkey foreign key (tocsin_customer_uuid, tocsin_alarm_uuid)
    references tocsin.alarm (tocsin_customer_uuid, uuid) on delete set null (tocsin_alarm_uuid),
  constraint notification_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete set null (tocsin_user_uuid)
);
create index notification_site_idx on tocsin.notification (tocsin_site_uuid, notify_time desc);
create index notification_alarm_idx on tocsin.notification (tocsin_alarm_uuid);
create index notification_user_idx on tocsin.notification (tocsin_user_uuid, notify_time desc);
create index notification_by_time_idx on tocsin.notification (tocsin_customer_uuid, notify_time desc, uuid);
create index notification_due_idx on tocsin.notification (method_type, next_attempt_at) where state = 'queued';
create unique index notification_once_key on tocsin.notification (tocsin_customer_uuid, once_key);
create index notification_repeat_idx on tocsin.notification (tocsin_customer_uuid, topic, notify_time desc, address);
create index notification_provider_idx on tocsin.notification (provider_id) where provider_id <> '';
-- Billed SMS: accepted by a provider, even if a receipt reports a failure later. The outbox sends nothing.
create index notification_sms_idx on tocsin.notification (tocsin_customer_uuid, notify_time)
  include (tocsin_site_uuid, message_type, parts)
  where method_type = 3 and (state in ('sent', 'delivered') or sent_at is not null) and provider <> 'outbox';

-- The sender of a method that has no provider configured: it stores messages here.
create table tocsin.outbox (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint outbox_customer_fkey references tocsin.customer (uuid) on delete cascade,
  method_type smallint not null constraint outbox_method_type_check check (method_type between 1 and 4),
  address text not null,
  subject text not null default '',
  body text not null,
  created_at timestamptz not null default tocsin_private.clock()
);
create index outbox_created_idx on tocsin.outbox (tocsin_customer_uuid, created_at desc);

-- Browsers that receive push notifications of a user.
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

-- Delivery receipts that arrived before the notification had its provider id.
create table tocsin_private.early_receipt (
  provider text not null,
  provider_id text not null,
  state text not null constraint early_receipt_state_check check (state in ('delivered', 'failed')),
  words text not null,
  created_at timestamptz not null default tocsin_private.clock(),
  primary key (provider, provider_id)
);

-- The last notification of a topic (a rule, or the silence of a site) to an address.
create table tocsin_private.last_notified (
  topic text not null,
  method_type smallint not null,
  address text not null,
  alarm_uuid uuid not null,
  -- True for a resolution.
  ended boolean not null,
  -- Device time of the event.
  event_time timestamptz not null,
  noted_at timestamptz not null,
  primary key (topic, method_type, address)
);
create index last_notified_alarm_idx on tocsin_private.last_notified (alarm_uuid);
create index last_notified_noted_idx on tocsin_private.last_notified (noted_at);

-- Suppressed openings that are sent at due_at if the alarm is still open.
create table tocsin_private.deferred_notification (
  once_key text primary key,
  tocsin_customer_uuid uuid not null,
  tocsin_alarm_uuid uuid not null,
  tocsin_user_uuid uuid not null,
  topic text not null,
  -- Server time.
  due_at timestamptz not null,
  -- The same time on the device clock.
  event_time timestamptz not null,
  draft jsonb not null,
  constraint deferred_notification_alarm_fkey foreign key (tocsin_customer_uuid, tocsin_alarm_uuid)
    references tocsin.alarm (tocsin_customer_uuid, uuid) on delete cascade,
  constraint deferred_notification_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete cascade
);
create index deferred_notification_due_idx on tocsin_private.deferred_notification (due_at);
create index deferred_notification_topic_idx on tocsin_private.deferred_notification (topic);
create index deferred_notification_alarm_idx on tocsin_private.deferred_notification (tocsin_alarm_uuid);
create index deferred_notification_user_idx on tocsin_private.deferred_notification (tocsin_user_uuid);

-- API results: the state of a method, and methods that do not deliver.
create type tocsin.channel_state as (method_type integer, name text, title text, leaves_the_house boolean, sent_on timestamptz,
  failed_on timestamptz, problem text, queued integer, receipt_address text, receipt_problem text);
create type tocsin.delivery_problem as (method_type integer, cause text, messages integer, alarms integer, since timestamptz, answer text);
