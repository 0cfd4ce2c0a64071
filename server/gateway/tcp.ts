import { createServer, type Socket } from 'node:net';
import { frameLimits } from '../../domain/frame/frame.ts';
import type { Intake } from '../pipeline/intake.ts';
import { type Listening, listenOn } from '../platform/listen.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { countVisitor } from './answers.ts';
import type { Door } from './mqtt.ts';
import { Presence } from './presence.ts';
import { TcpConnection } from './tcp-connection.ts';

export interface TcpOptions extends Omit<Listening, 'setting'> {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  limits?: Partial<TcpLimits>;
}

export interface TcpLimits {
  connections: number;
  connectionsOfDevice: number;
  lineBytes: number;
  /** Lines of one connection that may wait for their answer before no more is read of it. */
  outstanding: number;
  /** Lines in a row by nobody who is known, after which the connection ends. */
  strangers: number;
  /** How long a connection may be open before a device that is known speaks. */
  helloMs: number;
  /** How long it may be silent after that. */
  idleMs: number;
  /** How long a line may take from its first byte to its end, and an answer until it is taken. */
  slowMs: number;
  /** How long a connection that was ended here may stay open at the other side. */
  lingerMs: number;
}

export const tcpLimits: TcpLimits = {
  connections: 20_000,
  connectionsOfDevice: 4,
  lineBytes: frameLimits.bytes,
  outstanding: 64,
  strangers: 20,
  helloMs: 30_000,
  idleMs: 900_000,
  slowMs: 60_000,
  lingerMs: 5000,
};

/** The TCP door: lines of loggers, each answered by one line, in the order they came. */
export async function startTcp(options: TcpOptions): Promise<Door> {
  const { intake, log, metrics } = options;
  const limits = { ...tcpLimits, ...options.limits };
  const presence = new Presence({ intake, log, mostOfDevice: limits.connectionsOfDevice });
  const open = new Set<TcpConnection>();

  // Half-open, because somebody may end what it sends and still wait for the answer.
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
    async close() {
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      presence.close();
      for (const connection of open) connection.finish();
      await stopped;
    },
  };
}
