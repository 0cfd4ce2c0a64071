-- Why: of an alarm that rules share, its timeline says also when one of them is over while another keeps it open.
alter table tocsin.alarm_event drop constraint alarm_event_kind_check, add constraint alarm_event_kind_check check (kind in ('opened',
  'occurred', 'clearing', 'out-again', 'one-back', 'acknowledged', 'resolved', 'escalated', 'escalation-stopped', 'not-told', 'action',
  'rule-changed', 'message'));
