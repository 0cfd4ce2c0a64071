import { StartError } from '../../platform/start-error.ts';
import { isPath } from '../receipt/sms-gateway.ts';
import type { GatewayInboundSettings } from './sms-gateway.ts';

type Read = (name: string) => string | undefined;

interface Setting {
  name: string;
  default: string;
}

export const gatewayInboundSettings: readonly Setting[] = [
  { name: 'TOCSIN_SMS_INBOUND_SECRET', default: 'none' },
  { name: 'TOCSIN_SMS_INBOUND_PROOF', default: 'signature' },
  { name: 'TOCSIN_SMS_INBOUND_ID', default: 'id' },
  { name: 'TOCSIN_SMS_INBOUND_FROM', default: 'from' },
  { name: 'TOCSIN_SMS_INBOUND_TEXT', default: 'text' },
];

export const twilioInboundSettings: readonly Setting[] = [{ name: 'TOCSIN_TWILIO_INBOUND', default: 'off' }];
export const whatsAppInboundSettings: readonly Setting[] = [{ name: 'TOCSIN_WHATSAPP_INBOUND', default: 'off' }];

export function readGatewayInbound(read: Read): GatewayInboundSettings | undefined {
  const secret = read('TOCSIN_SMS_INBOUND_SECRET');
  if (secret === undefined) {
    const alone = gatewayInboundSettings.find(({ name }) => read(name) !== undefined);
    if (alone) throw new StartError(`${alone.name} needs TOCSIN_SMS_INBOUND_SECRET, which proves who sends answers.`);
    return undefined;
  }
  if (!/^[\w-]{16,200}$/.test(secret)) {
    throw new StartError(
      'TOCSIN_SMS_INBOUND_SECRET must have 16 to 200 characters, only letters, digits, - and _. Create one with: openssl rand -hex 24',
    );
  }
  const proof = read('TOCSIN_SMS_INBOUND_PROOF') ?? 'signature';
  if (proof !== 'signature' && proof !== 'address') {
    throw new StartError('TOCSIN_SMS_INBOUND_PROOF must be signature or address.');
  }
  const path = (name: string, usual: string) => {
    const written = read(name) ?? usual;
    if (isPath(written)) return written;
    throw new StartError(`${name} must be the name of a field or a path such as messages[].text.`);
  };
  return {
    ...{ secret, proof },
    id: path('TOCSIN_SMS_INBOUND_ID', 'id'),
    from: path('TOCSIN_SMS_INBOUND_FROM', 'from'),
    text: path('TOCSIN_SMS_INBOUND_TEXT', 'text'),
  };
}

/** Reads TOCSIN_TWILIO_INBOUND. `from` is the sender of the SMS, and `isSigned` is true if Twilio's calls can be checked. */
export function readTwilioInbound(read: Read, { from, isSigned }: { from: string; isSigned: boolean }): boolean {
  if (!readSwitch(read, 'TOCSIN_TWILIO_INBOUND')) return false;
  if (!isSigned || read('TOCSIN_PUBLIC_URL') === undefined) {
    throw new StartError(
      'TOCSIN_TWILIO_INBOUND needs TOCSIN_PUBLIC_URL and, if TOCSIN_TWILIO_TOKEN is an API key, TOCSIN_TWILIO_AUTH_TOKEN, because Twilio signs the public address with the auth token.',
    );
  }
  if (/[A-Za-z]/.test(from) && !/^MG[0-9a-f]{32}$/i.test(from)) {
    throw new StartError('TOCSIN_TWILIO_INBOUND needs a number in TOCSIN_TWILIO_FROM: people cannot answer a name.');
  }
  return true;
}

export function readWhatsAppInbound(read: Read, hasReceipts: boolean): boolean {
  if (!readSwitch(read, 'TOCSIN_WHATSAPP_INBOUND')) return false;
  if (!hasReceipts) {
    throw new StartError(
      'TOCSIN_WHATSAPP_INBOUND needs TOCSIN_WHATSAPP_APP_SECRET and TOCSIN_WHATSAPP_VERIFY_TOKEN, because answers come to the webhook for receipts.',
    );
  }
  return true;
}

function readSwitch(read: Read, name: string): boolean {
  const value = read(name) ?? 'off';
  if (value !== 'on' && value !== 'off') throw new StartError(`${name} must be on or off.`);
  return value === 'on';
}
