import { createServer, type Socket } from 'node:net';
import type { Intake } from '../pipeline/intake.ts';
import { type Listening, listenOn } from '../platform/listen.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { countVisitor } from './answers.ts';
import type { Listener } from './mqtt.ts';
import { Presence } from './presence.ts';
import { TcpConnection } from './tcp-connection.ts';
import { type TcpLimits, tcpLimits } from './tcp-limits.ts';

export interface TcpOptions extends Omit<Listening, 'setting'> {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  limits?: Partial<TcpLimits>;
}

/** Accepts device connections over TCP. Each line is a frame and gets one response line, in the same order. */
export async function startTcp(options: TcpOptions): Promise<Listener> {
  const { intake, log, metrics } = options;
  const limits = { ...tcpLimits, ...options.limits };
  const presence = new Presence({ intake, log, mostOfDevice: limits.connectionsOfDevice });
  const open = new Set<TcpConnection>();

  // Allows half-open connections, because a device can close its side and still wait for the response.
  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 });
  server.on('connection', (socket: Socket) => {
    const connection = new TcpConnection(socket, { intake, log, metrics, presence, limits });
    open.add(connection);
    socket.once('close', () => open.delete(connection));
  });
  server.maxConnections = limits.connections;
  server.on('drop', () => countVisitor(metrics, 'tcp', 'too-many'));
  const port = await listenOn(server, { ...options, setting: 'TCP_PORT' });
  server.on('error', (error) => log.error('the TCP port failed', { error }));

  return {
    port,
    connections: () => open.size,
    async close() {
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      presence.close();
      for (const connection of open) connection.finish();
      await stopped;
    },
  };
}
