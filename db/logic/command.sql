-- Commands to devices, called reply messages. Managers and the service account queue them; the pipeline sends and confirms them.
grant select (id, tocsin_customer_uuid, uid, reply, reply_command, queued_on, sent_on, attempts, delivered_on, expires_on),
  insert (uid, reply_command, queued_on, expires_on) on tocsin.reply_message to tocsin_request;
create policy read_all on tocsin.reply_message for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.maintains()));
create policy queue on tocsin.reply_message for insert to tocsin_request with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.maintains()));

-- How long a command waits when nobody says otherwise. The server writes its setting here at start.
create or replace function tocsin_private.command_life() returns interval language sql stable
  as $$
    select coalesce((select (i.value #>> '{}')::int from tocsin_private.installation i where i.name = 'command_hours'), 72)
      * interval '1 hour'
  $$;

-- Whatever time a client sends, a command is queued when it reaches the server.
set local role tocsin_service;
create or replace function tocsin_definer.stamp_reply_message() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if tocsin_private.me() is not null then
    new.queued_on := tocsin_private.clock();
  end if;
  if new.reply_command !~ '\S' then
    perform tocsin_private.refuse('reply_command', 'Write the command as the device understands it.');
  end if;
  if new.expires_on is null or new.expires_on = 'infinity' then
    new.expires_on := new.queued_on + tocsin_private.command_life();
  end if;
  if new.expires_on <= new.queued_on then
    perform tocsin_private.refuse('expires_on', 'A command must expire after it was queued.');
  end if;
  return new;
end
$$;
reset role;
create trigger stamp before insert on tocsin.reply_message for each row execute function tocsin_definer.stamp_reply_message();

-- Where a command is in its life.
create function tocsin.reply_message_state(reply_message tocsin.reply_message) returns text language sql stable
  as $$
    select case
      when reply_message.delivered_on is not null then 'confirmed'
      when reply_message.expires_on <= tocsin_private.clock() then 'expired'
      when reply_message.sent_on is not null then 'sent'
      else 'queued' end
  $$;
