const HERE = 'http://here.invalid';

/**
 * Returns the path to open after sign-in; null if the text is not a safe path of this console. The text comes from the
 * URL and is untrusted, so paths to other hosts are rejected. Login and error pages are rejected to prevent a loop.
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

// Returns true for control characters, which browsers remove, and for backslashes, which browsers treat as slashes.
// Both can turn a path into a URL of another host.
function hasUnsafeCharacter(text: string): boolean {
  return [...text].some((char) => char === '\\' || char.charCodeAt(0) < 0x20 || char.charCodeAt(0) === 0x7f);
}
