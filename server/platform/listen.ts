import type { AddressInfo, Server } from 'node:net';
import type { Log } from './log.ts';
import { StartError } from './start-error.ts';

export interface Port {
  number: number;
  /**
   * True if the administrator set the port. If a fixed port is in use, the start fails; otherwise the next ports are
   * tried.
   */
  fixed: boolean;
}

export interface Listening {
  port: Port;
  host: string;
  /** Name of the setting for the port, used in error messages. */
  setting: string;
  log: Log;
}

const PORTS_TRIED = 50;

/** Listens on the port, or on the next free port if the port is not fixed. Returns the number of the port. */
export async function takePort(
  { port: { number, fixed }, host, setting, log }: Listening,
  listen: (port: number, host: string) => Promise<number>,
): Promise<number> {
  for (let port = number; ; port += 1) {
    try {
      const actual = await listen(port, host);
      if (actual !== number && number !== 0) log.info(`port ${number} is in use, so ${setting} is ${actual}`);
      return actual;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES')
        throw new StartError(
          `This process is not allowed to listen on port ${port}. Set ${setting} to a port above 1023.`,
        );
      if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
        throw new StartError(`This machine has no address ${host}. Correct TOCSIN_HOST or TOCSIN_DEVICE_HOST.`);
      if (code !== 'EADDRINUSE') throw error;
      if (fixed)
        throw new StartError(
          `Port ${port} is in use. Stop the program that uses it, or set ${setting} to another port.`,
        );
      if (port >= number + PORTS_TRIED)
        throw new StartError(`No port from ${number} to ${port} is free. Set ${setting} to a free port.`);
    }
  }
}

export function listenOn(server: Server, listening: Listening): Promise<number> {
  return takePort(
    listening,
    (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host }, () => {
          server.off('error', reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
  );
}
