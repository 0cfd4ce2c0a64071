import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { METHOD } from '../../domain/notification/methods.ts';
import { serviceAccess } from '../access.ts';
import { answerRefusal, HttpRefusal } from '../auth/errors.ts';
import { addressKey } from '../auth/limits.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { OnceAMinute } from '../platform/once-a-minute.ts';
import type { ReceiptEndpoint } from '../sender/receipt/receipt.ts';
import { storeReceipt } from '../sender/receipt/store.ts';
import { keepRawBody, readCall, takeMessages } from './answers.ts';
import { CallCounter } from './call-counter.ts';

const MOST_IN_A_MINUTE = 30;
const REFUSALS_PER_ADDRESS = { most: 100, perMs: 15 * 60_000 };

export interface ReceiptOptions {
  db: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  endpoints: readonly ReceiptEndpoint[];
}

/**
 * Registers `/api/v1/receipts/…` for delivery receipts. Each endpoint accepts receipts only from its own provider. The
 * response does not reveal whether the message exists.
 */
export async function registerReceipts(
  app: FastifyInstance,
  { db, clock, log, metrics, endpoints }: ReceiptOptions,
): Promise<void> {
  const refusals = new CallCounter(REFUSALS_PER_ADDRESS, clock);
  const once = new OnceAMinute(clock, MOST_IN_A_MINUTE);
  const say = (level: 'info' | 'warn', provider: string, sentence: string, because?: string) => {
    if (once.passes(`${provider} ${sentence} ${because}`)) log[level](sentence, { provider, because });
  };

  await app.register(async (scope) => {
    scope.setErrorHandler(answerRefusal);
    keepRawBody(scope);
    for (const endpoint of endpoints) {
      scope.route({
        method: ['GET', 'POST'],
        url: endpoint.route,
        bodyLimit: endpoint.mostBytes,
        handler: (request, reply) => take(endpoint, request, reply),
      });
    }
  });

  async function take(endpoint: ReceiptEndpoint, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const verdict = endpoint.read(readCall(request));
    reply.header('cache-control', 'no-store');
    if (verdict.kind === 'greeting') return reply.type('text/plain; charset=utf-8').send(verdict.text);
    if (verdict.kind === 'refused') {
      if (endpoint.takesAnswers) {
        metrics.count('tocsin_answer_calls_refused_total', { provider: endpoint.provider, because: 'proof' });
      }
      // Only refused calls count towards the limit, so the limit never blocks valid receipts.
      refusals.take(addressKey(request.ip));
      log.warn('a receipt was refused', {
        requestId: request.id,
        provider: endpoint.provider,
        because: verdict.because,
      });
      throw new HttpRefusal(403, 'This address accepts delivery receipts only.');
    }
    for (const because of verdict.unusable ?? [])
      say('warn', endpoint.provider, 'a receipt could not be used', because);
    try {
      for (const receipt of verdict.receipts) {
        const kept = await db.transaction(serviceAccess(clock), (tx) => storeReceipt(tx, endpoint.provider, receipt));
        if (kept === 'unclear') say('warn', endpoint.provider, 'a receipt matches several messages and was ignored');
        // A receipt can arrive before the provider's response to the message. It is then stored until the message is
        // known.
        if (kept === 'early') say('info', endpoint.provider, 'a receipt arrived before its message was known');
      }
      // Only WhatsApp delivers answers to the address of receipts, because a Meta app has one webhook.
      const source = { provider: endpoint.provider, method: METHOD.whatsapp };
      await takeMessages({ db, clock, log, metrics }, source, verdict.messages ?? []);
    } catch (error) {
      // The default error handler would log the URL, which can contain the endpoint's secret. Providers send the
      // receipt again after a 503.
      log.error('a receipt could not be stored', { requestId: request.id, provider: endpoint.provider, error });
      throw new HttpRefusal(503, 'The receipt could not be stored. Send it again.');
    }
    return reply.code(204).send();
  }
}
