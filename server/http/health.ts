import type { FastifyInstance } from 'fastify';
import type { Database } from '../platform/database.ts';

/**
 * Common health check paths, which answer 404. Otherwise they would return the console's page with status 200, which
 * looks healthy.
 */
const otherHealthPaths = [
  ...['/health', '/health-check', '/healthcheck', '/live', '/livez', '/liveness', '/ping', '/ready', '/readyz'],
  ...['/readiness', '/status', '/-/healthy', '/-/ready', '/actuator/health', '/api/health'],
];

/** Registers `GET /healthz`: status 200 if the server is healthy, otherwise 503 with the reason. */
export function registerHealth(app: FastifyInstance, db: Database, version: string): void {
  app.get('/healthz', async (_request, reply) => {
    const database = await db.check();
    reply.header('cache-control', 'no-store');
    if (database.ok) return { status: 'ok', version, database: db.kind };
    return reply.code(503).send({ status: 'failing', version, database: db.kind, problem: database.problem });
  });
  for (const path of otherHealthPaths) {
    app.get(path, (_request, reply) =>
      reply
        .code(404)
        .header('cache-control', 'no-store')
        .send({ errorMessage: 'There is nothing at this address. The health check is at /healthz.' }),
    );
  }
}
