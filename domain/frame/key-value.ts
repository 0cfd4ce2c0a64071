import { Collector, refuseFrame } from './collect.ts';
import type { Decoded } from './frame.ts';
import { isBlank } from './text.ts';

const NEW_LINE = 10;
const RETURN = 13;
const QUOTE = 34;
const EQUALS = 61;
const COMMA = 44;

/**
 * Decodes key-value pairs such as `t=1763190000;1=20.5;gsm_signal=-77`, separated by `;`, `&`, `,` or whitespace. Each
 * line is a row.
 */
export function decodeKeyValue(text: string): Decoded {
  const collector = new Collector(!/[\r\n]/.test(text.trim()));
  let pairs = 0;
  let at = 0;
  collector.beginRow();
  while (at < text.length && !collector.full) {
    const code = text.charCodeAt(at);
    if (code === NEW_LINE || code === RETURN) {
      collector.endRow();
      collector.beginRow();
      at += 1;
    } else if (isSeparator(code)) {
      at += 1;
    } else {
      const end = endOfKey(text, at);
      const key = text.slice(at, end);
      if (text.charCodeAt(end) !== EQUALS) {
        collector.refuse(key, 'not-a-number', 'No value follows the name. Write name=value.');
        at = end;
        continue;
      }
      pairs += 1;
      const start = end + 1;
      if (text.charCodeAt(start) === QUOTE) {
        at = endOfQuote(text, start);
        if (at < 0) {
          return refuseFrame('not-pairs', 'A quotation mark in the frame is not closed.');
        }
        collector.take(key, unquote(text.slice(start + 1, at - 1)));
      } else {
        at = endOfValue(text, start);
        const comma = decimalComma(text, start, at);
        if (comma === 0) {
          collector.take(unescaped(key), unescaped(text.slice(start, at)));
          continue;
        }
        collector.refuseComma(unescaped(key), text.slice(start, at + comma));
        at += comma;
      }
    }
  }
  if (pairs === 0) {
    return refuseFrame('not-pairs', 'The frame has no pair of the form name=value.');
  }
  collector.endRow();
  return collector.result();
}

/**
 * Detects a decimal comma, so that `20,5` is not stored as 20. For `20,5`, `start` and `end` enclose `20`, and the
 * function returns the length of `,5`. Returns 0 if another pair follows the comma.
 */
function decimalComma(text: string, start: number, end: number): number {
  if (text.charCodeAt(end) !== COMMA || !/^[+-]?\d+$/.test(text.slice(start, end))) return 0;
  const rest = /^,\d+(?=[;&,\s]|$)/.exec(text.slice(end, end + 40));
  return rest ? rest[0].length : 0;
}

/** Decodes percent-encoding, which form libraries use. */
function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the position after the closing quote on the same line, or -1. A doubled quote is an escaped quote. */
export function endOfQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      if (text.charCodeAt(at + 1) !== QUOTE) {
        return at + 1;
      }
      at += 1;
    } else if (code === NEW_LINE) {
      return -1;
    }
  }
  return -1;
}

export function unquote(text: string): string {
  return text.includes('"') ? text.replaceAll('""', '"') : text;
}

function isSeparator(code: number): boolean {
  // Character code 59 is the semicolon, 38 the ampersand.
  return code === 59 || code === 38 || code === COMMA || isBlank(code);
}

function endOfKey(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === EQUALS || isSeparator(code)) {
      break;
    }
    at += 1;
  }
  return at;
}

function endOfValue(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isSeparator(text.charCodeAt(at))) {
    at += 1;
  }
  return at;
}
