-- Readings are seen through their channel, health slots through their site.
grant select (channel_key, device_time, server_time, value) on tocsin.reading to tocsin_request;
create policy read_of_channel on tocsin.reading for select to tocsin_request using (
  not (select tocsin_private.is_partner_account())
  and exists (select from tocsin.sensor_channel c where c.key = channel_key));

grant select (tocsin_site_uuid, tocsin_customer_uuid, slot_start) on tocsin.health_slot to tocsin_request;
create policy read_of_site on tocsin.health_slot for select to tocsin_request using (
  tocsin_customer_uuid = (select tocsin_private.my_customer()) and not (select tocsin_private.is_partner_account())
  and exists (select from tocsin.site s where s.uuid = tocsin_site_uuid));

-- Makes the weekly parts, Monday to Monday in UTC, that hold a range of time. A part is reached through its parent
-- only: it has row level security of its own and no policy.
create or replace procedure tocsin_private.ensure_partitions(first timestamptz, last timestamptz) language plpgsql
  as $$
declare
  week timestamp := date_trunc('week', first at time zone 'UTC');
  parent text;
  part text;
begin
  while week <= last at time zone 'UTC' loop
    foreach parent in array array['reading', 'incoming_sensor_log'] loop
      part := parent || '_' || to_char(week, 'IYYY"w"IW');
      if to_regclass('tocsin.' || part) is null then
        execute format('create table tocsin.%I partition of tocsin.%I for values from (%L) to (%L)',
          part, parent, week at time zone 'UTC', (week + interval '7 days') at time zone 'UTC');
        execute format('alter table tocsin.%I enable row level security', part);
        execute format('alter table tocsin.%I force row level security', part);
      end if;
    end loop;
    week := week + interval '7 days';
  end loop;
end
$$;
