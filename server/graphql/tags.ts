import { jsonPgSmartTags } from 'postgraphile/utils';

/** What the schema should say differently from what the database's own names give. */
export const pgSmartTags = jsonPgSmartTags({
  version: 1,
  config: {
    class: {
      'tocsin.rules_json': { tags: { behavior: '-delete' } },
      'tocsin.reading': { tags: { behavior: '-*' } },
      'tocsin.health_slot': { tags: { behavior: '-*' } },
      'tocsin.health_week': { tags: { behavior: '-*' } },
    },
    attribute: {
      'tocsin.sensor_channel.key': { tags: { behavior: '-*' } },
      'tocsin.notification.lease_until': { tags: { behavior: '-*' } },
      'tocsin.notification.idempotency_key': { tags: { behavior: '-*' } },
      'tocsin.notification.once_key': { tags: { behavior: '-*' } },
      'tocsin.notification.topic': { tags: { behavior: '-*' } },
      'tocsin.incoming_sensor_log.raw_data': { tags: { behavior: '+filterBy' } },
      'tocsin.alarm.site_name': { tags: { behavior: '+orderBy +filterBy' } },
      'tocsin.reason.reason': { tags: { behavior: '+filterBy' } },
      'tocsin.notification.method_type': { tags: { behavior: '+filterBy' } },
      'tocsin.notification.message_type': { tags: { behavior: '+filterBy' } },
    },
    procedure: {
      'tocsin.update_asset_datapoint_status': { tags: { resultFieldName: 'assetDatapoint' } },
      'tocsin.update_asset_datapoint_order': { tags: { resultFieldName: 'assetDatapoint' } },
      'tocsin.register_sensor': { tags: { resultFieldName: 'credentials' } },
      'tocsin.rotate_device_token': { tags: { resultFieldName: 'credentials' } },
      'tocsin.revoke_device_token': { tags: { resultFieldName: 'revoked' } },
      'tocsin.take_back_reply_message': { tags: { resultFieldName: 'replyMessage' } },
      'tocsin.delete_rules_json': { tags: { resultFieldName: 'rulesJson' } },
      'tocsin.copy_site': { tags: { resultFieldName: 'site' } },
      'tocsin.set_sms_price': { tags: { resultFieldName: 'customer' } },
      'tocsin.set_own_channels': { tags: { resultFieldName: 'saved' } },
      'tocsin.set_own_profile': { tags: { resultFieldName: 'saved' } },
      'tocsin.save_rule_alert': { tags: { resultFieldName: 'ruleAlert' } },
      'tocsin.save_site': { tags: { resultFieldName: 'site' } },
      'tocsin.save_user': { tags: { resultFieldName: 'userUuid' } },
      'tocsin.change_rules': { tags: { resultFieldName: 'changedCount' } },
      'tocsin.link_site_users': { tags: { resultFieldName: 'linked' } },
      'tocsin.resend_invitation': { tags: { resultFieldName: 'invited' } },
      'tocsin.end_user_sessions': { tags: { resultFieldName: 'endedCount' } },
      'tocsin.send_test_message': { tags: { resultFieldName: 'notificationUuid' } },
      'tocsin.delete_user_reasons': { tags: { resultFieldName: 'deletedCount' } },
    },
    constraint: {
      'tocsin.customer.customer_partner_fkey': { tags: { fieldName: 'partner', foreignFieldName: 'customers' } },
      'tocsin.reason.reason_rule_alert_fkey': { tags: { fieldName: 'ruleAlert', foreignFieldName: 'reasons' } },
      'tocsin.site.site_group2_fkey': { tags: { fieldName: 'group2', foreignFieldName: 'sitesOfGroup2' } },
      'tocsin.site.site_group3_fkey': { tags: { fieldName: 'group3', foreignFieldName: 'sitesOfGroup3' } },
      'tocsin.site.site_group4_fkey': { tags: { fieldName: 'group4', foreignFieldName: 'sitesOfGroup4' } },
      'tocsin.site.site_group5_fkey': { tags: { fieldName: 'group5', foreignFieldName: 'sitesOfGroup5' } },
      'tocsin.action.action_notify_to_fkey': { tags: { fieldName: 'notifyToUser', foreignFieldName: 'actions' } },
      'tocsin.alarm.alarm_acknowledged_by_fkey': {
        tags: { fieldName: 'acknowledgingUser', foreignFieldName: 'acknowledgedAlarms' },
      },
      'tocsin.reply_message.reply_message_sensor_fkey': {
        tags: { fieldName: 'sensor', foreignFieldName: 'replyMessages' },
      },
      'tocsin.rules_json.rules_json_site_fkey': { tags: { fieldName: 'site', foreignFieldName: 'rulesJsons' } },
    },
  },
} as never);
