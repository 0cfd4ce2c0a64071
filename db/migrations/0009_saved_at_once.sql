-- Why: a rule alert is saved with its people and reasons in one call, all of it or nothing; and the admin area's lists stay
-- quick where a customer has a hundred thousand of everything.

-- Somebody to be told by a rule alert, and of what.
create type tocsin.told_person as (tocsin_user_uuid uuid, is_alert boolean, is_resolve boolean, is_health boolean);
