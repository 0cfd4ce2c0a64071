-- Users see their own partner and customer. Owners change the name, e-mail address, phone number, time zone, names of the
-- group levels, longest shelvings, SMS budget and report targets. Managers change the SMS price. The administrator sets the
-- host name and the partner.
grant select (uuid, id, name, email, end_point, phone, status, created_at, updated_at) on tocsin.partner to tocsin_request;
create policy read_own on tocsin.partner for select to tocsin_request using (
  id = (select c.tocsin_partner_id from tocsin.customer c where c.uuid = (select tocsin_private.my_customer())));

grant select (uuid, id, tocsin_partner_id, name, email, end_point, phone, status, table_name, time_zone, sms_price, sms_currency,
  group2_name, group3_name, group4_name, group5_name, operator_shelve_hours, manager_shelve_hours, sms_day_budget, sms_month_budget,
  day_alarms_target, day_alarms_limit, period_alarms_target, period_alarms_limit, flood_end_alarms, stale_hours, stale_target,
  busy_share_target, flood_share_target, top_rules_share_target, major_share_target, critical_share_target,
  created_at, updated_at) on tocsin.customer to tocsin_request;
create policy read_own on tocsin.customer for select to tocsin_request using (uuid = (select tocsin_private.my_customer()));
grant update (name, email, phone, time_zone, group2_name, group3_name, group4_name, group5_name, operator_shelve_hours,
  manager_shelve_hours, sms_day_budget, sms_month_budget,
  day_alarms_target, day_alarms_limit, period_alarms_target, period_alarms_limit, flood_end_alarms, stale_hours, stale_target,
  busy_share_target, flood_share_target, top_rules_share_target, major_share_target, critical_share_target,
  updated_at) on tocsin.customer to tocsin_request;
create policy keep_own on tocsin.customer for update to tocsin_request using (
  uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_owner())
) with check (
  uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_owner()));

-- Returns the time zones to choose from: regions and UTC. Other names, such as posix/… or CET, do not mean the same in
-- every program.
create function tocsin.time_zones() returns text[] language sql stable
  as $$
    select array_agg(z.name order by z.name) from pg_catalog.pg_timezone_names z
    where z.name = 'UTC' or z.name ~ '^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/'
  $$;

-- True if the text can be a phone number. Accepts every number that readPhoneNumber (domain/) accepts, but is less
-- strict about separators.
create or replace function tocsin_private.is_phone_number(written text) returns boolean language sql immutable
  as $$
    select regexp_replace(regexp_replace(replace(written, '(0)', ''), '[^0-9+[:alpha:]]', '', 'g'), '^00', '+') ~ '^\+[1-9][0-9]{6,14}$'
  $$;

-- True if the text can be the number of a SIM card. Accepts every number that isSimNumber (domain/) accepts.
create or replace function tocsin_private.is_sim_number(written text) returns boolean language sql immutable
  as $$ select regexp_replace(written, '[^0-9+[:alpha:]]', '', 'g') ~ '^\+?[0-9]{3,20}$' $$;

create or replace function tocsin_private.check_person_phone(written text) returns void language plpgsql
  as $$
begin
  if btrim(written) <> '' and not tocsin_private.is_phone_number(written) then
    perform tocsin_private.refuse('phone_number', '@user-phone');
  end if;
end
$$;

create or replace function tocsin_private.check_customer() returns trigger language plpgsql
  as $$
begin
  if new.time_zone <> old.time_zone and new.time_zone <> all (tocsin.time_zones()) then
    perform tocsin_private.refuse('time_zone', 'Choose a time zone, such as Europe/Berlin.');
  end if;
  if new.email <> old.email and new.email !~ '^([^@[:space:]]+@[^@[:space:]]+)?$' then
    perform tocsin_private.refuse('email', '@customer-email');
  end if;
  if new.phone <> old.phone and btrim(new.phone) <> '' and not tocsin_private.is_phone_number(new.phone) then
    perform tocsin_private.refuse('phone', '@customer-phone');
  end if;
  if new.name <> old.name and btrim(new.name) = '' then
    perform tocsin_private.refuse('name', '@name-missing');
  end if;
  perform tocsin_private.check_level_name('group2_name', new.group2_name);
  perform tocsin_private.check_level_name('group3_name', new.group3_name);
  perform tocsin_private.check_level_name('group4_name', new.group4_name);
  perform tocsin_private.check_level_name('group5_name', new.group5_name);
  return new;
end
$$;
-- Checks a level name. An empty name means the default name (domain/group-level.ts).
create or replace function tocsin_private.check_level_name(field text, written text) returns void language plpgsql
  as $$
begin
  if char_length(written) > 40 or written ~ '[[:cntrl:]]' then
    perform tocsin_private.refuse(field, 'Enter at most 40 characters on one line, such as Region, or leave the field empty.');
  end if;
end
$$;
create trigger check_customer before update of name, email, phone, time_zone, group2_name, group3_name, group4_name, group5_name on tocsin.customer
  for each row execute function tocsin_private.check_customer();
create trigger touch before update on tocsin.customer for each row execute function tocsin_private.touch();

-- Notifies open pages that the customer has changed. Uses the PostgreSQL notification channel of the alarm updates,
-- which every page receives (server/live/alarm-news.ts).
create or replace function tocsin_private.announce_customer() returns trigger language plpgsql
  as $$
begin
  perform pg_notify('tocsin_alarm', new.uuid::text || ' company');
  return null;
end
$$;
create trigger announce after update on tocsin.customer for each row
  when ((old.name, old.email, old.phone, old.time_zone, old.group2_name, old.group3_name, old.group4_name, old.group5_name)
    is distinct from (new.name, new.email, new.phone, new.time_zone, new.group2_name, new.group3_name, new.group4_name, new.group5_name)) execute function tocsin_private.announce_customer();
