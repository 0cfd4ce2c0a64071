-- Partner and customer: a person sees the one they belong to and changes neither, but for what managers say an SMS costs.
grant select (uuid, id, name, email, end_point, phone, status, created_at, updated_at) on tocsin.partner to tocsin_request;
create policy read_own on tocsin.partner for select to tocsin_request using (
  id = (select c.tocsin_partner_id from tocsin.customer c where c.uuid = (select tocsin_private.my_customer())));

grant select (uuid, id, tocsin_partner_id, name, email, end_point, phone, status, table_name, time_zone, sms_price, sms_currency,
  created_at, updated_at) on tocsin.customer to tocsin_request;
create policy read_own on tocsin.customer for select to tocsin_request using (uuid = (select tocsin_private.my_customer()));
