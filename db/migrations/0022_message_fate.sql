-- Why: a message that only lies in the built-in outbox was sent to nobody. Which those are is stored already: the provider of such a
-- message is the outbox, also of those from before this version. SMS that nobody billed leave the index of the SMS report.
drop index tocsin.notification_sms_idx;
create index notification_sms_idx on tocsin.notification (tocsin_customer_uuid, notify_time)
  include (tocsin_site_uuid, message_type, parts)
  where method_type = 3 and (state in ('sent', 'delivered') or sent_at is not null) and provider <> 'outbox';

-- Why: the reports on messages can be narrowed to a person. These take more arguments, and are made anew with the logic.
drop function if exists tocsin_private.told(timestamptz, timestamptz, boolean, uuid, uuid[]);
drop function if exists tocsin_private.acknowledgement_rows(timestamptz, timestamptz, boolean, uuid, uuid[]);
drop function if exists tocsin_private.delivery_rows(timestamptz, timestamptz, integer, text, text, uuid, uuid[]);
