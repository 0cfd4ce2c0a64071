import type { PostedAlarm } from '../../domain/destination/event.ts';
import { type DeliveryPlan, planDeliveries, type QueuedEvent } from '../../domain/destination/plan.ts';
import { contentTitle } from '../../domain/destination/words.ts';
import { DIGEST_MS } from '../../domain/notification/digest.ts';
import { shorten } from '../../domain/shorten.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';

/** Maximum number of events in one transaction. */
const AT_ONCE = 1000;

interface Row extends Omit<QueuedEvent, 'posted' | 'isFlooded'> {
  at: Date;
  alarm: Omit<PostedAlarm, 'openedAt' | 'resolvedAt' | 'acknowledged'>;
  openedAt: Date;
  resolvedAt: Date | null;
  acknowledged: { at?: string; name?: string; reason?: string; text?: string } | null;
  openedInFlood: boolean;
}

/**
 * Makes deliveries of the events that wait, in their order. Only one process at a time does this; the others return at
 * once. Returns the number of events that were handled.
 */
export async function queueDeliveries(tx: Transaction, now: Date): Promise<number> {
  const { rows: lock } = await tx.query<{ mine: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('tocsin_private.destination_work', 0)) as mine`,
  );
  if (!lock[0]?.mine) return 0;
  const { rows: customers } = await tx.query<{ customer: string; mayDigest: boolean }>(
    `select w.customer, coalesce(t.next_at <= $1, true) as "mayDigest"
     from (select distinct tocsin_customer_uuid as customer from tocsin_private.destination_work) w
       -- Nothing is sent for a disabled customer: another cell may have it.
       join tocsin.customer c on c.uuid = w.customer and c.status = 1
       left join tocsin_private.destination_turn t on t.tocsin_customer_uuid = w.customer`,
    [now],
  );
  let handled = 0;
  for (const { customer, mayDigest } of customers) {
    const plan = planDeliveries(await loadEvents(tx, customer), mayDigest);
    await store(tx, customer, plan, now);
    handled += plan.done.length;
  }
  return handled;
}

async function loadEvents(tx: Transaction, customer: string): Promise<QueuedEvent[]> {
  const { rows } = await tx.query<Row>(
    `select w.id::float8 as id, w.event, w.at, w.tocsin_alarm_uuid as "alarmUuid", a.date_time as "openedAt", a.resolved_date as "resolvedAt",
       a.acknowledge_json as acknowledged, a.opened_quiet is not null as "openedQuiet", a.quiet_because is not null as "isQuiet",
       jsonb_build_object('uuid', a.uuid, 'severity', a.severity, 'message', a.message,
         'site', jsonb_build_object('uuid', a.tocsin_site_uuid, 'name', a.site_name), 'rule', a.rule_name, 'asset', a.asset_name,
         'dataPoint', a.datapoint_name, 'value', a.value, 'unit', a.unit) as alarm,
       exists (select from tocsin.alarm_event e where e.tocsin_alarm_uuid = a.uuid and e.kind = 'not-notified'
         and e.detail ->> 'because' = 'flood') as "openedInFlood",
       array(select d.uuid from tocsin.destination d left join tocsin.site s on s.uuid = a.tocsin_site_uuid
         where d.tocsin_customer_uuid = a.tocsin_customer_uuid and d.status and (d.tocsin_site_uuid = s.uuid or d.tocsin_group_uuid in
           (s.tocsin_group2_uuid, s.tocsin_group3_uuid, s.tocsin_group4_uuid, s.tocsin_group5_uuid)) order by d.uuid) as destinations,
       array(select t.tocsin_destination_uuid from tocsin_private.destination_alarm t join tocsin.destination d on d.uuid = t.tocsin_destination_uuid
         where t.tocsin_alarm_uuid = a.uuid and d.status order by 1) as notified
     from tocsin_private.destination_work w join tocsin.alarm a on a.uuid = w.tocsin_alarm_uuid
     where w.tocsin_customer_uuid = $1 order by w.id limit ${AT_ONCE}`,
    [customer],
  );
  return rows.map(queuedEventOf);
}

function queuedEventOf({ alarm, at, openedAt, resolvedAt, acknowledged, openedInFlood, ...row }: Row): QueuedEvent {
  const by = acknowledged && {
    ...{ at: acknowledged.at ?? at.toISOString(), by: acknowledged.name ?? '' },
    reason: [acknowledged.reason, acknowledged.text].filter(Boolean).join('. '),
  };
  const times = { openedAt: openedAt.toISOString(), resolvedAt: resolvedAt?.toISOString() ?? null };
  return {
    ...row,
    isFlooded: openedInFlood && alarm.severity !== 'critical',
    posted: {
      event: row.event,
      sequence: row.id,
      at: at.toISOString(),
      alarm: { ...alarm, ...times, acknowledged: by },
    },
  };
}

async function store(tx: Transaction, customer: string, plan: DeliveryPlan, now: Date): Promise<void> {
  const { deliveries, notified, done, hasDigest } = plan;
  const rows = deliveries.map(({ destination, alarmUuids, content }, place) => ({
    ...{ place, destination, alarms: alarmUuids, facts: content, title: shorten(contentTitle(content), 500) },
    event: content.kind === 'digest' ? 'digest' : content.event,
  }));
  if (rows.length > 0) {
    await tx.query(
      `insert into tocsin.destination_delivery (tocsin_customer_uuid, tocsin_destination_uuid, event, alarm_uuids, title, facts, next_attempt_at,
         created_at, queued_at)
       select $2, d.destination, d.event, array(select jsonb_array_elements_text(d.alarms)::uuid), d.title, d.facts, $3, $3, $3
       from ${recordset('d', { place: 'int', destination: 'uuid', event: 'text', alarms: 'jsonb', title: 'text', facts: 'jsonb' })}
       order by d.place`,
      [JSON.stringify(rows), customer, now],
    );
  }
  if (notified.length > 0) {
    await tx.query(
      `insert into tocsin_private.destination_alarm (tocsin_customer_uuid, tocsin_destination_uuid, tocsin_alarm_uuid)
       select $2, t.destination, t."alarmUuid" from ${recordset('t', { destination: 'uuid', alarmUuid: 'uuid' })} on conflict do nothing`,
      [JSON.stringify(notified), customer],
    );
  }
  if (hasDigest) {
    await tx.query(
      `insert into tocsin_private.destination_turn (tocsin_customer_uuid, next_at) values ($1, $2)
       on conflict (tocsin_customer_uuid) do update set next_at = excluded.next_at`,
      [customer, new Date(now.getTime() + DIGEST_MS)],
    );
  }
  if (done.length > 0) {
    await tx.query('delete from tocsin_private.destination_work where id = any ($1::bigint[])', [done]);
  }
}
