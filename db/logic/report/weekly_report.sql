-- Owners and managers subscribe to the weekly alarm performance report for themselves. server/engine/weekly-report.ts sends it.
set local role tocsin_service;
create or replace function tocsin_definer.my_weekly_report() returns tocsin.weekly_report
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select s.weekday::integer, s.hour::integer, u.email::text
    from tocsin_private.report_subscription s join tocsin.user u on u.uuid = s.tocsin_user_uuid
    where s.tocsin_user_uuid = tocsin_private.me() and s.tocsin_customer_uuid = tocsin_private.my_customer()
  $$;

-- Reports that were due before this call are not sent.
create or replace function tocsin_definer.set_weekly_report(weekday integer, hour integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if not tocsin_private.is_manager() then
    raise exception 'Only owners and managers can get this report by e-mail.' using errcode = '42501';
  end if;
  if $1 is null or $1 not between 1 and 7 then
    perform tocsin_private.refuse('weekday', 'Choose the weekday of the report, from 1 (Monday) to 7 (Sunday).');
  end if;
  if $2 is null or $2 not between 0 and 23 then
    perform tocsin_private.refuse('hour', 'Choose a whole hour from 0 to 23.');
  end if;
  insert into tocsin_private.report_subscription as s (tocsin_user_uuid, tocsin_customer_uuid, weekday, hour, sent_until)
  values (tocsin_private.me(), tocsin_private.my_customer(), $1, $2, tocsin_private.clock())
  on conflict (tocsin_user_uuid) do update set weekday = excluded.weekday, hour = excluded.hour, sent_until = excluded.sent_until
  where (s.weekday, s.hour) <> (excluded.weekday, excluded.hour);
end
$$;

create or replace function tocsin_definer.end_weekly_report() returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from tocsin_private.report_subscription s
  where s.tocsin_user_uuid = tocsin_private.me() and s.tocsin_customer_uuid = tocsin_private.my_customer();
  return found;
end
$$;
grant execute on function tocsin_definer.my_weekly_report(), tocsin_definer.set_weekly_report(integer, integer),
  tocsin_definer.end_weekly_report() to tocsin_request;
reset role;

-- Returns the weekday (1 is Monday), the hour in the customer's time zone and the address of the user's weekly report;
-- null if the user has none.
create function tocsin.my_weekly_report() returns tocsin.weekly_report language sql stable
  as $$ select (w).* from tocsin_definer.my_weekly_report() w where w is not null $$;

-- Subscribes the user to a weekly e-mail with the alarm performance report of the last seven days, sent to the user's
-- own address. Owners and managers only.
create function tocsin.set_weekly_report(weekday integer, hour integer) returns tocsin.weekly_report language plpgsql volatile
  as $$
begin
  perform tocsin_definer.set_weekly_report($1, $2);
  return tocsin_definer.my_weekly_report();
end
$$;

-- Stops the weekly report of the user. Returns false if there was none.
create function tocsin.end_weekly_report() returns boolean language plpgsql volatile
  as $$ begin return tocsin_definer.end_weekly_report(); end $$;
