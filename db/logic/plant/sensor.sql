-- Managers and partner accounts maintain sensors and channels. Operators see the sensors and channels of the data
-- points at their sites.
grant select (uuid, tocsin_customer_uuid, uid, status, sensor_type, description, frame_format, tocsin_gateway_uuid, last_contact,
  created_at, updated_at),
  insert (tocsin_customer_uuid, uid, status, sensor_type, description, frame_format, tocsin_gateway_uuid),
  update (uid, status, sensor_type, description, frame_format, tocsin_gateway_uuid), delete on tocsin.sensor to tocsin_request;
create policy read_of_sites on tocsin.sensor for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and not (select tocsin_private.is_maintainer()) and exists (
    select from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
    where d.tocsin_sensor_uuid = sensor.uuid and a.tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])));
create policy maintain on tocsin.sensor for all to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_maintainer())
) with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_maintainer()));
-- A frame from the device does not count as a change by a user.
create trigger touch before update of uid, status, sensor_type, description, frame_format, tocsin_gateway_uuid, updated_at
  on tocsin.sensor for each row execute function tocsin_private.touch();

-- Refuses a gateway chain that leads back to the same sensor.
create or replace function tocsin_private.check_gateway() returns trigger language plpgsql
  as $$
begin
  if exists (
    with recursive above (uuid) as (
      select s.tocsin_gateway_uuid from tocsin.sensor s where s.uuid = new.tocsin_gateway_uuid
      union
      select s.tocsin_gateway_uuid from tocsin.sensor s join above a on a.uuid = s.uuid
    )
    select from above a where a.uuid = new.uuid
  ) then
    perform tocsin_private.refuse('tocsin_gateway_uuid', 'The chosen sensor uses this sensor as its gateway, directly or indirectly. Choose another sensor.');
  end if;
  return new;
end
$$;
create trigger check_gateway before update of tocsin_gateway_uuid on tocsin.sensor for each row
  when (new.tocsin_gateway_uuid is distinct from old.tocsin_gateway_uuid and new.tocsin_gateway_uuid <> new.uuid)
  execute function tocsin_private.check_gateway();

-- Returns the sensors that match every word. A word can be in the uid, the description, or the name of an asset or site
-- that uses the sensor. Each word is searched once, not for each sensor.
create function tocsin.sensors_like(words text[]) returns setof tocsin.sensor language sql stable
  as $$
    select s.* from tocsin.sensor s
    where s.uuid in (
      select f.sensor_uuid from unnest(words) w (word) cross join lateral (
        select o.uuid from tocsin.sensor o
        where position(lower(w.word) in lower(o.uid)) > 0 or position(lower(w.word) in lower(o.description)) > 0
        union
        select d.tocsin_sensor_uuid from tocsin.asset_datapoint d where d.tocsin_asset_uuid in (
          select a.uuid from tocsin.asset a where position(lower(w.word) in lower(a.name)) > 0
            or a.tocsin_site_uuid in (select p.uuid from tocsin.site p where position(lower(w.word) in lower(p.name)) > 0))
      ) f (sensor_uuid)
      group by f.sensor_uuid having count(*) = cardinality(words))
  $$;
comment on function tocsin.sensors_like(text[]) is '@behavior +order';

grant select (uuid, key, tocsin_customer_uuid, tocsin_sensor_uuid, name, description, channel_number, channel_title_text,
  channel_normal_color, channel_alarm_color, channel_alarm_condition, channel_major_alarm_status, channel_low_text,
  channel_high_text, channel_factor, channel_offset, channel_decimals, created_at, updated_at),
  insert (tocsin_sensor_uuid, name, description, channel_number, channel_title_text, channel_normal_color,
  channel_alarm_color, channel_alarm_condition, channel_major_alarm_status, channel_low_text, channel_high_text,
  channel_factor, channel_offset, channel_decimals),
  update (name, description, channel_number, channel_title_text, channel_normal_color, channel_alarm_color,
  channel_alarm_condition, channel_major_alarm_status, channel_low_text, channel_high_text,
  channel_factor, channel_offset, channel_decimals),
  delete on tocsin.sensor_channel to tocsin_request;
create policy read_of_sites on tocsin.sensor_channel for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and not (select tocsin_private.is_maintainer()) and exists (
    select from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
    where d.tocsin_sensor_channel_uuid = sensor_channel.uuid and a.tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])));
create policy maintain on tocsin.sensor_channel for all to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_maintainer())
) with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_maintainer()));
create trigger touch before update on tocsin.sensor_channel for each row execute function tocsin_private.touch();

-- Refuses channel names that are reserved in frames, such as the key of the time (domain/frame/collect.ts). Existing
-- channels with such a name can still be changed.
create or replace function tocsin_private.check_channel_name() returns trigger language plpgsql
  as $$
declare
  used text := case lower(btrim(new.name))
    when 't' then 'the time' when 'ts' then 'the time' when 'time' then 'the time'
    when 'gsm_provider' then 'the network' when 'gsm_signal' then 'the signal strength'
    when 'ack' then 'the command it confirms' when 'reply' then 'the answer to a command' end;
begin
  if used is not null and (tg_op = 'INSERT' or lower(new.name) <> lower(old.name)) then
    perform tocsin_private.refuse('name', format('Devices use "%s" for %s, not for a value. Choose another name.', btrim(new.name), used));
  end if;
  return new;
end
$$;
create trigger check_name before insert or update of name on tocsin.sensor_channel
  for each row execute function tocsin_private.check_channel_name();

-- Log of the frames from devices. Only the server writes the log.
grant select (auto_id, tocsin_customer_uuid, uid, raw_data, date_time, protocol, encoding, problem, note) on tocsin.incoming_sensor_log to tocsin_request;
create policy read_all on tocsin.incoming_sensor_log for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_maintainer()));

-- The server reserves sequence numbers before it writes rows with COPY.
grant usage on sequence tocsin.incoming_sensor_log_auto_id_seq to tocsin_service;

-- Returns the frames in a time range, newest first, at most 500. If `uid` is given, returns only frames whose uid or
-- text contains it.
create function tocsin.sensor_logs(date_time_from timestamptz, date_time_to timestamptz, uid text default null)
  returns setof tocsin.incoming_sensor_log language sql stable
  as $$
    select l.* from tocsin.incoming_sensor_log l
    where l.date_time >= date_time_from and l.date_time < date_time_to
      and ($3 is null or strpos(lower(l.uid), lower($3)) > 0 or strpos(l.raw_data, $3) > 0)
    order by l.date_time desc, l.auto_id desc
    limit 500
  $$;
