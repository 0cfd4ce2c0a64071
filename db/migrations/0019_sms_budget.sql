-- oldest program: 0015_clock_offset.sql
-- SMS budgets in billed segments, by day and month in the customer's time zone. Null means no limit.
alter table tocsin.customer
  add column sms_day_budget integer constraint customer_sms_day_budget_check check (sms_day_budget between 1 and 1000000),
  add column sms_month_budget integer constraint customer_sms_month_budget_check check (sms_month_budget between 1 and 1000000),
  add constraint customer_sms_budget_order_check check (sms_day_budget <= sms_month_budget);
alter table tocsin.group
  add column sms_day_budget integer constraint group_sms_day_budget_check check (sms_day_budget between 1 and 1000000),
  add column sms_month_budget integer constraint group_sms_month_budget_check check (sms_month_budget between 1 and 1000000),
  add constraint group_sms_budget_order_check check (sms_day_budget <= sms_month_budget),
  add constraint group_sms_budget_level_check check (level = 5 or sms_day_budget is null and sms_month_budget is null);

-- Segments of queued and billed SMS by local day. Kept only for customers and unit offices with a budget.
create table tocsin_private.sms_usage (
  tocsin_customer_uuid uuid not null
    constraint sms_usage_customer_fkey references tocsin.customer (uuid) on delete cascade,
  -- uuid of the customer or of the unit office.
  account_uuid uuid not null,
  day date not null,
  segments integer not null default 0,
  -- SMS that were not sent because a budget was used up.
  suppressed integer not null default 0,
  primary key (account_uuid, day)
);
create index sms_usage_customer_idx on tocsin_private.sms_usage (tocsin_customer_uuid, day);

-- The owners were warned that a budget is nearly used up in this period.
create table tocsin_private.sms_budget_warning (
  tocsin_customer_uuid uuid not null
    constraint sms_budget_warning_customer_fkey references tocsin.customer (uuid) on delete cascade,
  account_uuid uuid not null,
  period text not null constraint sms_budget_warning_period_check check (period in ('day', 'month')),
  first_day date not null,
  primary key (account_uuid, period, first_day)
);
create index sms_budget_warning_customer_idx on tocsin_private.sms_budget_warning (tocsin_customer_uuid);

-- SMS that a budget suppressed in the last two days. An SMS is sent after all if every notification that replaces it fails.
create table tocsin_private.suppressed_sms (
  once_key text primary key,
  tocsin_customer_uuid uuid not null,
  tocsin_alarm_uuid uuid not null,
  tocsin_user_uuid uuid not null,
  -- notification.once_key of the notifications that replace the SMS.
  replaced_by text[] not null,
  draft jsonb not null,
  created_at timestamptz not null,
  -- When one of them failed; null while nothing is to be done.
  failed_at timestamptz,
  constraint suppressed_sms_alarm_fkey foreign key (tocsin_customer_uuid, tocsin_alarm_uuid)
    references tocsin.alarm (tocsin_customer_uuid, uuid) on delete cascade,
  constraint suppressed_sms_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete cascade
);
create index suppressed_sms_alarm_idx on tocsin_private.suppressed_sms (tocsin_alarm_uuid);
create index suppressed_sms_user_idx on tocsin_private.suppressed_sms (tocsin_user_uuid);
create index suppressed_sms_created_idx on tocsin_private.suppressed_sms (created_at);
create index suppressed_sms_failed_idx on tocsin_private.suppressed_sms (failed_at) where failed_at is not null;
