-- The following functions return the readings of a data point for simulations, explanations and advice. They run as
-- tocsin_service, because checking policies for 100,000 readings would take longer than reading them. They check the
-- caller and return no row if the data point is not visible.
set local role tocsin_service;
-- Returns each column as a binary array. Building arrays is three times as fast as joining the values row by row.
create or replace function tocsin_definer.readings_of_datapoint(uuid uuid, first timestamptz, last timestamptz, most integer)
  returns table (ahead double precision, times bytea, "values" bytea, arrivals bytea)
  -- JIT is off, because compilation takes longer than the longest of these queries.
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off
  as $$
declare
  channel integer := tocsin_private.visible_channel($1);
  width interval := greatest((last - first) / 200, interval '1 minute');
begin
  if channel is null then return; end if;

  -- EXECUTE plans each query with the actual times, so that the planner can skip partitions.
  return query execute
    $sql$
      select date_part('epoch', min(n.server_time)) * 1000, null::bytea, null::bytea, null::bytea from (
        select server_time from tocsin.reading where channel_key = $1 and device_time > $2 order by device_time limit 2000) n
    $sql$ using channel, last;
  return query execute
    $sql$
      select null::float8, array_send(array[r.device_time]), array_send(array[r.value]), array_send(array[r.server_time])
      from tocsin.reading r where r.channel_key = $1 and r.device_time < $2 order by r.device_time desc limit 1
    $sql$ using channel, first;
  return query execute
    $sql$
      select null::float8, array_send(array_agg(device_time)), array_send(array_agg(value)), array_send(array_agg(server_time))
      from (
        select device_time, value, server_time from tocsin.reading where channel_key = $1 and device_time >= $2 and device_time <= $3
        order by device_time limit $4
      ) r
      group by date_bin($5, r.device_time, $2)
    $sql$ using channel, first, last, most, width;
end
$$;

-- Only programs older than 0025_alarm_hours.sql call this function.
create or replace function tocsin_definer.datapoint_history(uuid uuid, first timestamptz, last timestamptz, most integer)
  returns table (ahead double precision, readings bytea)
  -- JIT is off, because compilation takes longer than the longest of these queries.
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off
  as $$
declare
  channel integer := tocsin_private.visible_channel($1);
  width interval := greatest((last - first) / 200, interval '1 minute');
begin
  if channel is null then return; end if;

  -- EXECUTE plans each query with the actual times, so that the planner can skip partitions.
  return query execute
    $sql$
      select date_part('epoch', min(n.server_time)) * 1000, null::bytea from (
        select server_time from tocsin.reading where channel_key = $1 and device_time > $2 order by device_time limit 2000) n
    $sql$ using channel, last;
  return query execute
    $sql$
      select null::float8, timestamptz_send(r.device_time) || float8send(r.value) || timestamptz_send(r.server_time)
      from tocsin.reading r where r.channel_key = $1 and r.device_time < $2 order by r.device_time desc limit 1
    $sql$ using channel, first;
  return query execute
    $sql$
      select null::float8, string_agg(timestamptz_send(r.device_time) || float8send(r.value) || timestamptz_send(r.server_time), '')
      from (
        select device_time, value, server_time from tocsin.reading where channel_key = $1 and device_time >= $2 and device_time <= $3
        order by device_time limit $4
      ) r
      group by date_bin($5, r.device_time, $2)
    $sql$ using channel, first, last, most, width;
end
$$;
reset role;
