-- oldest program: 0015_clock_offset.sql
-- A destination is a Slack channel, a Teams channel or a webhook to which the events of alarms are posted.
create table tocsin.destination (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint destination_customer_fkey references tocsin.customer (uuid) on delete restrict,
  name text not null,
  kind text not null constraint destination_kind_check check (kind in ('webhook', 'slack', 'teams')),
  -- The place: a site, or a group with all its sites.
  tocsin_site_uuid uuid,
  tocsin_group_uuid uuid,
  -- Host of the URL. The whole URL is secret, because whoever knows it can post.
  host text not null,
  status boolean not null default true,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  constraint destination_place_check check (num_nonnulls(tocsin_site_uuid, tocsin_group_uuid) = 1),
  constraint destination_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint destination_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade,
  constraint destination_group_fkey foreign key (tocsin_customer_uuid, tocsin_group_uuid)
    references tocsin.group (tocsin_customer_uuid, uuid) on delete cascade
);
call tocsin_private.limit_text('tocsin.destination', 'name 1-200');
create unique index destination_name_key on tocsin.destination (tocsin_customer_uuid, lower(name));
create index destination_site_idx on tocsin.destination (tocsin_site_uuid);
create index destination_group_idx on tocsin.destination (tocsin_group_uuid);

-- The URL of a destination, and the key that signs its requests. Requests of users cannot read this table.
create table tocsin_private.destination_secret (
  tocsin_destination_uuid uuid primary key,
  tocsin_customer_uuid uuid not null,
  url text not null,
  -- Empty unless the destination is a webhook.
  secret text not null default '',
  constraint destination_secret_destination_fkey foreign key (tocsin_customer_uuid, tocsin_destination_uuid)
    references tocsin.destination (tocsin_customer_uuid, uuid) on delete cascade
);

-- One request to a destination, with its life. Its uuid is the idempotency key.
create table tocsin.destination_delivery (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_destination_uuid uuid not null,
  -- Event of the alarm, a digest of events, or a test message.
  event text not null constraint destination_delivery_event_check check (event in ('opened', 'still-open', 'acknowledged',
    'acknowledgement-undone', 'resolved', 'digest', 'test')),
  -- A delivery waits for earlier deliveries about the same alarm.
  alarm_uuids uuid[] not null default '{}',
  title text not null default '',
  -- The facts from which the body is composed. Every attempt composes the same body.
  facts jsonb not null default '{}',
  state text not null default 'queued' constraint destination_delivery_state_check check (state in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  -- The attempts that count for the waiting time: a resent delivery starts again.
  tries integer not null default 0,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  -- Status of the last HTTP response; null if there was none.
  response_code integer,
  answer text not null default '',
  created_at timestamptz not null default tocsin_private.clock(),
  queued_at timestamptz not null default tocsin_private.clock(),
  sent_at timestamptz,
  failed_at timestamptz,
  sequence_number bigint generated always as identity,
  constraint destination_delivery_destination_fkey foreign key (tocsin_customer_uuid, tocsin_destination_uuid)
    references tocsin.destination (tocsin_customer_uuid, uuid) on delete cascade
);
create index destination_delivery_destination_idx on tocsin.destination_delivery (tocsin_destination_uuid, sequence_number desc);
create index destination_delivery_due_idx on tocsin.destination_delivery (next_attempt_at) where state = 'queued';
create index destination_delivery_created_idx on tocsin.destination_delivery (created_at) where state <> 'queued';
create index destination_delivery_queued_idx on tocsin.destination_delivery (tocsin_destination_uuid, sequence_number) where state = 'queued';

-- Queue for the engine: events of alarms from which it makes deliveries. The id orders the events of an alarm.
create table tocsin_private.destination_work (
  id bigint generated always as identity primary key,
  tocsin_customer_uuid uuid not null,
  tocsin_alarm_uuid uuid not null,
  event text not null,
  at timestamptz not null,
  constraint destination_work_alarm_fkey foreign key (tocsin_customer_uuid, tocsin_alarm_uuid)
    references tocsin.alarm (tocsin_customer_uuid, uuid) on delete cascade
);
create index destination_work_alarm_idx on tocsin_private.destination_work (tocsin_alarm_uuid);
create index destination_work_customer_idx on tocsin_private.destination_work (tocsin_customer_uuid, id);

-- The alarms of which a destination was notified. Only these are acknowledged and resolved there.
create table tocsin_private.destination_alarm (
  tocsin_customer_uuid uuid not null,
  tocsin_destination_uuid uuid not null,
  tocsin_alarm_uuid uuid not null,
  primary key (tocsin_destination_uuid, tocsin_alarm_uuid),
  constraint destination_alarm_destination_fkey foreign key (tocsin_customer_uuid, tocsin_destination_uuid)
    references tocsin.destination (tocsin_customer_uuid, uuid) on delete cascade,
  constraint destination_alarm_alarm_fkey foreign key (tocsin_customer_uuid, tocsin_alarm_uuid)
    references tocsin.alarm (tocsin_customer_uuid, uuid) on delete cascade
);
create index destination_alarm_alarm_idx on tocsin_private.destination_alarm (tocsin_alarm_uuid);

-- The time before which the destinations of a customer get no further digest.
create table tocsin_private.destination_turn (
  tocsin_customer_uuid uuid primary key
    constraint destination_turn_customer_fkey references tocsin.customer (uuid) on delete cascade,
  next_at timestamptz not null
);

-- API result: a saved destination. The secret is returned only when it is new.
create type tocsin.saved_destination as (uuid uuid, secret text);
