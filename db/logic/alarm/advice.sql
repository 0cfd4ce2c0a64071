-- A manager can dismiss the advice for a rule. The dismissal ends when a setting that advice can change is changed, or
-- when the rule has had enough new nuisance alarms: at least three, and as many as in the 90 days before the dismissal.

-- Returns the settings that advice can change.
create or replace function tocsin_private.advised_settings(rule tocsin.rule) returns jsonb language sql immutable
  as $$
    select jsonb_build_object('lower', $1.value_lower, 'upper', $1.value_upper, 'clearLower', $1.clear_lower, 'clearUpper', $1.clear_upper,
      'debounce', $1.debounce)
  $$;

-- Counts the nuisance alarms of a rule that opened after a time.
create or replace function tocsin_private.nuisance_alarms(rule tocsin.rule, since timestamptz) returns integer language plpgsql stable
  as $$
begin
  return (
    select coalesce(sum(g.alarms), 0) from (
      select a.tocsin_site_uuid, a.rule_name, a.reason, count(*) as alarms from tocsin.alarm a
      where a.rule_uuid = $1.uuid and a.date_time > $2 and a.reason is not null group by 1, 2, 3
    ) g
    where tocsin_private.is_nuisance(g.tocsin_site_uuid, array[g.rule_name, $1.name], g.reason));
end
$$;

set local role tocsin_service;
-- Returns the dismissal of a rule's advice; null if it has ended or the user is not a manager.
create or replace function tocsin_definer.advice_dismissal_of(rule_uuid uuid) returns tocsin.advice_dismissal
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  rule tocsin.rule;
  found_one tocsin_private.advice_dismissal;
begin
  if not tocsin_private.is_manager() then return null; end if;
  select d.* into found_one from tocsin_private.advice_dismissal d
  where d.rule_uuid = $1 and d.tocsin_customer_uuid = tocsin_private.my_customer();
  if not found then return null; end if;
  select r.* into rule from tocsin.rule r where r.uuid = $1;
  if tocsin_private.advised_settings(rule) <> found_one.settings
    or tocsin_private.nuisance_alarms(rule, found_one.created_at) >= greatest(3, found_one.nuisance) then return null; end if;
  return (found_one.note, found_one.user_name, found_one.created_at)::tocsin.advice_dismissal;
end
$$;

create or replace function tocsin_definer.dismiss_advice(rule_uuid uuid, note text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  rule tocsin.rule;
begin
  perform tocsin_private.require_manager();
  if coalesce(btrim($2), '') = '' then
    perform tocsin_private.refuse('note', '@advice-note');
  elsif length(btrim($2)) > 500 then
    perform tocsin_private.refuse('note', 'Enter a note of at most 500 characters.');
  end if;
  select r.* into rule from tocsin.rule r where r.uuid = $1 and r.tocsin_customer_uuid = tocsin_private.my_customer();
  if not found then perform tocsin_private.refuse_missing(); end if;
  insert into tocsin_private.advice_dismissal (rule_uuid, tocsin_customer_uuid, note, settings, nuisance, user_name, created_at)
  values ($1, rule.tocsin_customer_uuid, btrim($2), tocsin_private.advised_settings(rule),
    tocsin_private.nuisance_alarms(rule, tocsin_private.clock() - interval '90 days'), tocsin_definer.my_name(), tocsin_private.clock())
  on conflict on constraint advice_dismissal_pkey do update set note = excluded.note, settings = excluded.settings,
    nuisance = excluded.nuisance, user_name = excluded.user_name, created_at = excluded.created_at;
end
$$;

create or replace function tocsin_definer.resume_advice(rule_uuid uuid) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  perform tocsin_private.require_manager();
  delete from tocsin_private.advice_dismissal d where d.rule_uuid = $1 and d.tocsin_customer_uuid = tocsin_private.my_customer();
  return found;
end
$$;
grant execute on function tocsin_definer.advice_dismissal_of(uuid), tocsin_definer.dismiss_advice(uuid, text),
  tocsin_definer.resume_advice(uuid) to tocsin_request;
reset role;

-- Returns the dismissal of the advice for a rule; null if the advice is shown.
create function tocsin.rule_advice_dismissal(rule tocsin.rule) returns tocsin.advice_dismissal language sql stable
  as $$ select (d).* from tocsin_definer.advice_dismissal_of($1.uuid) d where d is not null $$;

-- Dismisses the advice for a rule until the rule's settings change or it has enough new nuisance alarms. Requires a
-- note. Managers only.
create function tocsin.dismiss_advice(rule_uuid uuid, note text) returns tocsin.advice_dismissal language plpgsql volatile
  as $$
begin
  perform tocsin_definer.dismiss_advice($1, $2);
  return tocsin_definer.advice_dismissal_of($1);
end
$$;

-- Ends the dismissal of the advice for a rule. Returns false if the advice was not dismissed.
create function tocsin.resume_advice(rule_uuid uuid) returns boolean language plpgsql volatile
  as $$ begin return tocsin_definer.resume_advice($1); end $$;
