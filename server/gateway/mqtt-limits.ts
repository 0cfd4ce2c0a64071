import { frameLimits } from '../../domain/frame/frame.ts';

export interface MqttLimits {
  connections: number;
  connectionsOfDevice: number;
  /** Maximum number of messages per connection that wait for their commit. When it is reached, reading pauses. */
  outstanding: number;
  /** Maximum sizes of the CONNECT packet and of later packets. A larger packet ends the connection. */
  connectBytes: number;
  packetBytes: number;
  connectTimeoutMs: number;
  closeTimeoutMs: number;
}

export const mqttLimits: MqttLimits = {
  connections: 20_000,
  connectionsOfDevice: 4,
  outstanding: 256,
  connectBytes: 8192,
  packetBytes: frameLimits.batchBytes,
  connectTimeoutMs: 10_000,
  closeTimeoutMs: 5000,
};
