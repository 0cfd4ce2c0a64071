-- Why: the report tells alarms that need no acknowledgement from those that nobody acknowledged. The index of the report does not hold
-- which they are, and to read every alarm of a range for it takes several times as long.
create index alarm_needs_none_idx on tocsin.alarm (tocsin_customer_uuid, created_at) where not must_acknowledge and reason is null;
