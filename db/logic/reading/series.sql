-- Chart data. The caller's rights decide which data points are visible. tocsin_service reads the rows, because checking
-- policies for a million readings would be too slow.

-- Splits a range by level of detail: the coarsest wanted level in the middle, finer levels towards both ends. Levels: 0
-- raw, 1 minute, 2 hour, 3 day. `finest` is the finest level that is still stored.
create or replace function tocsin_private.split_range(first timestamptz, last timestamptz, finest integer, wanted integer)
  returns table (level integer, start timestamptz, finish timestamptz) language sql immutable
  as $$
    with spans as (
      select n as level, (array['1 microsecond', '1 minute', '1 hour', '24 hours'])[n + 1]::interval as span
      from generate_series($3, greatest($3, $4)) n
    ), inner_ranges as (
      -- Only rows of the finest level may extend beyond the range. Rows of coarser levels lie completely inside it.
      select s.level,
        date_bin(s.span, case when s.level = $3 then $1 else $1 + s.span - interval '1 microsecond' end, 'epoch') as start,
        date_bin(s.span, case when s.level = $3 then $2 + s.span - interval '1 microsecond' else $2 end, 'epoch') as finish
      from spans s
    ), nested as (
      select r.*, lead(r.start) over up as inner_start, lead(r.finish) over up as inner_finish
      from inner_ranges r window up as (order by r.level)
    )
    select n.level, slice.start, slice.finish
    from nested n
    cross join lateral (values
      (n.start, case when n.inner_start < n.inner_finish then n.inner_start else n.finish end),
      (case when n.inner_start < n.inner_finish then n.inner_finish end, n.finish)) slice (start, finish)
    where slice.start < slice.finish
  $$;

-- Returns the chart data of one data point. Runs as tocsin_service and returns no row if the caller is not allowed to
-- see the data point.
set local role tocsin_service;
create or replace function tocsin_definer.datapoint_series(uuid uuid, first timestamptz, last timestamptz, width integer)
  returns setof tocsin.datapoint_series
  -- JIT is off, because compilation takes longer than the longest of these queries.
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off
  as $$
declare
  answer tocsin.datapoint_series;
  channel integer := tocsin_private.visible_channel($1);
  points integer;
  -- Times from which readings, minute roll-ups and hour roll-ups are still stored.
  readings_from timestamptz;
  minutes_from timestamptz;
  hours_from timestamptz;
  -- Time from which roll-ups may be incomplete.
  rolled_up timestamptz;
  step_ms double precision := greatest(1, ceil(date_part('epoch', last - first) * 1000 / width));
  step interval;
  -- A roll-up minute may be wider than a pixel: up to two pixels wide, or four if readings are dense. No peak is lost,
  -- because each roll-up minute has a minimum and a maximum.
  wanted integer := case when step_ms >= 86400000 then 3 when step_ms >= 3600000 then 2 when step_ms >= 30000 then 1 else 0 end;
  -- The finest level of detail that is still stored at the start of the range.
  finest integer;
  coarsest integer;
  sources text;
begin
  if channel is null then return; end if;
  answer.datapoint_uuid := $1;

  select coalesce(max(m.at) filter (where m.name = 'readings-from'), '-infinity'),
    coalesce(max(m.at) filter (where m.name = 'minutes-from'), '-infinity'),
    -- The stored hour roll-ups can begin in the middle of a day. That whole day is read from its day row, so that no
    -- reading is counted twice.
    coalesce(date_bin('24 hours', max(m.at) filter (where m.name = 'hours-from') + interval '24 hours' - interval '1 microsecond', 'epoch'),
      '-infinity'),
    -- Subtracts one hour from the time up to which readings are rolled up, because some devices send only once an hour.
    coalesce(date_bin('1 minute', max(m.at) filter (where m.name = 'rolled-up'), 'epoch') - interval '1 hour', '-infinity')
  into readings_from, minutes_from, hours_from, rolled_up
  from tocsin_private.milestone m;

  if first >= readings_from then
    execute $sql$
      select count(*), array_agg(date_part('epoch', r.device_time) * 1000), array_agg(r.value)
      from (select device_time, value from tocsin.reading where channel_key = $1 and device_time >= $2 and device_time < $3
        order by device_time limit $4) r
    $sql$ into points, answer.times, answer.means using channel, first, last, 2 * width + 1;
    if points <= 2 * width then
      answer.resolution := 'raw';
      answer.times := coalesce(answer.times, '{}');
      answer.means := coalesce(answer.means, '{}');
      answer.mins := answer.means;
      answer.maxs := answer.means;
      answer.lasts := answer.means;
      return next answer;
      return;
    end if;
  end if;

  if wanted = 0 and step_ms >= 15000 then
    wanted := case when (select sum(m.count) from tocsin.rollup_minute m
      where m.channel_key = channel and m.bucket >= $2 and m.bucket < $3) > 250000 then 1 else 0 end;
  end if;
  -- The duration of a pixel must be a multiple of the span of its coarsest rows. Otherwise a row on the boundary would
  -- include readings of the next pixel. Coarser rows are kept longer, so the start of the range determines the level.
  finest := case when first < hours_from then 3 when first < minutes_from then 2 when first < readings_from then 1 else 0 end;
  wanted := greatest(wanted, finest);
  if wanted > 0 then
    step_ms := ceil(step_ms / (array[60000, 3600000, 86400000])[wanted]) * (array[60000, 3600000, 86400000])[wanted];
  end if;
  step := step_ms * interval '1 millisecond';

  -- Each range is aggregated by a separate query with literal times, which the planner needs. Readings are read pixel
  -- by pixel in key order, which takes half the time of sorting a million rows.
  select max(slice.level), string_agg(case slice.level when 0 then format(
      $sql$
        select p.pixel, g.min, g.max, g.mean, g.count, l.last_at, l.last
        from generate_series(date_bin(%4$L, %2$L, 'epoch'), %3$L::timestamptz - interval '1 microsecond', %4$L) p (pixel)
        cross join lateral (
          select min(r.value) as min, max(r.value) as max, sum(greatest(-1e290, least(1e290, r.value))) / count(*) as mean,
            count(*) as count
          from tocsin.reading r
          where r.channel_key = %1$s and r.device_time >= p.pixel and r.device_time < p.pixel + interval %4$L
            and r.device_time >= %2$L and r.device_time < %3$L
        ) g
        cross join lateral (
          select r.device_time as last_at, r.value as last from tocsin.reading r
          where r.channel_key = %1$s and r.device_time >= p.pixel and r.device_time < p.pixel + interval %4$L
            and r.device_time >= %2$L and r.device_time < %3$L
          order by r.device_time desc limit 1
        ) l
      $sql$, channel, slice.start, slice.finish, step)
    else format(
      $sql$
        select g.pixel, g.min, g.max, g.mean, g.count, g.last_at,
          (select r.last from tocsin.%5$I r where r.channel_key = %1$s and r.bucket = date_bin(%6$L, g.last_at, 'epoch')
            and r.bucket >= %2$L and r.bucket < %3$L) as last
        from (
          select date_bin(%4$L, r.bucket, 'epoch') as pixel, min(r.min) as min, max(r.max) as max,
            sum(r.mean * r.count) / sum(r.count) as mean, sum(r.count) as count, max(r.last_at) as last_at
          from tocsin.%5$I r where r.channel_key = %1$s and r.bucket >= %2$L and r.bucket < %3$L
          group by 1
        ) g
      $sql$, channel, slice.start, slice.finish, step,
      (array['rollup_minute', 'rollup_hour', 'rollup_day'])[slice.level], (array['1 minute', '1 hour', '24 hours'])[slice.level])
    end, ' union all ')
  into coarsest, sources
  from (values
    ('-infinity'::timestamptz, hours_from, 3, 3),
    (hours_from, minutes_from, 2, wanted),
    (minutes_from, readings_from, 1, wanted),
    (readings_from, greatest(rolled_up, readings_from), 0, wanted),
    (greatest(rolled_up, readings_from), 'infinity', 0, 0)) zone (start, finish, finest, wanted)
  cross join lateral tocsin_private.split_range(greatest(first, zone.start), least(last, zone.finish), zone.finest, zone.wanted) slice
  where greatest(first, zone.start) < least(last, zone.finish);

  execute format(
    $sql$
      select array_agg(date_part('epoch', greatest(p.pixel, %1$L)) * 1000), array_agg(p.min), array_agg(p.max),
        array_agg(p.mean), array_agg(p.last)
      from (
        select s.pixel, min(s.min) as min, max(s.max) as max, sum(s.mean * s.count) / sum(s.count) as mean,
          (array_agg(s.last order by s.last_at desc))[1] as last
        from (%2$s) s group by s.pixel order by s.pixel
      ) p
    $sql$, date_bin((array['1 microsecond', '1 minute', '1 hour', '24 hours'])[finest + 1]::interval, first, 'epoch'), sources)
  into answer.times, answer.mins, answer.maxs, answer.means, answer.lasts;
  answer.resolution := (array['raw', 'minute', 'hour', 'day'])[coarsest + 1];
  answer.bucket_ms := step_ms;
  answer.times := coalesce(answer.times, '{}');
  answer.mins := coalesce(answer.mins, '{}');
  answer.maxs := coalesce(answer.maxs, '{}');
  answer.means := coalesce(answer.means, '{}');
  answer.lasts := coalesce(answer.lasts, '{}');
  return next answer;
end
$$;
reset role;

-- Returns the values of data points for a chart of `width` pixels: the readings if there are only a few, otherwise the
-- minimum, maximum, mean and last value of each pixel. Times are milliseconds since 1970. The time of a pixel is its
-- start. `bucketMs` is the duration of a pixel, a multiple of `resolution`. The first and last pixel end with the
-- range, or with the surrounding minute, hour or day if nothing finer is stored. Charts of long ranges show a reading
-- that arrives more than an hour late about two minutes after its arrival.
create function tocsin.series(datapoint_uuids uuid[], "from" timestamptz, "to" timestamptz, width integer)
  returns tocsin.datapoint_series[] language plpgsql stable strict
  as $$
begin
  if cardinality(datapoint_uuids) > 20 then
    perform tocsin_private.refuse('datapoint_uuids', 'A chart can have at most 20 data points. Request fewer.');
  end if;
  if width not between 10 and 4000 then
    perform tocsin_private.refuse('width', 'The width must be a whole number of pixels from 10 to 4000.');
  end if;
  if not isfinite("from") then perform tocsin_private.refuse('from', 'Enter the start of the range.'); end if;
  if not isfinite("to") then perform tocsin_private.refuse('to', 'Enter the end of the range.'); end if;
  if "from" >= "to" then perform tocsin_private.refuse('to', '@range-order'); end if;
  if "to" > "from" + interval '20 years' then
    perform tocsin_private.refuse('from', 'The range is limited to 20 years. Choose a later start.');
  end if;
  return coalesce((
    select array_agg(s order by seen.place) from (
      select d.uuid, min(asked.place) as place from unnest(datapoint_uuids) with ordinality asked (uuid, place)
      join tocsin.asset_datapoint d on d.uuid = asked.uuid
      group by d.uuid
    ) seen
    cross join lateral tocsin_definer.datapoint_series(seen.uuid, "from", "to", width) s
  ), '{}');
end
$$;
