import { createHmac } from 'node:crypto';
import { METHOD } from '../../../domain/notification/methods.ts';
import { type ReceiptCall, sameSecret } from '../receipt/receipt.ts';
import { readBody, valuesAt } from '../receipt/sms-gateway.ts';
import { type InboundEndpoint, inboundMessage } from './inbound.ts';
import type { InboundMessage } from './message.ts';

export const GATEWAY_INBOUND = '/api/v1/inbound/sms';
export const SIGNATURE_HEADER = 'x-tocsin-signature';

/** Largest difference between the time of a signature and the server's time. */
const LONGEST_WAY_MS = 5 * 60_000;

export interface GatewayInboundSettings {
  secret: string;
  /** `signature`: the gateway signs each call with the secret. `address`: the address ends with the secret. */
  proof: 'signature' | 'address';
  /** Fields that contain the message id, the sender's number and the text: names, or paths such as `messages[].id`. */
  id: string;
  from: string;
  text: string;
}

/** Creates an endpoint for the SMS that a gateway receives, as a query, a form or JSON. */
export function gatewayInboundEndpoint(settings: GatewayInboundSettings): InboundEndpoint {
  const { secret, proof } = settings;
  return {
    provider: 'sms',
    method: METHOD.sms,
    route: proof === 'address' ? `${GATEWAY_INBOUND}/:secret` : GATEWAY_INBOUND,
    mostBytes: 65_536,
    read(call, now) {
      const because =
        proof === 'signature'
          ? signatureProblem(call, secret, now)
          : sameSecret(call.secret, secret)
            ? undefined
            : 'its address does not end with TOCSIN_SMS_INBOUND_SECRET';
      return because === undefined ? messagesOf(call, settings) : { kind: 'refused', because };
    },
  };
}

/** Returns the signature of a call: `t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>" in hex>`. */
export function gatewaySignature(secret: string, seconds: number, body: Buffer | string): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`;
}

function signatureProblem({ method, headers, body }: ReceiptCall, secret: string, now: Date): string | undefined {
  // The signature covers the body only.
  if (method !== 'POST') return 'a signed call must use the method POST';
  const given = headers[SIGNATURE_HEADER];
  const [, seconds] = /^t=(\d{1,12}),v1=[0-9a-f]{64}$/.exec(typeof given === 'string' ? given : '') ?? [];
  if (seconds === undefined) return `it has no signature in the header ${SIGNATURE_HEADER}`;
  if (!sameSecret(given as string, gatewaySignature(secret, Number(seconds), body))) {
    return 'its signature is wrong: check TOCSIN_SMS_INBOUND_SECRET';
  }
  const way = Math.abs(now.getTime() - Number(seconds) * 1000);
  return way > LONGEST_WAY_MS ? 'its signature is older than five minutes, or from the future' : undefined;
}

function messagesOf(call: ReceiptCall, settings: GatewayInboundSettings): ReturnType<InboundEndpoint['read']> {
  const body = readBody(call);
  const said = [body, settings.proof === 'address' ? Object.fromEntries(call.query) : undefined].find((source) =>
    valuesAt(source, settings.id).some((id) => id !== ''),
  );
  const [from, texts] = [valuesAt(said, settings.from), valuesAt(said, settings.text)];
  const unusable = new Set<string>();
  if (said === undefined) unusable.add(`it has no value at ${settings.id}: check TOCSIN_SMS_INBOUND_ID`);
  const messages = valuesAt(said, settings.id).flatMap((id, place): InboundMessage[] => {
    const message = inboundMessage({ id, from: from[place], text: texts[place] });
    if (message && !from[place]) unusable.add(`it has no value at ${settings.from}: check TOCSIN_SMS_INBOUND_FROM`);
    return message && from[place] ? [message] : [];
  });
  return { kind: 'messages', messages, unusable: [...unusable] };
}
