import { METHOD, type MethodType } from '../../../domain/notification/methods.ts';
import type { ReceiptConfig } from '../receipt/endpoints.ts';
import { WHATSAPP_RECEIPTS } from '../receipt/whatsapp.ts';
import { twilioAuthToken } from '../twilio.ts';
import type { InboundEndpoint } from './inbound.ts';
import { GATEWAY_INBOUND, gatewayInboundEndpoint } from './sms-gateway.ts';
import { TWILIO_INBOUND, twilioInboundEndpoint } from './twilio.ts';

/**
 * Returns an endpoint for each sender that receives answers at its own address. Answers by WhatsApp come with the
 * receipts, because a Meta app has only one webhook.
 */
export function inboundEndpoints({ sms, publicUrl }: ReceiptConfig): InboundEndpoint[] {
  if (sms?.by === 'gateway') return sms.inbound ? [gatewayInboundEndpoint(sms.inbound)] : [];
  const authToken = sms?.inbound ? twilioAuthToken(sms) : undefined;
  if (authToken === undefined || publicUrl === undefined) return [];
  return [twilioInboundEndpoint({ authToken, address: `${publicUrl}${TWILIO_INBOUND}` })];
}

/** Returns the methods by which people can answer. */
export function answerableMethods(config: ReceiptConfig): Set<MethodType> {
  const methods = new Set(inboundEndpoints(config).map(({ method }) => method));
  if (config.whatsapp?.inbound && config.whatsapp.receipts) methods.add(METHOD.whatsapp);
  return methods;
}

/**
 * Returns the address at which a provider delivers answers; undefined if there is none. A secret part is left out,
 * because managers of all customers can see the address.
 */
export function shownInboundAddress(config: ReceiptConfig, provider: string): string | undefined {
  const base = config.publicUrl ?? '';
  if (provider === 'whatsapp') {
    return answerableMethods(config).has(METHOD.whatsapp) ? `${base}${WHATSAPP_RECEIPTS}` : undefined;
  }
  const endpoint = inboundEndpoints(config).find((one) => one.provider === provider);
  return (
    endpoint && `${base}${endpoint.route === `${GATEWAY_INBOUND}/:secret` ? `${GATEWAY_INBOUND}/` : endpoint.route}`
  );
}
