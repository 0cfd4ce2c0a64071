import { createHmac, type KeyObject } from 'node:crypto';
import type { MethodType } from '../../domain/notify/methods.ts';

const DAY_SECONDS = 86_400;
export const LINK_DAYS = 7;

/**
 * What a message carries so that one touch leads to its alarm's acknowledge dialog: the alarm, the way the message went, and
 * when it ends, sealed. It proves where the acknowledgement came from and opens nothing: whoever follows it signs in first.
 * tocsin_definer.channel_of_link in the database reads it.
 */
export function alarmLink(key: KeyObject, alarmUuid: string, method: MethodType, now: Date): string {
  const body = Buffer.alloc(21);
  body.write(alarmUuid.replaceAll('-', ''), 0, 16, 'hex');
  body.writeUInt8(method, 16);
  body.writeUInt32BE(Math.floor(now.getTime() / 1000) + LINK_DAYS * DAY_SECONDS, 17);
  const seal = createHmac('sha256', key).update(body).digest().subarray(0, 16);
  return Buffer.concat([body, seal]).toString('base64url');
}

/** The short address in a message. It leads to the alarm in the console, with the acknowledge dialog asked for. */
export function alarmAddress(publicUrl: string, link: string): string {
  return `${publicUrl.replace(/\/$/, '')}/a/${link}`;
}

/** Where such an address leads; undefined where it is none. Whether the seal holds is checked when it is used. */
export function consoleAddress(link: string): string | undefined {
  if (!/^[\w-]{50}$/.test(link)) return undefined;
  const hex = Buffer.from(link, 'base64url').subarray(0, 16).toString('hex');
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return `/dashboard/alarms?alarm=${uuid}&acknowledge=${link}`;
}
