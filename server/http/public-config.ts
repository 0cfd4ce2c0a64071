import type { FastifyInstance } from 'fastify';
import type { CustomerOfHost } from '../auth/customer.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { vapidKeys } from '../sender/vapid.ts';

interface Options {
  config: Config;
  version: string;
  db: Database;
  clock: Clock;
  customerOf(host: string): Promise<CustomerOfHost | undefined>;
}

/** Registers `GET /api/v1/config`, the settings that the console needs before sign-in. */
export function registerPublicConfig(app: FastifyInstance, options: Options): void {
  const { config, version, db, clock, customerOf } = options;
  let pushKey: string | undefined;
  app.get('/api/v1/config', async (request, reply) => {
    const customer = await customerOf(request.host);
    if (config.push) pushKey ??= (await vapidKeys(db, clock)).publicKey;
    reply.header('cache-control', 'no-store');
    return {
      product: 'Tocsin',
      version,
      customer: customer ? { id: customer.id, name: customer.name, timeZone: customer.timeZone } : null,
      demo: config.demo,
      mail: config.smtpUrl !== undefined,
      // VAPID public key for push subscriptions; null if no push sender is configured.
      pushKey: pushKey ?? null,
      keepReadingsDays: config.keep.readings,
      contact: {
        email: config.contactEmail || customer?.email || customer?.partnerEmail || '',
        phone: config.contactPhone || customer?.phone || customer?.partnerPhone || '',
      },
    };
  });
}
