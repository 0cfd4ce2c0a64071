import { frameLimits } from '../../domain/frame/frame.ts';

export interface TcpLimits {
  connections: number;
  connectionsOfDevice: number;
  lineBytes: number;
  /** Maximum number of lines per connection that wait for their response. When it is reached, reading pauses. */
  outstanding: number;
  /** Maximum number of consecutive lines from unknown devices before the connection closes. */
  unidentifiedLines: number;
  /** Time within which a new connection must send a line that identifies a known device. */
  helloMs: number;
  /** Idle time limit of a connection whose device is known. */
  idleMs: number;
  /** Time limit for receiving a complete line, and for the device to read a response. */
  slowMs: number;
  /** After the server has closed its side of the connection, the device must close its own side within this time. */
  lingerMs: number;
}

export const tcpLimits: TcpLimits = {
  connections: 20_000,
  connectionsOfDevice: 4,
  lineBytes: frameLimits.bytes,
  outstanding: 64,
  unidentifiedLines: 20,
  helloMs: 30_000,
  idleMs: 900_000,
  slowMs: 60_000,
  lingerMs: 5000,
};
