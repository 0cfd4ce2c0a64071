import { cleanAnswer, shorten } from '../answer.ts';
import { asObject } from '../read-object.ts';
import { isUsableId, type Receipt, type ReceiptCall, type ReceiptEndpoint, sameSecret } from './receipt.ts';

/** Maximum length of a gateway's message id. Longer ids are truncated. */
export const GATEWAY_ID = 200;
export const GATEWAY_RECEIPTS = '/api/v1/receipts/sms';

export interface GatewayReceiptSettings {
  /** Last part of the receipt address, known only to the gateway. */
  secret: string;
  /** Field of the receipt that contains the message id: a name, or a path such as `results[].messageId`. */
  id: string;
  state: string;
  reason: string | undefined;
  /** Lower-case status values that count as delivered. */
  delivered: readonly string[];
  failed: readonly string[];
}

/**
 * Creates an endpoint for the receipts of an SMS gateway. Reads the receipts from the query string, a form or JSON, at
 * the configured paths. Hides the values in `keys` in failure reasons.
 */
export function gatewayReceiptEndpoint(
  settings: GatewayReceiptSettings,
  keys: readonly string[] = [],
): ReceiptEndpoint {
  const secrets = [settings.secret, ...keys];
  return {
    provider: 'sms',
    route: `${GATEWAY_RECEIPTS}/:secret`,
    mostBytes: 65_536,
    read(call) {
      if (!sameSecret(call.secret, settings.secret)) {
        return { kind: 'refused', because: 'its address does not end with TOCSIN_SMS_RECEIPT_SECRET' };
      }
      return { kind: 'receipts', ...receiptsOf(call, settings, secrets) };
    },
  };
}

function receiptsOf(
  call: ReceiptCall,
  settings: GatewayReceiptSettings,
  secrets: readonly string[],
): { receipts: Receipt[]; unusable: string[] } {
  const body = readBody(call);
  const said = [body, Object.fromEntries(call.query)].find((source) =>
    valuesAt(source, settings.id).some((id) => id !== ''),
  );
  const states = valuesAt(said, settings.state);
  const reasons = settings.reason === undefined ? [] : valuesAt(said, settings.reason);
  const unusable = new Set<string>();
  if (said === undefined) {
    unusable.add(body === undefined ? 'its body looks like JSON but is not valid' : nothingAt('ID', settings.id));
  }
  const receipts = valuesAt(said, settings.id).flatMap((id, place): Receipt[] => {
    const word = (states[place] ?? '').trim();
    const providerId = shorten(cleanAnswer(id, secrets), GATEWAY_ID);
    if (!isUsableId(providerId)) {
      if (said !== undefined) unusable.add(nothingAt('ID', settings.id));
      return [];
    }
    if (word === '') unusable.add(nothingAt('STATE', settings.state));
    if (settings.delivered.includes(word.toLowerCase())) return [{ providerId, state: 'delivered', words: word }];
    if (!settings.failed.includes(word.toLowerCase())) return [];
    const sentence = `The SMS gateway could not deliver the message (${word}). ${reasons[place] ?? ''}`;
    return [{ providerId, state: 'failed', words: cleanAnswer(sentence, secrets) }];
  });
  return { receipts, unusable: [...unusable] };
}

function nothingAt(setting: 'ID' | 'STATE', path: string): string {
  return `it has no value at ${path}: check TOCSIN_SMS_RECEIPT_${setting}`;
}

/** Parses the body as JSON or as a form. Returns undefined for invalid JSON. */
export function readBody({ body }: ReceiptCall): unknown {
  const text = body.toString('utf8');
  if (!/^\s*[[{]/.test(text)) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isPath(path: string): boolean {
  return /^([\w-]+|\[\d*\])(\.[\w-]+|\[\d*\])*$/.test(path);
}

/**
 * Returns the values at a path; '' for a missing value. `[]` in a path selects every entry of a list, so that the
 * values of two paths correspond by index.
 */
export function valuesAt(tree: unknown, path: string): string[] {
  const whole = asObject(tree)[path];
  if (typeof whole === 'string') return [whole];
  const found = (path.match(/[\w-]+|\[\]/g) ?? []).reduce<unknown[]>(
    (branches, step) =>
      step === '[]'
        ? branches.flatMap((branch) => (Array.isArray(branch) ? branch : []))
        : branches.map((branch) => asObject(branch)[step]),
    [tree],
  );
  return found.map((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''));
}
