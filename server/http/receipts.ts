import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serviceAccess } from '../access.ts';
import { answerRefusal, HttpRefusal } from '../auth/errors.ts';
import { addressKey, Counter } from '../auth/limits.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { OnceAMinute } from '../platform/once-a-minute.ts';
import type { ReceiptDoor } from '../sender/receipt/receipt.ts';
import { keepReceipt } from '../sender/receipt/store.ts';

const MOST_IN_A_MINUTE = 30;
const REFUSALS_PER_ADDRESS = { most: 100, perMs: 15 * 60_000 };

export interface ReceiptOptions {
  db: Database;
  clock: Clock;
  log: Log;
  doors: readonly ReceiptDoor[];
}

/**
 * `/api/v1/receipts/…`: where providers report what became of messages. Each door lets in only its own provider, and every call
 * that it lets in gets the same answer, whether or not there is such a message.
 */
export async function registerReceipts(app: FastifyInstance, { db, clock, log, doors }: ReceiptOptions): Promise<void> {
  const strangers = new Counter(REFUSALS_PER_ADDRESS, clock);
  const once = new OnceAMinute(clock, MOST_IN_A_MINUTE);
  const say = (level: 'info' | 'warn', provider: string, sentence: string, because?: string) => {
    if (once.passes(`${provider} ${sentence} ${because}`)) log[level](sentence, { provider, because });
  };

  await app.register(async (scope) => {
    scope.setErrorHandler(answerRefusal);
    // A signature covers the bytes that came, so nothing may read them before.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const door of doors) {
      scope.route({
        method: ['GET', 'POST'],
        url: door.route,
        bodyLimit: door.mostBytes,
        handler: (request, reply) => take(door, request, reply),
      });
    }
  });

  async function take(door: ReceiptDoor, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { searchParams, search } = new URL(request.raw.url ?? '/', 'http://localhost');
    const verdict = door.read({
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
      // Only strangers are counted, so that nobody can keep a provider out by calling from where it calls.
      strangers.take(addressKey(request.ip));
      log.warn('a receipt was refused', { requestId: request.id, provider: door.provider, because: verdict.because });
      throw new HttpRefusal(403, 'This address is for receipts of messages, and this call is none.');
    }
    for (const because of verdict.unusable ?? []) say('warn', door.provider, 'a receipt could not be used', because);
    try {
      for (const receipt of verdict.receipts) {
        const kept = await db.transaction(serviceAccess(clock), (tx) => keepReceipt(tx, door.provider, receipt));
        if (kept === 'unclear') say('warn', door.provider, 'a receipt fits several messages and was left out');
        // It may be faster than the answer to its message, so it is kept for a while.
        if (kept === 'early') say('info', door.provider, 'a receipt names no message that is known yet');
      }
    } catch (error) {
      // Not the server's own words for it: the address that they name may hold the secret. Providers come again after this.
      log.error('a receipt could not be kept', { requestId: request.id, provider: door.provider, error });
      throw new HttpRefusal(503, 'The receipt could not be kept. Send it again.');
    }
    return reply.code(204).send();
  }
}
