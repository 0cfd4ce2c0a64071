export interface Invitation {
  uuid: string;
  code: string;
}

/** Returns the user and the code from the URL of an invitation; null if either is missing. */
export function invitationOf(search: { uuid?: unknown; code?: unknown }): Invitation | null {
  const { uuid, code } = search;
  return typeof uuid === 'string' && typeof code === 'string' && uuid !== '' && code !== '' ? { uuid, code } : null;
}

/** Parses an invitation link that the user pasted from the e-mail. Returns null if the link is invalid. */
export function parseInvitation(pasted: string): Invitation | null {
  try {
    return invitationOf(Object.fromEntries(new URL(pasted.trim(), 'http://here.invalid').searchParams));
  } catch {
    return null;
  }
}
