import { refuseFrame } from './collect.ts';
import { type Decoded, frameLimits } from './frame.ts';
import { decodeObject } from './json.ts';
import { byteCount } from './text.ts';

/** A frame that a gateway sensor forwards for another sensor. */
export interface ForwardedFrame {
  uid: string;
  /** The frame as received, including the uid. */
  frame: object;
}

export interface UnreadableCall {
  ok: false;
  because: 'not-text' | 'not-json' | 'no-frames' | 'empty' | 'too-many-frames' | 'no-uid';
  sentence: string;
}

/** Splits the call of a gateway sensor into frames. If the call is unreadable, returns the reason. */
export function readGatewayCall(text: string | undefined): ForwardedFrame[] | UnreadableCall {
  if (text === undefined) {
    return unreadable('not-text', 'The call is not valid UTF-8 text, or it contains a NUL character.');
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return unreadable('not-json', 'The call is not valid JSON.');
  }
  const frames = Array.isArray(parsed) ? parsed : (parsed as { frames?: unknown } | null)?.frames;
  if (!Array.isArray(frames)) return unreadable('no-frames', 'Send {"frames": [{"uid": "…", …}, …]}.');
  if (frames.length === 0) return unreadable('empty', 'The request contains no frames. Send at least one.');
  if (frames.length > frameLimits.batchFrames) {
    return unreadable(
      'too-many-frames',
      `A call may contain at most ${frameLimits.batchFrames} frames. Send several calls.`,
    );
  }
  const forwarded: ForwardedFrame[] = [];
  for (const frame of frames) {
    const uid = (frame as { uid?: unknown } | null)?.uid;
    if (typeof uid !== 'string' || uid === '') {
      return unreadable('no-uid', 'Every frame in the call must contain the uid of its sensor.');
    }
    forwarded.push({ uid, frame });
  }
  return forwarded;
}

/**
 * Decodes a forwarded frame. It has the same size limit as a frame that is sent alone. Whitespace between JSON tokens
 * does not count.
 */
export function decodeForwarded({ frame }: Pick<ForwardedFrame, 'frame'>): Decoded {
  if (byteCount(JSON.stringify(frame)) > frameLimits.bytes) {
    return refuseFrame(
      'too-large',
      `The frame is too large and was not stored. The maximum is ${frameLimits.bytes} bytes. Send a smaller one.`,
    );
  }
  return decodeObject(frame, 'uid');
}

function unreadable(because: UnreadableCall['because'], sentence: string): UnreadableCall {
  return { ok: false, because, sentence };
}

/** Returns the refusal text for frames of an unknown sensor. */
export function notRegistered(uid: string): string {
  return `No sensor with the uid ${uid.slice(0, 64)} is registered.`;
}

export function notBehindGateway(uid: string, gatewayUid: string): string {
  return `The sensor ${uid.slice(0, 64)} is not behind the gateway ${gatewayUid}. Choose this gateway in the settings of the sensor.`;
}

/** Returns the problem text of a forwarded frame for the sensor log, prefixed with the uid of its sensor. */
export function forwardedProblemText(uid: string, sentence: string): string {
  return `${uid}: ${sentence}`;
}
