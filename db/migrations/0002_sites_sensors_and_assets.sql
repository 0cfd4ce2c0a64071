-- Groups, sites, sensors with their channels and tokens, assets and data points.
--
-- Every foreign key includes the customer, so a row cannot reference another customer's row, and the error is the same
-- whether or not that row exists.
create table tocsin.group (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint group_customer_fkey references tocsin.customer (uuid) on delete restrict,
  level smallint not null constraint group_level_check check (level between 2 and 5),
  name text not null,
  status boolean not null default true,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  constraint group_in_customer_key unique (tocsin_customer_uuid, uuid)
);
call tocsin_private.limit_text('tocsin.group', 'name 1-200');
create unique index group_name_key on tocsin.group (tocsin_customer_uuid, level, lower(name));

-- Tables whose latest value changes with every reading have a fill factor below 100, so that updates stay on their page.
create table tocsin.site (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint site_customer_fkey references tocsin.customer (uuid) on delete restrict,
  site_id text not null,
  name text not null,
  location text not null default '',
  description text not null default '',
  address text not null default '',
  site_type text not null default '',
  site_category text not null default '',
  phone_number text not null default '',
  -- 0 no data, 1 normal, 2 alarm, 3 silent.
  site_status smallint not null default 0 constraint site_site_status_check check (site_status between 0 and 3),
  tocsin_group2_uuid uuid,
  tocsin_group3_uuid uuid,
  tocsin_group4_uuid uuid,
  tocsin_group5_uuid uuid,
  tocsin_health_duration_hours integer not null default 24
    constraint site_health_duration_check check (tocsin_health_duration_hours between 1 and 168),
  gsm_provider text not null default '',
  -- dBm, reported by the modem. Null: never reported.
  gsm_signal_strength integer constraint site_gsm_signal_check check (gsm_signal_strength between -150 and 0),
  -- last_update: the last frame from the site. last_updated: the last change by a user.
  last_update timestamptz,
  last_updated timestamptz not null default tocsin_private.clock(),
  created_at timestamptz not null default tocsin_private.clock(),
  constraint site_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint site_site_id_key unique (tocsin_customer_uuid, site_id),
  constraint site_group2_fkey foreign key (tocsin_customer_uuid, tocsin_group2_uuid)
    references tocsin.group (tocsin_customer_uuid, uuid) on delete set null (tocsin_group2_uuid),
  constraint site_group3_fkey foreign key (tocsin_customer_uuid, tocsin_group3_uuid)
    references tocsin.group (tocsin_customer_uuid, uuid) on delete set null (tocsin_group3_uuid),
  constraint site_group4_fkey foreign key (tocsin_customer_uuid, tocsin_group4_uuid)
    references tocsin.group (tocsin_customer_uuid, uuid) on delete set null (tocsin_group4_uuid),
  constraint site_group5_fkey foreign key (tocsin_customer_uuid, tocsin_group5_uuid)
    references tocsin.group (tocsin_customer_uuid, uuid) on delete set null (tocsin_group5_uuid)
) with (fillfactor = 70);
call tocsin_private.limit_text('tocsin.site', 'site_id 1-64', 'name 1-200', 'location 0-200', 'description 0-2000',
  'address 0-500', 'site_type 0-100', 'site_category 0-100', 'phone_number 0-32', 'gsm_provider 0-100');
create index site_group2_idx on tocsin.site (tocsin_group2_uuid);
create index site_group3_idx on tocsin.site (tocsin_group3_uuid);
create index site_group4_idx on tocsin.site (tocsin_group4_uuid);
create index site_group5_idx on tocsin.site (tocsin_group5_uuid);
create index site_by_name_idx on tocsin.site (tocsin_customer_uuid, name, uuid);
create index site_by_type_idx on tocsin.site (tocsin_customer_uuid, site_type, uuid);
create index site_by_category_idx on tocsin.site (tocsin_customer_uuid, site_category, uuid);
create index site_by_status_idx on tocsin.site (tocsin_customer_uuid, site_status, uuid);
create index site_by_last_update_idx on tocsin.site (tocsin_customer_uuid, last_update, uuid);
create index site_by_gsm_idx on tocsin.site (tocsin_customer_uuid, gsm_signal_strength, uuid);

create table tocsin.site_user (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_site_uuid uuid not null,
  tocsin_user_uuid uuid not null,
  created_at timestamptz not null default tocsin_private.clock(),
  constraint site_user_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade,
  constraint site_user_user_fkey foreign key (tocsin_customer_uuid, tocsin_user_uuid)
    references tocsin.user (tocsin_customer_uuid, uuid) on delete cascade,
  constraint site_user_once_key unique (tocsin_site_uuid, tocsin_user_uuid)
);
create index site_user_user_idx on tocsin.site_user (tocsin_user_uuid, tocsin_site_uuid);

create table tocsin.sensor (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null
    constraint sensor_customer_fkey references tocsin.customer (uuid) on delete restrict,
  uid text not null,
  -- 0 disabled, 1 active, 2 maintenance.
  status smallint not null default 1 constraint sensor_status_check check (status between 0 and 2),
  -- 1 digital, 2 analog, 3 counter.
  sensor_type smallint not null constraint sensor_sensor_type_check check (sensor_type between 1 and 3),
  description text not null default '',
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  frame_format text not null default 'auto'
    constraint sensor_frame_format_check check (frame_format in ('auto', 'json', 'key-value', 'csv')),
  -- A sensor whose token may also send this sensor's frames.
  tocsin_gateway_uuid uuid,
  last_contact timestamptz,
  constraint sensor_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint sensor_uid_key unique (tocsin_customer_uuid, uid),
  -- URLs, MQTT topics and TCP lines contain the uid.
  constraint sensor_uid_check check (uid ~ '^[A-Za-z0-9][A-Za-z0-9._:-]*$'),
  constraint sensor_gateway_check check (tocsin_gateway_uuid <> uuid),
  constraint sensor_gateway_fkey foreign key (tocsin_customer_uuid, tocsin_gateway_uuid)
    references tocsin.sensor (tocsin_customer_uuid, uuid) on delete set null (tocsin_gateway_uuid)
) with (fillfactor = 70);
call tocsin_private.limit_text('tocsin.sensor', 'uid 1-64', 'description 0-2000');
create index sensor_by_type_idx on tocsin.sensor (tocsin_customer_uuid, sensor_type, uuid);
create index sensor_by_status_idx on tocsin.sensor (tocsin_customer_uuid, status, uuid);
-- A device sends its uid before its customer is known.
create index sensor_uid_idx on tocsin.sensor (uid);
create index sensor_gateway_idx on tocsin.sensor (tocsin_gateway_uuid);

create table tocsin.sensor_channel (
  uuid uuid primary key default gen_random_uuid(),
  -- Short key for the readings table.
  key integer generated always as identity constraint sensor_channel_short_key unique,
  tocsin_customer_uuid uuid not null,
  tocsin_sensor_uuid uuid not null,
  name text not null,
  description text not null default '',
  channel_number integer not null constraint sensor_channel_number_check check (channel_number between 0 and 9999),
  channel_title_text text not null default '',
  channel_normal_color text not null default '#7d858f',
  channel_alarm_color text not null default '#c6162b',
  -- State that raises an alarm: 0 low, 1 high, 2 none.
  channel_alarm_condition smallint not null default 2
    constraint sensor_channel_alarm_condition_check check (channel_alarm_condition between 0 and 2),
  channel_major_alarm_status boolean not null default false,
  channel_low_text text not null default '',
  channel_high_text text not null default '',
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  -- Stored value = raw × factor + offset, rounded to the decimals if given.
  channel_factor double precision not null default 1
    constraint sensor_channel_factor_check check (abs(channel_factor) > 0 and abs(channel_factor) <= 1e12),
  channel_offset double precision not null default 0
    constraint sensor_channel_offset_check check (abs(channel_offset) <= 1e12),
  channel_decimals smallint
    constraint sensor_channel_decimals_check check (channel_decimals between 0 and 10),
  constraint sensor_channel_in_sensor_key unique (tocsin_customer_uuid, tocsin_sensor_uuid, uuid),
  constraint sensor_channel_number_key unique (tocsin_sensor_uuid, channel_number),
  constraint sensor_channel_normal_color_check check (channel_normal_color ~ '^#[0-9a-fA-F]{6}$'),
  constraint sensor_channel_alarm_color_check check (channel_alarm_color ~ '^#[0-9a-fA-F]{6}$'),
  constraint sensor_channel_sensor_fkey foreign key (tocsin_customer_uuid, tocsin_sensor_uuid)
    references tocsin.sensor (tocsin_customer_uuid, uuid) on delete cascade
);
call tocsin_private.limit_text('tocsin.sensor_channel', 'name 1-200', 'description 0-2000', 'channel_title_text 0-100',
  'channel_low_text 0-100', 'channel_high_text 0-100');

create table tocsin_private.device_token (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_sensor_uuid uuid not null,
  token_hash bytea not null constraint device_token_hash_key unique,
  created_at timestamptz not null default tocsin_private.clock(),
  revoked_at timestamptz,
  constraint device_token_sensor_fkey foreign key (tocsin_customer_uuid, tocsin_sensor_uuid)
    references tocsin.sensor (tocsin_customer_uuid, uuid) on delete cascade
);
create index device_token_sensor_idx on tocsin_private.device_token (tocsin_sensor_uuid);

-- API result: the token of a sensor, returned only when it is issued.
create type tocsin.device_credentials as (tocsin_sensor_uuid uuid, uid text, token text);

-- Sensors whose settings, channels, tokens, data points or commands changed. Every batch of frames reads the new rows and refreshes
-- its cache. Readers select by the writing transaction's id: unlike times and sequences, it shows which rows a reader has missed.
create table tocsin_private.device_change (
  id bigint generated always as identity primary key,
  written_by xid8 not null default pg_current_xact_id(),
  tocsin_sensor_uuid uuid not null,
  at timestamptz not null default tocsin_private.clock()
);
create index device_change_written_by_idx on tocsin_private.device_change (written_by);
create index device_change_at_idx on tocsin_private.device_change (at);

create table tocsin.asset (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_site_uuid uuid not null,
  tocsin_sensor_uuid uuid,
  name text not null,
  description text not null default '',
  status boolean not null default true,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  constraint asset_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint asset_in_site_key unique (tocsin_customer_uuid, tocsin_site_uuid, uuid),
  constraint asset_site_fkey foreign key (tocsin_customer_uuid, tocsin_site_uuid)
    references tocsin.site (tocsin_customer_uuid, uuid) on delete cascade,
  constraint asset_sensor_fkey foreign key (tocsin_customer_uuid, tocsin_sensor_uuid)
    references tocsin.sensor (tocsin_customer_uuid, uuid) on delete set null (tocsin_sensor_uuid)
);
call tocsin_private.limit_text('tocsin.asset', 'name 1-200', 'description 0-2000');
create unique index asset_name_key on tocsin.asset (tocsin_site_uuid, lower(name));
create index asset_sensor_idx on tocsin.asset (tocsin_sensor_uuid);
create index asset_by_name_idx on tocsin.asset (tocsin_customer_uuid, name, uuid) include (tocsin_site_uuid);

create table tocsin.asset_datapoint (
  uuid uuid primary key default gen_random_uuid(),
  tocsin_customer_uuid uuid not null,
  tocsin_asset_uuid uuid not null,
  tocsin_sensor_uuid uuid not null,
  tocsin_sensor_channel_uuid uuid not null,
  tocsin_datapoint_name text not null,
  uom text not null default '',
  sensor_type smallint not null constraint asset_datapoint_sensor_type_check check (sensor_type between 1 and 3),
  -- 0 no data, 1 normal, 2 alarm, 3 stale.
  status smallint not null default 0 constraint asset_datapoint_status_check check (status between 0 and 3),
  tocsin_asset_datapoint_order integer not null default 0
    constraint asset_datapoint_order_check check (tocsin_asset_datapoint_order between 0 and 100000),
  datapoint_color text not null default '#7d858f'
    constraint asset_datapoint_color_check check (datapoint_color ~ '^#[0-9a-fA-F]{6}$'),
  datapoint_title_text text not null default '',
  latest_value double precision,
  last_updated timestamptz,
  description text not null default '',
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock(),
  constraint asset_datapoint_in_customer_key unique (tocsin_customer_uuid, uuid),
  constraint asset_datapoint_in_asset_key unique (tocsin_customer_uuid, tocsin_asset_uuid, uuid),
  constraint asset_datapoint_combination_key
    unique (tocsin_asset_uuid, tocsin_sensor_uuid, tocsin_sensor_channel_uuid),
  constraint asset_datapoint_asset_fkey foreign key (tocsin_customer_uuid, tocsin_asset_uuid)
    references tocsin.asset (tocsin_customer_uuid, uuid) on delete cascade,
  constraint asset_datapoint_sensor_fkey foreign key (tocsin_customer_uuid, tocsin_sensor_uuid)
    references tocsin.sensor (tocsin_customer_uuid, uuid) on delete cascade,
  -- The channel must belong to the sensor.
  constraint asset_datapoint_channel_fkey
    foreign key (tocsin_customer_uuid, tocsin_sensor_uuid, tocsin_sensor_channel_uuid)
    references tocsin.sensor_channel (tocsin_customer_uuid, tocsin_sensor_uuid, uuid) on delete cascade
) with (fillfactor = 70);
call tocsin_private.limit_text('tocsin.asset_datapoint', 'tocsin_datapoint_name 1-200', 'uom 0-32',
  'datapoint_title_text 0-200', 'description 0-2000');
create index asset_datapoint_order_idx on tocsin.asset_datapoint (tocsin_asset_uuid, tocsin_asset_datapoint_order);
create index asset_datapoint_sensor_idx on tocsin.asset_datapoint (tocsin_sensor_uuid);
create index asset_datapoint_channel_idx on tocsin.asset_datapoint (tocsin_sensor_channel_uuid);
create index asset_datapoint_by_name_idx on tocsin.asset_datapoint (tocsin_customer_uuid, tocsin_datapoint_name, uuid) include (tocsin_asset_uuid);
create index asset_datapoint_by_status_idx on tocsin.asset_datapoint (tocsin_customer_uuid, status, uuid) include (tocsin_asset_uuid);
create index asset_datapoint_by_order_idx on tocsin.asset_datapoint (tocsin_customer_uuid, tocsin_asset_datapoint_order, uuid);

-- API result: what a deletion removes, and what stays.
create type tocsin.deletion_effect as (noun text, rows integer, stays boolean);
