import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serviceAccess } from '../access.ts';
import { answerRefusal, HttpRefusal } from '../auth/errors.ts';
import { addressKey } from '../auth/limits.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { OnceAMinute } from '../platform/once-a-minute.ts';
import type { ReceiptEndpoint } from '../sender/receipt/receipt.ts';
import { storeReceipt } from '../sender/receipt/store.ts';
import { CallCounter } from './call-counter.ts';

const MOST_IN_A_MINUTE = 30;
const REFUSALS_PER_ADDRESS = { most: 100, perMs: 15 * 60_000 };

export interface ReceiptOptions {
  db: Database;
  clock: Clock;
  log: Log;
  endpoints: readonly ReceiptEndpoint[];
}

/**
 * Registers `/api/v1/receipts/…` for delivery receipts. Each endpoint accepts receipts only from its own provider. The
 * response does not reveal whether the message exists.
 */
export async function registerReceipts(
  app: FastifyInstance,
  { db, clock, log, endpoints }: ReceiptOptions,
): Promise<void> {
  const refusals = new CallCounter(REFUSALS_PER_ADDRESS, clock);
  const once = new OnceAMinute(clock, MOST_IN_A_MINUTE);
  const say = (level: 'info' | 'warn', provider: string, sentence: string, because?: string) => {
    if (once.passes(`${provider} ${sentence} ${because}`)) log[level](sentence, { provider, because });
  };

  await app.register(async (scope) => {
    scope.setErrorHandler(answerRefusal);
    // Signatures cover the raw bytes, so the body must not be parsed before the check.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
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
    const { searchParams, search } = new URL(request.raw.url ?? '/', 'http://localhost');
    const verdict = endpoint.read({
      method: request.method,
      query: searchParams,
      search,
      headers: request.headers,
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      secret: (request.params as { secret?: string }).secret ?? '',
    });
    reply.header('cache-control', 'no-store');
    if (verdict.kind === 'greeting') return reply.type('text/plain; charset=utf-8').send(verdict.text);
    if (verdict.kind === 'refused') {
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
    } catch (error) {
      // The default error handler would log the URL, which can contain the endpoint's secret. Providers send the
      // receipt again after a 503.
      log.error('a receipt could not be stored', { requestId: request.id, provider: endpoint.provider, error });
      throw new HttpRefusal(503, 'The receipt could not be stored. Send it again.');
    }
    return reply.code(204).send();
  }
}
