-- Commands to devices. A command waits until its device connects, is sent again until the device confirms it, and ends confirmed,
-- cancelled (taken_back_on) or expired.
create table tocsin.reply_message (
  id bigint generated always as identity primary key,
  tocsin_customer_uuid uuid not null,
  uid text not null,
  reply text,
  reply_command text not null,
  queued_on timestamptz not null default tocsin_private.clock(),
  delivered_on timestamptz,
  sent_on timestamptz,
  attempts integer not null default 0,
  -- infinity: the default time to live of commands.
  expires_on timestamptz not null default 'infinity',
  taken_back_on timestamptz,
  taken_back_by text,
  constraint reply_message_sensor_fkey foreign key (tocsin_customer_uuid, uid)
    references tocsin.sensor (tocsin_customer_uuid, uid) on update cascade on delete cascade
);
call tocsin_private.limit_text('tocsin.reply_message', 'uid 1-64', 'reply_command 1-500', 'reply 0-4000');
create index reply_message_uid_idx on tocsin.reply_message (tocsin_customer_uuid, uid, queued_on desc);
create index reply_message_queued_idx on tocsin.reply_message (tocsin_customer_uuid, queued_on desc);
create index reply_message_waiting_idx on tocsin.reply_message (tocsin_customer_uuid, uid, id) where delivered_on is null;
