/**
 * The parameters of an address, every one as plain text. The router's own way reads them as JSON, which would turn a
 * code of digits into a number and lose its leading zeros.
 */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Leaves out what is undefined or null. */
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

/** For a route whose page keeps a list's view in its address, as texts; each page reads those it knows. */
export function listSearch(search: Record<string, unknown>): { [name: string]: string | undefined } {
  return search as { [name: string]: string | undefined };
}
