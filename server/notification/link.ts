import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { METHOD, type MethodType } from '../../domain/notification/methods.ts';

const DAY_SECONDS = 86_400;
export const LINK_DAYS = 7;

const BODY_BYTES = 21;
const SIGNATURE_BYTES = 16;

/**
 * Returns a signed link to an alarm. It contains, as base64url: alarm uuid (16 bytes), method (1), expiry in seconds
 * (4) and a truncated HMAC (16). The link proves by which method the message was sent. It grants no access: the
 * recipient must sign in.
 */
export function alarmLink(key: KeyObject, alarmUuid: string, method: MethodType, now: Date): string {
  const body = Buffer.alloc(BODY_BYTES);
  uuidBytes(alarmUuid).copy(body);
  body.writeUInt8(method, 16);
  body.writeUInt32BE(Math.floor(now.getTime() / 1000) + LINK_DAYS * DAY_SECONDS, 17);
  return Buffer.concat([body, signature(key, body)]).toString('base64url');
}

/**
 * Result of checking a link. `method` is a key of METHOD. An acknowledgement by link stores it as
 * `acknowledge_json.channel`.
 */
export type LinkCheck = { ok: true; method: string } | { ok: false; because: 'invalid' | 'expired' };

/** Verifies a link's signature, alarm and expiry. This is the only place where links are verified. */
export function checkAlarmLink(key: KeyObject, link: string, alarmUuid: string, now: Date): LinkCheck {
  const bytes = Buffer.from(link, 'base64url');
  // `Buffer.from` ignores characters that are not base64url. Encoding the bytes again and comparing the result with the
  // link detects them.
  if (bytes.length !== BODY_BYTES + SIGNATURE_BYTES || bytes.toString('base64url') !== link) {
    return { ok: false, because: 'invalid' };
  }
  const body = bytes.subarray(0, BODY_BYTES);
  const isSigned = timingSafeEqual(bytes.subarray(BODY_BYTES), signature(key, body));
  const [method] = Object.entries(METHOD).find(([, number]) => number === body.readUInt8(16)) ?? [];
  if (!isSigned || !body.subarray(0, 16).equals(uuidBytes(alarmUuid)) || method === undefined) {
    return { ok: false, because: 'invalid' };
  }
  if (body.readUInt32BE(17) * 1000 < now.getTime()) return { ok: false, because: 'expired' };
  return { ok: true, method };
}

function signature(key: KeyObject, body: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, SIGNATURE_BYTES);
}

function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidText(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns the short URL for a message. The URL opens the acknowledge dialog of the alarm. */
export function alarmAddress(publicUrl: string, link: string): string {
  return `${publicUrl.replace(/\/$/, '')}/a/${link}`;
}

/**
 * Returns the short URL of a digest. The URL opens the list of the digest's alarms. Users see only the alarms that they
 * are allowed to see.
 */
export function digestAddress(publicUrl: string, notificationUuid: string): string {
  return `${publicUrl.replace(/\/$/, '')}/d/${uuidBytes(notificationUuid).toString('base64url')}`;
}

/** Returns the console URL to which the link of a digest redirects; undefined if the link is malformed. */
export function digestConsoleAddress(link: string): string | undefined {
  if (!/^[\w-]{22}$/.test(link)) return undefined;
  return `/dashboard/alarms?show=all&digest=${uuidText(Buffer.from(link, 'base64url'))}`;
}

/**
 * Returns the console URL to which a link redirects; undefined if the link is malformed. Does not verify the signature:
 * `checkAlarmLink` verifies it when the user acknowledges.
 */
export function consoleAddress(link: string): string | undefined {
  if (!/^[\w-]{50}$/.test(link)) return undefined;
  const uuid = uuidText(Buffer.from(link, 'base64url').subarray(0, 16));
  return `/dashboard/alarms?alarm=${uuid}&acknowledge=${link}`;
}
