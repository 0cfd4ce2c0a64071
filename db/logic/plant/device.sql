-- Device tokens. A token is returned once, when it is issued, and stored as a hash.
create or replace function tocsin_private.base64url(bytes bytea) returns text language sql immutable parallel safe
  as $$ select rtrim(translate(encode(bytes, 'base64'), '+/' || chr(10), '-_'), '=') $$;

-- The following functions manage device tokens and check the caller. They run as tocsin_service, because requests
-- cannot access tokens.
set local role tocsin_service;
create or replace function tocsin_definer.revoke_device_tokens(sensor_uuid uuid) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  ended integer;
begin
  if not tocsin_private.is_maintainer() or not exists (
    select from tocsin.sensor s where s.uuid = sensor_uuid and s.tocsin_customer_uuid = tocsin_private.my_customer())
  then
    perform tocsin_private.refuse_missing();
  end if;
  update tocsin_private.device_token t set revoked_at = tocsin_private.clock()
  where t.tocsin_sensor_uuid = sensor_uuid and t.revoked_at is null;
  get diagnostics ended = row_count;
  return ended;
end
$$;
create or replace function tocsin_definer.issue_device_token(sensor_uuid uuid) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  token text := tocsin_private.base64url(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
begin
  perform tocsin_definer.revoke_device_tokens(sensor_uuid);
  insert into tocsin_private.device_token (tocsin_customer_uuid, tocsin_sensor_uuid, token_hash)
  values (tocsin_private.my_customer(), sensor_uuid, sha256(convert_to(token, 'UTF8')));
  return token;
end
$$;
create or replace function tocsin_definer.has_device_token(sensor_uuid uuid) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from tocsin_private.device_token t
      where t.tocsin_sensor_uuid = $1 and t.tocsin_customer_uuid = tocsin_private.my_customer() and t.revoked_at is null)
    where tocsin_private.is_maintainer()
  $$;
reset role;

-- True if the sensor has a token. Null for users who do not maintain sensors.
create function tocsin.sensor_has_token(sensor tocsin.sensor) returns boolean language sql stable
  as $$ select tocsin_definer.has_device_token(sensor.uuid) $$;
comment on function tocsin.sensor_has_token(tocsin.sensor) is '@behavior -filterBy';

-- Registers a sensor and issues its token.
create function tocsin.register_sensor(uid text, sensor_type integer, description text default '', frame_format text default 'auto',
  tocsin_gateway_uuid uuid default null) returns tocsin.device_credentials language plpgsql volatile
  as $$
declare
  made tocsin.sensor;
begin
  insert into tocsin.sensor (uid, sensor_type, description, frame_format, tocsin_gateway_uuid)
  values ($1, tocsin_private.clamp_smallint($2), coalesce($3, ''), coalesce($4, 'auto'), $5) returning * into made;
  return row(made.uuid, made.uid, tocsin_definer.issue_device_token(made.uuid));
end
$$;
-- Issues a new token. The previous token stops working at once.
create function tocsin.rotate_device_token(tocsin_sensor_uuid uuid) returns tocsin.device_credentials language plpgsql volatile strict
  as $$
declare
  token text := tocsin_definer.issue_device_token($1);
begin
  return row($1, (select s.uid from tocsin.sensor s where s.uuid = $1), token);
end
$$;
-- Revokes the token of a sensor. Returns false if the sensor had no token.
create function tocsin.revoke_device_token(tocsin_sensor_uuid uuid) returns boolean language sql volatile strict
  as $$ select tocsin_definer.revoke_device_tokens($1) > 0 $$;

-- Records which sensors changed and wakes the pipeline. The trigger's argument determines how this function finds the
-- sensors that a changed row affects.
set local role tocsin_service;
create or replace function tocsin_definer.note_device_change() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  whole jsonb;
  sensor uuid;
begin
  foreach whole in array case tg_op when 'INSERT' then array[to_jsonb(new)] when 'DELETE' then array[to_jsonb(old)]
    else array[to_jsonb(old), to_jsonb(new)] end
  loop
    for sensor in execute case tg_argv[0]
      when 'row' then 'select ($1 ->> ''uuid'')::uuid'
      when 'column' then 'select ($1 ->> ''tocsin_sensor_uuid'')::uuid'
      when 'uid' then 'select s.uuid from tocsin.sensor s where s.tocsin_customer_uuid = ($1 ->> ''tocsin_customer_uuid'')::uuid
        and s.uid = $1 ->> ''uid'''
      when 'asset' then 'select distinct d.tocsin_sensor_uuid from tocsin.asset_datapoint d where d.tocsin_asset_uuid = ($1 ->> ''uuid'')::uuid'
      when 'site' then 'select distinct d.tocsin_sensor_uuid from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
        where a.tocsin_site_uuid = ($1 ->> ''uuid'')::uuid'
      when 'datapoint' then 'select d.tocsin_sensor_uuid from tocsin.asset_datapoint d where d.uuid = ($1 ->> ''tocsin_datapoint_uuid'')::uuid'
      when 'site-id' then 'select distinct d.tocsin_sensor_uuid from tocsin.site s join tocsin.asset a on a.tocsin_site_uuid = s.uuid
        join tocsin.asset_datapoint d on d.tocsin_asset_uuid = a.uuid
        where s.tocsin_customer_uuid = ($1 ->> ''tocsin_customer_uuid'')::uuid and s.site_id = $1 ->> ''site_id'''
      when 'customer' then 'select s.uuid from tocsin.sensor s where s.tocsin_customer_uuid = ($1 ->> ''uuid'')::uuid'
    end using whole
    loop
      insert into tocsin_private.device_change (tocsin_sensor_uuid) values (sensor);
      perform pg_notify('tocsin_device', sensor::text);
    end loop;
    exit when tg_op = 'UPDATE' and tg_argv[0] in ('asset', 'site', 'customer', 'uid', 'row');
  end loop;
  return null;
end
$$;
reset role;
create trigger note_device_change after insert or delete or update of uid, status, sensor_type, frame_format, tocsin_gateway_uuid
  on tocsin.sensor for each row execute function tocsin_definer.note_device_change('row');
create trigger note_device_change after insert or delete or update on tocsin.sensor_channel
  for each row execute function tocsin_definer.note_device_change('column');
create trigger note_device_change after insert or delete or update on tocsin_private.device_token
  for each row execute function tocsin_definer.note_device_change('column');
create trigger note_device_change after insert or delete or update of tocsin_asset_uuid, tocsin_sensor_uuid, tocsin_sensor_channel_uuid, sensor_type
  on tocsin.asset_datapoint for each row execute function tocsin_definer.note_device_change('column');
create trigger note_device_change after update of tocsin_site_uuid on tocsin.asset
  for each row execute function tocsin_definer.note_device_change('asset');
create trigger note_device_change after update of tocsin_health_duration_hours on tocsin.site
  for each row execute function tocsin_definer.note_device_change('site');
create trigger note_device_change after update of status, time_zone on tocsin.customer
  for each row execute function tocsin_definer.note_device_change('customer');
create trigger note_device_change after insert or update of cancelled_on on tocsin.reply_message
  for each row execute function tocsin_definer.note_device_change('uid');
create trigger note_device_change after insert or delete or update on tocsin.rule
  for each row execute function tocsin_definer.note_device_change('datapoint');
create trigger note_device_change after insert or delete or update on tocsin.rules_json
  for each row execute function tocsin_definer.note_device_change('site-id');
