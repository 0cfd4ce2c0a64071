-- Readings, their roll-ups, the log of raw frames, and the health of sites.
--
-- Frames as received, partitioned by time so that retention drops whole partitions.
create table tocsin.incoming_sensor_log (
  auto_id bigint generated always as identity,
  tocsin_customer_uuid uuid not null,
  uid text not null,
  raw_data text not null,
  date_time timestamptz not null,
  door text not null default '' constraint incoming_sensor_log_door_check check (door in ('', 'http', 'mqtt', 'tcp')),
  -- Binary frames are stored as base64. 'none': the server rejected the device, so there is no frame.
  encoding text not null default 'text' constraint incoming_sensor_log_encoding_check check (encoding in ('text', 'base64', 'none')),
  -- Why the frame, or some of its values, gave no reading. Null: all values were stored.
  problem text,
  -- Corrections, such as a device time in the future.
  note text,
  primary key (auto_id, date_time)
) partition by range (date_time);
create index incoming_sensor_log_time_idx on tocsin.incoming_sensor_log (tocsin_customer_uuid, date_time desc);
create index incoming_sensor_log_uid_idx on tocsin.incoming_sensor_log (tocsin_customer_uuid, uid, date_time desc);

-- Optimised for volume: a short key, no surrogate key, few indexes, partitioned by time. Readings with the same channel and
-- device time are duplicates.
create table tocsin.reading (
  channel_key integer not null,
  device_time timestamptz not null,
  server_time timestamptz not null,
  value double precision not null,
  primary key (channel_key, device_time)
) partition by range (device_time);
-- Roll-ups select new readings by arrival, which is their physical order.
create index reading_server_time_idx on tocsin.reading using brin (server_time) with (pages_per_range = 32);

-- Roll-ups by minute, hour and day, each computed from the finer one. Charts of long ranges read them, so raw readings can expire.
create table tocsin.rollup_minute (
  channel_key integer not null,
  -- Start of the interval, in UTC.
  bucket timestamptz not null,
  min double precision not null,
  max double precision not null,
  mean double precision not null,
  count integer not null,
  -- The latest reading of the interval.
  last double precision not null,
  last_at timestamptz not null,
  primary key (channel_key, bucket)
) partition by range (bucket);

-- Hours and days are not partitioned: a thousand channels have 9 million hours a year, and retention deletes a day at a time. The
-- current row changes every minute, hence the fill factor.
create table tocsin.rollup_hour (
  channel_key integer not null,
  bucket timestamptz not null,
  min double precision not null,
  max double precision not null,
  mean double precision not null,
  count integer not null,
  last double precision not null,
  last_at timestamptz not null,
  primary key (channel_key, bucket)
) with (fillfactor = 80);
create table tocsin.rollup_day (
  channel_key integer not null,
  bucket timestamptz not null,
  min double precision not null,
  max double precision not null,
  mean double precision not null,
  count integer not null,
  last double precision not null,
  last_at timestamptz not null,
  primary key (channel_key, bucket)
) with (fillfactor = 80);

-- Progress of background work on readings. rolled-up: the server time up to which all readings are rolled up. readings-from,
-- minutes-from and hours-from: the start of what retention keeps.
create table tocsin_private.milestone (
  name text primary key,
  at timestamptz not null
);

-- API result: the chart of one data point, as parallel arrays in time order.
create type tocsin.datapoint_series as (
  datapoint_uuid uuid,
  resolution text,
  bucket_ms double precision,
  times double precision[],
  mins double precision[],
  maxs double precision[],
  means double precision[],
  lasts double precision[]
);

-- Slots of a site's health duration in which data arrived.
create table tocsin.health_slot (
  tocsin_site_uuid uuid not null,
  tocsin_customer_uuid uuid not null,
  slot_start timestamptz not null,
  primary key (tocsin_site_uuid, slot_start),
  constraint health_slot_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade
);

-- The same by week, for reports.
create table tocsin.health_week (
  tocsin_site_uuid uuid not null,
  tocsin_customer_uuid uuid not null,
  -- Weeks since Monday, 29 December 1969, in UTC.
  week integer not null,
  -- One bit for each hour of the week: a slot that received data began in this hour.
  hours bit(168) not null,
  primary key (tocsin_site_uuid, week),
  constraint health_week_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade
);
create index health_week_customer_idx on tocsin.health_week (tocsin_customer_uuid, week);
