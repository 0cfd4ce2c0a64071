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
import { readObject } from './read-object.ts';
import type { Message, Sender, SenderHealth, SendResult } from './sender.ts';
import { METHOD } from './sender.ts';

export interface TwilioSettings {
  /** SID of the account, which starts with AC. */
  account: string;
  /** Auth token of the account, or an API key as `SK…:secret`. */
  token: string;
  /**
   * Sender of the messages: a number in E.164 format, a short code, a name, or the SID of a messaging service, which
   * starts with MG.
   */
  from: string;
  url: string;
  /** Auth token of the account. Required for receipts if `token` is an API key. */
  authToken?: string | undefined;
  /** True if people can answer messages. */
  inbound?: boolean;
}

export interface TwilioOptions extends TwilioSettings {
  timeoutMs?: number;
  /** Address for status callbacks; undefined if Twilio should send none. */
  callback?: string | undefined;
}

const who = 'Twilio';
/** Maximum number of characters that Twilio accepts in a message. */
const MOST_CHARACTERS = 1600;

/** Permanent errors, caused by the message or the number. Messages with these errors are not retried. */
const permanent: Readonly<Record<number, string>> = {
  21211: 'Twilio reports that this phone number does not exist.',
  21214: 'Twilio reports that this phone number cannot be reached.',
  21217: 'Twilio reports that this phone number does not exist.',
  21265: 'Twilio reports that this phone number cannot receive messages.',
  21602: 'Twilio does not send an empty message.',
  21608: 'This Twilio account is on trial and can send only to numbers that are verified in the Twilio console.',
  21610:
    'This person replied STOP, so Twilio no longer sends them messages. To receive messages again, they must reply START.',
  21612: "Twilio cannot reach this phone number from this account's sender.",
  21614: 'Twilio reports that this phone number does not accept SMS.',
  21617: 'Twilio reports that the message is too long.',
  21635: 'Twilio reports that this phone number is a landline and does not accept SMS.',
};

/** Errors that an administrator can fix. Messages with these errors are retried. */
const fixable: Readonly<Record<number, string>> = {
  20003: 'Twilio refused the sign-in. Check TOCSIN_TWILIO_ACCOUNT and TOCSIN_TWILIO_TOKEN.',
  20005: 'This Twilio account is not active. Check the account in the Twilio console.',
  20404: 'Twilio does not recognise this account. Check TOCSIN_TWILIO_ACCOUNT.',
  21212: 'Twilio refused the sender. Check TOCSIN_TWILIO_FROM.',
  21408:
    'This Twilio account is not allowed to send to this country. Allow the country in the geographic permissions of the Twilio console.',
  21603: 'Twilio refused the sender. Check TOCSIN_TWILIO_FROM.',
  21606: 'Twilio refused the sender. Check TOCSIN_TWILIO_FROM.',
  21659: 'Twilio refused the sender. Check TOCSIN_TWILIO_FROM.',
  21660: 'The sender belongs to another Twilio account. Check TOCSIN_TWILIO_FROM.',
  21703: 'The Twilio messaging service has no numbers. Add a number in the Twilio console.',
  21704: 'The Twilio messaging service has no numbers. Add a number in the Twilio console.',
  21705: 'Twilio does not recognise the messaging service. Check TOCSIN_TWILIO_FROM.',
};

/** Codes of temporary errors. Messages with these errors are retried. */
const temporary = new Set([14107, 20429, 20503, 21611, 30001, 63038]);

/**
 * Error code that Twilio returns if it cannot call the receipt address, for example an address in a private network.
 */
const CALLBACK_REFUSED = 21609;

/**
 * Creates a sender that uses Twilio for SMS. A message counts as `sent` when Twilio has queued it. A receipt confirms
 * the delivery.
 */
export function createTwilioSender(options: TwilioOptions): Sender {
  const http = createHttpClient({ timeoutMs: options.timeoutMs });
  const [user, password] = splitToken(options);
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const secrets = [password, options.token, authorization.slice(6)];
  const messages = `${options.url}/2010-04-01/Accounts/${encodeURIComponent(options.account)}/Messages.json`;
  const sender: Record<string, string> = /^MG[0-9a-f]{32}$/i.test(options.from)
    ? { MessagingServiceSid: options.from }
    : { From: readPhoneNumber(options.from) ?? options.from };
  let { callback } = options;

  const post = (fields: Record<string, string>, idempotencyKey: string) =>
    http.request({
      url: messages,
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': headerSafe(idempotencyKey),
      },
      body: new URLSearchParams({ ...fields, ...(callback !== undefined && { StatusCallback: callback }) }).toString(),
    });

  return {
    name: 'twilio',
    title: 'SMS through Twilio',
    methodType: METHOD.sms,
    isExternal: true,
    atOnce: CONNECTIONS,
    checkAddress: checkPhoneNumber,

    async send({ address, text, idempotencyKey }: Message): Promise<SendResult> {
      const to = readPhoneNumber(address);
      if (to === undefined) return { outcome: 'give-up', because: checkPhoneNumber(address) ?? '' };
      const fields = { To: to, ...sender, Body: shorten(text, MOST_CHARACTERS) };
      let answer = await post(fields, idempotencyKey);
      if (callback !== undefined && answer.answered && readObject(answer.body).code === CALLBACK_REFUSED) {
        // Twilio rejects every message that has this callback address. Until the process restarts, messages are
        // therefore sent without it, so no receipts arrive.
        callback = undefined;
        answer = await post(fields, idempotencyKey);
      }
      return classifyTwilioAnswer(answer, secrets);
    },

    async check(): Promise<SenderHealth> {
      // Lists messages in order to check the account, because an API key may not be allowed to read the account itself.
      const answer = await http.request({ url: `${messages}?PageSize=1`, method: 'GET', headers: { authorization } });
      if (answer.answered && classifyStatus(answer.status) === 'taken') return { ok: true };
      const result = classifyTwilioAnswer(answer, secrets);
      return { ok: false, problem: 'because' in result ? result.because : '' };
    },

    receiptProblem: () =>
      callback === options.callback
        ? undefined
        : 'Twilio cannot call the receipt address. Set TOCSIN_PUBLIC_URL to a public address that Twilio can reach.',

    close: () => http.close(),
  };
}

/** Returns the token with which Twilio signs receipts; undefined if only an API key is configured. */
export function twilioAuthToken({ token, authToken }: TwilioSettings): string | undefined {
  return authToken ?? (apiKey.test(token) ? undefined : token);
}

const apiKey = /^(SK[0-9a-f]{32}):(.+)$/i;

function splitToken({ account, token }: TwilioSettings): [string, string] {
  const key = apiKey.exec(token);
  return key ? [key[1] ?? '', key[2] ?? ''] : [account, token];
}

/** Converts Twilio's response into the result of a send. */
export function classifyTwilioAnswer(answer: HttpAnswer, secrets: readonly string[] = []): SendResult {
  if (!answer.answered) return retry(explainNoAnswer(who, answer), answer);
  const said = readObject(answer.body);
  const verdict = classifyStatus(answer.status);
  if (verdict === 'taken') {
    return typeof said.sid === 'string'
      ? { outcome: 'sent', providerId: cleanAnswer(said.sid), answer: cleanAnswer(summary(said), secrets) }
      : retry(`${who} answered ${answer.status}, but without a message ID. Check TOCSIN_TWILIO_URL.`, answer);
  }
  const code = typeof said.code === 'number' ? said.code : 0;
  if (permanent[code]) return { outcome: 'give-up', because: `${permanent[code]} (${code})` };
  if (fixable[code]) return retry(`${fixable[code]} (${code})`, answer);
  const words = typeof said.message === 'string' ? `${code} ${said.message}` : answer.body;
  const because = explainStatus(who, { ...answer, body: words }, secrets);
  return verdict === 'refused' && !temporary.has(code) ? { outcome: 'give-up', because } : retry(because, answer);
}

function summary(said: Record<string, unknown>): string {
  return `${said.status ?? 'taken'}${said.num_segments === undefined ? '' : `, segments: ${said.num_segments}`}`;
}
