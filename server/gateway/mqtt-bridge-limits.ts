export interface BridgeLimits {
  /** Messages that may wait for their commit before reading pauses. */
  outstanding: number;
  /**
   * Maximum number of messages of one device that are retried when it exceeds its rate. Further messages are dropped.
   */
  heldOfDevice: number;
  reconnectMs: number;
  mostReconnectMs: number;
  /** A connection that lasts this long counts as stable. */
  goodMs: number;
  retryMs: number;
  /** Time for which the broker keeps messages while this client is disconnected. */
  sessionSeconds: number;
  /** Number of devices that can receive a command before their next frame. */
  devices: number;
  /** Number of Sparkplug edge nodes whose births are kept. */
  nodes: number;
}

export const bridgeLimits: BridgeLimits = {
  outstanding: 1000,
  heldOfDevice: 20,
  reconnectMs: 1000,
  mostReconnectMs: 30_000,
  goodMs: 10_000,
  retryMs: 1000,
  sessionSeconds: 86_400,
  devices: 100_000,
  nodes: 5000,
};
