-- oldest program: 0015_clock_offset.sql
-- A nuisance reason is chosen for an alarm that needed nobody. Advice for a rule counts these acknowledgements.
alter table tocsin.reason add column is_nuisance boolean not null default false;
