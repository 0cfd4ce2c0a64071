/** Connection of this process to an external broker. */
export interface Broker {
  state(): BrokerState;
  /** Finishes the messages in progress and disconnects. The broker keeps all other messages for the next connection. */
  close(): Promise<void>;
}

export interface BrokerState {
  connected: boolean;
  /** True if this process may connect. Always true with AMQP. */
  holder: boolean;
  /** Reason why no messages arrive; undefined if this process or another one receives messages. */
  problem?: string;
}
