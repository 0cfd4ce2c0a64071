import { createHmac } from 'node:crypto';
import { cleanAnswer } from '../answer.ts';
import { isUsableId, type Receipt, type ReceiptCall, type ReceiptEndpoint, sameSecret } from './receipt.ts';

export const TWILIO_RECEIPTS = '/api/v1/receipts/twilio';

export interface TwilioReceiptOptions {
  /** Auth token of the account. Twilio signs receipts with it, even if messages are sent with an API key. */
  authToken: string;
  /** Callback address exactly as it was passed to Twilio, because the signature covers the address. */
  address: string;
}

/** Explanations for the error codes in Twilio's receipts. */
const reasons: Readonly<Record<string, string>> = {
  30003: 'The phone is off or out of reach.',
  30004: "The phone or its network blocks this sender's messages.",
  30005: 'The number does not exist, or the phone was off for too long.',
  30006: 'The number is a landline, or its network cannot be reached.',
  30007: "The network filtered the message as unwanted. Check the sender's registration with Twilio.",
  30008: 'The network gave no reason.',
  30034: 'The sender is not registered for messages to this country. Check the Twilio console.',
};

/** Creates an endpoint for Twilio's status callbacks. */
export function twilioReceiptEndpoint({ authToken, address }: TwilioReceiptOptions): ReceiptEndpoint {
  return {
    provider: 'twilio',
    route: TWILIO_RECEIPTS,
    mostBytes: 65_536,
    read(call) {
      const fields = new URLSearchParams(call.body.toString('utf8'));
      const because = 'its signature is wrong: check TOCSIN_PUBLIC_URL and the auth token';
      if (!signedByTwilio(call, fields, { authToken, address })) return { kind: 'refused', because };
      return { kind: 'receipts', receipts: receiptsOf(fields, authToken) };
    },
  };
}

/** Returns whether Twilio signed the call with the auth token. */
export function signedByTwilio(
  { headers, search }: ReceiptCall,
  fields: URLSearchParams,
  { authToken, address }: TwilioReceiptOptions,
): boolean {
  const given = headers['x-twilio-signature'];
  if (typeof given !== 'string') return false;
  return spellings(`${address}${search}`).some((url) => sameSecret(given, twilioSignature(authToken, url, fields)));
}

/** Returns the HMAC of the address followed by the names and values of all fields, sorted by name. */
export function twilioSignature(authToken: string, url: string, fields: URLSearchParams): string {
  const names = [...new Set(fields.keys())].sort();
  const signed = names.flatMap((name) => [...new Set(fields.getAll(name))].sort().map((value) => `${name}${value}`));
  return createHmac('sha1', authToken)
    .update(`${url}${signed.join('')}`)
    .digest('base64');
}

/** Returns the address with and without a port, because Twilio may have signed either form. */
function spellings(url: string): string[] {
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)([^/?#]*)(.*)$/i.exec(url) ?? [];
  const bare = host.replace(/:\d+$/, '');
  return [url, `${scheme}${bare}${rest}`, `${scheme}${bare}:${scheme === 'http://' ? 80 : 443}${rest}`];
}

function receiptsOf(fields: URLSearchParams, authToken: string): Receipt[] {
  const providerId = fields.get('MessageSid') ?? fields.get('SmsSid');
  const status = (fields.get('MessageStatus') ?? fields.get('SmsStatus') ?? '').toLowerCase();
  if (!isUsableId(providerId)) return [];
  if (status === 'delivered' || status === 'read') return [{ providerId, state: 'delivered', words: status }];
  if (!['undelivered', 'failed', 'canceled'].includes(status)) return [];
  const code = fields.get('ErrorCode') ?? '';
  const reason = reasons[code] ?? fields.get('ErrorMessage') ?? '';
  const words = cleanAnswer(`Twilio could not deliver the message${code && ` (${code})`}. ${reason}`, [authToken]);
  return [{ providerId, state: 'failed', words }];
}
