-- Messages are written by the server alone and read with the sites they speak of.
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_alarm_uuid, tocsin_user_uuid, recipient_name, address,
  method_type, message_type, kind, step, topic, subject, notify_message, notify_time, ack_time, ack_by_recipient_name, state, parts, attempts,
  next_attempt_at, lease_until, idempotency_key, provider, provider_id, provider_answer, attempt_log, once_key, sent_at, delivered_at, failed_at, created_at)
  on tocsin.notification to tocsin_request;
create policy read on tocsin.notification for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and ((select tocsin_private.is_manager()) or tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])));

-- The outbox holds invitations and codes in the clear while no sender is configured, so it is the owner's alone.
grant select (uuid, tocsin_customer_uuid, method_type, address, subject, body, created_at) on tocsin.outbox to tocsin_request;
create policy read_as_owner on tocsin.outbox for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_owner()));

-- Where a person is told by push: everybody their own, seen and kept by nobody else.
grant select (uuid, tocsin_customer_uuid, tocsin_user_uuid, endpoint, device, created_at), insert (endpoint, subscription, device),
  delete on tocsin.push_subscription to tocsin_request;
create policy own on tocsin.push_subscription for all to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and tocsin_user_uuid = (select tocsin_private.me())
  and not (select tocsin_private.is_partner_account())
) with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and tocsin_user_uuid = (select tocsin_private.me())
  and not (select tocsin_private.is_partner_account()));
