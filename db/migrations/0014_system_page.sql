-- What the System page shows over time, and the types of its API.
--
-- Frames of each minute, for an hour. Every gateway adds its frames. The time is the database's, as in tocsin_private.process.
create table tocsin_private.frame_minute (
  minute timestamptz not null,
  protocol text not null,
  taken bigint not null,
  refused bigint not null,
  primary key (minute, protocol)
);

-- Size of the database, every hour for twelve weeks.
create table tocsin_private.database_size (
  hour timestamptz primary key,
  bytes bigint not null,
  -- Readings, roll-ups and the sensor log.
  reading_bytes bigint not null,
  -- How much the database can still grow; null if the size of its disk is unknown.
  free_bytes bigint
);

-- API results: the state of the installation, as owners see it. Bytes are doubles, because BigInt is text in GraphQL.
create type tocsin.system_process as (
  uuid uuid, name text, state text, version text, roles text[], problems text[], started_on timestamptz, heartbeat_on timestamptz,
  silent_seconds double precision, clock_offset_ms integer, cpu_percent double precision, memory_bytes double precision,
  event_loop_delay_ms double precision, frames_per_second double precision
);
create type tocsin.system_broker as (name text, process_name text, is_connected boolean, is_holder boolean, problem text);
create type tocsin.system_protocol as (
  protocol text, connections integer, frames_per_second double precision, frames_by_minute integer[], refused integer
);
create type tocsin.system_queue as (name text, waiting integer, oldest_seconds double precision, overdue_seconds integer, overdue integer);
create type tocsin.system_size as (measured_on timestamptz, bytes double precision, reading_bytes double precision, free_bytes double precision);
create type tocsin.system_backup as (finished_on timestamptz, ok boolean, bytes double precision, seconds integer, note text);
create type tocsin.system_status as (
  observed_on timestamptz, database_version text, external_heartbeat_on timestamptz, processes tocsin.system_process[],
  brokers tocsin.system_broker[], protocols tocsin.system_protocol[], queues tocsin.system_queue[], sizes tocsin.system_size[],
  backups tocsin.system_backup[]
);
