import type { FastifyInstance } from 'fastify';
import type { Readiness } from '../process/readiness.ts';
import type { ProcessState } from '../process/record.ts';

/**
 * Common paths of health checks, which return 404. Otherwise they would return the console's page with status 200,
 * which looks healthy.
 */
const otherHealthPaths = [
  ...['/health', '/health-check', '/healthcheck', '/live', '/livez', '/liveness', '/ping', '/ready'],
  ...['/readiness', '/status', '/-/healthy', '/-/ready', '/actuator/health', '/api/health'],
];

interface HealthParts {
  version: string;
  readiness: Readiness;
  /** Returns whether the process is starting, ready or draining. */
  state(): ProcessState;
}

/**
 * Registers `GET /healthz` and `GET /readyz`. `/healthz` responds while the process is alive. `/readyz` returns the
 * result of each check, with status 200 if the process can do its work, otherwise 503. `?exclude=broker` ignores the
 * broker's check, for a balancer that should keep sending requests while the broker fails.
 */
export function registerHealth(app: FastifyInstance, { version, readiness, state }: HealthParts): void {
  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok', version }));
  app.get<{ Querystring: { exclude?: string | string[] } }>('/readyz', async (request, reply) => {
    const excluded = [request.query.exclude ?? []].flat();
    const checks = (await readiness.check()).filter(({ name }) => !excluded.includes(name));
    const isReady = state() === 'ready' && checks.every(({ ok, isRequired }) => ok || !isRequired);
    const status = isReady ? 'ready' : state() === 'ready' ? 'failing' : state();
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, version, checks });
  });
  for (const path of otherHealthPaths) {
    app.get(path, (_request, reply) =>
      reply
        .code(404)
        .header('cache-control', 'no-store')
        .send({ errorMessage: 'There is nothing at this address. The health checks are at /healthz and /readyz.' }),
    );
  }
}
