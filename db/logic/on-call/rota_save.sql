-- Changing rotas. The server checks turns, hours, overrides, gaps and swaps with domain/on-call/ before these functions
-- run (server/graphql/schema/rota-checks.ts). It passes the checked layer and its version as a setting, so that a change
-- that was checked against an older version is refused.
set local role tocsin_service;

-- Locks a layer of the caller's customer, and counts its version up. Refuses if the server has not checked this version.
create or replace function tocsin_definer.change_layer(layer_uuid uuid) returns tocsin.rota_layer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  checked jsonb := nullif(current_setting('tocsin.rota_check', true), '')::jsonb;
  found_layer tocsin.rota_layer;
begin
  select l.* into found_layer from tocsin.rota_layer l
  where l.uuid = layer_uuid and l.tocsin_customer_uuid = tocsin_private.my_customer() for update;
  if not found then perform tocsin_private.refuse_missing(); end if;
  if (checked ->> 'layer')::uuid is distinct from layer_uuid or (checked ->> 'version')::integer is distinct from found_layer.version then
    perform tocsin_private.refuse('uuid', 'Somebody has just changed this rota. Load it again, and repeat your change.');
  end if;
  update tocsin.rota_layer l set version = l.version + 1, updated_at = tocsin_private.clock() where l.uuid = layer_uuid
  returning l.* into found_layer;
  return found_layer;
end
$$;

-- Refuses people who do not exist, are disabled or belong to another customer. People who are in the layer already may stay.
create or replace function tocsin_definer.check_rota_people(field text, people uuid[], layer_uuid uuid) returns void
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from unnest(people) p (uuid)
  where not exists (select from tocsin.user u where u.uuid = p.uuid and u.tocsin_customer_uuid = tocsin_private.my_customer()
      and u.status and not u.tocsin_partner_account)
    and not exists (select from tocsin.rota_layer_person l where l.tocsin_rota_layer_uuid = layer_uuid and l.person_uuid = p.uuid);
  if found then perform tocsin_private.refuse(field, 'This person does not exist or is disabled. Choose somebody else.'); end if;
end
$$;

create or replace function tocsin_definer.check_rota_name(field text, wanted text, rota_uuid uuid) returns void
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from tocsin.rota r
  where r.tocsin_customer_uuid = tocsin_private.my_customer() and lower(r.name) = lower(btrim(wanted)) and r.uuid is distinct from rota_uuid;
  if found then perform tocsin_private.refuse(field, 'There is already a rota with this name. Choose another name.'); end if;
end
$$;

-- Stores a layer with its people. Without a uuid, adds a layer; without a rota, adds the rota as well.
create or replace function tocsin_definer.store_layer(wanted tocsin.rota_layer, people uuid[], rota_name text) returns tocsin.rota
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  mine uuid := tocsin_private.my_customer();
  stored tocsin.rota;
begin
  if not tocsin_private.is_manager() then perform tocsin_private.refuse_missing(); end if;
  perform tocsin_definer.check_rota_people('person_uuids', people, wanted.uuid);
  if wanted.tocsin_rota_uuid is null then
    perform tocsin_definer.check_rota_name('rota_name', rota_name, null);
    insert into tocsin.rota (tocsin_customer_uuid, name) values (mine, btrim(rota_name)) returning * into stored;
  else
    update tocsin.rota r set updated_at = tocsin_private.clock()
    where r.uuid = wanted.tocsin_rota_uuid and r.tocsin_customer_uuid = mine returning r.* into stored;
    if not found then perform tocsin_private.refuse_missing(); end if;
  end if;
  if wanted.uuid is null then
    wanted.uuid := gen_random_uuid();
    insert into tocsin.rota_layer (uuid, tocsin_customer_uuid, tocsin_rota_uuid, name, position, turn_hours, first_day, handover_time, time_zone, hours)
    values (wanted.uuid, mine, stored.uuid, btrim(wanted.name),
      (select coalesce(max(l.position), 0) + 1 from tocsin.rota_layer l where l.tocsin_rota_uuid = stored.uuid),
      wanted.turn_hours, wanted.first_day, wanted.handover_time, wanted.time_zone, wanted.hours);
  else
    if (tocsin_definer.change_layer(wanted.uuid)).tocsin_rota_uuid is distinct from stored.uuid then perform tocsin_private.refuse_missing(); end if;
    update tocsin.rota_layer l set (name, turn_hours, first_day, handover_time, time_zone, hours)
      = (btrim(wanted.name), wanted.turn_hours, wanted.first_day, wanted.handover_time, wanted.time_zone, wanted.hours)
    where l.uuid = wanted.uuid;
  end if;
  delete from tocsin.rota_layer_person p where p.tocsin_rota_layer_uuid = wanted.uuid and p.person_uuid <> all (people);
  insert into tocsin.rota_layer_person as p (tocsin_customer_uuid, tocsin_rota_layer_uuid, position, person_uuid, person_name)
  select mine, wanted.uuid, x.place, x.uuid, coalesce(u.display_name, '')
  from unnest(people) with ordinality x (uuid, place) left join tocsin.user u on u.uuid = x.uuid and u.tocsin_customer_uuid = mine
  on conflict on constraint rota_layer_person_once_key do update set position = excluded.position,
    person_name = coalesce(nullif(excluded.person_name, ''), p.person_name)
  where (p.position, p.person_name) is distinct from (excluded.position, coalesce(nullif(excluded.person_name, ''), p.person_name));
  return stored;
end
$$;

create or replace function tocsin_definer.rename_rota(rota_uuid uuid, name text) returns tocsin.rota
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  stored tocsin.rota;
begin
  perform tocsin_definer.check_rota_name('name', $2, $1);
  update tocsin.rota r set name = btrim($2), updated_at = tocsin_private.clock()
  where r.uuid = $1 and r.tocsin_customer_uuid = tocsin_private.my_customer() and tocsin_private.is_manager() returning r.* into stored;
  if not found then perform tocsin_private.refuse_missing(); end if;
  return stored;
end
$$;

-- Refuses to delete layers that an escalation plan names, because the plan would then silently notify nobody.
create or replace function tocsin_definer.refuse_planned_layers(layers uuid[], field text) returns void
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  alerts text;
begin
  select string_agg(distinct format('"%s" at %s', a.tocsin_rule_name, s.name), ', ') into alerts
  from tocsin.rule_step_recipient t join tocsin.rule_alert a on a.uuid = t.tocsin_rule_alert_uuid join tocsin.site s on s.uuid = a.tocsin_site_uuid
  where t.tocsin_rota_layer_uuid = any (layers) and t.tocsin_customer_uuid = tocsin_private.my_customer();
  if alerts is not null then
    perform tocsin_private.refuse(field, format('Remove this rota from the escalation plans of these rule alerts first: %s.', left(alerts, 500)));
  end if;
end
$$;

create or replace function tocsin_definer.delete_rota(rota_uuid uuid) returns tocsin.rota
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  gone tocsin.rota;
begin
  perform tocsin_definer.refuse_planned_layers(array(select l.uuid from tocsin.rota_layer l where l.tocsin_rota_uuid = $1), 'rota_uuid');
  delete from tocsin.rota r
  where r.uuid = $1 and r.tocsin_customer_uuid = tocsin_private.my_customer() and tocsin_private.is_manager() returning r.* into gone;
  if not found then perform tocsin_private.refuse_missing(); end if;
  return gone;
end
$$;

create or replace function tocsin_definer.delete_layer(layer_uuid uuid) returns tocsin.rota_layer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  gone tocsin.rota_layer;
begin
  select l.* into gone from tocsin.rota_layer l
  where l.uuid = $1 and l.tocsin_customer_uuid = tocsin_private.my_customer() and tocsin_private.is_manager();
  if not found then perform tocsin_private.refuse_missing(); end if;
  -- Two people who delete the last two layers wait for each other here.
  perform from tocsin.rota r where r.uuid = gone.tocsin_rota_uuid for update;
  if not exists (select from tocsin.rota_layer l where l.tocsin_rota_uuid = gone.tocsin_rota_uuid and l.uuid <> $1) then
    perform tocsin_private.refuse('layer_uuid', 'A rota needs at least one layer. Delete the rota instead.');
  end if;
  perform tocsin_definer.refuse_planned_layers(array[$1], 'layer_uuid');
  delete from tocsin.rota_layer l where l.uuid = $1;
  return gone;
end
$$;

create or replace function tocsin_definer.store_override(wanted tocsin.rota_override) returns tocsin.rota_override
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  stored tocsin.rota_override;
begin
  if not tocsin_private.is_manager() then perform tocsin_private.refuse_missing(); end if;
  perform tocsin_definer.change_layer(wanted.tocsin_rota_layer_uuid);
  if wanted.cover_uuid is not null then perform tocsin_definer.check_rota_people('cover_uuid', array[wanted.cover_uuid], null); end if;
  insert into tocsin.rota_override (tocsin_customer_uuid, tocsin_rota_layer_uuid, starts_at, ends_at, off_uuid, off_name, cover_uuid,
    cover_name, reason, user_name)
  values (tocsin_private.my_customer(), wanted.tocsin_rota_layer_uuid, greatest(wanted.starts_at, tocsin_private.clock()), wanted.ends_at,
    wanted.off_uuid, coalesce((select p.person_name from tocsin.rota_layer_person p
      where p.tocsin_rota_layer_uuid = wanted.tocsin_rota_layer_uuid and p.person_uuid = wanted.off_uuid), ''),
    wanted.cover_uuid, coalesce((select u.display_name from tocsin.user u where u.uuid = wanted.cover_uuid), ''),
    wanted.reason, tocsin_definer.my_name())
  returning * into stored;
  return stored;
end
$$;

-- Deletes an override that has not ended. One that has begun ends now, because its past shifts were real.
create or replace function tocsin_definer.delete_override(override_uuid uuid) returns uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  gone tocsin.rota_override;
begin
  select o.* into gone from tocsin.rota_override o
  where o.uuid = $1 and o.tocsin_customer_uuid = tocsin_private.my_customer() and tocsin_private.is_manager() for update;
  if not found then perform tocsin_private.refuse_missing(); end if;
  if gone.ends_at <= tocsin_private.clock() then
    perform tocsin_private.refuse('override_uuid', 'This override has ended. The past cannot be changed.');
  end if;
  update tocsin.rota_layer l set version = l.version + 1 where l.uuid = gone.tocsin_rota_layer_uuid;
  if gone.starts_at < tocsin_private.clock() then
    update tocsin.rota_override o set ends_at = tocsin_private.clock() where o.uuid = $1;
  else
    delete from tocsin.rota_override o where o.uuid = $1;
  end if;
  return gone.uuid;
end
$$;

create or replace function tocsin_definer.store_gap(layer_uuid uuid, starts_at timestamptz, ends_at timestamptz) returns tocsin.rota_gap
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  stored tocsin.rota_gap;
begin
  if not tocsin_private.is_manager() then perform tocsin_private.refuse_missing(); end if;
  perform tocsin_definer.change_layer($1);
  insert into tocsin.rota_gap (tocsin_customer_uuid, tocsin_rota_layer_uuid, starts_at, ends_at, user_name)
  values (tocsin_private.my_customer(), $1, $2, $3, tocsin_definer.my_name()) returning * into stored;
  return stored;
end
$$;

-- Asks a colleague in the same layer to take a shift of the caller.
create or replace function tocsin_definer.store_swap(wanted tocsin.rota_swap) returns tocsin.rota_swap
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  stored tocsin.rota_swap;
begin
  perform tocsin_definer.change_layer(wanted.tocsin_rota_layer_uuid);
  if not exists (select from tocsin.rota_layer_person p join tocsin.user u on u.uuid = p.person_uuid and u.status
    where p.tocsin_rota_layer_uuid = wanted.tocsin_rota_layer_uuid and p.person_uuid = wanted.colleague_uuid) then
    perform tocsin_private.refuse('colleague_uuid', 'This person is not in this layer. Choose a person who is in this layer.');
  elsif exists (select from tocsin.rota_swap s where s.tocsin_rota_layer_uuid = wanted.tocsin_rota_layer_uuid and s.state = 'asked'
    and s.asker_uuid = tocsin_private.me() and s.starts_at < wanted.ends_at and s.ends_at > wanted.starts_at) then
    perform tocsin_private.refuse('starts_at', 'You have asked a colleague about this shift already. Cancel that request first.');
  end if;
  insert into tocsin.rota_swap (tocsin_customer_uuid, tocsin_rota_layer_uuid, asker_uuid, asker_name, colleague_uuid, colleague_name,
    starts_at, ends_at, back_starts_at, back_ends_at)
  values (tocsin_private.my_customer(), wanted.tocsin_rota_layer_uuid, tocsin_private.me(), tocsin_definer.my_name(), wanted.colleague_uuid,
    (select u.display_name from tocsin.user u where u.uuid = wanted.colleague_uuid),
    greatest(wanted.starts_at, tocsin_private.clock()), wanted.ends_at, wanted.back_starts_at, wanted.back_ends_at)
  returning * into stored;
  return stored;
end
$$;

-- Answers a swap. The colleague accepts or declines it, the asker cancels it. An accepted swap becomes overrides.
create or replace function tocsin_definer.answer_swap(swap_uuid uuid, answer text) returns tocsin.rota_swap
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  asked tocsin.rota_swap;
begin
  select s.* into asked from tocsin.rota_swap s
  where s.uuid = $1 and s.tocsin_customer_uuid = tocsin_private.my_customer()
    and tocsin_private.me() = case answer when 'cancelled' then s.asker_uuid else s.colleague_uuid end for update;
  if not found then perform tocsin_private.refuse_missing(); end if;
  if asked.state <> 'asked' then
    perform tocsin_private.refuse('swap_uuid', format('This swap was already %s.', asked.state));
  end if;
  if answer = 'accepted' then
    perform tocsin_definer.change_layer(asked.tocsin_rota_layer_uuid);
    insert into tocsin.rota_override (tocsin_customer_uuid, tocsin_rota_layer_uuid, starts_at, ends_at, off_uuid, off_name, cover_uuid,
      cover_name, reason, user_name)
    select asked.tocsin_customer_uuid, asked.tocsin_rota_layer_uuid, greatest(x.starts_at, tocsin_private.clock()), x.ends_at,
      x.off_uuid, x.off_name, x.cover_uuid, x.cover_name, 'swap', asked.colleague_name
    from (values (asked.starts_at, asked.ends_at, asked.asker_uuid, asked.asker_name, asked.colleague_uuid, asked.colleague_name),
      (asked.back_starts_at, asked.back_ends_at, asked.colleague_uuid, asked.colleague_name, asked.asker_uuid, asked.asker_name))
      x (starts_at, ends_at, off_uuid, off_name, cover_uuid, cover_name)
    where x.starts_at is not null;
  end if;
  update tocsin.rota_swap s set state = answer, answered_at = tocsin_private.clock() where s.uuid = $1 returning s.* into asked;
  return asked;
end
$$;

-- Replaces the secret of a feed of the caller. The old address stops working. Returns the new one once; only its hash is stored.
create or replace function tocsin_definer.renew_feed(rota_uuid uuid) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  secret text := tocsin_private.base64url(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
  feed uuid;
begin
  insert into tocsin_private.calendar_feed as f (tocsin_customer_uuid, tocsin_user_uuid, tocsin_rota_uuid, secret_hash, created_at)
  values (tocsin_private.my_customer(), tocsin_private.me(), $1, sha256(convert_to(secret, 'UTF8')), tocsin_private.clock())
  on conflict on constraint calendar_feed_once_key do update set secret_hash = excluded.secret_hash, created_at = excluded.created_at
  returning f.uuid into feed;
  return format('/calendar/%s/%s.ics', feed, secret);
end
$$;

create or replace function tocsin_definer.my_feeds() returns setof tocsin.calendar_feed
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select f.tocsin_rota_uuid, f.created_at from tocsin_private.calendar_feed f
    where f.tocsin_user_uuid = tocsin_private.me() and f.tocsin_customer_uuid = tocsin_private.my_customer() order by f.created_at, f.uuid
  $$;
reset role;

create or replace function tocsin_private.refuse_unseen_layer(layer_uuid uuid) returns void language plpgsql stable
  as $$
begin
  perform from tocsin.rota_layer l where l.uuid = $1;
  if not found then perform tocsin_private.refuse_missing(); end if;
end
$$;

-- Adds a layer to a rota, or changes the layer with this uuid. Without a rota_uuid, adds a rota with this layer. The turn of
-- the first person begins on first_day at handover_time, in the time zone. A turn has turn_hours on the clock: 24 for a day,
-- 168 for a week. hours is a list such as [{"weekdays": [1, 2], "from": "18:00", "to": "08:00"}]; empty for around the clock.
create function tocsin.save_rota_layer(name text, person_uuids uuid[], turn_hours integer, first_day date, handover_time text,
    time_zone text, hours jsonb default '[]', rota_uuid uuid default null, rota_name text default null, uuid uuid default null)
  returns tocsin.rota language plpgsql volatile
  as $$
declare
  wanted tocsin.rota_layer;
begin
  wanted.uuid := $10;
  wanted.tocsin_rota_uuid := $8;
  wanted.name := $1;
  wanted.turn_hours := $3;
  wanted.first_day := $4;
  wanted.handover_time := $5;
  wanted.time_zone := $6;
  wanted.hours := $7;
  return tocsin_definer.store_layer(wanted, $2, $9);
end
$$;

-- Renames a rota.
create function tocsin.rename_rota(rota_uuid uuid, name text) returns tocsin.rota language sql volatile
  as $$ select tocsin_definer.rename_rota($1, $2) $$;

-- Deletes a rota with its layers, overrides and calendar feeds.
create function tocsin.delete_rota(rota_uuid uuid) returns tocsin.rota language sql volatile
  as $$ select tocsin_definer.delete_rota($1) $$;

-- Deletes a layer with its overrides. The last layer of a rota cannot be deleted.
create function tocsin.delete_rota_layer(layer_uuid uuid) returns tocsin.rota_layer language sql volatile
  as $$ select tocsin_definer.delete_layer($1) $$;

-- Changes who is on call in a period. With off_uuid, only the shifts of this person change; without cover_uuid, they are gaps.
-- Without off_uuid, the cover takes all shifts. A start in the past becomes the present.
create function tocsin.add_rota_override(layer_uuid uuid, starts_at timestamptz, ends_at timestamptz, off_uuid uuid default null,
    cover_uuid uuid default null, reason text default '') returns tocsin.rota_override language plpgsql volatile
  as $$
declare
  wanted tocsin.rota_override;
begin
  wanted.tocsin_rota_layer_uuid := $1;
  wanted.starts_at := $2;
  wanted.ends_at := $3;
  wanted.off_uuid := $4;
  wanted.cover_uuid := $5;
  wanted.reason := btrim(regexp_replace(coalesce($6, ''), '\s+', ' ', 'g'));
  if length(wanted.reason) > 200 then perform tocsin_private.refuse('reason', 'Enter a reason of at most 200 characters.'); end if;
  return tocsin_definer.store_override(wanted);
end
$$;

-- Deletes an override that has not ended. One that has begun ends now.
create function tocsin.delete_rota_override(override_uuid uuid) returns uuid language sql volatile
  as $$ select tocsin_definer.delete_override($1) $$;

-- Confirms that nobody is on call in a period of a layer. The whole period must be a gap.
create function tocsin.confirm_rota_gap(layer_uuid uuid, starts_at timestamptz, ends_at timestamptz) returns tocsin.rota_gap
  language sql volatile
  as $$ select tocsin_definer.store_gap($1, $2, $3) $$;

-- Asks a colleague to take a shift of the caller, or a part of it. With a back period, the caller takes this shift of the
-- colleague in return. Nothing changes until the colleague accepts.
create function tocsin.ask_rota_swap(layer_uuid uuid, colleague_uuid uuid, starts_at timestamptz, ends_at timestamptz,
    back_starts_at timestamptz default null, back_ends_at timestamptz default null) returns tocsin.rota_swap language plpgsql volatile
  as $$
declare
  wanted tocsin.rota_swap;
begin
  perform tocsin_private.refuse_unseen_layer($1);
  wanted.tocsin_rota_layer_uuid := $1;
  wanted.colleague_uuid := $2;
  wanted.starts_at := $3;
  wanted.ends_at := $4;
  wanted.back_starts_at := $5;
  wanted.back_ends_at := $6;
  return tocsin_definer.store_swap(wanted);
end
$$;

-- Accepts a swap that a colleague asked for. Both shifts change hands.
create function tocsin.accept_rota_swap(swap_uuid uuid) returns tocsin.rota_swap language sql volatile
  as $$ select tocsin_definer.answer_swap($1, 'accepted') $$;

-- Declines a swap that a colleague asked for.
create function tocsin.decline_rota_swap(swap_uuid uuid) returns tocsin.rota_swap language sql volatile
  as $$ select tocsin_definer.answer_swap($1, 'declined') $$;

-- Cancels a swap that the caller asked for.
create function tocsin.cancel_rota_swap(swap_uuid uuid) returns tocsin.rota_swap language sql volatile
  as $$ select tocsin_definer.answer_swap($1, 'cancelled') $$;

-- Creates the address of an iCalendar feed, or replaces it. The old address stops working. Without a rota, the feed has the
-- shifts of the caller in all rotas. The address is returned only once.
create function tocsin.renew_calendar_feed(rota_uuid uuid default null) returns text language plpgsql volatile
  as $$
begin
  if tocsin_private.is_partner_account() or $1 is not null and not exists (select from tocsin.rota r where r.uuid = $1) then
    perform tocsin_private.refuse_missing();
  end if;
  return tocsin_definer.renew_feed($1);
end
$$;

-- Returns the calendar feeds of the caller, without their secrets.
create function tocsin.calendar_feeds() returns setof tocsin.calendar_feed language sql stable
  as $$ select * from tocsin_definer.my_feeds() $$;
