import type { NewEvent } from '../../domain/alarm/event.ts';
import { escalationText } from '../../domain/alarm/texts.ts';
import {
  DIGEST_MS,
  type Digest,
  type DigestAddress,
  type DigestEntry,
  digestSentence,
  isStillWanted,
  planDigests,
} from '../../domain/notification/digest.ts';
import type { DigestFlood } from '../../domain/notification/digest-texts.ts';
import type { NotificationDraft, Recipient } from '../../domain/notification/draft.ts';
import { METHOD } from '../../domain/notification/methods.ts';
import { isSentInFlood } from '../../domain/notification/stages.ts';
import { Suppression } from '../../domain/notification/suppression.ts';
import { randomUuid } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { type NotifiedAlarm, topicOf } from './current-recipients.ts';
import { insertNotifications, type NewNotification } from './insert.ts';
import { loadPeople } from './people.ts';
import { queueNotifications } from './queue.ts';
import { SmsBudgets } from './sms-budgets.ts';
import { storeSuppressedSms } from './suppressed-sms.ts';

interface Entry extends DigestEntry, Pick<NotifiedAlarm, 'recipients' | 'rule' | 'source' | 'opened' | 'happened'> {
  step: number;
  message: string;
}

interface StoredAudience {
  key: string;
  addresses: DigestAddress[];
}

/**
 * Locks the turn of a customer whose next digests are due, and returns the customer. Until the transaction ends, no
 * other process sends this customer's digests.
 */
export async function lockDueCustomer(tx: Transaction, now: number): Promise<string | undefined> {
  const { rows } = await tx.query<{ customer: string }>(
    `select e.customer from (select tocsin_customer_uuid as customer, min(due_at) as due from tocsin_private.digest_entry group by 1) e
       -- Nothing is sent for a disabled customer: another cell may have it.
       join tocsin.customer c on c.uuid = e.customer and c.status = 1
       left join tocsin_private.digest_turn t on t.tocsin_customer_uuid = e.customer
     where e.due <= to_timestamp($1::float8 / 1000) and (t.next_at is null or t.next_at <= to_timestamp($1::float8 / 1000))`,
    [now],
  );
  for (const { customer } of rows) {
    await tx.query(
      `insert into tocsin_private.digest_turn (tocsin_customer_uuid, next_at) values ($1, to_timestamp($2::float8 / 1000))
       on conflict do nothing`,
      [customer, now],
    );
    const { rows: turn } = await tx.query(
      `select from tocsin_private.digest_turn where tocsin_customer_uuid = $1 and next_at <= to_timestamp($2::float8 / 1000)
       for update skip locked`,
      [customer, now],
    );
    if (turn.length > 0) return customer;
  }
  return undefined;
}

/**
 * Queues one digest for each address that has waiting entries of the customer, and deletes these entries. Call
 * `lockDueCustomer` first.
 */
export async function sendDigests(tx: Transaction, customer: string, now: number): Promise<NewEvent[]> {
  await tx.query(
    `update tocsin_private.digest_turn set next_at = to_timestamp($2::float8 / 1000) where tocsin_customer_uuid = $1`,
    [customer, now + DIGEST_MS],
  );
  const { rows } = await tx.query<Entry>(
    `with taken as (delete from tocsin_private.digest_entry where tocsin_customer_uuid = $1 returning *)
     select t.tocsin_alarm_uuid as "alarmUuid", t.kind, t.step, t.audience, t.tocsin_alarm_flood_uuid as "floodUuid", a.severity,
       a.site_name as site, a.tocsin_site_uuid as "siteUuid", a.acknowledge_json is not null as "isAcknowledged",
       a.resolved_date is not null as "isResolved", a.quiet_because is not null as "isQuiet", a.message, a.rule_uuid as rule, a.source,
       case when a.severity = 'critical' then a.recipients end as recipients,
       extract(epoch from a.created_at)::float8 * 1000 as opened, round(extract(epoch from a.date_time) * 1000)::float8 as happened
     from taken t join tocsin.alarm a on a.uuid = t.tocsin_alarm_uuid order by t.id`,
    [customer],
  );
  const wanted = rows.filter(isStillWanted);
  const audiences = await loadAudiences(tx, customer, wanted);
  const people = await loadPeople(
    tx,
    [...audiences.values()].flat().map(({ personUuid }) => ({ customerUuid: customer, uuid: personUuid })),
  );
  const isActive = (uuid: string) => people.get(uuid)?.active === true;
  // These alarms became critical while their entries waited, because a second rule joined them.
  const critical = wanted.filter(({ severity }) => isSentInFlood(severity));
  const drafts = critical.map((entry) => draftOf(entry, customer, audiences.get(entry.audience) ?? [], isActive, now));
  const entries = wanted.filter(({ severity }) => !isSentInFlood(severity));
  const digests = planDigests(entries, audiences, await loadFloods(tx, entries), isActive);
  return [
    ...(await queueNotifications(tx, drafts, now)),
    ...eventsOf(customer, digests, await insertDigests(tx, customer, digests, now), now),
  ];
}

/** Inserts the digests. Returns the uuid of each part, and timeline events of SMS that a budget suppressed. */
async function insertDigests(
  tx: Transaction,
  customerUuid: string,
  digests: readonly Digest<Entry>[],
  now: number,
): Promise<{ parts: Map<object, string>; events: NewEvent[] }> {
  const parts = new Map(digests.flatMap((digest) => digest.parts).map((part) => [part, randomUuid()]));
  const budgets = new SmsBudgets<NewNotification>();
  const sms = digests.filter(({ method }) => method === METHOD.sms);
  await budgets.load(
    tx,
    sms.map(({ first: { siteUuid } }) => ({ customerUuid, siteUuid })),
  );
  const topic = `digest ${randomUuid()}`;
  const candidates = digests.map((digest): NewNotification => {
    const { personUuid, name, method, address, texts, first, others } = digest;
    return {
      ...{ personUuid, name, method, address, topic, kind: 'digest', step: 0, at: now, customerUuid, messageType: 4 },
      ...{ alarmUuid: first.alarmUuid, siteUuid: first.siteUuid, subject: texts.subject, severity: texts.severity },
      text: method === METHOD.sms ? texts.sms : texts.text,
      digestUuids: digest.parts.map((part) => parts.get(part) as string),
      ...(method === METHOD.sms && { others: others.filter((other) => budgets.replacesSms(other.method)) }),
    };
  });
  const suppression = new Suppression<NewNotification>(budgets);
  const suppressed = suppression.submit(candidates);
  await insertNotifications(tx, suppression.sent, now);
  const overBudget = suppressed.filter(({ because }) => because === 'budget');
  await storeSuppressedSms(
    tx,
    overBudget.map(({ candidate }) => candidate),
    now,
  );
  const events = overBudget.map(({ candidate: { alarmUuid, personUuid: user }, because, stage, sentence }) => {
    const detail = { because, stage, suppressed: 'opening', user };
    return { alarmUuid, customerUuid, at: now, kind: 'not-notified' as const, sentence, detail };
  });
  return { parts, events };
}

function eventsOf(
  customerUuid: string,
  digests: readonly Digest<Entry>[],
  { parts, events }: { parts: Map<object, string>; events: NewEvent[] },
  now: number,
): NewEvent[] {
  const named = new Map<Digest<Entry>['parts'][number], string[]>();
  for (const { parts: own, name } of digests) {
    for (const part of own) named.set(part, [...(named.get(part) ?? []), name]);
  }
  const reports = [...named].flatMap(([part, names]) =>
    part.entries.map((entry) => {
      const { alarmUuid, kind } = entry;
      const detail = { digest: parts.get(part), kind };
      const sentence = digestSentence(entry, names);
      return { alarmUuid, customerUuid, at: now, kind: 'digest' as const, sentence, detail };
    }),
  );
  return [...reports, ...events];
}

async function loadAudiences(
  tx: Transaction,
  customer: string,
  entries: readonly Entry[],
): Promise<Map<string, DigestAddress[]>> {
  const { rows } = await tx.query<StoredAudience>(
    `select a.key, a.addresses from tocsin_private.digest_audience a where a.tocsin_customer_uuid = $1 and a.key = any ($2::text[])`,
    [customer, [...new Set(entries.map(({ audience }) => audience))]],
  );
  return new Map(rows.map(({ key, addresses }) => [key, addresses]));
}

async function loadFloods(tx: Transaction, entries: readonly Entry[]): Promise<Map<string, DigestFlood>> {
  const { rows } = await tx.query<DigestFlood & { uuid: string; endedAt: number | null }>(
    `select f.uuid, f.place_name as place, f.first_message as "firstMessage", c.time_zone as "timeZone",
       extract(epoch from f.began_at)::float8 * 1000 as "beganAt", extract(epoch from f.ended_at)::float8 * 1000 as "endedAt"
     from tocsin.alarm_flood f join tocsin.customer c on c.uuid = f.tocsin_customer_uuid where f.uuid = any ($1::uuid[])`,
    [[...new Set(entries.map(({ floodUuid }) => floodUuid))]],
  );
  return new Map(rows.map(({ uuid, endedAt, ...flood }) => [uuid, { ...flood, endedAt: endedAt ?? undefined }]));
}

/** Returns the notification to send in place of an entry whose alarm has become critical. */
function draftOf(
  entry: Entry,
  customerUuid: string,
  addresses: readonly DigestAddress[],
  isActive: (personUuid: string) => boolean,
  now: number,
): NotificationDraft {
  const { alarmUuid, siteUuid: site, kind, step, severity, recipients, message, opened, happened, source } = entry;
  const people = new Map<string, Recipient>();
  for (const { personUuid: uuid, name, method, address } of addresses.filter((one) => isActive(one.personUuid))) {
    const person = people.get(uuid) ?? { uuid, name, methods: [], skipped: [] };
    person.methods.push({ method, address });
    people.set(uuid, person);
  }
  const text = recipients?.text ?? message;
  const subject = recipients?.subject ?? message;
  return {
    ...{ alarmUuid, customerUuid, siteUuid: site, kind, step, severity, at: happened + (now - opened) },
    topic: topicOf({ rule: entry.rule, site }),
    messageType: kind === 'resolve' ? 3 : source === 'silence' ? 2 : 1,
    subject: kind === 'escalation' ? `Not acknowledged: ${subject}` : subject,
    text:
      kind === 'escalation' ? escalationText(text, now - opened) : kind === 'reminder' ? `Still open. ${text}` : text,
    people: [...people.values()],
  };
}
