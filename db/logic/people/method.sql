-- Notification methods: test message, own settings, SMS price and delivery state. The functions check the caller. They
-- run as tocsin_service, because requests cannot write notifications and prices.
set local role tocsin_service;
create or replace function tocsin_definer.test_message(user_uuid uuid, method integer) returns uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  person record;
  target text;
  made uuid;
begin
  if not tocsin_definer.reaches(user_uuid, true) then perform tocsin_private.refuse_missing(); end if;
  if method not between 1 and 4 then
    perform tocsin_private.refuse('method_type', 'Choose 1 (e-mail), 2 (WhatsApp), 3 (SMS) or 4 (app push).');
  end if;
  select u.*, c.name as customer into person from tocsin.user u join tocsin.customer c on c.uuid = u.tocsin_customer_uuid where u.uuid = user_uuid;
  target := case method when 1 then person.email when 4 then (select p.uuid::text from tocsin.push_subscription p
    where p.tocsin_user_uuid = user_uuid order by p.created_at desc limit 1)
    else nullif(btrim(person.phone_number), '') end;
  if target is null then
    perform tocsin_private.refuse('method_type', case when method = 4 then 'This person has not turned on app push in any browser or app.'
      else 'The profile has no phone number. ' || case when user_uuid <> tocsin_private.me() then 'Add one on the Users page.'
        when tocsin_private.is_owner() then 'Add one in your profile.' else 'Ask a person above your level to add one on the Users page.' end end);
  end if;
  if (select count(*) from tocsin.notification n where n.tocsin_user_uuid = user_uuid and n.kind = 'other'
      and n.notify_time > tocsin_private.clock() - interval '10 minutes') >= 5 then
    perform tocsin_private.refuse('method_type', 'At most five test messages in ten minutes are allowed. Try again later.');
  end if;
  insert into tocsin.notification (tocsin_customer_uuid, tocsin_user_uuid, recipient_name, address, method_type, message_type, kind, subject,
    notify_message, notify_time, next_attempt_at)
  values (person.tocsin_customer_uuid, user_uuid, person.display_name, target, method, 4, 'other', 'Test message from ' || person.customer,
    'This is a test message from ' || person.customer || '. No action is needed.', tocsin_private.clock(), tocsin_private.clock())
  returning notification.uuid into made;
  perform pg_notify('tocsin_message', '');
  return made;
end
$$;
create or replace function tocsin_definer.set_sms_price(price double precision, currency text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if not tocsin_private.is_manager() then
    raise exception 'Only managers can set the price.' using errcode = '42501';
  end if;
  if price is not null and not (price > 0 and price <= 1000) then
    perform tocsin_private.refuse('price', 'Enter a price above 0 and up to 1,000, or leave it empty.');
  end if;
  if price is not null and coalesce(currency, '') !~ '^[A-Z]{3}$' then
    perform tocsin_private.refuse('currency', '@currency');
  end if;
  update tocsin.customer c set sms_price = price, sms_currency = case when price is not null then currency end
  where c.uuid = tocsin_private.my_customer();
end
$$;
-- Saves the phone number and the enabled methods of the caller.
create or replace function tocsin_definer.set_own_channels(phone text, by_email boolean, by_sms boolean, by_whatsapp boolean, by_apps boolean)
  returns void language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if tocsin_private.is_partner_account() then
    raise exception 'Partner accounts receive no notifications.' using errcode = '42501';
  end if;
  if length(phone) > 32 then
    perform tocsin_private.refuse('phone_number', 'Enter a phone number of at most 32 characters.');
  end if;
  if (by_sms or by_whatsapp) and btrim(phone) = '' then
    perform tocsin_private.refuse('phone_number', '@user-phone-missing');
  end if;
  if exists (select from tocsin.user u where u.uuid = tocsin_private.me() and u.phone_number <> btrim(phone)) then
    perform tocsin_private.check_person_phone(phone);
  end if;
  update tocsin.user u set phone_number = btrim(phone), email_notification = by_email, sms_notification = by_sms,
    whatsapp_notification = by_whatsapp, apps_notification = by_apps
  where u.uuid = tocsin_private.me();
end
$$;
create or replace function tocsin_definer.channels() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select coalesce((select i.value from tocsin_private.installation i where i.name = 'channels'), '[]') $$;
reset role;

-- Queues a test message. Returns the uuid of the notification, whose state shows the result.
create function tocsin.send_test_message(tocsin_user_uuid uuid, method_type integer) returns uuid language sql volatile strict
  as $$ select tocsin_definer.test_message($1, $2) $$;

create function tocsin.set_own_channels(phone_number text, email_notification boolean, sms_notification boolean,
  whatsapp_notification boolean, apps_notification boolean) returns boolean language sql volatile strict
  as $$ select true from (select tocsin_definer.set_own_channels($1, $2, $3, $4, $5)) done $$;

-- Sets the price of an SMS segment. Null removes the stored price.
create function tocsin.set_sms_price(price double precision default null, currency text default null) returns tocsin.customer
  language plpgsql volatile
  as $$
declare
  customer tocsin.customer;
begin
  perform tocsin_definer.set_sms_price($1, $2);
  select c.* into customer from tocsin.customer c where c.uuid = tocsin_private.my_customer();
  return customer;
end
$$;

-- Returns the state of each method, for managers. The last success and the last failure refer only to notifications of
-- the current sender.
create function tocsin.sender_states() returns setof tocsin.sender_state language sql stable
  as $$
    select (c ->> 'methodType')::integer, c ->> 'name', c ->> 'title', (c ->> 'isConfigured')::boolean,
      (select max(n.sent_at) from tocsin.notification n
        where n.method_type = (c ->> 'methodType')::integer and n.provider = c ->> 'name'
          and tocsin_private.was_accepted(n.state, n.provider, n.sent_at)),
      f.at, f.answer,
      (select count(*)::integer from tocsin.notification n where n.method_type = (c ->> 'methodType')::integer and n.state = 'queued'),
      c ->> 'receiptAddress', c ->> 'receiptProblem', c ->> 'inboundAddress'
    from jsonb_array_elements(tocsin_definer.channels()) c
    left join lateral (
      -- Uses the time at which a failure was reported, because a receipt can report it hours after sending. A notification
      -- that is still being retried has no such time, so the time of its last attempt is used.
      select coalesce(n.failed_at, (n.attempt_log -> -1 ->> 'at')::timestamptz, n.notify_time) as at, n.provider_answer as answer
      from tocsin.notification n
      where n.method_type = (c ->> 'methodType')::integer and n.provider = c ->> 'name' and n.provider_answer <> ''
        and (n.state = 'failed' or n.state = 'queued' and n.attempts > 0)
      order by 1 desc limit 1) f on true
    where tocsin_private.is_manager()
    order by 1
  $$;
