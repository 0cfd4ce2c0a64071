-- Returns the database's time, for leases and heartbeats. The clocks of the processes cannot be used, because they
-- differ. Tests with a manual clock set `tocsin.lease_now` (server/access.ts).
create or replace function tocsin_private.lease_clock() returns timestamptz
  language sql stable parallel safe
  as $$ select coalesce(nullif(current_setting('tocsin.lease_now', true), '')::timestamptz, statement_timestamp()) $$;

-- Returns the steps (sudden jumps) of the machine's clock that server/clock/record.ts has stored. Times are
-- milliseconds since 1970.
set local role tocsin_service;
create or replace function tocsin_definer.machine_clock() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select i.value from tocsin_private.installation i where i.name = 'clock' and tocsin_private.is_owner() $$;
reset role;

-- Returns the last step (sudden jump) of at least 30 s that the machine's clock made, and how far the machine's clock
-- and the database's clock differ from product time. Only owners get these values, and only if the step was less than a
-- day ago, the machine's clock differs by 30 s or more, or the database's clock differs by more than 5 s. Otherwise all
-- values are null.
create function tocsin.clock_notice(
  out jumped_on timestamptz, out jump_seconds integer, out difference_seconds integer, out database_seconds integer
)
  language sql stable
  as $$
    select n.* from (
      select to_timestamp(j.at / 1000) as jumped_on, round(j.by / 1000)::integer as jump_seconds,
        round(((c.value ->> 'wall')::numeric - (c.value ->> 'product')::numeric) / 1000)::integer as difference_seconds,
        coalesce(round((c.value ->> 'database')::numeric / 1000)::integer, 0) as database_seconds
      from (select tocsin_definer.machine_clock() as value) c
      left join lateral (
        select (step ->> 'at')::float8 as at, (step ->> 'by')::numeric as by
        from jsonb_array_elements(c.value -> 'steps') with ordinality s (step, place)
        where abs((step ->> 'by')::numeric) >= 30000 order by place desc limit 1) j on true
    ) n where abs(n.difference_seconds) >= 30 or abs(n.database_seconds) > 5 or n.jumped_on > tocsin_private.clock() - interval '1 day'
  $$;
