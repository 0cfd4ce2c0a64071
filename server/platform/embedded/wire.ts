/**
 * Messages between the two threads of the embedded database. Queries and answers are bytes of PostgreSQL's protocol, one
 * message each way, so node-postgres works as with a server.
 */
export type ToWorker =
  | { kind: 'wire'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'dump'; compression: DumpCompression }
  | { kind: 'close' };

export type FromWorker =
  | { kind: 'ready' }
  /** The database could not be opened or cannot continue. The thread ends afterwards. */
  | { kind: 'failed'; message: string }
  | { kind: 'wire'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'dumped'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'closed' };

export type DumpCompression = 'none' | 'gzip';

export interface WorkerSettings {
  /** Folder of the database files; null for a database in memory. */
  folder: string | null;
  /** Dump to load when the folder contains no database. */
  loadFrom: string | null;
  /** Free disk space below which writes are refused. Reads still work. */
  diskFloorBytes: number;
  /** Longest time between two checks of the disk. */
  diskCheckMs: number;
}

const encoder = new TextEncoder();
const ERROR_RESPONSE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/** Only the first message of a session has no type letter. */
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

/** Replaces every error with one code by another error. Other messages stay unchanged. */
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

/** An error is a list of fields: a letter and a zero-terminated text. Field C is the code. */
function errorCode(whole: Uint8Array): string | undefined {
  const fields = new TextDecoder().decode(whole.subarray(5)).split('\0');
  return fields.find((field) => field.startsWith('C'))?.slice(1);
}

function errorResponse(error: { code: string; message: string }): Uint8Array {
  return message(ERROR_RESPONSE, encoder.encode(`SERROR\0VERROR\0C${error.code}\0M${error.message}\0\0`));
}

/** Copies into one new buffer, which can be transferred to the other thread. */
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
