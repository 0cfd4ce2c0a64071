import { METHOD } from '../../../domain/notification/methods.ts';
import { signedByTwilio, type TwilioReceiptOptions } from '../receipt/twilio.ts';
import { type InboundEndpoint, inboundMessage } from './inbound.ts';

export const TWILIO_INBOUND = '/api/v1/inbound/twilio';

/** Creates an endpoint for the SMS that Twilio receives. Twilio signs these calls like receipts. */
export function twilioInboundEndpoint(options: TwilioReceiptOptions): InboundEndpoint {
  return {
    provider: 'twilio',
    method: METHOD.sms,
    route: TWILIO_INBOUND,
    mostBytes: 65_536,
    read(call) {
      const fields = new URLSearchParams(call.body.toString('utf8'));
      const because = 'its signature is wrong: check TOCSIN_PUBLIC_URL and the auth token';
      if (!signedByTwilio(call, fields, options)) return { kind: 'refused', because };
      const message = inboundMessage({
        id: fields.get('MessageSid') ?? fields.get('SmsSid'),
        from: fields.get('From'),
        text: fields.get('Body'),
      });
      // The answers to a call with the method GET are signed without fields, so it has no message.
      return message
        ? { kind: 'messages', messages: [message], unusable: [] }
        : { kind: 'messages', messages: [], unusable: ['it has no MessageSid: let Twilio call by POST'] };
    },
  };
}
