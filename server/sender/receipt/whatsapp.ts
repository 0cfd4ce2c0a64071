import { createHmac } from 'node:crypto';
import { presentable } from '../answer.ts';
import { asObject, readObject } from '../read-object.ts';
import { explainWhatsAppCode } from '../whatsapp-codes.ts';
import { type Receipt, type ReceiptCall, type ReceiptDoor, sameSecret, usableId } from './receipt.ts';

export const WHATSAPP_RECEIPTS = '/api/v1/receipts/whatsapp';

export interface WhatsAppReceiptSettings {
  /** The secret of the Meta app, by which every call is signed. */
  appSecret: string;
  /** A word of the administrator's own, which Meta repeats when the address is entered there. */
  verifyToken: string;
}

/** What WhatsApp reports by the webhook of a Meta app. */
export function whatsAppReceiptDoor(
  { appSecret, verifyToken }: WhatsAppReceiptSettings,
  template: string | undefined,
): ReceiptDoor {
  return {
    provider: 'whatsapp',
    route: WHATSAPP_RECEIPTS,
    // Meta gathers reports while an address does not answer and then sends many in one call.
    mostBytes: 3_145_728,
    read(call) {
      if (call.method === 'GET') return greet(call, verifyToken);
      const expected = `sha256=${createHmac('sha256', appSecret).update(call.body).digest('hex')}`;
      const given = call.headers['x-hub-signature-256'];
      if (typeof given !== 'string' || !sameSecret(given, expected)) {
        return { kind: 'refused', because: 'its signature does not fit: look at TOCSIN_WHATSAPP_APP_SECRET' };
      }
      return { kind: 'receipts', receipts: receiptsOf(call.body.toString('utf8'), template, [appSecret, verifyToken]) };
    },
  };
}

function greet({ query }: ReceiptCall, verifyToken: string): ReturnType<ReceiptDoor['read']> {
  const challenge = query.get('hub.challenge') ?? '';
  const meant = query.get('hub.mode') === 'subscribe' && sameSecret(query.get('hub.verify_token') ?? '', verifyToken);
  return meant && /^[\w-]{1,200}$/.test(challenge)
    ? { kind: 'greeting', text: challenge }
    : { kind: 'refused', because: 'its verify token is not the one of TOCSIN_WHATSAPP_VERIFY_TOKEN' };
}

/** A webhook also tells of messages that people write and of other numbers of the app, which are nothing to us. */
function receiptsOf(body: string, template: string | undefined, secrets: readonly string[]): Receipt[] {
  return listOf(readObject(body).entry)
    .flatMap((entry) => listOf(asObject(entry).changes))
    .flatMap((change) => listOf(asObject(asObject(change).value).statuses))
    .flatMap((status) => receiptOf(asObject(status), template, secrets));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function receiptOf(
  { id, status, errors }: Record<string, unknown>,
  template: string | undefined,
  secrets: readonly string[],
): Receipt[] {
  if (!usableId(id)) return [];
  // Who has read a message has got it, also where the report of its arrival is missing.
  if (status === 'delivered' || status === 'read') return [{ providerId: id, state: 'delivered', words: status }];
  if (status !== 'failed') return [];
  const words = presentable(explain(asObject(listOf(errors)[0]), template), secrets);
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
