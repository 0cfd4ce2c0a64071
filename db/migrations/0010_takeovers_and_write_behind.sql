-- Several processes on one database: which process serves a sensor, and what each process has still to write.
--
-- The process that took over a sensor last. Only that process may rely on what it remembers of the sensor. Other processes find
-- the takeover by the id of its transaction, as with device_change.
create table tocsin_private.sensor_takeover (
  tocsin_sensor_uuid uuid primary key constraint sensor_takeover_sensor_fkey references tocsin.sensor (uuid) on delete cascade,
  process uuid not null,
  written_by xid8 not null default pg_current_xact_id()
);
create index sensor_takeover_written_by_idx on tocsin_private.sensor_takeover (written_by);

-- Each process writes newest values and contacts some seconds after the readings. Another process writes them if this one vanishes.
create table tocsin_private.write_behind (
  process uuid primary key,
  -- Product time of the process. What it stored before this time is written.
  written_until timestamptz not null,
  -- Time of the database, because the clocks of two processes can differ.
  touched_at timestamptz not null
);
