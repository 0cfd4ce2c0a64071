-- Attempts to sign in and to use or request codes, counted for all processes (server/auth/limits.ts).
create table tocsin_private.attempts (
  kind text not null,
  -- The keyed hash of an account, an address or a known device. The text itself is not stored.
  key bytea not null constraint attempts_key_check check (octet_length(key) = 32),
  count integer not null default 0,
  wait_until timestamptz,
  ends_at timestamptz,
  running uuid[] not null default '{}',
  running_until timestamptz,
  constraint attempts_pkey primary key (kind, key)
);
create index attempts_ends_idx on tocsin_private.attempts (kind, ends_at);
