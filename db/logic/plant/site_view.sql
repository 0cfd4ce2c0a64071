-- Returns the health and the recipients of a site, for the site's page.

-- Counts the received and expected slots of the last seven days. For a newer site, counting starts with its creation.
-- The slot in which the site was created counts only if data arrived in it.
create function tocsin.site_week_health(site tocsin.site, out received integer, out expected integer) language sql stable
  as $$
    with slot as (
      select site.tocsin_health_duration_hours * 3600 as seconds
    ), week as (
      select w.finish, greatest(w.finish - interval '7 days', to_timestamp(floor(extract(epoch from site.created_at) / seconds) * seconds)) as start
      from slot cross join lateral (select to_timestamp(floor(extract(epoch from tocsin_private.clock()) / seconds) * seconds) as finish) w
    )
    select h.slots, tocsin_private.slots_between(site.tocsin_health_duration_hours, greatest(week.start, site.created_at), week.finish) + h.of_making
    from week cross join lateral (
      select count(*)::integer as slots, count(*) filter (where h.slot_start < site.created_at)::integer as of_making
      from tocsin.health_slot h
      where h.tocsin_site_uuid = site.uuid and h.slot_start >= week.start and h.slot_start < week.finish
    ) h
  $$;

-- Returns the recipients at a site. Runs as tocsin_service, because operators cannot read accounts. Returns only names,
-- which alarms also show. Returns no row if the caller is not allowed to see the site.
set local role tocsin_service;
create or replace function tocsin_definer.people_of_site(uuid uuid)
  returns table (user_uuid uuid, name text, is_alert boolean, is_health boolean, escalate_after integer)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  return query
    select u.uuid, u.display_name, bool_or(p.is_alert), bool_or(p.is_health), min(p.escalate_after)
    from tocsin.site s
    join tocsin.rule_alert r on r.tocsin_site_uuid = s.uuid
    -- A rule alert whose name no rule of the site has can notify only its recipients for a silent site.
    cross join lateral (select tocsin_private.count_alarm_sources(s.uuid, r.tocsin_rule_name) > 0 as is_there) k
    cross join lateral (
      select l.tocsin_user_uuid, l.is_alert and k.is_there as is_alert, l.is_health, null::integer as escalate_after
      from tocsin.rule_alert_user l where l.tocsin_rule_alert_uuid = r.uuid and (l.is_alert and k.is_there or l.is_health)
      union all
      select e.tocsin_user_uuid, false, false, r.escalate_minutes
      from tocsin.rule_escalate_user e where e.tocsin_rule_alert_uuid = r.uuid and k.is_there
        -- Alarms that need no acknowledgement are not escalated.
        and (r.ind_ack or exists (select from tocsin.action x where x.tocsin_site_uuid = s.uuid and x.acknowledge))
    ) p
    join tocsin.user u on u.uuid = p.tocsin_user_uuid and u.status
    where s.uuid = $1 and s.tocsin_customer_uuid = tocsin_private.my_customer()
      and (tocsin_private.is_manager() or s.uuid = any (tocsin_private.my_sites()))
    group by u.uuid, u.display_name
    order by not bool_or(p.is_alert), not bool_or(p.is_health), min(p.escalate_after), u.display_name;
end
$$;
reset role;

-- Returns the people notified about a site: when an alarm opens, when the site is silent, or on escalation.
create function tocsin.site_people(site tocsin.site)
  returns table (user_uuid uuid, name text, is_alert boolean, is_health boolean, escalate_after integer) language sql stable rows 10
  as $$ select * from tocsin_definer.people_of_site(site.uuid) $$;
