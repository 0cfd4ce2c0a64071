import type { FastifyInstance } from 'fastify';
import { answerRefusal, HttpRefusal } from '../auth/errors.ts';
import { addressKey } from '../auth/limits.ts';
import { readFeed } from '../on-call/feed.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { CallCounter } from './call-counter.ts';

const REFUSALS_PER_ADDRESS = { most: 20, perMs: 15 * 60_000 };
/** Calendars ask every few minutes at most. Computing a feed takes milliseconds. */
const READS_PER_FEED = { most: 60, perMs: 15 * 60_000 };

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Registers `/calendar/<feed>/<secret>.ics`, the iCalendar feeds. Calendars cannot sign in, so the secret identifies them. */
export async function registerCalendar(
  app: FastifyInstance,
  { db, clock }: { db: Database; clock: Clock },
): Promise<void> {
  const refusals = new CallCounter(REFUSALS_PER_ADDRESS, clock);
  const reads = new CallCounter(READS_PER_FEED, clock);
  await app.register(async (scope) => {
    scope.setErrorHandler(answerRefusal);
    scope.get<{ Params: { feed: string; secret: string } }>('/calendar/:feed/:secret.ics', async (request, reply) => {
      const { feed, secret } = request.params;
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
      if (isUuid(feed)) reads.take(`${feed} ${addressKey(request.ip)}`);
      const calendar = isUuid(feed) ? await readFeed(db, clock, { uuid: feed, secret }) : undefined;
      if (calendar === undefined) {
        refusals.take(addressKey(request.ip));
        throw new HttpRefusal(
          404,
          'This calendar does not exist, or its address was renewed. Copy the present address.',
        );
      }
      return reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', 'inline; filename="on-call.ics"')
        .send(calendar);
    });
  });
}
