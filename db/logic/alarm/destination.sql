-- Destinations: Slack channels, Teams channels and webhooks to which the events of alarms are posted. Managers
-- configure them with the functions in this file, which keep URLs and secrets out of every table that requests can read.
grant select (uuid, tocsin_customer_uuid, name, kind, tocsin_site_uuid, tocsin_group_uuid, host, status, created_at, updated_at),
  delete on tocsin.destination to tocsin_request;
create policy manage on tocsin.destination for all to tocsin_request
  using (tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()))
  with check (tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()));

grant select (uuid, tocsin_customer_uuid, tocsin_destination_uuid, event, title, state, attempts, next_attempt_at, response_code, answer,
  created_at, sent_at, failed_at, sequence_number) on tocsin.destination_delivery to tocsin_request;
create policy read on tocsin.destination_delivery for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()));

-- Returns the URL that the server has checked for this mutation. Refuses a URL that was not checked.
create or replace function tocsin_private.checked_url(url text) returns jsonb language plpgsql stable
  as $$
declare
  checked jsonb := nullif(current_setting('tocsin.checked_url', true), '')::jsonb;
begin
  if checked ->> 'given' is distinct from $1 then
    perform tocsin_private.refuse('url', 'Enter the URL through saveDestination.');
  end if;
  return checked;
end
$$;

set local role tocsin_service;
-- Queues the events of alarms for the engine, if the customer has a destination.
create or replace function tocsin_definer.note_alarm_event() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  kind text := case when tg_op = 'INSERT' then 'opened'
    when old.resolved_date is null and new.resolved_date is not null then 'resolved'
    when old.acknowledge_json is null and new.acknowledge_json is not null then 'acknowledged'
    when old.acknowledge_json is not null and new.acknowledge_json is null then 'acknowledgement-undone'
    else 'still-open' end;
begin
  insert into tocsin_private.destination_work (tocsin_customer_uuid, tocsin_alarm_uuid, event, at)
  select new.tocsin_customer_uuid, new.uuid, kind, tocsin_private.clock()
  where exists (select from tocsin.destination d where d.tocsin_customer_uuid = new.tocsin_customer_uuid and d.status);
  if found then perform pg_notify('tocsin_destination', ''); end if;
  return null;
end
$$;

-- Stores a destination. Returns its secret if it is new. The caller must check the input first.
create or replace function tocsin_definer.store_destination(destination tocsin.destination, checked jsonb) returns tocsin.saved_destination
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  made text;
  stored tocsin.destination;
begin
  if not tocsin_private.is_manager() then raise insufficient_privilege; end if;
  if destination.uuid is null then
    if checked is null then perform tocsin_private.refuse('url', '@destination-url-missing'); end if;
    insert into tocsin.destination (tocsin_customer_uuid, name, kind, tocsin_site_uuid, tocsin_group_uuid, host, status)
    values (tocsin_private.my_customer(), destination.name, destination.kind, destination.tocsin_site_uuid, destination.tocsin_group_uuid,
      checked ->> 'host', destination.status)
    returning * into stored;
    made := case stored.kind when 'webhook' then
      'whsec_' || tocsin_private.base64url(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) end;
    insert into tocsin_private.destination_secret (tocsin_destination_uuid, tocsin_customer_uuid, url, secret)
    values (stored.uuid, stored.tocsin_customer_uuid, checked ->> 'url', coalesce(made, ''));
    return row(stored.uuid, made);
  end if;
  update tocsin.destination d set name = destination.name, tocsin_site_uuid = destination.tocsin_site_uuid,
    tocsin_group_uuid = destination.tocsin_group_uuid, host = coalesce(checked ->> 'host', d.host), status = destination.status,
    updated_at = coalesce(destination.updated_at, d.updated_at)
  where d.uuid = destination.uuid and d.tocsin_customer_uuid = tocsin_private.my_customer() returning d.* into stored;
  if not found then
    perform tocsin_private.refuse_missing();
  elsif stored.kind <> destination.kind then
    perform tocsin_private.refuse('kind', 'The kind of a destination cannot be changed. Add another destination.');
  end if;
  update tocsin_private.destination_secret s set url = checked ->> 'url' where s.tocsin_destination_uuid = stored.uuid and checked is not null;
  -- Otherwise, an alarm of last week could be posted when the destination is active again.
  update tocsin.destination_delivery d set state = 'failed', failed_at = tocsin_private.clock(), next_attempt_at = null, lease_until = null,
    answer = 'The destination was set to inactive.'
  where d.tocsin_destination_uuid = stored.uuid and d.state = 'queued' and not stored.status;
  return row(stored.uuid, null::text);
end
$$;

create or replace function tocsin_definer.renew_destination_secret(destination_uuid uuid) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  made text := 'whsec_' || tocsin_private.base64url(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
begin
  update tocsin_private.destination_secret s set secret = made from tocsin.destination d
  where s.tocsin_destination_uuid = destination_uuid and d.uuid = destination_uuid and d.kind = 'webhook'
    and d.tocsin_customer_uuid = tocsin_private.my_customer() and tocsin_private.is_manager();
  if not found then perform tocsin_private.refuse_missing(); end if;
  return made;
end
$$;

create or replace function tocsin_definer.test_destination(destination_uuid uuid) returns uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  target tocsin.destination;
  made uuid;
begin
  select d.* into target from tocsin.destination d
  where d.uuid = destination_uuid and d.tocsin_customer_uuid = tocsin_private.my_customer() and tocsin_private.is_manager();
  if not found then perform tocsin_private.refuse_missing(); end if;
  if not target.status then perform tocsin_private.refuse('uuid', 'This destination is inactive. Set it to active, then send a test message.'); end if;
  if (select count(*) from tocsin.destination_delivery d where d.tocsin_destination_uuid = destination_uuid and d.event = 'test'
      and d.created_at > tocsin_private.clock() - interval '10 minutes') >= 5 then
    perform tocsin_private.refuse('uuid', 'At most five test messages in ten minutes are allowed. Try again later.');
  end if;
  insert into tocsin.destination_delivery (tocsin_customer_uuid, tocsin_destination_uuid, event, title, next_attempt_at)
  values (target.tocsin_customer_uuid, target.uuid, 'test', 'Test message', tocsin_private.clock()) returning uuid into made;
  perform pg_notify('tocsin_destination', '');
  return made;
end
$$;

-- Queues a delivery again, with the same key and body.
create or replace function tocsin_definer.resend_delivery(delivery_uuid uuid) returns uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  found_delivery tocsin.destination_delivery;
  active boolean;
begin
  select d.* into found_delivery from tocsin.destination_delivery d
  where d.uuid = delivery_uuid and d.tocsin_customer_uuid = tocsin_private.my_customer() and tocsin_private.is_manager() for update;
  if not found then perform tocsin_private.refuse_missing(); end if;
  select t.status into active from tocsin.destination t where t.uuid = found_delivery.tocsin_destination_uuid;
  if not active then perform tocsin_private.refuse('uuid', 'This destination is inactive. Set it to active, then resend.'); end if;
  if found_delivery.state = 'queued' then
    perform tocsin_private.refuse('uuid', 'This delivery is already queued. Wait for its next attempt.');
  end if;
  update tocsin.destination_delivery d set state = 'queued', tries = 0, queued_at = tocsin_private.clock(), next_attempt_at = tocsin_private.clock(),
    lease_until = null, failed_at = null where d.uuid = delivery_uuid;
  perform pg_notify('tocsin_destination', '');
  return delivery_uuid;
end
$$;
reset role;

create trigger note_alarm_event after insert on tocsin.alarm for each row execute function tocsin_definer.note_alarm_event();
create trigger note_alarm_change after update on tocsin.alarm for each row
  when (old.resolved_date is null and ((new.resolved_date is not null) or (old.acknowledge_json is null) <> (new.acknowledge_json is null)
    or old.quiet_because is not null and new.quiet_because is null))
  execute function tocsin_definer.note_alarm_event();
create trigger touch before update on tocsin.destination for each row execute function tocsin_private.touch();

-- Adds or changes a destination. Without `uuid`, adds one; `url` is then required. The URL is not returned by any query.
-- The secret of a new webhook is returned only here.
create function tocsin.save_destination(name text, kind text, status boolean, uuid uuid default null, tocsin_site_uuid uuid default null,
    tocsin_group_uuid uuid default null, url text default null, updated_at timestamptz default null)
  returns tocsin.saved_destination language plpgsql volatile
  as $$
declare
  given tocsin.destination;
  violated text;
begin
  perform tocsin_private.check_choice('kind', $2, array['webhook', 'slack', 'teams']);
  if btrim(coalesce($1, '')) = '' then
    perform tocsin_private.refuse('name', '@name-missing');
  elsif $1 ~ E'[\n\r]' then
    perform tocsin_private.refuse('name', '@line-breaks');
  end if;
  if num_nonnulls($5, $6) <> 1 then
    perform tocsin_private.refuse(case when $5 is null then 'tocsin_site_uuid' else 'tocsin_group_uuid' end, 'Choose a site or a group.');
  end if;
  given.uuid := $4;
  given.name := btrim($1);
  given.kind := $2;
  given.status := $3;
  given.tocsin_site_uuid := $5;
  given.tocsin_group_uuid := $6;
  given.updated_at := $8;
  return tocsin_definer.store_destination(given, case when $7 is not null then tocsin_private.checked_url($7) end);
exception when unique_violation or foreign_key_violation then
  get stacked diagnostics violated = constraint_name;
  if violated = 'destination_name_key' then
    perform tocsin_private.refuse('name', 'There is already a destination with this name. Choose another name.');
  elsif violated = 'destination_site_fkey' then
    perform tocsin_private.refuse('tocsin_site_uuid', 'This site does not exist. Choose another.');
  elsif violated = 'destination_group_fkey' then
    perform tocsin_private.refuse('tocsin_group_uuid', 'This group does not exist. Choose another.');
  end if;
  raise;
end
$$;

-- Replaces the secret of a webhook. The previous secret stops signing at once.
create function tocsin.renew_destination_secret(uuid uuid) returns text language sql volatile strict
  as $$ select tocsin_definer.renew_destination_secret($1) $$;

-- Queues a test message. Returns the uuid of the delivery, whose state shows the result.
create function tocsin.test_destination(uuid uuid) returns uuid language sql volatile strict
  as $$ select tocsin_definer.test_destination($1) $$;

-- Queues a sent or failed delivery again. The receiver recognises it by its key.
create function tocsin.resend_delivery(uuid uuid) returns uuid language sql volatile strict
  as $$ select tocsin_definer.resend_delivery($1) $$;
