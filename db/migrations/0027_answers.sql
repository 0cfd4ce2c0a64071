-- oldest program: 0015_clock_offset.sql
-- Messages that people sent to the number of a sender. A provider that repeats a message finds its row.
create table tocsin_private.inbound_message (
  provider text not null,
  message_id text not null,
  -- Phone number of the sender, as dialled.
  address text not null,
  outcome text not null default 'received',
  -- True if a confirmation was queued. Their number is limited.
  answered boolean not null default false,
  received_at timestamptz not null,
  primary key (provider, message_id)
);
create index inbound_message_address_idx on tocsin_private.inbound_message (address, received_at);
create index inbound_message_received_idx on tocsin_private.inbound_message (received_at);

-- The reasons and choices that a message listed, by which the person who got it answers.
create table tocsin_private.answer_offer (
  -- Their order. Several can have the same time.
  id bigint generated always as identity primary key,
  notification_uuid uuid not null constraint answer_offer_notification_key unique,
  tocsin_customer_uuid uuid not null
    constraint answer_offer_customer_fkey references tocsin.customer (uuid) on delete cascade,
  method_type smallint not null,
  address text not null,
  -- The alarm of the reasons; null for a list of choices.
  alarm_uuid uuid,
  reasons text[],
  choices jsonb,
  created_at timestamptz not null
);
create index answer_offer_customer_idx on tocsin_private.answer_offer (tocsin_customer_uuid);
create index answer_offer_address_idx on tocsin_private.answer_offer (address, id desc);
create index answer_offer_created_idx on tocsin_private.answer_offer (created_at);

-- Finds the users with a phone number that is written in any way.
create index user_phone_idx on tocsin.user ((right(regexp_replace(phone_number, '[^0-9]', '', 'g'), 8))) where phone_number <> '';

-- Adds a kind to those that earlier migrations allow: the confirmation of an answer.
do $$
begin
  execute (select format('alter table tocsin.notification drop constraint notification_kind_check,
      add constraint notification_kind_check check (kind in (%s)) not valid', string_agg(quote_literal(k.kind), ', '))
    from (
      select m[1] as kind from pg_constraint c cross join regexp_matches(pg_get_constraintdef(c.oid), '''([^'']+)''', 'g') m
      where c.conrelid = 'tocsin.notification'::regclass and c.conname = 'notification_kind_check'
      union
      select 'confirmation'
    ) k);
end
$$;

-- API result: the address at which a sender's provider delivers answers.
alter type tocsin.sender_state add attribute inbound_address text;
