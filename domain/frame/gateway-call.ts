import { refuseFrame } from './collect.ts';
import { type Decoded, frameLimits } from './frame.ts';
import { decodeObject } from './json.ts';
import { byteCount } from './text.ts';

/** A gateway's call: the frames of many sensors, each with its uid. */
export interface ForwardedFrame {
  uid: string;
  /** Still with its uid in it. */
  frame: object;
}

export interface UnreadableCall {
  ok: false;
  because: 'not-text' | 'not-json' | 'no-frames' | 'empty' | 'too-many-frames' | 'no-uid';
  sentence: string;
}

/** The frames of a gateway's call, or why they cannot be told apart. */
export function readGatewayCall(text: string | undefined): ForwardedFrame[] | UnreadableCall {
  if (text === undefined) return unreadable('not-text', 'The call is not text in UTF-8.');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return unreadable('not-json', 'The call is not valid JSON.');
  }
  const frames = Array.isArray(parsed) ? parsed : (parsed as { frames?: unknown } | null)?.frames;
  if (!Array.isArray(frames)) return unreadable('no-frames', 'Send {"frames": [{"uid": "…", …}, …]}.');
  if (frames.length === 0) return unreadable('empty', 'The call has no frames.');
  if (frames.length > frameLimits.batchFrames) {
    return unreadable('too-many-frames', `A call may bring at most ${frameLimits.batchFrames} frames.`);
  }
  const told: ForwardedFrame[] = [];
  for (const frame of frames) {
    const uid = (frame as { uid?: unknown } | null)?.uid;
    if (typeof uid !== 'string' || uid === '') {
      return unreadable('no-uid', 'Every frame of the call must name its uid.');
    }
    told.push({ uid, frame });
  }
  return told;
}

/** Reads one of them, which may be no larger than a frame that comes alone: without the blanks that its call may have in it. */
export function decodeForwarded({ frame }: Pick<ForwardedFrame, 'frame'>): Decoded {
  if (byteCount(JSON.stringify(frame)) > frameLimits.bytes) {
    return refuseFrame(
      'too-large',
      `A frame has at most ${frameLimits.bytes} bytes. Nothing of it was taken. Send less at once.`,
    );
  }
  return decodeObject(frame, 'uid');
}

function unreadable(because: UnreadableCall['because'], sentence: string): UnreadableCall {
  return { ok: false, because, sentence };
}

/** Why nothing is taken for a sensor, in a call as otherwise. */
export function notRegistered(uid: string): string {
  return `No sensor with the uid ${uid.slice(0, 64)} is registered.`;
}

export function notBehindGateway(uid: string, gatewayUid: string): string {
  return `The sensor ${uid.slice(0, 64)} is not behind the gateway ${gatewayUid}. Name the gateway on that sensor in the console.`;
}

/** How a problem of one frame of a call is told in the log: under the uid of its sensor. */
export function forwardedProblemText(uid: string, sentence: string): string {
  return `${uid}: ${sentence}`;
}
