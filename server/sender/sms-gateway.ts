import { readPhoneNumber } from '../../domain/notification/phone-number.ts';
import { cleanAnswer, quoteAnswer, shorten } from './answer.ts';
import { compileGateway, type GatewaySettings } from './gateway-template.ts';
import {
  CONNECTIONS,
  classifyStatus,
  createHttpClient,
  explainNoAnswer,
  explainStatus,
  type HttpAnswer,
  retry,
} from './http.ts';
import { checkPhoneNumber } from './phone-number.ts';
import { GATEWAY_ID } from './receipt/sms-gateway.ts';
import type { Message, Sender, SenderHealth, SendResult } from './sender.ts';
import { METHOD } from './sender.ts';

export interface SmsGatewayOptions extends GatewaySettings {
  timeoutMs?: number;
  /** Address for receipts. It replaces the placeholder `{receipt}`. */
  callback?: string | undefined;
}

const who = 'The SMS gateway';

/**
 * Creates a sender for any SMS gateway that accepts a message in one HTTP request. A message counts as `sent` when the
 * gateway has accepted it. A receipt can confirm the delivery.
 */
export function createSmsGatewaySender(options: SmsGatewayOptions): Sender {
  const template = compileGateway(options);
  const secrets = [...template.secrets, ...(options.receipts ? [options.receipts.secret] : [])];
  const http = createHttpClient({ timeoutMs: options.timeoutMs });
  /**
   * Reason for the gateway's last refusal; undefined after a success. `check` reports it, because the request of
   * `check` sends no message and cannot detect a refusal.
   */
  let refusal: string | undefined;

  const resultOf = (answer: HttpAnswer): SendResult => {
    if (!answer.answered) return retry(explainNoAnswer(who, answer), answer);
    const status = classifyStatus(answer.status);
    if (status === 'taken' && options.success !== undefined && !answer.body.includes(options.success)) {
      const because = `${who} did not confirm the message with the text of TOCSIN_SMS_SUCCESS.${quoteAnswer(answer.body, secrets)}`;
      refusal = because;
      return retry(because, answer);
    }
    if (status === 'taken') {
      refusal = undefined;
      const providerId = shorten(cleanAnswer(template.readId(answer.body), secrets), GATEWAY_ID);
      return { outcome: 'sent', providerId, answer: cleanAnswer(answer.body, secrets) };
    }
    const because = explainStatus(who, answer, secrets);
    if (status === 'administrator') refusal = because;
    return status === 'refused' ? { outcome: 'give-up', because } : retry(because, answer);
  };

  return {
    name: 'sms',
    title: 'SMS',
    methodType: METHOD.sms,
    isExternal: true,
    atOnce: CONNECTIONS,
    checkAddress: checkPhoneNumber,

    async send({ address, text, idempotencyKey }: Message): Promise<SendResult> {
      const to = readPhoneNumber(address);
      if (to === undefined) return { outcome: 'give-up', because: checkPhoneNumber(address) ?? '' };
      const { url, headers, body } = template.fill({
        ...{ to, text, key: idempotencyKey },
        ...(options.callback !== undefined && { receipt: options.callback }),
      });
      return resultOf(
        await http.request({ url, method: options.method, headers, ...(body !== undefined && { body }) }),
      );
    },

    async check(): Promise<SenderHealth> {
      // Requests only the origin, because a request with the full path could send a message.
      const answer = await http.request({ url: `${template.origin}/`, method: 'HEAD' });
      if (!answer.answered) return { ok: false, problem: explainNoAnswer(who, answer) };
      if ([502, 503, 504].includes(answer.status)) return { ok: false, problem: explainStatus(who, answer) };
      return refusal === undefined ? { ok: true } : { ok: false, problem: refusal };
    },

    close: () => http.close(),
  };
}
