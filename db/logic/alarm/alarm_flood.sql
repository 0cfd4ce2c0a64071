-- Alarm floods. The server starts a flood when it opens alarms; the engine ends it. Managers see all floods of the
-- customer; operators see those of their sites and of the unit offices of these sites.
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_group_uuid, place_name, began_at, ends_at, ended_at, last_alarm_at,
  alarms, tocsin_alarm_uuid, first_message, first_site_name) on tocsin.alarm_flood to tocsin_request;
create policy read on tocsin.alarm_flood for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and ((select tocsin_private.is_manager()) or tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])
    or exists (select from tocsin.site s where s.tocsin_group5_uuid = alarm_flood.tocsin_group_uuid
      and s.uuid = any ((select tocsin_private.my_sites())::uuid[]))));

-- Returns the number of the lock for a place. Places share 1,024 locks, because PostgreSQL's lock table is small.
create or replace function tocsin_private.flood_lock_of(place uuid) returns integer language sql immutable parallel safe
  as $$ select abs(hashtext($1::text) % 1024) $$;

-- Locks the places of these sites until the transaction ends, so that only one transaction at a time counts the alarms
-- of a place. A place is a unit office, or a site that has none. Returns the active flood and the newest alarms of the
-- last ten minutes, oldest first, for each place. Call this once per transaction, before alarms are inserted, because
-- locks must be taken in a fixed order.
create or replace function tocsin_private.lock_flood_places(sites uuid[], at timestamptz)
  returns table (customer_uuid uuid, site_uuid uuid, group_uuid uuid, place_name text, site_uuids uuid[], flood_end smallint,
    flood tocsin.alarm_flood, previous_alarm_at timestamptz, recent jsonb) language plpgsql
  as $$
declare
  number integer;
begin
  for number in select distinct tocsin_private.flood_lock_of(coalesce(s.tocsin_group5_uuid, s.uuid)) n from tocsin.site s
    where s.uuid = any (sites) order by n
  loop
    perform pg_advisory_xact_lock(hashtext('alarm flood'), number);
  end loop;
  return query
    select p.customer, p.site, p.office, coalesce(g.name, s.name), p.sites, c.flood_end_alarms,
      (select f from tocsin.alarm_flood f where f.ended_at is null and (f.tocsin_site_uuid = p.site or f.tocsin_group_uuid = p.office)
        order by f.began_at desc limit 1),
      (select max(o.last_alarm_at) from tocsin.alarm_flood o
        where o.ended_at is not null and (o.tocsin_site_uuid = p.site or o.tocsin_group_uuid = p.office)),
      (select jsonb_agg(jsonb_build_object('uuid', n.uuid, 'at', round(extract(epoch from n.created_at) * 1000))
          order by n.created_at, n.date_time, n.uuid)
        from (
          select a.* from tocsin.site m cross join lateral (
            select a.uuid, a.created_at, a.date_time from tocsin.alarm a
            where a.tocsin_site_uuid = m.uuid and a.opened_quiet is null and a.created_at > lock_flood_places.at - interval '10 minutes'
            order by a.created_at desc limit 10
          ) a
          where m.uuid = p.site or m.tocsin_group5_uuid = p.office
          order by a.created_at desc, a.date_time desc, a.uuid desc limit 10
        ) n)
    from (
      select s.tocsin_customer_uuid as customer, case when s.tocsin_group5_uuid is null then s.uuid end as site, s.tocsin_group5_uuid as office,
        array_agg(s.uuid) as sites
      from tocsin.site s where s.uuid = any (lock_flood_places.sites) group by 1, 2, 3
    ) p
    join tocsin.customer c on c.uuid = p.customer
    left join tocsin.site s on s.uuid = p.site left join tocsin.group g on g.uuid = p.office;
end
$$;

-- Returns the active floods, oldest first.
create function tocsin.active_alarm_floods() returns setof tocsin.alarm_flood language sql stable
  as $$
    select f.* from tocsin.alarm_flood f where f.ended_at is null and f.ends_at > tocsin_private.clock() order by f.began_at, f.uuid
  $$;

-- Returns the alarms of a flood: all alarms of its place from the first-out alarm to the last alarm, except those that
-- were quiet when they opened.
create or replace function tocsin_private.alarms_of_flood(flood_uuid uuid) returns setof uuid language sql stable
  as $$
    select a.uuid from tocsin.alarm_flood f
      join tocsin.site s on s.uuid = f.tocsin_site_uuid or s.tocsin_group5_uuid = f.tocsin_group_uuid
      join tocsin.alarm a on a.tocsin_site_uuid = s.uuid and a.opened_quiet is null and a.created_at between f.began_at and f.last_alarm_at
    where f.uuid = $1
  $$;

set local role tocsin_service;
-- Returns the digest notifications that reported an alarm, without text and address. Runs as tocsin_service, because a
-- digest belongs to the site of its first alarm, which the user might not be allowed to see. Row level security would
-- also prevent the use of the index.
create or replace function tocsin_definer.digests_of_alarm(alarm_uuid uuid)
  returns table (uuid uuid, recipient text, method_type smallint, state text, provider text, attempts smallint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  parts uuid[] := array(select (e.detail ->> 'digest')::uuid from tocsin.alarm_event e
    where e.tocsin_alarm_uuid = alarm_uuid and e.kind = 'digest' and e.tocsin_customer_uuid = tocsin_private.my_customer());
begin
  if parts = '{}' then return; end if;
  return query
    select n.uuid, coalesce(n.tocsin_user_uuid::text, n.recipient_name), n.method_type, n.state, n.provider, n.attempts
    from tocsin.notification n where n.digest_uuids && parts and n.tocsin_customer_uuid = tocsin_private.my_customer();
end
$$;

create or replace function tocsin_definer.waits_for_digest(alarm_uuid uuid) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from tocsin_private.digest_entry e
      where e.tocsin_alarm_uuid = $1 and e.tocsin_customer_uuid = tocsin_private.my_customer())
  $$;

-- Returns the uuids of the alarms that a digest reported. Row level security applies when the caller reads these
-- alarms.
create or replace function tocsin_definer.alarms_of_digest(notification_uuid uuid) returns setof uuid
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select e.tocsin_alarm_uuid from tocsin.notification n cross join unnest(n.digest_uuids) p (part)
      join tocsin.alarm_event e on e.tocsin_customer_uuid = n.tocsin_customer_uuid and e.kind = 'digest' and e.detail ->> 'digest' = p.part::text
    where n.uuid = $1 and n.tocsin_customer_uuid = tocsin_private.my_customer()
  $$;
reset role;

-- Returns the digests that reported the alarm, oldest first.
create function tocsin.alarm_digests(alarm tocsin.alarm) returns setof tocsin.notification language sql stable
  as $$
    select n.* from tocsin.notification n where n.uuid in (select d.uuid from tocsin_definer.digests_of_alarm(alarm.uuid) d)
    order by n.sequence_number
  $$;
-- The API offers no filter for the digests of an alarm, because filtering would read the digests of every alarm.
comment on function tocsin.alarm_digests(tocsin.alarm) is '@behavior -filterProc';

-- Returns the notifications about an alarm: its own except confirmations of answers, and the digests that reported it.
create or replace function tocsin_private.notifications_of_alarm(alarm_uuid uuid)
  returns table (recipient text, method_type smallint, state text, provider text, attempts smallint) language sql stable
  as $$
    select coalesce(n.tocsin_user_uuid::text, n.recipient_name), n.method_type, n.state, n.provider, n.attempts
    from tocsin.notification n where n.tocsin_alarm_uuid = $1 and n.kind not in ('digest', 'confirmation')
    union all
    select d.recipient, d.method_type, d.state, d.provider, d.attempts from tocsin_definer.digests_of_alarm($1) d
  $$;
