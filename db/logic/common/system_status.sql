-- The state of the installation, for owners. The counts include rows of all customers, but the rows themselves are
-- never returned.

-- For each process name, returns the process that started last. Its state is `missing` after 15 s without a heartbeat
-- or a clean stop (MISSING_SECONDS in domain/process/system-alarm.ts), and `failing` if a required check fails. Stopped
-- processes are listed for an hour.
create or replace function tocsin_private.present_processes()
  returns table (uuid uuid, name text, state text, version text, roles text[], checks jsonb, load jsonb, started_at timestamptz,
    heartbeat_at timestamptz, silent_seconds double precision, clock_offset_ms integer)
  language sql stable
  as $$
    select n.uuid, n.name,
      case when n.state = 'stopped' then 'stopped' when n.silent_seconds > 15 then 'missing'
        when n.state = 'ready' and n.checks @> '[{"ok": false, "isRequired": true}]' then 'failing' else n.state end,
      n.version, n.roles, n.checks, n.load, n.started_at, n.heartbeat_at, n.silent_seconds,
      least(greatest(n.clock_offset_ms, -2147483647), 2147483647)::integer
    from (
      select distinct on (p.name) p.*, extract(epoch from tocsin_private.lease_clock() - p.heartbeat_at)::float8 as silent_seconds
      from tocsin_private.process p order by p.name, p.started_at desc, p.heartbeat_at desc
    ) n where n.state <> 'stopped' or n.silent_seconds < 3600
  $$;

-- Returns the waiting work of each kind: its count, the age of the oldest item in seconds, the age from which an item
-- is overdue, and the number of overdue items. The counts of frames and newest values come from the latest heartbeats
-- of the gateways.
create or replace function tocsin_private.system_queues() returns setof tocsin.system_queue
  language sql stable
  as $$
    with gateways as materialized (
      select g.load -> 'waiting' as waiting from tocsin_private.present_processes() g where g.state not in ('missing', 'stopped')
    ), notifications as materialized (
      select n.attempts > 0 as is_retry, n.notify_time,
        n.next_attempt_at <= tocsin_private.clock() - interval '2 minutes'
          and (n.lease_until is null or n.lease_until <= tocsin_private.lease_clock()) as is_overdue
      -- Notifications of disabled customers do not count as waiting, because they are not sent.
      from tocsin.notification n join tocsin.customer c on c.uuid = n.tocsin_customer_uuid and c.status = 1
      where n.state = 'queued' and (n.attempts > 0 or n.next_attempt_at <= tocsin_private.clock())
    ), invitations as materialized (
      select i.requested_at, i.next_attempt_at <= tocsin_private.lease_clock() - interval '2 minutes' as is_overdue
      from tocsin_private.pending_invitation i
    )
    select 'frames', coalesce(sum((g.waiting ->> 'deliveries')::integer), 0)::integer, null::float8, null::integer, 0 from gateways g
    union all
    select 'newest', coalesce(sum((g.waiting ->> 'newest')::integer), 0)::integer, null, null, 0 from gateways g
    union all
    select 'deadlines', count(*)::integer, extract(epoch from tocsin_private.clock() - min(s.due_at))::float8, 120,
      (count(*) filter (where s.due_at <= tocsin_private.clock() - interval '2 minutes'))::integer
    from tocsin_private.rule_state s where s.due_at <= tocsin_private.clock()
    union all
    select 'notifications', count(*)::integer, extract(epoch from tocsin_private.clock() - min(n.notify_time))::float8, 120,
      (count(*) filter (where n.is_overdue))::integer from notifications n where not n.is_retry
    union all
    select 'retries', count(*)::integer, extract(epoch from tocsin_private.clock() - min(n.notify_time))::float8, 120,
      (count(*) filter (where n.is_overdue))::integer from notifications n where n.is_retry
    union all
    select 'invitations', count(*)::integer, extract(epoch from tocsin_private.clock() - min(i.requested_at))::float8, 120,
      (count(*) filter (where i.is_overdue))::integer from invitations i
    union all
    select 'commands', count(*)::integer, extract(epoch from tocsin_private.clock() - min(m.queued_on))::float8, null, 0
    from tocsin.reply_message m
    where m.delivered_on is null and m.cancelled_on is null and m.expires_on > tocsin_private.clock()
  $$;

-- Returns connections and frames by protocol, for all running gateways. A minute without frames has no row and counts
-- as 0.
create or replace function tocsin_private.system_protocols() returns setof tocsin.system_protocol
  language sql stable
  as $$
    select k.protocol,
      (select sum((g.load -> 'connections' ->> k.protocol)::integer)::integer from tocsin_private.present_processes() g
        where g.state not in ('missing', 'stopped')),
      (select coalesce(sum((g.load -> 'framesPerSecond' ->> k.protocol)::float8), 0) from tocsin_private.present_processes() g
        where g.state not in ('missing', 'stopped')),
      array(select coalesce(f.taken, 0)::integer
        from generate_series(date_trunc('minute', tocsin_private.lease_clock()) - interval '60 minutes',
          date_trunc('minute', tocsin_private.lease_clock()) - interval '1 minute', interval '1 minute') m (minute)
        left join tocsin_private.frame_minute f on f.minute = m.minute and f.protocol = k.protocol order by m.minute),
      (select coalesce(sum(f.refused), 0)::integer from tocsin_private.frame_minute f
        where f.protocol = k.protocol and f.minute >= date_trunc('minute', tocsin_private.lease_clock()) - interval '60 minutes')
    from (values ('http', 1), ('mqtt', 2), ('tcp', 3)) k (protocol, place) order by k.place
  $$;

-- Returns the state of the installation. Runs as tocsin_service, because requests have no access to the tables that it
-- reads. Therefore checks the caller itself.
set local role tocsin_service;
create or replace function tocsin_definer.system_status() returns tocsin.system_status
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    with present as materialized (select * from tocsin_private.present_processes())
    select tocsin_private.lease_clock(), split_part(current_setting('server_version'), ' ', 1),
      (select (i.value #>> '{}')::timestamptz from tocsin_private.installation i where i.name = 'external-heartbeat'),
      array(
        select row(p.uuid, p.name, p.state, p.version, p.roles,
          array(select c.value ->> 'problem' from jsonb_array_elements(p.checks) c where c.value ->> 'ok' = 'false'),
          p.started_at, p.heartbeat_at, p.silent_seconds, p.clock_offset_ms, (p.load ->> 'cpuPercent')::float8,
          (p.load ->> 'memoryBytes')::float8, (p.load ->> 'eventLoopDelayMs')::float8,
          (select coalesce(sum(f.value::float8), 0) from jsonb_each_text(p.load -> 'framesPerSecond') f))::tocsin.system_process
        from present p order by p.name),
      array(
        select row(p.load -> 'broker' ->> 'name', p.name, (p.load -> 'broker' ->> 'connected')::boolean,
          (p.load -> 'broker' ->> 'holder')::boolean, p.load -> 'broker' ->> 'problem')::tocsin.system_broker
        from present p where p.load -> 'broker' ->> 'name' is not null and p.state not in ('missing', 'stopped') order by p.name),
      array(select row(k.*)::tocsin.system_protocol from tocsin_private.system_protocols() k),
      array(select row(q.*)::tocsin.system_queue from tocsin_private.system_queues() q),
      -- The last database size that was recorded on each day.
      array(
        select row(d.hour, d.bytes, d.reading_bytes, d.free_bytes)::tocsin.system_size
        from (select distinct on (date_trunc('day', s.hour)) s.* from tocsin_private.database_size s
          order by date_trunc('day', s.hour), s.hour desc) d order by d.hour),
      array(
        select row(b.finished_at, b.ok, b.bytes, b.seconds, b.note)::tocsin.system_backup
        from (select * from tocsin_private.backup order by finished_at desc limit 5) b order by b.finished_at desc)
    where tocsin_private.is_owner()
  $$;
reset role;

-- Returns the state of the installation: processes, brokers, protocols, queues, sizes of the database and backups. Null
-- unless the caller is an owner.
create function tocsin.system_status() returns tocsin.system_status language sql stable
  as $$ select * from tocsin_definer.system_status() $$;
