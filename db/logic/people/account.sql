-- Invitations and sessions. The functions run as tocsin_service, because requests have no access to these tables, and
-- therefore check the caller themselves. Managers may act on users with a higher level number; some functions also
-- allow the user's own account.
set local role tocsin_service;
create or replace function tocsin_definer.reaches(user_uuid uuid, themself boolean) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  return exists (select from tocsin.user u where u.uuid = user_uuid and u.tocsin_customer_uuid = tocsin_private.my_customer()
    and (themself and u.uuid = tocsin_private.me() or tocsin_private.is_manager() and u.level > tocsin_private.my_level()));
end
$$;
-- Sends another invitation. A user who already has a password receives a reset link and keeps the password until the
-- link is used.
create or replace function tocsin_definer.invite_again(user_uuid uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if not tocsin_definer.reaches(user_uuid, false) then perform tocsin_private.refuse_missing(); end if;
  if not (select u.status from tocsin.user u where u.uuid = user_uuid) then
    perform tocsin_private.refuse('uuid', 'This account is disabled. Enable it first.');
  end if;
  -- Sending an invitation deletes the pending row and creates a code row, so both tables are checked.
  if exists (select from tocsin_private.pending_invitation p where p.user_uuid = invite_again.user_uuid
      and p.requested_at > tocsin_private.clock() - interval '1 minute')
    or exists (select from tocsin_private.one_time_code c where c.user_uuid = invite_again.user_uuid and c.purpose = 'invitation'
      and c.created_at > tocsin_private.clock() - interval '1 minute') then
    perform tocsin_private.refuse('uuid', 'A link was sent less than a minute ago. Wait for the e-mail. Without a mail server, the link is in the outbox.');
  end if;
  insert into tocsin_private.pending_invitation (user_uuid, requested_at, next_attempt_at)
  values (user_uuid, tocsin_private.clock(), tocsin_private.lease_clock())
  on conflict on constraint pending_invitation_pkey do update
    set requested_at = excluded.requested_at, next_attempt_at = excluded.next_attempt_at, attempts = 0, problem = '';
  perform tocsin_private.record_request('password_link', user_uuid, tocsin_definer.my_name(), null);
end
$$;
create or replace function tocsin_definer.sessions_of(user_uuid uuid) returns setof tocsin.user_session
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if not tocsin_definer.reaches(user_uuid, true) then perform tocsin_private.refuse_missing(); end if;
  return query select s.created_at, s.last_seen_at, s.address, s.user_agent
  from tocsin_private.session s where s.user_uuid = sessions_of.user_uuid and s.expires_at > tocsin_private.clock()
  order by s.last_seen_at desc;
end
$$;
create or replace function tocsin_definer.end_sessions(user_uuid uuid) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  ended integer;
begin
  if not tocsin_definer.reaches(user_uuid, true) then perform tocsin_private.refuse_missing(); end if;
  delete from tocsin_private.session s where s.user_uuid = end_sessions.user_uuid;
  get diagnostics ended = row_count;
  if ended > 0 then
    perform tocsin_private.record_access('sign_out', end_sessions.user_uuid,
      jsonb_build_object('ended_by', tocsin_definer.my_name(), 'sessions', ended));
  end if;
  return ended;
end
$$;
reset role;

create function tocsin.resend_invitation(tocsin_user_uuid uuid) returns boolean language sql volatile strict
  as $$ select true from (select tocsin_definer.invite_again($1)) done $$;
create function tocsin.user_sessions(tocsin_user_uuid uuid) returns setof tocsin.user_session language sql stable strict
  as $$ select * from tocsin_definer.sessions_of($1) $$;
create function tocsin.end_user_sessions(tocsin_user_uuid uuid) returns integer language sql volatile strict
  as $$ select tocsin_definer.end_sessions($1) $$;
