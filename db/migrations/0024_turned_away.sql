-- Why: a device that is turned away stands in the log of its sensor with the reason, and has left no frame. MQTT 3.1.1 cannot
-- tell the device why, so nobody else could.
alter table tocsin.incoming_sensor_log
  drop constraint incoming_sensor_log_encoding_check,
  add constraint incoming_sensor_log_encoding_check check (encoding in ('text', 'base64', 'none'));
