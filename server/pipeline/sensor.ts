import type { FrameFormat } from '../../domain/frame/frame.ts';
import type { ChannelDatapoint, Watch } from '../rule/watch.ts';

/** What a process remembers of a sensor. An entry is never changed by configuration, only replaced by a newer one. */
export interface Sensor {
  uuid: string;
  customerUuid: string;
  uid: string;
  /** 0 disabled, 1 active, 2 maintenance. */
  status: number;
  customerActive: boolean;
  /** The customer's. */
  timeZone: string;
  format: FrameFormat;
  gatewayUuid: string | undefined;
  /** By the hash of the token, as base64. */
  tokens: Map<string, { revokedAt: Date | undefined }>;
  /** By number, by name and by name in small letters. */
  channels: Map<string, Channel>;
  sites: Site[];
  commands: WaitingCommand[];
  /** By the clock, and by one that only counts, in milliseconds. */
  loadedAt: { wall: number; count: number };
}

export interface Channel {
  key: number;
  sensorUuid: string;
  factor: number;
  offset: number;
  decimals: number | undefined;
  /** Whether values are stored as they come. */
  plain: boolean;
  datapoints: ChannelDatapoint[];
  /** What judges its readings. */
  watches: readonly Watch[];
  latest: Latest;
}

/** The newest reading of a channel, kept while the process lives, whatever happens to the entry around it. */
export interface Latest {
  /** Undefined until it was looked up, null when there is none. */
  time: number | null | undefined;
  value: number;
  /** What of it was last written beside the value. */
  shown: string;
  /** The newest time in the batch under way, so that a second reading of one moment is noticed. */
  inBatch: number;
  /** The last time that the server gave to a value without one. */
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
