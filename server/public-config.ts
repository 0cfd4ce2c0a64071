import type { FastifyInstance } from 'fastify';
import type { CustomerOfHost } from './auth/customer.ts';
import type { Config } from './config.ts';

interface Options {
  config: Config;
  version: string;
  customerOf(host: string): Promise<CustomerOfHost | undefined>;
}

/** `GET /api/v1/config`: what the console needs to know before anybody has signed in. */
export function registerPublicConfig(app: FastifyInstance, { config, version, customerOf }: Options): void {
  app.get('/api/v1/config', async (request, reply) => {
    const customer = await customerOf(request.hostname);
    reply.header('cache-control', 'no-store');
    return {
      product: 'Tocsin',
      version,
      customer: customer ? { id: customer.id, name: customer.name, timeZone: customer.timeZone } : null,
      demo: config.demo,
      mail: config.smtpUrl !== undefined,
      contact: {
        email: config.contactEmail || customer?.email || customer?.partnerEmail || '',
        phone: config.contactPhone || customer?.phone || customer?.partnerPhone || '',
      },
    };
  });
}
