-- Why: devices speak now. A sensor says how its frames are written and through which gateway they may come, a channel how
-- its raw values are scaled, a frame what became of it, and a command the whole of its life.
alter table tocsin.sensor
  add column frame_format text not null default 'auto'
    constraint sensor_frame_format_check check (frame_format in ('auto', 'json', 'key-value', 'csv')),
  -- The sensor whose token may bring this one's frames too; null when it speaks for itself alone.
  add column tocsin_gateway_uuid uuid,
  add column last_contact timestamptz,
  add constraint sensor_gateway_fkey foreign key (tocsin_customer_uuid, tocsin_gateway_uuid)
    references tocsin.sensor (tocsin_customer_uuid, uuid) on delete set null (tocsin_gateway_uuid),
  add constraint sensor_gateway_check check (tocsin_gateway_uuid <> uuid);
-- A device says its uid before anybody knows whose it is.
create index sensor_uid_idx on tocsin.sensor (uid);
create index sensor_gateway_idx on tocsin.sensor (tocsin_gateway_uuid);

-- What is stored is raw × factor + offset, rounded to the decimals where they are given.
alter table tocsin.sensor_channel
  add column channel_factor double precision not null default 1
    constraint sensor_channel_factor_check check (abs(channel_factor) > 0 and abs(channel_factor) <= 1e12),
  add column channel_offset double precision not null default 0
    constraint sensor_channel_offset_check check (abs(channel_offset) <= 1e12),
  add column channel_decimals smallint
    constraint sensor_channel_decimals_check check (channel_decimals between 0 and 10);

alter table tocsin.incoming_sensor_log
  add column door text not null default '' constraint incoming_sensor_log_door_check check (door in ('', 'http', 'mqtt', 'tcp')),
  -- Bytes that are no text are kept as base64, and told apart here.
  add column encoding text not null default 'text' constraint incoming_sensor_log_encoding_check check (encoding in ('text', 'base64')),
  -- Why the frame, or a part of it, gave no reading; null when all of it did.
  add column problem text,
  -- What was taken otherwise than it was said, such as the time of a clock that runs ahead.
  add column note text;

-- A command waits until its device calls in, is sent, sent again while nobody confirms it, and ends confirmed or expired.
alter table tocsin.reply_message
  add column sent_on timestamptz,
  add column attempts integer not null default 0,
  -- Whoever queues a command may say how long it waits; endless stands for the usual time.
  add column expires_on timestamptz not null default 'infinity';
-- The owner of a table sees no rows either, except while this is off.
alter table tocsin.reply_message no force row level security;
update tocsin.reply_message set expires_on = queued_on + interval '72 hours';
alter table tocsin.reply_message force row level security;
create index reply_message_waiting_idx on tocsin.reply_message (tocsin_customer_uuid, uid, id) where delivered_on is null;

-- What a device is given once, when it is registered or gets a new token.
create type tocsin.device_credentials as (tocsin_sensor_uuid uuid, uid text, token text);

-- Newest values are written again and again, in place where a page has room for it.
alter table tocsin.asset_datapoint set (fillfactor = 70);
alter table tocsin.sensor set (fillfactor = 70);
alter table tocsin.site set (fillfactor = 70);

-- What changed for a sensor: its settings, channels, tokens, datapoints, or a command that waits for it. Every batch of
-- frames reads what is new here before it trusts what its process remembers. Rows are found by the number of the
-- transaction that wrote them, because those numbers, unlike times and counters, tell what a reader may have missed.
create table tocsin_private.device_change (
  id bigint generated always as identity primary key,
  written_by xid8 not null default pg_current_xact_id(),
  tocsin_sensor_uuid uuid not null,
  at timestamptz not null default tocsin_private.clock()
);
create index device_change_written_by_idx on tocsin_private.device_change (written_by);
create index device_change_at_idx on tocsin_private.device_change (at);

-- Which readings are new is asked by the time they arrived, in the order of which they lie on disk.
create index reading_server_time_idx on tocsin.reading using brin (server_time) with (pages_per_range = 32);

-- The parts that hold readings and frames belong to the server's own role: only the owner of a table under row level
-- security may copy into it, and copying is what makes the volume possible. Everybody else still sees them through their
-- parents alone.
grant create on schema tocsin to tocsin_service;
do $$
declare
  part regclass;
begin
  for part in
    select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'tocsin' and c.relispartition and c.relkind = 'r'
  loop
    execute format('alter table %s no force row level security', part);
    execute format('alter table %s owner to tocsin_service', part);
  end loop;
end
$$;
revoke create on schema tocsin from tocsin_service;
