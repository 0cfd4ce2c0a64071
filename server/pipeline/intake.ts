import type { FrameFormat, FrameProblem, RefusedValue, ValueProblem } from '../../domain/frame/frame.ts';

/** The ways a frame comes in. */
export type Protocol = 'http' | 'mqtt' | 'tcp';

/** A device that has shown who it is. */
export interface Device {
  sensorUuid: string;
  customerUuid: string;
  uid: string;
}

/** Why a device or its frame was not taken. Doors turn the name into their own kind of answer and pass the sentence on. */
export interface Refusal {
  ok: false;
  because: RefusalName;
  sentence: string;
  /** When it is worth trying again. */
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

/** A value that was not taken: unreadable, of a channel the sensor does not have, or of a time nothing is kept of. */
export interface NotTaken extends Omit<RefusedValue, 'because'> {
  because: ValueProblem | 'unknown-channel' | 'too-old';
}

/** Who a visit was about, as far as it is known: a device that signed in, or what somebody said at the door. */
export interface Who {
  sensorUuid?: string;
  uid?: string;
  token?: string;
}

/** Somebody who was not let in, or whose frame was not kept. */
export interface TurnedAway {
  door: Protocol;
  because: string;
  sentence: string;
}

export interface Command {
  id: number;
  text: string;
}

/** The frame is in the log, and what could be used of it is stored. Nothing of this is lost by a crash. */
export interface Taken {
  ok: true;
  /** Values stored now. */
  accepted: number;
  /** Values that were there already, by channel and device time: sending them again changes nothing. */
  duplicates: number;
  refused: NotTaken[];
  /** What was taken otherwise than it was said, such as the time of a clock that runs ahead. */
  notes: string[];
  /** What waits for the device. They count as sent when this answer is given. */
  commands: Command[];
}

export type Answer = Taken | Refusal;

export interface Delivery {
  door: Protocol;
  body: Uint8Array;
  /** What the way in says about how the body is written, such as a content type. The sensor's own setting wins. */
  format?: FrameFormat;
  /** How many commands the answer has room for. */
  commands?: number;
  /** What the door knows about it that a person should read beside it in the log. */
  notes?: string[];
  /** False where somebody says that the device went away, which is no sign of life. */
  contact?: boolean;
}

/** Several frames in one call, answered one by one in the same order. */
export interface BatchTaken {
  ok: true;
  accepted: number;
  duplicates: number;
  results: ({ uid: string } & Answer)[];
  commands: (Command & { uid: string })[];
}

/**
 * Where every door ends. An answer is given only when everything it says is durable; a refusal that says nothing was kept
 * means it. `because` of a frame that could not be decoded is one of FrameProblem: that frame IS kept in the log.
 */
export interface Intake {
  /** Checks who is there, without a frame: a connection that is opened, or a call's header. */
  identify(uid: string, token: string): Promise<({ ok: true } & Device) | Refusal>;
  /** The gateway a token belongs to, for calls whose address names nobody. */
  identifyByToken(token: string): Promise<({ ok: true } & Device) | Refusal>;
  /** Who sends through a broker that has checked it already: known by uid alone, where only one customer has it. */
  identifyByUid(uid: string): Promise<({ ok: true } & Device) | Refusal>;
  receive(device: Device, delivery: Delivery): Promise<Answer>;
  /**
   * A frame that a device brings for itself or for one sensor that names it as its gateway: the first of these uids that it
   * may speak for. It is kept under that sensor's uid, or under the sender's where there is none. The door says how it is
   * written, and has looked at its size: what is kept of it may be larger than what came.
   */
  receiveFor(sender: Device, uids: readonly string[], delivery: Delivery): Promise<Answer>;
  /** The sensor that `receiveFor` takes a frame of these uids for, if there is one. */
  deviceBehind(sender: Device, uids: readonly string[]): Promise<Device | undefined>;
  /** A gateway's call for itself and the sensors that name it as theirs. */
  receiveBatch(gateway: Device, delivery: Delivery): Promise<BatchTaken | Refusal>;
  /**
   * Commands that wait for a device that is connected now, so that a door that can speak first sends them. They count as
   * sent when this resolves.
   */
  takeCommands(device: Device): Promise<Command[]>;
  /**
   * Notes in the log of the sensor that a device was turned away, for people to read. It may come as often as it likes: a
   * sensor and a reason are written once a minute, and what names no sensor is not.
   */
  turnedAway(who: Who, visit: TurnedAway): void;
  /** Calls back when something about a sensor changed: a command was queued, its token was revoked, it was disabled. */
  onDeviceChange(listener: (sensorUuid: string) => void): () => void;
}
