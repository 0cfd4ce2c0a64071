import { noValues, refuseFrame, reservedKey } from './collect.ts';
import { decodeCsv } from './csv.ts';
import type { Decoded, FrameFormat } from './frame.ts';
import { decodeJson } from './json.ts';
import { decodeKeyValue } from './key-value.ts';
import { decodeUtf8, isBlank } from './text.ts';
import { parseTime } from './time.ts';

export { decodeUtf8 };

const decoders: Record<Exclude<FrameFormat, 'auto'>, (text: string) => Decoded> = {
  json: decodeJson,
  'key-value': decodeKeyValue,
  csv: decodeCsv,
};

const NOTHING_KNOWN = 'The frame is neither JSON, nor pairs such as "1=20.5", nor CSV such as "1763190000,20.5".';

/** Decodes a frame in the given format. Never throws. */
export function decodeFrame(body: Uint8Array | string, format: FrameFormat): Decoded {
  const text = typeof body === 'string' ? (body.includes('\0') ? undefined : body) : decodeUtf8(body);
  if (text === undefined) {
    return refuseFrame('not-text', 'The frame is not valid UTF-8 text, or it contains a NUL character.');
  }
  const start = firstLetter(text);
  if (start === text.length) {
    return noValues;
  }
  if (format !== 'auto') {
    return decoders[format](text);
  }
  const found = formatOf(text, start);
  const decoded = decoders[found](text);
  // Text in an unknown format is decoded as CSV. If it has no separator, the error message lists all formats.
  return found === 'csv' && !decoded.ok && decoded.because === 'not-csv' && !/[,;\t]/.test(text)
    ? refuseFrame('not-csv', NOTHING_KNOWN)
    : decoded;
}

function firstLetter(text: string): number {
  let at = 0;
  while (at < text.length && isBlank(text.charCodeAt(at))) {
    at += 1;
  }
  return at;
}

/**
 * Detects the format. JSON starts with a bracket. Key-value text has an equals sign; a CSV line may have one only after
 * its time.
 */
function formatOf(text: string, start: number): Exclude<FrameFormat, 'auto'> {
  if (text[start] === '{' || text[start] === '[') {
    return 'json';
  }
  return text.includes('=') && !beginsAsCsv(text, start) ? 'key-value' : 'csv';
}

function beginsAsCsv(text: string, start: number): boolean {
  const end = start + text.slice(start).search(/[=,;\t\r\n]/);
  if (text[end] === '=') {
    return false;
  }
  const cell = text.slice(start, end).trim();
  return cell === '' || reservedKey(cell) === 'time' || parseTime(cell) !== undefined;
}
