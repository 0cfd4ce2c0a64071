import { hash } from 'node:crypto';
import type { NewEvent } from '../../domain/alarm/event.ts';
import { withSeverity } from '../../domain/alarm/texts.ts';
import type { MessageType, NotificationDraft } from '../../domain/notification/draft.ts';
import { METHOD } from '../../domain/notification/methods.ts';
import { type Candidate, onceKey, repeatKey, repeatMinutes } from '../../domain/notification/stages.ts';
import { type Deferred, Suppression } from '../../domain/notification/suppression.ts';
import { smsSegments } from '../../domain/sms.ts';
import { randomUuid } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';

interface NewNotification extends Candidate {
  customerUuid: string;
  siteUuid: string | null;
  messageType: MessageType;
  subject: string;
}

interface StoredDeferral {
  draft: NewNotification;
  until: number;
  dueAt: number;
  /** False if the person has been disabled or has acknowledged the alarm. */
  wanted: boolean;
}

interface StoredLast extends Pick<Candidate, 'method' | 'address' | 'topic' | 'alarmUuid' | 'at'> {
  ended: boolean;
}

const REPEAT_MS = repeatMinutes * 60_000;
const hashOf = (key: string) => hash('sha256', key, 'base64url');
const MILLISECONDS = (column: string) => `round(extract(epoch from ${column}) * 1000)::float8`;

/**
 * Queues the notifications of these drafts in the caller's transaction. Returns timeline events for people who are not
 * notified.
 */
export async function queueNotifications(
  tx: Transaction,
  drafts: readonly NotificationDraft[],
  now: number,
): Promise<NewEvent[]> {
  if (drafts.length === 0) return [];
  const notifications = new NotificationQueue(now);
  await notifications.load(tx, {
    topics: drafts.map(({ topic }) => topic),
    alarms: drafts.map(({ alarmUuid }) => alarmUuid),
  });
  const events = notifications.add(drafts);
  await notifications.write(tx);
  return events;
}

/**
 * Collects the notifications of one transaction. Suppression checks them in the order of events, so an earlier
 * notification can suppress a later one. `write` stores the result. Call `load` for a topic before `add`.
 */
export class NotificationQueue {
  readonly #now: number;
  readonly #lock: string;
  readonly #suppression = new Suppression<NewNotification>();
  readonly #topics = new Set<string>();
  /** Server time at which each deferred notification is due. */
  readonly #dueAt = new Map<string, number>();
  /** The `onceKey` of each deferred notification that is in the database. */
  readonly #stored = new Set<string>();

  /** With `skipLocked`, ignores deferred notifications that another transaction has locked. */
  constructor(now: number, { skipLocked = false } = {}) {
    this.#now = now;
    this.#lock = skipLocked ? 'for update of d skip locked' : 'for update of d';
  }

  async load(tx: Transaction, { topics, alarms = [] }: { topics: string[]; alarms?: string[] }): Promise<void> {
    const missing = [...new Set(topics)].filter((topic) => !this.#topics.has(topic));
    if (missing.length === 0 && alarms.length === 0) return;
    for (const topic of missing) this.#topics.add(topic);
    const [{ rows }] = await Promise.all([
      tx.query<StoredLast>(
        `select n.topic, n.method_type as method, n.address, n.alarm_uuid as "alarmUuid", n.ended, ${MILLISECONDS('n.event_time')} as at
         from tocsin_private.last_notified n where n.topic = any ($1::text[]) or n.alarm_uuid = any ($2::uuid[])`,
        [missing, alarms],
      ),
      this.#loadDeferred(tx, 'd.topic = any ($1::text[])', missing),
    ]);
    for (const row of rows) if (!this.#suppression.last.has(repeatKey(row))) this.#suppression.recordSent(row, row);
  }

  /**
   * Loads and locks the deferred notifications of alarms. Call it before resolving the alarms, because it skips
   * resolved alarms.
   */
  async loadDeferredOf(tx: Transaction, alarms: readonly string[]): Promise<void> {
    await this.#loadDeferred(tx, 'd.tocsin_alarm_uuid = any ($1::uuid[])', alarms);
  }

  async #loadDeferred(tx: Transaction, where: string, values: readonly string[]): Promise<void> {
    if (values.length === 0) return;
    const { rows } = await tx.query<StoredDeferral>(
      `select d.draft, ${MILLISECONDS('d.event_time')} as until, ${MILLISECONDS('d.due_at')} as "dueAt",
         u.status and a.acknowledged_by is distinct from u.uuid as wanted
       from tocsin_private.deferred_notification d join tocsin.alarm a on a.uuid = d.tocsin_alarm_uuid
       join tocsin.user u on u.uuid = d.tocsin_user_uuid
       where ${where} and a.resolved_date is null order by d.once_key ${this.#lock}`,
      [values],
    );
    for (const { draft: candidate, until, dueAt, wanted } of rows) {
      const key = onceKey(candidate);
      if (this.#stored.has(key)) continue;
      this.#stored.add(key);
      if (!wanted) continue;
      this.#dueAt.set(key, dueAt);
      this.#suppression.deferred.set(key, { candidate, until });
    }
  }

  /** Adds drafts, which must be in the order of events. Returns timeline events for people who are not notified. */
  add(drafts: readonly NotificationDraft[]): NewEvent[] {
    const events: NewEvent[] = [];
    for (const draft of drafts) {
      const { alarmUuid, customerUuid, kind } = draft;
      const about = { alarmUuid, customerUuid, at: this.#now, kind: 'not-notified' as const };
      const unreached = kind === 'resolve' ? [] : draft.people;
      for (const { uuid, skipped } of unreached) {
        for (const { because, sentence } of skipped) {
          events.push({ ...about, sentence, detail: { because, user: uuid } });
        }
      }
      for (const { candidate, stage, because, sentence, until } of this.#suppression.submit(candidatesOf(draft))) {
        if (until !== undefined) {
          // The remaining delay is computed from device times. It then runs in server time, starting now.
          const wait = Math.min(Math.max(until - candidate.at, 0), REPEAT_MS);
          this.#dueAt.set(onceKey(candidate), this.#now + wait);
        }
        if (because === 'already-queued') continue;
        const suppressed = kind === 'resolve' ? 'resolution' : 'opening';
        events.push({ ...about, sentence, detail: { because, stage, suppressed, user: candidate.personUuid } });
      }
    }
    return events;
  }

  /**
   * Settles the deferred notifications of an alarm that is being resolved: sends those that are due and cancels the
   * others. `at` is the device time of the resolution; undefined if no reading caused it.
   */
  end(alarmUuid: string, at: number | undefined): void {
    this.#suppression.endAlarm(
      alarmUuid,
      (deferred) => (at !== undefined && deferred.until <= at) || this.#isDue(deferred),
    );
  }

  /** Sends the due deferred notifications of an open alarm. */
  sendDue(alarmUuid: string): void {
    this.#suppression.settle(
      (deferred) => deferred.candidate.alarmUuid === alarmUuid && this.#isDue(deferred),
      () => true,
    );
  }

  #isDue({ candidate }: Deferred<NewNotification>): boolean {
    return (this.#dueAt.get(onceKey(candidate)) as number) <= this.#now;
  }

  async write(tx: Transaction): Promise<void> {
    const { sent, deferred } = this.#suppression;
    const settled = [...this.#stored].filter((key) => !deferred.has(key));
    const fresh = [...deferred].filter(([key]) => !this.#stored.has(key));
    await Promise.all([
      sent.length > 0 && this.#insert(tx, sent),
      sent.length > 0 && this.#remember(tx, sent),
      settled.length > 0 &&
        tx.query('delete from tocsin_private.deferred_notification where once_key = any ($1::text[])', [
          settled.map(hashOf),
        ]),
      fresh.length > 0 && this.#defer(tx, fresh),
    ]);
  }

  /** Inserts the notifications in order, so that their sequence numbers have the same order. */
  async #insert(tx: Transaction, sent: readonly NewNotification[]): Promise<void> {
    const rows = sent.map((candidate, place) => {
      const { customerUuid, siteUuid, messageType, subject } = candidate;
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
        segments: method === METHOD.sms ? smsSegments(text).segments : 0,
        once: hashOf(onceKey(candidate)),
        place,
      };
    });
    const queue = tx.query(
      `insert into tocsin.notification (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_alarm_uuid, tocsin_user_uuid,
         recipient_name, address, method_type, message_type, kind, step, topic, subject, notify_message, notify_time, next_attempt_at, segments, once_key)
       select uuid, customer, site, alarm, person, name, address, method, type, kind, step, topic, subject, text, to_timestamp($2::float8 / 1000),
         to_timestamp($2::float8 / 1000), segments, once
       from ${recordset('n', {
         uuid: 'uuid',
         customer: 'uuid',
         site: 'uuid',
         alarm: 'uuid',
         person: 'uuid',
         name: 'text',
         address: 'text',
         method: 'smallint',
         type: 'smallint',
         kind: 'text',
         step: 'smallint',
         topic: 'text',
         subject: 'text',
         text: 'text',
         segments: 'smallint',
         once: 'text',
         place: 'int',
       })}
       order by place
       on conflict (tocsin_customer_uuid, once_key) do nothing`,
      [JSON.stringify(rows), this.#now],
    );
    await Promise.all([queue, tx.query(`select pg_notify('tocsin_message', '')`)]);
  }

  async #remember(tx: Transaction, sent: readonly NewNotification[]): Promise<void> {
    const alarms = new Set(sent.map(({ alarmUuid }) => alarmUuid));
    const rows = [...this.#suppression.last.values()].filter(({ alarmUuid }) => alarms.has(alarmUuid));
    await tx.query(
      `insert into tocsin_private.last_notified as n (topic, method_type, address, alarm_uuid, ended, event_time, noted_at)
       select topic, method, address, "alarmUuid", ended, to_timestamp(at / 1000), to_timestamp($2::float8 / 1000)
       from ${recordset('l', { topic: 'text', method: 'smallint', address: 'text', alarmUuid: 'uuid', ended: 'boolean', at: 'float8' })}
       order by topic, method, address
       on conflict (topic, method_type, address) do update set alarm_uuid = excluded.alarm_uuid, ended = excluded.ended,
         event_time = excluded.event_time, noted_at = excluded.noted_at`,
      [JSON.stringify(rows), this.#now],
    );
  }

  async #defer(tx: Transaction, fresh: readonly (readonly [string, Deferred<NewNotification>])[]): Promise<void> {
    const rows = fresh.map(([key, { candidate, until }]) => ({
      once: hashOf(key),
      customer: candidate.customerUuid,
      alarm: candidate.alarmUuid,
      person: candidate.personUuid,
      topic: candidate.topic,
      due: this.#dueAt.get(key),
      until,
      draft: candidate,
    }));
    await tx.query(
      `insert into tocsin_private.deferred_notification (once_key, tocsin_customer_uuid, tocsin_alarm_uuid, tocsin_user_uuid, topic,
         due_at, event_time, draft)
       select once, customer, alarm, person, topic, to_timestamp(due / 1000), to_timestamp(until / 1000), draft
       from ${recordset('d', { once: 'text', customer: 'uuid', alarm: 'uuid', person: 'uuid', topic: 'text', due: 'float8', until: 'float8', draft: 'jsonb' })}
       on conflict (once_key) do nothing`,
      [JSON.stringify(rows)],
    );
  }
}

function candidatesOf(draft: NotificationDraft): NewNotification[] {
  const { people, kind, step, topic, at, severity, alarmUuid, customerUuid, siteUuid, messageType } = draft;
  const text = withSeverity(severity, draft.text, kind === 'resolve');
  const subject = withSeverity(severity, draft.subject, kind === 'resolve').slice(0, 200);
  return people.flatMap(({ uuid, name, methods }) =>
    methods.map(({ method, address }) => ({
      personUuid: uuid,
      name,
      method,
      address,
      text,
      topic,
      kind,
      step,
      alarmUuid,
      at,
      customerUuid,
      siteUuid,
      messageType,
      subject,
    })),
  );
}
