-- Managers maintain assets and data points. Operators see the assets and data points of their sites. Partner accounts
-- see none.
grant select (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_sensor_uuid, name, description, status, created_at, updated_at),
  insert (tocsin_customer_uuid, tocsin_site_uuid, tocsin_sensor_uuid, name, description, status),
  update (tocsin_site_uuid, tocsin_sensor_uuid, name, description, status), delete on tocsin.asset to tocsin_request;
create policy read_of_sites on tocsin.asset for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[]));
create policy manage on tocsin.asset for all to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager())
) with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()));
create trigger touch before update on tocsin.asset for each row execute function tocsin_private.touch();

grant select (uuid, tocsin_customer_uuid, tocsin_asset_uuid, tocsin_sensor_uuid, tocsin_sensor_channel_uuid, tocsin_datapoint_name,
  uom, sensor_type, status, tocsin_asset_datapoint_order, datapoint_color, datapoint_title_text, latest_value, last_updated,
  description, created_at),
  insert (tocsin_asset_uuid, tocsin_sensor_uuid, tocsin_sensor_channel_uuid, tocsin_datapoint_name, uom, sensor_type, status,
  tocsin_asset_datapoint_order, datapoint_color, datapoint_title_text, description),
  update (tocsin_asset_uuid, tocsin_sensor_uuid, tocsin_sensor_channel_uuid, tocsin_datapoint_name, uom, sensor_type, status,
  tocsin_asset_datapoint_order, datapoint_color, datapoint_title_text, description),
  delete on tocsin.asset_datapoint to tocsin_request;
create policy read_of_sites on tocsin.asset_datapoint for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and not (select tocsin_private.is_manager()) and exists (
    select from tocsin.asset a where a.uuid = tocsin_asset_uuid and a.tocsin_site_uuid = any ((select tocsin_private.my_sites())::uuid[])));
create policy manage on tocsin.asset_datapoint for all to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager())
) with check (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and (select tocsin_private.is_manager()));

-- An update of a column that the pipeline writes does not count as a change by a user.
create trigger touch before update of tocsin_asset_uuid, tocsin_sensor_uuid, tocsin_sensor_channel_uuid, tocsin_datapoint_name, uom,
  sensor_type, tocsin_asset_datapoint_order, description, updated_at on tocsin.asset_datapoint
  for each row execute function tocsin_private.touch();

-- Copies the newest value of the channel to a new data point, in the same way as server/pipeline/newest/newest-rows.ts.
create or replace function tocsin_private.set_newest_value() returns trigger language plpgsql
  as $$
declare
  channel record;
  is_high boolean;
begin
  select c.key, c.channel_alarm_condition, c.channel_alarm_color, c.channel_normal_color, c.channel_low_text, c.channel_high_text into channel
  from tocsin.sensor_channel c where c.uuid = new.tocsin_sensor_channel_uuid;
  select r.value, r.device_time into new.latest_value, new.last_updated
  from tocsin.reading r where r.channel_key = channel.key order by r.device_time desc limit 1;
  if not found then return new; end if;
  if new.status = 0 then new.status := 1; end if;
  if new.sensor_type = 1 then
    is_high := new.latest_value <> 0;
    new.datapoint_color := case when channel.channel_alarm_condition = is_high::integer then channel.channel_alarm_color
      else channel.channel_normal_color end;
    new.datapoint_title_text := coalesce(nullif(case when is_high then channel.channel_high_text else channel.channel_low_text end, ''),
      new.datapoint_title_text);
  end if;
  return new;
end
$$;
create trigger set_newest_value before insert on tocsin.asset_datapoint for each row when (new.latest_value is null)
  execute function tocsin_private.set_newest_value();

-- A data point's status (with its colour and title text) and its order are changed by separate mutations.
create function tocsin.update_asset_datapoint_status(
  uuid uuid, status integer, datapoint_color text default null, datapoint_title_text text default null)
  returns tocsin.asset_datapoint language plpgsql volatile
  as $$
declare
  changed tocsin.asset_datapoint;
begin
  update tocsin.asset_datapoint d
  set status = tocsin_private.clamp_smallint($2), datapoint_color = coalesce($3, d.datapoint_color), datapoint_title_text = coalesce($4, d.datapoint_title_text)
  where d.uuid = $1 returning d.* into changed;
  if not found then perform tocsin_private.refuse_missing(); end if;
  return changed;
end
$$;
create function tocsin.update_asset_datapoint_order(uuid uuid, tocsin_asset_datapoint_order integer)
  returns tocsin.asset_datapoint language plpgsql volatile strict
  as $$
declare
  changed tocsin.asset_datapoint;
begin
  update tocsin.asset_datapoint d set tocsin_asset_datapoint_order = $2 where d.uuid = $1 returning d.* into changed;
  if not found then perform tocsin_private.refuse_missing(); end if;
  return changed;
end
$$;
