/** A TCP proxy that fails on request: it drops packets, delays them, or resets connections. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface FaultProxy {
  readonly port: number;
  /** The number of open connections. */
  readonly passing: number;
  /**
   * Drops all packets silently, which leaves connections half-open. `existing` affects only connections that are
   * already open, as in a failover. `all` also affects new connections, as in a network failure.
   */
  blackhole(which: 'existing' | 'all'): void;
  /** Delays every packet. */
  delay(milliseconds: number): void;
  /** Ends every open connection with a reset. */
  reset(): void;
  /** Lets new connections pass again. Half-open connections stay half-open. */
  restore(): void;
  stop(): Promise<void>;
}

/** Starts the proxy. `disguise` changes the data from the server, as a connection pooler may do. */
export async function startFaultProxy(
  target: { host: string; port: number },
  disguise = (chunk: Buffer) => chunk,
): Promise<FaultProxy> {
  const open = new Set<Pair>();
  const sockets = new Set<Socket>();
  let acceptInto: 'pass' | 'blackhole' = 'pass';
  let delayMs = 0;

  // Turns off Nagle's algorithm, which would delay small packets until earlier packets are acknowledged.
  const server = createServer({ noDelay: true }, (client) => {
    const pair: Pair = { client, upstream: connect({ ...target, noDelay: true }), black: acceptInto === 'blackhole' };
    open.add(pair);
    for (const socket of [pair.client, pair.upstream]) sockets.add(socket.on('close', () => sockets.delete(socket)));
    relay(pair, pair.client, pair.upstream);
    relay(pair, pair.upstream, pair.client);
  });

  /** Forwards data and the end of the stream, unless the pair of connections is half-open. */
  function relay(pair: Pair, from: Socket, to: Socket): void {
    const later = (work: () => void) => {
      if (pair.black) return;
      if (delayMs === 0) work();
      else setTimeout(() => pair.black || work(), delayMs);
    };
    from.on('data', (chunk) => later(() => void to.write(from === pair.upstream ? disguise(chunk) : chunk)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => {});
    from.on('close', () => {
      open.delete(pair);
      later(() => to.destroy());
    });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get passing() {
      return [...open].filter(({ black }) => !black).length;
    },
    blackhole(which) {
      for (const pair of open) pair.black = true;
      if (which === 'all') acceptInto = 'blackhole';
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    reset() {
      for (const { client, upstream } of open) {
        client.resetAndDestroy();
        upstream.destroy();
      }
    },
    restore() {
      acceptInto = 'pass';
      delayMs = 0;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface Pair {
  client: Socket;
  upstream: Socket;
  black: boolean;
}
