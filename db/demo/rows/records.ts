import type { EscalationPlan } from '../../../domain/alarm/escalation.ts';
import { displayNumber } from '../../../domain/alarm/number-text.ts';
import { outsideForText, silenceText } from '../../../domain/alarm/texts.ts';
import { slotStart } from '../../../domain/health.ts';
import { addressesOf } from '../../../domain/notification/recipients.ts';
import { type AlarmEvent, escalateMinutes, escalateTimes } from '../history/alarms.ts';
import type { SiteHistory, Span } from '../history/history.ts';
import { type Message, notificationText, wantsResolved } from '../history/messages.ts';
import { valuesOnGrid } from '../history/series.ts';
import type { Person } from '../plant/people.ts';
import type { Site } from '../plant/plant.ts';
import { noise, noiseKey } from '../random.ts';
import type { Change } from './change.ts';
import { priorities, type Rows } from './config.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function addAlarms(rows: Rows, site: Site, events: readonly AlarmEvent[], changes: readonly Change[]): void {
  for (const event of events) {
    const seen = event.acknowledged;
    rows.alarm.push({
      uuid: event.uuid,
      tocsin_customer_uuid: site.customer.uuid,
      tocsin_site_uuid: site.uuid,
      tocsin_asset_uuid: event.asset?.uuid ?? null,
      tocsin_datapoint_uuid: event.point?.uuid ?? null,
      site_name: site.name,
      rule_name: event.message,
      severity: event.severity,
      message: event.message,
      date_time: event.openedAt,
      resolved_date: event.resolvedAt,
      reason: seen?.reason ?? null,
      acknowledge_text: seen?.text ?? null,
      acknowledge_json: seen
        ? JSON.stringify({
            by: seen.by.uuid,
            name: seen.by.name,
            at: new Date(seen.at).toISOString(),
            reason: seen.reason,
            text: seen.text,
            channel: seen.channel,
          })
        : null,
      acknowledged_by: seen?.by.uuid ?? null,
      ...criteriaOf(event, ruleAt(changes, event)),
      ...escalationOf(site, event),
      created_at: event.openedAt,
    });
    addEvents(rows, site, event, ruleAt(changes, event));
    if (event.resolvedAt === null && event.alarm) addState(rows, event, ruleAt(changes, event));
  }
}

/** The rule version that opened an alarm. */
interface RuleThen {
  version: number;
  limit: number;
  /** Debounce in seconds; 0 for a digital channel and for a silent site. */
  debounce: number;
}

export function ruleAt(changes: readonly Change[], { alarm, limit, openedAt }: AlarmEvent): RuleThen {
  const now = { version: 1, limit, debounce: alarm && alarm.kind.side !== 'state' ? alarm.kind.debounce : 0 };
  const change = alarm && changes.find(({ uuid }) => uuid === alarm.ruleUuid);
  if (!change) return now;
  if (change.at <= openedAt) return { ...now, version: 2 };
  return change.column === 'debounce'
    ? { ...now, debounce: Number(change.before) }
    : { ...now, limit: Number(change.before) };
}

/** Returns the escalation columns of an alarm. An open alarm continues to escalate after the end of the history. */
function escalationOf(site: Site, event: AlarmEvent) {
  const { openedAt, resolvedAt, acknowledged, mustAcknowledge, escalatedAt } = event;
  const people = mustAcknowledge ? site.customer.escalation : [];
  const goesOn = resolvedAt === null && !acknowledged && people.length > 0 && escalatedAt.length < escalateTimes;
  const plan: EscalationPlan = {
    afterMinutes: escalateMinutes,
    everyMinutes: escalateMinutes,
    times: escalateTimes,
    people: people.map(({ uuid }) => uuid),
  };
  const recipients = {
    alert: site.people.map(recipientOf),
    resolve: site.people.filter(wantsResolved).map(recipientOf),
    escalate: people.map(recipientOf),
    notes: [],
    subject: `${site.name}: ${event.message}`,
    text: notificationText(site, event),
  };
  return {
    must_acknowledge: mustAcknowledge,
    plan: JSON.stringify(plan),
    recipients: resolvedAt === null ? JSON.stringify(recipients) : null,
    escalation_step: escalatedAt.length,
    next_escalation_at: goesOn ? openedAt + (escalatedAt.length + 1) * escalateMinutes * MINUTE : null,
  };
}

/** Returns a recipient as stored with an alarm. No demo user has a push subscription. */
function recipientOf({ uuid, name, active, email, phone, methods }: Person) {
  const wants = {
    email: methods.includes(1),
    whatsapp: methods.includes(2),
    sms: methods.includes(3),
    push: methods.includes(4),
  };
  const addresses = addressesOf({
    uuid,
    name,
    active,
    varified: true,
    email,
    phone,
    pushAddresses: [],
    wants,
  });
  return { uuid, name, ...addresses };
}

/** Returns the columns of an alarm that describe its rule, data point and criteria. */
function criteriaOf({ alarm, point, asset, value, limit, openedAt, severity, resolvedAt }: AlarmEvent, rule: RuleThen) {
  const priority = priorities[severity];
  if (!alarm || !point) {
    return {
      source: 'silence',
      rule_uuid: null,
      rule_version: null,
      priority,
      asset_name: '',
      datapoint_name: '',
      value: null,
      unit: '',
      pending_since: value,
      criteria: JSON.stringify({ kind: 'silence', hours: limit }),
      resolved_how: resolvedAt === null ? null : 'heard-again',
    };
  }
  const { kind, name } = alarm;
  const { version, debounce } = rule;
  const { unit, states } = point.kind;
  const digital = kind.side === 'state';
  const criteria = digital
    ? {
        name,
        debounce,
        kind: 'digital',
        alarmState: limit === 0 ? 'low' : 'high',
        lowText: states?.[0],
        highText: states?.[1],
      }
    : {
        name,
        version,
        debounce,
        kind: 'limits',
        lower: kind.side === 'below' ? rule.limit : null,
        upper: kind.side === 'above' ? rule.limit : null,
        clearLower: null,
        clearUpper: null,
        unit,
      };
  return {
    source: digital ? 'digital' : 'limits',
    rule_uuid: digital ? point.uuid : alarm.ruleUuid,
    rule_version: version,
    priority,
    asset_name: asset?.name ?? '',
    datapoint_name: point.kind.name,
    value,
    unit,
    pending_since: openedAt - debounce * 1000,
    criteria: JSON.stringify(criteria),
    resolved_how: resolvedAt === null ? null : 'by-itself',
  };
}

function addEvents(rows: Rows, site: Site, event: AlarmEvent, { debounce }: RuleThen): void {
  const { uuid, point, message, value, openedAt, resolvedAt, acknowledged, escalatedAt } = event;
  const add = (at: number, kind: string, sentence: string, by: string | null = null) => {
    const own = { tocsin_customer_uuid: site.customer.uuid, tocsin_alarm_uuid: uuid };
    rows.alarmEvent.push({ ...own, at, kind, sentence, tocsin_user_uuid: by });
  };
  const measured = point?.kind.states
    ? message
    : point && `${point.kind.name} was ${displayNumber(value)} ${point.kind.unit}`.trimEnd();
  const held = outsideForText('limits', debounce * 1000);
  add(openedAt, 'opened', measured ? `${measured}${held}.` : silenceText(value, openedAt));
  const later = site.customer.escalation.map(({ name }) => name).join(', ');
  for (const [index, at] of escalatedAt.entries()) {
    add(
      at,
      'escalated',
      `Nobody acknowledged the alarm, so it was escalated (${index + 1} of ${escalateTimes}) to ${later}.`,
    );
  }
  if (acknowledged) {
    const { at, by, reason } = acknowledged;
    add(at, 'acknowledged', `${by.name} acknowledged the alarm: ${reason}.`, by.uuid);
  }
  if (resolvedAt === null) return;
  add(resolvedAt, 'resolved', point ? 'Returned to normal.' : 'The site is sending data again.');
}

/** Adds the rule state of an open alarm, from which the rule evaluator continues. */
function addState(rows: Rows, { uuid, alarm, asset, point, openedAt, value }: AlarmEvent, rule: RuleThen): void {
  if (!alarm || !asset || !point) return;
  const digital = alarm.kind.side === 'state';
  rows.ruleState.push({
    watch_uuid: digital ? point.uuid : alarm.ruleUuid,
    kind: digital ? 'digital' : 'limits',
    // The formula for the shard must be the same as in `shardOf` (server/rule/watch.ts).
    shard: Number.parseInt(asset.sensorUuid.slice(-2), 16) % 64,
    version: rule.version,
    phase: 'open',
    since: openedAt - rule.debounce * 1000,
    opened_at: openedAt,
    value,
    alarm_uuid: uuid,
  });
}

const kinds = { 1: 'alarm', 2: 'health', 3: 'resolve', 4: 'other' } as const;

export function addMessages(rows: Rows, customerUuid: string, site: Site | null, messages: readonly Message[]): void {
  for (const message of messages) {
    rows.notification.push({
      uuid: message.uuid,
      tocsin_customer_uuid: customerUuid,
      tocsin_site_uuid: site?.uuid ?? null,
      tocsin_alarm_uuid: message.alarm?.uuid ?? null,
      tocsin_user_uuid: message.to.uuid,
      recipient_name: message.to.name,
      address: message.address,
      method_type: message.method,
      message_type: message.type,
      kind: message.round > 0 ? 'escalation' : kinds[message.type],
      step: message.round,
      notify_message: message.text,
      notify_time: message.at,
      ack_time: message.acknowledged?.at ?? null,
      ack_by_recipient_name: message.acknowledged?.by ?? null,
      state: message.state,
      segments: message.segments,
      attempts: message.attempts,
      idempotency_key: message.key,
      provider: message.provider,
      provider_id: message.providerId,
      provider_answer: message.answer,
      sent_at: message.sentAt,
      delivered_at: message.deliveredAt,
      failed_at: message.failedAt,
      created_at: message.at,
    });
  }
}

/** A run of consecutive filled health slots. Slots are numbered from 1970; the first and last slot are included. */
export interface SlotRun {
  site: Site;
  first: number;
  last: number;
}

/** Returns the runs of filled slots. A slot is empty if a gap covers it completely. */
export function slotRuns(site: Site, history: SiteHistory, span: Span): SlotRun[] {
  const slot = site.healthHours * HOUR;
  const numberOf = (time: number) => slotStart(new Date(time), site.healthHours).getTime() / slot;
  const runs: SlotRun[] = [];
  let first = numberOf(span.start);
  for (const gap of history.gaps) {
    const last = numberOf(gap.from);
    const next = gap.to === undefined ? Number.POSITIVE_INFINITY : numberOf(gap.to);
    if (next <= last + 1) continue;
    runs.push({ site, first, last });
    first = next;
  }
  if (first !== Number.POSITIVE_INFINITY) runs.push({ site, first, last: numberOf(history.lastFrame) });
  return runs;
}

const formats = {
  json: (time: string, values: readonly string[]) =>
    `{"t":"${time}",${values.map((value, index) => `"${index + 1}":${value}`).join(',')}}`,
  pairs: (time: string, values: readonly string[]) =>
    `t=${time};${values.map((value, index) => `${index + 1}=${value}`).join(';')}`,
  csv: (time: string, values: readonly string[]) => [time, ...values].join(','),
} as const;

const protocols = ['http', 'mqtt', 'tcp'] as const;

/**
 * Adds the raw frames of the last days. Each device uses one format and one protocol. A few frames are truncated and
 * stored as received.
 */
export function addFrames(rows: Rows, site: Site, history: SiteHistory, times: readonly number[]): void {
  for (const asset of site.assets) {
    const key = noiseKey('frames', asset.uid);
    const format = [formats.json, formats.json, formats.pairs, formats.csv][(key >>> 3) % 4]!;
    const protocol = protocols[(key >>> 5) % protocols.length]!;
    const series = asset.points.map((point) => valuesOnGrid(point, history, times));
    times.forEach((time, index) => {
      const values = series.map((list) => list[index]);
      if (values[0] === undefined) return;
      const text = format(new Date(time).toISOString(), values.map(String));
      const cut = noise(key, index * 31) > 0.995;
      rows.log.push({
        tocsin_customer_uuid: site.customer.uuid,
        uid: asset.uid,
        raw_data: cut ? text.slice(0, Math.ceil(text.length * 0.6)) : text,
        protocol,
        date_time: time + 1000,
      });
    });
  }
}
