import { composeBody } from '../../domain/destination/compose.ts';
import type { DeliveryContent, DestinationKind } from '../../domain/destination/event.ts';
import { afterAttempt } from '../../domain/notification/retry.ts';
import { serviceAccess } from '../access.ts';
import { CUSTOMER_HOST, type CustomerHost, customerUrl } from '../auth/customer-url.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { dieAt } from '../platform/fault.ts';
import type { Log } from '../platform/log.ts';
import { cleanAnswer } from '../sender/answer.ts';
import type { AddressRules } from './address.ts';
import { classifyAnswer, type PostResult } from './classify.ts';
import { post } from './post.ts';
import { signedHeaders } from './sign.ts';

export interface DeliverOptions extends AddressRules {
  db: Database;
  clock: Clock;
  log: Log;
  /** Public address of the console. */
  publicUrl: string;
  timeoutMs?: number;
}

/** Maximum duration of a request, from the look-up of the host to the end of the response. */
const TIMEOUT_MS = 10_000;
/**
 * Duration of the lease on a delivery, by the database's clock. It is longer than a request, so it needs no renewal. If
 * the process dies, another process sends the delivery with the same key afterwards.
 */
const LEASE_MS = 30_000;
/** Maximum number of concurrent requests, in all and to one destination. */
const AT_ONCE = 16;
const AT_ONCE_TO_ONE = 2;

interface Leased extends CustomerHost {
  uuid: string;
  destination: string;
  kind: DestinationKind;
  url: string;
  secret: string;
  attempts: number;
  tries: number;
  facts: DeliveryContent | Record<string, never>;
  event: string;
  created: Date;
  queued: number;
  leasedUntil: number;
}

/** Sends the deliveries that are due. Deliveries about the same alarm to the same destination are sent in order. */
export class DestinationSender {
  readonly #options: DeliverOptions;
  readonly #inFlight = new Map<string, { row: Leased; ended: Promise<void> }>();
  #filling: Promise<void> | undefined;
  #fillAgain = false;
  #stopped = false;

  constructor(options: DeliverOptions) {
    this.#options = options;
  }

  /** Starts as many requests as the limits allow. Does not wait for them to finish. */
  fill(): Promise<void> {
    this.#fillAgain = true;
    this.#filling ??= this.#lookForWork().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  async settled(): Promise<void> {
    while (this.#inFlight.size > 0 || this.#filling) {
      await Promise.all([this.#filling, ...[...this.#inFlight.values()].map(({ ended }) => ended)]);
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  async #lookForWork(): Promise<void> {
    while (this.#fillAgain && !this.#stopped) {
      this.#fillAgain = false;
      const room = AT_ONCE - this.#inFlight.size;
      const leased = room > 0 ? await this.#lease(room) : [];
      if (leased.length === 0) continue;
      dieAt('webhook leased');
      for (const row of leased) this.#start(row);
      this.#fillAgain = true;
    }
  }

  #start(row: Leased): void {
    const { log } = this.#options;
    const ended = this.#deliver(row)
      .catch((error: Error) => log.error('a delivery to a destination failed', { delivery: row.uuid, error }))
      .then(() => {
        this.#inFlight.delete(row.uuid);
        // Starts the next delivery, which may have waited for this one.
        return this.fill();
      })
      .catch((error: Error) => log.warn('deliveries could not be leased', { error }));
    this.#inFlight.set(row.uuid, { row, ended });
  }

  #crowded(): string[] {
    const counts = new Map<string, number>();
    for (const { row } of this.#inFlight.values()) counts.set(row.destination, (counts.get(row.destination) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= AT_ONCE_TO_ONE).map(([destination]) => destination);
  }

  async #lease(most: number): Promise<Leased[]> {
    const { db, clock } = this.#options;
    const leasedUntil = clock.now().getTime() + LEASE_MS;
    const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
      tx.query<Leased>(
        `update tocsin.destination_delivery d set lease_until = tocsin_private.lease_clock() + $1 * interval '1 millisecond',
           attempts = d.attempts + 1, tries = d.tries + 1
         from (
           select q.uuid from (
             select n.uuid, n.next_attempt_at, n.sequence_number,
               row_number() over (partition by n.tocsin_destination_uuid order by n.next_attempt_at, n.sequence_number) as place
             from tocsin.destination_delivery n
               join tocsin.customer c on c.uuid = n.tocsin_customer_uuid and c.status = 1
             where n.state = 'queued' and n.next_attempt_at <= tocsin_private.clock()
               and (n.lease_until is null or n.lease_until not between tocsin_private.lease_clock() + interval '1 microsecond'
                 and tocsin_private.lease_clock() + 2 * $1 * interval '1 millisecond')
               and n.uuid <> all ($3::uuid[]) and n.tocsin_destination_uuid <> all ($4::uuid[])
               and not exists (select from tocsin.destination_delivery e where e.tocsin_destination_uuid = n.tocsin_destination_uuid
                 and e.state = 'queued' and e.sequence_number < n.sequence_number and e.alarm_uuids && n.alarm_uuids)) q
             join tocsin.destination_delivery l on l.uuid = q.uuid
           where q.place <= ${AT_ONCE_TO_ONE}
           order by q.next_attempt_at, q.sequence_number limit $2 for update of l skip locked) due,
           tocsin.destination t, tocsin_private.destination_secret s, tocsin.customer c
         where d.uuid = due.uuid and c.uuid = d.tocsin_customer_uuid and t.uuid = d.tocsin_destination_uuid and s.tocsin_destination_uuid = t.uuid and d.state = 'queued'
           and (d.lease_until is null or d.lease_until not between tocsin_private.lease_clock() + interval '1 microsecond'
             and tocsin_private.lease_clock() + 2 * $1 * interval '1 millisecond')
         returning d.uuid, t.uuid as destination, t.kind, s.url, s.secret, d.attempts, d.tries, d.facts, d.event, d.created_at as created,
           extract(epoch from d.queued_at)::float8 * 1000 as queued, ${CUSTOMER_HOST}`,
        [LEASE_MS, most, [...this.#inFlight.keys()], this.#crowded()],
      ),
    );
    return rows.map((row) => ({ ...row, leasedUntil }));
  }

  async #deliver(row: Leased): Promise<void> {
    const { clock, log, publicUrl, allowPrivate, timeoutMs = TIMEOUT_MS } = this.#options;
    const content = row.event === 'test' ? { kind: 'test' as const } : (row.facts as DeliveryContent);
    const body = composeBody(row.kind, {
      uuid: row.uuid,
      createdAt: row.created.toISOString(),
      content,
      publicUrl: customerUrl(publicUrl, row),
    });
    // A process that was suspended may have lost the lease. Another process then sends the delivery.
    if (clock.now().getTime() + timeoutMs >= row.leasedUntil) return;
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Tocsin',
      ...(row.kind === 'webhook' && {
        'tocsin-delivery': row.uuid,
        'tocsin-event': row.event,
        ...signedHeaders(row.secret, clock.now(), body),
      }),
    };
    const answer = await post(row.url, headers, body, { allowPrivate, timeoutMs });
    const result = classifyAnswer(answer, [row.url, row.secret]);
    dieAt('webhook handed over');
    if (result.outcome !== 'sent') {
      log.warn('a delivery to a destination was not accepted', {
        delivery: row.uuid,
        attempts: row.attempts,
        because: result.because,
      });
    }
    await this.#settle(row, result);
    dieAt('webhook settled');
  }

  /** Writes the result, unless the lease was lost or the destination was deleted. */
  async #settle({ uuid, attempts, tries, queued }: Leased, result: PostResult): Promise<void> {
    const { db, clock } = this.#options;
    const now = clock.now().getTime();
    const next = afterAttempt({ outcome: result.outcome, attempts: tries, queuedAt: queued, now });
    const asked = result.outcome === 'retry' ? 1000 * (result.afterSeconds ?? 0) : 0;
    const state = next.state === 'delivered' ? 'sent' : next.state;
    await db.transaction(serviceAccess(clock), (tx) =>
      tx.query(
        `update tocsin.destination_delivery d set state = $3, answer = $4, response_code = $5, lease_until = null,
           next_attempt_at = to_timestamp($6::float8 / 1000),
           sent_at = case when $3 = 'sent' then tocsin_private.clock() else d.sent_at end,
           failed_at = case when $3 = 'failed' then tocsin_private.clock() end
         where d.uuid = $1 and d.attempts = $2 and d.state = 'queued'`,
        [
          ...[uuid, attempts, state, cleanAnswer(result.because).slice(0, 1000), result.status ?? null],
          next.state === 'queued' ? Math.max(next.nextAt, now + asked) : null,
        ],
      ),
    );
  }
}
