import { METHOD, type MethodType } from '../../domain/notification/methods.ts';
import { afterAttempt } from '../../domain/notification/retry.ts';
import { serviceAccess } from '../access.ts';
import { CUSTOMER_HOST } from '../auth/customer-url.ts';
import type { Composer, QueuedNotification } from '../notification/compose.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { dieAt } from '../platform/fault.ts';
import type { Log } from '../platform/log.ts';
import { applyEarlyReceipt, lockReceipts } from '../sender/receipt/store.ts';
import type { Sender, SendResult } from '../sender/sender.ts';
import type { EngineModule } from './engine.ts';

export interface DeliveryOptions {
  db: Database;
  clock: Clock;
  log: Log;
  senders: Readonly<Record<MethodType, Sender>>;
  composer: Composer;
  /** Names of the senders whose providers send delivery receipts. */
  reporting: ReadonlySet<string>;
  /** False while this process must not send, because its clock is wrong. */
  maySend?: () => boolean;
  /** Called with the result of each attempt to send. */
  onResult?: (sender: Sender, result: SendResult) => void;
}

/**
 * Duration of the lease on a notification, by the database's clock. The process renews the lease while it sends. If the
 * process dies, another process sends the notification with the same key after the lease ends. Each lease increments
 * `attempts`, so a process that lost its lease writes no result.
 */
export const LEASE_MS = 15_000;
const RENEW_MS = 3000;
/**
 * Maximum duration of the query that takes leases. The query computes all times from its start. While it waits, other
 * processes can take leases. Such a lease ends at most this much later than a lease that this query takes.
 */
const LONGEST_STATEMENT_MS = 60_000;
/** Maximum duration of a send. A send that takes longer counts as failed. */
const PATIENCE_MS = 60_000;

export interface Leased extends QueuedNotification {
  uuid: string;
  attempts: number;
  destination: string;
  /**
   * End of the lease in product time. Computed before the lease is taken, so it is never later than the end of the
   * lease in the database.
   */
  leasedUntil: number;
}

/**
 * Creates the modules that send queued notifications. Each method has its own module, so that a stalled sender delays
 * no other method.
 */
export function delivery(options: DeliveryOptions): EngineModule[] {
  return Object.values(METHOD).map((method) => methodDelivery(method, options));
}

function methodDelivery(method: MethodType, options: DeliveryOptions): EngineModule {
  const { db, clock, log, composer, reporting, maySend = () => true, onResult } = options;
  const sender = options.senders[method];
  /**
   * Maximum number of concurrent sends. Push has twice the limit, because it has several destinations: one stalled push
   * service then leaves capacity for the others.
   */
  const capacity = method === METHOD.push ? 2 * sender.atOnce : sender.atOnce;
  /** Running sends. A notification in this map is not leased again, even if its lease was lost. */
  const inFlight = new Map<string, { row: Leased; ended: Promise<void> }>();
  let renewal: NodeJS.Timeout | undefined;
  let filling: Promise<void> | undefined;
  let fillAgain = false;
  let stopped = false;

  return {
    name: `delivery by ${sender.title}`,
    every: 1000,
    wakeOn: 'tocsin_message',
    tick: fill,
    stop() {
      stopped = true;
    },
    async settled() {
      while (inFlight.size > 0 || filling) {
        await Promise.all([filling, ...[...inFlight.values()].map(({ ended }) => ended)]);
      }
    },
  };

  /** Starts as many sends as the capacity allows. Does not wait for them to finish. */
  function fill(): Promise<void> {
    fillAgain = true;
    filling ??= lookForWork().finally(() => {
      filling = undefined;
    });
    return filling;
  }

  async function lookForWork(): Promise<void> {
    while (fillAgain && !stopped && maySend()) {
      fillAgain = false;
      const room = Math.min(capacity - inFlight.size, sender.atOnce);
      const leased = room > 0 ? await lease(room) : [];
      if (leased.length === 0) continue;
      dieAt('message leased');
      for (const row of leased) start(row);
      fillAgain = true;
    }
  }

  function start(row: Leased): void {
    const ended = deliver(row)
      .catch((error: Error) => log.error('a message could not be sent', { message: row.uuid, error }))
      .then(() => {
        inFlight.delete(row.uuid);
        if (inFlight.size === 0) clearInterval(renewal);
        // Starts the next send, because a slot is free.
        return fill();
      })
      .catch((error: Error) => log.warn('messages could not be leased', { error }));
    if (inFlight.size === 0) renewal = setInterval(() => void renew(), RENEW_MS).unref();
    inFlight.set(row.uuid, { row, ended });
  }

  async function renew(): Promise<void> {
    const rows = [...inFlight.values()].map(({ row }) => row);
    const leasedUntil = clock.now().getTime() + LEASE_MS;
    try {
      const { rows: renewed } = await db.transaction(serviceAccess(clock), (tx) =>
        tx.query<{ uuid: string }>(
          `update tocsin.notification n set lease_until = tocsin_private.lease_clock() + $3 * interval '1 millisecond'
           from unnest($1::uuid[], $2::int[]) as mine (uuid, attempts)
           where n.uuid = mine.uuid and n.attempts = mine.attempts and n.state = 'queued' and n.lease_until is not null
           returning n.uuid`,
          [rows.map(({ uuid }) => uuid), rows.map(({ attempts }) => attempts), LEASE_MS],
        ),
      );
      const mine = new Set(renewed.map(({ uuid }) => uuid));
      for (const row of rows) if (mine.has(row.uuid)) row.leasedUntil = leasedUntil;
    } catch (error) {
      log.warn('the leases of messages could not be renewed', { messages: rows.length, error: error as Error });
    }
  }

  /** Returns the destinations that have reached the limit of concurrent sends. */
  function crowded(): string[] {
    const sends = new Map<string, number>();
    for (const { row } of inFlight.values()) sends.set(row.destination, (sends.get(row.destination) ?? 0) + 1);
    return [...sends].filter(([, count]) => count >= sender.atOnce).map(([destination]) => destination);
  }

  async function lease(most: number): Promise<Leased[]> {
    const leasedUntil = clock.now().getTime() + LEASE_MS;
    const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
      tx.query<Leased>(
        `update tocsin.notification n
         set lease_until = tocsin_private.lease_clock() + $2 * interval '1 millisecond', attempts = n.attempts + 1
         from (
           -- Nothing is sent for a disabled customer: another cell may have it.
           select n.uuid from tocsin.notification n join tocsin.customer k on k.uuid = n.tocsin_customer_uuid and k.status = 1
           where n.state = 'queued' and n.method_type = $1 and n.next_attempt_at <= tocsin_private.clock()
             -- A lease that ends later than it can was taken before the database's clock was set back.
             and (n.lease_until is null or n.lease_until not between tocsin_private.lease_clock() + interval '1 microsecond'
               and tocsin_private.lease_clock() + ($2 + ${LONGEST_STATEMENT_MS}) * interval '1 millisecond')
             and n.uuid <> all ($4::uuid[]) and ${DESTINATION} <> all ($5::text[])
           order by n.next_attempt_at, n.sequence_number limit $3 for update of n skip locked) due, tocsin.customer c
         where n.uuid = due.uuid and c.uuid = n.tocsin_customer_uuid
         returning n.uuid, n.tocsin_customer_uuid as customer, n.tocsin_alarm_uuid as alarm, n.address,
           n.method_type as method, n.kind, n.subject, n.notify_message as text, n.idempotency_key as key, n.attempts,
           ${DESTINATION} as destination,
           extract(epoch from n.notify_time)::float8 * 1000 as notified, ${CUSTOMER_HOST},
           (select a.severity from tocsin.alarm a where a.uuid = n.tocsin_alarm_uuid) as severity,
           (select a.must_acknowledge and a.acknowledge_json is null from tocsin.alarm a where a.uuid = n.tocsin_alarm_uuid) as must_acknowledge`,
        [method, LEASE_MS, most, [...inFlight.keys()], crowded()],
      ),
    );
    return rows.map((row) => ({ ...row, leasedUntil }));
  }

  async function deliver(row: Leased): Promise<void> {
    const { message, segments, impossible } = await composer.compose(row);
    // The lease has ended because this process was suspended or could not renew it. Another process may already have
    // sent the notification.
    if (clock.now().getTime() >= row.leasedUntil) return lost(row);
    const sending: Promise<SendResult> = message
      ? sender.send(message)
      : Promise.resolve({ outcome: 'give-up', because: impossible ?? 'There is nothing to send.' });
    const result = await inTime(sending);
    if (message) onResult?.(sender, result);
    if ('because' in result) {
      log.warn('a message was not sent', { message: row.uuid, attempts: row.attempts, because: result.because });
    }
    dieAt('message handed over');
    await settle(row, result, segments);
    dieAt('message settled');
    if (method === METHOD.push && 'addressEnded' in result) await composer.forget(row.address);
    // A send that timed out can still succeed. The next attempt therefore waits until this send has ended.
    await sending;
  }

  async function settle(row: Leased, result: SendResult, segments: number): Promise<void> {
    const now = clock.now().getTime();
    const next = afterAttempt({ outcome: result.outcome, attempts: row.attempts, queuedAt: row.notified, now });
    const said = 'because' in result ? result.because : result.answer;
    const answer = next.state === 'failed' ? `${gaveUp[next.because]}${said}` : said;
    const providerId = 'providerId' in result ? result.providerId : '';
    const reported = reporting.has(sender.name) && providerId !== '';
    await db.transaction(serviceAccess(clock), async (tx) => {
      if (reported) await lockReceipts(tx, sender.name, providerId);
      const { rowCount } = await tx.query(
        `update tocsin.notification n set state = $3, provider = $4, provider_id = coalesce($5, n.provider_id), provider_answer = $6,
           segments = $7, lease_until = null, next_attempt_at = to_timestamp($8::float8 / 1000),
           sent_at = case when $3 in ('sent', 'delivered') then tocsin_private.clock() else n.sent_at end,
           delivered_at = case when $3 = 'delivered' then tocsin_private.clock() else n.delivered_at end,
           failed_at = case when $3 = 'failed' then tocsin_private.clock() else n.failed_at end,
           attempt_log = n.attempt_log || jsonb_build_array(jsonb_build_object('at', tocsin_private.clock(), 'outcome', $9::text, 'answer', $6::text))
         where n.uuid = $1 and n.state = 'queued' and n.attempts = $2`,
        [
          row.uuid,
          row.attempts,
          next.state,
          sender.name,
          providerId === '' ? null : providerId,
          answer.slice(0, 1000),
          segments,
          next.state === 'queued' ? Math.max(next.nextAt, now + 1000 * askedToWait(result)) : null,
          result.outcome,
        ],
      );
      if (rowCount === 0) lost(row);
      if (reported) await applyEarlyReceipt(tx, sender.name, providerId);
    });
  }

  function lost(row: Leased): void {
    log.warn('the lease of a message was lost: another process sends it', {
      message: row.uuid,
      attempts: row.attempts,
      key: row.key,
    });
  }
}

function askedToWait(result: SendResult): number {
  return result.outcome === 'retry' ? Math.min(result.afterSeconds ?? 0, 3600) : 0;
}

/** SQL for the host of the push service; empty for other methods, which have only one destination. */
const DESTINATION = `coalesce((select split_part(p.endpoint, '/', 3) from tocsin.push_subscription p
  where n.method_type = ${METHOD.push} and p.uuid::text = n.address), '')`;

const gaveUp = {
  refused: '',
  'too-many-attempts': 'Failed after too many attempts. ',
  'too-old': 'Failed: not sent within a day. ',
} as const;

/** Resolves with `retry` after the time limit, so that a stalled send does not block its notification forever. */
async function inTime(sending: Promise<SendResult>): Promise<SendResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<SendResult>((resolve) => {
    timer = setTimeout(
      () => resolve({ outcome: 'retry', because: 'The provider did not reply in time.' }),
      PATIENCE_MS,
    ).unref();
  });
  try {
    return await Promise.race([sending, late]);
  } finally {
    clearTimeout(timer);
  }
}
