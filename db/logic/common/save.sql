-- Each function saves a record and its dependent rows in one transaction. A call without a uuid creates the record.
-- `seen` is the updated_at that the user saw; the function refuses to overwrite a newer row. All functions run with the
-- caller's rights.

-- `people` and `reasons` must be complete lists: people and reasons that are not listed are removed. `steps` is the complete
-- escalation plan, without what the other arguments have; without `steps`, the rotas and further steps stay.
create function tocsin.save_rule_alert(tocsin_site_uuid uuid, tocsin_rule_name text, ind_ack boolean, escalate_minutes integer,
  escalate_interval_minutes integer, escalate_count integer, people tocsin.alert_user[], escalates uuid[], reasons text[],
  uuid uuid default null, seen timestamptz default null, steps tocsin.plan_step[] default null) returns tocsin.rule_alert language plpgsql volatile
  as $$
declare
  saved tocsin.rule_alert;
begin
  -- The limit is 200 people. A rule alert that already has more may keep that number.
  if cardinality(people) > greatest(200, (select count(*) from tocsin.rule_alert_user u where u.tocsin_rule_alert_uuid = $10)) then
    perform tocsin_private.refuse('people', 'A rule alert can notify at most 200 people. Remove some.');
  end if;
  if cardinality(escalates) > greatest(200, (select count(*) from tocsin.rule_escalate_user u where u.tocsin_rule_alert_uuid = $10)) then
    perform tocsin_private.refuse('escalates', 'A rule alert can escalate to at most 200 people. Remove some.');
  end if;
  if cardinality(reasons) > greatest(200, (select count(*) from tocsin.reason r where r.rule_uuid = $10)) then
    perform tocsin_private.refuse('reasons', 'A rule alert can have at most 200 reasons. Remove some.');
  end if;
  if $10 is null then
    insert into tocsin.rule_alert (tocsin_site_uuid, tocsin_rule_name, ind_ack, escalate_minutes, escalate_interval_minutes, escalate_count)
    values ($1, $2, $3, $4, $5, $6) returning * into saved;
  else
    update tocsin.rule_alert a set ind_ack = $3, escalate_minutes = $4, escalate_interval_minutes = $5, escalate_count = $6,
      updated_at = coalesce($11, a.updated_at)
    where a.uuid = $10 returning * into saved;
    if not found then perform tocsin_private.refuse_missing(); end if;
    -- Site and rule name identify a rule alert, so they cannot change.
    if saved.tocsin_site_uuid <> $1 then perform tocsin_private.refuse('tocsin_site_uuid', 'A rule alert cannot move to another site. Create a new rule alert.'); end if;
    if saved.tocsin_rule_name <> $2 then perform tocsin_private.refuse('tocsin_rule_name', 'A rule alert cannot move to another rule. Create a new rule alert.'); end if;
  end if;

  -- Disabled users cannot be added. Users who were disabled later stay until they are removed.
  perform tocsin_private.refuse_unreachable('people', array(select p.tocsin_user_uuid from unnest(people) p where not exists (
    select from tocsin.rule_alert_user u where u.tocsin_rule_alert_uuid = saved.uuid and u.tocsin_user_uuid = p.tocsin_user_uuid)));
  perform tocsin_private.refuse_unreachable('escalates', array(select e from unnest(escalates) e where not exists (
    select from tocsin.rule_escalate_user u where u.tocsin_rule_alert_uuid = saved.uuid and u.tocsin_user_uuid = e)));
  delete from tocsin.rule_alert_user u where u.tocsin_rule_alert_uuid = saved.uuid
    and not exists (select from unnest(people) p where p.tocsin_user_uuid = u.tocsin_user_uuid);
  update tocsin.rule_alert_user u set is_alert = p.is_alert, is_resolve = p.is_resolve, is_health = p.is_health
  from unnest(people) p where u.tocsin_rule_alert_uuid = saved.uuid and p.tocsin_user_uuid = u.tocsin_user_uuid
    and (u.is_alert, u.is_resolve, u.is_health) is distinct from (p.is_alert, p.is_resolve, p.is_health);
  begin
    insert into tocsin.rule_alert_user (tocsin_rule_alert_uuid, tocsin_user_uuid, is_alert, is_resolve, is_health)
    select saved.uuid, p.tocsin_user_uuid, coalesce(p.is_alert, true), coalesce(p.is_resolve, false), coalesce(p.is_health, false)
    from unnest(people) p where not exists (
      select from tocsin.rule_alert_user u where u.tocsin_rule_alert_uuid = saved.uuid and u.tocsin_user_uuid = p.tocsin_user_uuid);
  exception
    when foreign_key_violation or not_null_violation then
      perform tocsin_private.refuse('people', 'A recipient no longer exists. Remove that recipient.');
    when unique_violation then
      perform tocsin_private.refuse('people', 'A recipient is listed twice. Remove one.');
  end;

  delete from tocsin.rule_escalate_user u where u.tocsin_rule_alert_uuid = saved.uuid and u.tocsin_user_uuid <> all (escalates);
  begin
    insert into tocsin.rule_escalate_user (tocsin_rule_alert_uuid, tocsin_user_uuid)
    select saved.uuid, e from unnest(escalates) e where not exists (
      select from tocsin.rule_escalate_user u where u.tocsin_rule_alert_uuid = saved.uuid and u.tocsin_user_uuid = e);
  exception
    when foreign_key_violation or not_null_violation then
      perform tocsin_private.refuse('escalates', 'An escalation recipient no longer exists. Remove that recipient.');
    when unique_violation then
      perform tocsin_private.refuse('escalates', 'An escalation recipient is listed twice. Remove one.');
  end;

  delete from tocsin.reason r where r.rule_uuid = saved.uuid and r.reason <> all (reasons);
  begin
    insert into tocsin.reason (rule_uuid, reason)
    select saved.uuid, t from unnest(reasons) t where not exists (
      select from tocsin.reason r where r.rule_uuid = saved.uuid and r.reason = t);
  exception
    when check_violation or not_null_violation then perform tocsin_private.refuse('reasons', 'A reason must have 1 to 200 characters.');
    when unique_violation then perform tocsin_private.refuse('reasons', 'A reason is listed twice. Remove one.');
  end;
  if $12 is not null then perform tocsin_definer.store_plan_steps(saved.uuid, $12); end if;
  -- Reads the rule alert again, because the triggers of its people and reasons have updated it.
  select a.* into saved from tocsin.rule_alert a where a.uuid = saved.uuid;
  return saved;
end
$$;

-- A change to the people or reasons also updates the rule alert, so that optimistic locking covers them.
create or replace function tocsin_private.touch_rule_alert() returns trigger language plpgsql
  as $$
declare
  alert uuid := (to_jsonb(coalesce(new, old)) ->> case tg_table_name when 'reason' then 'rule_uuid' else 'tocsin_rule_alert_uuid' end)::uuid;
begin
  update tocsin.rule_alert a set updated_at = a.updated_at where a.uuid = alert and a.updated_at <> tocsin_private.clock();
  return null;
end
$$;
create trigger touch_rule_alert after insert or update or delete on tocsin.rule_alert_user
  for each row execute function tocsin_private.touch_rule_alert();
create trigger touch_rule_alert after insert or update or delete on tocsin.rule_escalate_user
  for each row execute function tocsin_private.touch_rule_alert();
create trigger touch_rule_alert after insert or update or delete on tocsin.rule_step
  for each row execute function tocsin_private.touch_rule_alert();
create trigger touch_rule_alert after insert or update or delete on tocsin.rule_step_recipient
  for each row execute function tocsin_private.touch_rule_alert();
create trigger touch_rule_alert after insert or update or delete on tocsin.reason
  for each row execute function tocsin_private.touch_rule_alert();

-- Adds or removes links between sites and users. Links that are not listed stay unchanged, because other users may have
-- changed them and the caller might not see all links.
create or replace function tocsin_private.change_site_users(sites uuid[], people uuid[], linked boolean, field text) returns void language plpgsql
  as $$
begin
  if cardinality(sites) * cardinality(people) > 1000 then
    perform tocsin_private.refuse(field, 'You can change at most 1,000 links at a time.');
  end if;
  if linked then
    insert into tocsin.site_user (tocsin_site_uuid, tocsin_user_uuid)
    select s, p from unnest(sites) s cross join unnest(people) p
    on conflict on constraint site_user_once_key do nothing;
  else
    delete from tocsin.site_user l where l.tocsin_site_uuid = any (sites) and l.tocsin_user_uuid = any (people);
  end if;
exception when foreign_key_violation or not_null_violation or insufficient_privilege then
  perform tocsin_private.refuse(field, 'One of the linked records was deleted, or you are not allowed to link it. Remove it from the list.');
end
$$;

create function tocsin.link_site_users(sites uuid[], users uuid[]) returns boolean language sql volatile strict
  as $$ select true from (select tocsin_private.change_site_users($1, $2, true, 'users')) done $$;

-- Saves a site. A field that the client does not send keeps its value. Groups are always replaced. `causes` is the complete
-- list of the causes on which the site depends.
create function tocsin.save_site(site tocsin.site, link_users uuid[], unlink_users uuid[], link_reasons uuid[], unlink_reasons uuid[],
  uuid uuid default null, seen timestamptz default null, causes uuid[] default null) returns tocsin.site language plpgsql volatile
  as $$
declare
  saved tocsin.site;
begin
  if $6 is null then
    insert into tocsin.site (site_id, name, location, description, address, site_type, site_category, phone_number, tocsin_group2_uuid,
      tocsin_group3_uuid, tocsin_group4_uuid, tocsin_group5_uuid, tocsin_health_duration_hours, gsm_provider)
    values (site.site_id, site.name, coalesce(site.location, ''), coalesce(site.description, ''), coalesce(site.address, ''),
      coalesce(site.site_type, ''), coalesce(site.site_category, ''), coalesce(site.phone_number, ''), site.tocsin_group2_uuid,
      site.tocsin_group3_uuid, site.tocsin_group4_uuid, site.tocsin_group5_uuid, coalesce(site.tocsin_health_duration_hours, 24),
      coalesce(site.gsm_provider, ''))
    returning * into saved;
  else
    update tocsin.site s set site_id = coalesce(site.site_id, s.site_id), name = coalesce(site.name, s.name),
      location = coalesce(site.location, s.location), description = coalesce(site.description, s.description),
      address = coalesce(site.address, s.address), site_type = coalesce(site.site_type, s.site_type),
      site_category = coalesce(site.site_category, s.site_category), phone_number = coalesce(site.phone_number, s.phone_number),
      tocsin_group2_uuid = site.tocsin_group2_uuid, tocsin_group3_uuid = site.tocsin_group3_uuid,
      tocsin_group4_uuid = site.tocsin_group4_uuid, tocsin_group5_uuid = site.tocsin_group5_uuid,
      tocsin_health_duration_hours = coalesce(site.tocsin_health_duration_hours, s.tocsin_health_duration_hours),
      gsm_provider = coalesce(site.gsm_provider, s.gsm_provider), last_updated = coalesce($7, s.last_updated)
    where s.uuid = $6 returning * into saved;
    if not found then perform tocsin_private.refuse_missing(); end if;
  end if;
  perform tocsin_private.change_site_users(array[saved.uuid], unlink_users, false, 'users');
  perform tocsin_private.change_site_users(array[saved.uuid], link_users, true, 'users');
  delete from tocsin.site_reason l where l.tocsin_site_uuid = saved.uuid and l.tocsin_reason_uuid = any (unlink_reasons);
  begin
    insert into tocsin.site_reason (tocsin_site_uuid, tocsin_reason_uuid) select saved.uuid, r from unnest(link_reasons) r
    on conflict on constraint site_reason_once_key do nothing;
  exception when foreign_key_violation or not_null_violation or insufficient_privilege then
    perform tocsin_private.refuse('reasons', 'A reason no longer exists. Remove it from the list.');
  end;
  perform tocsin_private.set_causes('site', saved.uuid, $8);
  return saved;
end
$$;

-- Saves a user and returns the user's uuid. A new user receives an invitation.
create function tocsin.save_user("user" tocsin.user, link_sites uuid[], unlink_sites uuid[], uuid uuid default null,
  seen timestamptz default null, replacement uuid default null) returns uuid language plpgsql volatile
  as $$
declare
  given tocsin.user := $1;
  saved uuid;
begin
  if $4 is null then
    insert into tocsin.user as u (username, display_name, email, phone_number, level, status, email_notification, sms_notification,
      whatsapp_notification, apps_notification, tocsin_partner_account)
    values (given.username, given.display_name, given.email, coalesce(given.phone_number, ''), given.level, coalesce(given.status, true),
      coalesce(given.email_notification, true), coalesce(given.sms_notification, false), coalesce(given.whatsapp_notification, false),
      coalesce(given.apps_notification, false), coalesce(given.tocsin_partner_account, false))
    returning u.uuid into saved;
  else
    update tocsin.user u set username = coalesce(given.username, u.username), display_name = coalesce(given.display_name, u.display_name),
      email = coalesce(given.email, u.email), phone_number = coalesce(given.phone_number, u.phone_number),
      level = coalesce(given.level, u.level), status = coalesce(given.status, u.status),
      email_notification = coalesce(given.email_notification, u.email_notification),
      sms_notification = coalesce(given.sms_notification, u.sms_notification),
      whatsapp_notification = coalesce(given.whatsapp_notification, u.whatsapp_notification),
      apps_notification = coalesce(given.apps_notification, u.apps_notification),
      tocsin_partner_account = coalesce(given.tocsin_partner_account, u.tocsin_partner_account), updated_at = coalesce($5, u.updated_at)
    where u.uuid = $4 returning u.uuid into saved;
    if not found then perform tocsin_private.refuse_missing(); end if;
  end if;
  -- If the user is being disabled, the replacement takes the user's place in rule alerts and actions, in the same
  -- transaction.
  if $6 is not null and given.status = false then perform tocsin_private.replace_people(array[saved], $6); end if;
  perform tocsin_private.change_site_users(unlink_sites, array[saved], false, 'sites');
  perform tocsin_private.change_site_users(link_sites, array[saved], true, 'sites');
  return saved;
end
$$;
