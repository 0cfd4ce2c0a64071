import { readPhoneNumber } from '../../domain/notification/phone-number.ts';
import { StartError } from '../platform/start-error.ts';
import { compileGateway, type GatewaySettings } from './gateway-template.ts';
import {
  gatewayInboundSettings,
  readGatewayInbound,
  readTwilioInbound,
  readWhatsAppInbound,
  twilioInboundSettings,
  whatsAppInboundSettings,
} from './inbound/settings.ts';
import { type PushSettings, usualPushServices } from './push.ts';
import {
  gatewayReceiptSettings,
  type Read,
  readAllOrNone,
  readGatewayReceipts,
  readTwilioAuthToken,
  readWhatsAppReceipts,
  twilioReceiptSettings,
  whatsAppReceiptSettings,
} from './receipt/settings.ts';
import { type TwilioSettings, twilioAuthToken } from './twilio.ts';
import type { WhatsAppSettings } from './whatsapp.ts';

export type SmsSettings = ({ by: 'gateway' } & GatewaySettings) | ({ by: 'twilio' } & TwilioSettings);

/** Settings of each method. Messages by a method without settings are kept in the outbox. */
export interface SenderSettings {
  sms: SmsSettings | undefined;
  whatsapp: WhatsAppSettings | undefined;
  push: PushSettings | undefined;
}

/** Names and defaults of all sender settings, for the table in docs/settings.md. */
export const senderSettings: readonly { name: string; default: string }[] = [
  { name: 'TOCSIN_SMS_URL', default: 'none' },
  { name: 'TOCSIN_SMS_METHOD', default: 'POST with a body, GET without' },
  { name: 'TOCSIN_SMS_BODY', default: 'none' },
  { name: 'TOCSIN_SMS_HEADERS', default: 'none' },
  { name: 'TOCSIN_SMS_SUCCESS', default: 'none' },
  { name: 'TOCSIN_SMS_ID', default: 'none' },
  ...gatewayReceiptSettings,
  ...gatewayInboundSettings,
  { name: 'TOCSIN_TWILIO_ACCOUNT', default: 'none' },
  { name: 'TOCSIN_TWILIO_TOKEN', default: 'none' },
  { name: 'TOCSIN_TWILIO_FROM', default: 'none' },
  { name: 'TOCSIN_TWILIO_URL', default: 'https://api.twilio.com' },
  ...twilioReceiptSettings,
  ...twilioInboundSettings,
  { name: 'TOCSIN_WHATSAPP_TOKEN', default: 'none' },
  { name: 'TOCSIN_WHATSAPP_PHONE_ID', default: 'none' },
  { name: 'TOCSIN_WHATSAPP_TEMPLATE', default: 'none' },
  { name: 'TOCSIN_WHATSAPP_LANGUAGE', default: 'en' },
  { name: 'TOCSIN_WHATSAPP_URL', default: 'https://graph.facebook.com/v23.0' },
  ...whatsAppReceiptSettings,
  ...whatsAppInboundSettings,
  { name: 'TOCSIN_PUSH_SUBJECT', default: 'none' },
  { name: 'TOCSIN_PUSH_SERVICES', default: 'those of Chrome, Edge, Firefox and Safari' },
];

export function readSenderSettings(read: Read): SenderSettings {
  return { sms: readSms(read), whatsapp: readWhatsApp(read), push: readPush(read) };
}

function readSms(read: Read): SmsSettings | undefined {
  const gateway = readGateway(read);
  const twilio = readTwilio(read);
  if (gateway && twilio) {
    throw new StartError('SMS can have only one sender: set either TOCSIN_SMS_URL or TOCSIN_TWILIO_ACCOUNT, not both.');
  }
  if (gateway) return { by: 'gateway', ...gateway };
  return twilio && { by: 'twilio', ...twilio };
}

function readGateway(read: Read): GatewaySettings | undefined {
  const url = read('TOCSIN_SMS_URL');
  const others = [
    ...['METHOD', 'BODY', 'HEADERS', 'SUCCESS', 'ID'].map((name) => `TOCSIN_SMS_${name}`),
    ...[...gatewayReceiptSettings, ...gatewayInboundSettings].map(({ name }) => name),
  ];
  if (url === undefined) {
    const alone = others.find((name) => read(name) !== undefined);
    if (alone) throw new StartError(`${alone} needs TOCSIN_SMS_URL, the address of the SMS gateway.`);
    return undefined;
  }
  const body = read('TOCSIN_SMS_BODY');
  const method = read('TOCSIN_SMS_METHOD')?.toUpperCase() ?? (body === undefined ? 'GET' : 'POST');
  if (method !== 'GET' && method !== 'POST' && method !== 'PUT') {
    throw new StartError('TOCSIN_SMS_METHOD must be GET, POST or PUT.');
  }
  if (method === 'GET' && body !== undefined) {
    throw new StartError('TOCSIN_SMS_BODY needs TOCSIN_SMS_METHOD to be POST or PUT: GET has no body.');
  }
  const settings: GatewaySettings = {
    url,
    method,
    body,
    headers: readHeaders(read('TOCSIN_SMS_HEADERS')),
    success: read('TOCSIN_SMS_SUCCESS'),
    id: read('TOCSIN_SMS_ID'),
    receipts: readGatewayReceipts(read),
    inbound: readGatewayInbound(read),
  };
  compileGateway(settings);
  if (/\{receipt\}/.test(`${url} ${body ?? ''}`) && !(settings.receipts && read('TOCSIN_PUBLIC_URL'))) {
    throw new StartError(
      '{receipt} needs TOCSIN_SMS_RECEIPT_SECRET and TOCSIN_PUBLIC_URL, because both are part of the receipt address.',
    );
  }
  return settings;
}

function readHeaders(value: string | undefined): Record<string, string> {
  if (value === undefined) return {};
  const fault = 'TOCSIN_SMS_HEADERS must be a JSON object with text values, such as {"Authorization":"Bearer …"}.';
  let headers: unknown;
  try {
    headers = JSON.parse(value);
  } catch {
    // Leaves out the parser's error message, because it quotes the text, which can contain a key.
    throw new StartError(fault);
  }
  if (headers === null || typeof headers !== 'object' || Array.isArray(headers)) throw new StartError(fault);
  for (const [name, content] of Object.entries(headers)) {
    if (typeof content !== 'string') throw new StartError(fault);
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(content)) {
      throw new StartError('TOCSIN_SMS_HEADERS has a name or a value that is not allowed in a header.');
    }
    if (/^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect)$/i.test(name)) {
      throw new StartError(
        'TOCSIN_SMS_HEADERS names a header that the server sets itself, such as Content-Length. Remove it.',
      );
    }
  }
  return headers as Record<string, string>;
}

function readTwilio(read: Read): TwilioSettings | undefined {
  const given = readAllOrNone(read, ['TOCSIN_TWILIO_ACCOUNT', 'TOCSIN_TWILIO_TOKEN', 'TOCSIN_TWILIO_FROM']);
  const authToken = readTwilioAuthToken(read);
  if (!given) {
    requireSender(read, 'TOCSIN_TWILIO_INBOUND', 'TOCSIN_TWILIO_ACCOUNT');
    return undefined;
  }
  const [account = '', token = '', from = ''] = given;
  if (!/^AC[0-9a-f]{32}$/i.test(account)) {
    throw new StartError('TOCSIN_TWILIO_ACCOUNT must be the account SID: AC followed by 32 letters and digits.');
  }
  if (!/^[\x21-\x7e]+$/.test(token) || (/^SK/.test(token) && !/^SK[0-9a-f]{32}:.+$/i.test(token))) {
    throw new StartError("TOCSIN_TWILIO_TOKEN must be the account's auth token, or an API key as SK…:secret.");
  }
  const service = /^MG[0-9a-f]{32}$/i.test(from);
  const sender = /^\d{3,8}$/.test(from) || /^(?=.*[A-Za-z])[\w &+-]{1,11}$/.test(from);
  if (!service && !sender && readPhoneNumber(from) === undefined) {
    throw new StartError(
      'TOCSIN_TWILIO_FROM must be a number such as +15005550006, a short code, a name of up to 11 letters, or the SID of a messaging service (MG…).',
    );
  }
  const settings = { account, token, from, url: readBase(read, 'TOCSIN_TWILIO_URL'), authToken };
  const isAnswerable = readTwilioInbound(read, { from, isSigned: twilioAuthToken(settings) !== undefined });
  return { ...settings, ...(isAnswerable && { inbound: true }) };
}

function readWhatsApp(read: Read): WhatsAppSettings | undefined {
  const given = readAllOrNone(read, ['TOCSIN_WHATSAPP_TOKEN', 'TOCSIN_WHATSAPP_PHONE_ID']);
  const receipts = readWhatsAppReceipts(read);
  if (!given) {
    requireSender(read, 'TOCSIN_WHATSAPP_INBOUND', 'TOCSIN_WHATSAPP_TOKEN');
    return undefined;
  }
  const [token = '', phoneId = ''] = given;
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new StartError('TOCSIN_WHATSAPP_TOKEN must be ASCII characters without spaces.');
  if (!/^\d{5,20}$/.test(phoneId)) {
    throw new StartError("TOCSIN_WHATSAPP_PHONE_ID must be the number's id in WhatsApp Manager: digits only.");
  }
  const template = read('TOCSIN_WHATSAPP_TEMPLATE');
  if (template !== undefined && !/^[a-z0-9_]{1,512}$/.test(template)) {
    throw new StartError('TOCSIN_WHATSAPP_TEMPLATE must be the name of a template: lower-case letters, digits and _.');
  }
  const language = read('TOCSIN_WHATSAPP_LANGUAGE') ?? 'en';
  if (!/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(language)) {
    throw new StartError('TOCSIN_WHATSAPP_LANGUAGE must be a language code such as en, en_GB or de.');
  }
  const isAnswerable = readWhatsAppInbound(read, receipts !== undefined);
  const url = readBase(read, 'TOCSIN_WHATSAPP_URL');
  return { token, phoneId, template, language, url, receipts, ...(isAnswerable && { inbound: true }) };
}

function requireSender(read: Read, name: string, sender: string): void {
  if (read(name) !== undefined) throw new StartError(`${name} needs ${sender}, because people answer sent messages.`);
}

function readPush(read: Read): PushSettings | undefined {
  const subject = read('TOCSIN_PUSH_SUBJECT');
  const services = read('TOCSIN_PUSH_SERVICES')
    ?.split(',')
    .map((service) => service.trim())
    .filter(Boolean);
  if (services?.some((service) => !/^((\*\.)?[a-z0-9.-]+(:\d+)?|https?:\/\/[a-z0-9.-]+(:\d+)?)$/i.test(service))) {
    throw new StartError(
      'TOCSIN_PUSH_SERVICES must be host names separated by commas, such as fcm.googleapis.com, *.push.apple.com.',
    );
  }
  if (subject === undefined) return undefined;
  if (!/^(mailto:[^@\s]+@[^@\s]+|https:\/\/[^\s/]+\S*)$/.test(subject) || !URL.canParse(subject)) {
    throw new StartError('TOCSIN_PUSH_SUBJECT must look like mailto:you@company.com or https://company.com.');
  }
  return { subject, services: services?.length ? services : usualPushServices };
}

function readBase(read: Read, name: string): string {
  const value = read(name) ?? senderSettings.find((setting) => setting.name === name)?.default ?? '';
  const usable = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && !/[?#@]/.test(value);
  if (!usable) throw new StartError(`${name} must be an address such as https://api.example.com.`);
  return value.replace(/\/+$/, '');
}
