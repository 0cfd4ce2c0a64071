import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { HttpAnswer } from '../sender/http.ts';
import { readRetryAfter } from '../sender/http.ts';
import { type AddressRules, checkUrl, PRIVATE_SENTENCE, type Resolve, resolveHost } from './address.ts';

const MOST_BYTES = 16_384;

export interface PostOptions extends AddressRules {
  timeoutMs: number;
  resolve?: Resolve;
}

export type PostAnswer = HttpAnswer | { answered: false; because: 'refused'; detail: string };

/**
 * Posts a body to a URL of a user. Resolves the name, checks every address, and connects only to these addresses. Does
 * not follow redirects. Reads at most 16 KiB of the response. The whole request ends after the timeout. Never throws.
 */
export async function post(
  text: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  options: PostOptions,
): Promise<PostAnswer> {
  const checked = checkUrl(text, options);
  if (!checked.ok) return { answered: false, because: 'refused', detail: checked.sentence };
  const { url } = checked;
  const signal = AbortSignal.timeout(options.timeoutMs);
  const resolved = await Promise.race([
    resolveHost(url.hostname, options, options.resolve),
    new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true })),
  ]);
  if (!resolved) return { answered: false, because: 'too-slow', detail: '' };
  if (!resolved.ok) {
    return resolved.because === 'private'
      ? { answered: false, because: 'refused', detail: PRIVATE_SENTENCE }
      : { answered: false, because: 'not-reached', detail: 'the host name is unknown' };
  }
  // Answers every look-up of the connection with the checked addresses, so that the name is not resolved again.
  const { addresses } = resolved;
  const answerLookup = ((_host, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, addresses);
    else done(null, first?.address ?? '', first?.family ?? 4);
  }) as LookupFunction;
  return send(url, headers, body, answerLookup, signal);
}

function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  answerLookup: LookupFunction,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const failed = (error: Error & { code?: string }) => {
      if (signal.aborted) return resolve({ answered: false, because: 'too-slow', detail: '' });
      // Only the error code is returned, because the message can contain the URL.
      resolve({ answered: false, because: 'not-reached', detail: error.code ?? 'no connection' });
    };
    const make = url.protocol === 'http:' ? requestHttp : requestHttps;
    const outgoing = make(
      url,
      {
        method: 'POST',
        agent: false,
        lookup: answerLookup,
        signal,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        let room = MOST_BYTES;
        const end = () =>
          resolve({
            answered: true,
            status: incoming.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8'),
            location: '',
            afterSeconds: readRetryAfter(incoming.headers['retry-after'] ?? null),
          });
        incoming.on('data', (chunk: Buffer) => {
          chunks.push(chunk.subarray(0, room));
          room -= chunk.length;
          if (room <= 0) {
            end();
            incoming.destroy();
          }
        });
        incoming.on('end', end);
        incoming.on('error', failed);
      },
    );
    outgoing.on('error', failed);
    outgoing.end(body);
  });
}
