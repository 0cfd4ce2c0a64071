-- Why: a person can undo their acknowledgement for ten seconds, which resumes escalation, and add notes to an alarm later.
alter table tocsin.alarm add column resumes_escalation_at timestamptz;
comment on column tocsin.alarm.resumes_escalation_at is 'When escalation was due before the alarm was acknowledged; restored when the acknowledgement is undone.';

alter table tocsin.alarm_event drop constraint alarm_event_kind_check, add constraint alarm_event_kind_check check (kind in ('opened',
  'occurred', 'clearing', 'out-again', 'one-back', 'acknowledged', 'acknowledgement-undone', 'resolved', 'escalated',
  'escalation-stopped', 'not-told', 'action', 'rule-changed', 'message', 'note'));
