import type { FastifyInstance } from 'fastify';
import { consoleAddress, digestConsoleAddress } from '../notification/link.ts';

/**
 * Registers the short links of messages. `GET /a/<link>` redirects to the alarm in the console and opens the acknowledge
 * dialog. `GET /d/<link>` redirects to the alarms of a digest.
 */
export function registerAlarmLink(app: FastifyInstance): void {
  for (const [path, addressOf] of [
    ['/a/:link', consoleAddress],
    ['/d/:link', digestConsoleAddress],
  ] as const) {
    app.get<{ Params: { link: string } }>(path, (request, reply) => {
      const address = addressOf(request.params.link);
      // The page that the console returns shows a message for an unknown alarm.
      if (address === undefined) return reply.code(404).callNotFound();
      return reply.header('cache-control', 'no-store').redirect(address, 302);
    });
  }
}
