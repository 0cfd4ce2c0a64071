import { frameLimits } from '../../domain/frame/frame.ts';

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
