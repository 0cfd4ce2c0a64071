import { SILENT_SITE } from '../../../domain/alarm/texts.ts';
import type { AlarmEvent } from '../history/alarms.ts';
import { needsAcknowledging } from '../history/alarms.ts';
import { episodesOf, type SiteHistory } from '../history/history.ts';
import { wantsResolved } from '../history/messages.ts';
import { valueAt } from '../history/series.ts';
import { nuisanceReasons, reasons } from '../plant/kind.ts';
import type { Person } from '../plant/people.ts';
import { groupUuid } from '../plant/people.ts';
import type { Alarm, Asset, Point, Site } from '../plant/plant.ts';
import { alarmsOf } from '../plant/plant.ts';
import { uuidOf } from '../random.ts';
import type { Row, tables } from './tables.ts';

/** Rows to insert, keyed by table. */
export type Rows = { [Name in keyof typeof tables]: Row<(typeof tables)[Name]>[] };

const colours = { normal: '#7d858f', serious: '#c6162b', minor: '#bd6e00', stale: '#7648cc' } as const;
export const priorities = { critical: 'critical', major: 'high', minor: 'medium', silent: 'low' } as const;
const HOUR = 3_600_000;

/** Adds the configuration of a site and the current state of its data points. */
export function addSite(
  rows: Rows,
  seed: string,
  site: Site,
  history: SiteHistory,
  events: readonly AlarmEvent[],
  linkManagers: boolean,
): void {
  const { customer, createdAt } = site;
  const own = { tocsin_customer_uuid: customer.uuid };
  const made = { created_at: createdAt, updated_at: createdAt };
  const group = (level: 2 | 3 | 4 | 5) => groupUuid(seed, customer, level, site.office[level - 2]!);
  rows.site.push({
    uuid: site.uuid,
    ...own,
    site_id: site.siteId,
    name: site.name,
    location: site.location,
    description: `${site.kind.type} of the ${site.office[3]} office`,
    address: site.address,
    site_type: site.kind.type,
    site_category: site.kind.category,
    phone_number: site.phone,
    site_status: history.status,
    tocsin_group2_uuid: group(2),
    tocsin_group3_uuid: group(3),
    tocsin_group4_uuid: group(4),
    tocsin_group5_uuid: group(5),
    tocsin_health_duration_hours: site.healthHours,
    gsm_provider: site.provider,
    gsm_signal_strength: site.signal,
    last_update: history.lastFrame,
    last_updated: createdAt,
    created_at: createdAt,
  });
  for (const person of site.people) {
    rows.siteUser.push({
      uuid: linkUuid(seed, site, person),
      ...own,
      tocsin_site_uuid: site.uuid,
      tocsin_user_uuid: person.uuid,
      created_at: createdAt,
    });
  }
  for (const asset of site.assets) {
    const types = new Set(asset.points.map((point) => point.kind.type));
    rows.sensor.push({
      uuid: asset.sensorUuid,
      ...own,
      uid: asset.uid,
      status: 1,
      sensor_type: types.size === 1 && types.has(1) ? 1 : 2,
      description: `${site.name}, ${asset.name.toLowerCase()}`,
      last_contact: history.lastFrame,
      ...made,
    });
    rows.asset.push({
      uuid: asset.uuid,
      ...own,
      tocsin_site_uuid: site.uuid,
      tocsin_sensor_uuid: asset.sensorUuid,
      name: asset.name,
      description: asset.description,
      ...made,
    });
    for (const point of asset.points) addPoint(rows, site, asset, point, history, events);
  }
  for (const { asset, point, alarm } of alarmsOf(site)) {
    if (alarm.kind.side !== 'state') addRule(rows, site, asset, point, alarm);
    addAlert(
      rows,
      seed,
      site,
      alarm.alertUuid,
      alarm.name,
      reasons[alarm.kind.reasons],
      needsAcknowledging(alarm.kind.severity),
      linkManagers,
    );
  }
  addAlert(rows, seed, site, site.silentAlertUuid, SILENT_SITE, reasons.silent, true, linkManagers);
}

export function linkUuid(seed: string, site: Site, person: Person): string {
  return uuidOf(seed, 'link', site.uuid, person.uuid);
}

function addPoint(
  rows: Rows,
  site: Site,
  asset: Asset,
  point: Point,
  history: SiteHistory,
  events: readonly AlarmEvent[],
): void {
  const { kind } = point;
  const state = kind.alarms.find((alarm) => alarm.side === 'state');
  const made = { created_at: site.createdAt, updated_at: site.createdAt };
  rows.channel.push({
    uuid: point.channelUuid,
    tocsin_customer_uuid: site.customer.uuid,
    tocsin_sensor_uuid: asset.sensorUuid,
    name: kind.name,
    channel_number: point.channelNumber,
    // For a digital channel with an alarm state, the title is the alarm's message and the name of its rule alert.
    channel_title_text: point.alarms.find((alarm) => alarm.kind.side === 'state')?.name ?? kind.name,
    channel_alarm_color: state?.severity === 'minor' ? colours.minor : colours.serious,
    channel_alarm_condition: state ? state.limit : 2,
    channel_major_alarm_status: state?.severity === 'major',
    channel_low_text: kind.states?.[0] ?? '',
    channel_high_text: kind.states?.[1] ?? '',
    ...made,
  });
  const open = events.find((event) => event.point === point && event.resolvedAt === null);
  const status = history.status === 3 ? 3 : open ? 2 : 1;
  const episodes = episodesOf(point, history);
  const value = valueAt(point, episodes, history.lastFrame, history.lastFrame);
  const usual = status === 3 ? 'Stale' : !open ? 'Normal' : value > open.limit ? 'High' : 'Low';
  rows.datapoint.push({
    uuid: point.uuid,
    tocsin_customer_uuid: site.customer.uuid,
    tocsin_asset_uuid: asset.uuid,
    tocsin_sensor_uuid: asset.sensorUuid,
    tocsin_sensor_channel_uuid: point.channelUuid,
    tocsin_datapoint_name: kind.name,
    uom: kind.unit,
    sensor_type: kind.type,
    status,
    tocsin_asset_datapoint_order: point.channelNumber * 10,
    datapoint_color:
      status === 3
        ? colours.stale
        : !open
          ? colours.normal
          : open.severity === 'minor'
            ? colours.minor
            : colours.serious,
    datapoint_title_text: kind.states ? kind.states[value]! : usual,
    latest_value: value,
    last_updated: history.lastFrame,
    created_at: site.createdAt,
  });
}

function addRule(rows: Rows, site: Site, asset: Asset, point: Point, alarm: Alarm): void {
  const { kind } = alarm;
  rows.rule.push({
    uuid: alarm.ruleUuid,
    tocsin_customer_uuid: site.customer.uuid,
    tocsin_site_uuid: site.uuid,
    tocsin_asset_uuid: asset.uuid,
    tocsin_datapoint_uuid: point.uuid,
    name: alarm.name,
    value_lower: kind.side === 'below' ? kind.limit : null,
    value_upper: kind.side === 'above' ? kind.limit : null,
    debounce: kind.debounce,
    priority: priorities[kind.severity],
    message: kind.message,
    created_at: site.createdAt + HOUR,
    updated_at: site.createdAt + HOUR,
  });
}

/** Adds a rule alert with recipients, escalation and reasons. */
export function addAlert(
  rows: Rows,
  seed: string,
  site: Site,
  uuid: string,
  name: string,
  reasonList: readonly string[],
  mustAcknowledge: boolean,
  linkManagers: boolean,
): void {
  const { customer } = site;
  const own = { tocsin_customer_uuid: customer.uuid };
  const at = site.createdAt + HOUR;
  const silent = name === SILENT_SITE;
  rows.ruleAlert.push({
    uuid,
    ...own,
    tocsin_site_uuid: site.uuid,
    tocsin_rule_name: name,
    ind_ack: mustAcknowledge,
    created_at: at,
    updated_at: at,
  });
  for (const person of site.people) {
    rows.alertUser.push({
      uuid: uuidOf(seed, 'alert-user', uuid, person.uuid),
      ...own,
      tocsin_rule_alert_uuid: uuid,
      tocsin_user_uuid: person.uuid,
      is_alert: !silent,
      is_resolve: wantsResolved(person),
      is_health: silent,
      created_at: at,
    });
  }
  for (const person of customer.escalation) {
    rows.escalateUser.push({
      uuid: uuidOf(seed, 'escalate-user', uuid, person.uuid),
      ...own,
      tocsin_rule_alert_uuid: uuid,
      tocsin_user_uuid: person.uuid,
      created_at: at,
    });
  }
  const managers = customer.people.filter(
    (person) => person.level < 10 && !person.partnerAccount && !site.people.includes(person),
  );
  for (const text of reasonList) {
    const reason = uuidOf(seed, 'reason', uuid, text);
    rows.reason.push({
      uuid: reason,
      ...own,
      rule_uuid: uuid,
      reason: text,
      is_nuisance: nuisanceReasons.has(text),
      created_at: at,
      updated_at: at,
    });
    rows.siteReason.push({
      uuid: uuidOf('site', reason),
      ...own,
      tocsin_reason_uuid: reason,
      tocsin_site_uuid: site.uuid,
      created_at: at,
    });
    for (const person of linkManagers ? [...site.people, ...managers] : site.people) {
      rows.userReason.push({
        uuid: uuidOf('user', reason, person.uuid),
        ...own,
        tocsin_reason_uuid: reason,
        tocsin_user_uuid: person.uuid,
        tocsin_site_uuid: site.uuid,
        created_at: at,
      });
    }
  }
}
