-- oldest program: 0015_clock_offset.sql
-- Alarm floods of unit offices and of sites without one. domain/alarm/alarm-flood.ts has the rule.
create table tocsin.alarm_flood (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint alarm_flood_customer_fkey references tocsin.customer (uuid) on delete restrict,
  -- The place: a unit office, or a site that had none.
  tocsin_site_uuid uuid,
  tocsin_group_uuid uuid,
  -- The name when the flood started.
  place_name text not null,
  -- When the first-out alarm was created.
  began_at timestamptz not null,
  -- When the flood ends unless another alarm opens before.
  ends_at timestamptz not null,
  ended_at timestamptz,
  last_alarm_at timestamptz not null,
  alarms integer not null,
  -- The first-out alarm.
  tocsin_alarm_uuid uuid,
  first_message text not null,
  first_site_name text not null,
  constraint alarm_flood_place_check check (num_nonnulls(tocsin_site_uuid, tocsin_group_uuid) <= 1),
  constraint alarm_flood_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint alarm_flood_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete set null (tocsin_site_uuid),
  constraint alarm_flood_group_fkey foreign key (tocsin_customer_uuid, tocsin_group_uuid)
    references tocsin.group (tocsin_customer_uuid, uuid) on delete set null (tocsin_group_uuid),
  constraint alarm_flood_alarm_fkey foreign key (tocsin_customer_uuid, tocsin_alarm_uuid)
    references tocsin.alarm (tocsin_customer_uuid, uuid) on delete set null (tocsin_alarm_uuid)
);
create index alarm_flood_customer_idx on tocsin.alarm_flood (tocsin_customer_uuid, began_at desc);
create index alarm_flood_site_idx on tocsin.alarm_flood (tocsin_site_uuid, last_alarm_at desc);
create index alarm_flood_group_idx on tocsin.alarm_flood (tocsin_group_uuid, last_alarm_at desc);
create index alarm_flood_alarm_idx on tocsin.alarm_flood (tocsin_alarm_uuid);
create index alarm_flood_ends_idx on tocsin.alarm_flood (ends_at) where ended_at is null;

-- Finds the newest alarms of a site that count for floods.
create index alarm_counted_idx on tocsin.alarm (tocsin_site_uuid, created_at desc) where opened_quiet is null;
-- Finds the alarms that opened in a flood, and those that a digest reported.
create index alarm_event_flood_idx on tocsin.alarm_event (tocsin_alarm_uuid)
  where kind = 'not-notified' and detail ->> 'because' = 'flood';
create index alarm_event_digest_idx on tocsin.alarm_event (tocsin_customer_uuid, (detail ->> 'digest')) where kind = 'digest';

-- A digest is a notification. It has one part for each audience; the timelines of the alarms name the part.
alter table tocsin.notification add column digest_uuids uuid[];
-- Without a pending list, which every search would read.
create index notification_digest_idx on tocsin.notification using gin (digest_uuids) with (fastupdate = off) where digest_uuids is not null;

-- Adds a kind to those that earlier migrations allow.
do $$
declare
  item record;
begin
  for item in select * from (values ('alarm_event', 'alarm_event_kind_check'), ('notification', 'notification_kind_check')) t (name, check_name) loop
    execute (select format('alter table tocsin.%I drop constraint %I, add constraint %I check (kind in (%s)) not valid', item.name, item.check_name,
        item.check_name, string_agg(quote_literal(k.kind), ', '))
      from (
        select m[1] as kind from pg_constraint c cross join regexp_matches(pg_get_constraintdef(c.oid), '''([^'']+)''', 'g') m
        where c.conrelid = format('tocsin.%I', item.name)::regclass and c.conname = item.check_name
        union
        select 'digest'
      ) k);
  end loop;
end
$$;

-- A flood of the report belongs to a site or to a unit office.
alter type tocsin.performance_flood add attribute group_uuid uuid;

-- The addresses that get the same alarms in their digests.
create table tocsin_private.digest_audience (
  tocsin_customer_uuid uuid not null
    constraint digest_audience_customer_fkey references tocsin.customer (uuid) on delete cascade,
  -- Hash of the addresses.
  key text not null,
  addresses jsonb not null,
  used_at timestamptz not null,
  primary key (tocsin_customer_uuid, key)
);
create index digest_audience_used_idx on tocsin_private.digest_audience (used_at);

-- Notifications that wait for the next digest.
create table tocsin_private.digest_entry (
  id bigint generated always as identity primary key,
  tocsin_customer_uuid uuid not null,
  tocsin_alarm_uuid uuid not null,
  tocsin_alarm_flood_uuid uuid not null,
  kind text not null,
  step smallint not null,
  audience text not null,
  due_at timestamptz not null,
  constraint digest_entry_once_key unique (tocsin_alarm_uuid, kind, step, audience),
  constraint digest_entry_alarm_fkey foreign key (tocsin_customer_uuid, tocsin_alarm_uuid)
    references tocsin.alarm (tocsin_customer_uuid, uuid) on delete cascade,
  constraint digest_entry_flood_fkey foreign key (tocsin_customer_uuid, tocsin_alarm_flood_uuid)
    references tocsin.alarm_flood (tocsin_customer_uuid, uuid) on delete cascade,
  constraint digest_entry_audience_fkey foreign key (tocsin_customer_uuid, audience)
    references tocsin_private.digest_audience (tocsin_customer_uuid, key) on delete cascade
);
create index digest_entry_due_idx on tocsin_private.digest_entry (tocsin_customer_uuid, due_at);
create index digest_entry_flood_idx on tocsin_private.digest_entry (tocsin_alarm_flood_uuid);
create index digest_entry_audience_idx on tocsin_private.digest_entry (tocsin_customer_uuid, audience);

-- The time before which a customer gets no further digests. The process that sends digests locks the row.
create table tocsin_private.digest_turn (
  tocsin_customer_uuid uuid primary key
    constraint digest_turn_customer_fkey references tocsin.customer (uuid) on delete cascade,
  next_at timestamptz not null
);
