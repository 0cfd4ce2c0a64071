-- The right of one process at a time, such as the right to use the session at an MQTT broker. Only server/platform/lease.ts writes it.
create table tocsin_private.lease (
  name text primary key,
  holder uuid not null,
  -- By the database's clock, because the clocks of processes differ.
  until timestamptz not null,
  -- Counts the changes of the holder.
  fence bigint not null
);
