const HERE = 'http://here.invalid';

/**
 * The path to return to after sign-in, or null if it is not a plain path of this console. The text comes from the
 * address, so it is untrusted: only paths on this origin pass, and no login or error page, which would loop.
 */
export function safeReturnPath(text: unknown): string | null {
  if (typeof text !== 'string' || !/^\/(?![/\\])/.test(text) || hasUnsafeCharacter(text)) {
    return null;
  }
  let url: URL;
  try {
    url = new URL(text, HERE);
  } catch {
    return null;
  }
  if (url.origin !== HERE || url.pathname.startsWith('//') || /^\/(auth|error|test|pass)(\/|$)/.test(url.pathname)) {
    return null;
  }
  return url.pathname + url.search + url.hash;
}

// Browsers drop control characters and treat a backslash as a slash; either can turn a path into a host.
function hasUnsafeCharacter(text: string): boolean {
  return [...text].some((char) => char === '\\' || char.charCodeAt(0) < 0x20 || char.charCodeAt(0) === 0x7f);
}
