/** A value as it goes into a table that people download. */
export type CsvValue = string | number | boolean | null | undefined;

/** Excel runs text that begins like this as a formula. The full-width forms count too: a Japanese Excel converts them. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Text for one cell: harmless in a spreadsheet, and quoted where it must be. Numbers stay numbers, minus signs included. */
export function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A whole table, as RFC 4180 wants it. */
export function csvText(head: readonly string[], rows: Iterable<readonly CsvValue[]>): string {
  const lines = [head.map(csvCell).join(',')];
  for (const row of rows) lines.push(row.map(csvCell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

/** Words with numbers, as the console shows them, for a file: with the minus and the blank that whoever looks for one there types. */
export function plainWords(words: string): string {
  return words.replaceAll('\u2212', '-').replaceAll('\u00a0', ' ');
}
