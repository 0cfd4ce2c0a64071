-- Managers keep rules and who is told; operators read those of their sites, because they acknowledge by them.
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_lower,
  value_upper, debounce, priority, enabled, message, created_at, updated_at),
  insert (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_lower, value_upper, debounce, priority, enabled, message),
  update (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_lower, value_upper, debounce, priority, enabled, message),
  delete on tocsin.rule to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_rule_name, ind_ack, created_at, updated_at),
  insert (tocsin_site_uuid, tocsin_rule_name, ind_ack), update (ind_ack), delete on tocsin.rule_alert to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_rule_alert_uuid, tocsin_user_uuid, is_alert, is_resolve, is_health, created_at),
  insert (tocsin_rule_alert_uuid, tocsin_user_uuid, is_alert, is_resolve, is_health),
  update (is_alert, is_resolve, is_health), delete on tocsin.rule_alert_user to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_rule_alert_uuid, tocsin_user_uuid, created_at),
  insert (tocsin_rule_alert_uuid, tocsin_user_uuid), update (tocsin_user_uuid), delete on tocsin.rule_escalate_user to tocsin_request;
grant select (uuid, tocsin_customer_uuid, rule_uuid, reason, created_at, updated_at),
  insert (rule_uuid, reason), update (reason), delete on tocsin.reason to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_reason_uuid, tocsin_site_uuid, created_at),
  insert (tocsin_reason_uuid, tocsin_site_uuid), update (tocsin_reason_uuid, tocsin_site_uuid), delete on tocsin.site_reason to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_reason_uuid, tocsin_user_uuid, tocsin_site_uuid, created_at),
  insert (tocsin_reason_uuid, tocsin_user_uuid, tocsin_site_uuid), delete on tocsin.user_reason to tocsin_request;
grant select (uuid, tocsin_customer_uuid, rule_name, site_id, rule_json, created_at, updated_at),
  insert (rule_name, site_id, rule_json), update (rule_name, site_id, rule_json), delete on tocsin.rules_json to tocsin_request;
grant select (uuid, tocsin_customer_uuid, message, created_at, updated_at),
  insert (message), update (message) on tocsin.alarm_default_message to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, action, acknowledge,
  escalate, notify_to, tocsin_users, reply_command, created_at, updated_at),
  insert (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, action, acknowledge, escalate, notify_to, tocsin_users, reply_command),
  update (tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, action, acknowledge, escalate, notify_to, tocsin_users, reply_command)
  on tocsin.action to tocsin_request;

do $$
declare
  t text;
begin
  foreach t in array array['rule', 'rule_alert', 'rule_alert_user', 'rule_escalate_user', 'reason', 'site_reason',
    'user_reason', 'rules_json', 'alarm_default_message', 'action'] loop
    execute format(
      'create policy manage on tocsin.%I for all to tocsin_request
         using (tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()))
         with check (tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()))', t);
  end loop;
  -- What hangs on a site directly, and what hangs on a rule alert of such a site.
  foreach t in array array['rule', 'rule_alert', 'site_reason', 'user_reason', 'action'] loop
    execute format(
      'create policy read_of_sites on tocsin.%I for select to tocsin_request using (
         tocsin_customer_uuid = (select tocsin_private.my_customer())
         and tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[]))', t);
  end loop;
  foreach t in array array['rule_alert_user', 'rule_escalate_user', 'reason'] loop
    execute format(
      'create policy read_of_sites on tocsin.%I for select to tocsin_request using (
         tocsin_customer_uuid = (select tocsin_private.my_customer()) and exists (
           select from tocsin.rule_alert r where r.uuid = %I.%I
           and r.tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])))',
      t, t, case t when 'reason' then 'rule_uuid' else 'tocsin_rule_alert_uuid' end);
  end loop;
  foreach t in array array['rule', 'rule_alert', 'reason', 'rules_json', 'alarm_default_message', 'action'] loop
    execute format('create trigger touch before update on tocsin.%I for each row execute function tocsin_private.touch()', t);
  end loop;
end
$$;

create or replace function tocsin_private.guard_rules_json() returns trigger language plpgsql
  as $$
begin
  if jsonb_typeof(new.rule_json::jsonb) <> 'object' then
    perform tocsin_private.refuse('rule_json', 'A rule is a JSON object with conditions and an event.');
  end if;
  return new;
exception
  when invalid_text_representation or untranslatable_character then
    perform tocsin_private.refuse('rule_json', 'This is not valid JSON. Check brackets, commas and quotation marks.');
end
$$;
create trigger guard before insert or update of rule_json on tocsin.rules_json
  for each row execute function tocsin_private.guard_rules_json();

create function tocsin.delete_user_reasons(tocsin_reason_uuid uuid) returns integer language sql volatile strict
  as $$
    with gone as (delete from tocsin.user_reason r where r.tocsin_reason_uuid = $1 returning 1)
    select count(*)::integer from gone
  $$;

create function tocsin.delete_rules_json(rule_name text, site_id text) returns tocsin.rules_json language plpgsql volatile strict
  as $$
declare
  gone tocsin.rules_json;
begin
  delete from tocsin.rules_json j where j.rule_name = $1 and j.site_id = $2 returning j.* into gone;
  if not found then perform tocsin_private.refuse_missing(); end if;
  return gone;
end
$$;
