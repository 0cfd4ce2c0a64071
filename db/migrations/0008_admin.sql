-- Why: managers configure everything in the console now. A data point knows when it was last changed, so that two people who
-- change it at once find out; and the answers of a few questions have names.
alter table tocsin.asset_datapoint add column updated_at timestamptz not null default tocsin_private.clock();

-- What goes when something is deleted, and what stays behind.
create type tocsin.deletion_effect as (noun text, rows integer, stays boolean);

-- Where and since when somebody is signed in.
create type tocsin.user_session as (created_at timestamptz, last_seen_at timestamptz, address text, user_agent text);

-- A way to reach people, and how it went of late.
create type tocsin.channel_state as (method_type integer, name text, title text, leaves_the_house boolean, sent_on timestamptz,
  failed_on timestamptz, problem text, queued integer);
