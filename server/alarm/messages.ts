import { hash } from 'node:crypto';
import { withSeverity } from '../../domain/alarm/texts.ts';
import { METHOD } from '../../domain/notify/methods.ts';
import { addressesOf, type NotTold, type Person, type Told } from '../../domain/notify/recipients.ts';
import { type Candidate, onceKey, repeatKey, repeatMinutes, runStages } from '../../domain/notify/stages.ts';
import type { Severity } from '../../domain/rule/priority.ts';
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

/** Who is told that it is over: whoever is named for that, and whoever it was escalated to, because that made it theirs. */
export function toldOfEnd(
  { resolve, escalate }: Recipients,
  escalatedTo: ReadonlySet<string> | undefined,
): Recipient[] {
  const named = new Set(resolve.map(({ uuid }) => uuid));
  return [...resolve, ...escalate.filter(({ uuid }) => escalatedTo?.has(uuid) && !named.has(uuid))];
}

/** By alarm, the people for whom a message of an escalation was written. */
export async function loadEscalatedTo(
  tx: Transaction,
  alarms: readonly { uuid: string; escalationStep: number }[],
): Promise<Map<string, Set<string>>> {
  const escalated = alarms.filter(({ escalationStep }) => escalationStep > 0).map(({ uuid }) => uuid);
  if (escalated.length === 0) return new Map();
  const { rows } = await tx.query<{ alarm: string; people: string[] }>(
    `select n.tocsin_alarm_uuid as alarm, array_agg(distinct n.tocsin_user_uuid::text) as people from tocsin.notification n
     where n.tocsin_alarm_uuid = any ($1::uuid[]) and n.kind = 'escalation' and n.tocsin_user_uuid is not null group by 1`,
    [escalated],
  );
  return new Map(rows.map(({ alarm, people }) => [alarm, new Set(people)]));
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
  /** Stands first in subject and text, which are given without it. */
  severity: Severity;
  subject: string;
  text: string;
  people: readonly Recipient[];
}

const REPEAT_MS = repeatMinutes * 60_000;
const hashOf = (key: string) => hash('sha256', key, 'base64url');

/** What people were told lately of the rules and sites in question, by `repeatKey`. */
export type LastSent = ReadonlyMap<string, number>;

/** Messages that passed every stage, not written yet, and what was held back and who could not be reached, for the timelines. */
export interface Prepared {
  events: NewEvent[];
  write(tx: Transaction): Promise<unknown>;
}

/** Queues messages in the transaction that causes them. Answers events for the alarms' timelines. */
export async function queueMessages(tx: Transaction, tellings: readonly Telling[], now: number): Promise<NewEvent[]> {
  const candidates = tellings.flatMap(candidatesOf);
  const [already, last] =
    candidates.length > 0
      ? await Promise.all([alreadyQueued(tx, candidates), lastSent(tx, tellings, now)])
      : [new Set<string>(), new Map<string, number>()];
  const { events, write } = prepareMessages(tellings, now, last, already);
  await write(tx);
  return events;
}

/** The stages of domain/notify/stages.ts. An alarm that opens only now has no messages `already`. */
export function prepareMessages(
  tellings: readonly Telling[],
  now: number,
  last: LastSent,
  already: ReadonlySet<string> = new Set(),
): Prepared {
  const events: NewEvent[] = [];
  const tellingOf = new Map<Candidate, Telling>();
  for (const telling of tellings) {
    for (const candidate of candidatesOf(telling)) tellingOf.set(candidate, telling);
    if (telling.kind === 'resolve') continue;
    const { alarmUuid, customerUuid } = telling;
    for (const { uuid, notTold } of telling.people) {
      for (const { because, sentence } of notTold) {
        events.push({ alarmUuid, customerUuid, at: now, kind: 'not-told', sentence, detail: { because, user: uuid } });
      }
    }
  }
  const { send, held } = runStages([...tellingOf.keys()], { now, alreadyQueued: already, lastSent: last });
  for (const { candidate, stage, because, sentence } of held) {
    if (because === 'already-queued') continue;
    const { alarmUuid, customerUuid } = tellingOf.get(candidate) as Telling;
    const detail = { because, stage, user: candidate.personUuid };
    events.push({ alarmUuid, customerUuid, at: now, kind: 'not-told', sentence, detail });
  }
  return { events, write: (tx) => insert(tx, send, tellingOf, now) };
}

function candidatesOf(telling: Telling): Candidate[] {
  const { people, kind, step, topic, alarmUuid } = telling;
  const text = withSeverity(telling.severity, telling.text, kind === 'resolve');
  return people.flatMap(({ uuid, name, ways }) =>
    ways.map(({ method, address }) => ({
      personUuid: uuid,
      name,
      method,
      address,
      text,
      topic,
      kind,
      step,
      alarmUuid,
    })),
  );
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

export async function lastSent(
  tx: Transaction,
  about: readonly { customerUuid: string; topic: string; alarmUuid?: string }[],
  now: number,
): Promise<LastSent> {
  const { rows } = await tx.query<Pick<Candidate, 'method' | 'address' | 'topic' | 'kind'> & { at: number }>(
    `select distinct on (n.method_type, n.address, n.topic) n.method_type as method, n.address, n.topic, n.kind,
       extract(epoch from n.notify_time)::float8 * 1000 as at
     from tocsin.notification n left join tocsin.alarm a on a.uuid = n.tocsin_alarm_uuid
     -- What a person called resolved and is out again has to be said again; of that alarm itself all was said.
     where (coalesce(a.resolved_how, '') <> 'person' or a.uuid = any ($5::uuid[]))
       and n.tocsin_customer_uuid = any ($1::uuid[]) and n.topic = any ($2::text[])
       and n.notify_time > to_timestamp($3::float8 / 1000) and n.notify_time <= to_timestamp($4::float8 / 1000)
     order by n.method_type, n.address, n.topic, n.notify_time desc, n.created_at desc`,
    [
      [...new Set(about.map(({ customerUuid }) => customerUuid))],
      [...new Set(about.map(({ topic }) => topic))],
      now - REPEAT_MS,
      now + REPEAT_MS,
      [...new Set(about.flatMap(({ alarmUuid }) => alarmUuid ?? []))],
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
    const { customerUuid, siteUuid, messageType, severity, ...said } = tellingOf.get(candidate) as Telling;
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
      subject: withSeverity(severity, said.subject, kind === 'resolve').slice(0, 200),
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
