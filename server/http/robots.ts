import type { FastifyInstance } from 'fastify';

/** `GET /robots.txt`: no page of this server belongs in a search engine. */
export function registerRobots(app: FastifyInstance): void {
  app.get('/robots.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send('User-agent: *\nDisallow: /\n'),
  );
}
