/**
 * Reads a draft: unsaved input in session storage. Returns null if there is none. A draft is kept after a sign-out, but
 * is lost when the browser tab closes.
 */
export function readDraft<V extends object>(name: string): Partial<V> | null {
  try {
    const text = sessionStorage.getItem(keyOf(name));
    return text === null ? null : (JSON.parse(text) as Partial<V>);
  } catch {
    return null;
  }
}

export function writeDraft(name: string, values: object): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(values));
  } catch {
    // If storage is unavailable, the draft is not kept.
  }
}

export function dropDraft(name: string): void {
  try {
    sessionStorage.removeItem(keyOf(name));
  } catch {
    // If storage is unavailable, there is no draft to delete.
  }
}

function keyOf(name: string): string {
  return `draft:${name}`;
}
