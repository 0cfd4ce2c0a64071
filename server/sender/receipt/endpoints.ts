import { compileGateway } from '../gateway-template.ts';
import type { SenderSettings } from '../settings.ts';
import { twilioAuthToken } from '../twilio.ts';
import type { ReceiptEndpoint } from './receipt.ts';
import { GATEWAY_RECEIPTS, gatewayReceiptEndpoint } from './sms-gateway.ts';
import { TWILIO_RECEIPTS, twilioReceiptEndpoint } from './twilio.ts';
import { WHATSAPP_RECEIPTS, whatsAppReceiptEndpoint } from './whatsapp.ts';

export type ReceiptConfig = Pick<SenderSettings, 'sms' | 'whatsapp'> & { publicUrl: string | undefined };

/** Returns an endpoint for each sender whose receipts are configured. */
export function receiptEndpoints({ sms, whatsapp, publicUrl }: ReceiptConfig): ReceiptEndpoint[] {
  const endpoints: ReceiptEndpoint[] = [];
  if (whatsapp?.receipts) {
    const answersTo = whatsapp.inbound ? whatsapp.phoneId : undefined;
    endpoints.push(whatsAppReceiptEndpoint(whatsapp.receipts, whatsapp.template, answersTo));
  }
  if (sms?.by === 'gateway' && sms.receipts)
    endpoints.push(gatewayReceiptEndpoint(sms.receipts, compileGateway(sms).secrets));
  // Twilio's signature covers the public URL of the endpoint, so receipts require `publicUrl`.
  const authToken = sms?.by === 'twilio' ? twilioAuthToken(sms) : undefined;
  if (authToken !== undefined && publicUrl !== undefined) {
    endpoints.push(twilioReceiptEndpoint({ authToken, address: `${publicUrl}${TWILIO_RECEIPTS}` }));
  }
  return endpoints;
}

/**
 * Returns the callback address that an SMS sender passes with every message; undefined if receipts are not configured.
 */
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

/**
 * Returns the receipt address to enter at a provider; undefined if the provider has no endpoint. Leaves out the secret
 * part, because managers of all customers can see the address.
 */
export function shownReceiptAddress(config: ReceiptConfig, provider: string): string | undefined {
  const open = receiptEndpoints(config).some((endpoint) => endpoint.provider === provider);
  return open ? `${config.publicUrl ?? ''}${shown[provider]}` : undefined;
}
