-- Why: a provider that cannot call the address for receipts reports nothing, and the page of channels has to say so.
alter type tocsin.channel_state add attribute receipt_problem text;

-- Why: an SMS that its provider took is billed, also where a receipt says later that it never arrived, so the SMS report counts it.
drop index tocsin.notification_sms_idx;
create index notification_sms_idx on tocsin.notification (tocsin_customer_uuid, notify_time)
  include (tocsin_site_uuid, message_type, parts)
  where method_type = 3 and (state in ('sent', 'delivered') or sent_at is not null);
