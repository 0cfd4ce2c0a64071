/**
 * Parses the parameters of a URL as plain text. The router's default parses JSON, which would turn a code of digits
 * into a number and lose its leading zeros.
 */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Formats URL parameters and omits undefined and null values. */
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
 * Declares the URL parameters of a page with a list. All values are strings, and each page reads only the parameters
 * that it uses.
 */
export function listSearch(search: Record<string, unknown>): { [name: string]: string | undefined } {
  return search as { [name: string]: string | undefined };
}
