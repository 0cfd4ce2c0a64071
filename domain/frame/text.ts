/**
 * Handles text from devices, which can consist of arbitrary bytes. Names from devices are stored in the database and
 * quoted in sentences.
 */

interface Decoder {
  decode(bytes: Uint8Array): string;
}
/** Node and browsers provide these classes, but the ECMAScript types do not declare them. */
declare const TextDecoder: new (encoding: string, options: { fatal: boolean }) => Decoder;

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the text of a frame without a byte order mark; undefined if it is not valid UTF-8 or contains NUL. */
export function decodeUtf8(body: Uint8Array): string | undefined {
  try {
    const text = decoder.decode(body);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();

export function byteCount(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Returns whether PostgreSQL can store the text. JSON escapes can contain NUL and lone surrogates, which PostgreSQL
 * rejects.
 */
export function isStorable(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0 || code >= 0xd800) {
      return code !== 0 && text.isWellFormed() && !text.includes('\0');
    }
  }
  return true;
}

/** Truncates the text and replaces NUL and lone surrogates. */
export function toStorable(text: string, most: number): string {
  return text.slice(0, most).toWellFormed().replaceAll('\0', '\ufffd');
}

/**
 * Returns a value from a device for use in an error message, quoted and truncated. Returns `a list` or `an object`
 * instead of a list's or an object's content.
 */
export function quoted(raw: unknown): string {
  const text = typeof raw === 'object' && raw !== null ? (Array.isArray(raw) ? 'a list' : 'an object') : undefined;
  return text ?? `"${toStorable(String(raw), 40)}"`;
}

export function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}
