import type { AuthUser } from '../../domain/auth-user.ts';
import { base64 } from './base64.ts';
import { ApiError, call } from './http.ts';

/** Returns whether the server refused the new password, so that the form shows the error at the password field. */
export function isAboutPassword(error: unknown): boolean {
  return error instanceof ApiError && (error.body as { field?: string } | null)?.field === 'password';
}

/** A user whose sign-in was refused because the account is not verified. */
export interface UnverifiedUser {
  uuid: string;
  email: string;
  username: string;
  display_name: string;
}

export interface LoginStatus {
  loggedIn: boolean;
  user: AuthUser | null;
}

/** Input of the password screen in plain text. The passwords are base64-encoded before sending. */
export interface PasswordForm {
  uuid: string;
  currentPassword: string;
  code: string | null;
  password: string;
  confirmation: string;
}

export interface Answer {
  message: string;
  /** The e-mail address of the account whose password was set with a code. */
  email?: string;
  /** The sign-in address of the user's own customer if this host name belongs to another customer. Null if unknown. */
  sign_in_url?: string | null;
}

const at = (name: string) => `/api/v1/auth/${name}`;

const passwordBody = (form: PasswordForm) => ({
  uuid: form.uuid,
  ppassword: base64(form.currentPassword),
  password: base64(form.password),
  cpassword: base64(form.confirmation),
  otp: form.code,
});

/** Id of the customer of this host name, from the public configuration. */
type CustomerId = number | null;

export const login = (email: string, password: string, customerId: CustomerId) =>
  call<AuthUser>('POST', at('login'), {
    body: { email, password: base64(password), tocsin_customer_id: customerId },
  });

export const loginStatus = () => call<LoginStatus>('GET', at('login'));

/** Requests a one-time code for an unverified user. */
export const verify = (user: Pick<UnverifiedUser, 'email' | 'username'>, customerId: CustomerId) =>
  call<Answer>('POST', at('verify'), {
    body: { email: user.email, username: user.username, tocsin_customer_id: customerId },
  });

export const register = (form: PasswordForm) => call<Answer>('POST', at('register'), { body: passwordBody(form) });

export const activate = (form: PasswordForm) => call<Answer>('POST', at('activate'), { body: passwordBody(form) });

/** Returns whether the link of an invitation was already used. */
export const invitationUsed = async (invitation: { uuid: string; code: string }): Promise<boolean> =>
  (await call<{ used: boolean }>('POST', at('invitation'), { body: { uuid: invitation.uuid, otp: invitation.code } }))
    .used;

export const changePassword = (form: PasswordForm) =>
  call<Answer>('POST', at('changepassword'), { body: { ...passwordBody(form), otp: null } });

/** Requests a code for setting a new password. The response is null or false if the server sent no code. */
export const forgot = (email: string) => call<Answer | null | false>('POST', at('forgot'), { body: { email } });

export const update = (email: string, code: string, password: string) =>
  call<Answer>('POST', at('update'), { body: { email, otp: code, password: base64(password) } });

export const logout = () => call<Answer | null>('POST', at('logout'), { body: {} });

/** Signs in with the demo account. This endpoint exists only in demo mode. */
export const bypass = () => call<AuthUser>('POST', at('bypass'), { body: {} });
