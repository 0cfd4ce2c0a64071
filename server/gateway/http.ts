import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FrameFormat, frameLimits } from '../../domain/frame/frame.ts';
import type {
  Answer,
  BatchTaken,
  Command,
  Device,
  Intake,
  Refusal,
  RefusalName,
  Taken,
  Who,
} from '../pipeline/intake.ts';
import { tooLarge } from '../pipeline/refusals.ts';
import { randomToken } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createMetrics, type Metrics } from '../platform/metrics.ts';
import { countAnswer, countVisitor, meaningOf, noteRefusal, secondsToWait, sentenceOf } from './answers.ts';
import { readBody } from './http-body.ts';

export interface IngestOptions {
  intake: Intake;
  log: Log;
  metrics?: Metrics;
}

/**
 * Handles device requests over HTTP. Uses Node's server directly, because processing in the framework takes longer than
 * storing the frame.
 */
export interface Ingest {
  /** Returns true for URLs of the ingest routes. */
  handles(url: string): boolean;
  routing(request: IncomingMessage, response: ServerResponse): void;
  /** Refuses new requests and waits for the running ones. */
  close(): Promise<void>;
}

interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const PREFIX = '/api/v1/ingest';

/**
 * Maximum size of a refused request body that the server still reads to its end. For a larger body, it closes the
 * connection.
 */
const DISCARD_LIMIT_BYTES = 16 * frameLimits.batchBytes;
/** Maximum time for reading the rest of a refused request body. */
const DISCARD_LIMIT_MS = 2000;

const largeFrame = tooLarge(frameLimits.bytes);
const largeCall = tooLarge(frameLimits.batchBytes, 'call');

export async function createIngest({ intake, log, metrics = createMetrics() }: IngestOptions): Promise<Ingest> {
  let running = 0;
  let closed: (() => void) | undefined;
  let closing = false;

  const serve = async (request: IncomingMessage): Promise<Reply | undefined> => {
    if (closing)
      return refuse({ ok: false, because: 'unavailable', sentence: 'The server is stopping. Send the request again.' });
    const uid = uidOf(request.url ?? '');
    if (uid === undefined)
      return fail(404, 'unknown-address', 'Send a frame to /api/v1/ingest/<uid>, or several frames to /api/v1/ingest.');
    const token = bearer(request.headers.authorization);
    const batch = uid === '';
    const turnAway = (status: number, because: string, sentence: string) =>
      refuseAndRecord(whoOf(uid, token), status, because, sentence);
    if (request.method !== 'POST') {
      return { ...turnAway(405, 'not-post', 'Send frames with POST.'), headers: { allow: 'POST' } };
    }
    if (token === undefined) {
      countVisitor(metrics, 'http', 'no-token');
      const sentence = 'The token is missing. Send the device’s token in the header Authorization: Bearer <token>.';
      return { ...turnAway(401, 'no-token', sentence), headers: WHO_IS_THERE };
    }
    const type = contentType(request.headers['content-type']);
    if (!type || (batch && type !== 'json' && type !== 'auto')) {
      const wanted = batch ? 'the frames as application/json' : 'a frame as application/json, text/csv or text/plain';
      return turnAway(415, 'unknown-content-type', `This content type is not supported. Send ${wanted}.`);
    }
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity';
    const zipped = encoding === 'gzip' || encoding === 'x-gzip';
    if (!zipped && encoding !== 'identity') {
      const sentence = 'This encoding is not supported. Send the body uncompressed, or with Content-Encoding: gzip.';
      return turnAway(415, 'unknown-content-encoding', sentence);
    }
    const large = batch ? largeCall : largeFrame;
    if (Number(request.headers['content-length'] ?? 0) > (batch ? frameLimits.batchBytes : frameLimits.bytes)) {
      noteRefusal(intake, 'http', whoOf(uid, token), large);
      return refuseSize(request, large);
    }
    return batch ? takeMany(request, token, zipped) : takeOne(request, uid, token, type, zipped);
  };

  const takeOne = async (
    request: IncomingMessage,
    uid: string,
    token: string,
    format: FrameFormat,
    zipped: boolean,
  ): Promise<Reply | undefined> => {
    const who = await intake.identify(uid, token);
    if (!who.ok) {
      countVisitor(metrics, 'http', who.because);
      noteRefusal(intake, 'http', { uid, token }, who);
      return refuse(who);
    }
    const body = await readBody(request, frameLimits.bytes, zipped);
    if (!body.ok) return refuseBody(request, body.because, largeFrame, who);
    const answer = await intake.receive(who, { protocol: 'http', body: body.bytes, format });
    countAnswer(metrics, 'http', answer);
    if (answer.ok) return { status: 200, body: { ...sayTaken(answer), commands: answer.commands.map(sayCommand) } };
    noteRefusal(intake, 'http', who, answer);
    return refuse(answer);
  };

  const takeMany = async (request: IncomingMessage, token: string, zipped: boolean): Promise<Reply | undefined> => {
    const who = await intake.identifyByToken(token);
    if (!who.ok) {
      countVisitor(metrics, 'http', who.because);
      if (who.because !== 'wrong-token') noteRefusal(intake, 'http', { token }, who);
      return refuse(who);
    }
    const body = await readBody(request, frameLimits.batchBytes, zipped);
    if (!body.ok) return refuseBody(request, body.because, largeCall, who);
    const answer = await intake.receiveBatch(who, { protocol: 'http', body: body.bytes, format: 'json' });
    if (!answer.ok) {
      countAnswer(metrics, 'http', answer);
      noteRefusal(intake, 'http', who, answer);
      return refuse(answer, 'call');
    }
    for (const result of answer.results) countAnswer(metrics, 'http', result);
    return { status: 200, body: sayBatch(answer) };
  };

  /**
   * Refuses a body that is too large and counts the refusal. Does not record it in the sensor log; the calling function
   * does so if the device is known.
   */
  const refuseSize = (request: IncomingMessage, large: Refusal): Reply => {
    metrics.count('tocsin_frames_total', { protocol: 'http', outcome: 'too-large' });
    const declared = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    const reply = refuse(large);
    return declared <= DISCARD_LIMIT_BYTES ? reply : { ...reply, headers: { connection: 'close' } };
  };

  const refuseBody = (
    request: IncomingMessage,
    because: 'too-large' | 'not-gzip' | 'gone',
    large: Refusal,
    who: Device,
  ): Reply | undefined => {
    if (because === 'gone') return undefined;
    if (because === 'too-large') {
      noteRefusal(intake, 'http', who, large);
      return refuseSize(request, large);
    }
    metrics.count('tocsin_frames_total', { protocol: 'http', outcome: because });
    const sentence = 'Content-Encoding is gzip, but the body is not valid gzip or is incomplete.';
    return refuseAndRecord(who, 400, because, sentence);
  };

  /** Refuses a request and records the refusal in the sensor log. */
  const refuseAndRecord = (who: Who, status: number, because: string, sentence: string): Reply => {
    intake.noteRejection(who, { protocol: 'http', because, sentence });
    return fail(status, because, sentence);
  };

  const unexpected = (error: Error): Reply => {
    const id = randomToken(6);
    log.error('a frame could not be accepted', { requestId: id, protocol: 'http', error, stack: error.stack });
    metrics.count('tocsin_frames_total', { protocol: 'http', outcome: 'failed' });
    return fail(
      500,
      'failed',
      `The server could not store the frame because of an internal error, logged as ${id}. Send the frame again.`,
    );
  };

  return {
    handles: (url) =>
      url.startsWith(PREFIX) && (url.length === PREFIX.length || '/?'.includes(url[PREFIX.length] ?? '')),
    routing(request, response) {
      running += 1;
      void serve(request)
        .catch(unexpected)
        .then((reply) => reply && send(response, reply))
        .finally(() => {
          running -= 1;
          if (running === 0) closed?.();
        });
    },
    close() {
      closing = true;
      return running === 0 ? Promise.resolve() : new Promise((resolve) => (closed = resolve));
    },
  };
}

const WHO_IS_THERE = { 'www-authenticate': 'Bearer realm="tocsin"' };

/** Returns the uid from the URL; an empty string for the batch URL, undefined for any other URL. */
function uidOf(url: string): string | undefined {
  const query = url.indexOf('?');
  const rest = url.slice(PREFIX.length + 1, query < 0 ? undefined : Math.max(query, PREFIX.length + 1));
  if (rest.includes('/')) return undefined;
  if (!rest.includes('%')) return rest;
  try {
    return decodeURIComponent(rest);
  } catch {
    return undefined;
  }
}

function whoOf(uid: string, token: string | undefined): Who {
  return { ...(uid !== '' && { uid }), ...(token !== undefined && { token }) };
}

function bearer(header: string | undefined): string | undefined {
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return header.slice(7).trim() || undefined;
}

const formats = new Map<string, FrameFormat>([
  ['', 'auto'],
  ['application/json', 'json'],
  ['text/csv', 'csv'],
  // Many clients send these content types by default, so the server detects the format from the content.
  ['text/plain', 'auto'],
  ['application/x-www-form-urlencoded', 'auto'],
]);

function contentType(header = ''): FrameFormat | undefined {
  return formats.get(header) ?? formats.get((header.split(';')[0] ?? '').trim().toLowerCase());
}

function sayTaken({ accepted, duplicates, refused, notes }: Taken) {
  return {
    accepted,
    duplicates,
    refused: refused.map(({ channel, because, sentence }) => ({ channel, reason: because, message: sentence })),
    notes,
  };
}

function sayCommand({ id, text }: Command) {
  return { id, command: text };
}

function sayBatch({ accepted, duplicates, results, commands }: BatchTaken) {
  return {
    accepted,
    duplicates,
    results: results.map((result: { uid: string } & Answer) =>
      result.ok
        ? { uid: result.uid, ...sayTaken(result) }
        : { uid: result.uid, reason: result.because, errorMessage: sentenceOf(result) },
    ),
    commands: commands.map(({ uid, ...command }) => ({ uid, ...sayCommand(command) })),
  };
}

function fail(status: number, reason: string, errorMessage: string): Reply {
  return { status, body: { errorMessage, reason } };
}

function refuse(refusal: Refusal, what: 'frame' | 'call' = 'frame'): Reply {
  const { status, kind } = meaningOf(refusal.because);
  const reply = fail(status, refusal.because satisfies RefusalName, sentenceOf(refusal, what));
  if (kind === 'later') reply.headers = { 'retry-after': String(secondsToWait(refusal)) };
  if (status === 401) reply.headers = WHO_IS_THERE;
  return reply;
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  if (headers?.connection !== 'close' || response.req.complete) return void response.end(text);
  response.write(text);
  discardBody(response.req, () => response.end());
}

/**
 * Reads the rest of a refused request body before the connection closes. If the server closed the connection while the
 * client still sends, TCP would reset it, and the client could lose the response.
 */
function discardBody(request: IncomingMessage, done: () => void): void {
  let left = DISCARD_LIMIT_BYTES;
  const timer = setTimeout(() => finish(), DISCARD_LIMIT_MS);
  const finish = () => {
    clearTimeout(timer);
    request.removeListener('data', count);
    done();
  };
  const count = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) finish();
  };
  request.on('data', count).once('end', finish).once('close', finish);
}
