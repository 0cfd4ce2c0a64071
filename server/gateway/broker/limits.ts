/** Limits for both kinds of external broker, MQTT and AMQP. */
export interface BrokerLimits {
  /** Maximum number of waiting messages for a device that exceeds its rate. Further messages are dropped. */
  heldOfDevice: number;
  retryMs: number;
  /**
   * Delay before the first attempt to reconnect. After each failed attempt, the delay doubles, up to `mostReconnectMs`.
   */
  reconnectMs: number;
  mostReconnectMs: number;
  /** Maximum number of remembered devices. A remembered device gets commands without waiting for its next frame. */
  devices: number;
}

export interface BridgeLimits extends BrokerLimits {
  /** Maximum number of messages that wait for their commit. When it is reached, reading pauses. */
  outstanding: number;
  /** Duration after which a connection counts as stable. */
  goodMs: number;
  /** Time for which the broker keeps messages while no process is connected. */
  sessionSeconds: number;
  /** Maximum number of Sparkplug edge nodes whose birth messages are kept. */
  nodes: number;
}

export interface AmqpLimits extends BrokerLimits {
  /** Maximum number of messages per queue that are waiting for their commit. */
  prefetch: number;
  heartbeatSeconds: number;
  /** Maximum time for connecting to a node. */
  connectMs: number;
}

export const brokerLimits: BrokerLimits = {
  // Maximum number of waiting messages for one device: half of the bridge's `outstanding`, so that one device cannot
  // use up the whole limit.
  heldOfDevice: 500,
  retryMs: 1000,
  reconnectMs: 1000,
  mostReconnectMs: 5000,
  devices: 100_000,
};

export const bridgeLimits: BridgeLimits = {
  ...brokerLimits,
  outstanding: 1000,
  goodMs: 10_000,
  sessionSeconds: 7 * 86_400,
  nodes: 5000,
};

export const amqpLimits: AmqpLimits = {
  ...brokerLimits,
  prefetch: 250,
  heldOfDevice: 125,
  heartbeatSeconds: 10,
  connectMs: 5000,
};
