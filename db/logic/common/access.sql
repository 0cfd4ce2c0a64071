-- Removes all policies, grants and triggers of earlier versions, and all API functions, because the logic files create
-- them again. Then defines the functions that all policies use.
do $$
declare
  item record;
begin
  for item in
    select schemaname, tablename, policyname from pg_policies
    where schemaname in ('tocsin', 'tocsin_private') and roles && array['tocsin_request', 'tocsin_service']::name[]
  loop
    execute format('drop policy %I on %I.%I', item.policyname, item.schemaname, item.tablename);
  end loop;
  for item in
    select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and not c.relispartition
  loop
    execute format('revoke all on %I.%I from tocsin_request, tocsin_service', item.nspname, item.relname);
  end loop;
  for item in
    select n.nspname, c.relname, t.tgname from pg_trigger t
    join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('tocsin', 'tocsin_private') and not t.tgisinternal and t.tgparentid = 0
  loop
    execute format('drop trigger %I on %I.%I', item.tgname, item.nspname, item.relname);
  end loop;
  -- Drops all API functions, so that the logic files can create them again with different signatures.
  for item in
    select p.oid::regprocedure as signature from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'tocsin'
  loop
    execute format('drop function %s', item.signature);
  end loop;
end
$$;

-- The migrator creates triggers that call functions of this schema, so it needs access to the schema.
set local role tocsin_service;
grant usage on schema tocsin_definer to session_user;
reset role;

-- Revokes the default EXECUTE privilege of PUBLIC on new functions. zz_2_every_table.sql does the same for existing
-- functions.
alter default privileges revoke execute on functions from public;

-- The following functions return the user and customer of the request, from the settings of the transaction. A missing
-- setting is null, and null matches no policy.
create or replace function tocsin_private.me() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('tocsin.user_uuid', true), '')::uuid $$;

create or replace function tocsin_private.my_customer() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('tocsin.customer_uuid', true), '')::uuid $$;

create or replace function tocsin_private.my_zone() returns text language sql stable parallel safe
  as $$ select c.time_zone from tocsin.customer c where c.uuid = tocsin_private.my_customer() $$;

-- Formats a time in the customer's time zone, such as 2026-03-02 09:00. Uses UTC if there is no customer.
create or replace function tocsin_private.local_time(at timestamptz) returns text language sql stable
  as $$
    select coalesce(to_char($1 at time zone tocsin_private.my_zone(), 'YYYY-MM-DD HH24:MI'),
      to_char($1 at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'))
  $$;

create or replace function tocsin_private.my_level() returns integer language sql stable parallel safe
  as $$ select nullif(current_setting('tocsin.level', true), '')::integer $$;

create or replace function tocsin_private.is_partner_account() returns boolean language sql stable parallel safe
  as $$ select coalesce(nullif(current_setting('tocsin.partner_account', true), '')::boolean, false) $$;

-- True for levels 0 to 9, except partner accounts.
create or replace function tocsin_private.is_manager() returns boolean language sql stable parallel safe
  as $$ select coalesce(tocsin_private.my_level() < 10 and not tocsin_private.is_partner_account(), false) $$;

create or replace function tocsin_private.is_owner() returns boolean language sql stable parallel safe
  as $$ select coalesce(tocsin_private.my_level() = 0 and not tocsin_private.is_partner_account(), false) $$;

-- True for managers and partner accounts, who maintain sites and sensors.
create or replace function tocsin_private.is_maintainer() returns boolean language sql stable parallel safe
  as $$ select coalesce(tocsin_private.my_level() < 10, false) $$;

-- Returns the sites that an operator is linked to. Empty for managers, who have other policies, and for partner
-- accounts. PL/pgSQL caches the plan; an SQL function would be planned in every call.
create or replace function tocsin_private.my_sites() returns uuid[] language plpgsql stable parallel safe
  as $$
begin
  if coalesce(tocsin_private.my_level() < 10 or tocsin_private.is_partner_account(), true) then
    return '{}';
  end if;
  return coalesce((select array_agg(l.tocsin_site_uuid) from tocsin.site_user l where l.tocsin_user_uuid = tocsin_private.me()), '{}');
end
$$;

-- Returns the channel key of a data point, or null if the caller is not allowed to see the data point. Functions that
-- read readings as tocsin_service use this function to check the caller.
create or replace function tocsin_private.visible_channel(datapoint uuid) returns integer language plpgsql stable
  as $$
begin
  return (select c.key
    from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
    join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
    where d.uuid = datapoint and d.tocsin_customer_uuid = tocsin_private.my_customer()
      and (tocsin_private.is_manager() or a.tocsin_site_uuid = any (tocsin_private.my_sites())));
end
$$;

-- Raises a client error (4xx) with a message and the name of the field.
create or replace function tocsin_private.refuse(field text, sentence text) returns void language plpgsql
  as $$ begin raise exception using errcode = 'TC400', message = sentence, column = field; end $$;

-- Refuses a value that is not one of the choices. Null is allowed and means all choices.
create or replace function tocsin_private.check_choice(field text, chosen text, choices text[]) returns boolean
  language plpgsql stable parallel safe
  as $$
begin
  if chosen is not null and chosen <> all (choices) then
    perform tocsin_private.refuse(field, format('Choose %s or %s.',
      array_to_string(choices[:cardinality(choices) - 1], ', '), choices[cardinality(choices)]));
  end if;
  return true;
end
$$;

-- Refuses a range that ends before it starts. A null bound means that the range is open on that side.
create or replace function tocsin_private.check_order(range_from timestamptz, range_to timestamptz) returns boolean
  language plpgsql stable parallel safe
  as $$
begin
  if range_to <= range_from then perform tocsin_private.refuse('range_to', '@range-order'); end if;
  return true;
end
$$;

-- Refuses a negative count.
create or replace function tocsin_private.check_count(field text, wanted integer) returns integer language plpgsql stable parallel safe
  as $$
begin
  if wanted < 0 then perform tocsin_private.refuse(field, format('"%s" must be a whole number, 0 or more.', field)); end if;
  return wanted;
end
$$;

-- Clamps a number to smallint, so that the check constraint of the column reports the allowed range.
create or replace function tocsin_private.clamp_smallint(number integer) returns smallint language sql immutable parallel safe
  as $$ select greatest(-32768, least($1, 32767))::smallint $$;

create or replace function tocsin_private.refuse_missing() returns void language plpgsql
  as $$ begin raise exception using errcode = 'TC404', message = 'The record was deleted, or you are not allowed to change it.'; end $$;

-- Returns the display name of the current user, for the audit trail and timelines. Runs as tocsin_service, because the
-- request may not be allowed to see the user's own row.
set local role tocsin_service;
create or replace function tocsin_definer.my_name() returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$ begin return coalesce((select u.display_name from tocsin.user u where u.uuid = tocsin_private.me()), 'Tocsin'); end $$;
reset role;
