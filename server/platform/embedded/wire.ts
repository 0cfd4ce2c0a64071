/**
 * What the two threads of the embedded database say to each other. Queries cross as bytes of PostgreSQL's own protocol,
 * one message each way, so that node-postgres on this side sees exactly what it would see from a server.
 */
export type ToWorker =
  | { kind: 'wire'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'dump'; compression: DumpCompression }
  | { kind: 'close' };

export type FromWorker =
  | { kind: 'ready' }
  /** The database could not be opened, or cannot go on. The thread ends after this. */
  | { kind: 'failed'; message: string }
  | { kind: 'wire'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'dumped'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'closed' };

export type DumpCompression = 'none' | 'gzip';

export interface WorkerSettings {
  /** The folder of the database files, or null for one that lives in memory. */
  folder: string | null;
  /** A dump to begin with, when there is no database in the folder yet. */
  loadFrom: string | null;
  /** Below this much free space on the disk, writing is refused and reading goes on. */
  diskFloorBytes: number;
  /** How old the last look at the disk may be. */
  diskCheckMs: number;
}

const encoder = new TextEncoder();
const ERROR_RESPONSE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/** Only the first message of a session has no letter in front. */
export function isStartup(bytes: Uint8Array): boolean {
  return bytes[0] === 0;
}

export function isTerminate(bytes: Uint8Array): boolean {
  return bytes[0] === TERMINATE;
}

export function simpleQuery(text: string): Uint8Array<ArrayBuffer> {
  return message(QUERY, encoder.encode(`${text}\0`));
}

function message(letter: number, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(5 + body.length);
  bytes[0] = letter;
  new DataView(bytes.buffer).setUint32(1, 4 + body.length);
  bytes.set(body, 5);
  return bytes;
}

/** The reply with every error of one code replaced by another error; all other messages stay as they are. */
export function replaceErrors(
  reply: Uint8Array<ArrayBuffer>,
  code: string,
  replacement: { code: string; message: string },
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const view = new DataView(reply.buffer, reply.byteOffset, reply.byteLength);
  let replaced = false;
  for (let at = 0; at < reply.length; ) {
    const end = at + 1 + view.getUint32(at + 1);
    const whole = reply.subarray(at, end);
    const isIt = whole[0] === ERROR_RESPONSE && errorCode(whole) === code;
    parts.push(isIt ? errorResponse(replacement) : whole);
    replaced ||= isIt;
    at = end;
  }
  return replaced ? concat(parts) : reply;
}

/** An error is a list of fields, each a letter and a text that ends with a zero byte; the letter C is its code. */
function errorCode(whole: Uint8Array): string | undefined {
  const fields = new TextDecoder().decode(whole.subarray(5)).split('\0');
  return fields.find((field) => field.startsWith('C'))?.slice(1);
}

function errorResponse(error: { code: string; message: string }): Uint8Array {
  return message(ERROR_RESPONSE, encoder.encode(`SERROR\0VERROR\0C${error.code}\0M${error.message}\0\0`));
}

/** One piece of memory of its own, so that it can be handed to the other thread instead of copied. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
