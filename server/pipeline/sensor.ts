import type { FrameFormat } from '../../domain/frame/frame.ts';
import type { ChannelDatapoint, Watch } from '../rule/watch.ts';

/** A cached sensor. A change of its configuration replaces the whole entry. */
export interface Sensor {
  uuid: string;
  customerUuid: string;
  uid: string;
  /** 0: disabled, 1: active, 2: maintenance. */
  status: number;
  /**
   * Shard of this sensor. Every batch with a frame of the sensor locks the shard, so that no other process takes over
   * the sensor during the batch (takeover.ts).
   */
  shard: number;
  customerActive: boolean;
  /** Time zone of the customer. */
  timeZone: string;
  format: FrameFormat;
  gatewayUuid: string | undefined;
  /** Tokens, keyed by their hash in base64. */
  tokens: Map<string, { revokedAt: Date | undefined }>;
  /** Channels, keyed by number, by name and by lower-case name. */
  channels: Map<string, Channel>;
  sites: Site[];
  commands: WaitingCommand[];
  /** Product time and monotonic time at which the sensor was loaded, in milliseconds. */
  loadedAt: { wall: number; count: number };
}

export interface Channel {
  key: number;
  sensorUuid: string;
  factor: number;
  offset: number;
  decimals: number | undefined;
  /** True if values are stored without scaling. */
  plain: boolean;
  datapoints: ChannelDatapoint[];
  /** Rules that evaluate the channel's readings. */
  watches: readonly Watch[];
  latest: Latest;
}

/**
 * The newest reading of a channel. It is kept when the sensor's cache entry is replaced, and forgotten when another
 * process takes over the sensor.
 */
export interface Latest {
  /** Device time of the reading; undefined before it is loaded, null if the channel has no reading. */
  time: number | null | undefined;
  value: number;
  /** Return value of `stateOf` at the time when the data points were last written. */
  shown: string;
  /** Newest time in the current batch, which helps to detect a second reading with the same time. */
  inBatch: number;
  /**
   * Newest time of the channel that is at most NEAR_NOW_MS ahead of now. The next value without a device time gets a
   * later time.
   */
  given: number;
}

export interface Site {
  uuid: string;
  customerUuid: string;
  healthHours: number;
}

export interface WaitingCommand {
  id: number;
  text: string;
  sentAt: number | undefined;
  expiresAt: number;
}
