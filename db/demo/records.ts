import { slotStart } from '../../domain/health.ts';
import type { AlarmEvent } from './alarms.ts';
import type { Rows } from './config.ts';
import type { SiteHistory, Span } from './history.ts';
import type { Message } from './messages.ts';
import type { Site } from './plant.ts';
import { noise, noiseKey, uuidOf } from './random.ts';
import { valuesOnGrid } from './series.ts';

const HOUR = 3_600_000;
const RECENT = 48 * HOUR;

export function addAlarms(rows: Rows, site: Site, events: readonly AlarmEvent[]): void {
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
      created_at: event.openedAt,
    });
  }
}

/** Messages, and those of the last two days also in the outbox, which is where they went. */
export function addMessages(
  rows: Rows,
  customerUuid: string,
  site: Site | null,
  messages: readonly Message[],
  span: Span,
): void {
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
      notify_message: message.text,
      notify_time: message.at,
      ack_time: message.acknowledged?.at ?? null,
      ack_by_recipient_name: message.acknowledged?.by ?? null,
      state: message.state,
      parts: message.parts,
      attempts: message.attempts,
      idempotency_key: message.key,
      provider: 'outbox',
      provider_id: message.providerId,
      provider_answer: message.answer,
      sent_at: message.sentAt,
      delivered_at: message.deliveredAt,
      failed_at: message.failedAt,
      created_at: message.at,
    });
    if (message.sentAt === null || message.at < span.now - RECENT) continue;
    rows.outbox.push({
      uuid: uuidOf('outbox', message.uuid),
      tocsin_customer_uuid: customerUuid,
      method_type: message.method,
      address: message.address,
      subject: message.method === 1 ? message.text.split('. ')[0]! : '',
      body: message.text,
      created_at: message.sentAt,
    });
  }
}

/** A run of slots in which something arrived: numbers of slots since 1970, both ends included. */
export interface SlotRun {
  site: Site;
  first: number;
  last: number;
}

/** A slot is missing when a gap covers all of it. */
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
  json: (uid: string, time: string, values: readonly string[]) =>
    `{"uid":"${uid}","time":"${time}",${values.map((value, index) => `"${index + 1}":${value}`).join(',')}}`,
  pairs: (uid: string, time: string, values: readonly string[]) =>
    `uid=${uid} time=${time} ${values.map((value, index) => `${index + 1}=${value}`).join(' ')}`,
  csv: (uid: string, time: string, values: readonly string[]) => [uid, time, ...values].join(','),
} as const;

/**
 * The frames of the last days as the devices sent them: each device speaks one format. Now and then a frame is cut short on
 * its way; it is kept as it came.
 */
export function addFrames(rows: Rows, site: Site, history: SiteHistory, times: readonly number[]): void {
  for (const asset of site.assets) {
    const key = noiseKey('frames', asset.uid);
    const format = [formats.json, formats.json, formats.pairs, formats.csv][(key >>> 3) % 4]!;
    const series = asset.points.map((point) => valuesOnGrid(point, history, times));
    times.forEach((time, index) => {
      const values = series.map((list) => list[index]);
      if (values[0] === undefined) return;
      const text = format(asset.uid, new Date(time).toISOString(), values.map(String));
      const cut = noise(key, index * 31) > 0.995;
      rows.log.push({
        tocsin_customer_uuid: site.customer.uuid,
        uid: asset.uid,
        raw_data: cut ? text.slice(0, Math.ceil(text.length * 0.6)) : text,
        date_time: time + 1000,
      });
    });
  }
}
