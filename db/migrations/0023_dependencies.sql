-- oldest program: 0015_clock_offset.sql
-- A rule, rule of conditions or site depends on causes: rules, digital alarms or the silence of sites. While an alarm of
-- the cause is open, its consequences notify nobody.
alter table tocsin.rules_json add constraint rules_json_in_customer_key unique (tocsin_customer_uuid, uuid);

create table tocsin.dependency (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  -- The dependent: one of these. A site stands for all its rules and its silence.
  tocsin_rule_uuid uuid,
  tocsin_rules_json_uuid uuid,
  tocsin_site_uuid uuid,
  -- The cause: one of these. A data point stands for its digital alarm, a site for its silence.
  cause_rule_uuid uuid,
  cause_rules_json_uuid uuid,
  cause_datapoint_uuid uuid,
  cause_site_uuid uuid,
  dependent_uuid uuid not null generated always as (coalesce(tocsin_rule_uuid, tocsin_rules_json_uuid, tocsin_site_uuid)) stored,
  cause_uuid uuid not null
    generated always as (coalesce(cause_rule_uuid, cause_rules_json_uuid, cause_datapoint_uuid, cause_site_uuid)) stored,
  created_at timestamptz not null default tocsin_private.clock(),
  constraint dependency_dependent_check check (num_nonnulls(tocsin_rule_uuid, tocsin_rules_json_uuid, tocsin_site_uuid) = 1),
  constraint dependency_cause_check
    check (num_nonnulls(cause_rule_uuid, cause_rules_json_uuid, cause_datapoint_uuid, cause_site_uuid) = 1),
  constraint dependency_once_key unique (dependent_uuid, cause_uuid),
  constraint dependency_rule_fkey foreign key (tocsin_customer_uuid, tocsin_rule_uuid)
    references tocsin.rule (tocsin_customer_uuid, uuid) on delete cascade,
  constraint dependency_rules_json_fkey foreign key (tocsin_customer_uuid, tocsin_rules_json_uuid)
    references tocsin.rules_json (tocsin_customer_uuid, uuid) on delete cascade,
  constraint dependency_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade,
  constraint dependency_cause_rule_fkey foreign key (tocsin_customer_uuid, cause_rule_uuid)
    references tocsin.rule (tocsin_customer_uuid, uuid) on delete cascade,
  constraint dependency_cause_rules_json_fkey foreign key (tocsin_customer_uuid, cause_rules_json_uuid)
    references tocsin.rules_json (tocsin_customer_uuid, uuid) on delete cascade,
  constraint dependency_cause_datapoint_fkey foreign key (tocsin_customer_uuid, cause_datapoint_uuid)
    references tocsin.asset_datapoint (tocsin_customer_uuid, uuid) on delete cascade,
  constraint dependency_cause_site_fkey foreign key (tocsin_customer_uuid, cause_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade
);
create index dependency_customer_idx on tocsin.dependency (tocsin_customer_uuid);
create index dependency_cause_idx on tocsin.dependency (cause_uuid);
create index dependency_rule_idx on tocsin.dependency (tocsin_rule_uuid);
create index dependency_rules_json_idx on tocsin.dependency (tocsin_rules_json_uuid);
create index dependency_site_idx on tocsin.dependency (tocsin_site_uuid);
create index dependency_cause_rule_idx on tocsin.dependency (cause_rule_uuid);
create index dependency_cause_rules_json_idx on tocsin.dependency (cause_rules_json_uuid);
create index dependency_cause_datapoint_idx on tocsin.dependency (cause_datapoint_uuid);
create index dependency_cause_site_idx on tocsin.dependency (cause_site_uuid);

-- The alarm of the cause under which an alarm was last recorded. It stays when the dependency ends.
alter table tocsin.alarm
  add column tocsin_cause_alarm_uuid uuid,
  add constraint alarm_cause_alarm_fkey foreign key (tocsin_customer_uuid, tocsin_cause_alarm_uuid)
    references tocsin.alarm (tocsin_customer_uuid, uuid) on delete set null (tocsin_cause_alarm_uuid) not valid;
alter table tocsin.alarm validate constraint alarm_cause_alarm_fkey;
create index alarm_cause_alarm_idx on tocsin.alarm (tocsin_cause_alarm_uuid);
create index alarm_dependency_idx on tocsin.alarm (quiet_source) where quiet_because = 'dependency' and resolved_date is null;
create index alarm_open_rule_idx on tocsin.alarm (rule_uuid) where resolved_date is null;

-- API result: a cause of a rule or site, or one to choose. `kind` is rule, conditions, digital or silence.
create type tocsin.cause as (uuid uuid, kind text, name text, site_uuid uuid, site_name text);
