import type { FastifyInstance } from 'fastify';
import type { Database } from './platform/database.ts';

/** `GET /healthz`: 200 when it can serve, 503 with what is wrong otherwise. */
export function registerHealth(app: FastifyInstance, db: Database, version: string): void {
  app.get('/healthz', async (_request, reply) => {
    const database = await db.check();
    reply.header('cache-control', 'no-store');
    if (database.ok) return { status: 'ok', version, database: db.kind };
    return reply.code(503).send({ status: 'failing', version, database: db.kind, problem: database.problem });
  });
}
