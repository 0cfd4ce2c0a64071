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
   * Shard that every batch with a frame of this sensor locks, so that no other process takes over the sensor in the
   * meantime (takeover.ts).
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
 * process takes the sensor over.
 */
export interface Latest {
  /** Device time; undefined before it is loaded, null if the channel has no reading. */
  time: number | null | undefined;
  value: number;
  /** Result of `stateOf` when the data points were last written. */
  shown: string;
  /** Newest time in the current batch, which helps to detect a second reading with the same time. */
  inBatch: number;
  /** Newest time that is at most NEAR_NOW_MS ahead of now. The next value without a device time gets a later time. */
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
