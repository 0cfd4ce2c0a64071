-- Escalation plans: the rotas, repeats and further steps of a rule alert. save_rule_alert changes them.
grant select (uuid, tocsin_customer_uuid, tocsin_rule_alert_uuid, step, wait_minutes, repeat_count, repeat_minutes, created_at)
  on tocsin.rule_step to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_rule_alert_uuid, step, tocsin_user_uuid, tocsin_rota_layer_uuid, created_at)
  on tocsin.rule_step_recipient to tocsin_request;
do $$
declare
  item text;
begin
  foreach item in array array['rule_step', 'rule_step_recipient'] loop
    execute format('create policy read_of_alert on tocsin.%1$I for select to tocsin_request using (
      tocsin_customer_uuid = (select tocsin_private.my_customer())
      and exists (select from tocsin.rule_alert r where r.uuid = %1$I.tocsin_rule_alert_uuid))', item);
  end loop;
end
$$;

-- Returns the name of a layer with its rota, such as "Pump stations, Primary".
create or replace function tocsin_private.layer_name(layer uuid) returns text language sql stable
  as $$ select r.name || ', ' || l.name from tocsin.rota_layer l join tocsin.rota r on r.uuid = l.tocsin_rota_uuid where l.uuid = $1 $$;

set local role tocsin_service;
-- Returns the name of the person or layer. Runs as tocsin_service, because operators see neither accounts nor all rotas.
create or replace function tocsin_definer.step_recipient_name(recipient tocsin.rule_step_recipient) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select coalesce((select u.display_name from tocsin.user u where u.uuid = $1.tocsin_user_uuid), tocsin_private.layer_name($1.tocsin_rota_layer_uuid))
    where $1.tocsin_customer_uuid = tocsin_private.my_customer()
  $$;

-- Replaces the steps of a rule alert. `steps` is the complete list. Runs as tocsin_service, because the checks must not be
-- bypassed by changing the tables.
create or replace function tocsin_definer.store_plan_steps(alert uuid, steps tocsin.plan_step[]) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  owner uuid;
  given tocsin.plan_step;
  number integer := 0;
  own_people integer;
begin
  select r.tocsin_customer_uuid into owner from tocsin.rule_alert r
  where r.uuid = $1 and r.tocsin_customer_uuid = tocsin_private.my_customer() and tocsin_private.is_manager() for update;
  if not found then perform tocsin_private.refuse_missing(); end if;
  if coalesce(cardinality(steps), 0) not between 1 and 10 then
    perform tocsin_private.refuse('steps', 'A plan has 1 to 10 steps.');
  end if;
  foreach given in array steps loop
    number := number + 1;
    own_people := case number
      when 1 then (select count(*) from tocsin.rule_alert_user u where u.tocsin_rule_alert_uuid = $1)
      when 2 then (select count(*) from tocsin.rule_escalate_user u where u.tocsin_rule_alert_uuid = $1)
      else coalesce(cardinality(given.people), 0) end;
    if number <= 2 and coalesce(cardinality(given.people), 0) > 0 then
      perform tocsin_private.refuse('steps', format('Step %s: enter its people in "%s".', number, case number when 1 then 'people' else 'escalates' end));
    end if;
    if own_people + coalesce(cardinality(given.layers), 0) = 0 then
      perform tocsin_private.refuse('steps', format('Step %s notifies nobody. Add a person or a rota.', number));
    end if;
    if coalesce(cardinality(given.people), 0) + coalesce(cardinality(given.layers), 0) > 50 then
      perform tocsin_private.refuse('steps', format('Step %s has more than 50 recipients. Remove some.', number));
    end if;
    if number > 2 and coalesce(given.wait_minutes, 0) not between 1 and 10080 then
      perform tocsin_private.refuse('steps', format('Step %s: enter a wait from 1 to 10,080 minutes.', number));
    end if;
    if number = 2 and num_nonnulls(given.wait_minutes, given.repeat_count, given.repeat_minutes) > 0 then
      perform tocsin_private.refuse('steps', 'Step 2: enter its wait and repeats in "escalate_minutes", "escalate_interval_minutes" and "escalate_count".');
    end if;
    if number <> 2 and coalesce(given.repeat_count, 0) not between 0 and 99 then
      perform tocsin_private.refuse('steps', format('Step %s: enter 0 to 99 repeats.', number));
    end if;
    if number <> 2 and coalesce(given.repeat_minutes, 15) not between 1 and 10080 then
      perform tocsin_private.refuse('steps', format('Step %s: enter an interval from 1 to 10,080 minutes.', number));
    end if;
    if exists (select from unnest(given.layers) l where not exists (
      select from tocsin.rota_layer r where r.uuid = l and r.tocsin_customer_uuid = owner)) then
      perform tocsin_private.refuse('steps', format('Step %s: a rota no longer exists. Remove it.', number));
    end if;
    if exists (select from unnest(given.people) p where not exists (
      select from tocsin.user u where u.uuid = p and u.tocsin_customer_uuid = owner)) then
      perform tocsin_private.refuse('steps', format('Step %s: a recipient no longer exists. Remove that recipient.', number));
    end if;
    if (select count(*) > count(distinct x) from unnest(given.people || given.layers) x) then
      perform tocsin_private.refuse('steps', format('Step %s: a recipient is listed twice. Remove one.', number));
    end if;
    perform tocsin_private.refuse_unreachable('steps', array(select p from unnest(given.people) p where not exists (
      select from tocsin.rule_step_recipient t where t.tocsin_rule_alert_uuid = $1 and t.tocsin_user_uuid = p)));
  end loop;

  delete from tocsin.rule_step s where s.tocsin_rule_alert_uuid = $1
    and (s.step > cardinality(steps) or s.step = 1 and coalesce((steps[1]).repeat_count, 0) = 0);
  insert into tocsin.rule_step as s (tocsin_customer_uuid, tocsin_rule_alert_uuid, step, wait_minutes, repeat_count, repeat_minutes)
  select owner, $1, n.step, case n.step when 1 then 0 else n.wait_minutes end, coalesce(n.repeat_count, 0), coalesce(n.repeat_minutes, 15)
  from unnest(steps) with ordinality n (wait_minutes, repeat_count, repeat_minutes, people, layers, step)
  where n.step <> 2 and (n.step > 2 or n.repeat_count > 0)
  on conflict on constraint rule_step_once_key do update
    set wait_minutes = excluded.wait_minutes, repeat_count = excluded.repeat_count, repeat_minutes = excluded.repeat_minutes
    where (s.wait_minutes, s.repeat_count, s.repeat_minutes) is distinct from (excluded.wait_minutes, excluded.repeat_count, excluded.repeat_minutes);

  delete from tocsin.rule_step_recipient t where t.tocsin_rule_alert_uuid = $1
    and not coalesce(t.tocsin_user_uuid = any ((steps[t.step]).people) or t.tocsin_rota_layer_uuid = any ((steps[t.step]).layers), false);
  insert into tocsin.rule_step_recipient (tocsin_customer_uuid, tocsin_rule_alert_uuid, step, tocsin_user_uuid, tocsin_rota_layer_uuid)
  select owner, $1, n.step, x.person, x.layer
  from unnest(steps) with ordinality n (wait_minutes, repeat_count, repeat_minutes, people, layers, step)
    cross join lateral (select p as person, null::uuid as layer from unnest(n.people) p union all select null, l from unnest(n.layers) l) x
  on conflict on constraint rule_step_recipient_once_key do nothing;
end
$$;

-- Copies the steps of a rule alert to the copy of its site. Disabled users are not copied.
create or replace function tocsin_definer.copy_plan_steps(alert uuid, copy uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if not tocsin_private.is_manager() or (select count(*) from tocsin.rule_alert r where r.uuid in ($1, $2)
    and r.tocsin_customer_uuid = tocsin_private.my_customer()) <> 2 then
    perform tocsin_private.refuse_missing();
  end if;
  insert into tocsin.rule_step (tocsin_customer_uuid, tocsin_rule_alert_uuid, step, wait_minutes, repeat_count, repeat_minutes)
  select s.tocsin_customer_uuid, $2, s.step, s.wait_minutes, s.repeat_count, s.repeat_minutes from tocsin.rule_step s where s.tocsin_rule_alert_uuid = $1;
  insert into tocsin.rule_step_recipient (tocsin_customer_uuid, tocsin_rule_alert_uuid, step, tocsin_user_uuid, tocsin_rota_layer_uuid)
  select t.tocsin_customer_uuid, $2, t.step, t.tocsin_user_uuid, t.tocsin_rota_layer_uuid from tocsin.rule_step_recipient t
  where t.tocsin_rule_alert_uuid = $1
    and (t.tocsin_user_uuid is null or tocsin_definer.unreachable_because(t.tocsin_user_uuid) is distinct from 'disabled');
end
$$;

-- Replaces users with one user in the steps of every rule alert of the customer.
create or replace function tocsin_definer.replace_step_people(people uuid[], replacement uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if not tocsin_private.is_manager() then return; end if;
  insert into tocsin.rule_step_recipient (tocsin_customer_uuid, tocsin_rule_alert_uuid, step, tocsin_user_uuid)
  select distinct t.tocsin_customer_uuid, t.tocsin_rule_alert_uuid, t.step, $2 from tocsin.rule_step_recipient t
  where t.tocsin_user_uuid = any ($1) and t.tocsin_customer_uuid = tocsin_private.my_customer()
  on conflict on constraint rule_step_recipient_once_key do nothing;
  delete from tocsin.rule_step_recipient t where t.tocsin_user_uuid = any ($1) and t.tocsin_customer_uuid = tocsin_private.my_customer();
end
$$;

-- Returns people with what decides by which methods they are notified, for managers who rehearse a plan. Runs as
-- tocsin_service, because managers see neither every account nor push subscriptions.
create or replace function tocsin_definer.people_to_notify(people uuid[]) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select coalesce(jsonb_agg(jsonb_build_object('uuid', u.uuid, 'name', u.display_name, 'active', u.status, 'varified', u.varified,
      'email', u.email, 'phone', u.phone_number,
      'pushAddresses', coalesce((select jsonb_agg(p.uuid order by p.created_at) from tocsin.push_subscription p where p.tocsin_user_uuid = u.uuid), '[]'),
      'wants', jsonb_build_object('email', u.email_notification, 'sms', u.sms_notification, 'whatsapp', u.whatsapp_notification,
        'push', u.apps_notification))), '[]')
    from tocsin.user u
    where u.uuid = any ($1) and u.tocsin_customer_uuid = tocsin_private.my_customer() and tocsin_private.is_manager()
  $$;
reset role;

-- Returns the name of the person or layer of a step.
create function tocsin.rule_step_recipient_name(recipient tocsin.rule_step_recipient) returns text language sql stable
  as $$ select tocsin_definer.step_recipient_name($1) $$;
comment on function tocsin.rule_step_recipient_name(tocsin.rule_step_recipient) is '@behavior -filterBy';

-- Returns the steps of a rule alert as the engine needs them: rows of rule_step, and the recipients of rule_step_recipient.
-- Null for a rule alert with neither.
create or replace function tocsin_private.plan_steps(alert uuid) returns json language sql stable
  as $$
    select json_agg(json_build_object('step', n.step, 'waitMinutes', s.wait_minutes, 'repeats', coalesce(s.repeat_count, 0),
      'everyMinutes', coalesce(s.repeat_minutes, 15),
      'people', coalesce((select json_agg(t.tocsin_user_uuid order by t.tocsin_user_uuid) from tocsin.rule_step_recipient t
        where t.tocsin_rule_alert_uuid = $1 and t.step = n.step and t.tocsin_user_uuid is not null), '[]'),
      'layers', coalesce((select json_agg(json_build_object('uuid', t.tocsin_rota_layer_uuid, 'name', tocsin_private.layer_name(t.tocsin_rota_layer_uuid))
          order by tocsin_private.layer_name(t.tocsin_rota_layer_uuid), t.tocsin_rota_layer_uuid) from tocsin.rule_step_recipient t
        where t.tocsin_rule_alert_uuid = $1 and t.step = n.step and t.tocsin_rota_layer_uuid is not null), '[]')) order by n.step)
    from (select o.step from tocsin.rule_step o where o.tocsin_rule_alert_uuid = $1
      union select o.step from tocsin.rule_step_recipient o where o.tocsin_rule_alert_uuid = $1) n
    left join tocsin.rule_step s on s.tocsin_rule_alert_uuid = $1 and s.step = n.step
  $$;

-- Returns layers with all that decides who is on call from a time on, for the engine.
create or replace function tocsin_private.layer_facts(layers uuid[], since timestamptz) returns jsonb language sql stable
  as $$
    with layer as (select l.* from tocsin.rota_layer l where l.uuid = any ($1)),
    override as (select o.* from tocsin.rota_override o where o.tocsin_rota_layer_uuid = any ($1) and o.ends_at > $2),
    named (customer, uuid, name) as (
      select p.tocsin_customer_uuid, p.person_uuid, p.person_name from tocsin.rota_layer_person p where p.tocsin_rota_layer_uuid = any ($1)
      union all
      select o.tocsin_customer_uuid, x.uuid, x.name from override o
        cross join lateral (values (o.off_uuid, o.off_name), (o.cover_uuid, o.cover_name)) x (uuid, name) where x.uuid is not null
    )
    select jsonb_build_object(
      'people', coalesce((select jsonb_agg(distinct jsonb_build_object('uuid', n.uuid, 'name', coalesce(u.display_name, n.name),
          'isActive', coalesce(u.status and not u.tocsin_partner_account, false)))
        from named n left join tocsin.user u on u.uuid = n.uuid and u.tocsin_customer_uuid = n.customer), '[]'),
      'layers', coalesce((select jsonb_agg(jsonb_build_object('uuid', l.uuid, 'name', l.name, 'turnHours', l.turn_hours,
          'firstDay', to_char(l.first_day, 'YYYY-MM-DD'), 'handoverTime', l.handover_time, 'timeZone', l.time_zone, 'hours', l.hours,
          'version', l.version, 'gaps', '[]'::jsonb,
          'people', (select coalesce(jsonb_agg(p.person_uuid order by p.position), '[]') from tocsin.rota_layer_person p
            where p.tocsin_rota_layer_uuid = l.uuid),
          'overrides', (select coalesce(jsonb_agg(jsonb_build_object('uuid', o.uuid, 'startsAt', o.starts_at, 'endsAt', o.ends_at,
              'off', o.off_uuid, 'cover', o.cover_uuid, 'reason', o.reason) order by o.starts_at, o.uuid), '[]')
            from override o where o.tocsin_rota_layer_uuid = l.uuid))) from layer l), '[]'))
  $$;
