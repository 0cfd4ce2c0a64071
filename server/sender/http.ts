import { quoteAnswer } from './answer.ts';
import type { SendResult } from './sender.ts';

const MOST_BYTES = 65_536;
/** Maximum number of concurrent requests to one provider. */
export const CONNECTIONS = 4;

export interface HttpRequest {
  url: string;
  method: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array<ArrayBuffer>;
}

export type HttpAnswer =
  | { answered: true; status: number; body: string; location: string; afterSeconds: number | undefined }
  | { answered: false; because: 'too-slow' | 'not-reached' | 'closed'; detail: string };

export interface HttpClient {
  /** Sends a request. Never throws. Does not follow redirects, so that credentials reach only the configured host. */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Waits for running requests. Requests that have not started are not sent, and their result is `closed`. */
  close(): Promise<void>;
}

export interface HttpClientOptions {
  timeoutMs?: number | undefined;
  /** Maximum number of concurrent requests. Further requests wait. */
  connections?: number | undefined;
}

/** Creates the HTTP client that the senders use. */
export function createHttpClient({
  timeoutMs = 10_000,
  connections = CONNECTIONS,
}: HttpClientOptions = {}): HttpClient {
  const running = new Set<Promise<HttpAnswer>>();
  const waiting: (() => void)[] = [];
  let free = connections;
  let closed = false;

  const runWhenFree = async (request: HttpRequest): Promise<HttpAnswer> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      if (closed) return { answered: false, because: 'closed', detail: '' };
      return await call(request, timeoutMs);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };

  return {
    async request(request) {
      const answer = runWhenFree(request);
      running.add(answer);
      try {
        return await answer;
      } finally {
        running.delete(answer);
      }
    },
    async close() {
      closed = true;
      await Promise.all(running);
    },
  };
}

async function call({ url, method, headers, body }: HttpRequest, timeoutMs: number): Promise<HttpAnswer> {
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
    });
    return {
      answered: true,
      status: response.status,
      body: await readBody(response),
      location: response.headers.get('location') ?? '',
      afterSeconds: readRetryAfter(response.headers.get('retry-after')),
    };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') {
      return { answered: false, because: 'too-slow', detail: '' };
    }
    // Returns only the error code, because the error message can contain the address with a password.
    const { code } = ((error as Error).cause ?? error) as { code?: unknown };
    return { answered: false, because: 'not-reached', detail: typeof code === 'string' ? code : 'no connection' };
  }
}

async function readBody(response: Response): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let room = MOST_BYTES;
  for await (const chunk of response.body) {
    chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
    if (room <= 0) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Returns the number of seconds in a Retry-After header, at most one hour, because alarms are urgent. Returns undefined
 * for a date, which would depend on the provider's clock.
 */
export function readRetryAfter(value: string | null): number | undefined {
  return value !== null && /^\d{1,9}$/.test(value.trim()) ? Math.min(Number(value), 3600) : undefined;
}

/**
 * Meaning of a response status. `administrator`: an administrator must fix the settings or the account, and the message
 * itself is valid.
 */
export type StatusClass = 'taken' | 'administrator' | 'later' | 'refused';

export function classifyStatus(status: number): StatusClass {
  if (status >= 200 && status < 300) return 'taken';
  if (status < 400 || [401, 402, 403, 404, 405, 407].includes(status)) return 'administrator';
  if (status >= 500 || [408, 409, 425, 429].includes(status)) return 'later';
  return 'refused';
}

/** Returns a sentence that explains why a request received no response. */
export function explainNoAnswer(who: string, answer: HttpAnswer & { answered: false }): string {
  if (answer.because === 'too-slow') return `${who} did not reply in time.`;
  if (answer.because === 'closed') return 'The server is stopping.';
  return `${who} cannot be reached (${answer.detail}).`;
}

/** Returns a sentence that explains an unsuccessful response. */
export function explainStatus(
  who: string,
  answer: HttpAnswer & { answered: true },
  secrets: readonly string[] = [],
): string {
  const { status, body } = answer;
  if (status >= 300 && status < 400) {
    return `${who} responded with a redirect (${status}), which Tocsin does not follow. Set the final address.`;
  }
  const said = quoteAnswer(body, secrets);
  switch (classifyStatus(status)) {
    case 'administrator':
      return `${who} refused this server's request (${status}). An administrator must check the account and the settings of this sender.${said}`;
    case 'later':
      return `${who} cannot accept the message now (${status}).${said}`;
    default:
      return `${who} did not accept the message (${status}).${said}`;
  }
}

/** Returns a `retry` result with the delay that the provider requested. */
export function retry(because: string, answer: HttpAnswer): SendResult {
  const afterSeconds = answer.answered ? answer.afterSeconds : undefined;
  return { outcome: 'retry', because, ...(afterSeconds !== undefined && { afterSeconds }) };
}

/** Removes all characters that are not printable ASCII, so that the value is safe in an HTTP header. */
export function headerSafe(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '').trim();
}
