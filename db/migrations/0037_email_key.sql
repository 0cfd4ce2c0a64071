-- Why: lower() depends on the locale of the database and differs from JavaScript (İ), so two spellings of an address that reached
-- one account had two counters of failed sign-ins. Addresses are now compared by email_key, which only maps A to Z.
create function tocsin_private.email_key(email text) returns text language sql immutable strict parallel safe
  as $$ select lower($1 collate "C") $$;

-- Only in a Turkish or Azeri locale can two stored addresses get the same key: there lower('I') is not 'i'.
alter table tocsin.user no force row level security;
do $$
declare
  doubled text;
begin
  select string_agg(u.email, ', ') into doubled from tocsin.user u
  where exists (select from tocsin.user o where o.tocsin_customer_uuid = u.tocsin_customer_uuid and o.uuid <> u.uuid
    and tocsin_private.email_key(o.email) = tocsin_private.email_key(u.email));
  if doubled is not null then
    raise exception 'These e-mail addresses differ only in upper and lower case: %. Change one of each pair with the previous version, then upgrade.', doubled;
  end if;
end
$$;
alter table tocsin.user force row level security;

drop index tocsin.user_email_key;
create unique index user_email_key on tocsin.user (tocsin_customer_uuid, tocsin_private.email_key(email));
