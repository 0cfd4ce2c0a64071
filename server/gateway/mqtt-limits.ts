import { frameLimits } from '../../domain/frame/frame.ts';

export interface MqttLimits {
  connections: number;
  connectionsOfDevice: number;
  /** Messages of one connection that may wait for their commit before no more is read of it. */
  outstanding: number;
  /** Bytes of the packet that signs in, and of every later one. What is larger ends the connection. */
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
