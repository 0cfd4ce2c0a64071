-- Why: whether a notification is suppressed depended on timestamps that are equal within a transaction. It depends on the order of
-- events: the last notification of each topic to each address is a row, and notifications have a strict order.
alter table tocsin.notification add column sequence_number bigint generated always as identity;

-- The last notification of a topic (a rule, or the silence of a site) to an address.
create table tocsin_private.last_notified (
  topic text not null,
  method_type smallint not null,
  address text not null,
  alarm_uuid uuid not null,
  -- Whether it was a resolution.
  ended boolean not null,
  -- When the event happened, by the device's clock.
  event_time timestamptz not null,
  noted_at timestamptz not null,
  primary key (topic, method_type, address)
);
create index last_notified_alarm_idx on tocsin_private.last_notified (alarm_uuid);
create index last_notified_noted_idx on tocsin_private.last_notified (noted_at);

-- Suppressed openings that are sent at due_at if the alarm is still open then.
create table tocsin_private.deferred_notification (
  once_key text primary key,
  tocsin_customer_uuid uuid not null,
  tocsin_alarm_uuid uuid not null,
  tocsin_user_uuid uuid not null,
  topic text not null,
  -- By the server's clock.
  due_at timestamptz not null,
  -- The same moment by the device's clock.
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
