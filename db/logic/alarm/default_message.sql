-- Default messages. If a customer has default messages, exactly one of them is in use.

create or replace function tocsin_private.use_first_default_message() returns trigger language plpgsql
  as $$
begin
  new.is_used := new.is_used or not exists (
    select from tocsin.alarm_default_message m where m.tocsin_customer_uuid = new.tocsin_customer_uuid and m.is_used);
  return new;
end
$$;
create trigger use_first before insert on tocsin.alarm_default_message for each row
  execute function tocsin_private.use_first_default_message();

create or replace function tocsin_private.keep_used_default_message() returns trigger language plpgsql
  as $$
begin
  perform tocsin_private.refuse('uuid', 'Alarms use this message. Choose another default message first, then delete this one.');
  return null;
end
$$;
create trigger keep_used before delete on tocsin.alarm_default_message for each row
  when (old.is_used and tocsin_private.me() is not null) execute function tocsin_private.keep_used_default_message();

-- Makes a message the default message of the customer. Runs as tocsin_service, because requests cannot write is_used.
-- Locks all messages of the customer, so that concurrent calls run one after another.
set local role tocsin_service;
create or replace function tocsin_definer.use_alarm_default_message(message_uuid uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if not tocsin_private.is_manager() then
    raise exception 'Only managers can choose the default message.' using errcode = '42501';
  end if;
  perform from tocsin.alarm_default_message m where m.tocsin_customer_uuid = tocsin_private.my_customer() order by m.uuid for update;
  if not exists (select from tocsin.alarm_default_message m
    where m.uuid = message_uuid and m.tocsin_customer_uuid = tocsin_private.my_customer()) then
    perform tocsin_private.refuse_missing();
  end if;
  update tocsin.alarm_default_message m set is_used = false
  where m.tocsin_customer_uuid = tocsin_private.my_customer() and m.is_used and m.uuid <> message_uuid;
  update tocsin.alarm_default_message m set is_used = true where m.uuid = message_uuid and not m.is_used;
end
$$;
reset role;

-- Selects the default message for new alarms. The previous message stays available.
create function tocsin.use_alarm_default_message(uuid uuid) returns tocsin.alarm_default_message language plpgsql volatile strict
  as $$
declare
  used tocsin.alarm_default_message;
begin
  perform tocsin_definer.use_alarm_default_message($1);
  select m.* into used from tocsin.alarm_default_message m where m.uuid = $1;
  return used;
end
$$;
