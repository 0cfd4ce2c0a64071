-- Users see themselves. Managers also see and change users with a higher level number, but cannot change themselves.
-- They assign only levels with a higher number than their own. Only owners create partner accounts.
grant select (uuid, tocsin_customer_uuid, username, display_name, email, phone_number, level, status, varified,
  email_notification, sms_notification, whatsapp_notification, apps_notification, tocsin_partner_account, created_at, updated_at)
  on tocsin.user to tocsin_request;
grant insert (username, display_name, email, phone_number, level, status,
  email_notification, sms_notification, whatsapp_notification, apps_notification, tocsin_partner_account)
  on tocsin.user to tocsin_request;
grant update (username, display_name, email, phone_number, level, status,
  email_notification, sms_notification, whatsapp_notification, apps_notification, tocsin_partner_account)
  on tocsin.user to tocsin_request;
grant delete on tocsin.user to tocsin_request;

create policy read_self on tocsin.user for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and uuid = (select tocsin_private.me()));
create policy read_below on tocsin.user for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and (select tocsin_private.is_manager()) and level > (select tocsin_private.my_level()));
create policy create_below on tocsin.user for insert to tocsin_request with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and (select tocsin_private.is_manager()) and level > (select tocsin_private.my_level())
  and (not tocsin_partner_account or (select tocsin_private.is_owner())));
create policy change_below on tocsin.user for update to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and uuid <> (select tocsin_private.me())
  and (select tocsin_private.is_manager()) and level > (select tocsin_private.my_level())
) with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and level > (select tocsin_private.my_level())
  and (not tocsin_partner_account or (select tocsin_private.is_owner())));
create policy delete_below on tocsin.user for delete to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and uuid <> (select tocsin_private.me())
  and (select tocsin_private.is_manager()) and level > (select tocsin_private.my_level()));

-- Returns the display name of a user to all users of the customer, except partner accounts. Runs as tocsin_service,
-- because most users cannot read accounts.
set local role tocsin_service;
create or replace function tocsin_definer.person_name(person uuid) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select u.display_name from tocsin.user u
    where u.uuid = $1 and u.tocsin_customer_uuid = tocsin_private.my_customer() and not tocsin_private.is_partner_account()
  $$;
reset role;
create function tocsin.person_names(person_uuids uuid[]) returns table (uuid uuid, name text) language sql stable rows 10
  as $$
    select p.uuid, p.name from (select u.uuid, tocsin_definer.person_name(u.uuid) as name from unnest(person_uuids) u (uuid)) p
    where p.name is not null
  $$;
-- The `…_person_name` functions return the name of the user to whom a row belongs, even if the caller is not allowed to
-- see the account.
create function tocsin.rule_alert_user_person_name(rule_alert_user tocsin.rule_alert_user) returns text language sql stable
  as $$ select tocsin_definer.person_name(rule_alert_user.tocsin_user_uuid) $$;
create function tocsin.rule_escalate_user_person_name(rule_escalate_user tocsin.rule_escalate_user) returns text language sql stable
  as $$ select tocsin_definer.person_name(rule_escalate_user.tocsin_user_uuid) $$;
-- Returns the names of all recipients and escalation recipients of a rule alert, so that rule alerts can be searched by
-- person.
create function tocsin.rule_alert_people(rule_alert tocsin.rule_alert) returns text language sql stable
  as $$
    select string_agg(n.name, ', ' order by n.name) from (
      select l.tocsin_user_uuid from tocsin.rule_alert_user l where l.tocsin_rule_alert_uuid = rule_alert.uuid
      union
      select e.tocsin_user_uuid from tocsin.rule_escalate_user e where e.tocsin_rule_alert_uuid = rule_alert.uuid
    ) p (uuid) cross join lateral (select tocsin_definer.person_name(p.uuid) as name) n
  $$;
create function tocsin.user_reason_person_name(user_reason tocsin.user_reason) returns text language sql stable
  as $$ select tocsin_definer.person_name(user_reason.tocsin_user_uuid) $$;
create function tocsin.action_person_name(action tocsin.action) returns text language sql stable
  as $$ select tocsin_definer.person_name(action.notify_to) $$;
create function tocsin.alarm_resolved_name(alarm tocsin.alarm) returns text language sql stable
  as $$ select tocsin_definer.person_name(alarm.resolved_by) $$;
comment on function tocsin.rule_alert_user_person_name(tocsin.rule_alert_user) is '@behavior -filterBy';
comment on function tocsin.rule_escalate_user_person_name(tocsin.rule_escalate_user) is '@behavior -filterBy';
comment on function tocsin.user_reason_person_name(tocsin.user_reason) is '@behavior -filterBy';
comment on function tocsin.action_person_name(tocsin.action) is '@behavior -filterBy';
comment on function tocsin.alarm_resolved_name(tocsin.alarm) is '@behavior -filterBy';

create trigger touch before update on tocsin.user for each row execute function tocsin_private.touch();

-- Checks the level before row level security does, so that the error can name the field.
create or replace function tocsin_private.check_user_level() returns trigger language plpgsql
  as $$
begin
  if tocsin_private.is_manager() and new.level not between 0 and 1000 then
    perform tocsin_private.refuse('level', '@user-level');
  end if;
  if tocsin_private.is_manager() and new.level <= tocsin_private.my_level() then
    raise insufficient_privilege using column = 'level',
      message = format('Your level is %s. Enter a higher number: you can assign only levels below your own.', tocsin_private.my_level());
  end if;
  return new;
end
$$;
create trigger check_user_level before insert or update of level on tocsin.user for each row
  when (current_user = 'tocsin_request') execute function tocsin_private.check_user_level();

-- Users must enter a valid phone number. Stored numbers are checked only when they change.
create or replace function tocsin_private.check_user_phone() returns trigger language plpgsql
  as $$
begin
  if current_user = 'tocsin_request' and (tg_op = 'INSERT' or new.phone_number <> old.phone_number) then
    perform tocsin_private.check_person_phone(new.phone_number);
  end if;
  return new;
end
$$;
create trigger check_user_phone before insert or update of phone_number on tocsin.user
  for each row execute function tocsin_private.check_user_phone();

-- Disabling a user or changing the e-mail address ends all sessions and codes. The new e-mail address must be verified.
-- Runs as tocsin_service, because requests cannot access sessions.
set local role tocsin_service;
create or replace function tocsin_definer.end_access() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if not new.status or tocsin_private.email_key(new.email) <> tocsin_private.email_key(old.email) then
    delete from tocsin_private.session where user_uuid = new.uuid;
    delete from tocsin_private.one_time_code where user_uuid = new.uuid;
  end if;
  return null;
end
$$;
reset role;
create trigger end_access after update of status, email on tocsin.user
  for each row execute function tocsin_definer.end_access();

create or replace function tocsin_private.unverify() returns trigger language plpgsql
  as $$ begin new.varified := false; return new; end $$;
create trigger unverify before update of email on tocsin.user
  for each row when (tocsin_private.email_key(new.email) <> tocsin_private.email_key(old.email) and tocsin_private.me() is not null) execute function tocsin_private.unverify();

-- Queues an invitation for a new user. Also queues an invitation when a user without a password is enabled or when the
-- e-mail address of such a user changes. Runs as tocsin_service, because requests cannot access the queue.
set local role tocsin_service;
create or replace function tocsin_definer.invite() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from tocsin_private.credential where user_uuid = new.uuid) then
    return null;
  end if;
  insert into tocsin_private.pending_invitation (user_uuid, requested_at, next_attempt_at)
  values (new.uuid, tocsin_private.clock(), tocsin_private.lease_clock())
  on conflict (user_uuid) do update
    set requested_at = excluded.requested_at, next_attempt_at = excluded.next_attempt_at, attempts = 0, problem = '';
  return null;
end
$$;
reset role;
create trigger invite_created after insert on tocsin.user for each row
  when (tocsin_private.me() is not null and new.status) execute function tocsin_definer.invite();
create trigger invite_changed after update of status, email on tocsin.user for each row
  when (tocsin_private.me() is not null and new.status and (not old.status or tocsin_private.email_key(new.email) <> tocsin_private.email_key(old.email)))
  execute function tocsin_definer.invite();

-- Saves the user's own settings. Runs as tocsin_service, because users cannot update their own row.
set local role tocsin_service;
create or replace function tocsin_definer.set_own_profile(page text, tag text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  perform tocsin_private.check_choice('start_page', page, '{reports,dashboard,alarms,my-work}');
  if tag <> '' and tag !~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$' then
    perform tocsin_private.refuse('locale', '@language-tag');
  end if;
  update tocsin.user u set start_page = page, locale = tag where u.uuid = tocsin_private.me();
end
$$;
reset role;
create function tocsin.set_own_profile(start_page text, locale text) returns boolean language sql volatile strict
  as $$ select true from (select tocsin_definer.set_own_profile($1, $2)) done $$;
