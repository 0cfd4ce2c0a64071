-- Determines which users can be notified, and which rules notify nobody. domain/notification/recipients.ts makes the
-- same decision when an alarm opens; a test compares the two. A user is reachable if the account is active and has an
-- enabled method with an address in the profile. Senders are checked separately, by tocsin.delivery_problems.

-- Returns the users that an action notifies.
create or replace function tocsin_private.people_of_action(action tocsin.action) returns setof uuid language sql stable
  as $$
    select case when action.action = 1 then action.notify_to end where action.action = 1
    union all
    select p.entry::uuid from regexp_split_to_table(btrim(action.tocsin_users, E' \t\n\r,;'), '[\s,;]+') p (entry)
    where action.action = 2 and p.entry ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  $$;

-- Returns why a user is unreachable; null for a reachable user. Runs as tocsin_service, because operators and managers
-- cannot read every account. A user of another customer counts as `gone`.
set local role tocsin_service;
create or replace function tocsin_definer.unreachable_because(person uuid) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select case when u.uuid is null then 'gone' when not u.status then 'disabled'
      when not (u.email_notification or u.sms_notification or u.whatsapp_notification or u.apps_notification) then 'no-method'
      when u.email_notification and btrim(u.email) ~ '^[^@\s<>]+@[^@\s<>]+$'
        or (u.sms_notification or u.whatsapp_notification) and tocsin_private.is_phone_number(u.phone_number)
        or u.apps_notification and exists (select from tocsin.push_subscription p where p.tocsin_user_uuid = u.uuid) then null
      else 'no-address' end
    from (select $1) a (uuid) left join tocsin.user u on u.uuid = a.uuid and u.tocsin_customer_uuid = tocsin_private.my_customer()
    where not tocsin_private.is_partner_account()
  $$;

-- Returns the rules at the caller's sites that reach nobody: neither at opening, nor by an action, nor by an escalation
-- if acknowledgement is required. Users in `without` count as unreachable, so that the console can show the effect of
-- disabling them beforehand. `because` is `no-alert` if the rule has no rule alert, otherwise `nobody`. Also returns a
-- row of kind `silence` for each site whose silence alarm reaches nobody.
create or replace function tocsin_definer.rules_reaching_nobody(asked_site uuid, without uuid[])
  returns table (site_uuid uuid, site_name text, rule_name text, rule_uuid uuid, kind text, rule_alert_uuid uuid, because text)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    with sites as materialized (
      select s.uuid, s.name, s.site_id, s.tocsin_customer_uuid from tocsin.site s
      where s.tocsin_customer_uuid = tocsin_private.my_customer() and ($1 is null or s.uuid = $1)
        and not tocsin_private.is_partner_account() and (tocsin_private.is_manager() or s.uuid = any (tocsin_private.my_sites()))
    ), reached as materialized (
      select u.uuid from tocsin.user u where u.tocsin_customer_uuid = tocsin_private.my_customer()
        and tocsin_definer.unreachable_because(u.uuid) is null and u.uuid <> all ($2)
    ), in_steps as materialized (
      -- A layer reaches somebody if one of its people is reachable.
      select t.tocsin_rule_alert_uuid as rule_alert_uuid, t.step from tocsin.rule_step_recipient t
      where t.tocsin_customer_uuid = tocsin_private.my_customer() and (t.tocsin_user_uuid in (select p.uuid from reached p)
        or exists (select from tocsin.rota_layer_person l where l.tocsin_rota_layer_uuid = t.tocsin_rota_layer_uuid
          and l.person_uuid in (select p.uuid from reached p)))
    ), raised as (
      select r.tocsin_site_uuid as site_uuid, r.name, r.uuid, 'rule' as kind, r.tocsin_asset_uuid as asset_uuid, r.tocsin_datapoint_uuid as datapoint_uuid
      from sites s join tocsin.rule r on r.tocsin_site_uuid = s.uuid where r.enabled
      union all
      select s.uuid, j.rule_name, j.uuid, 'conditions', null, null from sites s
      join tocsin.rules_json j on j.tocsin_customer_uuid = s.tocsin_customer_uuid and j.site_id = s.site_id where j.enabled
      union all
      select s.uuid, coalesce(nullif(c.channel_title_text, ''), c.name), d.uuid, 'channel', a.uuid, d.uuid
      from sites s join tocsin.asset a on a.tocsin_site_uuid = s.uuid
      join tocsin.asset_datapoint d on d.tocsin_asset_uuid = a.uuid and d.sensor_type = 1
      join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid and c.channel_alarm_condition <> 2
    ), acting as materialized (
      select x.tocsin_asset_uuid as asset_uuid, x.tocsin_datapoint_uuid as datapoint_uuid, x.acknowledge,
        exists (select from tocsin_private.people_of_action(x) p where p in (select r.uuid from reached r)) as reaches
      from sites s join tocsin.action x on x.tocsin_site_uuid = s.uuid
    )
    select x.site_uuid, s.name, x.name, x.uuid, x.kind, r.uuid, case when r.uuid is null then 'no-alert' else 'nobody' end
    from raised x join sites s on s.uuid = x.site_uuid
    left join tocsin.rule_alert r on r.tocsin_site_uuid = x.site_uuid and r.tocsin_rule_name = x.name
    where not exists (select from tocsin.rule_alert_user l where l.tocsin_rule_alert_uuid = r.uuid and l.is_alert
        and l.tocsin_user_uuid in (select p.uuid from reached p))
      and not ((coalesce(r.ind_ack, true) or exists (select from acting a where a.asset_uuid = x.asset_uuid and a.acknowledge
          and (a.datapoint_uuid is null or a.datapoint_uuid = x.datapoint_uuid)))
        and exists (select from tocsin.rule_escalate_user e where e.tocsin_rule_alert_uuid = r.uuid
          and e.tocsin_user_uuid in (select p.uuid from reached p)))
      and not exists (select from in_steps t where t.rule_alert_uuid = r.uuid and (t.step = 1 or coalesce(r.ind_ack, true)
        or exists (select from acting a where a.asset_uuid = x.asset_uuid and a.acknowledge
          and (a.datapoint_uuid is null or a.datapoint_uuid = x.datapoint_uuid))))
      and not exists (select from acting a where a.asset_uuid = x.asset_uuid and a.reaches
        and (a.datapoint_uuid is null or a.datapoint_uuid = x.datapoint_uuid))
    union all
    -- Any rule alert of the site can list people to notify when the site is silent. A site that has neither such
    -- recipients nor rules is left out, because it is still being set up.
    select s.uuid, s.name, 'Site silent', null, 'silence', r.uuid, case when h.named then 'nobody' else 'no-alert' end
    from sites s
    left join tocsin.rule_alert r on r.tocsin_site_uuid = s.uuid and r.tocsin_rule_name = 'Site silent'
    cross join lateral (select count(*) > 0 as named, coalesce(bool_or(l.tocsin_user_uuid in (select p.uuid from reached p)), false) as reached
      from tocsin.rule_alert o join tocsin.rule_alert_user l on l.tocsin_rule_alert_uuid = o.uuid
      where o.tocsin_site_uuid = s.uuid and l.is_health) h
    where not h.reached and (h.named or exists (select from raised x where x.site_uuid = s.uuid))
      and not exists (select from tocsin.rule_escalate_user e where e.tocsin_rule_alert_uuid = r.uuid and coalesce(r.ind_ack, true)
        and e.tocsin_user_uuid in (select p.uuid from reached p))
      and not exists (select from in_steps t where t.rule_alert_uuid = r.uuid and (t.step = 1 or coalesce(r.ind_ack, true)))
  $$;

-- Returns the rule alerts in which these users are recipients or escalation recipients. Returns no rows unless the
-- caller is a manager.
create or replace function tocsin_definer.rule_alerts_naming(people uuid[])
  returns table (site_uuid uuid, rule_name text, rule_alert_uuid uuid, role text)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select r.tocsin_site_uuid, r.tocsin_rule_name, r.uuid, p.role
    from (select l.tocsin_rule_alert_uuid, 'notified' from tocsin.rule_alert_user l where l.tocsin_user_uuid = any ($1)
      union
      select e.tocsin_rule_alert_uuid, 'escalation' from tocsin.rule_escalate_user e where e.tocsin_user_uuid = any ($1)
      union
      select t.tocsin_rule_alert_uuid, 'escalation' from tocsin.rule_step_recipient t where t.tocsin_user_uuid = any ($1)) p (rule_alert_uuid, role)
    join tocsin.rule_alert r on r.uuid = p.rule_alert_uuid
    where r.tocsin_customer_uuid = tocsin_private.my_customer() and tocsin_private.is_manager()
  $$;
reset role;

-- Returns why each user is unreachable; null for a reachable user.
create function tocsin.people_reach(person_uuids uuid[]) returns table (uuid uuid, unreachable_because text) language sql stable rows 10
  as $$ select p.uuid, tocsin_definer.unreachable_because(p.uuid) from unnest(person_uuids) p (uuid) $$;

create function tocsin.rules_reaching_nobody(site_uuid uuid default null)
  returns setof tocsin.unreached_rule language sql stable rows 100
  as $$ select * from tocsin_definer.rules_reaching_nobody($1, '{}') n order by n.site_name, n.rule_name, n.kind, n.rule_uuid $$;

-- Returns the rule alerts in which these users are recipients or escalation recipients. Rule alerts that would reach
-- nobody without these users come first.
create function tocsin.rule_alerts_of_people(person_uuids uuid[])
  returns setof tocsin.named_rule_alert language sql stable rows 100
  as $$
    with before as materialized (select n.rule_alert_uuid from tocsin_definer.rules_reaching_nobody(null, '{}') n where n.rule_alert_uuid is not null),
    after as materialized (select n.rule_alert_uuid from tocsin_definer.rules_reaching_nobody(null, $1) n where n.rule_alert_uuid is not null)
    select p.rule_alert_uuid, p.site_uuid, s.name, p.rule_name, string_agg(p.role, ',' order by p.role desc),
      p.rule_alert_uuid in (select a.rule_alert_uuid from after a),
      p.rule_alert_uuid in (select b.rule_alert_uuid from before b)
    from tocsin_definer.rule_alerts_naming($1) p join tocsin.site s on s.uuid = p.site_uuid
    group by 1, 2, 3, 4 order by 6 desc, 3, 4
  $$;

-- Returns the sites to which a replacement user must be linked: sites whose rule alerts or actions notify these users.
-- Returns no rows unless the replacement is an operator. The caller must be a manager, because only managers see every
-- operator and every link.
create function tocsin.sites_for_replacement(person_uuids uuid[], replacement uuid) returns setof tocsin.site language sql stable rows 100
  as $$
    select s.* from tocsin.site s
    where exists (select from tocsin.user u where u.uuid = $2 and u.level >= 10 and not u.tocsin_partner_account)
      and tocsin_private.is_manager()
      and not exists (select from tocsin.site_user l where l.tocsin_site_uuid = s.uuid and l.tocsin_user_uuid = $2)
      and (s.uuid in (select n.site_uuid from tocsin_definer.rule_alerts_naming($1) n)
        or exists (select from tocsin.action x cross join tocsin_private.people_of_action(x) p
          where x.tocsin_site_uuid = s.uuid and p = any ($1)))
    order by s.name, s.uuid
  $$;

-- Replaces users with one user in every rule alert and action, and keeps the settings of each entry. Links the
-- replacement to the sites, so that the replacement can open the alarms. Runs with the caller's rights.
create or replace function tocsin_private.replace_people(people uuid[], replacement uuid) returns void language plpgsql
  as $$
begin
  if replacement = any (people) then
    perform tocsin_private.refuse('replacement', 'Choose a replacement who is not being disabled.');
  end if;
  perform tocsin_private.refuse_unreachable('replacement', array[replacement]);
  if exists (select from tocsin.user u where u.uuid = $2 and u.tocsin_partner_account) then
    perform tocsin_private.refuse('replacement', tocsin_definer.person_name($2) || ' is a partner account and cannot open alarms. Choose a person.');
  end if;
  insert into tocsin.site_user (tocsin_site_uuid, tocsin_user_uuid) select s.uuid, $2 from tocsin.sites_for_replacement($1, $2) s
  on conflict on constraint site_user_once_key do nothing;
  insert into tocsin.rule_alert_user as l (tocsin_rule_alert_uuid, tocsin_user_uuid, is_alert, is_resolve, is_health)
  select u.tocsin_rule_alert_uuid, $2, bool_or(u.is_alert), bool_or(u.is_resolve), bool_or(u.is_health)
  from tocsin.rule_alert_user u where u.tocsin_user_uuid = any ($1) group by 1
  on conflict on constraint rule_alert_user_once_key do update set is_alert = l.is_alert or excluded.is_alert,
    is_resolve = l.is_resolve or excluded.is_resolve, is_health = l.is_health or excluded.is_health;
  insert into tocsin.rule_escalate_user (tocsin_rule_alert_uuid, tocsin_user_uuid)
  select distinct u.tocsin_rule_alert_uuid, $2 from tocsin.rule_escalate_user u where u.tocsin_user_uuid = any ($1)
  on conflict on constraint rule_escalate_user_once_key do nothing;
  perform tocsin_definer.replace_step_people($1, $2);
  delete from tocsin.rule_alert_user u where u.tocsin_user_uuid = any ($1);
  delete from tocsin.rule_escalate_user u where u.tocsin_user_uuid = any ($1);
  update tocsin.action x set notify_to = $2 where x.notify_to = any ($1);
  update tocsin.action x set tocsin_users = (select string_agg(distinct case when p = any ($1) then $2 else p end::text, ',')
      from tocsin_private.people_of_action(x) p)
  where x.action = 2 and exists (select from tocsin_private.people_of_action(x) p where p = any ($1));
end
$$;

-- Disables users. If a replacement is given, also replaces them with that user, in the same transaction. Returns the
-- number of users.
create function tocsin.disable_users(users uuid[], replacement uuid default null) returns integer language plpgsql volatile
  as $$
declare
  changed integer;
begin
  if coalesce(cardinality($1), 0) not between 1 and 1000 then
    perform tocsin_private.refuse('users', 'You can disable 1 to 1,000 people at a time.');
  end if;
  if $2 is not null then perform tocsin_private.replace_people($1, $2); end if;
  update tocsin.user u set status = false where u.uuid = any ($1);
  get diagnostics changed = row_count;
  if changed < (select count(distinct p) from unnest($1) p) then perform tocsin_private.refuse_missing(); end if;
  return changed;
end
$$;

-- Refuses to add disabled users to a rule alert or action. Entries of users who were disabled later do not block other changes.
create or replace function tocsin_private.refuse_unreachable(field text, people uuid[]) returns void language plpgsql
  as $$
declare
  names text;
begin
  select string_agg(coalesce(tocsin_definer.person_name(p.uuid), 'Somebody'), ', ') into names
  from (select distinct p from unnest(people) p) p (uuid) where tocsin_definer.unreachable_because(p.uuid) = 'disabled';
  if names is not null then
    perform tocsin_private.refuse(field, names || case when position(', ' in names) > 0 then ' are' else ' is' end
      || ' disabled and would receive no notification. Choose someone else, or enable the account first.');
  end if;
end
$$;
create or replace function tocsin_private.check_recipient() returns trigger language plpgsql
  as $$
begin
  perform tocsin_private.refuse_unreachable('tocsin_user_uuid', array[new.tocsin_user_uuid]);
  return new;
end
$$;
create trigger check_recipient before insert on tocsin.rule_alert_user for each row
  when (current_user = 'tocsin_request') execute function tocsin_private.check_recipient();
create trigger check_recipient before insert or update of tocsin_user_uuid on tocsin.rule_escalate_user for each row
  when (current_user = 'tocsin_request') execute function tocsin_private.check_recipient();
create or replace function tocsin_private.check_action_recipients() returns trigger language plpgsql
  as $$
declare
  before uuid[] := '{}';
begin
  if tg_op = 'UPDATE' then before := array(select tocsin_private.people_of_action(old)); end if;
  perform tocsin_private.refuse_unreachable(case new.action when 1 then 'notify_to' else 'tocsin_users' end,
    array(select p from tocsin_private.people_of_action(new) p where p <> all (before)));
  return new;
end
$$;
create trigger check_recipients before insert or update on tocsin.action for each row
  when (current_user = 'tocsin_request') execute function tocsin_private.check_action_recipients();

-- Returns the methods whose alarm notifications failed in the last day without a later success. `no-sender`: no sender
-- is configured. `failing`: the provider refuses notifications or is not responding. Only for owners and managers.
create function tocsin.delivery_problems() returns setof tocsin.delivery_problem language sql stable rows 4
  as $$
    select m.method_type, case when m.kept then 'no-sender' else 'failing' end, m.messages, m.alarms, m.since, m.answer
    from generate_series(1, 4) k (method_type)
    cross join lateral (
      select k.method_type, count(*)::integer as messages, count(distinct n.tocsin_alarm_uuid)::integer as alarms, min(n.notify_time) as since,
        (array_agg(n.provider = 'outbox' order by n.notify_time desc))[1] as kept,
        (array_agg(n.provider_answer order by n.notify_time desc))[1] as answer
      from tocsin.notification n
      where n.method_type = k.method_type and n.kind not in ('other', 'confirmation') and n.notify_time > tocsin_private.clock() - interval '1 day'
        and (n.state = 'failed' or n.state = 'queued' and n.attempts > 0 and n.provider_answer <> '' or n.provider = 'outbox')
        and n.notify_time > coalesce((select max(o.sent_at) from tocsin.notification o where o.method_type = k.method_type
          and o.sent_at > tocsin_private.clock() - interval '2 days'
          and tocsin_private.was_accepted(o.state, o.provider, o.sent_at)), '-infinity')
    ) m
    where m.messages > 0 and tocsin_private.is_manager() order by 1
  $$;

-- Counts the open alarms that nobody was notified of, and the rules that reach nobody. Leaves out shelved alarms,
-- because they notify nobody on purpose. Includes only sites that the caller may see.
create function tocsin.notification_summary(out unnotified_alarms integer, out unreached_rules integer) language sql stable
  as $$
    select (select count(*)::integer from tocsin.alarm a
        where a.resolved_date is null and a.quiet_because is null and tocsin.alarm_not_notified_because(a) <> 'flood'),
      (select count(*)::integer from tocsin_definer.rules_reaching_nobody(null, '{}'))
  $$;
