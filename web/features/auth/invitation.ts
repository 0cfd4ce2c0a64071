export interface Invitation {
  uuid: string;
  code: string;
}

/** The person and code that an invitation's address carries, or null when either is missing. */
export function invitationOf(search: { uuid?: unknown; code?: unknown }): Invitation | null {
  const { uuid, code } = search;
  return typeof uuid === 'string' && typeof code === 'string' && uuid !== '' && code !== '' ? { uuid, code } : null;
}

/** Reads the same out of a link that somebody pasted from the e-mail. */
export function parseInvitation(pasted: string): Invitation | null {
  try {
    return invitationOf(Object.fromEntries(new URL(pasted.trim(), 'http://here.invalid').searchParams));
  } catch {
    return null;
  }
}
