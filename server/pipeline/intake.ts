import type { FrameFormat, FrameProblem, RefusedValue, ValueProblem } from '../../domain/frame/frame.ts';

export type Protocol = 'http' | 'mqtt' | 'tcp';

/** Device after identification by `Intake`. */
export interface Device {
  sensorUuid: string;
  customerUuid: string;
  uid: string;
}

/**
 * Reason why a device or its frame was refused. Each protocol maps `because` to its own status and sends `sentence` to
 * the device.
 */
export interface Refusal {
  ok: false;
  because: RefusalName;
  sentence: string;
  /** Time after which the device can send again, in milliseconds. */
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

/** Refused value that is unreadable, has an unknown channel, or is older than the retention time. */
export interface NotTaken extends Omit<RefusedValue, 'because'> {
  because: ValueProblem | 'unknown-channel' | 'too-old';
}

/** Client whose connection was refused: the identified sensor, or the uid and token that the client sent. */
export interface Who {
  sensorUuid?: string;
  uid?: string;
  token?: string;
}

/** A refused connection, or a frame that was not stored. */
export interface Rejection {
  protocol: Protocol;
  because: string;
  sentence: string;
}

export interface Command {
  id: number;
  text: string;
}

/**
 * Response to an accepted frame. The frame is in the sensor log, its valid values are stored, and the transaction is
 * committed.
 */
export interface Taken {
  ok: true;
  /** Number of values stored with this frame. */
  accepted: number;
  /** Number of values that were already stored for the same channel and device time. */
  duplicates: number;
  refused: NotTaken[];
  /** Notes about the frame, for example that server time was used because the device's clock runs ahead. */
  notes: string[];
  /** Queued commands for the device. They are marked as sent with this response. */
  commands: Command[];
}

export type Answer = Taken | Refusal;

export interface Delivery {
  protocol: Protocol;
  body: Uint8Array;
  /** Format that the protocol specifies, such as a content type. The sensor's own setting takes precedence. */
  format?: FrameFormat;
  /** Maximum number of commands that fit into the response. */
  commands?: number;
  /** Notes from the protocol for the sensor log. */
  notes?: string[];
  /** False for a message about the device's disconnection. Such a message does not count as contact. */
  contact?: boolean;
  /** True for a frame from a broker, which can deliver the frames of a long outage at once. */
  queuedByBroker?: boolean;
}

/** Response to a call with several frames. It has one result for each frame, in the same order. */
export interface BatchTaken {
  ok: true;
  accepted: number;
  duplicates: number;
  results: ({ uid: string } & Answer)[];
  commands: (Command & { uid: string })[];
}

/**
 * Entry point for all protocols. Responses are returned after the commit. No reading of a refused frame is stored. The
 * sensor log keeps a frame that cannot be decoded (FrameProblem).
 */
export interface Intake {
  /** Identifies a device before it sends a frame, for a new connection or from the headers of an HTTP call. */
  identify(uid: string, token: string): Promise<({ ok: true } & Device) | Refusal>;
  /** Identifies a gateway sensor by its token, for HTTP calls whose URL contains no uid. */
  identifyByToken(token: string): Promise<({ ok: true } & Device) | Refusal>;
  /** Identifies a device that a trusted broker has authenticated. Refuses a uid that several customers use. */
  identifyByUid(uid: string): Promise<({ ok: true } & Device) | Refusal>;
  receive(device: Device, delivery: Delivery): Promise<Answer>;
  /**
   * Receives several frames of one device and stores them in the given order. If one of them must be sent again, no
   * later frame is stored, and all later frames get the same refusal.
   */
  receiveInOrder(device: Device, deliveries: readonly Delivery[]): Promise<Answer[]>;
  /**
   * Receives a frame that the sender sends for itself or for a sensor assigned to it. Uses the first of `uids` for
   * which the sender is allowed to send. The sensor log stores the frame under that uid, or under the sender's uid if
   * none is allowed. Set the format and check the size before the call, because the stored text may be larger than the
   * received bytes.
   */
  receiveFor(sender: Device, uids: readonly string[], delivery: Delivery): Promise<Answer>;
  /** Returns the sensor that `receiveFor` would choose for these uids; undefined if there is none. */
  deviceBehind(sender: Device, uids: readonly string[]): Promise<Device | undefined>;
  /** Receives a call in which a gateway sensor sends its own frames and those of the sensors assigned to it. */
  receiveBatch(gateway: Device, delivery: Delivery): Promise<BatchTaken | Refusal>;
  /**
   * Returns the queued commands of a connected device and marks them as sent. For protocols in which the server can
   * send at any time.
   */
  takeCommands(device: Device): Promise<Command[]>;
  /**
   * Records a refused connection in the sensor log, at most once a minute for each sensor and reason. Does nothing if
   * the client matches no sensor.
   */
  noteRejection(who: Who, visit: Rejection): void;
  /**
   * Calls `listener` when a sensor is disabled, its token is revoked, or a command for it is queued. Returns a function
   * that removes the listener.
   */
  onDeviceChange(listener: (sensorUuid: string) => void): () => void;
}
