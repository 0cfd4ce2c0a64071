import { createHmac } from 'node:crypto';

/**
 * Returns the headers that sign a request: an HMAC-SHA256 of the time in seconds, a dot and the body. The receiver can
 * refuse an old time, so that a recorded request cannot be replayed.
 */
export function signedHeaders(secret: string, now: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'tocsin-timestamp': timestamp, 'tocsin-signature': `v1=${signature}` };
}
