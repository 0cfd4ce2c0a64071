-- Managers and partner accounts maintain sites. Operators see the sites that they are linked to.
grant select (uuid, tocsin_customer_uuid, site_id, name, location, description, address, site_type, site_category,
  phone_number, site_status, tocsin_group2_uuid, tocsin_group3_uuid, tocsin_group4_uuid, tocsin_group5_uuid,
  tocsin_health_duration_hours, gsm_provider, gsm_signal_strength, last_update, last_updated, created_at)
  on tocsin.site to tocsin_request;
grant insert (tocsin_customer_uuid, site_id, name, location, description, address, site_type, site_category,
  phone_number, tocsin_group2_uuid, tocsin_group3_uuid, tocsin_group4_uuid, tocsin_group5_uuid,
  tocsin_health_duration_hours, gsm_provider), update (site_id, name, location, description, address, site_type,
  site_category, phone_number, tocsin_group2_uuid, tocsin_group3_uuid, tocsin_group4_uuid, tocsin_group5_uuid,
  tocsin_health_duration_hours, gsm_provider), delete on tocsin.site to tocsin_request;

create policy read_linked on tocsin.site for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and uuid = any ((select tocsin_private.my_sites())::uuid[]));
create policy maintain on tocsin.site for all to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_maintainer())
) with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_maintainer()));

-- Checks the site ID, the groups and the phone number of a site. Refuses to overwrite a newer change.
create or replace function tocsin_private.guard_site() returns trigger language plpgsql
  as $$
declare
  wrong integer;
  alike text;
begin
  -- Two site IDs must not differ only in upper and lower case. Existing duplicates are accepted.
  if current_user = 'tocsin_request' and (tg_op = 'INSERT' or new.site_id <> old.site_id) then
    select s.site_id into alike from tocsin.site s
    where s.tocsin_customer_uuid = new.tocsin_customer_uuid and lower(s.site_id) = lower(new.site_id)
      and s.site_id <> new.site_id and s.uuid <> new.uuid
    limit 1;
    if alike is not null then
      raise exception using errcode = 'TC409', column = 'site_id',
        message = format('Another site has the ID %s, which differs only in upper and lower case. Choose another ID.', alike);
    end if;
  end if;
  select w.level into wrong
  from (values (2, new.tocsin_group2_uuid), (3, new.tocsin_group3_uuid), (4, new.tocsin_group4_uuid), (5, new.tocsin_group5_uuid))
    as w (level, uuid)
  join tocsin.group g on g.uuid = w.uuid and g.level <> w.level
  limit 1;
  if wrong is not null then
    perform tocsin_private.refuse('tocsin_group' || wrong || '_uuid', format('Choose a group of level %s here.', wrong));
  end if;
  -- Users must enter a valid phone number. Stored numbers are checked only when they change.
  if current_user = 'tocsin_request' and (tg_op = 'INSERT' or new.phone_number <> old.phone_number)
    and btrim(new.phone_number) <> '' and not tocsin_private.is_sim_number(new.phone_number) then
    perform tocsin_private.refuse('phone_number', '@site-phone');
  end if;
  if tg_op = 'UPDATE' then
    -- Refuses to overwrite a newer change (optimistic locking), as tocsin_private.touch does.
    if new.last_updated is distinct from old.last_updated and tocsin_private.me() is not null then
      perform tocsin_private.refuse_outdated();
    end if;
    -- The network that a device reports does not count as a change by a user.
    if tocsin_private.me() is not null or to_jsonb(new) - 'gsm_provider' is distinct from to_jsonb(old) - 'gsm_provider' then
      new.last_updated := tocsin_private.clock();
    end if;
  end if;
  return new;
end
$$;
create trigger guard before insert or update of site_id, name, location, description, address, site_type, site_category,
  phone_number, tocsin_group2_uuid, tocsin_group3_uuid, tocsin_group4_uuid, tocsin_group5_uuid,
  tocsin_health_duration_hours, gsm_provider, last_updated on tocsin.site for each row execute function tocsin_private.guard_site();

-- Links between users and sites. Managers maintain the links of the users whom they may see. Users read their own
-- links.
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_user_uuid, created_at),
  insert (tocsin_site_uuid, tocsin_user_uuid), update (tocsin_site_uuid, tocsin_user_uuid), delete on tocsin.site_user to tocsin_request;
create policy read_own on tocsin.site_user for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and tocsin_user_uuid = (select tocsin_private.me())
  and not (select tocsin_private.is_partner_account()));
create policy manage on tocsin.site_user for all to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager())
) with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager())
  and exists (select from tocsin.user u where u.uuid = tocsin_user_uuid));

-- Refuses a link to a user who does not exist or whom the caller is not allowed to see, with the same message for both.
-- The message identifies the field; a refusal by row level security could not.
create or replace function tocsin_private.check_linked_person() returns trigger language plpgsql
  as $$
begin
  if new.tocsin_user_uuid is not null and tocsin_private.is_manager()
    and not exists (select from tocsin.user u where u.uuid = new.tocsin_user_uuid) then
    raise foreign_key_violation using constraint = 'site_user_user_fkey', message = 'The person does not exist, or the user is not allowed to see them.';
  end if;
  return new;
end
$$;
create trigger check_person before insert or update of tocsin_user_uuid on tocsin.site_user for each row
  when (current_user = 'tocsin_request') execute function tocsin_private.check_linked_person();
