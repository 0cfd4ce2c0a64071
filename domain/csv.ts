export type CsvValue = string | number | boolean | null | undefined;

/**
 * Matches text that Excel would run as a formula. Includes full-width characters, because the Japanese edition of Excel
 * converts them to ASCII.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Escapes a cell: prevents formula injection and adds quotes as RFC 4180 requires. Negative numbers remain numbers. */
export function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats a table as CSV (RFC 4180). */
export function csvText(head: readonly string[], rows: Iterable<readonly CsvValue[]>): string {
  const lines = [head.map(csvCell).join(',')];
  for (const row of rows) lines.push(row.map(csvCell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

/**
 * Replaces typographic minus signs and non-breaking spaces, which the console uses, with a hyphen and a plain space. A
 * text search in the file then finds the words as people type them.
 */
export function plainWords(words: string): string {
  return words.replaceAll('\u2212', '-').replaceAll('\u00a0', ' ');
}
