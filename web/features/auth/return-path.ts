const HERE = 'http://here.invalid';

/**
 * The place to go back to after signing in again, or null when the text is not a plain path of this console.
 * The text comes from the address, so anybody may have written it: only a path on this very origin passes,
 * and never a login or error page, which would send the person in circles.
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

// Browsers drop control characters and read a backslash as a slash, either of which can turn a path into a host.
function hasUnsafeCharacter(text: string): boolean {
  return [...text].some((char) => char === '\\' || char.charCodeAt(0) < 0x20 || char.charCodeAt(0) === 0x7f);
}
