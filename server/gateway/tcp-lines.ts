import { decodeFrame } from '../../domain/frame/decode.ts';
import { isValidUid } from '../../domain/frame/uid.ts';

/** A line without its line ending; undefined for a line that was discarded because it was too long. */
export type Line = Buffer | undefined;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Splits a stream into lines. Buffers at most one line of the maximum length. */
export class LineCutter {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #size = 0;
  #tooLong = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True if a line has begun but not ended. */
  get pending(): boolean {
    return this.#size > 0 || this.#tooLong;
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      this.#keep(chunk.subarray(start, end < 0 ? undefined : end));
      if (end < 0) return lines;
      lines.push(this.#take());
      start = end + 1;
    }
  }

  /** Returns the input after the last line ending. It may be an incomplete line. */
  rest(): Line {
    return this.#take();
  }

  #keep(part: Buffer): void {
    if (this.#tooLong || part.length === 0) return;
    // Allows one byte above the limit for the carriage return.
    if (this.#size + part.length > this.#limit + 1) {
      this.#tooLong = true;
      this.#parts = [];
      return;
    }
    this.#parts.push(part);
    this.#size += part.length;
  }

  #take(): Line {
    const whole = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts, this.#size);
    const line = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
    const tooLong = this.#tooLong || line.length > this.#limit;
    this.#parts = [];
    this.#size = 0;
    this.#tooLong = false;
    return tooLong ? undefined : line;
  }
}

export interface Introduction {
  uid: string;
  /** The sensor's token; empty if the line ends after the uid. */
  token: string;
  /** Text after the token; empty in a line that only signs in. */
  frame: Buffer;
}

/** Parses a line of the form `<uid> <token> <frame>`. */
export function introductionOf(line: Buffer): Introduction {
  const uid = wordAt(line, 0);
  const token = wordAt(line, uid.next);
  return { uid: uid.text, token: token.text, frame: line.subarray(token.next) };
}

/**
 * Format of a token: 32 bytes in base64url. The second word of a valid frame never has this format, so a token can be
 * recognised.
 */
const TOKEN = /^[\w-]{43}$/;

/**
 * Returns whether a line has its own uid and token although bare frames are expected. Also returns true for a truncated
 * or mistyped token before a frame, because its values do not belong to the signed-in sensor.
 */
export function introducesItself(line: Buffer): boolean {
  const { uid, token, frame } = introductionOf(line);
  if (TOKEN.test(token)) return true;
  return isValidUid(uid) && isValidUid(token) && Number.isNaN(Number(token)) && decodeFrame(frame, 'auto').ok;
}

const BLANKS = [0x20, 0x09];

export function isBlankLine(line: Buffer): boolean {
  return line.every((byte) => BLANKS.includes(byte));
}

function wordAt(line: Buffer, from: number): { text: string; next: number } {
  let start = from;
  while (start < line.length && BLANKS.includes(line[start] as number)) start += 1;
  let end = start;
  while (end < line.length && !BLANKS.includes(line[end] as number)) end += 1;
  let next = end;
  while (next < line.length && BLANKS.includes(line[next] as number)) next += 1;
  return { text: line.toString('utf8', start, end), next };
}
