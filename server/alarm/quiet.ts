import { firstEscalation } from '../../domain/alarm/escalation.ts';
import type { NewEvent } from '../../domain/alarm/event.ts';
import type { PlacedOpening } from '../../domain/alarm/plan-openings.ts';
import { type Quiet, type ShelvingWords, shelvedSentence, stillOpenText } from '../../domain/alarm/quiet.ts';
import type { NotificationDraft } from '../../domain/notification/draft.ts';
import { loadCurrentRecipients, type NotifiedAlarm, topicOf } from '../notification/current-recipients.ts';
import { queueNotifications } from '../notification/queue.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import { addEvents } from './events.ts';

/** Uuids of an alarm and of its rule, data point, asset and site. A shelving of any of these applies to the alarm. */
interface Place {
  alarmUuid: string;
  context: { watchUuid: string | null; datapointUuid: string | null; assetUuid: string | null; siteUuid: string };
}

interface FoundShelving extends ShelvingWords {
  place: number;
  uuid: string;
  until: number;
}

/**
 * Returns for each alarm the shelving that applies to it, in the same order. Call it after the alarms are inserted: a
 * user who shelves at the same time either waits for this transaction, or has committed the shelving before this query.
 */
export async function loadQuiet(
  tx: Transaction,
  places: readonly Place[],
  now: number,
): Promise<(Quiet | undefined)[]> {
  const wanted = places.map(({ alarmUuid, context }, place) => {
    const { watchUuid, datapointUuid, assetUuid, siteUuid } = context;
    return { place, alarm: alarmUuid, rule: watchUuid, datapoint: datapointUuid, asset: assetUuid, site: siteUuid };
  });
  const { rows } = await tx.query<FoundShelving>(
    `select p.place, s.uuid, extract(epoch from s.until)::float8 * 1000 as until, s.scope, s.target_name as "targetName",
       s.user_name as "userName", s.reason
     from ${recordset('p', { place: 'int', alarm: 'uuid', rule: 'uuid', datapoint: 'uuid', asset: 'uuid', site: 'uuid' })}
     cross join lateral tocsin_private.shelving_of(p.alarm, p.rule, p.datapoint, p.asset, p.site, to_timestamp($2::float8 / 1000)) s`,
    [JSON.stringify(wanted), now],
  );
  const found = new Map(rows.map((row) => [row.place, row]));
  return places.map((_, place) => {
    const shelving = found.get(place);
    if (!shelving) return undefined;
    const { uuid: shelvingUuid, until } = shelving;
    return { because: 'shelved', until, shelvingUuid, sentence: shelvedSentence(shelving) };
  });
}

/** Marks new alarms as quiet, so that they do not escalate. */
export async function quieten(
  tx: Transaction,
  opened: readonly Pick<PlacedOpening, 'alarmUuid' | 'quiet'>[],
): Promise<void> {
  const rows = opened.flatMap(({ alarmUuid: uuid, quiet }) =>
    quiet ? [{ uuid, because: quiet.because, until: quiet.until, shelving: quiet.shelvingUuid }] : [],
  );
  if (rows.length === 0) return;
  await tx.query(
    `update tocsin.alarm a set quiet_because = q.because, opened_quiet = q.because, quiet_until = to_timestamp(q.until / 1000),
       tocsin_shelving_uuid = q.shelving, next_escalation_at = null
     from ${recordset('q', { uuid: 'uuid', because: 'text', until: 'float8', shelving: 'uuid' })} where a.uuid = q.uuid`,
    [JSON.stringify(rows)],
  );
}

interface QuietAlarm extends NotifiedAlarm {
  message: string;
  acknowledged: boolean;
  reminders: number;
  /** Another shelving that still applies to the alarm; null if there is none. */
  shelving: string | null;
  until: number | null;
}

const AT_ONCE = 100;

/**
 * Ends the quiet time of alarms whose quiet time has expired, and notifies their recipients that the alarms are still
 * open. An alarm to which another shelving applies stays quiet. Returns the number of alarms processed.
 */
export async function endQuiet(tx: Transaction, now: number): Promise<number> {
  const { rows } = await tx.query<QuietAlarm>(
    `with due as materialized (
       select a.* from tocsin.alarm a where a.quiet_until <= to_timestamp($1::float8 / 1000) and a.resolved_date is null
       order by a.quiet_until limit ${AT_ONCE} for update skip locked)
     select a.uuid, a.tocsin_customer_uuid as customer, a.tocsin_site_uuid as site, a.rule_uuid as rule, a.severity, a.plan, a.recipients,
       a.source, a.message, a.reminders, a.acknowledge_json is not null as acknowledged,
       round(extract(epoch from a.date_time) * 1000)::float8 as happened, extract(epoch from a.created_at)::float8 * 1000 as opened,
       s.uuid as shelving, extract(epoch from s.until)::float8 * 1000 as until
     from due a left join lateral tocsin_private.shelving_of_alarm(a.uuid, to_timestamp($1::float8 / 1000)) s on true`,
    [now],
  );
  if (rows.length === 0) return 0;
  const over = rows.filter(({ shelving }) => shelving === null);
  const people = await loadCurrentRecipients(tx, over, 'alert');
  const changes = rows.map(({ uuid, shelving, until, plan, acknowledged, reminders }) => ({
    ...{ uuid, shelving, until },
    because: shelving === null ? null : 'shelved',
    next: shelving === null && plan && !acknowledged ? (firstEscalation(plan, now) ?? null) : null,
    reminders: shelving === null ? reminders + 1 : reminders,
  }));
  await tx.query(
    `update tocsin.alarm a set quiet_because = q.because, quiet_until = to_timestamp(q.until / 1000), tocsin_shelving_uuid = q.shelving,
       next_escalation_at = to_timestamp(q.next / 1000), reminders = q.reminders
     from ${recordset('q', { uuid: 'uuid', because: 'text', until: 'float8', shelving: 'uuid', next: 'float8', reminders: 'smallint' })}
     where a.uuid = q.uuid`,
    [JSON.stringify(changes)],
  );
  const events: NewEvent[] = over.map(({ uuid, customer }) => ({
    ...{ alarmUuid: uuid, customerUuid: customer, at: now, kind: 'unshelved' },
    sentence: 'The shelving ended. The alarm is still open, so its recipients are notified.',
  }));
  const drafts = over.map((alarm) => reminderOf(alarm, people.get(alarm.uuid) ?? [], now));
  events.push(...(await queueNotifications(tx, drafts, now)));
  await addEvents(tx, events);
  return rows.length;
}

function reminderOf(alarm: QuietAlarm, people: NotificationDraft['people'], now: number): NotificationDraft {
  const { uuid, customer, site, severity, recipients, opened, happened, source, message } = alarm;
  return {
    alarmUuid: uuid,
    customerUuid: customer,
    siteUuid: site,
    kind: 'reminder',
    step: alarm.reminders + 1,
    topic: topicOf(alarm),
    at: happened + (now - opened),
    messageType: source === 'silence' ? 2 : 1,
    severity,
    subject: recipients?.subject ?? message,
    text: stillOpenText(recipients?.text ?? message),
    people,
  };
}
