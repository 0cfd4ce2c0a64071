-- oldest program: 0015_clock_offset.sql
-- A user silences an alarm, rule, data point, asset or site for a limited time. Ended shelvings stay as history.
create table tocsin.shelving (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint shelving_customer_fkey references tocsin.customer (uuid) on delete restrict,
  scope text not null constraint shelving_scope_check check (scope in ('alarm', 'rule', 'datapoint', 'asset', 'site')),
  -- uuid of what is shelved. A rule is named as in alarm.rule_uuid.
  target_uuid uuid not null,
  tocsin_site_uuid uuid,
  -- The names when it was shelved.
  target_name text not null,
  site_name text not null,
  user_name text not null,
  reason text not null,
  tocsin_user_uuid uuid,
  created_at timestamptz not null default tocsin_private.clock(),
  until timestamptz not null,
  ended_at timestamptz,
  ended_how text constraint shelving_ended_how_check check (ended_how in ('expired', 'person', 'resolved', 'deleted')),
  -- Empty unless a user ended it.
  ended_by_name text not null default '',
  constraint shelving_ended_check check ((ended_at is null) = (ended_how is null)),
  constraint shelving_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint shelving_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete set null (tocsin_site_uuid),
  constraint shelving_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete set null (tocsin_user_uuid)
);
create index shelving_customer_idx on tocsin.shelving (tocsin_customer_uuid, created_at desc);
create index shelving_site_idx on tocsin.shelving (tocsin_site_uuid);
create index shelving_user_idx on tocsin.shelving (tocsin_user_uuid);
create unique index shelving_active_key on tocsin.shelving (tocsin_site_uuid, scope, target_uuid) where ended_at is null;
create index shelving_until_idx on tocsin.shelving (until) where ended_at is null;

-- A shelved alarm notifies nobody and does not escalate until `quiet_until`. A resolved alarm keeps these columns.
alter table tocsin.alarm
  add column quiet_because text constraint alarm_quiet_because_check check (quiet_because in ('shelved')),
  add column quiet_until timestamptz,
  add column tocsin_shelving_uuid uuid,
  -- Why nobody was notified of the opening; null if people were.
  add column opened_quiet text,
  -- How often people were notified that the alarm is still open after it was quiet.
  add column reminders smallint not null default 0,
  add constraint alarm_quiet_check check ((quiet_because is null) = (quiet_until is null)),
  add constraint alarm_shelving_fkey foreign key (tocsin_customer_uuid, tocsin_shelving_uuid)
    references tocsin.shelving (tocsin_customer_uuid, uuid) on delete set null (tocsin_shelving_uuid);
create index alarm_quiet_idx on tocsin.alarm (quiet_until) where quiet_until is not null and resolved_date is null;
create index alarm_shelving_idx on tocsin.alarm (tocsin_shelving_uuid);

alter table tocsin.alarm_event drop constraint alarm_event_kind_check;
alter table tocsin.alarm_event add constraint alarm_event_kind_check check (kind in ('opened', 'occurred', 'clearing', 'out-again',
  'one-back', 'acknowledged', 'acknowledgement-undone', 'resolved', 'escalated', 'escalation-stopped', 'not-notified', 'action',
  'rule-changed', 'message', 'note', 'shelved', 'shelving-extended', 'unshelved'));
alter table tocsin.notification drop constraint notification_kind_check;
alter table tocsin.notification add constraint notification_kind_check check (kind in ('alarm', 'resolve', 'escalation', 'health',
  'action', 'other', 'system', 'reminder'));

-- The longest time for which a user may shelve, in hours.
alter table tocsin.customer
  add column operator_shelve_hours smallint not null default 24
    constraint customer_operator_shelve_hours_check check (operator_shelve_hours between 1 and 8760),
  add column manager_shelve_hours smallint not null default 168
    constraint customer_manager_shelve_hours_check check (manager_shelve_hours between 1 and 8760);
