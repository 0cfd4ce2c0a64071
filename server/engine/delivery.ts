import { METHOD, type MethodType } from '../../domain/notify/methods.ts';
import { afterAttempt } from '../../domain/notify/retry.ts';
import { serviceAccess } from '../access.ts';
import type { Letters, Queued } from '../alarm/letter.ts';
import { CUSTOMER_HOST } from '../auth/customer-url.ts';
import type { Channel, SendResult } from '../channel/channel.ts';
import { holdReceipts, takeEarlyReceipt } from '../channel/keep-receipt.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { dieAt } from '../platform/fault.ts';
import type { Log } from '../platform/log.ts';
import type { EngineModule } from './engine.ts';

export interface DeliveryOptions {
  db: Database;
  clock: Clock;
  log: Log;
  channels: Readonly<Record<MethodType, Channel>>;
  letters: Letters;
  /** The names of the channels whose providers report what became of a message. */
  reporting: ReadonlySet<string>;
}

/** A message under way belongs to its sender for this long; one whose sender died goes out again after it, with the same key. */
export const LEASE_MS = 30_000;
/** A provider that takes longer than this is asked again later. */
const PATIENCE_MS = 25_000;
/** How many messages of one way are under way at once. */
const AT_ONCE = 8;

export interface Leased extends Queued {
  uuid: string;
  attempts: number;
}

/** Sends what is queued. Each way has its own queue, so that one which is down does not hold up the others. */
export function delivery(options: DeliveryOptions): EngineModule {
  const { db, clock, log, channels, letters, reporting } = options;

  return {
    name: 'delivery',
    every: 1000,
    wakeOn: 'tocsin_message',
    async tick() {
      await Promise.all(Object.values(METHOD).map(deliverAll));
    },
  };

  async function deliverAll(method: MethodType): Promise<void> {
    for (;;) {
      const leased = await lease(method);
      if (leased.length > 0) dieAt('message leased');
      await Promise.all(leased.map(deliver));
      if (leased.length < AT_ONCE) return;
    }
  }

  async function lease(method: MethodType): Promise<Leased[]> {
    const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
      tx.query<Leased>(
        `update tocsin.notification n
         set lease_until = tocsin_private.clock() + $2 * interval '1 millisecond', attempts = n.attempts + 1
         from (
           select uuid from tocsin.notification
           where state = 'queued' and method_type = $1 and next_attempt_at <= tocsin_private.clock()
             and (lease_until is null or lease_until <= tocsin_private.clock())
           order by next_attempt_at, sequence_number limit $3 for update skip locked) due, tocsin.customer c
         where n.uuid = due.uuid and c.uuid = n.tocsin_customer_uuid
         returning n.uuid, n.tocsin_customer_uuid as customer, n.tocsin_alarm_uuid as alarm, n.address,
           n.method_type as method, n.kind, n.subject, n.notify_message as text, n.idempotency_key as key, n.attempts,
           extract(epoch from n.notify_time)::float8 * 1000 as notified, ${CUSTOMER_HOST},
           (select a.severity from tocsin.alarm a where a.uuid = n.tocsin_alarm_uuid) as severity,
           (select a.must_acknowledge and a.acknowledge_json is null from tocsin.alarm a where a.uuid = n.tocsin_alarm_uuid) as must_acknowledge`,
        [method, LEASE_MS, AT_ONCE],
      ),
    );
    return rows;
  }

  async function deliver(row: Leased): Promise<void> {
    const channel = channels[row.method];
    const { message, parts, impossible } = await letters.write(row);
    const result: SendResult = message
      ? await inTime(channel.send(message))
      : { outcome: 'give-up', because: impossible ?? 'There is nothing to send.' };
    if ('because' in result) {
      log.warn('a message was not sent', { message: row.uuid, attempts: row.attempts, because: result.because });
    }
    dieAt('message handed over');
    await settle(row, channel, result, parts);
    dieAt('message settled');
    if (row.method === METHOD.push && 'addressEnded' in result) await letters.forget(row.address);
  }

  async function settle(row: Leased, channel: Channel, result: SendResult, parts: number): Promise<void> {
    const now = clock.now().getTime();
    const next = afterAttempt({ outcome: result.outcome, attempts: row.attempts, queuedAt: row.notified, now });
    const said = 'because' in result ? result.because : result.answer;
    const answer = next.state === 'failed' ? `${gaveUp[next.because]}${said}` : said;
    const providerId = 'providerId' in result ? result.providerId : '';
    const reported = reporting.has(channel.name) && providerId !== '';
    await db.transaction(serviceAccess(clock), async (tx) => {
      if (reported) await holdReceipts(tx, channel.name, providerId);
      await tx.query(
        `update tocsin.notification n set state = $3, provider = $4, provider_id = coalesce($5, n.provider_id), provider_answer = $6,
           parts = $7, lease_until = null, next_attempt_at = to_timestamp($8::float8 / 1000),
           sent_at = case when $3 in ('sent', 'delivered') then tocsin_private.clock() else n.sent_at end,
           delivered_at = case when $3 = 'delivered' then tocsin_private.clock() else n.delivered_at end,
           failed_at = case when $3 = 'failed' then tocsin_private.clock() else n.failed_at end,
           attempt_log = n.attempt_log || jsonb_build_array(jsonb_build_object('at', tocsin_private.clock(), 'outcome', $9::text, 'answer', $6::text))
         where n.uuid = $1 and n.state = 'queued' and n.attempts = $2`,
        [
          row.uuid,
          row.attempts,
          next.state,
          channel.name,
          providerId === '' ? null : providerId,
          answer.slice(0, 1000),
          parts,
          next.state === 'queued' ? Math.max(next.nextAt, now + 1000 * askedToWait(result)) : null,
          result.outcome,
        ],
      );
      if (reported) await takeEarlyReceipt(tx, channel.name, providerId);
    });
  }
}

function askedToWait(result: SendResult): number {
  return result.outcome === 'retry' ? Math.min(result.afterSeconds ?? 0, 3600) : 0;
}

const gaveUp = {
  refused: '',
  'too-many-attempts': 'Given up after too many attempts. ',
  'too-old': 'Given up a day after it was queued. ',
} as const;

/** A channel that hangs must not keep its message for ever. */
async function inTime(sending: Promise<SendResult>): Promise<SendResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<SendResult>((resolve) => {
    timer = setTimeout(
      () => resolve({ outcome: 'retry', because: 'The provider did not answer in time.' }),
      PATIENCE_MS,
    ).unref();
  });
  try {
    return await Promise.race([sending, late]);
  } finally {
    clearTimeout(timer);
  }
}
