/** Unsaved input in session storage: it survives the end of a session and lasts as long as the browser tab. */
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
    // Storage is unavailable: the draft is not kept.
  }
}

export function dropDraft(name: string): void {
  try {
    sessionStorage.removeItem(keyOf(name));
  } catch {
    // Storage is unavailable.
  }
}

function keyOf(name: string): string {
  return `draft:${name}`;
}
