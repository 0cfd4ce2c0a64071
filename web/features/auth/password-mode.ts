export type PasswordMode = 'activation' | 'verify' | 'change';

/** Returns the mode of the password page from the last segment of its path. */
export function passwordMode(pathname: string): PasswordMode {
  const last = pathname.replace(/\/+$/, '').split('/').at(-1);
  return last === 'activation' || last === 'verify' ? last : 'change';
}

/** Returns true if all fields are filled and the new passwords match. */
export function canSubmit(fields: { first: string; password: string; confirmation: string }): boolean {
  return fields.first.trim() !== '' && fields.password !== '' && fields.password === fields.confirmation;
}
