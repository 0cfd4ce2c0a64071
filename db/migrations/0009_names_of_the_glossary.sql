-- Renames tables, columns and values to the words of docs/glossary.md.

-- The shards of the evaluator.
alter table tocsin_private.judge_part rename to evaluator_shard;
alter table tocsin_private.evaluator_shard rename column part to shard;
alter table tocsin_private.evaluator_shard rename constraint judge_part_pkey to evaluator_shard_pkey;
alter table tocsin_private.rule_state rename column part to shard;
alter table tocsin_private.rule_state rename constraint rule_state_part_fkey to rule_state_shard_fkey;
alter index tocsin_private.rule_state_part_idx rename to rule_state_shard_idx;

-- The protocol of a frame. Its partitions belong to tocsin_service, whose rights the login role does not inherit. A column is
-- renamed in all partitions at once, so the login role inherits them until the end of this block.
do $$
declare
  foreign_partitions boolean := exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'tocsin.incoming_sensor_log'::regclass and not pg_has_role(c.relowner, 'usage'));
  by_membership boolean := current_setting('server_version_num')::int >= 160000;
begin
  if foreign_partitions then
    begin
      execute case when by_membership then 'grant tocsin_service to current_user with inherit true' else 'alter role current_user inherit' end;
    exception when insufficient_privilege then
      raise insufficient_privilege using message = format('The login role %I needs CREATEROLE for this upgrade. Run as superuser: '
        'alter role %1$I createrole; then start again.', current_user);
    end;
  end if;
  alter table tocsin.incoming_sensor_log rename column door to protocol;
  alter table tocsin.incoming_sensor_log rename constraint incoming_sensor_log_door_check to incoming_sensor_log_protocol_check;
  if foreign_partitions then
    execute case when by_membership then 'grant tocsin_service to current_user with inherit false' else 'alter role current_user noinherit' end;
  end if;
end
$$;

-- Billed segments of an SMS.
alter table tocsin.notification rename column parts to segments;

-- Cancelled commands.
alter table tocsin.reply_message rename column taken_back_on to cancelled_on;
alter table tocsin.reply_message rename column taken_back_by to cancelled_by;

-- Limits or conditions that opened an alarm, and the recipients stored with it. The owner changes every row, without triggers:
-- nothing happened to the alarms.
alter table tocsin.alarm no force row level security;
alter table tocsin.alarm disable trigger user;
alter table tocsin.alarm_event no force row level security;

-- A quote inside a string of the JSON text is escaped, so these patterns match keys only.
update tocsin.alarm set recipients = replace(replace(recipients::text, '"ways":', '"methods":'), '"notTold":', '"skipped":')::jsonb
  where recipients is not null;
alter table tocsin.alarm rename column judged_by to criteria;
alter type tocsin.alarm_holder rename attribute judged_by to criteria;

alter table tocsin.alarm_event drop constraint alarm_event_kind_check;
update tocsin.alarm_event set kind = 'not-notified' where kind = 'not-told';
alter table tocsin.alarm_event add constraint alarm_event_kind_check check (kind in ('opened', 'occurred', 'clearing', 'out-again',
  'one-back', 'acknowledged', 'acknowledgement-undone', 'resolved', 'escalated', 'escalation-stopped', 'not-notified', 'action',
  'rule-changed', 'message', 'note'));

alter table tocsin.alarm force row level security;
alter table tocsin.alarm enable trigger user;
alter table tocsin.alarm_event force row level security;

-- Input and results of the API.
alter type tocsin.told_person rename to alert_user;
alter type tocsin.channel_state rename to sender_state;
alter type tocsin.sender_state rename attribute leaves_the_house to is_configured;
