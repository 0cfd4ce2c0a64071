import type { FastifyInstance } from 'fastify';

/** Registers `GET /robots.txt`, which keeps all pages out of search engines. */
export function registerRobots(app: FastifyInstance): void {
  app.get('/robots.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send('User-agent: *\nDisallow: /\n'),
  );
}
