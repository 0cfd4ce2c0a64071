import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { nothingHere } from './platform/http.ts';
import { exposition, type Metrics } from './platform/metrics.ts';

/** `GET /metrics`, for whoever knows the token. To anybody else, and where there is none, nothing is there. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const wanted = token === undefined ? undefined : digest(`Bearer ${token}`);
  app.get('/metrics', async (request, reply) => {
    const given = digest(request.headers.authorization ?? '');
    if (!wanted || !timingSafeEqual(given, wanted)) return nothingHere(reply);
    const { rss } = process.memoryUsage();
    const own = `# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes ${rss}\n`;
    reply.header('cache-control', 'no-store').type('text/plain; version=0.0.4; charset=utf-8');
    return exposition(metrics.snapshot()) + own;
  });
}
