-- SMS budgets of customers and unit offices. Billed segments and the segments of queued SMS count towards a budget. The
-- count of a queued SMS is corrected when the provider responds. SMS in the outbox and SMS that no provider accepted do
-- not count.

-- Returns the segments of a notification that count towards a budget.
create or replace function tocsin_private.budget_segments(method smallint, state text, provider text, sent_at timestamptz, segments smallint)
  returns integer language sql immutable parallel safe
  as $$ select case when $1 = 3 and ($2 = 'queued' or tocsin_private.was_accepted($2, $3, $4)) then $5 else 0 end $$;

-- Adds segments and suppressed SMS to the usage of the day that contains `at`, for the customer and the unit office of
-- the site. The customer's row comes first, so that transactions of a customer lock the rows in the same order. Does
-- nothing if there is no budget.
create or replace function tocsin_private.add_sms_usage(customer_uuid uuid, site_uuid uuid, at timestamptz, segments integer, suppressed integer)
  returns void language sql
  as $$
    with office as (
      select g.uuid from tocsin.site s join tocsin.group g on g.uuid = s.tocsin_group5_uuid
      where s.uuid = $2 and s.tocsin_customer_uuid = $1 and coalesce(g.sms_day_budget, g.sms_month_budget) is not null
    ), account as (
      select c.uuid, 1 as place, c.time_zone from tocsin.customer c
      where c.uuid = $1 and (coalesce(c.sms_day_budget, c.sms_month_budget) is not null or exists (select from office))
      union all
      select o.uuid, 2, c.time_zone from office o join tocsin.customer c on c.uuid = $1
    )
    insert into tocsin_private.sms_usage as u (tocsin_customer_uuid, account_uuid, day, segments, suppressed)
    select $1, a.uuid, ($3 at time zone a.time_zone)::date, greatest(0, $4), $5 from account a order by a.place
    on conflict (account_uuid, day) do update set segments = greatest(0, u.segments + $4), suppressed = u.suppressed + $5
  $$;

-- Counts the segments of an SMS when it is queued, and corrects the count when the SMS changes.
create or replace function tocsin_private.count_sms() returns trigger language plpgsql
  as $$
declare
  change integer := tocsin_private.budget_segments(new.method_type, new.state, new.provider, new.sent_at, new.segments);
begin
  if tg_op = 'UPDATE' then
    change := change - tocsin_private.budget_segments(old.method_type, old.state, old.provider, old.sent_at, old.segments);
  end if;
  if change <> 0 then
    perform tocsin_private.add_sms_usage(new.tocsin_customer_uuid, new.tocsin_site_uuid, new.notify_time, change, 0);
  end if;
  return null;
end
$$;
create trigger count_sms after insert or update of state, provider, sent_at, segments on tocsin.notification for each row
  when (new.method_type = 3) execute function tocsin_private.count_sms();

-- True if a notification can no longer replace an SMS, because it failed or because three attempts to send it failed.
create or replace function tocsin_private.is_unsent(state text, attempts smallint) returns boolean language sql immutable parallel safe
  as $$ select $1 = 'failed' or $1 = 'queued' and $2 >= 3 $$;

-- Marks the suppressed SMS that an unsent notification was meant to replace, so that the engine sends the SMS after
-- all.
create or replace function tocsin_private.mark_suppressed_sms() returns trigger language plpgsql
  as $$
begin
  update tocsin_private.suppressed_sms s set failed_at = tocsin_private.clock()
  where s.tocsin_alarm_uuid = new.tocsin_alarm_uuid and new.once_key = any (s.replaced_by);
  return null;
end
$$;
create trigger mark_suppressed_sms after update of state on tocsin.notification for each row
  when (new.method_type <> 3 and tocsin_private.is_unsent(new.state, new.attempts) and new.once_key is not null and new.tocsin_alarm_uuid is not null)
  execute function tocsin_private.mark_suppressed_sms();

-- Locks the budgets of these customers until the transaction ends, in a fixed order. The next transaction that acquires
-- a lock sees every SMS that this transaction has queued.
create or replace function tocsin_private.lock_sms_budgets(customers uuid[]) returns void language plpgsql
  as $$
declare
  customer uuid;
begin
  for customer in select distinct c from unnest(customers) c order by c loop
    perform pg_advisory_xact_lock(hashtextextended('sms budget ' || customer, 0));
  end loop;
end
$$;

-- Returns the accounts with a budget, with today's date and the usage of the day and month. If `customers` is null,
-- returns the accounts of all customers.
create or replace function tocsin_private.sms_accounts(customers uuid[])
  returns table (customer_uuid uuid, account_uuid uuid, office text, day_budget integer, month_budget integer, today date,
    day_used integer, month_used integer, day_suppressed integer, month_suppressed integer) language sql stable
  as $$
    select a.customer, a.uuid, a.office, a.day_budget, a.month_budget, a.today, u.day_used, u.month_used, u.day_suppressed, u.month_suppressed
    from (
      select c.uuid as customer, c.uuid, null as office, c.sms_day_budget as day_budget, c.sms_month_budget as month_budget,
        (tocsin_private.clock() at time zone c.time_zone)::date as today
      from tocsin.customer c where ($1 is null or c.uuid = any ($1)) and c.status = 1 and coalesce(c.sms_day_budget, c.sms_month_budget) is not null
      union all
      select c.uuid, g.uuid, g.name, g.sms_day_budget, g.sms_month_budget, (tocsin_private.clock() at time zone c.time_zone)::date
      from tocsin.group g join tocsin.customer c on c.uuid = g.tocsin_customer_uuid
      where ($1 is null or c.uuid = any ($1)) and c.status = 1 and coalesce(g.sms_day_budget, g.sms_month_budget) is not null
    ) a
    cross join lateral (
      select coalesce(sum(s.segments) filter (where s.day = a.today), 0)::integer as day_used, coalesce(sum(s.segments), 0)::integer as month_used,
        coalesce(sum(s.suppressed) filter (where s.day = a.today), 0)::integer as day_suppressed,
        coalesce(sum(s.suppressed), 0)::integer as month_suppressed
      from tocsin_private.sms_usage s
      where s.account_uuid = a.uuid and s.day >= date_trunc('month', a.today)::date
        and s.day < (date_trunc('month', a.today) + interval '1 month')::date
    ) u
  $$;

set local role tocsin_service;
-- Recounts this month's SMS of a customer or unit office. SMS are not counted while there is no budget, so the first
-- budget of an account requires a recount. A new time zone also requires a recount, because days then start at
-- different times.
create or replace function tocsin_definer.recount_sms(customer_uuid uuid, office_uuid uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  zone text := (select c.time_zone from tocsin.customer c where c.uuid = customer_uuid);
  first_day date := date_trunc('month', tocsin_private.clock() at time zone zone)::date;
  since timestamptz := first_day::timestamp at time zone zone;
  account uuid := coalesce(office_uuid, customer_uuid);
begin
  -- Usage from the start of this month may be stored under the last day of the previous month, because the old time
  -- zone was behind the new time zone.
  update tocsin_private.sms_usage u set segments = 0 where u.account_uuid = account and u.day >= first_day - 1;
  insert into tocsin_private.sms_usage as u (tocsin_customer_uuid, account_uuid, day, segments)
  select customer_uuid, account, (n.notify_time at time zone zone)::date, sum(n.segments)::integer
  from (
    -- The conditions are in separate queries, so that each query reads only its partial index.
    select b.notify_time, b.tocsin_site_uuid, b.segments from tocsin.notification b
    where b.tocsin_customer_uuid = customer_uuid and b.notify_time >= since
      and b.method_type = 3 and (b.state in ('sent', 'delivered') or b.sent_at is not null) and b.provider <> 'outbox'
    union all
    select q.notify_time, q.tocsin_site_uuid, q.segments from tocsin.notification q
    where q.tocsin_customer_uuid = customer_uuid and q.notify_time >= since and q.method_type = 3 and q.state = 'queued' and q.sent_at is null
  ) n
  where office_uuid is null or n.tocsin_site_uuid in (select s.uuid from tocsin.site s where s.tocsin_group5_uuid = office_uuid)
  group by 3
  on conflict on constraint sms_usage_pkey do update set segments = excluded.segments;
end
$$;

create or replace function tocsin_definer.recount_sms_of_customer() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if coalesce(new.sms_day_budget, new.sms_month_budget) is not null then
    perform tocsin_definer.recount_sms(new.uuid, null);
  end if;
  if new.time_zone <> old.time_zone then
    perform tocsin_definer.recount_sms(new.uuid, g.uuid) from tocsin.group g
    where g.tocsin_customer_uuid = new.uuid and coalesce(g.sms_day_budget, g.sms_month_budget) is not null;
  end if;
  return null;
end
$$;

create or replace function tocsin_definer.recount_sms_of_office() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  perform tocsin_definer.recount_sms(new.tocsin_customer_uuid, new.uuid);
  return null;
end
$$;

create or replace function tocsin_definer.sms_accounts()
  returns table (account_uuid uuid, office text, day_budget integer, month_budget integer, today date, day_used integer, month_used integer,
    day_suppressed integer, month_suppressed integer) language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select a.account_uuid, a.office, a.day_budget, a.month_budget, a.today, a.day_used, a.month_used, a.day_suppressed, a.month_suppressed
    from tocsin_private.sms_accounts(array[tocsin_private.my_customer()]) a where tocsin_private.is_manager()
  $$;
reset role;

create trigger recount_sms after update of sms_day_budget, sms_month_budget, time_zone on tocsin.customer for each row
  when (new.time_zone <> old.time_zone or coalesce(old.sms_day_budget, old.sms_month_budget) is null
    and coalesce(new.sms_day_budget, new.sms_month_budget) is not null) execute function tocsin_definer.recount_sms_of_customer();
create trigger recount_sms after update of sms_day_budget, sms_month_budget on tocsin.group for each row
  when (coalesce(old.sms_day_budget, old.sms_month_budget) is null and coalesce(new.sms_day_budget, new.sms_month_budget) is not null)
  execute function tocsin_definer.recount_sms_of_office();

-- Returns the SMS budgets of the company and its unit offices, with the segments used today and this month. The company
-- comes first and has no unit office. A suppressed SMS was not sent because a budget was used up. Only for owners and
-- managers.
create function tocsin.sms_budgets()
  returns table (unit_office_uuid uuid, uo_name text, day_budget integer, month_budget integer, today text, day_used integer,
    month_used integer, day_suppressed integer, month_suppressed integer) language sql stable
  as $$
    select case when a.office is not null then a.account_uuid end, a.office, a.day_budget, a.month_budget, a.today::text, a.day_used,
      a.month_used, a.day_suppressed, a.month_suppressed
    from tocsin_definer.sms_accounts() a order by a.office nulls first, a.account_uuid
  $$;
