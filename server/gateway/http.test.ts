import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { frameLimits } from '../../domain/frame/frame.ts';
import { MemoryIntake } from '../../test/harness/server/memory-intake.ts';
import { countOf } from '../../test/harness/server/metrics.ts';
import type { RefusalName } from '../pipeline/intake.ts';
import { silentLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createIngest, type Ingest } from './http.ts';

let intake: MemoryIntake;
let ingest: Ingest;
let metrics = createMetrics();
let server: Server;
let base = '';

beforeAll(async () => {
  server = createServer((request, response) =>
    ingest.handles(request.url ?? '') ? ingest.routing(request, response) : response.writeHead(599).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/ingest`;
});
afterAll(() => server.close());

beforeEach(async () => {
  intake = new MemoryIntake();
  intake.add('pump-1');
  metrics = createMetrics();
  ingest = await createIngest({ intake, log: silentLog, metrics });
});

interface Call {
  uid?: string;
  token?: string | null;
  type?: string;
  headers?: Record<string, string>;
  method?: string;
  body?: string | Buffer;
}

async function send({ uid = 'pump-1', token, type, headers, method = 'POST', body = '{"1": 20.5}' }: Call = {}) {
  const bearer = token === null ? {} : { authorization: `Bearer ${token ?? `token-of-${uid}`}` };
  const response = await fetch(uid === '' ? base : `${base}/${uid}`, {
    method,
    headers: { ...bearer, ...(type !== undefined && { 'content-type': type }), ...headers },
    ...(method === 'POST' && { body: typeof body === 'string' ? Buffer.from(body) : new Uint8Array(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

function turned(): string[] {
  return intake.rejected.map(({ protocol, uid, because }) => `${protocol} ${uid} ${because}`);
}

const counted = (outcome: string) => countOf(metrics, { outcome });

describe('one frame', () => {
  test('is passed on unchanged and gets its result as response', async () => {
    intake.queue(intake.add('pump-2'), 'REBOOT');
    const answer = await send({
      uid: 'pump-2',
      type: 'application/json',
      body: '{"t": 1767225600, "1": 20.5, "2": "NaN"}',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      accepted: 1,
      duplicates: 0,
      refused: [{ channel: '2', reason: 'not-finite', message: expect.stringMatching(/\.$/) }],
      notes: [],
      commands: [{ id: 1, command: 'REBOOT' }],
    });
    expect(intake.frames).toMatchObject([
      { protocol: 'http', format: 'json', text: '{"t": 1767225600, "1": 20.5, "2": "NaN"}', device: { uid: 'pump-2' } },
    ]);
    expect(await counted('taken')).toBe(1);
  });

  test.each([
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['Text/CSV', 'csv'],
    ['text/plain', 'auto'],
    ['application/x-www-form-urlencoded', 'auto'],
    [undefined, 'auto'],
  ])('of content type %s is read as %s', async (type, format) => {
    const body = format === 'csv' ? '1767225600,20.5' : '{"1": 20.5}';
    expect((await send({ ...(type !== undefined && { type }), body })).status).toBe(200);
    expect(intake.frames[0]?.format).toBe(format);
  });

  test('can be compressed', async () => {
    const answer = await send({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('1=20.5') });
    expect(answer.body.accepted).toBe(1);
    expect(intake.frames[0]?.text).toBe('1=20.5');
  });

  test('may have a percent-encoded uid in its URL', async () => {
    intake.add('a:b', 'secret');
    expect((await send({ uid: 'a%3Ab', token: 'secret' })).status).toBe(200);
    expect((await send({ uid: '%zz' })).status).toBe(404);
    expect((await send({ uid: 'pump-1/x' })).status).toBe(404);
    expect((await send({ uid: 'pump-1?x=1', token: 'token-of-pump-1' })).status).toBe(200);
  });
});

describe('refuses', () => {
  test('devices without a token or with an unknown uid, a wrong or revoked token, or a disabled sensor', async () => {
    const nobody = await send({ token: null });
    expect(nobody).toMatchObject({ status: 401, body: { reason: 'no-token' } });
    expect(nobody.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await send({ headers: { authorization: 'Basic eDp5' }, token: null })).toMatchObject({ status: 401 });
    expect(await send({ uid: 'pump-9' })).toMatchObject({ status: 404, body: { reason: 'unknown-uid' } });
    const wrong = await send({ token: 'guess' });
    expect(wrong).toMatchObject({ status: 401, body: { reason: 'wrong-token' } });
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer/);
    intake.add('old').revoked = true;
    expect(await send({ uid: 'old' })).toMatchObject({ status: 401, body: { reason: 'revoked-token' } });
    intake.add('off').disabled = true;
    expect(await send({ uid: 'off' })).toMatchObject({ status: 403, body: { reason: 'disabled' } });
    expect(intake.frames).toEqual([]);
    for (const outcome of ['no-token', 'unknown-uid', 'wrong-token', 'revoked-token', 'disabled']) {
      expect(await counted(outcome), outcome).toBeGreaterThan(0);
    }
    // A refusal appears in the sensor log even if the client sent only a known uid.
    expect(turned()).toEqual([
      'http pump-1 no-token',
      'http pump-1 no-token',
      'http pump-9 unknown-uid',
      'http pump-1 wrong-token',
      'http old revoked-token',
      'http off disabled',
    ]);
  });

  test('unsupported methods, content types and encodings, each with a message', async () => {
    const got = await send({ method: 'GET' });
    expect(got).toMatchObject({ status: 405, body: { errorMessage: 'Send frames with POST.' } });
    expect(got.headers.get('allow')).toBe('POST');
    expect(await send({ type: 'image/png' })).toMatchObject({ status: 415, body: { reason: 'unknown-content-type' } });
    expect(await send({ headers: { 'content-encoding': 'br' } })).toMatchObject({ status: 415 });
    expect(await send({ headers: { 'content-encoding': 'gzip' } })).toMatchObject({
      status: 400,
      body: { reason: 'not-gzip' },
    });
    const cut = gzipSync('1=20.5').subarray(0, 20);
    expect(await send({ headers: { 'content-encoding': 'gzip' }, body: cut })).toMatchObject({ status: 400 });
    expect(intake.frames).toEqual([]);
    expect(turned()).toEqual([
      'http pump-1 not-post',
      'http pump-1 unknown-content-type',
      'http pump-1 unknown-content-encoding',
      'http pump-1 not-gzip',
      'http pump-1 not-gzip',
    ]);
    expect(intake.rejected.map(({ sentence }) => sentence)).toContain(
      'This content type is not supported. Send a frame as application/json, text/csv or text/plain.',
    );
  });

  test('a frame above the size limit, declared or not, and keeps the connection', async () => {
    const large = { status: 413, body: { reason: 'too-large' } };
    expect(await send({ body: 'x'.repeat(frameLimits.bytes + 1) })).toMatchObject(large);
    expect(await send({ body: `{"1":${' '.repeat(frameLimits.bytes - 7)}5}` })).toMatchObject({ status: 200 });
    const parts = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 3; part += 1) controller.enqueue(Buffer.alloc(frameLimits.bytes, 'x'));
        controller.close();
      },
    });
    const streamed = await fetch(`${base}/pump-1`, {
      method: 'POST',
      headers: { authorization: 'Bearer token-of-pump-1' },
      body: parts,
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
    expect(await counted('too-large')).toBe(2);
    expect(intake.rejected.map(({ because }) => because)).toEqual(['too-large', 'too-large']);
  });

  test('a large frame of unknown size from a client that reads the response after it has sent everything', async () => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1').pause();
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.pause();
    const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)).on('error', () => {}));
    const head = `POST ${new URL(base).pathname}/pump-1 HTTP/1.1\r\nhost: plant\r\nauthorization: Bearer token-of-pump-1\r\n`;
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    for (let part = 0; part < 40; part += 1) {
      socket.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    socket.end('0\r\n\r\n');
    socket.resume();
    expect(await closed).toMatch(/^HTTP\/1.1 413 /);
  });

  test('a small body that decompresses to a very large one, without decompressing it', async () => {
    const bomb = gzipSync(Buffer.alloc(40_000_000));
    expect(bomb.length).toBeLessThan(frameLimits.bytes);
    const before = process.memoryUsage().rss;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send({ headers: { 'content-encoding': 'gzip' }, body: bomb })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(413));
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  test.each<[RefusalName, number]>([
    ['flood', 429],
    ['busy', 503],
    ['unavailable', 503],
    ['ambiguous-uid', 409],
  ])('a frame with the intake’s refusal %s as status %i', async (name, status) => {
    intake.refuse(name);
    const answer = await send();
    expect(answer).toMatchObject({ status, body: { reason: name, errorMessage: `Refused: ${name}.` } });
    const later = ['flood', 'busy', 'unavailable'].includes(name);
    expect(answer.headers.get('retry-after')).toBe(later ? '1' : null);
    expect(await counted(name)).toBe(1);
  });

  test('too many frames with status 413, and says that the call was stored', async () => {
    intake.refuse('too-many-frames');
    expect(await send()).toMatchObject({
      status: 413,
      body: {
        reason: 'too-many-frames',
        errorMessage: 'Refused: too-many-frames. The frame is in the sensor log.',
      },
    });
    expect(await counted('too-many-frames')).toBe(1);
  });

  test.each([
    ['garbage', Buffer.from([0xff, 0xfe, 0, 1, 2]), 'not-text'],
    ['nothing', Buffer.alloc(0), 'no-values'],
    ['broken JSON', Buffer.from('{"1": '), 'not-json'],
  ])('%s, and says that the frame was stored', async (_name, body, reason) => {
    const answer = await send({ body, type: reason === 'not-json' ? 'application/json' : 'text/plain' });
    expect(answer).toMatchObject({ status: 422, body: { reason } });
    expect(answer.body.errorMessage).toContain('is in the sensor log');
    expect(intake.frames).toHaveLength(1);
  });

  test('a frame when the intake fails, without internal details', async () => {
    intake.receive = () => Promise.reject(new Error('secret detail'));
    const answer = await send();
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain('secret detail');
  });

  test('a request whose device disconnects early, without affecting others', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /api/v1/ingest/pump-1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer token-of-pump-1\r\ncontent-length: 100\r\n\r\n{',
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await send()).status).toBe(200);
    await ingest.close();
    expect(intake.frames).toHaveLength(1);
  });
});

describe('many frames in one call', () => {
  const call = (frames: unknown[], uid = 'gate') => JSON.stringify({ uid, frames });

  test('have one result each, and a bad frame does not affect the others', async () => {
    intake.add('gate');
    const pump = intake.add('pump-3');
    intake.queue(pump, 'RESET');
    const answer = await send({
      uid: '',
      token: 'token-of-gate',
      type: 'application/json',
      body: call([
        { uid: 'pump-3', t: 1767225600, '1': 5 },
        { uid: 'stranger', '1': 5 },
        { uid: 'gate', '1': 'inf' },
        { uid: 'pump-1', '1': 7 },
      ]),
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      accepted: 2,
      duplicates: 0,
      results: [
        { uid: 'pump-3', accepted: 1 },
        { uid: 'stranger', reason: 'foreign-uid', errorMessage: expect.any(String) },
        { uid: 'gate' },
        { uid: 'pump-1', accepted: 1 },
      ],
      commands: [{ uid: 'pump-3', id: 1, command: 'RESET' }],
    });
    expect(await counted('foreign-uid')).toBe(1);
    expect(await counted('taken')).toBeGreaterThanOrEqual(2);
  });

  test('are accepted by the token of their gateway sensor, and refused if the call cannot be split into frames', async () => {
    intake.add('gate');
    const token = 'token-of-gate';
    const frames = JSON.stringify({ frames: [{ uid: 'pump-1', '1': 1 }] });
    expect(await send({ uid: '', token, body: frames })).toMatchObject({ status: 200, body: { accepted: 1 } });
    expect(await send({ uid: '', token: 'guess', body: frames })).toMatchObject({ status: 401 });
    expect(await send({ uid: '', token, body: '{"frames": [' })).toMatchObject({
      status: 422,
      body: { reason: 'not-json', errorMessage: expect.stringMatching(/The call is in the sensor log\.$/) },
    });
    expect(await send({ uid: '', token, type: 'text/csv', body: '1,2' })).toMatchObject({ status: 415 });
    expect(await send({ uid: '', token, body: 'x'.repeat(frameLimits.batchBytes + 1) })).toMatchObject({
      status: 413,
      body: {
        errorMessage: 'The call is too large and was not stored. The maximum is 1048576 bytes. Send a smaller one.',
      },
    });
    // Without a uid in the URL, the token identifies the sensor.
    expect(intake.rejected).toMatchObject([
      { token, because: 'unknown-content-type' },
      { token, because: 'too-large' },
    ]);
  });
});

test('waits for running requests when closing, and refuses new ones', async () => {
  const release = intake.hold();
  const first = send();
  while (intake.underWay === 0) await new Promise((resolve) => setImmediate(resolve));
  let closed = false;
  const closing = ingest.close().then(() => {
    closed = true;
  });
  expect((await send()).status).toBe(503);
  expect(closed).toBe(false);
  release();
  expect((await first).status).toBe(200);
  await closing;
});

test('handles only ingest URLs', () => {
  expect(ingest.handles('/api/v1/ingest')).toBe(true);
  expect(ingest.handles('/api/v1/ingest?x')).toBe(true);
  expect(ingest.handles('/api/v1/ingest/pump-1')).toBe(true);
  expect(ingest.handles('/api/v1/ingestion')).toBe(false);
  expect(ingest.handles('/api/v1/auth')).toBe(false);
});
