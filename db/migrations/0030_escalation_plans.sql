-- oldest program: 0015_clock_offset.sql
-- The escalation plan of a rule alert. Step 1 notifies rule_alert_user when the alarm opens. Step 2 notifies
-- rule_escalate_user by the escalate_… columns of rule_alert. These tables add the rotas of every step, the repeats of step 1,
-- and the steps from 3 on.
create table tocsin.rule_step (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_rule_alert_uuid uuid not null,
  step smallint not null,
  -- Minutes without acknowledgement since the start of the step before.
  wait_minutes integer not null,
  repeat_count integer not null,
  repeat_minutes integer not null,
  created_at timestamptz not null default tocsin_private.clock(),
  constraint rule_step_number_check check (step between 1 and 10 and step <> 2),
  constraint rule_step_wait_check check (wait_minutes between case step when 1 then 0 else 1 end and case step when 1 then 0 else 10080 end),
  constraint rule_step_repeats_check check (repeat_count between 0 and 99),
  constraint rule_step_interval_check check (repeat_minutes between 1 and 10080),
  constraint rule_step_once_key unique (tocsin_rule_alert_uuid, step),
  constraint rule_step_rule_alert_fkey foreign key (tocsin_customer_uuid, tocsin_rule_alert_uuid)
    references tocsin.rule_alert (tocsin_customer_uuid, uuid) on delete cascade
);
create index rule_step_customer_idx on tocsin.rule_step (tocsin_customer_uuid);

-- A person of a step from 3 on, or a layer of a rota in any step.
create table tocsin.rule_step_recipient (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_rule_alert_uuid uuid not null,
  step smallint not null,
  tocsin_user_uuid uuid,
  tocsin_rota_layer_uuid uuid,
  created_at timestamptz not null default tocsin_private.clock(),
  constraint rule_step_recipient_number_check check (step between 1 and 10),
  constraint rule_step_recipient_one_check check (num_nonnulls(tocsin_user_uuid, tocsin_rota_layer_uuid) = 1
    and (step > 2 or tocsin_user_uuid is null)),
  constraint rule_step_recipient_once_key unique nulls not distinct (tocsin_rule_alert_uuid, step, tocsin_user_uuid, tocsin_rota_layer_uuid),
  constraint rule_step_recipient_rule_alert_fkey foreign key (tocsin_customer_uuid, tocsin_rule_alert_uuid)
    references tocsin.rule_alert (tocsin_customer_uuid, uuid) on delete cascade,
  constraint rule_step_recipient_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete cascade,
  -- A plan must not lose a rota silently.
  constraint rule_step_recipient_layer_fkey foreign key (tocsin_customer_uuid, tocsin_rota_layer_uuid)
    references tocsin.rota_layer (tocsin_customer_uuid, uuid)
);
create index rule_step_recipient_user_idx on tocsin.rule_step_recipient (tocsin_user_uuid);
create index rule_step_recipient_layer_idx on tocsin.rule_step_recipient (tocsin_rota_layer_uuid);
create index rule_step_recipient_customer_idx on tocsin.rule_step_recipient (tocsin_customer_uuid);

-- The position of an alarm in its plan: the step that began last, and how often it was repeated. Only plans with `steps`
-- use it. escalation_step goes on counting how often the engine escalated the alarm.
alter table tocsin.alarm add column plan_step smallint not null default 1, add column plan_repeat smallint not null default 0;

-- One step of save_rule_alert. The people, wait and repeats of step 2, and the people of step 1, have their own arguments.
create type tocsin.plan_step as (wait_minutes integer, repeat_count integer, repeat_minutes integer, people uuid[], layers uuid[]);
