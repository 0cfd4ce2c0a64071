-- Rotas: who is on call. Managers see and change all rotas of the customer. Operators see the rotas in which they are, or
-- in which they cover. Changes go through the functions of rota_save.sql.
set local role tocsin_service;
-- Returns the rotas in which an operator is. Runs as tocsin_service, because the policies of these tables call it.
create or replace function tocsin_definer.my_rotas() returns uuid[]
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if coalesce(tocsin_private.my_level() < 10 or tocsin_private.is_partner_account(), true) then
    return '{}';
  end if;
  return array(
    select l.tocsin_rota_uuid from tocsin.rota_layer l
    where l.tocsin_customer_uuid = tocsin_private.my_customer()
      and (exists (select from tocsin.rota_layer_person p where p.tocsin_rota_layer_uuid = l.uuid and p.person_uuid = tocsin_private.me())
        or exists (select from tocsin.rota_override o where o.tocsin_rota_layer_uuid = l.uuid and o.cover_uuid = tocsin_private.me())));
end
$$;

-- Returns the people of the rotas that the caller sees: in turn, off, covering or asked to swap. People who were deleted
-- keep their name. Runs as tocsin_service, because operators cannot read accounts.
create or replace function tocsin_definer.rota_people() returns setof tocsin.rota_person
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    with layer as (
      select l.uuid from tocsin.rota_layer l
      where l.tocsin_customer_uuid = tocsin_private.my_customer()
        and (tocsin_private.is_manager() or l.tocsin_rota_uuid = any (tocsin_definer.my_rotas()))
    ), named (uuid, name) as (
      select p.person_uuid, p.person_name from tocsin.rota_layer_person p where p.tocsin_rota_layer_uuid in (select l.uuid from layer l)
      union all
      select x.uuid, x.name from tocsin.rota_override o cross join lateral (values (o.off_uuid, o.off_name), (o.cover_uuid, o.cover_name)) x (uuid, name)
      where o.tocsin_rota_layer_uuid in (select l.uuid from layer l) and x.uuid is not null
      union all
      select x.uuid, x.name from tocsin.rota_swap s
        cross join lateral (values (s.asker_uuid, s.asker_name), (s.colleague_uuid, s.colleague_name)) x (uuid, name)
      where s.tocsin_rota_layer_uuid in (select l.uuid from layer l)
    )
    select n.uuid, coalesce(u.display_name, min(n.name)), coalesce(u.phone_number, ''),
      coalesce(u.status and not u.tocsin_partner_account, false)
    from named n left join tocsin.user u on u.uuid = n.uuid and u.tocsin_customer_uuid = tocsin_private.my_customer()
    group by n.uuid, u.display_name, u.phone_number, u.status, u.tocsin_partner_account
    order by 2, 1
  $$;

-- Returns the active people of the customer for managers, who put them into rotas.
create or replace function tocsin_definer.on_call_people() returns setof tocsin.rota_person
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select u.uuid, u.display_name, u.phone_number, true from tocsin.user u
    where u.tocsin_customer_uuid = tocsin_private.my_customer() and tocsin_private.is_manager()
      and u.status and not u.tocsin_partner_account
    order by lower(u.display_name), u.uuid
  $$;
reset role;

grant select (uuid, tocsin_customer_uuid, name, created_at, updated_at) on tocsin.rota to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_rota_uuid, name, position, turn_hours, first_day, handover_time, time_zone, hours,
  version, created_at, updated_at) on tocsin.rota_layer to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_rota_layer_uuid, position, person_uuid, person_name) on tocsin.rota_layer_person to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_rota_layer_uuid, starts_at, ends_at, off_uuid, off_name, cover_uuid, cover_name,
  reason, user_name, created_at) on tocsin.rota_override to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_rota_layer_uuid, starts_at, ends_at, user_name, created_at) on tocsin.rota_gap to tocsin_request;
grant select (uuid, tocsin_customer_uuid, tocsin_rota_layer_uuid, asker_uuid, asker_name, colleague_uuid, colleague_name, starts_at,
  ends_at, back_starts_at, back_ends_at, state, created_at, answered_at) on tocsin.rota_swap to tocsin_request;

create policy read on tocsin.rota for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and ((select tocsin_private.is_manager()) or uuid = any ((select tocsin_definer.my_rotas())::uuid[])));
create policy read on tocsin.rota_layer for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer())
  and ((select tocsin_private.is_manager()) or tocsin_rota_uuid = any ((select tocsin_definer.my_rotas())::uuid[])));
do $$
declare
  item text;
begin
  foreach item in array array['rota_layer_person', 'rota_override', 'rota_gap', 'rota_swap'] loop
    execute format('create policy read_of_layer on tocsin.%I for select to tocsin_request using (
      tocsin_customer_uuid = (select tocsin_private.my_customer())
      and exists (select from tocsin.rota_layer l where l.uuid = tocsin_rota_layer_uuid))', item);
  end loop;
end
$$;

-- Returns the people of the rotas that the user sees, with their present names. Inactive people were deleted or disabled.
create function tocsin.rota_people() returns setof tocsin.rota_person language sql stable
  as $$ select * from tocsin_definer.rota_people() $$;

-- Returns the active people of the company, for managers.
create function tocsin.on_call_people() returns setof tocsin.rota_person language sql stable
  as $$ select * from tocsin_definer.on_call_people() $$;

-- Returns rotas with all that decides who is on call, for the server. Without a uuid, returns all rotas that the user sees.
create or replace function tocsin_private.rota_facts(rota_uuid uuid default null) returns jsonb language sql stable
  as $$
    select jsonb_build_object(
      'people', coalesce((select jsonb_agg(jsonb_build_object('uuid', p.uuid, 'name', p.name, 'isActive', p.is_active))
        from tocsin_definer.rota_people() p), '[]'),
      'rotas', coalesce((select jsonb_agg(jsonb_build_object('uuid', r.uuid, 'name', r.name,
        'layers', (select coalesce(jsonb_agg(jsonb_build_object('uuid', l.uuid, 'name', l.name, 'turnHours', l.turn_hours,
          'firstDay', to_char(l.first_day, 'YYYY-MM-DD'), 'handoverTime', l.handover_time, 'timeZone', l.time_zone, 'hours', l.hours,
          'version', l.version,
          'people', (select coalesce(jsonb_agg(p.person_uuid order by p.position), '[]') from tocsin.rota_layer_person p
            where p.tocsin_rota_layer_uuid = l.uuid),
          'overrides', (select coalesce(jsonb_agg(jsonb_build_object('uuid', o.uuid, 'startsAt', o.starts_at, 'endsAt', o.ends_at,
              'off', o.off_uuid, 'cover', o.cover_uuid, 'reason', o.reason) order by o.starts_at, o.uuid), '[]')
            from tocsin.rota_override o where o.tocsin_rota_layer_uuid = l.uuid),
          'gaps', (select coalesce(jsonb_agg(jsonb_build_object('startsAt', g.starts_at, 'endsAt', g.ends_at) order by g.starts_at, g.uuid), '[]')
            from tocsin.rota_gap g where g.tocsin_rota_layer_uuid = l.uuid)
          ) order by l.position, l.uuid), '[]') from tocsin.rota_layer l where l.tocsin_rota_uuid = r.uuid)
        ) order by lower(r.name), r.uuid)
        from tocsin.rota r where $1 is null or r.uuid = $1), '[]'))
  $$;
