-- System alarms, for owners. The function runs as tocsin_service, because requests have no access to the table. It
-- therefore checks the caller itself.
set local role tocsin_service;
create or replace function tocsin_definer.open_system_alarms() returns setof tocsin.system_alarm
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select a.uuid, a.kind, a.subject, a.sentence, a.opened_at, a.ended_at from tocsin_private.system_alarm a
    where a.ended_at is null and tocsin_private.is_owner() order by a.opened_at, a.kind, a.subject
  $$;
reset role;

-- Returns the open system alarms. Returns no rows unless the caller is an owner.
create function tocsin.open_system_alarms() returns setof tocsin.system_alarm language sql stable
  as $$ select * from tocsin_definer.open_system_alarms() $$;
