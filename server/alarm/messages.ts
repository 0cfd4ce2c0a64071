import { hash } from 'node:crypto';
import { METHOD } from '../../domain/notify/methods.ts';
import { addressesOf, type NotTold, type Person, type Told } from '../../domain/notify/recipients.ts';
import { type Candidate, onceKey, repeatKey, repeatMinutes, runStages } from '../../domain/notify/stages.ts';
import { smsParts } from '../../domain/sms.ts';
import { randomUuid } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import type { NewEvent } from './events.ts';

/** A person as they are frozen on an alarm: how they are told, and how not. */
export interface Recipient {
  uuid: string;
  name: string;
  ways: Told[];
  notTold: NotTold[];
}

export interface Recipients {
  alert: Recipient[];
  resolve: Recipient[];
  escalate: Recipient[];
  /** Why somebody one would expect is not among them. */
  notes: string[];
  subject: string;
  text: string;
}

export function recipientOf(person: Person): Recipient {
  const { told, notTold } = addressesOf(person);
  return { uuid: person.uuid, name: person.name, ways: told, notTold };
}

/** 1 alarm, 2 health, 3 resolve, 4 other. */
export type MessageType = 1 | 2 | 3 | 4;

/** One thing to say about one alarm to some people. */
export interface Telling {
  alarmUuid: string;
  customerUuid: string;
  siteUuid: string | null;
  kind: Candidate['kind'];
  step: number;
  /** What it is about; see Candidate. */
  topic: string;
  messageType: MessageType;
  subject: string;
  text: string;
  people: readonly Recipient[];
}

const REPEAT_MS = repeatMinutes * 60_000;
const hashOf = (key: string) => hash('sha256', key, 'base64url');

/**
 * Queues messages in the transaction that causes them, after the stages of domain/notify/stages.ts. Answers what was held
 * back and who could not be reached, as events for the alarms' timelines.
 */
export async function queueMessages(tx: Transaction, tellings: readonly Telling[], now: number): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  const queued: { telling: Telling; candidate: Candidate }[] = [];
  for (const telling of tellings) {
    const { alarmUuid, customerUuid, kind, step, topic, text } = telling;
    for (const { uuid, name, ways, notTold } of telling.people) {
      for (const { method, address } of ways) {
        const candidate = { personUuid: uuid, name, method, address, text, topic, kind, step, alarmUuid };
        queued.push({ telling, candidate });
      }
      if (kind === 'resolve') continue;
      for (const { because, sentence } of notTold) {
        events.push({ alarmUuid, customerUuid, at: now, kind: 'not-told', sentence, detail: { because, user: uuid } });
      }
    }
  }
  if (queued.length === 0) return events;
  const tellingOf = new Map(queued.map(({ candidate, telling }) => [candidate, telling]));
  const candidates = queued.map(({ candidate }) => candidate);
  const [already, last] = await Promise.all([alreadyQueued(tx, candidates), lastSent(tx, queued, now)]);
  const { send, held } = runStages(candidates, { now, alreadyQueued: already, lastSent: last });
  for (const { candidate, stage, because, sentence } of held) {
    if (because === 'already-queued') continue;
    const { alarmUuid, customerUuid } = tellingOf.get(candidate) as Telling;
    const detail = { because, stage, user: candidate.personUuid };
    events.push({ alarmUuid, customerUuid, at: now, kind: 'not-told', sentence, detail });
  }
  await insert(tx, send, tellingOf, now);
  return events;
}

async function alreadyQueued(tx: Transaction, candidates: readonly Candidate[]): Promise<Set<string>> {
  const byHash = new Map(candidates.map((candidate) => [hashOf(onceKey(candidate)), onceKey(candidate)]));
  const { rows } = await tx.query<{ once_key: string }>(
    `select n.once_key from tocsin.notification n
     where n.tocsin_alarm_uuid = any ($1::uuid[]) and n.once_key = any ($2::text[])`,
    [[...new Set(candidates.map(({ alarmUuid }) => alarmUuid))], [...byHash.keys()]],
  );
  return new Set(rows.map(({ once_key }) => byHash.get(once_key) as string));
}

async function lastSent(
  tx: Transaction,
  queued: readonly { telling: Telling; candidate: Candidate }[],
  now: number,
): Promise<Map<string, number>> {
  const { rows } = await tx.query<Pick<Candidate, 'method' | 'address' | 'topic' | 'kind'> & { at: number }>(
    `select distinct on (n.method_type, n.address, n.topic) n.method_type as method, n.address, n.topic, n.kind,
       extract(epoch from n.notify_time)::float8 * 1000 as at
     from tocsin.notification n left join tocsin.alarm a on a.uuid = n.tocsin_alarm_uuid
     -- What a person called resolved and is out again has to be said again.
     where coalesce(a.resolved_how, '') <> 'person'
       and n.tocsin_customer_uuid = any ($1::uuid[]) and n.address = any ($2::text[]) and n.topic = any ($3::text[])
       and n.notify_time > to_timestamp($4::float8 / 1000) and n.notify_time <= to_timestamp($5::float8 / 1000)
     order by n.method_type, n.address, n.topic, n.notify_time desc, n.created_at desc`,
    [
      [...new Set(queued.map(({ telling }) => telling.customerUuid))],
      [...new Set(queued.map(({ candidate }) => candidate.address))],
      [...new Set(queued.map(({ candidate }) => candidate.topic))],
      now - REPEAT_MS,
      now + REPEAT_MS,
    ],
  );
  return new Map(rows.map((row) => [repeatKey(row), row.at]));
}

async function insert(
  tx: Transaction,
  send: readonly Candidate[],
  tellingOf: ReadonlyMap<Candidate, Telling>,
  now: number,
): Promise<void> {
  if (send.length === 0) return;
  const rows = send.map((candidate) => {
    const { customerUuid, siteUuid, messageType, subject } = tellingOf.get(candidate) as Telling;
    const { alarmUuid, personUuid, name, address, method, kind, step, topic, text } = candidate;
    return {
      uuid: randomUuid(),
      customer: customerUuid,
      site: siteUuid,
      alarm: alarmUuid,
      person: personUuid,
      name,
      address,
      method,
      type: messageType,
      kind,
      step,
      topic,
      subject,
      text,
      parts: method === METHOD.sms ? smsParts(text).parts : 0,
      once: hashOf(onceKey(candidate)),
    };
  });
  const queue = tx.query(
    `insert into tocsin.notification (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_alarm_uuid, tocsin_user_uuid,
       recipient_name, address, method_type, message_type, kind, step, topic, subject, notify_message, notify_time, next_attempt_at, parts, once_key)
     select uuid, customer, site, alarm, person, name, address, method, type, kind, step, topic, subject, text, to_timestamp($2::float8 / 1000),
       to_timestamp($2::float8 / 1000), parts, once
     from json_to_recordset($1) as n (uuid uuid, customer uuid, site uuid, alarm uuid, person uuid, name text, address text,
       method smallint, type smallint, kind text, step smallint, topic text, subject text, text text, parts smallint, once text)
     on conflict (tocsin_customer_uuid, once_key) do nothing`,
    [JSON.stringify(rows), now],
  );
  await Promise.all([queue, tx.query(`select pg_notify('tocsin_message', '')`)]);
}
