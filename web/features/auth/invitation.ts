export interface Invitation {
  uuid: string;
  code: string;
}

/** The user and code from an invitation's address; null if either is missing. */
export function invitationOf(search: { uuid?: unknown; code?: unknown }): Invitation | null {
  const { uuid, code } = search;
  return typeof uuid === 'string' && typeof code === 'string' && uuid !== '' && code !== '' ? { uuid, code } : null;
}

/** Parses a link that was pasted from the e-mail. */
export function parseInvitation(pasted: string): Invitation | null {
  try {
    return invitationOf(Object.fromEntries(new URL(pasted.trim(), 'http://here.invalid').searchParams));
  } catch {
    return null;
  }
}
