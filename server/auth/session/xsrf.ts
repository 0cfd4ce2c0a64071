import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { randomToken } from '../../platform/clock.ts';

/** Creates an XSRF token, `random.signature`, which is valid for one session only. */
export function makeXsrfToken(key: KeyObject, sessionHash: Buffer): string {
  const random = randomToken(16);
  return `${random}.${sign(key, sessionHash, random).toString('base64url')}`;
}

export function xsrfTokenFits(key: KeyObject, sessionHash: Buffer, token: string | undefined): boolean {
  const [random, signature, more] = (token ?? '').split('.');
  if (!random || !signature || more !== undefined) return false;
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(key, sessionHash, random);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign(key: KeyObject, sessionHash: Buffer, random: string): Buffer {
  return createHmac('sha256', key).update(sessionHash).update(random).digest();
}
