/** Fields of the entities in section 3 of the specification, and whether each may be null. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isNonNullType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';

const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../web/api/schema.graphql'), 'utf8'));

const fieldsOf: Record<string, { never: string; maybe?: string }> = {
  Site: {
    never: `uuid name location description address siteId siteType siteCategory phoneNumber siteStatus lastUpdated
      tocsinCustomerUuid tocsinHealthDurationHours gsmProvider`,
    maybe: 'lastUpdate gsmSignalStrength tocsinGroup2Uuid tocsinGroup3Uuid tocsinGroup4Uuid tocsinGroup5Uuid',
  },
  Group: { never: 'uuid name level status' },
  Asset: { never: 'uuid name description tocsinSiteUuid tocsinCustomerUuid status', maybe: 'tocsinSensorUuid' },
  Sensor: { never: 'uuid uid status sensorType description tocsinCustomerUuid' },
  SensorChannel: {
    never: `uuid name description tocsinSensorUuid channelNumber channelTitleText channelNormalColor channelAlarmColor
      channelAlarmCondition channelMajorAlarmStatus channelLowText channelHighText`,
  },
  AssetDatapoint: {
    never: `uuid tocsinDatapointName uom sensorType status tocsinAssetDatapointOrder tocsinAssetUuid tocsinSensorUuid
      tocsinSensorChannelUuid datapointColor datapointTitleText description`,
    maybe: 'latestValue lastUpdated',
  },
  User: {
    never: `uuid username displayName email phoneNumber level status varified emailNotification smsNotification
      whatsappNotification appsNotification`,
  },
  SiteUser: { never: 'uuid tocsinSiteUuid tocsinUserUuid' },
  Rule: {
    never: 'uuid name debounce tocsinAssetUuid tocsinDatapointUuid tocsinSiteUuid',
    maybe: 'valueLower valueUpper',
  },
  RuleAlert: { never: 'uuid tocsinRuleName tocsinSiteUuid indAck' },
  RuleAlertUser: { never: 'tocsinUserUuid isAlert isResolve isHealth' },
  RuleEscalateUser: { never: 'tocsinUserUuid' },
  RulesJson: { never: 'uuid ruleName siteId ruleJson' },
  Reason: { never: 'uuid reason ruleUuid' },
  SiteReason: { never: 'tocsinReasonUuid tocsinSiteUuid' },
  UserReason: { never: 'tocsinReasonUuid tocsinUserUuid tocsinSiteUuid' },
  AlarmDefaultMessage: { never: 'uuid message' },
  Action: {
    never: 'uuid action acknowledge escalate tocsinUsers tocsinAssetUuid tocsinSiteUuid',
    maybe: 'notifyTo tocsinDatapointUuid',
  },
  Alarm: {
    never: 'uuid message dateTime createdAt',
    maybe: 'resolvedDate acknowledgeJson reason acknowledgingUser',
  },
  IncomingSensorLog: { never: 'autoId rawData uid dateTime' },
  ReplyMessage: { never: 'id uid replyCommand queuedOn', maybe: 'reply deliveredOn' },
  Audit: { never: 'action createdAt updatedAt userDisplayName' },
  Notification: { never: 'notifyMessage notifyTime', maybe: 'ackTime ackByRecipientName' },
};

const words = (text = '') => text.split(/\s+/).filter((word) => word !== '');

test.each(Object.entries(fieldsOf))('%s has its fields, and only these may be null', (name, { never, maybe }) => {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`The schema has no type ${name}.`);
  const fields = type.getFields();
  const wanted = [...words(never), ...words(maybe)];
  expect(wanted.filter((field) => !fields[field])).toEqual([]);
  expect(wanted.filter((field) => !isNonNullType(fields[field]?.type))).toEqual(words(maybe));
});
