/**
 * Reads unsaved input from session storage. It survives the end of the session, and is deleted with the browser tab.
 * Null without a draft.
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
