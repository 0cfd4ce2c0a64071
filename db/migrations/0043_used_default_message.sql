-- Why: a customer with several default messages chooses the one that alarms use. Customers that have some keep the oldest, which was used.
alter table tocsin.alarm_default_message add column is_used boolean not null default false;
alter table tocsin.alarm_default_message no force row level security, disable trigger user;
update tocsin.alarm_default_message m set is_used = true
where m.uuid = (select o.uuid from tocsin.alarm_default_message o where o.tocsin_customer_uuid = m.tocsin_customer_uuid
  order by o.created_at, o.uuid limit 1);
alter table tocsin.alarm_default_message force row level security, enable trigger user;
create unique index alarm_default_message_used_key on tocsin.alarm_default_message (tocsin_customer_uuid) where is_used;
