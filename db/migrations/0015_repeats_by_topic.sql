-- What an address was told lately is looked up by what it was about, before it is known whom an alarm is told to.
drop index tocsin.notification_repeat_idx;
create index notification_repeat_idx on tocsin.notification (tocsin_customer_uuid, topic, notify_time desc, address);
