/**
 * Parses a JSON object. Returns an empty object for any other text. For external input whose fields are then checked
 * one by one.
 */
export function readObject(text: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return {};
  }
}

export function asObject(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}
