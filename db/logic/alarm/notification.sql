-- Only the server writes notifications. Users can read the notifications of the sites that they may see.
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_alarm_uuid, tocsin_user_uuid, recipient_name, address,
  method_type, message_type, kind, step, topic, subject, notify_message, notify_time, ack_time, ack_by_recipient_name, state, segments, attempts,
  next_attempt_at, lease_until, idempotency_key, provider, provider_id, provider_answer, attempt_log, once_key, sent_at, delivered_at, failed_at, created_at,
  sequence_number, digest_uuids) on tocsin.notification to tocsin_request;
-- Hidden from the API, which returns the alarms of a digest with alarms_of_digest instead.
comment on column tocsin.notification.digest_uuids is '@behavior -*';
create policy read on tocsin.notification for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and ((select tocsin_private.is_manager()) or tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])));

-- The outbox contains invitations and codes in plain text, so only owners may read it.
grant select (uuid, tocsin_customer_uuid, method_type, address, subject, body, created_at) on tocsin.outbox to tocsin_request;
create policy read_as_owner on tocsin.outbox for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_owner()));

-- Push subscriptions. Each user sees and manages only their own.
grant select (uuid, tocsin_customer_uuid, tocsin_user_uuid, endpoint, device, created_at), insert (endpoint, subscription, device),
  delete on tocsin.push_subscription to tocsin_request;
create policy own on tocsin.push_subscription for all to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and tocsin_user_uuid = (select tocsin_private.me())
  and not (select tocsin_private.is_partner_account())
) with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and tocsin_user_uuid = (select tocsin_private.me())
  and not (select tocsin_private.is_partner_account()));

-- Returns the state of a notification as shown to users: `kept` if it is only in the built-in outbox, otherwise the
-- stored state.
create or replace function tocsin_private.shown_state(state text, provider text) returns text language sql immutable parallel safe
  as $$ select case when $1 = 'sent' and $2 = 'outbox' then 'kept' else $1 end $$;

-- True if the notification was sent or delivered, and is not only in the built-in outbox.
create or replace function tocsin_private.was_sent(state text, provider text) returns boolean language sql immutable parallel safe
  as $$ select tocsin_private.shown_state($1, $2) in ('sent', 'delivered') $$;

-- True if a provider accepted the notification and therefore bills it.
create or replace function tocsin_private.was_accepted(state text, provider text, sent_at timestamptz) returns boolean
  language sql immutable parallel safe
  as $$ select ($1 in ('sent', 'delivered') or $3 is not null) and $2 <> 'outbox' $$;

-- Returns whether a notification matches a state filter. `out` matches notifications for which was_sent is true,
-- `taken` those for which was_accepted is true. Any other value is compared with the shown state. Null matches all
-- notifications.
create or replace function tocsin_private.matches_state(state text, provider text, sent_at timestamptz, asked text) returns boolean
  language sql immutable parallel safe
  as $$
    select case when $4 is null then true when $4 = 'out' then tocsin_private.was_sent($1, $2)
      when $4 = 'taken' then tocsin_private.was_accepted($1, $2, $3) else tocsin_private.shown_state($1, $2) = $4 end
  $$;

create function tocsin.notification_shown_state(notification tocsin.notification) returns text language sql stable
  as $$ select tocsin_private.shown_state(notification.state, notification.provider) $$;
comment on function tocsin.notification_shown_state(tocsin.notification) is '@behavior -filterBy';
