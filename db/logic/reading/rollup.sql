-- Roll-ups by minute, hour and day. Only the server runs these functions. Requests read roll-ups through tocsin.series.

-- Returns the time from which to roll up a database that has readings but no roll-ups: ten minutes before the first
-- week with readings. Returns null if there are no readings.
create or replace function tocsin_private.first_arrival() returns timestamptz language plpgsql stable
  as $$
declare
  week record;
  found_one boolean;
begin
  for week in select p.first, p.last from tocsin_private.partitions_of('reading') p loop
    select exists (select from tocsin.reading r where r.device_time >= week.first and r.device_time < week.last) into found_one;
    if found_one then return week.first - interval '10 minutes'; end if;
  end loop;
  return null;
end
$$;

-- Summarises the pages that are new in the BRIN index. Without this, every search would read all pages written since
-- the last vacuum. Skips partitions that vacuum has locked, because vacuum summarises them itself.
create or replace function tocsin_private.summarise_arrival_index() returns void language plpgsql volatile
  as $$
declare
  index_partition regclass;
begin
  perform set_config('lock_timeout', '100ms', true);
  for index_partition in select i.inhrelid::regclass from pg_inherits i where i.inhparent = 'tocsin.reading_server_time_idx'::regclass loop
    begin
      perform brin_summarize_new_values(index_partition);
    exception when lock_not_available then null;
    end;
  end loop;
end
$$;

-- Counts the readings that arrived in a time span, up to a maximum.
create or replace function tocsin_private.count_arrivals(first timestamptz, until timestamptz, most bigint) returns bigint
  language sql stable set enable_seqscan = off
  as $$
    select count(*) from (
      select from tocsin.reading r
      where r.server_time >= first and r.server_time < until and r.device_time < until + interval '10 minutes'
      limit most) found
  $$;

-- Recomputes the minute roll-ups of all readings that arrived from `first` to `until`, then the hour and day roll-ups
-- that contain these minutes. Repeated calls give the same result. Processes only the channels whose key modulo
-- `shares` is `share`. Returns the number of readings. Sequential scans and JIT are off, because the planner has no
-- statistics of new readings yet.
create or replace function tocsin_private.roll_up_readings(first timestamptz, until timestamptz, share integer default 0, shares integer default 1)
  returns bigint language plpgsql volatile set enable_seqscan = off set jit = off
  as $$
declare
  channels integer[];
  starts timestamptz[];
  ends timestamptz[];
  arrived bigint;
  coarse text;
  coarse_span text;
  fine text;
  fine_span text;
begin
  -- Combines minutes of a channel that are at most an hour apart into one run, which is read as a single range.
  select array_agg(run.channel_key), array_agg(run.start), array_agg(run.finish), coalesce(sum(run.readings), 0)
  into channels, starts, ends, arrived
  from (
    select m.channel_key, min(m.minute) as start, max(m.minute) + interval '1 minute' as finish, sum(m.readings) as readings
    from (
      select t.*, count(*) filter (where t.apart) over (partition by t.channel_key order by t.minute) as run
      from (
        select r.channel_key, r.minute, r.readings,
          r.minute - lag(r.minute) over (partition by r.channel_key order by r.minute) > interval '1 hour' as apart
        from (
          select channel_key, date_bin('1 minute', device_time, 'epoch') as minute, count(*) as readings
          from tocsin.reading
          -- No stored reading has a device time more than ten minutes in the future, because server time replaces such
          -- a device time. Later partitions can therefore be skipped.
          where server_time >= first and server_time < until and device_time < until + interval '10 minutes'
            and channel_key % shares = share
          group by 1, 2
        ) r
      ) t
    ) m
    group by m.channel_key, m.run
  ) run;
  if channels is null then return 0; end if;

  insert into tocsin.rollup_minute as old (channel_key, bucket, min, max, mean, count, last, last_at)
  select run.channel_key, made.bucket, made.min, made.max, made.mean, made.count,
    (select r.value from tocsin.reading r where r.channel_key = run.channel_key and r.device_time = made.last_at), made.last_at
  from unnest(channels, starts, ends) as run (channel_key, start, finish)
  cross join lateral (
    -- Clamps the values, because an overflow of the sum would block all later roll-ups.
    select date_bin('1 minute', r.device_time, 'epoch') as bucket, min(r.value) as min, max(r.value) as max,
      sum(greatest(-1e290, least(1e290, r.value))) / count(*) as mean, count(*)::integer as count, max(r.device_time) as last_at
    from tocsin.reading r
    where r.channel_key = run.channel_key and r.device_time >= run.start and r.device_time < run.finish
    group by 1
  ) made
  on conflict (channel_key, bucket) do update
  set min = excluded.min, max = excluded.max, mean = excluded.mean, count = excluded.count, last = excluded.last, last_at = excluded.last_at
  where (old.count, old.min, old.max, old.mean, old.last)
    is distinct from (excluded.count, excluded.min, excluded.max, excluded.mean, excluded.last);

  -- Computes hour roll-ups from minutes, then day roll-ups from hours.
  for coarse, coarse_span, fine, fine_span in
    values ('rollup_hour', '1 hour', 'rollup_minute', '1 minute'), ('rollup_day', '24 hours', 'rollup_hour', '1 hour')
  loop
    execute format(
      $sql$
        insert into tocsin.%1$I as old (channel_key, bucket, min, max, mean, count, last, last_at)
        select touched.channel_key, touched.bucket, made.min, made.max, made.mean, made.count,
          (select f.last from tocsin.%3$I f
            where f.channel_key = touched.channel_key and f.bucket = date_bin(%4$L, made.last_at, 'epoch')), made.last_at
        from (
          select distinct run.channel_key, bucket
          from unnest($1, $2, $3) as run (channel_key, start, finish),
            generate_series(date_bin(%2$L, run.start, 'epoch'), run.finish - interval '1 minute', %2$L) bucket
        ) touched
        cross join lateral (
          select min(f.min) as min, max(f.max) as max, sum(f.mean * f.count) / sum(f.count) as mean,
            sum(f.count)::integer as count, max(f.last_at) as last_at
          from tocsin.%3$I f
          where f.channel_key = touched.channel_key and f.bucket >= touched.bucket and f.bucket < touched.bucket + interval %2$L
          having count(*) > 0
        ) made
        on conflict (channel_key, bucket) do update
        set min = excluded.min, max = excluded.max, mean = excluded.mean, count = excluded.count,
          last = excluded.last, last_at = excluded.last_at
        where (old.count, old.min, old.max, old.mean, old.last)
          is distinct from (excluded.count, excluded.min, excluded.max, excluded.mean, excluded.last)
      $sql$, coarse, coarse_span, fine, fine_span)
    using channels, starts, ends;
  end loop;
  return arrived;
end
$$;
