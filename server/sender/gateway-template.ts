import { StartError } from '../platform/start-error.ts';
import type { GatewayInboundSettings } from './inbound/sms-gateway.ts';
import { escapeHtml } from './mail-text.ts';
import { asObject, readObject } from './read-object.ts';
import type { GatewayReceiptSettings } from './receipt/sms-gateway.ts';

export interface GatewaySettings {
  /** URL with placeholders. A user name and password in the URL are sent as an Authorization header. */
  url: string;
  method: 'GET' | 'POST' | 'PUT';
  body: string | undefined;
  headers: Readonly<Record<string, string>>;
  /** Text that the response must contain to count as successful, in addition to a status from 200 to 299. */
  success: string | undefined;
  /**
   * Where the response contains the message id: a path such as `messages[0].id`, or a regular expression such as
   * `/id=(\w+)/`.
   */
  id: string | undefined;
  /** Receipt settings; undefined if the gateway sends no receipts. */
  receipts?: GatewayReceiptSettings | undefined;
  /** Settings for answers of people; undefined if the gateway delivers none. */
  inbound?: GatewayInboundSettings | undefined;
}

/** Values for the placeholders. `to` is in E.164 format. */
export interface GatewayValues {
  to: string;
  text: string;
  key: string;
  /** Address to which the gateway sends receipts. */
  receipt?: string;
}

export interface GatewayTemplate {
  origin: string;
  fill(values: GatewayValues): { url: string; headers: Record<string, string>; body: string | undefined };
  readId(answer: string): string;
  /** Values that must be hidden in stored responses, such as keys. */
  secrets: readonly string[];
}

type Encode = (value: string) => string;
type BodyKind = 'json' | 'form' | 'xml' | 'plain';

const placeholders = /\{(to|digits|text|key|receipt)\}/g;
const names = '{to}, {digits}, {text}, {key} and {receipt}';

/**
 * Compiles the settings. Called at start, so that mistakes are found before the first alarm. Error messages never
 * contain the value of a setting.
 */
export function compileGateway(settings: GatewaySettings): GatewayTemplate {
  const { address, authorization } = splitCredentials(settings.url);
  const kind = settings.body === undefined ? 'plain' : kindOf(settings.body, contentTypeOf(settings.headers));
  const fillBody = settings.body === undefined ? undefined : compileBody(settings.body, kind);
  checkPlaceholders('TOCSIN_SMS_URL', address);
  for (const value of Object.values(settings.headers)) checkHeader(value);
  const carried = `${address} ${settings.body ?? ''}`;
  if (!/\{(to|digits)\}/.test(carried)) {
    throw new StartError('Add the placeholder {to} for the phone number to TOCSIN_SMS_URL or TOCSIN_SMS_BODY.');
  }
  if (!carried.includes('{text}')) {
    throw new StartError('Add the placeholder {text} for the message to TOCSIN_SMS_URL or TOCSIN_SMS_BODY.');
  }
  const types = { json: 'application/json', form: 'application/x-www-form-urlencoded', xml: 'application/xml' };
  const standard = {
    ...(authorization && { authorization }),
    ...(kind !== 'plain' && { 'content-type': types[kind] }),
  };
  const own = Object.fromEntries(Object.entries(settings.headers).map(([name, value]) => [name.toLowerCase(), value]));

  return {
    origin: new URL(address.replace(placeholders, '0')).origin,
    fill(values) {
      const headers: Record<string, string> = { 'idempotency-key': '{key}', ...standard, ...own };
      for (const [name, value] of Object.entries(headers)) headers[name] = fill(value, values, inHeader);
      return { url: fill(address, values, inAddress), headers, body: fillBody?.(values) };
    },
    readId: compileId(settings.id),
    secrets: secretsOf(settings, kind, authorization),
  };
}

/** Replaces all placeholders in one pass, so that placeholders inside the message text are not replaced. */
function fill(template: string, { to, text, key, receipt = '' }: GatewayValues, encode: Encode): string {
  const values: Record<string, string> = { to, digits: to.slice(1), text, key, receipt };
  return template.replace(placeholders, (_, name: string) => encode((values[name] ?? '').toWellFormed()));
}

const inAddress: Encode = encodeURIComponent;
const inHeader: Encode = (value) => value.replace(/[^\x20-\x7e]/g, '');
const inXml: Encode = (value) => escapeHtml(value.replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''));
const asItIs: Encode = (value) => value;

function splitCredentials(url: string): { address: string; authorization: string | undefined } {
  const [, scheme, credentials, host] = /^(https?:\/\/)(?:([^/?#]*)@)?([^/?#]*)/i.exec(url) ?? [];
  if (!scheme || !host || host.includes('{') || !URL.canParse(url.replace(placeholders, '0'))) {
    throw new StartError('TOCSIN_SMS_URL must look like https://sms.example.com/send?to={to}&text={text}.');
  }
  if (credentials === undefined) return { address: url, authorization: undefined };
  const { username, password } = new URL(`${scheme}${credentials}@${host}`);
  const plain = [username, password].map(decodeOrKeep).join(':');
  return {
    address: url.replace(`${credentials}@`, ''),
    authorization: `Basic ${Buffer.from(plain).toString('base64')}`,
  };
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function contentTypeOf(headers: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}

function kindOf(body: string, contentType: string | undefined): BodyKind {
  if (contentType !== undefined) {
    if (/json/i.test(contentType)) return 'json';
    if (/xml/i.test(contentType)) return 'xml';
    if (/x-www-form-urlencoded/i.test(contentType)) return 'form';
    if (/multipart/i.test(contentType)) {
      throw new StartError(
        'TOCSIN_SMS_HEADERS sets a multipart content type, which is not supported. Use a form or JSON.',
      );
    }
    return 'plain';
  }
  if (/^\s*</.test(body)) return 'xml';
  return /^\s*(\[|\{(?!(to|digits|text|key|receipt)\}))/.test(body) ? 'json' : 'form';
}

function compileBody(body: string, kind: BodyKind): (values: GatewayValues) => string {
  if (kind === 'json') {
    const tree = parseJson(body);
    for (const leaf of leavesOf(tree)) checkPlaceholders('TOCSIN_SMS_BODY', leaf);
    return (values) => JSON.stringify(mapLeaves(tree, (leaf) => fill(leaf, values, asItIs)));
  }
  checkPlaceholders('TOCSIN_SMS_BODY', body);
  const encode = { form: inAddress, xml: inXml, plain: asItIs }[kind];
  return (values) => fill(body, values, encode);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new StartError(
      'TOCSIN_SMS_BODY is not valid JSON. Put placeholders inside quotation marks, such as {"to":"{to}","text":"{text}"}.',
    );
  }
}

function mapLeaves(tree: unknown, change: (leaf: string) => string): unknown {
  if (typeof tree === 'string') return change(tree);
  if (Array.isArray(tree)) return tree.map((branch) => mapLeaves(branch, change));
  if (tree === null || typeof tree !== 'object') return tree;
  return Object.fromEntries(Object.entries(tree).map(([name, branch]) => [name, mapLeaves(branch, change)]));
}

function leavesOf(tree: unknown): string[] {
  const leaves: string[] = [];
  mapLeaves(tree, (leaf) => {
    leaves.push(leaf);
    return leaf;
  });
  return leaves;
}

function checkPlaceholders(setting: string, template: string): void {
  if (/\{\w*\}/.test(template.replace(placeholders, ''))) {
    throw new StartError(`${setting} has an unknown placeholder in braces. Use ${names}.`);
  }
}

function checkHeader(value: string): void {
  checkPlaceholders('TOCSIN_SMS_HEADERS', value);
  if (value.includes('{text}')) {
    throw new StartError('TOCSIN_SMS_HEADERS cannot contain {text}. Put it into TOCSIN_SMS_URL or TOCSIN_SMS_BODY.');
  }
}

function compileId(id: string | undefined): (answer: string) => string {
  if (id === undefined) return () => '';
  const expression = /^\/(.+)\/([imsu]*)$/s.exec(id);
  if (expression) {
    const pattern = toPattern(expression[1] ?? '', expression[2] ?? '');
    return (answer) => {
      const found = pattern.exec(answer);
      return found?.[1] ?? found?.[0] ?? '';
    };
  }
  if (!/^\$?(\.?[\w-]+|\[\d+\])(\.[\w-]+|\[\d+\])*$/.test(id)) {
    throw new StartError('TOCSIN_SMS_ID must be a path such as messages[0].id or an expression such as /id=(\\w+)/.');
  }
  const steps = id.replace(/^\$/, '').match(/[\w-]+/g) ?? [];
  return (answer) => {
    const found = steps.reduce<unknown>((tree, step) => asObject(tree)[step], readObject(answer));
    return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
  };
}

function toPattern(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch {
    throw new StartError('TOCSIN_SMS_ID is not a valid regular expression. Use one such as /id=(\\w+)/.');
  }
}

/**
 * Returns all fixed values in the settings that are long enough to be keys, because the server cannot tell which of
 * them are secret.
 */
function secretsOf(settings: GatewaySettings, kind: BodyKind, authorization: string | undefined): string[] {
  const { username, password, searchParams, pathname } = new URL(settings.url.replace(placeholders, '{}'));
  const body = settings.body ?? '';
  const inBody =
    kind === 'json' ? leavesOf(parseJson(body)) : kind === 'form' ? [...new URLSearchParams(body).values()] : [];
  const long = (least: number) => (value: string) => value.length >= least && !value.includes('{');
  const headers = [...Object.values(settings.headers), authorization ?? ''];
  return [
    ...[username, password].map(decodeOrKeep).filter(long(4)),
    ...[...headers, ...searchParams.values(), ...inBody].filter(long(4)),
    // Adds the values of headers, without an authentication scheme such as `Bearer`.
    ...headers.flatMap((value) => value.replace(/^(basic|bearer|digest|token) /i, '').split(/[\s,;]+/)).filter(long(4)),
    ...pathname.split('/').filter(long(16)),
  ];
}
