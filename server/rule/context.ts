import { DIGITAL } from '../../domain/datapoint.ts';
import type { Context } from '../../domain/rule/context.ts';
import type { Transaction } from '../platform/database.ts';
import type { Watch } from './watch.ts';

/** SQL for the object of a rule alert `ra`. */
export const ALERT_JSON = `json_build_object('uuid', ra.uuid, 'indAck', ra.ind_ack, 'afterMinutes', ra.escalate_minutes,
    'everyMinutes', ra.escalate_interval_minutes, 'times', ra.escalate_count,
    'users', coalesce((select json_agg(json_build_object('uuid', u.tocsin_user_uuid, 'isAlert', u.is_alert, 'isResolve', u.is_resolve,
      'isHealth', u.is_health) order by u.tocsin_user_uuid) from tocsin.rule_alert_user u where u.tocsin_rule_alert_uuid = ra.uuid), '[]'),
    'escalate', coalesce((select json_agg(e.tocsin_user_uuid order by e.tocsin_user_uuid)
      from tocsin.rule_escalate_user e where e.tocsin_rule_alert_uuid = ra.uuid), '[]'),
    'steps', tocsin_private.plan_steps(ra.uuid))`;

const ALERT = (site: string, name: string) => `(
  select ${ALERT_JSON} from tocsin.rule_alert ra where ra.tocsin_site_uuid = ${site} and ra.tocsin_rule_name = ${name})`;

const DEFAULT_MESSAGE = (customer: string) => `(
  select m.message from tocsin.alarm_default_message m where m.tocsin_customer_uuid = ${customer} and m.is_used)`;

const ACTIONS = (asset: string, datapoint: string) => `coalesce((
  select json_agg(json_build_object('uuid', x.uuid, 'action', x.action, 'acknowledge', x.acknowledge, 'escalate', x.escalate,
    'people', case x.action when 1 then json_build_array(x.notify_to)
      when 2 then to_json(regexp_split_to_array(btrim(x.tocsin_users), '[\\s,;]+')) else '[]' end,
    'command', x.reply_command, 'sensorUid', (select e.uid from tocsin.sensor e where e.uuid = coalesce(
      (select d2.tocsin_sensor_uuid from tocsin.asset_datapoint d2 where d2.uuid = x.tocsin_datapoint_uuid),
      (select a2.tocsin_sensor_uuid from tocsin.asset a2 where a2.uuid = x.tocsin_asset_uuid),
      (select d3.tocsin_sensor_uuid from tocsin.asset_datapoint d3 where d3.uuid = ${datapoint})))) order by x.created_at, x.uuid)
  from tocsin.action x where x.tocsin_asset_uuid = ${asset}
    and (x.tocsin_datapoint_uuid is null or x.tocsin_datapoint_uuid = ${datapoint})), '[]')`;

/** Columns that describe a data point and its customer, site, asset and channel. */
const PLACE = `
  c.uuid as "customerUuid", c.time_zone as "timeZone", s.uuid as "siteUuid", s.name as "siteName", a.uuid as "assetUuid",
  a.name as "assetName", d.uuid as "datapointUuid", d.tocsin_datapoint_name as "datapointName", d.uom as unit,
  h.key as "channelKey", h.channel_major_alarm_status as "channelMajor", h.name as "channelName",
  h.channel_title_text as "channelTitle", h.channel_low_text as "lowText",
  h.channel_high_text as "highText", h.channel_alarm_condition::int as "alarmCondition"`;
const PLACE_JOINS = `
  join tocsin.asset a on a.uuid = d.tocsin_asset_uuid join tocsin.site s on s.uuid = a.tocsin_site_uuid
  join tocsin.customer c on c.uuid = s.tocsin_customer_uuid join tocsin.sensor_channel h on h.uuid = d.tocsin_sensor_channel_uuid`;

/**
 * Returns SQL for an object, keyed by data point uuid, with the names, units and state texts that a description of
 * conditions needs. Only digital channels have state texts.
 */
export const POINTS = (where: string) => `coalesce((
  select json_object_agg(d.uuid, json_build_object('asset', a.name, 'name', d.tocsin_datapoint_name, 'unit', d.uom, 'channelKey', h.key,
    'lowText', case d.sensor_type when ${DIGITAL} then h.channel_low_text end,
    'highText', case d.sensor_type when ${DIGITAL} then h.channel_high_text end))
  from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
  join tocsin.sensor_channel h on h.uuid = d.tocsin_sensor_channel_uuid where ${where}), '{}')`;

const WITHOUT_LIMITS = `null as lower, null as upper, null as "clearLower", null as "clearUpper", 0 as debounce, 'medium' as priority, '' as message`;
const TITLE = "coalesce(nullif(h.channel_title_text, ''), h.name)";

/**
 * Each kind of rule has its own query. Planning a combined query would take longer than running it, and most calls need
 * only one kind.
 */
const SELECT_CONTEXTS: Readonly<Record<Watch['kind'], string>> = {
  limits: `
    select r.uuid as "watchUuid", 'limits' as kind, r.name as "ruleName", r.version, ${PLACE},
      r.value_lower as lower, r.value_upper as upper, r.clear_lower as "clearLower", r.clear_upper as "clearUpper", r.debounce,
      r.priority, r.message, null as "ruleJson", ${DEFAULT_MESSAGE('c.uuid')} as "defaultMessage",
      ${ALERT('s.uuid', 'r.name')} as alert, ${ACTIONS('a.uuid', 'd.uuid')} as actions
    from tocsin.rule r join tocsin.asset_datapoint d on d.uuid = r.tocsin_datapoint_uuid ${PLACE_JOINS}
    where r.uuid = any ($1::uuid[])`,
  digital: `
    select d.uuid as "watchUuid", 'digital' as kind, ${TITLE} as "ruleName", 1 as version, ${PLACE}, ${WITHOUT_LIMITS}, null as "ruleJson",
      ${DEFAULT_MESSAGE('c.uuid')} as "defaultMessage", ${ALERT('s.uuid', TITLE)} as alert, ${ACTIONS('a.uuid', 'd.uuid')} as actions
    from tocsin.asset_datapoint d ${PLACE_JOINS}
    where d.uuid = any ($1::uuid[])`,
  conditions: `
    select j.uuid as "watchUuid", 'conditions' as kind, j.rule_name as "ruleName", j.version, c.uuid as "customerUuid",
      c.time_zone as "timeZone", s.uuid as "siteUuid", s.name as "siteName", null as "assetUuid", '' as "assetName",
      null as "datapointUuid", '' as "datapointName", '' as unit, null as "channelKey", false as "channelMajor", '' as "channelName",
      '' as "channelTitle", '' as "lowText", '' as "highText", null as "alarmCondition", ${WITHOUT_LIMITS}, j.rule_json as "ruleJson",
      ${POINTS('a.tocsin_site_uuid = s.uuid')} as points,
      ${DEFAULT_MESSAGE('c.uuid')} as "defaultMessage", ${ALERT('s.uuid', 'j.rule_name')} as alert, '[]'::json as actions
    from tocsin.rules_json j join tocsin.site s on s.tocsin_customer_uuid = j.tocsin_customer_uuid and s.site_id = j.site_id
    join tocsin.customer c on c.uuid = s.tocsin_customer_uuid
    where j.uuid = any ($1::uuid[])`,
};

export async function loadContexts(
  tx: Transaction,
  watches: Iterable<{ uuid: string; kind: Watch['kind'] }>,
): Promise<Map<string, Context>> {
  const wanted = Map.groupBy(watches, ({ kind }) => kind);
  const contexts = new Map<string, Context>();
  for (const [kind, ofKind] of wanted) {
    const uuids = ofKind.map(({ uuid }) => uuid);
    const { rows } = await tx.query<Context>(SELECT_CONTEXTS[kind], [uuids]);
    for (const context of rows) contexts.set(context.watchUuid, context);
  }
  return contexts;
}
