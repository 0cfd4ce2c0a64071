-- Users who can see a channel can see its readings. Users who can see a site can see its health slots.
grant select (channel_key, device_time, server_time, value) on tocsin.reading to tocsin_request;
create policy read_of_channel on tocsin.reading for select to tocsin_request using (
  not (select tocsin_private.is_partner_account())
  and exists (select from tocsin.sensor_channel c where c.key = channel_key));

grant select (tocsin_site_uuid, tocsin_customer_uuid, slot_start) on tocsin.health_slot to tocsin_request;
create policy read_of_site on tocsin.health_slot for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and not (select tocsin_private.is_partner_account())
  and exists (select from tocsin.site s where s.uuid = tocsin_site_uuid));

-- Creates the missing weekly partitions of a time range, from Monday to Monday in UTC. A partition has row level
-- security without policies, so requests can only reach it through its parent. tocsin_service owns the partition, so
-- that it may use COPY. Called by the login role.
create or replace procedure tocsin_private.ensure_partitions(first timestamptz, last timestamptz) language plpgsql
  as $$
declare
  week timestamp := date_trunc('week', first at time zone 'UTC');
  parent text;
  partition_name text;
begin
  while week <= last at time zone 'UTC' loop
    foreach parent in array array['reading', 'incoming_sensor_log', 'rollup_minute'] loop
      partition_name := parent || '_' || to_char(week, 'IYYY"w"IW');
      continue when exists (select from pg_class c where c.relname = partition_name and c.relnamespace = 'tocsin'::regnamespace);
      -- The lock prevents two processes from creating the same partition.
      perform pg_advisory_xact_lock(hashtextextended('tocsin_private.ensure_partitions', 0));
      continue when exists (select from pg_class c where c.relname = partition_name and c.relnamespace = 'tocsin'::regnamespace);
      execute format('create table tocsin.%I partition of tocsin.%I for values from (%L) to (%L)',
        partition_name, parent, week at time zone 'UTC', (week + interval '7 days') at time zone 'UTC');
      execute format('alter table tocsin.%I enable row level security', partition_name);
      grant create on schema tocsin to tocsin_service;
      execute format('alter table tocsin.%I owner to tocsin_service', partition_name);
      revoke create on schema tocsin from tocsin_service;
    end loop;
    week := week + interval '7 days';
  end loop;
end
$$;

-- Returns the partitions of a table with their time ranges, oldest first.
create or replace function tocsin_private.partitions_of(parent text) returns table (name text, first timestamptz, last timestamptz)
  language sql stable
  as $$
    select c.relname, (bounds.ends)[1]::timestamptz, (bounds.ends)[2]::timestamptz
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral (
      select regexp_match(pg_get_expr(c.relpartbound, c.oid), $re$FROM \('([^']+)'\) TO \('([^']+)'\)$re$) as ends) bounds
    where i.inhparent = ('tocsin.' || quote_ident(parent))::regclass
    order by 2
  $$;
