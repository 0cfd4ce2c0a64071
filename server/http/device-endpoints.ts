import type { FastifyInstance } from 'fastify';
import { answerRefusal } from '../auth/errors.ts';
import { type GuardDeps, requirePerson } from '../auth/session/guards.ts';
import type { Config } from '../config.ts';

/** Ports for MQTT and TCP. HTTP uses the console's address. */
export interface DeviceEndpoints {
  /** Where devices reach the MQTT broker; null if unknown. A null `host` means the console's host. */
  mqtt: { host: string | null; port: number; tls: boolean } | null;
  tcp: { port: number } | null;
}

/** Returns the ports that this process has opened. If another process is the gateway, returns the configured ports. */
export function deviceEndpoints(
  config: Pick<Config, 'mqttUrl' | 'amqpUrl' | 'mqttTls' | 'mqttPort' | 'tcpPort'>,
  opened: { mqttPort: number | undefined; tcpPort: number } | undefined,
): DeviceEndpoints {
  const tcpPort = opened?.tcpPort ?? config.tcpPort.number;
  return { mqtt: mqttEndpoint(config, opened?.mqttPort), tcp: tcpPort ? { port: tcpPort } : null };
}

function mqttEndpoint(
  config: Parameters<typeof deviceEndpoints>[0],
  opened: number | undefined,
): DeviceEndpoints['mqtt'] {
  if (config.mqttUrl) {
    const broker = new URL(config.mqttUrl);
    const tls = broker.protocol === 'mqtts:' || broker.protocol === 'wss:';
    return { host: broker.hostname, port: Number(broker.port) || (tls ? 8883 : 1883), tls };
  }
  if (config.amqpUrl) {
    // The URL contains only the AMQP port, so the MQTT listener is assumed to use the default port.
    const broker = new URL(config.amqpUrl.split(',')[0] as string);
    const tls = broker.protocol === 'amqps:';
    return { host: broker.hostname, port: tls ? 8883 : 1883, tls };
  }
  const port = opened ?? config.mqttPort.number;
  return port ? { host: null, port, tls: config.mqttTls !== undefined } : null;
}

/** Registers `GET /api/v1/device-endpoints`. It requires a session, so that visitors cannot list the open ports. */
export async function registerDeviceEndpoints(
  app: FastifyInstance,
  deps: GuardDeps & { endpoints(): DeviceEndpoints },
): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler(answerRefusal);
    scope.get('/api/v1/device-endpoints', { preHandler: requirePerson(deps) }, async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return deps.endpoints();
    });
  });
}
