export interface BridgeLimits {
  /** Messages that may wait for their commit before no more is read. */
  outstanding: number;
  /** Messages of one device that are tried again when it sends too much at once; more than these are lost. */
  heldOfDevice: number;
  reconnectMs: number;
  mostReconnectMs: number;
  /** A connection that lasts so long is taken for a good one. */
  goodMs: number;
  retryMs: number;
  /** How long the broker keeps what comes while nobody of this name is connected. */
  sessionSeconds: number;
  /** Devices that are remembered, so that a command reaches them before they speak again. */
  devices: number;
  /** Edge nodes of Sparkplug whose births are remembered. */
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
