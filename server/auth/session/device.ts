import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { randomToken } from '../../platform/clock.ts';

/**
 * Lifetime of a known device. A sign-in makes a device known for one account. The device's cookie has one token for
 * each account: `time.random.signature`. The signature covers the account and its password hash, so a new password
 * revokes the token.
 */
export const DEVICE_LIFE_MS = 180 * 24 * 60 * 60_000;
/** Maximum number of accounts on one device. Above it, the account that signed in least recently is dropped. */
const MOST_ACCOUNTS = 8;
const TOKEN = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{43})$/;

interface DeviceOwner {
  uuid: string;
  passwordHash: string | null;
}

/** Returns the token's random part, which identifies the device; null if the device is not known for this account. */
export function knownDevice(
  key: KeyObject,
  cookie: string | undefined,
  account: DeviceOwner | null | undefined,
  now: Date,
): string | null {
  if (!account) return null;
  for (const token of tokensOf(cookie)) {
    const [, time = '', random = '', signature = ''] = TOKEN.exec(token)!;
    const age = now.getTime() - Number.parseInt(time, 36);
    const given = Buffer.from(signature, 'base64url');
    const expected = sign(key, account, time, random);
    if (given.length === expected.length && timingSafeEqual(given, expected) && age < DEVICE_LIFE_MS) return random;
  }
  return null;
}

/**
 * Returns a cookie with a new token for this account. It replaces the account's previous token and keeps the tokens of
 * other accounts.
 */
export function rememberDevice(
  key: KeyObject,
  cookie: string | undefined,
  account: DeviceOwner,
  now: Date,
  before: DeviceOwner = account,
): string {
  const others = tokensOf(cookie).filter((token) => knownDevice(key, token, before, now) === null);
  const time = now.getTime().toString(36);
  const random = randomToken(12);
  const token = `${time}.${random}.${sign(key, account, time, random).toString('base64url')}`;
  return [token, ...others].slice(0, MOST_ACCOUNTS).join('~');
}

function tokensOf(cookie: string | undefined): string[] {
  return (cookie ?? '').split('~', MOST_ACCOUNTS).filter((token) => TOKEN.test(token));
}

function sign(key: KeyObject, account: DeviceOwner, time: string, random: string): Buffer {
  return createHmac('sha256', key).update(`${account.uuid} ${account.passwordHash} ${time} ${random}`).digest();
}
