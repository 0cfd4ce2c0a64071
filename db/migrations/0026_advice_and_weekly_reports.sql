-- oldest program: 0015_clock_offset.sql
-- A manager does not want the advice for a rule, until the settings of the rule or its nuisance alarms change.
create table tocsin_private.advice_dismissal (
  rule_uuid uuid primary key,
  tocsin_customer_uuid uuid not null
    constraint advice_dismissal_customer_fkey references tocsin.customer (uuid) on delete cascade,
  note text not null constraint advice_dismissal_note_check check (length(note) between 1 and 500),
  -- Limits, clear limits and debounce of the rule, and its nuisance alarms of the last 90 days, at the time of the dismissal.
  settings jsonb not null,
  nuisance integer not null,
  -- Who dismissed it.
  user_name text not null,
  created_at timestamptz not null,
  constraint advice_dismissal_rule_fkey foreign key (tocsin_customer_uuid, rule_uuid)
    references tocsin.rule (tocsin_customer_uuid, uuid) on delete cascade
);
create index advice_dismissal_customer_idx on tocsin_private.advice_dismissal (tocsin_customer_uuid, rule_uuid);

-- People who get the alarm performance report of the last seven days by e-mail, weekly.
create table tocsin_private.report_subscription (
  tocsin_user_uuid uuid primary key,
  tocsin_customer_uuid uuid not null
    constraint report_subscription_customer_fkey references tocsin.customer (uuid) on delete cascade,
  -- 1 is Monday.
  weekday smallint not null constraint report_subscription_weekday_check check (weekday between 1 and 7),
  -- In the customer's time zone.
  hour smallint not null constraint report_subscription_hour_check check (hour between 0 and 23),
  -- Reports that were due until this time are sent, or were due before the person chose weekday and hour.
  sent_until timestamptz not null,
  constraint report_subscription_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete cascade
);
create index report_subscription_customer_idx on tocsin_private.report_subscription (tocsin_customer_uuid, tocsin_user_uuid);

-- API results.
create type tocsin.advice_dismissal as (note text, user_name text, dismissed_at timestamptz);
create type tocsin.weekly_report as (weekday integer, hour integer, address text);
alter type tocsin.performance_rule add attribute is_advice_dismissed boolean;
