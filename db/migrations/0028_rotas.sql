-- oldest program: 0015_clock_offset.sql
-- A rota says who is on call. Its layers each have people in turn. People are stored by uuid and name without a foreign
-- key, so that a deleted person stays in the rota and their shifts are seen as gaps.
create table tocsin.rota (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null constraint rota_customer_fkey references tocsin.customer (uuid) on delete restrict,
  name text not null,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  constraint rota_in_customer_key unique (tocsin_customer_uuid, uuid)
);
create unique index rota_name_key on tocsin.rota (tocsin_customer_uuid, lower(name));

create table tocsin.rota_layer (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null constraint rota_layer_customer_fkey references tocsin.customer (uuid) on delete restrict,
  tocsin_rota_uuid uuid not null,
  name text not null,
  -- The order of the layers in the rota.
  position integer not null,
  turn_hours integer not null constraint rota_layer_turn_hours_check check (turn_hours between 1 and 8784),
  -- The turn of the first person begins on this day at the handover time.
  first_day date not null,
  handover_time text not null,
  time_zone text not null,
  -- The list of weekdays with times in which the layer has shifts; empty for around the clock.
  hours jsonb not null default '[]',
  -- Counts the changes of the layer, its overrides, swaps and confirmed gaps. The server checks a change against one
  -- version, and the change is refused if there is a newer one.
  version integer not null default 1,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  constraint rota_layer_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint rota_layer_rota_fkey foreign key (tocsin_customer_uuid, tocsin_rota_uuid)
    references tocsin.rota (tocsin_customer_uuid, uuid) on delete cascade
);
create index rota_layer_rota_idx on tocsin.rota_layer (tocsin_rota_uuid, position);
create index rota_layer_customer_idx on tocsin.rota_layer (tocsin_customer_uuid);

create table tocsin.rota_layer_person (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null constraint rota_layer_person_customer_fkey references tocsin.customer (uuid) on delete restrict,
  tocsin_rota_layer_uuid uuid not null,
  position integer not null,
  person_uuid uuid not null,
  -- The name when the layer was saved. It is shown after the person is deleted.
  person_name text not null,
  constraint rota_layer_person_once_key unique (tocsin_rota_layer_uuid, person_uuid),
  constraint rota_layer_person_layer_fkey foreign key (tocsin_customer_uuid, tocsin_rota_layer_uuid)
    references tocsin.rota_layer (tocsin_customer_uuid, uuid) on delete cascade
);
create index rota_layer_person_person_idx on tocsin.rota_layer_person (tocsin_customer_uuid, person_uuid);

create table tocsin.rota_override (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null constraint rota_override_customer_fkey references tocsin.customer (uuid) on delete restrict,
  tocsin_rota_layer_uuid uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- With a person who is off, the override changes only their shifts. Without a cover, these shifts are gaps.
  off_uuid uuid,
  off_name text not null default '',
  cover_uuid uuid,
  cover_name text not null default '',
  reason text not null default '',
  -- Who added it.
  user_name text not null,
  created_at timestamptz not null default tocsin_private.clock(),
  constraint rota_override_order_check check (ends_at > starts_at),
  constraint rota_override_person_check check (num_nonnulls(off_uuid, cover_uuid) > 0),
  constraint rota_override_layer_fkey foreign key (tocsin_customer_uuid, tocsin_rota_layer_uuid)
    references tocsin.rota_layer (tocsin_customer_uuid, uuid) on delete cascade
);
create index rota_override_layer_idx on tocsin.rota_override (tocsin_rota_layer_uuid, ends_at);
create index rota_override_customer_idx on tocsin.rota_override (tocsin_customer_uuid);
create index rota_override_cover_idx on tocsin.rota_override (cover_uuid);

-- A manager knows that nobody is on call in this period.
create table tocsin.rota_gap (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null constraint rota_gap_customer_fkey references tocsin.customer (uuid) on delete restrict,
  tocsin_rota_layer_uuid uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Who confirmed it.
  user_name text not null,
  created_at timestamptz not null default tocsin_private.clock(),
  constraint rota_gap_order_check check (ends_at > starts_at),
  constraint rota_gap_layer_fkey foreign key (tocsin_customer_uuid, tocsin_rota_layer_uuid)
    references tocsin.rota_layer (tocsin_customer_uuid, uuid) on delete cascade
);
create index rota_gap_layer_idx on tocsin.rota_gap (tocsin_rota_layer_uuid, ends_at);
create index rota_gap_customer_idx on tocsin.rota_gap (tocsin_customer_uuid);

-- A person asks a colleague to take a shift, and offers to take one of theirs. The shifts change when the colleague accepts.
create table tocsin.rota_swap (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null constraint rota_swap_customer_fkey references tocsin.customer (uuid) on delete restrict,
  tocsin_rota_layer_uuid uuid not null,
  asker_uuid uuid not null,
  asker_name text not null,
  colleague_uuid uuid not null,
  colleague_name text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- The shift that the asker takes in return; null for none.
  back_starts_at timestamptz,
  back_ends_at timestamptz,
  state text not null default 'asked' constraint rota_swap_state_check check (state in ('asked', 'accepted', 'declined', 'cancelled')),
  created_at timestamptz not null default tocsin_private.clock(),
  answered_at timestamptz,
  constraint rota_swap_order_check check (ends_at > starts_at and back_ends_at > back_starts_at),
  constraint rota_swap_back_check check ((back_starts_at is null) = (back_ends_at is null)),
  constraint rota_swap_answered_check check ((state = 'asked') = (answered_at is null)),
  constraint rota_swap_layer_fkey foreign key (tocsin_customer_uuid, tocsin_rota_layer_uuid)
    references tocsin.rota_layer (tocsin_customer_uuid, uuid) on delete cascade
);
create index rota_swap_layer_idx on tocsin.rota_swap (tocsin_rota_layer_uuid, state);
create index rota_swap_customer_idx on tocsin.rota_swap (tocsin_customer_uuid);

-- The address of an iCalendar feed: the shifts of a person in all rotas, or all shifts of one rota. It belongs to the
-- person and shows what this person may see.
create table tocsin_private.calendar_feed (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null constraint calendar_feed_customer_fkey references tocsin.customer (uuid) on delete cascade,
  tocsin_user_uuid uuid not null,
  tocsin_rota_uuid uuid,
  secret_hash bytea not null,
  created_at timestamptz not null,
  constraint calendar_feed_once_key unique nulls not distinct (tocsin_user_uuid, tocsin_rota_uuid),
  constraint calendar_feed_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete cascade,
  constraint calendar_feed_rota_fkey foreign key (tocsin_customer_uuid, tocsin_rota_uuid)
    references tocsin.rota (tocsin_customer_uuid, uuid) on delete cascade
);
create index calendar_feed_customer_idx on tocsin_private.calendar_feed (tocsin_customer_uuid);
create index calendar_feed_rota_idx on tocsin_private.calendar_feed (tocsin_rota_uuid);

-- API results.
create type tocsin.rota_person as (uuid uuid, name text, phone_number text, is_active boolean);
create type tocsin.calendar_feed as (rota_uuid uuid, created_at timestamptz);
