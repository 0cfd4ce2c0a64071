import { serverAnswered, serverDidNotAnswer } from './connection.ts';

/** An error response from the server, or a failed connection. `errorMessage` is the text to show to users. */
export class ApiError extends Error {
  /** The HTTP status; 0 if the server did not respond. */
  readonly status: number;
  readonly errorMessage: string;
  /** The JSON body of the response, for errors that contain further data. */
  readonly body: unknown;

  constructor(status: number, errorMessage: string, body: unknown = null) {
    super(errorMessage);
    this.name = 'ApiError';
    this.status = status;
    this.errorMessage = errorMessage;
    this.body = body;
  }
}

/** Returns the message to show for a thrown error. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.errorMessage : 'Something went wrong. Try again.';
}

const refusals = new EventTarget();

/** Calls `listener` on every 401 response, because the session may have ended. Returns a function that unsubscribes. */
export function onUnauthorized(listener: () => void): () => void {
  refusals.addEventListener('unauthorized', listener);
  return () => refusals.removeEventListener('unauthorized', listener);
}

/** Returns the value of one cookie from the text of `document.cookie`; null if it is missing. */
export function readCookie(cookies: string, name: string): string | null {
  for (const pair of cookies.split(';')) {
    const [key, ...value] = pair.trim().split('=');
    if (key === name) {
      return decodeURIComponent(value.join('='));
    }
  }
  return null;
}

let token: string | null | undefined;

/**
 *  Caches the XSRF token for calls that start together, because each read of the cookie waits for the browser's network
 * process.
 */
function xsrfToken(): string | null {
  if (token === undefined) {
    token = readCookie(document.cookie, 'XSRF-TOKEN');
    queueMicrotask(() => {
      token = undefined;
    });
  }
  return token;
}

interface CallOptions {
  body?: unknown;
  signal?: AbortSignal;
}

/**
 * Sends one request with the session cookie and, for POST, the XSRF token. Returns the JSON body of a successful
 * response, or null if the response has no JSON. Throws an ApiError otherwise.
 */
export async function call<T>(method: 'GET' | 'POST', path: string, options: CallOptions = {}): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (options.body !== undefined) {
    headers['Content-Type'] = 'application/json';
  }
  const xsrf = method === 'GET' ? null : xsrfToken();
  if (xsrf) {
    headers['X-XSRF-TOKEN'] = xsrf;
  }
  const response = await send(path, {
    method,
    headers,
    credentials: 'include',
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const body = await readJson(response);
  if (response.ok) {
    return body as T;
  }
  if (response.status === 401) {
    refusals.dispatchEvent(new Event('unauthorized'));
  }
  throw new ApiError(response.status, sentence(response.status, body), body);
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(path, init);
    serverAnswered();
    return response;
  } catch (error) {
    if (init.signal?.aborted) {
      throw error;
    }
    serverDidNotAnswer();
    throw new ApiError(0, 'The server did not respond. Check your connection and try again.');
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') {
    return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    if (!response.ok) {
      return null;
    }
    throw new ApiError(response.status, 'The server’s response could not be read. Try again.');
  }
}

function sentence(status: number, body: unknown): string {
  if (typeof body === 'object' && body !== null && 'errorMessage' in body && typeof body.errorMessage === 'string') {
    return body.errorMessage;
  }
  if (status === 429) {
    return 'Too many attempts. Wait a minute and try again.';
  }
  return status >= 500
    ? 'The request failed on the server. Try again in a minute.'
    : 'The server refused the request. Reload the page and try again.';
}
