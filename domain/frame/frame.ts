/** What a device said, taken out of whatever it wrote it in. */
export interface Frame {
  values: FrameValue[];
  /** Values that could be read but not used, each with why. They never spoil the rest of the frame. */
  refused: RefusedValue[];
  gsm: { provider?: string; signal?: number };
  /** Commands the device confirms, with its answer to each. */
  confirmations: Confirmation[];
}

export interface FrameValue {
  /** A channel's number or name, as the device wrote it. */
  channel: string;
  value: number;
  /** Milliseconds since 1970 by the device's clock; undefined where it gave no time. */
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

/** How a sensor writes. `auto` looks at the text itself. */
export const frameFormats = ['auto', 'json', 'key-value', 'csv'] as const;
export type FrameFormat = (typeof frameFormats)[number];

export const frameLimits = {
  /** Bytes of one frame, and of a call that brings many. */
  bytes: 65_536,
  batchBytes: 1_048_576,
  /** Values of one frame, and frames of one call. */
  values: 1000,
  batchFrames: 1000,
  /** Characters of a channel's name, of a network's name and of a reply. */
  name: 200,
  provider: 100,
  reply: 4000,
  /** How far a value may lie from zero: as far as a float of four bytes reaches. Nothing that is measured lies farther. */
  value: 3.4028235e38,
} as const;
