import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

export type Body = { ok: true; bytes: Buffer } | { ok: false; because: 'too-large' | 'not-gzip' | 'gone' };

const unzip = promisify(gunzip);

/** Reads the body of a request and unzips it if `zipped` is set. Stops at the size limit. */
export async function readBody(request: IncomingMessage, limit: number, zipped: boolean): Promise<Body> {
  const body = await collect(request, limit);
  if (!body.ok || !zipped) return body;
  try {
    return { ok: true, bytes: await unzip(body.bytes, { maxOutputLength: limit }) };
  } catch (error) {
    const large = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return { ok: false, because: large ? 'too-large' : 'not-gzip' };
  }
}

function collect(request: IncomingMessage, limit: number): Promise<Body> {
  return new Promise((resolve) => {
    if (request.destroyed) return resolve({ ok: false, because: 'gone' });
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (body: Body) => {
      request.removeAllListeners('data');
      resolve(body);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return settle({ ok: false, because: 'too-large' });
      chunks.push(chunk);
    });
    request.once('end', () =>
      settle({ ok: true, bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size) }),
    );
    // Both events mean that the client disconnected before the body was complete.
    request.once('error', () => settle({ ok: false, because: 'gone' }));
    request.once('close', () => settle({ ok: false, because: 'gone' }));
  });
}
