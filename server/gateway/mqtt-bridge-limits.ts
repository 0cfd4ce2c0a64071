export interface BridgeLimits {
  /** Maximum number of messages that wait for their commit before reading pauses. */
  outstanding: number;
  /** Maximum number of messages that are retried for one device that exceeds its rate. Further messages are dropped. */
  heldOfDevice: number;
  reconnectMs: number;
  mostReconnectMs: number;
  /** Duration after which a connection counts as stable. */
  goodMs: number;
  retryMs: number;
  /** Time for which the broker keeps messages while this client is disconnected. */
  sessionSeconds: number;
  /** Maximum number of devices to which a command can be sent before their next frame. */
  devices: number;
  /** Maximum number of Sparkplug edge nodes whose births are kept. */
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
