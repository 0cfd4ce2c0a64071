import type { FastifyInstance } from 'fastify';
import { consoleAddress } from '../notification/link.ts';

/** `GET /a/<link>`: the short address in a message leads to its alarm in the console, with the acknowledge dialog asked for. */
export function registerAlarmLink(app: FastifyInstance): void {
  app.get<{ Params: { link: string } }>('/a/:link', (request, reply) => {
    const address = consoleAddress(request.params.link);
    // What names no alarm is told so by the console.
    if (address === undefined) return reply.code(404).callNotFound();
    return reply.header('cache-control', 'no-store').redirect(address, 302);
  });
}
