-- The readings of a datapoint one by one, for whoever tries a rule on them or asks why one did not fire. As tocsin_service,
-- because policies asked for each of a hundred thousand readings take longer than reading them. It asks for itself whether the
-- caller may see the datapoint, and answers no row where not.
--
-- Each row has the readings of a part of the range, in order, with 24 bytes for each: its time, its value and when it arrived.
-- The last one before the range is a row by itself, and `ahead` of the first row says when the earliest of the readings after the
-- range arrived. At most so many readings, and no more than 2000 of those after.
set local role tocsin_service;
create or replace function tocsin_definer.datapoint_history(uuid uuid, first timestamptz, last timestamptz, most integer)
  returns table (ahead double precision, readings bytea)
  -- Compiling a plan takes longer than the longest of these queries.
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off
  as $$
declare
  channel integer := tocsin_private.visible_channel($1);
  width interval := greatest((last - first) / 200, interval '1 minute');
begin
  if channel is null then return; end if;

  -- With times the planner knows, so that it leaves out the parts it need not read.
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
