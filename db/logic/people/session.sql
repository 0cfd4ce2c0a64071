-- Returns the user of a session token. Returns no row if the session has ended, or if its user or customer is disabled.
-- The server calls this function before the first transaction of a request, as a separate statement. Runs as
-- tocsin_service, because the user is not known yet.
set local role tocsin_service;
create or replace function tocsin_definer.find_session(token_hash bytea, moment timestamptz, idle_ms double precision, seen_ms double precision)
  returns table (uuid uuid, customer_uuid uuid, level integer, partner_account boolean)
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  seen timestamptz;
begin
  select u.uuid, u.tocsin_customer_uuid, u.level, u.tocsin_partner_account, s.last_seen_at
  into find_session.uuid, find_session.customer_uuid, find_session.level, find_session.partner_account, seen
  from tocsin_private.session s
  join tocsin.user u on u.uuid = s.user_uuid
  join tocsin.customer c on c.uuid = u.tocsin_customer_uuid
  where s.token_hash = find_session.token_hash and s.expires_at > moment
    and s.last_seen_at > moment - idle_ms * interval '1 millisecond' and u.status and c.status = 1;
  if not found then
    return;
  end if;
  -- Updates last_seen_at of the session only at intervals, not on every request.
  if moment - seen >= seen_ms * interval '1 millisecond' then
    update tocsin_private.session s set last_seen_at = moment where s.token_hash = find_session.token_hash;
  end if;
  return next;
end
$$;
-- Returns the session's user at the start of a transaction. Raises an error if there is no session, so that the later
-- statements of the transaction fail.
create or replace function tocsin_definer.require_session(token_hash bytea, moment timestamptz, idle_ms double precision, seen_ms double precision)
  returns table (uuid uuid, customer_uuid uuid, level integer, partner_account boolean)
  language plpgsql volatile set search_path = pg_catalog, pg_temp
  as $$
begin
  return query select * from tocsin_definer.find_session(token_hash, moment, idle_ms, seen_ms);
  if not found then
    raise exception 'There is no such session.' using errcode = 'TC401';
  end if;
end
$$;
reset role;
