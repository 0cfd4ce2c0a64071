-- Why: a rule alert is saved with its people and reasons in one call, all of it or nothing; and the admin area's lists stay
-- quick where a customer has a hundred thousand of everything.

-- Somebody to be told by a rule alert, and of what.
create type tocsin.told_person as (tocsin_user_uuid uuid, is_alert boolean, is_resolve boolean, is_health boolean);

-- What an SMS part costs the customer, where somebody has said so.
alter table tocsin.customer add column sms_price double precision, add column sms_currency text,
  add constraint customer_sms_price_check check (sms_price > 0 and sms_price <= 1000),
  add constraint customer_sms_currency_check check (sms_currency ~ '^[A-Z]{3}$'),
  add constraint customer_sms_price_whole_check check ((sms_price is null) = (sms_currency is null));

-- Lists are ordered by a column and then by the key, so that rows of equal rank keep their page: the index has both, or every
-- row of the customer would be sorted for one page. What the policies ask is in it too, so that counting reads the index alone.
create index site_by_name_idx on tocsin.site (tocsin_customer_uuid, name, uuid);
create index site_by_type_idx on tocsin.site (tocsin_customer_uuid, site_type, uuid);
create index site_by_category_idx on tocsin.site (tocsin_customer_uuid, site_category, uuid);
create index site_by_status_idx on tocsin.site (tocsin_customer_uuid, site_status, uuid);
create index site_by_last_update_idx on tocsin.site (tocsin_customer_uuid, last_update, uuid);
create index site_by_gsm_idx on tocsin.site (tocsin_customer_uuid, gsm_signal_strength, uuid);
drop index tocsin.site_name_idx, tocsin.site_type_idx, tocsin.site_category_idx, tocsin.site_status_idx, tocsin.site_last_update_idx,
  tocsin.site_gsm_idx;
create index sensor_by_type_idx on tocsin.sensor (tocsin_customer_uuid, sensor_type, uuid);
create index sensor_by_status_idx on tocsin.sensor (tocsin_customer_uuid, status, uuid);
drop index tocsin.sensor_type_idx, tocsin.sensor_status_idx;
create index asset_by_name_idx on tocsin.asset (tocsin_customer_uuid, name, uuid) include (tocsin_site_uuid);
drop index tocsin.asset_name_idx;
create index asset_datapoint_by_name_idx on tocsin.asset_datapoint (tocsin_customer_uuid, tocsin_datapoint_name, uuid) include (tocsin_asset_uuid);
create index asset_datapoint_by_status_idx on tocsin.asset_datapoint (tocsin_customer_uuid, status, uuid) include (tocsin_asset_uuid);
create index asset_datapoint_by_order_idx on tocsin.asset_datapoint (tocsin_customer_uuid, tocsin_asset_datapoint_order, uuid);
drop index tocsin.asset_datapoint_name_idx, tocsin.asset_datapoint_status_idx;
create index rule_by_name_idx on tocsin.rule (tocsin_customer_uuid, name, uuid) include (tocsin_site_uuid);
drop index tocsin.rule_name_idx;
create index rule_alert_by_name_idx on tocsin.rule_alert (tocsin_customer_uuid, tocsin_rule_name, uuid) include (tocsin_site_uuid);
drop index tocsin.rule_alert_name_idx;
create index rules_json_by_name_idx on tocsin.rules_json (tocsin_customer_uuid, rule_name, uuid);
create index reason_by_rule_idx on tocsin.reason (tocsin_customer_uuid, rule_uuid, uuid);
create index action_by_site_idx on tocsin.action (tocsin_customer_uuid, tocsin_site_uuid, uuid);
create index user_by_display_name_idx on tocsin.user (tocsin_customer_uuid, display_name, uuid) include (level);
create index user_by_level_idx on tocsin.user (tocsin_customer_uuid, level, uuid);
drop index tocsin.user_display_name_idx, tocsin.user_level_idx;
create index alarm_by_end_idx on tocsin.alarm (tocsin_customer_uuid, resolved_date) include (tocsin_site_uuid);
drop index tocsin.alarm_resolved_idx;
