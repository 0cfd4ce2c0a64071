-- Commands to devices (reply messages). Managers and partner accounts queue and cancel them; the pipeline sends and confirms
-- them.
grant select (id, tocsin_customer_uuid, uid, reply, reply_command, queued_on, sent_on, attempts, delivered_on, expires_on,
  cancelled_on, cancelled_by),
  insert (uid, reply_command, queued_on, expires_on) on tocsin.reply_message to tocsin_request;
create policy read_all on tocsin.reply_message for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_maintainer()));
create policy queue on tocsin.reply_message for insert to tocsin_request with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_maintainer()));

-- Returns the default time to live of a command. The server stores this value when it starts.
create or replace function tocsin_private.command_time_to_live() returns interval language sql stable
  as $$
    select coalesce((select (i.value #>> '{}')::int from tocsin_private.installation i where i.name = 'command_hours'), 72)
      * interval '1 hour'
  $$;

-- Sets queued_on to the server's time and ignores the time that the client sends.
set local role tocsin_service;
create or replace function tocsin_definer.stamp_reply_message() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if tocsin_private.me() is not null then
    new.queued_on := tocsin_private.clock();
  end if;
  if new.reply_command !~ '\S' then
    perform tocsin_private.refuse('reply_command', '@command-text-missing');
  end if;
  if new.expires_on is null or new.expires_on = 'infinity' then
    new.expires_on := new.queued_on + tocsin_private.command_time_to_live();
  end if;
  if new.expires_on <= new.queued_on then
    perform tocsin_private.refuse('expires_on', 'Enter an expiry time in the future.');
  end if;
  return new;
end
$$;
reset role;
create trigger stamp before insert on tocsin.reply_message for each row execute function tocsin_definer.stamp_reply_message();

-- Returns the state of a command: queued, sent, confirmed, expired or cancelled.
create function tocsin.reply_message_state(reply_message tocsin.reply_message) returns text language sql stable
  as $$
    select case
      when reply_message.delivered_on is not null then 'confirmed'
      when reply_message.cancelled_on is not null then 'cancelled'
      when reply_message.expires_on <= tocsin_private.clock() then 'expired'
      when reply_message.sent_on is not null then 'sent'
      else 'queued' end
  $$;

-- Cancels a queued command. Sending and cancelling are both conditional updates (server/pipeline/commands.ts), so only
-- one of them succeeds. Runs as tocsin_service, because requests cannot update commands. The function therefore checks
-- the caller.
set local role tocsin_service;
create or replace function tocsin_definer.cancel_reply_message(message_id bigint) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  now timestamptz := tocsin_private.clock();
  found_one tocsin.reply_message;
begin
  if not tocsin_private.is_maintainer() then
    perform tocsin_private.refuse_missing();
  end if;
  update tocsin.reply_message m set cancelled_on = now, cancelled_by = tocsin_definer.my_name()
  where m.id = message_id and m.tocsin_customer_uuid = tocsin_private.my_customer()
    and m.sent_on is null and m.delivered_on is null and m.cancelled_on is null and m.expires_on > now;
  if found then
    return;
  end if;
  select m.* into found_one from tocsin.reply_message m
  where m.id = message_id and m.tocsin_customer_uuid = tocsin_private.my_customer();
  if not found then
    perform tocsin_private.refuse_missing();
  elsif found_one.cancelled_on is not null then
    perform tocsin_private.refuse('id', format('%s has already cancelled this command.', found_one.cancelled_by));
  elsif found_one.sent_on is not null then
    perform tocsin_private.refuse('id', format('This command was sent on %s and cannot be cancelled.',
      tocsin_private.local_time(found_one.sent_on)));
  else
    perform tocsin_private.refuse('id', 'This command has expired and cannot be cancelled.');
  end if;
end
$$;
reset role;
create function tocsin.cancel_reply_message(id bigint) returns tocsin.reply_message language plpgsql volatile strict
  as $$
declare
  done tocsin.reply_message;
begin
  perform tocsin_definer.cancel_reply_message($1);
  select m.* into done from tocsin.reply_message m where m.id = $1;
  return done;
end
$$;
