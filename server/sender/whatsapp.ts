import { readPhoneNumber } from '../../domain/notification/phone-number.ts';
import { cleanAnswer, shorten } from './answer.ts';
import {
  CONNECTIONS,
  classifyStatus,
  createHttpClient,
  explainNoAnswer,
  explainStatus,
  type HttpAnswer,
  headerSafe,
  retry,
} from './http.ts';
import { checkPhoneNumber } from './phone-number.ts';
import { asObject, readObject } from './read-object.ts';
import type { WhatsAppReceiptSettings } from './receipt/whatsapp.ts';
import type { Message, Sender, SenderHealth, SendResult } from './sender.ts';
import { METHOD, withLink } from './sender.ts';
import { explainPermanent, fixable, permission, temporary } from './whatsapp-codes.ts';

export interface WhatsAppSettings {
  token: string;
  /** Id that WhatsApp Manager shows for the sending number. It differs from the phone number. */
  phoneId: string;
  /**
   * Name of an approved template with one variable in its body. If undefined, messages are sent as plain text without a
   * template.
   */
  template: string | undefined;
  language: string;
  /** URL of the API including its version, such as https://graph.facebook.com/v23.0. */
  url: string;
  /** Receipt settings; undefined if receipts are not configured. */
  receipts?: WhatsAppReceiptSettings | undefined;
  /** True if people can answer messages. */
  inbound?: boolean;
}

export interface WhatsAppOptions extends WhatsAppSettings {
  timeoutMs?: number;
}

const who = 'WhatsApp';
const limits = { text: 4096, template: 1024 };

/**
 * Creates a sender that uses Meta's Cloud API for WhatsApp messages. A message counts as `sent` when the API has
 * accepted it. A receipt confirms the delivery.
 */
export function createWhatsAppSender(options: WhatsAppOptions): Sender {
  const http = createHttpClient({ timeoutMs: options.timeoutMs });
  const authorization = `Bearer ${options.token}`;
  const secrets = [options.token];
  const sender = `${options.url}/${encodeURIComponent(options.phoneId)}`;

  return {
    name: 'whatsapp',
    title: 'WhatsApp',
    methodType: METHOD.whatsapp,
    isExternal: true,
    atOnce: CONNECTIONS,
    checkAddress: checkPhoneNumber,

    async send(message: Message): Promise<SendResult> {
      const to = readPhoneNumber(message.address);
      if (to === undefined) return { outcome: 'give-up', because: checkPhoneNumber(message.address) ?? '' };
      const answer = await http.request({
        url: `${sender}/messages`,
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          'idempotency-key': headerSafe(message.idempotencyKey),
        },
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to,
          // Meta repeats this value in its delivery reports.
          biz_opaque_callback_data: message.idempotencyKey,
          ...contentOf(message, options),
        }),
      });
      return classifyWhatsAppAnswer(answer, secrets, options.template);
    },

    async check(): Promise<SenderHealth> {
      const answer = await http.request({ url: `${sender}?fields=id`, method: 'GET', headers: { authorization } });
      if (answer.answered && classifyStatus(answer.status) === 'taken') return { ok: true };
      const result = classifyWhatsAppAnswer(answer, secrets);
      return { ok: false, problem: 'because' in result ? result.because : '' };
    },

    close: () => http.close(),
  };
}

function contentOf(message: Message, { template: name, language }: WhatsAppSettings): Record<string, unknown> {
  const text = withLink(message);
  if (name === undefined) return { type: 'text', text: { body: shorten(text, limits.text) } };
  // WhatsApp refuses template variables that contain line breaks, tabs or several spaces in a row.
  const oneLine = shorten(text.replace(/\s+/g, ' ').trim(), limits.template);
  return {
    type: 'template',
    template: {
      name,
      language: { code: language },
      components: [{ type: 'body', parameters: [{ type: 'text', text: oneLine }] }],
    },
  };
}

/**
 * Converts the response of the API into the result of a send. Checks the error code first, because the HTTP status is
 * often just 400.
 */
export function classifyWhatsAppAnswer(
  answer: HttpAnswer,
  secrets: readonly string[] = [],
  template?: string,
): SendResult {
  if (!answer.answered) return retry(explainNoAnswer(who, answer), answer);
  const said = readObject(answer.body);
  const verdict = classifyStatus(answer.status);
  if (verdict === 'taken') {
    const { id, message_status: status } = asObject(asObject(said.messages)[0]);
    return typeof id === 'string'
      ? { outcome: 'sent', providerId: cleanAnswer(id), answer: cleanAnswer(String(status ?? 'accepted'), secrets) }
      : retry(`${who} answered ${answer.status}, but without a message ID. Check TOCSIN_WHATSAPP_URL.`, answer);
  }
  const { code, message, error_data: data, error_subcode: subcode } = asObject(said.error);
  if (typeof code !== 'number') return byStatus(answer, secrets, false);
  const never = explainPermanent(code, template);
  if (never) return { outcome: 'give-up', because: `${never} (${code})` };
  // Code 100 means any invalid parameter. Together with subcode 33, it means that the token has no access to the
  // number.
  const forbidden = (code >= 200 && code < 300) || (code === 100 && subcode === 33);
  const sentence = fixable[code] ?? (forbidden ? permission : undefined);
  if (sentence) return retry(`${sentence} (${code})`, answer);
  const { details } = asObject(data);
  const words = [code, message, details].filter((part) => part !== undefined).join(' ');
  return byStatus({ ...answer, body: words }, secrets, temporary.has(code));
}

function byStatus(
  answer: HttpAnswer & { answered: true },
  secrets: readonly string[],
  isTemporary: boolean,
): SendResult {
  const because = explainStatus(who, isTemporary ? { ...answer, status: 503 } : answer, secrets);
  return classifyStatus(answer.status) === 'refused' && !isTemporary
    ? { outcome: 'give-up', because }
    : retry(because, answer);
}
