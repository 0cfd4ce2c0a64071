-- Managers and the partner's service account keep sensors and channels; operators see those behind their sites' datapoints.
grant select (uuid, tocsin_customer_uuid, uid, status, sensor_type, description, frame_format, tocsin_gateway_uuid, last_contact,
  created_at, updated_at),
  insert (tocsin_customer_uuid, uid, status, sensor_type, description, frame_format, tocsin_gateway_uuid),
  update (uid, status, sensor_type, description, frame_format, tocsin_gateway_uuid), delete on tocsin.sensor to tocsin_request;
create policy read_of_sites on tocsin.sensor for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and not (select tocsin_private.maintains()) and exists (
    select from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
    where d.tocsin_sensor_uuid = sensor.uuid and a.tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])));
create policy maintain on tocsin.sensor for all to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.maintains())
) with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.maintains()));
-- Being heard from is no change of its record.
create trigger touch before update of uid, status, sensor_type, description, frame_format, tocsin_gateway_uuid, updated_at
  on tocsin.sensor for each row execute function tocsin_private.touch();

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
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and not (select tocsin_private.maintains()) and exists (
    select from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
    where d.tocsin_sensor_channel_uuid = sensor_channel.uuid and a.tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])));
create policy maintain on tocsin.sensor_channel for all to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.maintains())
) with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.maintains()));
create trigger touch before update on tocsin.sensor_channel for each row execute function tocsin_private.touch();

-- What devices said, and what is to be said to them. The log is written by the server alone.
grant select (auto_id, tocsin_customer_uuid, uid, raw_data, date_time, door, encoding, problem, note) on tocsin.incoming_sensor_log to tocsin_request;
create policy read_all on tocsin.incoming_sensor_log for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.maintains()));

-- Frames are copied in by the server, which takes their numbers beforehand.
grant usage on sequence tocsin.incoming_sensor_log_auto_id_seq to tocsin_service;

-- Sensor log in a time range, newest first, at most 500, optionally only frames of a uid or with it in their text.
create function tocsin.sensor_logs(date_time_from timestamptz, date_time_to timestamptz, uid text default null)
  returns setof tocsin.incoming_sensor_log language sql stable
  as $$
    select l.* from tocsin.incoming_sensor_log l
    where l.date_time >= date_time_from and l.date_time < date_time_to
      and ($3 is null or strpos(lower(l.uid), lower($3)) > 0 or strpos(l.raw_data, $3) > 0)
    order by l.date_time desc, l.auto_id desc
    limit 500
  $$;
