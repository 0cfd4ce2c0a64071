-- Why: functions that earlier versions made and nothing calls any more stay behind in a database that was upgraded. Those of the API are
-- made anew with the logic; these are not. Triggers that still hang on one go with it, and the logic makes those that are wanted.
drop function if exists tocsin_private.guard_condition(jsonb, text, uuid) cascade;
drop function if exists tocsin_private.site_matches(tocsin.site, text, text, uuid) cascade;
drop function if exists tocsin_private.stamp_reply_message() cascade;
set local role tocsin_service;
drop function if exists tocsin_definer.datapoint_day(uuid) cascade;
drop function if exists tocsin_definer.note_rule_change() cascade;
reset role;
