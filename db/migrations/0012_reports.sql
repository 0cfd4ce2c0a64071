-- Why: reports over months must come at once. Health is kept as one row for a site and week beside its slots, and the reports on
-- messages and alarms find what they count in an index, without reading the rows themselves.
create table tocsin.health_week (
  tocsin_site_uuid uuid not null,
  tocsin_customer_uuid uuid not null,
  -- Weeks since Monday, 29 December 1969, in UTC.
  week integer not null,
  -- For each hour of the week whether a slot began then in which anything arrived.
  hours bit(168) not null,
  primary key (tocsin_site_uuid, week),
  constraint health_week_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade
);
create index health_week_customer_idx on tocsin.health_week (tocsin_customer_uuid, week);

alter table tocsin.health_slot no force row level security;
insert into tocsin.health_week (tocsin_site_uuid, tocsin_customer_uuid, week, hours)
select s.tocsin_site_uuid, s.tocsin_customer_uuid, s.hour / 168, bit_or(set_bit(repeat('0', 168)::bit(168), s.hour % 168, 1))
from (select h.*, (floor(extract(epoch from h.slot_start) / 3600) + 72)::integer as hour from tocsin.health_slot h) s
group by 1, 2, 3;
alter table tocsin.health_slot force row level security;

-- What the SMS report counts.
create index notification_sms_idx on tocsin.notification (tocsin_customer_uuid, notify_time)
  include (tocsin_site_uuid, message_type, parts) where method_type = 3 and state in ('sent', 'delivered');
-- What the alarm report counts. Reasons are 500 letters at most, which fits.
create index alarm_report_idx on tocsin.alarm (tocsin_customer_uuid, created_at)
  include (tocsin_site_uuid, date_time, resolved_date, severity, rule_uuid, reason);
