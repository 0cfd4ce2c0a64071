-- Groups of levels 2 to 5. Managers maintain them, partner accounts read them, and operators see the groups of their
-- sites.
grant select (uuid, tocsin_customer_uuid, level, name, status, sms_day_budget, sms_month_budget, created_at, updated_at) on tocsin.group to tocsin_request;
grant insert (level, name, status, sms_day_budget, sms_month_budget), update (name, status, sms_day_budget, sms_month_budget), delete on tocsin.group to tocsin_request;

create policy read_all on tocsin.group for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_maintainer()));
create policy read_of_sites on tocsin.group for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and not (select tocsin_private.is_maintainer()) and uuid in (
    select unnest(array[s.tocsin_group2_uuid, s.tocsin_group3_uuid, s.tocsin_group4_uuid, s.tocsin_group5_uuid])
    from tocsin.site s where s.uuid = any ((select tocsin_private.my_sites())::uuid[])));
create policy manage on tocsin.group for all to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager())
) with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()));

create trigger touch before update on tocsin.group for each row execute function tocsin_private.touch();

-- Returns the groups of the customer. The first row is the customer itself, which is level 1.
create function tocsin.customer_groups() returns table (uuid uuid, name text, level integer, status boolean) language sql stable
  as $$
    select c.uuid, c.name, 1, c.status = 1 from tocsin.customer c
    union all
    select g.uuid, g.name, g.level::integer, g.status from tocsin.group g
    order by 3, 2
  $$;
