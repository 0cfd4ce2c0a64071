/** Password rules. The server checks them, and the console checks them before sending. */
export const PASSWORD_LENGTH = { least: 10, most: 200 } as const;

export type PasswordFault =
  | 'too-short'
  | 'too-long'
  | 'not-text'
  | 'one-character'
  | 'same-as-email'
  | 'same-as-username'
  | 'unchanged';

export type PasswordCheck = { ok: true } | { ok: false; because: PasswordFault; sentence: string };

/** Known facts about the user. Facts that are undefined are not checked. */
export interface PasswordOwner {
  email?: string | undefined;
  username?: string | undefined;
  /** The password that is being replaced. */
  current?: string | undefined;
}

const sentences: Record<PasswordFault, string> = {
  'too-short': `The password needs at least ${PASSWORD_LENGTH.least} characters.`,
  'too-long': `The password may have at most ${PASSWORD_LENGTH.most} characters.`,
  'not-text': 'The password contains a control character. Remove it.',
  'one-character': 'The password must not consist of one repeated character.',
  'same-as-email': 'The password must not be the e-mail address.',
  'same-as-username': 'The password must not be the user name.',
  unchanged: 'The new password must differ from the current one.',
};

export function checkPassword(password: string, owner: PasswordOwner = {}): PasswordCheck {
  const because = faultOf(password, owner);
  return because ? { ok: false, because, sentence: sentences[because] } : { ok: true };
}

function faultOf(password: string, owner: PasswordOwner): PasswordFault | undefined {
  // Counts the password's characters as code points, not UTF-16 units.
  const characters = [...password];
  if (characters.length < PASSWORD_LENGTH.least) return 'too-short';
  if (characters.length > PASSWORD_LENGTH.most) return 'too-long';
  if (password.includes('\0')) return 'not-text';
  if (new Set(characters).size === 1) return 'one-character';
  if (sameText(password, owner.email)) return 'same-as-email';
  if (sameText(password, owner.username)) return 'same-as-username';
  if (password === owner.current) return 'unchanged';
  return undefined;
}

function sameText(password: string, other: string | undefined): boolean {
  return other !== undefined && password.trim().toLowerCase() === other.trim().toLowerCase();
}
