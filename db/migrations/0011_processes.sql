-- The processes of this installation, system alarms about them, and backups.
--
-- One row for each start of a process. Times are the database's (tocsin_private.lease_clock()), because the clocks of several
-- machines differ.
create table tocsin_private.process (
  uuid uuid primary key,
  -- TOCSIN_PROCESS_NAME, or host name and port. It is the same after a restart.
  name text not null,
  version text not null,
  -- The newest migration that this process knows.
  schema_version text not null,
  roles text[] not null,
  -- Address of its HTTP server; empty until it listens.
  http_address text not null default '',
  state text not null default 'starting'
    constraint process_state_check check (state in ('starting', 'ready', 'draining', 'stopped')),
  started_at timestamptz not null,
  -- The last heartbeat. A clean stop writes it a last time.
  heartbeat_at timestamptz not null,
  -- Milliseconds by which product time in this process is ahead of the database's clock.
  clock_offset_ms integer not null default 0,
  -- True while this process does no clock-driven work because its clock differs from that of other processes.
  is_clock_apart boolean not null default false,
  -- The checks of /readyz: [{"name", "ok", "problem", "failingSeconds"}].
  checks jsonb not null default '[]',
  -- Figures since the heartbeat before: see ProcessLoad in server/process/load.ts.
  load jsonb not null default '{}'
);
create index process_name_idx on tocsin_private.process (name, started_at desc);

-- A fault of the installation itself. It concerns no site, and owners are notified. Times are product time.
create table tocsin_private.system_alarm (
  uuid uuid primary key default gen_random_uuid(),
  kind text not null constraint system_alarm_kind_check
    check (kind in ('process', 'gateway', 'delivery', 'broker', 'sender', 'disk', 'clock', 'backup')),
  -- The process, sender or broker, if there can be several.
  subject text not null default '',
  sentence text not null,
  opened_at timestamptz not null,
  -- When the fault was last seen to be gone; null while it lasts. The alarm ends if it stays gone.
  absent_since timestamptz,
  ended_at timestamptz
);
create unique index system_alarm_open_key on tocsin_private.system_alarm (kind, subject) where ended_at is null;
create index system_alarm_opened_idx on tocsin_private.system_alarm (opened_at desc);

-- Backups that the administrator's job reported with `npm run backup-done`.
create table tocsin_private.backup (
  uuid uuid primary key default gen_random_uuid(),
  finished_at timestamptz not null,
  ok boolean not null,
  -- Null if the job did not report them.
  bytes bigint constraint backup_bytes_check check (bytes >= 0),
  seconds integer constraint backup_seconds_check check (seconds >= 0),
  note text not null default ''
);
create index backup_finished_idx on tocsin_private.backup (finished_at desc);

-- API result: a system alarm as owners see it.
create type tocsin.system_alarm as (uuid uuid, kind text, subject text, sentence text, opened_on timestamptz, ended_on timestamptz);

-- Notifications about system alarms.
alter table tocsin.notification drop constraint notification_kind_check;
alter table tocsin.notification add constraint notification_kind_check
  check (kind in ('alarm', 'resolve', 'escalation', 'health', 'action', 'other', 'system'));
