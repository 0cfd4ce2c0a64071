/** A decoded frame, independent of its format. */
export interface Frame {
  values: FrameValue[];
  /** Values that were refused, each with its reason. The rest of the frame stays valid. */
  refused: RefusedValue[];
  gsm: { provider?: string; signal?: number };
  /** Commands that the device confirms, with its replies. */
  confirmations: Confirmation[];
}

export interface FrameValue {
  /** Number or name of the channel, as the device sent it. */
  channel: string;
  value: number;
  /** Device time in milliseconds since 1970; undefined if the frame contains no time. */
  time: number | undefined;
}

export interface RefusedValue {
  channel: string;
  because: ValueProblem;
  sentence: string;
}

export interface Confirmation {
  id: number;
  reply: string;
}

export type ValueProblem =
  | 'not-a-number'
  | 'not-finite'
  | 'out-of-range'
  | 'bad-name'
  | 'unknown-alias'
  | 'bad-time'
  | 'bad-signal'
  | 'bad-confirmation';

export type FrameProblem =
  | 'not-text'
  | 'not-json'
  | 'not-pairs'
  | 'not-csv'
  | 'not-sparkplug'
  | 'too-large'
  | 'too-many-values'
  | 'no-values';

export type Decoded = { ok: true; frame: Frame } | { ok: false; because: FrameProblem; sentence: string };

/** Frame format of a sensor. `auto` detects the format from the text. */
export const frameFormats = ['auto', 'json', 'key-value', 'csv'] as const;
export type FrameFormat = (typeof frameFormats)[number];

export const frameLimits = {
  /** Maximum size of one frame in bytes. */
  bytes: 65_536,
  /** Maximum size in bytes of one call of a gateway sensor. */
  batchBytes: 1_048_576,
  /** Maximum number of values in one frame. */
  values: 1000,
  /** Maximum number of frames in one call of a gateway sensor. */
  batchFrames: 1000,
  /** Maximum number of characters in a channel name. */
  name: 200,
  /** Maximum number of characters in the name of a mobile network. */
  provider: 100,
  /** Maximum number of characters in the reply to a command. */
  reply: 4000,
  /** Largest absolute value that can be stored: the maximum of a 32-bit float. */
  value: 3.4028235e38,
} as const;
