import type { FrameFormat } from '../../domain/frame/frame.ts';
import type { ChannelDatapoint, Watch } from '../rule/watch.ts';

/** Cached sensor. A change of configuration replaces the entry; it never modifies it. */
export interface Sensor {
  uuid: string;
  customerUuid: string;
  uid: string;
  /** 0 disabled, 1 active, 2 maintenance. */
  status: number;
  customerActive: boolean;
  /** Time zone of the customer. */
  timeZone: string;
  format: FrameFormat;
  gatewayUuid: string | undefined;
  /** Key: hash of the token, as base64. */
  tokens: Map<string, { revokedAt: Date | undefined }>;
  /** Keys: number, name and lower-case name. */
  channels: Map<string, Channel>;
  sites: Site[];
  commands: WaitingCommand[];
  /** Product time and monotonic time of the load, in milliseconds. */
  loadedAt: { wall: number; count: number };
}

export interface Channel {
  key: number;
  sensorUuid: string;
  factor: number;
  offset: number;
  decimals: number | undefined;
  /** Whether values are stored without scaling. */
  plain: boolean;
  datapoints: ChannelDatapoint[];
  /** Rules that evaluate its readings. */
  watches: readonly Watch[];
  latest: Latest;
}

/** The newest reading of a channel. It outlives the cache entry. */
export interface Latest {
  /** Device time; undefined before it is loaded, null if the channel has no reading. */
  time: number | null | undefined;
  value: number;
  /** Result of `stateOf` for the last write. */
  shown: string;
  /** Newest time in the running batch, to detect a second reading of the same time. */
  inBatch: number;
  /** Last server time assigned to a value that had no device time. */
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
