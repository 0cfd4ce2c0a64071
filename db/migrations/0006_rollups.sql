-- Why: a chart of a year cannot read every reading. What arrived is summed up by minute, hour and day, each from the one
-- before, so that long ranges are answered from few rows and raw readings need not be kept for ever.
create table tocsin.rollup_minute (
  channel_key integer not null,
  -- When it begins, in UTC.
  bucket timestamptz not null,
  min double precision not null,
  max double precision not null,
  mean double precision not null,
  count integer not null,
  -- The reading with the latest time of all.
  last double precision not null,
  last_at timestamptz not null,
  primary key (channel_key, bucket)
) partition by range (bucket);

-- A week that has readings has minutes too.
do $$
declare
  item record;
  part text;
begin
  for item in
    select c.relname, pg_get_expr(c.relpartbound, c.oid) as bounds from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'tocsin.reading'::regclass
  loop
    part := replace(item.relname, 'reading_', 'rollup_minute_');
    execute format('create table tocsin.%I partition of tocsin.rollup_minute %s', part, item.bounds);
    execute format('alter table tocsin.%I enable row level security', part);
    grant create on schema tocsin to tocsin_service;
    execute format('alter table tocsin.%I owner to tocsin_service', part);
    revoke create on schema tocsin from tocsin_service;
  end loop;
end
$$;

-- Hours and days are one table each: a thousand channels have 9 million hours a year, of which old ones are deleted by their
-- key, a day's worth at a time. While they last they change with every minute, so each page keeps room for that.
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

-- How far the server's own work over readings has come: `rolled-up` is the server time before which every reading is in the
-- roll-ups; `readings-from`, `minutes-from` and `hours-from` are the times before which they are no longer kept.
create table tocsin_private.milestone (
  name text primary key,
  at timestamptz not null
);

-- One datapoint's part of a chart. The lists have one entry for each point, in the order of time.
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
