-- oldest program: 0015_clock_offset.sql
-- An alarm can be quiet for several reasons. `quiet_source` is the uuid of the shelving, maintenance window or causing
-- alarm. `quiet_until` is null if the end is not known.
alter table tocsin.alarm drop constraint alarm_quiet_because_check, drop constraint alarm_quiet_check;
alter table tocsin.alarm
  add column quiet_source uuid,
  add constraint alarm_quiet_because_check check (quiet_because in ('shelved', 'maintenance', 'dependency')) not valid,
  add constraint alarm_quiet_check check (quiet_because is not null or quiet_until is null) not valid;
create index alarm_quiet_source_idx on tocsin.alarm (quiet_source) where quiet_source is not null and resolved_date is null;

alter table tocsin.alarm_event drop constraint alarm_event_kind_check;
alter table tocsin.alarm_event add constraint alarm_event_kind_check check (kind in ('opened', 'occurred', 'clearing', 'out-again',
  'one-back', 'acknowledged', 'acknowledgement-undone', 'resolved', 'escalated', 'escalation-stopped', 'not-notified', 'action',
  'rule-changed', 'message', 'note', 'shelved', 'shelving-extended', 'unshelved', 'taken', 'taken-over', 'assigned', 'released',
  'maintenance-started', 'maintenance-ended', 'dependency-started', 'dependency-ended')) not valid;

-- A maintenance window: planned work on a site, asset or sensor, once or recurring. Days and times are those of the
-- customer's time zone. Ended windows stay as history.
create table tocsin.maintenance_window (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint maintenance_window_customer_fkey references tocsin.customer (uuid) on delete restrict,
  name text not null,
  scope text not null constraint maintenance_window_scope_check check (scope in ('site', 'asset', 'sensor')),
  target_uuid uuid not null,
  -- The site of a site or asset. A sensor can belong to several sites, so it has none here.
  tocsin_site_uuid uuid,
  -- The names when the window was saved.
  target_name text not null,
  site_name text not null,
  -- `alarms` includes notifications; `health` includes alarms and the silence of the site.
  suppresses text not null constraint maintenance_window_suppresses_check check (suppresses in ('notifications', 'alarms', 'health')),
  -- `until-ended`: a sensor has the status 2. Such a window has one occurrence without end, and no days and times.
  repeats text not null constraint maintenance_window_repeats_check
    check (repeats in ('once', 'weekly', 'monthly-day', 'monthly-weekday', 'until-ended')),
  first_day date,
  last_day date,
  from_time text not null default '',
  to_time text not null default '',
  -- How many days after its start an occurrence ends.
  days smallint not null default 0,
  weekday smallint,
  week smallint,
  day_of_month smallint,
  tocsin_user_uuid uuid,
  user_name text not null,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  -- Occurrences are stored up to this time. Null: the time zone changed, so they must be computed again.
  planned_until timestamptz,
  ended_at timestamptz,
  ended_how text constraint maintenance_window_ended_how_check check (ended_how in ('over', 'person', 'deleted')),
  -- Empty unless a user ended it.
  ended_by_name text not null default '',
  constraint maintenance_window_ended_check check ((ended_at is null) = (ended_how is null)),
  constraint maintenance_window_days_check check (repeats = 'until-ended' or first_day is not null),
  constraint maintenance_window_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint maintenance_window_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete set null (tocsin_site_uuid),
  constraint maintenance_window_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete set null (tocsin_user_uuid)
);
create index maintenance_window_customer_idx on tocsin.maintenance_window (tocsin_customer_uuid, created_at desc);
create index maintenance_window_site_idx on tocsin.maintenance_window (tocsin_site_uuid);
create index maintenance_window_user_idx on tocsin.maintenance_window (tocsin_user_uuid);
create index maintenance_window_target_idx on tocsin.maintenance_window (target_uuid) where ended_at is null;
create index maintenance_window_planned_idx on tocsin.maintenance_window (planned_until nulls first) where ended_at is null;

-- The occurrences of a window, some months ahead, so that SQL only compares times.
create table tocsin.maintenance_occurrence (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint maintenance_occurrence_customer_fkey references tocsin.customer (uuid) on delete restrict,
  tocsin_maintenance_window_uuid uuid not null,
  target_uuid uuid not null,
  starts_at timestamptz not null,
  -- Null while the end is not known.
  ends_at timestamptz,
  -- When the engine marked the open alarms as quiet.
  begun_at timestamptz,
  -- The engine has ended the occurrence.
  is_done boolean not null default false,
  constraint maintenance_occurrence_order_check check (ends_at >= starts_at),
  constraint maintenance_occurrence_window_fkey foreign key (tocsin_customer_uuid, tocsin_maintenance_window_uuid)
    references tocsin.maintenance_window (tocsin_customer_uuid, uuid) on delete cascade
);
create index maintenance_occurrence_customer_idx on tocsin.maintenance_occurrence (tocsin_customer_uuid, starts_at);
create index maintenance_occurrence_window_idx on tocsin.maintenance_occurrence (tocsin_maintenance_window_uuid, starts_at);
create index maintenance_occurrence_target_idx on tocsin.maintenance_occurrence (target_uuid, starts_at) where not is_done;
create index maintenance_occurrence_begin_idx on tocsin.maintenance_occurrence (starts_at) where begun_at is null;
create index maintenance_occurrence_begun_idx on tocsin.maintenance_occurrence (begun_at) where not is_done and begun_at is not null;
create index maintenance_occurrence_end_idx on tocsin.maintenance_occurrence (ends_at) where not is_done;

-- The maintenance mode of a sensor becomes a window.
alter table tocsin.sensor no force row level security;
with mode as (
  insert into tocsin.maintenance_window (tocsin_customer_uuid, name, scope, target_uuid, target_name, site_name, suppresses, repeats, user_name)
  select s.tocsin_customer_uuid, 'Sensor in maintenance', 'sensor', s.uuid, s.uid, '', 'alarms', 'until-ended', 'Tocsin'
  from tocsin.sensor s where s.status = 2
  returning uuid, tocsin_customer_uuid, target_uuid, created_at
)
insert into tocsin.maintenance_occurrence (tocsin_customer_uuid, tocsin_maintenance_window_uuid, target_uuid, starts_at)
select m.tocsin_customer_uuid, m.uuid, m.target_uuid, m.created_at from mode m;
alter table tocsin.sensor force row level security;
