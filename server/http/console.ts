import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../platform/http.ts';
import { StartError } from '../platform/start-error.ts';

/**
 * Serves the built console. Browsers cache files with a hash in their name forever and revalidate all others. For any
 * other path, the server returns the console's page, which does its own routing.
 */
export async function registerConsole(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(`${folder}/index.html`)) throw new StartError('The console is not built. Run npm run build once.');
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      reply.header('cache-control', /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|graphql|assets)(\/|$)/.test(pathname);
    if (!isPage) return notFound(reply);
    return reply.header('cache-control', 'no-cache').sendFile('index.html');
  });
}
