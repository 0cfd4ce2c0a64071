import type { FastifyInstance } from 'fastify';
import { consoleAddress } from '../notification/link.ts';

/**
 * Registers `GET /a/<link>`. It redirects the short link of a message to its alarm in the console and opens the
 * acknowledge dialog.
 */
export function registerAlarmLink(app: FastifyInstance): void {
  app.get<{ Params: { link: string } }>('/a/:link', (request, reply) => {
    const address = consoleAddress(request.params.link);
    // The console shows a message for an unknown alarm.
    if (address === undefined) return reply.code(404).callNotFound();
    return reply.header('cache-control', 'no-store').redirect(address, 302);
  });
}
