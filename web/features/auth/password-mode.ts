export type PasswordMode = 'activation' | 'verify' | 'change';

/** The mode of the shared password screen, from the last part of its address. */
export function passwordMode(pathname: string): PasswordMode {
  const last = pathname.replace(/\/+$/, '').split('/').at(-1);
  return last === 'activation' || last === 'verify' ? last : 'change';
}

/** Whether the button may be pressed: all is filled in and the two new passwords are the same. */
export function canSubmit(fields: { first: string; password: string; confirmation: string }): boolean {
  return fields.first.trim() !== '' && fields.password !== '' && fields.password === fields.confirmation;
}
