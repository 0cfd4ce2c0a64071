/**
 * Parses an address's parameters as plain text. The router's default parses JSON, which would turn a code of digits
 * into a number without its leading zeros.
 */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Omits undefined and null. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null) {
      parameters.set(name, String(value));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * For a route whose page keeps a list's view in its address. All parameters are texts; each page reads those it knows.
 */
export function listSearch(search: Record<string, unknown>): { [name: string]: string | undefined } {
  return search as { [name: string]: string | undefined };
}
