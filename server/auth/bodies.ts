/** Schemas of the auth calls. They ignore unknown fields, because clients send all fields of their form. */
import { HttpRefusal } from './errors.ts';

const text = (most: number, least = 0) =>
  ({ type: 'string', minLength: least, maxLength: most, pattern: '^[^\\u0000]*$' }) as const;
const optional = (most: number) => ({ ...text(most), type: ['string', 'null'] }) as const;
// Maximum length of a password field in base64. Longer than any valid password, so that a password that is too long is
// refused by the password rule, with its clear message, and not by this schema.
const PASSWORD = text(2000, 1);
const textOrNumber = (most: number) => ({ anyOf: [text(most), { type: 'integer' }, { type: 'null' }] }) as const;
const CODE = textOrNumber(200);
const CUSTOMER = textOrNumber(64);
const EMAIL = text(254, 1);
const UUID = text(36, 1);

const object = <P extends Record<string, unknown>>(properties: P, required: (keyof P & string)[]) =>
  ({ type: 'object', properties, required }) as const;

export const loginBody = object({ email: EMAIL, password: PASSWORD, tocsin_customer_id: CUSTOMER }, [
  'email',
  'password',
]);
export const verifyBody = object({ email: EMAIL, username: optional(100), tocsin_customer_id: CUSTOMER }, ['email']);
export const forgotBody = object({ email: EMAIL, tocsin_customer_id: CUSTOMER }, ['email']);
export const updateBody = object({ email: EMAIL, otp: CODE, password: PASSWORD, tocsin_customer_id: CUSTOMER }, [
  'email',
  'otp',
  'password',
]);
/** Password form of activation and verification. The code is in `otp` or `ppassword`. */
export const codeFormBody = object(
  { uuid: UUID, ppassword: optional(2000), password: PASSWORD, cpassword: optional(2000), otp: CODE },
  ['uuid', 'password'],
);
/** Body that identifies an invitation link. The call returns whether the link was used. */
export const invitationBody = object({ uuid: UUID, otp: CODE }, ['uuid', 'otp']);
export const changePasswordBody = object(
  { uuid: UUID, ppassword: PASSWORD, password: PASSWORD, cpassword: optional(2000) },
  ['uuid', 'ppassword', 'password'],
);

type CustomerId = string | number | null | undefined;
export interface LoginBody {
  email: string;
  password: string;
  tocsin_customer_id?: CustomerId;
}
export interface VerifyBody {
  email: string;
  username?: string | null;
  tocsin_customer_id?: CustomerId;
}
export interface ForgotBody {
  email: string;
  tocsin_customer_id?: CustomerId;
}
export interface UpdateBody {
  email: string;
  otp: string | number | null;
  password: string;
  tocsin_customer_id?: CustomerId;
}
export interface CodeFormBody {
  uuid: string;
  ppassword?: string | null;
  password: string;
  cpassword?: string | null;
  otp?: string | number | null;
}
export type InvitationBody = Pick<CodeFormBody, 'uuid' | 'otp'>;
export interface ChangePasswordBody {
  uuid: string;
  ppassword: string;
  password: string;
  cpassword?: string | null;
}

const strictText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes base64 to UTF-8 text. Returns undefined if the base64 or the UTF-8 is invalid. */
export function fromBase64(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  // Node ignores invalid base64 characters. Encoding the bytes again and comparing the strings detects them.
  if (bytes.toString('base64') !== encoded) return undefined;
  try {
    return strictText.decode(bytes);
  } catch {
    return undefined;
  }
}

export function readPassword(encoded: string, field: string): string {
  const password = fromBase64(encoded);
  if (password === undefined) throw new HttpRefusal(400, `The field "${field}" must be UTF-8 text encoded as base64.`);
  if (password.includes('\0')) {
    throw new HttpRefusal(400, `The field "${field}" contains a character that is not allowed.`);
  }
  return password;
}

/**
 * Returns the new password of a form. Throws a refusal if the form has a password confirmation that differs from the
 * password.
 */
export function readNewPassword(form: { password: string; cpassword?: string | null }): string {
  const password = readPassword(form.password, 'password');
  if (form.cpassword != null && readPassword(form.cpassword, 'cpassword') !== password) {
    throw new HttpRefusal(400, 'The two passwords differ. Enter the new password twice.');
  }
  return password;
}

const CODE_FORM = /^(\d{6}|[A-Za-z0-9_-]{43})$/;

/** Returns the code of a form: plain text in `otp`, or plain text or base64 in `ppassword`. */
export function readCode(form: { otp?: string | number | null; ppassword?: string | null }): string {
  const given = form.otp ?? '';
  // A client that sends the code as a number has lost its leading zeros.
  const otp = typeof given === 'number' ? String(given).padStart(6, '0') : given.trim();
  const code = otp || (form.ppassword ?? '').trim();
  if (code === '') throw new HttpRefusal(400, 'Enter the code from the e-mail.');
  if (CODE_FORM.test(code)) return code;
  const decoded = fromBase64(code)?.trim();
  return decoded && CODE_FORM.test(decoded) ? decoded : code;
}

const UUID_FORM = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(value: string): boolean {
  return UUID_FORM.test(value);
}
