import { StartError } from '../../platform/start-error.ts';
import { type GatewayReceiptSettings, isPath } from './sms-gateway.ts';
import type { WhatsAppReceiptSettings } from './whatsapp.ts';

/** Returns the value of a setting without surrounding spaces, or undefined if it is empty. */
export type Read = (name: string) => string | undefined;

interface Setting {
  name: string;
  default: string;
}

const words = {
  delivered: 'delivered, DELIVRD',
  failed: 'failed, undelivered, undeliverable, rejected, expired, UNDELIV, REJECTD, EXPIRED, DELETED',
};

export const gatewayReceiptSettings: readonly Setting[] = [
  { name: 'TOCSIN_SMS_RECEIPT_SECRET', default: 'none' },
  { name: 'TOCSIN_SMS_RECEIPT_ID', default: 'id' },
  { name: 'TOCSIN_SMS_RECEIPT_STATE', default: 'status' },
  { name: 'TOCSIN_SMS_RECEIPT_REASON', default: 'none' },
  { name: 'TOCSIN_SMS_RECEIPT_DELIVERED', default: words.delivered },
  { name: 'TOCSIN_SMS_RECEIPT_FAILED', default: words.failed },
];

export const twilioReceiptSettings: readonly Setting[] = [
  { name: 'TOCSIN_TWILIO_AUTH_TOKEN', default: 'TOCSIN_TWILIO_TOKEN' },
];

export const whatsAppReceiptSettings: readonly Setting[] = [
  { name: 'TOCSIN_WHATSAPP_APP_SECRET', default: 'none' },
  { name: 'TOCSIN_WHATSAPP_VERIFY_TOKEN', default: 'none' },
];

export function readGatewayReceipts(read: Read): GatewayReceiptSettings | undefined {
  const secret = read('TOCSIN_SMS_RECEIPT_SECRET');
  if (secret === undefined) {
    const alone = gatewayReceiptSettings.find(({ name }) => read(name) !== undefined);
    if (alone)
      throw new StartError(`${alone.name} needs TOCSIN_SMS_RECEIPT_SECRET, the last part of the receipt address.`);
    return undefined;
  }
  if (!/^[\w-]{16,200}$/.test(secret)) {
    throw new StartError(
      'TOCSIN_SMS_RECEIPT_SECRET must have 16 to 200 characters, only letters, digits, - and _. Create one with: openssl rand -hex 24',
    );
  }
  const delivered = readWords(read('TOCSIN_SMS_RECEIPT_DELIVERED') ?? words.delivered);
  const failed = readWords(read('TOCSIN_SMS_RECEIPT_FAILED') ?? words.failed);
  if (delivered.some((word) => failed.includes(word))) {
    throw new StartError(
      'TOCSIN_SMS_RECEIPT_DELIVERED and TOCSIN_SMS_RECEIPT_FAILED share a word. Remove the word from one of them.',
    );
  }
  return {
    secret,
    id: readPath(read, 'TOCSIN_SMS_RECEIPT_ID') ?? 'id',
    state: readPath(read, 'TOCSIN_SMS_RECEIPT_STATE') ?? 'status',
    reason: readPath(read, 'TOCSIN_SMS_RECEIPT_REASON'),
    delivered,
    failed,
  };
}

function readWords(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter(Boolean);
}

function readPath(read: Read, name: string): string | undefined {
  const path = read(name);
  if (path === undefined || isPath(path)) return path;
  throw new StartError(`${name} must be the name of a field or a path such as results[].messageId.`);
}

export function readTwilioAuthToken(read: Read): string | undefined {
  const token = read('TOCSIN_TWILIO_AUTH_TOKEN');
  if (token === undefined) return undefined;
  if (read('TOCSIN_TWILIO_ACCOUNT') === undefined) {
    throw new StartError('TOCSIN_TWILIO_AUTH_TOKEN needs TOCSIN_TWILIO_ACCOUNT, the account it belongs to.');
  }
  if (!/^[0-9a-z]+$/i.test(token)) {
    throw new StartError('TOCSIN_TWILIO_AUTH_TOKEN must be the auth token of the account: letters and digits.');
  }
  return token;
}

export function readWhatsAppReceipts(read: Read): WhatsAppReceiptSettings | undefined {
  const given = readAllOrNone(read, ['TOCSIN_WHATSAPP_APP_SECRET', 'TOCSIN_WHATSAPP_VERIFY_TOKEN']);
  if (!given) return undefined;
  if (read('TOCSIN_WHATSAPP_TOKEN') === undefined) {
    throw new StartError(
      'TOCSIN_WHATSAPP_APP_SECRET needs TOCSIN_WHATSAPP_TOKEN, because only sent messages have receipts.',
    );
  }
  const [appSecret = '', verifyToken = ''] = given;
  if (!/^[\x21-\x7e]+$/.test(appSecret)) {
    throw new StartError('TOCSIN_WHATSAPP_APP_SECRET must be ASCII characters without spaces.');
  }
  if (!/^[\x21-\x7e]{16,200}$/.test(verifyToken)) {
    throw new StartError('TOCSIN_WHATSAPP_VERIFY_TOKEN must be one word of 16 to 200 characters.');
  }
  return { appSecret, verifyToken };
}

/**
 * Reads settings that must be set together. Returns undefined if none is set, and throws a StartError if only some are
 * set.
 */
export function readAllOrNone(read: Read, names: readonly string[]): string[] | undefined {
  const values = names.map(read).filter((value) => value !== undefined);
  if (values.length === 0) return undefined;
  if (values.length < names.length) throw new StartError(`Set all of ${names.join(', ')}, or none.`);
  return values;
}
