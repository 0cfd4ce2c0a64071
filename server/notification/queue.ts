import type { NewEvent } from '../../domain/alarm/event.ts';
import { withSeverity } from '../../domain/alarm/texts.ts';
import type { NotificationDraft } from '../../domain/notification/draft.ts';
import { METHOD } from '../../domain/notification/methods.ts';
import {
  type Candidate,
  onceKey,
  repeatKey,
  repeatMinutes,
  type SuppressedCandidate,
} from '../../domain/notification/stages.ts';
import { type Deferred, Suppression } from '../../domain/notification/suppression.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import { AlarmFloods } from './alarm-floods.ts';
import { storeDigestEntries } from './digest-entries.ts';
import { hashOfKey, insertNotifications, type NewNotification } from './insert.ts';
import { SmsBudgets } from './sms-budgets.ts';
import { storeSuppressedSms } from './suppressed-sms.ts';

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
const MILLISECONDS = (column: string) => `round(extract(epoch from ${column}) * 1000)::float8`;

/**
 * Queues the notifications of these drafts in the transaction `tx`. Returns timeline events for people who are not
 * notified.
 */
export async function queueNotifications(
  tx: Transaction,
  drafts: readonly NotificationDraft[],
  now: number,
  notifications = new NotificationQueue(now),
): Promise<NewEvent[]> {
  if (drafts.length > 0) {
    await notifications.load(tx, {
      topics: drafts.map(({ topic }) => topic),
      alarms: drafts.map(({ alarmUuid }) => alarmUuid),
    });
  }
  const events = await notifications.add(tx, drafts);
  await notifications.write(tx);
  return events;
}

/**
 * Collects the notifications of one transaction. Suppression processes them in the order of their events, so an earlier
 * notification can suppress a later one. `write` stores the result. Before `add`, call `load` for the topics.
 */
export class NotificationQueue {
  readonly floods: AlarmFloods;
  readonly #now: number;
  readonly #lock: string;
  readonly #budgets = new SmsBudgets<NewNotification>();
  readonly #suppression: Suppression<NewNotification>;
  /** SMS that a budget suppressed. */
  readonly #suppressed: NewNotification[] = [];
  readonly #topics = new Set<string>();
  /** Server time at which each deferred notification becomes due, keyed by the notification's `onceKey`. */
  readonly #dueAt = new Map<string, number>();
  /** `onceKey` of each deferred notification that is already in the database. */
  readonly #stored = new Set<string>();

  /** With `skipLocked`, ignores deferred notifications that another transaction has locked. */
  constructor(now: number, { skipLocked = false } = {}) {
    this.#now = now;
    const floods = new AlarmFloods(now);
    this.floods = floods;
    this.#suppression = new Suppression(this.#budgets, (alarmUuid) => floods.floodOf(alarmUuid) !== undefined);
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
      this.floods.loadAlarms(tx, alarms),
    ]);
    for (const row of rows) if (!this.#suppression.last.has(repeatKey(row))) this.#suppression.recordSent(row, row);
  }

  /**
   * Loads and locks the deferred notifications of alarms. Call it before the alarms are resolved, because it skips
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
    await this.#budgets.load(
      tx,
      rows.filter(({ draft }) => draft.method === METHOD.sms).map(({ draft }) => draft),
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

  /** Adds drafts in the order of their events. Returns timeline events for people who are not notified. */
  async add(tx: Transaction, drafts: readonly NotificationDraft[]): Promise<NewEvent[]> {
    await this.#budgets.load(tx, drafts.filter(hasSms));
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
      for (const suppressed of this.#suppression.submit(candidatesOf(draft, this.#budgets))) {
        const { candidate, because, until } = suppressed;
        if (until !== undefined) {
          // The delay is computed from device times, but it starts now and is measured in server time.
          const wait = Math.min(Math.max(until - candidate.at, 0), REPEAT_MS);
          this.#dueAt.set(onceKey(candidate), this.#now + wait);
        }
        // The timeline gets an event for the digest instead.
        if (because === 'already-queued' || because === 'flood') continue;
        events.push(this.#eventOf(suppressed));
      }
    }
    return events;
  }

  /** Returns the timeline event of a suppressed notification. If a budget suppressed an SMS, also remembers the SMS. */
  #eventOf({ candidate, stage, because, sentence }: SuppressedCandidate<NewNotification>): NewEvent {
    const { alarmUuid, customerUuid, kind, personUuid: user } = candidate;
    const suppressed = kind === 'resolve' ? 'resolution' : 'opening';
    if (because === 'budget') this.#suppressed.push(candidate);
    const detail = { because, stage, suppressed, user };
    return { alarmUuid, customerUuid, at: this.#now, kind: 'not-notified', sentence, detail };
  }

  /**
   * Settles the deferred notifications of an alarm that is being resolved. Sends those that were due before the
   * resolution and cancels the others. `at` is the device time of the resolution. It is used instead of server time,
   * because the server may process the resolution late. It is undefined if no reading caused the resolution. Returns
   * timeline events.
   */
  end(alarmUuid: string, at: number | undefined): NewEvent[] {
    const isDue = (deferred: Deferred<NewNotification>) =>
      at === undefined ? this.#isDue(deferred) : deferred.until <= at;
    return this.#suppression.endAlarm(alarmUuid, isDue).map((suppressed) => this.#eventOf(suppressed));
  }

  /** Sends the due deferred notifications of an open alarm. Returns timeline events. */
  sendDue(alarmUuid: string): NewEvent[] {
    const isConcerned = (deferred: Deferred<NewNotification>) =>
      deferred.candidate.alarmUuid === alarmUuid && this.#isDue(deferred);
    return this.#suppression.settle(isConcerned, () => true).map((suppressed) => this.#eventOf(suppressed));
  }

  #isDue({ candidate }: Deferred<NewNotification>): boolean {
    return (this.#dueAt.get(onceKey(candidate)) as number) <= this.#now;
  }

  async write(tx: Transaction): Promise<void> {
    const { sent, deferred, digested } = this.#suppression;
    await this.floods.write(tx);
    const settled = [...this.#stored].filter((key) => !deferred.has(key));
    const fresh = [...deferred].filter(([key]) => !this.#stored.has(key));
    await Promise.all([
      insertNotifications(tx, sent, this.#now),
      sent.length > 0 && this.#remember(tx, sent),
      settled.length > 0 &&
        tx.query('delete from tocsin_private.deferred_notification where once_key = any ($1::text[])', [
          settled.map(hashOfKey),
        ]),
      fresh.length > 0 && this.#defer(tx, fresh),
      storeDigestEntries(tx, digested, this.floods, this.#now),
    ]);
    await storeSuppressedSms(tx, this.#suppressed, this.#now);
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
      once: hashOfKey(key),
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

function hasSms({ people }: NotificationDraft): boolean {
  return people.some(({ methods }) => methods.some(({ method }) => method === METHOD.sms));
}

function candidatesOf(draft: NotificationDraft, budgets: SmsBudgets<NewNotification>): NewNotification[] {
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
      severity,
      ...(method === METHOD.sms && { others: methods.filter((other) => budgets.replacesSms(other.method)) }),
    })),
  );
}
