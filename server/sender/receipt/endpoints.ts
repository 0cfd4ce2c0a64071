import { compileGateway } from '../gateway-template.ts';
import type { SenderSettings } from '../settings.ts';
import { twilioAuthToken } from '../twilio.ts';
import type { ReceiptDoor } from './receipt.ts';
import { GATEWAY_RECEIPTS, gatewayReceiptDoor } from './sms-gateway.ts';
import { TWILIO_RECEIPTS, twilioReceiptDoor } from './twilio.ts';
import { WHATSAPP_RECEIPTS, whatsAppReceiptDoor } from './whatsapp.ts';

export type ReceiptConfig = Pick<SenderSettings, 'sms' | 'whatsapp'> & { publicUrl: string | undefined };

/** The providers that report here what became of their messages. */
export function receiptDoors({ sms, whatsapp, publicUrl }: ReceiptConfig): ReceiptDoor[] {
  const doors: ReceiptDoor[] = [];
  if (whatsapp?.receipts) doors.push(whatsAppReceiptDoor(whatsapp.receipts, whatsapp.template));
  if (sms?.by === 'gateway' && sms.receipts) doors.push(gatewayReceiptDoor(sms.receipts, compileGateway(sms).secrets));
  // The signature covers the address as people outside see it, which only this setting says.
  const authToken = sms?.by === 'twilio' ? twilioAuthToken(sms) : undefined;
  if (authToken !== undefined && publicUrl !== undefined) {
    doors.push(twilioReceiptDoor({ authToken, address: `${publicUrl}${TWILIO_RECEIPTS}` }));
  }
  return doors;
}

/** Where the provider of SMS is told to report, for those that want to know it with each message. */
export function smsCallback(config: ReceiptConfig): string | undefined {
  const { sms, publicUrl } = config;
  if (!sms || publicUrl === undefined || !receiptDoors({ ...config, whatsapp: undefined }).length) return undefined;
  if (sms.by === 'twilio') return `${publicUrl}${TWILIO_RECEIPTS}`;
  return sms.receipts && `${publicUrl}${GATEWAY_RECEIPTS}/${sms.receipts.secret}`;
}

const shown: Readonly<Record<string, string>> = {
  twilio: TWILIO_RECEIPTS,
  whatsapp: WHATSAPP_RECEIPTS,
  sms: `${GATEWAY_RECEIPTS}/`,
};

/** The address that is entered at a provider, without the secret: this one is seen by the managers of every customer. */
export function shownReceiptAddress(config: ReceiptConfig, provider: string): string | undefined {
  const open = receiptDoors(config).some((door) => door.provider === provider);
  return open ? `${config.publicUrl ?? ''}${shown[provider]}` : undefined;
}
