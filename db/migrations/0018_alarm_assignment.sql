-- oldest program: 0015_clock_offset.sql
-- One person at a time has an open alarm. A resolved alarm keeps who had it.
alter table tocsin.alarm
  add column assigned_to uuid,
  -- The name when the person got the alarm. A resolved alarm keeps it after the person is deleted.
  add column assigned_name text,
  add column assigned_at timestamptz,
  add constraint alarm_assigned_check check ((assigned_name is null) = (assigned_at is null)
    and (assigned_to is null or assigned_name is not null)),
  add constraint alarm_assigned_to_fkey foreign key (tocsin_customer_uuid, assigned_to)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete set null (assigned_to);
create index alarm_assigned_to_idx on tocsin.alarm (assigned_to);

alter table tocsin.alarm_event drop constraint alarm_event_kind_check;
alter table tocsin.alarm_event add constraint alarm_event_kind_check check (kind in ('opened', 'occurred', 'clearing', 'out-again',
  'one-back', 'acknowledged', 'acknowledgement-undone', 'resolved', 'escalated', 'escalation-stopped', 'not-notified', 'action',
  'rule-changed', 'message', 'note', 'shelved', 'shelving-extended', 'unshelved', 'taken', 'taken-over', 'assigned', 'released'));
