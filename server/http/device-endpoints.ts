import type { FastifyInstance } from 'fastify';
import { answerRefusal } from '../auth/errors.ts';
import { type GuardDeps, requirePerson } from '../auth/session/guards.ts';
import type { Config } from '../config.ts';

/** Where devices send to, beside the HTTP door, which is at the console's own address. */
export interface DeviceDoors {
  /** Null where it is not known. Its host is null where it is the one of the console. */
  mqtt: { host: string | null; port: number; tls: boolean } | null;
  tcp: { port: number } | null;
}

/** The ports that were opened here; without them, as where another process has the doors, those that were set. */
export function doorsOf(
  config: Pick<Config, 'mqttUrl' | 'mqttTls' | 'mqttPort' | 'tcpPort'>,
  opened: { mqttPort: number | undefined; tcpPort: number } | undefined,
): DeviceDoors {
  const tcpPort = opened?.tcpPort ?? config.tcpPort.number;
  return { mqtt: mqttDoor(config, opened?.mqttPort), tcp: tcpPort ? { port: tcpPort } : null };
}

function mqttDoor(config: Parameters<typeof doorsOf>[0], opened: number | undefined): DeviceDoors['mqtt'] {
  if (config.mqttUrl) {
    const broker = new URL(config.mqttUrl);
    const tls = broker.protocol === 'mqtts:' || broker.protocol === 'wss:';
    return { host: broker.hostname, port: Number(broker.port) || (tls ? 8883 : 1883), tls };
  }
  const port = opened ?? config.mqttPort.number;
  return port ? { host: null, port, tls: config.mqttTls !== undefined } : null;
}

/** `GET /api/v1/doors`, for signed-in people: a visitor needs no list of open ports. */
export async function registerDeviceDoors(
  app: FastifyInstance,
  deps: GuardDeps & { doors(): DeviceDoors },
): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler(answerRefusal);
    scope.get('/api/v1/doors', { preHandler: requirePerson(deps) }, async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return deps.doors();
    });
  });
}
