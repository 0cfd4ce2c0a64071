import { type FieldSentence, fieldSentences } from '../../domain/field-sentences.ts';
import { performanceTargets } from '../../domain/report/performance-targets.ts';
import { type LimitRefusalCode, limitSentences } from '../../domain/rule/limit-refusals.ts';
import { priorities, severities } from '../../domain/rule/priority.ts';

interface ConstraintMessage {
  message: string;
  /** Column whose form field shows the message. */
  field?: string;
}

const missing = (what: string, field: string): ConstraintMessage => ({
  message: `This ${what} does not exist. Choose another.`,
  field,
});
const colour = (field: string): ConstraintMessage => ({
  message: 'Enter the colour as # and six hexadecimal digits, such as #c6162b.',
  field,
});
const choice = (field: string, choices: string): ConstraintMessage => ({ message: `Choose ${choices}.`, field });

const limitColumns = {
  lower: 'value_lower',
  upper: 'value_upper',
  clearLower: 'clear_lower',
  clearUpper: 'clear_upper',
  debounce: 'debounce',
} as const;

function ofLimits(code: LimitRefusalCode): ConstraintMessage {
  const { field, sentence } = limitSentences[code];
  return { message: sentence, field: limitColumns[field] };
}

const ofField = (sentence: FieldSentence, field: string): ConstraintMessage => ({
  message: fieldSentences[sentence],
  field,
});

const oneOf = (choices: readonly string[]) => `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;

/**
 * Messages for violated constraints, keyed by constraint name. A test compares this list with the database catalogue.
 * Messages for length checks are generated instead.
 */
export const constraintMessages: Readonly<Record<string, ConstraintMessage>> = {
  // Preferences of users
  user_start_page_check: { message: 'Choose reports, dashboard, alarms or my-work.', field: 'start_page' },
  user_locale_check: ofField('language-tag', 'locale'),
  // Unique keys
  user_email_key: { message: 'Another user has this e-mail address. Use another.', field: 'email' },
  user_username_key: { message: 'Another user has this user name. Choose another.', field: 'username' },
  group_name_key: {
    message: 'There is already a group with this name on this level. Choose another name.',
    field: 'name',
  },
  site_site_id_key: { message: 'Another site has this ID. Choose another ID.', field: 'site_id' },
  site_user_once_key: {
    message: 'This person is already linked to the site. Change that link, or choose another person.',
    field: 'tocsin_user_uuid',
  },
  sensor_uid_key: { message: 'Another sensor has this uid. Choose another.', field: 'uid' },
  sensor_channel_number_key: {
    message: 'This sensor already has a channel with this number. Choose another number.',
    field: 'channel_number',
  },
  asset_name_key: { message: 'The site already has an asset with this name. Choose another name.', field: 'name' },
  asset_datapoint_combination_key: {
    message: 'The asset already has a data point for this sensor and channel. Choose another channel.',
    field: 'tocsin_sensor_channel_uuid',
  },
  rule_alert_once_key: {
    message: 'The site already has a rule alert for this rule name. Change that rule alert, or choose another name.',
    field: 'tocsin_rule_name',
  },
  rule_alert_user_once_key: {
    message: 'This person is already a recipient of this rule alert. Change that entry, or choose another person.',
    field: 'tocsin_user_uuid',
  },
  rule_escalate_user_once_key: {
    message: 'This person is already in the escalation of this rule alert. Choose another person.',
    field: 'tocsin_user_uuid',
  },
  reason_once_key: ofField('reason-repeated', 'reason'),
  site_reason_once_key: {
    message: 'This reason is already linked to the site. Choose another one.',
    field: 'tocsin_reason_uuid',
  },
  user_reason_once_key: {
    message: 'This reason is already linked to the person at this site. Choose another one.',
    field: 'tocsin_reason_uuid',
  },
  dependency_once_key: {
    message: 'This cause is already in the list. Choose another.',
    field: 'cause_uuid',
  },
  rules_json_once_key: {
    message: 'The site already has a multi-condition rule with this name. Choose another name.',
    field: 'rule_name',
  },
  alarm_default_message_once_key: {
    message: 'There is already a default message with this text. Enter another one.',
    field: 'message',
  },
  alarm_default_message_used_key: {
    message: 'Another user changed the default message at the same time. Try again.',
    field: 'uuid',
  },
  push_subscription_once_key: {
    message: 'This device is already subscribed. No action is needed.',
    field: 'endpoint',
  },
  alarm_open_key: {
    message: 'An alarm with this message is already open at the site. Acknowledge it, or enter another message.',
    field: 'message',
  },

  // Foreign keys
  site_group2_fkey: missing('group', 'tocsin_group2_uuid'),
  site_group3_fkey: missing('group', 'tocsin_group3_uuid'),
  site_group4_fkey: missing('group', 'tocsin_group4_uuid'),
  site_group5_fkey: missing('group', 'tocsin_group5_uuid'),
  site_user_site_fkey: missing('site', 'tocsin_site_uuid'),
  site_user_user_fkey: missing('person', 'tocsin_user_uuid'),
  sensor_channel_sensor_fkey: missing('sensor', 'tocsin_sensor_uuid'),
  asset_site_fkey: missing('site', 'tocsin_site_uuid'),
  asset_sensor_fkey: missing('sensor', 'tocsin_sensor_uuid'),
  asset_datapoint_asset_fkey: missing('asset', 'tocsin_asset_uuid'),
  asset_datapoint_sensor_fkey: missing('sensor', 'tocsin_sensor_uuid'),
  asset_datapoint_channel_fkey: {
    message: 'This channel does not belong to the sensor. Choose one of its channels.',
    field: 'tocsin_sensor_channel_uuid',
  },
  rule_site_fkey: missing('site', 'tocsin_site_uuid'),
  rule_asset_fkey: {
    message: 'This asset does not belong to the site. Choose one of its assets.',
    field: 'tocsin_asset_uuid',
  },
  rule_datapoint_fkey: {
    message: 'This data point does not belong to the asset. Choose one of its data points.',
    field: 'tocsin_datapoint_uuid',
  },
  rule_alert_site_fkey: missing('site', 'tocsin_site_uuid'),
  rule_alert_user_rule_alert_fkey: missing('rule alert', 'tocsin_rule_alert_uuid'),
  rule_alert_user_user_fkey: missing('person', 'tocsin_user_uuid'),
  rule_escalate_user_rule_alert_fkey: missing('rule alert', 'tocsin_rule_alert_uuid'),
  rule_escalate_user_user_fkey: missing('person', 'tocsin_user_uuid'),
  reason_rule_alert_fkey: missing('rule alert', 'rule_uuid'),
  site_reason_reason_fkey: missing('reason', 'tocsin_reason_uuid'),
  site_reason_site_fkey: missing('site', 'tocsin_site_uuid'),
  user_reason_reason_fkey: missing('reason', 'tocsin_reason_uuid'),
  user_reason_user_fkey: missing('person', 'tocsin_user_uuid'),
  user_reason_site_fkey: missing('site', 'tocsin_site_uuid'),
  rules_json_site_fkey: { message: 'No site has this ID. Use the ID of one of your sites.', field: 'site_id' },
  dependency_rule_fkey: missing('rule', 'tocsin_rule_uuid'),
  dependency_rules_json_fkey: missing('multi-condition rule', 'tocsin_rules_json_uuid'),
  dependency_site_fkey: missing('site', 'tocsin_site_uuid'),
  dependency_cause_rule_fkey: missing('rule', 'cause_rule_uuid'),
  dependency_cause_rules_json_fkey: missing('multi-condition rule', 'cause_rules_json_uuid'),
  dependency_cause_datapoint_fkey: missing('data point', 'cause_datapoint_uuid'),
  dependency_cause_site_fkey: missing('site', 'cause_site_uuid'),
  action_site_fkey: missing('site', 'tocsin_site_uuid'),
  action_asset_fkey: {
    message: 'This asset does not belong to the site. Choose one of its assets.',
    field: 'tocsin_asset_uuid',
  },
  action_datapoint_fkey: {
    message: 'This data point does not belong to the asset. Choose one of its data points.',
    field: 'tocsin_datapoint_uuid',
  },
  action_notify_to_fkey: missing('person', 'notify_to'),
  alarm_site_fkey: missing('site', 'tocsin_site_uuid'),
  reply_message_sensor_fkey: { message: 'No sensor has this uid. Use the uid of one of your sensors.', field: 'uid' },
  sensor_gateway_fkey: missing('gateway', 'tocsin_gateway_uuid'),
  user_customer_fkey: missing('customer', 'tocsin_customer_uuid'),
  group_customer_fkey: missing('customer', 'tocsin_customer_uuid'),
  site_customer_fkey: missing('customer', 'tocsin_customer_uuid'),
  sensor_customer_fkey: missing('customer', 'tocsin_customer_uuid'),
  alarm_default_message_customer_fkey: missing('customer', 'tocsin_customer_uuid'),

  // Check constraints
  user_email_check: ofField('user-email', 'email'),
  user_level_check: ofField('user-level', 'level'),
  group_level_check: { message: 'Enter a level from 2 to 5.', field: 'level' },
  customer_operator_shelve_hours_check: ofField('shelve-hours', 'operator_shelve_hours'),
  customer_manager_shelve_hours_check: ofField('shelve-hours', 'manager_shelve_hours'),
  customer_sms_day_budget_check: ofField('sms-budget', 'sms_day_budget'),
  customer_sms_month_budget_check: ofField('sms-budget', 'sms_month_budget'),
  customer_sms_budget_order_check: ofField('sms-budget-order', 'sms_day_budget'),
  group_sms_day_budget_check: ofField('sms-budget', 'sms_day_budget'),
  group_sms_month_budget_check: ofField('sms-budget', 'sms_month_budget'),
  group_sms_budget_order_check: ofField('sms-budget-order', 'sms_day_budget'),
  group_sms_budget_level_check: ofField('sms-budget-level', 'level'),
  ...Object.fromEntries(
    performanceTargets.map(({ column, sentence }) => [`customer_${column}_check`, ofField(sentence, column)]),
  ),
  customer_day_alarms_order_check: ofField('target-order', 'day_alarms_limit'),
  customer_period_alarms_order_check: ofField('target-order', 'period_alarms_limit'),
  customer_share_targets_sum_check: ofField('target-share-sum', 'critical_share_target'),
  site_site_status_check: choice('site_status', '0 (no data), 1 (normal), 2 (alarm) or 3 (silent)'),
  site_health_duration_check: ofField('health-duration', 'tocsin_health_duration_hours'),
  site_gsm_signal_check: { message: 'Enter the signal strength in dBm, from -150 to 0.', field: 'gsm_signal_strength' },
  sensor_frame_format_check: choice('frame_format', 'auto, json, key-value or csv'),
  sensor_gateway_check: {
    message: 'A sensor cannot be its own gateway. Choose another sensor.',
    field: 'tocsin_gateway_uuid',
  },
  sensor_channel_factor_check: {
    message: 'Enter a factor that is not 0 and not larger than 1,000,000,000,000.',
    field: 'channel_factor',
  },
  sensor_channel_offset_check: {
    message: 'Enter an offset from -1,000,000,000,000 to 1,000,000,000,000.',
    field: 'channel_offset',
  },
  sensor_channel_decimals_check: {
    message: 'Enter a whole number of decimals from 0 to 10.',
    field: 'channel_decimals',
  },
  sensor_status_check: choice('status', '0 (disabled), 1 (active) or 2 (maintenance)'),
  sensor_sensor_type_check: choice('sensor_type', '1 (digital), 2 (analog) or 3 (counter)'),
  sensor_uid_check: {
    message: 'Enter a uid that begins with a letter or digit and contains only letters, digits and . _ : -',
    field: 'uid',
  },
  sensor_channel_number_check: { message: 'Enter a channel number from 0 to 9999.', field: 'channel_number' },
  sensor_channel_alarm_condition_check: choice(
    'channel_alarm_condition',
    '0 (low is the alarm), 1 (high is the alarm) or 2 (neither)',
  ),
  sensor_channel_normal_color_check: colour('channel_normal_color'),
  sensor_channel_alarm_color_check: colour('channel_alarm_color'),
  asset_datapoint_sensor_type_check: choice('sensor_type', '1 (digital), 2 (analog) or 3 (counter)'),
  asset_datapoint_status_check: choice('status', '0 (no data), 1 (normal), 2 (alarm) or 3 (stale)'),
  asset_datapoint_order_check: {
    message: 'Enter an order: a whole number from 0 to 100,000.',
    field: 'tocsin_asset_datapoint_order',
  },
  asset_datapoint_color_check: colour('datapoint_color'),
  rule_debounce_check: ofLimits('debounce'),
  rule_priority_check: choice('priority', oneOf(priorities)),
  rule_limits_check: ofLimits('no-limit'),
  rule_limits_order_check: ofLimits('limit-order'),
  rule_limits_finite_check: ofLimits('limit-too-large'),
  rule_clear_lower_check: ofLimits('clear-lower'),
  rule_clear_upper_check: ofLimits('clear-upper'),
  rule_clear_order_check: ofLimits('clear-order'),
  rule_alert_escalate_minutes_check: ofField('escalation-minutes', 'escalate_minutes'),
  rule_alert_escalate_interval_check: ofField('escalation-minutes', 'escalate_interval_minutes'),
  rule_alert_escalate_count_check: {
    message: 'Enter a number of escalations from 1 to 100. To switch off escalation, remove its recipients.',
    field: 'escalate_count',
  },
  dependency_dependent_check: {
    message: 'Specify exactly one dependent: a rule, a multi-condition rule or a site.',
    field: 'tocsin_rule_uuid',
  },
  dependency_cause_check: {
    message: 'Specify exactly one cause: a rule, a multi-condition rule, a data point or a site.',
    field: 'cause_rule_uuid',
  },
  action_action_check: choice(
    'action',
    '1 (notify one person), 2 (notify the people listed) or 3 (queue a sensor command)',
  ),
  action_notify_to_check: ofField('recipient-missing', 'notify_to'),
  action_users_check: ofField('recipients-missing', 'tocsin_users'),
  action_command_check: ofField('command-missing', 'reply_command'),
  alarm_severity_check: choice('severity', oneOf(severities)),
  alarm_resolved_check: {
    message: 'The resolution time is before the start of the alarm. Enter a later time.',
    field: 'resolved_date',
  },
  alarm_acknowledged_check: { message: 'Choose a reason to acknowledge the alarm.', field: 'reason' },
};
