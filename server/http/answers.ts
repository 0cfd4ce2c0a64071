import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerRefusal, HttpRefusal } from '../auth/errors.ts';
import { addressKey } from '../auth/limits.ts';
import { type AnswerOutcome, type InboundSource, takeAnswer } from '../notification/answers/take.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { OnceAMinute } from '../platform/once-a-minute.ts';
import type { InboundEndpoint } from '../sender/inbound/inbound.ts';
import type { InboundMessage } from '../sender/inbound/message.ts';
import type { ReceiptCall } from '../sender/receipt/receipt.ts';
import { CallCounter } from './call-counter.ts';

const MOST_IN_A_MINUTE = 30;
const REFUSALS_PER_ADDRESS = { most: 100, perMs: 15 * 60_000 };

export interface AnswerOptions {
  db: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Returns an HTTP request of a provider. */
export function readCall(request: FastifyRequest): ReceiptCall {
  const { searchParams, search } = new URL(request.raw.url ?? '/', 'http://localhost');
  return {
    method: request.method,
    query: searchParams,
    search,
    headers: request.headers,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    secret: (request.params as { secret?: string }).secret ?? '',
  };
}

/** Keeps the body as bytes: signatures cover the raw bytes, so the body must not be parsed before the check. */
export function keepRawBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** Takes the messages of a call that is proven to come from the provider. The log has neither numbers nor texts. */
export async function takeMessages(
  { db, clock, log, metrics }: AnswerOptions,
  source: InboundSource,
  messages: readonly InboundMessage[],
): Promise<AnswerOutcome[]> {
  const { provider } = source;
  const outcomes: AnswerOutcome[] = [];
  for (const message of messages) {
    const outcome = await takeAnswer({ db, clock }, source, message);
    metrics.count('tocsin_answers_total', { provider, outcome });
    log.info('an answer arrived', { provider, outcome });
    outcomes.push(outcome);
  }
  return outcomes;
}

/** Registers `/api/v1/inbound/…` for the messages of people. Each endpoint accepts calls only from its own provider. */
export async function registerAnswers(
  app: FastifyInstance,
  { endpoints, ...options }: AnswerOptions & { endpoints: readonly InboundEndpoint[] },
): Promise<void> {
  const { clock, log, metrics } = options;
  const refusals = new CallCounter(REFUSALS_PER_ADDRESS, clock);
  const once = new OnceAMinute(clock, MOST_IN_A_MINUTE);

  for (const endpoint of endpoints) {
    const { provider } = endpoint;
    await app.register(async (scope) => {
      scope.setErrorHandler((thrown, request, reply) => {
        if ((thrown as { statusCode?: number }).statusCode === 413) count('too-large');
        return answerRefusal(thrown, request, reply);
      });
      keepRawBody(scope);
      scope.route({
        method: ['GET', 'POST'],
        url: endpoint.route,
        bodyLimit: endpoint.mostBytes,
        handler: take,
      });
    });

    function count(because: string): void {
      metrics.count('tocsin_answer_calls_refused_total', { provider, because });
    }

    async function take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const verdict = endpoint.read(readCall(request), clock.now());
      reply.header('cache-control', 'no-store');
      if (verdict.kind === 'refused') {
        count('proof');
        // Only refused calls count towards the limit, so it never blocks a provider.
        refusals.take(addressKey(request.ip));
        log.warn('an answer was refused', { requestId: request.id, provider, because: verdict.because });
        throw new HttpRefusal(403, 'This address accepts answers only from the SMS provider.');
      }
      for (const because of verdict.unusable) {
        if (once.passes(`${provider} ${because}`)) log.warn('an answer could not be used', { provider, because });
      }
      try {
        await takeMessages(options, endpoint, verdict.messages);
      } catch (error) {
        // The default error handler would log the URL, which can contain the secret.
        log.error('an answer could not be stored', { requestId: request.id, provider, error: error as Error });
        throw new HttpRefusal(503, 'The answer could not be stored. Send it again.');
      }
      return reply.code(204).send();
    }
  }
}
