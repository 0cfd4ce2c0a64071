-- Why: a rule alert that escalates 0 times names people who are never told, and every page says that they are. Whoever wants no
-- escalation names nobody, so those that asked for 0 times name nobody from now on. No person did that, so no trigger takes note.
alter table tocsin.rule_alert no force row level security, disable trigger user;
alter table tocsin.rule_escalate_user no force row level security, disable trigger user;
delete from tocsin.rule_escalate_user e using tocsin.rule_alert a where a.uuid = e.tocsin_rule_alert_uuid and a.escalate_count = 0;
update tocsin.rule_alert set escalate_count = 3 where escalate_count = 0;
alter table tocsin.rule_escalate_user force row level security, enable trigger user;
alter table tocsin.rule_alert force row level security, enable trigger user,
  drop constraint rule_alert_escalate_count_check,
  add constraint rule_alert_escalate_count_check check (escalate_count between 1 and 100);
