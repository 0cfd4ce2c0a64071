import { compileGateway } from '../gateway-template.ts';
import type { SenderSettings } from '../settings.ts';
import { twilioAuthToken } from '../twilio.ts';
import type { ReceiptEndpoint } from './receipt.ts';
import { GATEWAY_RECEIPTS, gatewayReceiptEndpoint } from './sms-gateway.ts';
import { TWILIO_RECEIPTS, twilioReceiptEndpoint } from './twilio.ts';
import { WHATSAPP_RECEIPTS, whatsAppReceiptEndpoint } from './whatsapp.ts';

export type ReceiptConfig = Pick<SenderSettings, 'sms' | 'whatsapp'> & { publicUrl: string | undefined };

/** The configured endpoints for receipts. */
export function receiptEndpoints({ sms, whatsapp, publicUrl }: ReceiptConfig): ReceiptEndpoint[] {
  const endpoints: ReceiptEndpoint[] = [];
  if (whatsapp?.receipts) endpoints.push(whatsAppReceiptEndpoint(whatsapp.receipts, whatsapp.template));
  if (sms?.by === 'gateway' && sms.receipts)
    endpoints.push(gatewayReceiptEndpoint(sms.receipts, compileGateway(sms).secrets));
  // Twilio signs the public address of the endpoint, so `publicUrl` must be set.
  const authToken = sms?.by === 'twilio' ? twilioAuthToken(sms) : undefined;
  if (authToken !== undefined && publicUrl !== undefined) {
    endpoints.push(twilioReceiptEndpoint({ authToken, address: `${publicUrl}${TWILIO_RECEIPTS}` }));
  }
  return endpoints;
}

/** The callback address for SMS senders that pass it with every message. */
export function smsCallback(config: ReceiptConfig): string | undefined {
  const { sms, publicUrl } = config;
  if (!sms || publicUrl === undefined || !receiptEndpoints({ ...config, whatsapp: undefined }).length) return undefined;
  if (sms.by === 'twilio') return `${publicUrl}${TWILIO_RECEIPTS}`;
  return sms.receipts && `${publicUrl}${GATEWAY_RECEIPTS}/${sms.receipts.secret}`;
}

const shown: Readonly<Record<string, string>> = {
  twilio: TWILIO_RECEIPTS,
  whatsapp: WHATSAPP_RECEIPTS,
  sms: `${GATEWAY_RECEIPTS}/`,
};

/** The address to enter at a provider, without its secret, because managers of all customers see it. */
export function shownReceiptAddress(config: ReceiptConfig, provider: string): string | undefined {
  const open = receiptEndpoints(config).some((endpoint) => endpoint.provider === provider);
  return open ? `${config.publicUrl ?? ''}${shown[provider]}` : undefined;
}
