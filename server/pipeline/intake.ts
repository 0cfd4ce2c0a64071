import type { FrameFormat, FrameProblem, RefusedValue, ValueProblem } from '../../domain/frame/frame.ts';

export type Protocol = 'http' | 'mqtt' | 'tcp';

/** An identified device. */
export interface Device {
  sensorUuid: string;
  customerUuid: string;
  uid: string;
}

/** Why a device or its frame was refused. Each protocol maps `because` to its own status and passes `sentence` on. */
export interface Refusal {
  ok: false;
  because: RefusalName;
  sentence: string;
  /** Time after which the device can try again. */
  retryAfterMs?: number;
}

export type RefusalName =
  | 'unknown-uid'
  | 'wrong-token'
  | 'revoked-token'
  | 'disabled'
  | 'ambiguous-uid'
  | 'foreign-uid'
  | 'no-frames'
  | 'no-uid'
  | 'too-large'
  | 'empty'
  | 'too-many-frames'
  | 'flood'
  | 'busy'
  | 'unavailable'
  | FrameProblem;

/** A refused value: unreadable, of an unknown channel, or older than the retention. */
export interface NotTaken extends Omit<RefusedValue, 'because'> {
  because: ValueProblem | 'unknown-channel' | 'too-old';
}

/** The sender of a refused connection: the identified sensor, or the uid and token that the client sent. */
export interface Who {
  sensorUuid?: string;
  uid?: string;
  token?: string;
}

/** A refused connection, or a frame that was not kept. */
export interface Rejection {
  protocol: Protocol;
  because: string;
  sentence: string;
}

export interface Command {
  id: number;
  text: string;
}

/** The frame is in the sensor log and its valid values are stored; all of it is committed. */
export interface Taken {
  ok: true;
  /** Values stored now. */
  accepted: number;
  /** Values already stored, by channel and device time. */
  duplicates: number;
  refused: NotTaken[];
  /** Corrections, such as server time in place of a device clock that runs ahead. */
  notes: string[];
  /** Queued commands for the device. They count as sent with this answer. */
  commands: Command[];
}

export type Answer = Taken | Refusal;

export interface Delivery {
  protocol: Protocol;
  body: Uint8Array;
  /** Format by the protocol, such as a content type. The sensor's own setting has precedence. */
  format?: FrameFormat;
  /** Maximum number of commands that fit into the answer. */
  commands?: number;
  /** Notes of the protocol for the sensor log. */
  notes?: string[];
  /** False for a message that the device disconnected, which does not count as contact. */
  contact?: boolean;
}

/** Answer to a call with several frames, one result each in the same order. */
export interface BatchTaken {
  ok: true;
  accepted: number;
  duplicates: number;
  results: ({ uid: string } & Answer)[];
  commands: (Command & { uid: string })[];
}

/**
 * Entry point for all protocols. An answer comes after the commit. If a refusal says that nothing was kept, nothing is stored.
 * A frame refused with a FrameProblem could not be decoded and IS kept in the sensor log.
 */
export interface Intake {
  /** Identifies a device without a frame, for a new connection or the header of a call. */
  identify(uid: string, token: string): Promise<({ ok: true } & Device) | Refusal>;
  /** Identifies a gateway sensor by its token, for calls without a uid in the address. */
  identifyByToken(token: string): Promise<({ ok: true } & Device) | Refusal>;
  /** Identifies a device whose broker has authenticated it, if only one customer has the uid. */
  identifyByUid(uid: string): Promise<({ ok: true } & Device) | Refusal>;
  receive(device: Device, delivery: Delivery): Promise<Answer>;
  /**
   * Receives a frame for the sender or for a sensor behind it: the first of these uids that it may send for. The log keeps it
   * under that sensor's uid, or under the sender's if there is none. The caller gives the format and has checked the size,
   * because the kept text may be larger than the received bytes.
   */
  receiveFor(sender: Device, uids: readonly string[], delivery: Delivery): Promise<Answer>;
  /** The sensor that `receiveFor` would choose for these uids. */
  deviceBehind(sender: Device, uids: readonly string[]): Promise<Device | undefined>;
  /** Receives the call of a gateway sensor with frames of itself and the sensors behind it. */
  receiveBatch(gateway: Device, delivery: Delivery): Promise<BatchTaken | Refusal>;
  /**
   * Queued commands of a connected device, for protocols in which the server can send at any time. They count as sent when
   * this resolves.
   */
  takeCommands(device: Device): Promise<Command[]>;
  /**
   * Notes a refused connection in the sensor log. Writes each sensor and reason at most once a minute, and nothing if no
   * sensor is known.
   */
  noteRejection(who: Who, visit: Rejection): void;
  /** Calls `listener` when a command of a sensor is queued, its token is revoked or it is disabled. */
  onDeviceChange(listener: (sensorUuid: string) => void): () => void;
}
