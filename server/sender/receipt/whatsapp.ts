import { createHmac } from 'node:crypto';
import { cleanAnswer } from '../answer.ts';
import type { InboundMessage } from '../inbound/message.ts';
import { whatsAppMessages } from '../inbound/whatsapp.ts';
import { asObject, readObject } from '../read-object.ts';
import { explainWhatsAppCode } from '../whatsapp-codes.ts';
import { isUsableId, type Receipt, type ReceiptCall, type ReceiptEndpoint, sameSecret } from './receipt.ts';

export const WHATSAPP_RECEIPTS = '/api/v1/receipts/whatsapp';

export interface WhatsAppReceiptSettings {
  /** Secret of the Meta app. Meta signs every call with it. */
  appSecret: string;
  /** Token chosen by the administrator. Meta sends it when the webhook is registered. */
  verifyToken: string;
}

/**
 * Creates an endpoint for webhook calls of a Meta app. `answersTo` is the id of the phone number whose messages are
 * answers; without it, messages are ignored.
 */
export function whatsAppReceiptEndpoint(
  { appSecret, verifyToken }: WhatsAppReceiptSettings,
  template: string | undefined,
  answersTo?: string,
): ReceiptEndpoint {
  return {
    provider: 'whatsapp',
    route: WHATSAPP_RECEIPTS,
    // If the webhook has not responded for some time, Meta sends many reports in one call, so this limit is high.
    mostBytes: 3_145_728,
    takesAnswers: answersTo !== undefined,
    read(call) {
      if (call.method === 'GET') return greet(call, verifyToken);
      const expected = `sha256=${createHmac('sha256', appSecret).update(call.body).digest('hex')}`;
      const given = call.headers['x-hub-signature-256'];
      if (typeof given !== 'string' || !sameSecret(given, expected)) {
        return { kind: 'refused', because: 'its signature is wrong: check TOCSIN_WHATSAPP_APP_SECRET' };
      }
      const values = valuesOf(call.body.toString('utf8'));
      return {
        kind: 'receipts',
        receipts: receiptsOf(values, template, [appSecret, verifyToken]),
        ...(answersTo !== undefined && { messages: messagesOf(values, answersTo) }),
      };
    },
  };
}

function greet({ query }: ReceiptCall, verifyToken: string): ReturnType<ReceiptEndpoint['read']> {
  const challenge = query.get('hub.challenge') ?? '';
  const meant = query.get('hub.mode') === 'subscribe' && sameSecret(query.get('hub.verify_token') ?? '', verifyToken);
  return meant && /^[\w-]{1,200}$/.test(challenge)
    ? { kind: 'greeting', text: challenge }
    : { kind: 'refused', because: 'its verify token is not TOCSIN_WHATSAPP_VERIFY_TOKEN' };
}

/** Returns the values of a webhook call. A value has delivery reports or messages of people. */
function valuesOf(body: string): Record<string, unknown>[] {
  return listOf(readObject(body).entry)
    .flatMap((entry) => listOf(asObject(entry).changes))
    .map((change) => asObject(asObject(change).value));
}

function receiptsOf(
  values: readonly Record<string, unknown>[],
  template: string | undefined,
  secrets: readonly string[],
): Receipt[] {
  return values
    .flatMap(({ statuses }) => listOf(statuses))
    .flatMap((status) => receiptOf(asObject(status), template, secrets));
}

function messagesOf(values: readonly Record<string, unknown>[], phoneId: string): InboundMessage[] {
  return values.flatMap((value) => whatsAppMessages(value, phoneId));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function receiptOf(
  { id, status, errors }: Record<string, unknown>,
  template: string | undefined,
  secrets: readonly string[],
): Receipt[] {
  if (!isUsableId(id)) return [];
  // A message that was read was also delivered, so `read` counts as delivered even if that report is missing.
  if (status === 'delivered' || status === 'read') return [{ providerId: id, state: 'delivered', words: status }];
  if (status !== 'failed') return [];
  const words = cleanAnswer(explain(asObject(listOf(errors)[0]), template), secrets);
  return [{ providerId: id, state: 'failed', words }];
}

function explain(
  { code, title, message, error_data: data }: Record<string, unknown>,
  template: string | undefined,
): string {
  const known = typeof code === 'number' ? explainWhatsAppCode(code, template) : undefined;
  if (known !== undefined) return `${known} (${code})`;
  const { details } = asObject(data);
  const said = [details, message, title].find((words) => typeof words === 'string' && words !== '');
  return `WhatsApp could not deliver the message${typeof code === 'number' ? ` (${code})` : ''}. ${said ?? ''}`;
}
