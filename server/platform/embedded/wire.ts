/**
 * Messages between the two threads of the embedded database. Queries and responses use PostgreSQL's wire protocol, with
 * one message in each direction, so node-postgres works as it does with a server.
 */
export type ToWorker =
  | { kind: 'wire'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'dump'; compression: DumpCompression }
  | { kind: 'close' };

export type FromWorker =
  | { kind: 'ready' }
  /** The database could not be opened or cannot continue. The thread ends after this message. */
  | { kind: 'failed'; message: string }
  | { kind: 'wire'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'dumped'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'closed' };

export type DumpCompression = 'none' | 'gzip';

export interface WorkerSettings {
  /** Folder of the database files; null for a database in memory. */
  folder: string | null;
  /** Dump to load if the folder contains no database. */
  loadFrom: string | null;
  /** Minimum free disk space. With less, writes are refused, but reads still work. */
  diskFloorBytes: number;
  /** Maximum time between two checks of the disk space. */
  diskCheckMs: number;
}

const encoder = new TextEncoder();
const ERROR_RESPONSE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/** Returns whether this is the first message of a session, which is the only kind of message without a type letter. */
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

/** Replaces every error message that has the given error code. Other messages stay unchanged. */
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

/**
 * Returns the error code in an error message. The message is a list of fields, each with a letter and a zero-terminated
 * text; field C is the code.
 */
function errorCode(whole: Uint8Array): string | undefined {
  const fields = new TextDecoder().decode(whole.subarray(5)).split('\0');
  return fields.find((field) => field.startsWith('C'))?.slice(1);
}

function errorResponse(error: { code: string; message: string }): Uint8Array {
  return message(ERROR_RESPONSE, encoder.encode(`SERROR\0VERROR\0C${error.code}\0M${error.message}\0\0`));
}

/** Copies the parts into one new buffer, which this thread can transfer to the other thread. */
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
