import { readPhoneNumber } from '../../domain/notify/phone-number.ts';
import { presentable, shorten } from './answer.ts';
import type { Channel, ChannelHealth, Message, SendResult } from './channel.ts';
import { METHOD, withLink } from './channel.ts';
import {
  createHttpClient,
  explainSilence,
  explainStatus,
  type HttpAnswer,
  headerSafe,
  judgeStatus,
  retry,
} from './http.ts';
import { checkPhoneNumber } from './phone-number.ts';
import { asObject, readObject } from './read-object.ts';
import type { WhatsAppReceiptSettings } from './whatsapp-receipt.ts';

export interface WhatsAppSettings {
  token: string;
  /** The id of the sender's number in WhatsApp Manager, which is not the number. */
  phoneId: string;
  /** An approved template whose body is or holds one variable; without it the message goes out as a text. */
  template: string | undefined;
  language: string;
  /** With the version, such as https://graph.facebook.com/v23.0. */
  url: string;
  /** Undefined where no receipts are taken. */
  receipts?: WhatsAppReceiptSettings | undefined;
}

export interface WhatsAppOptions extends WhatsAppSettings {
  timeoutMs?: number;
}

const who = 'WhatsApp';
const limits = { text: 4096, template: 1024 };

const signIn = 'WhatsApp refused the sign-in: make a new token and set TOCSIN_WHATSAPP_TOKEN.';
const permission =
  'The token may not send from this number: look at TOCSIN_WHATSAPP_TOKEN and TOCSIN_WHATSAPP_PHONE_ID.';
const number =
  'WhatsApp cannot send from this number: look at TOCSIN_WHATSAPP_PHONE_ID and at the number in WhatsApp Manager.';
const template = 'WhatsApp refused the template: look at TOCSIN_WHATSAPP_TEMPLATE and TOCSIN_WHATSAPP_LANGUAGE.';
const account = 'WhatsApp has restricted the business account: look at WhatsApp Manager.';

/** What is wrong with this message or this person, whatever the administrator does. */
const final: Readonly<Record<number, string>> = {
  130472: 'WhatsApp holds messages of this kind back from this person.',
  130497: "WhatsApp does not let this business write to people in this person's country.",
  131021: 'The person has the same number as the sender.',
  131026: 'WhatsApp cannot deliver to this number: it may have no WhatsApp, an old version, or not accept the terms.',
  131030: 'The number of WhatsApp is a test number and may write only to numbers on its list.',
  131047:
    'This person has not written to the sender for 24 hours, so WhatsApp takes only templates: set TOCSIN_WHATSAPP_TEMPLATE.',
  131050: 'This person does not want messages of this kind.',
  131051: 'WhatsApp does not take this kind of message.',
  132005: 'WhatsApp says that the message is too long for the template.',
  132007: 'WhatsApp says that the message breaks the rules for templates.',
};

/** What an administrator can mend: the same message goes through afterwards. */
const mendable: Readonly<Record<number, string>> = {
  0: signIn,
  3: permission,
  10: permission,
  33: number,
  190: signIn,
  368: account,
  131005: permission,
  131031: account,
  131037: number,
  131042: 'WhatsApp wants a payment method: look at the business account.',
  131045: number,
  132000: template,
  132001: template,
  132012: template,
  132015: template,
  132016: template,
  133010: number,
};

/** What passes by itself, though it may come with a status that says otherwise. */
const passing = new Set([1, 2, 4, 80007, 130429, 131000, 131016, 131048, 131049, 131056, 131057, 133004]);

/** WhatsApp by Meta's Cloud API. A message that it took is `sent`; a receipt says later that it arrived. */
export function createWhatsAppChannel(options: WhatsAppOptions): Channel {
  const http = createHttpClient({ timeoutMs: options.timeoutMs });
  const authorization = `Bearer ${options.token}`;
  const secrets = [options.token];
  const sender = `${options.url}/${encodeURIComponent(options.phoneId)}`;

  return {
    name: 'whatsapp',
    title: 'WhatsApp',
    methodType: METHOD.whatsapp,
    leavesTheHouse: true,
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
          // Comes back with the reports of what became of the message.
          biz_opaque_callback_data: message.idempotencyKey,
          ...contentOf(message, options),
        }),
      });
      return judgeWhatsApp(answer, secrets);
    },

    async check(): Promise<ChannelHealth> {
      const answer = await http.request({ url: `${sender}?fields=id`, method: 'GET', headers: { authorization } });
      if (answer.answered && judgeStatus(answer.status) === 'taken') return { ok: true };
      const result = judgeWhatsApp(answer, secrets);
      return { ok: false, problem: 'because' in result ? result.because : '' };
    },

    close: () => http.close(),
  };
}

/** What is behind a code of WhatsApp, as a sentence, where we know it. */
export function explainWhatsAppCode(code: number): string | undefined {
  return final[code] ?? mendable[code];
}

function contentOf(message: Message, { template: name, language }: WhatsAppSettings): Record<string, unknown> {
  const text = withLink(message);
  if (name === undefined) return { type: 'text', text: { body: shorten(text, limits.text) } };
  // A variable of a template may hold neither line breaks nor tabs nor many spaces.
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

/** What the answer of the Cloud API means for the message. Its codes say more than its status, which is often 400. */
export function judgeWhatsApp(answer: HttpAnswer, secrets: readonly string[] = []): SendResult {
  if (!answer.answered) return retry(explainSilence(who, answer), answer);
  const said = readObject(answer.body);
  const verdict = judgeStatus(answer.status);
  if (verdict === 'taken') {
    const { id, message_status: status } = asObject(asObject(said.messages)[0]);
    return typeof id === 'string'
      ? { outcome: 'sent', providerId: presentable(id), answer: presentable(String(status ?? 'accepted'), secrets) }
      : retry(`${who} answered ${answer.status}, but not with a message: look at TOCSIN_WHATSAPP_URL.`, answer);
  }
  const { code, message, error_data: data, error_subcode: subcode } = asObject(said.error);
  if (typeof code !== 'number') return byStatus(answer, secrets, false);
  if (final[code]) return { outcome: 'give-up', because: `${final[code]} (${code})` };
  // A number that the token may not see is the parameter 100, and only the second code tells it from others.
  const forbidden = (code >= 200 && code < 300) || (code === 100 && subcode === 33);
  const sentence = mendable[code] ?? (forbidden ? permission : undefined);
  if (sentence) return retry(`${sentence} (${code})`, answer);
  const { details } = asObject(data);
  const words = [code, message, details].filter((part) => part !== undefined).join(' ');
  return byStatus({ ...answer, body: words }, secrets, passing.has(code));
}

function byStatus(answer: HttpAnswer & { answered: true }, secrets: readonly string[], passes: boolean): SendResult {
  const because = explainStatus(who, passes ? { ...answer, status: 503 } : answer, secrets);
  return judgeStatus(answer.status) === 'refused' && !passes ? { outcome: 'give-up', because } : retry(because, answer);
}
