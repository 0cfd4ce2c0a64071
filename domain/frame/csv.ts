import { Collector, type ReservedKey, refuseFrame, reservedKey } from './collect.ts';
import { type Decoded, frameLimits } from './frame.ts';
import { endOfQuote, unquote } from './key-value.ts';
import { parseTime } from './time.ts';
import { CLOCK_UNSET_BEFORE } from './when.ts';

const QUOTE = 34;

/** Maximum number of cells in a line: one for each value, plus the reserved keys. */
const MOST_CELLS = frameLimits.values + 5;

/**
 * Decodes CSV. A header line starts with a time key and names the columns. Without a header, each line contains the
 * time and the values of channels 1, 2, …. Empty cells are skipped. A cell such as `gsm_signal=-77` sets a reserved
 * key.
 */
export function decodeCsv(text: string): Decoded {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const separator = separatorOf(lines[0] ?? '');
  const first = cellsOf(lines[0] ?? '', separator);
  const header = first !== undefined && reservedKey(first[0] ?? '') === 'time' ? first : undefined;
  const columns = header?.map((name) => ({ name, role: reservedKey(name) }));
  const start = header === undefined ? 0 : 1;
  const collector = new Collector(lines.length - start === 1);
  let widest = 0;
  for (let index = start; index < lines.length && !collector.full; index += 1) {
    const cells = cellsOf(lines[index] as string, separator);
    if (cells === undefined) {
      return refuseFrame(
        'not-csv',
        `A quotation mark in line ${index + 1} is not closed, or text follows the closing quotation mark.`,
      );
    }
    if (cells.length > MOST_CELLS) {
      return refuseFrame('too-many-values', `A line can have at most ${MOST_CELLS} cells. Use several lines.`);
    }
    if (columns === undefined && separator === ',' && isDecimalComma(cells)) {
      const [whole, part] = cells;
      const meant = `If "${whole},${part}" is one number, write it with a decimal point: ${whole}.${part}.`;
      return refuseFrame('not-csv', `${meant} Begin each CSV line with its time, as in "1763190000,20.5".`);
    }
    widest = Math.max(widest, cells.length);
    collector.beginRow();
    if (columns === undefined) {
      takeBareRow(collector, cells);
    } else {
      takeNamedRow(collector, cells, columns);
    }
    collector.endRow();
  }
  if (header === undefined && widest < 2 && !lines.every(isTimeAlone)) {
    return refuseFrame('not-csv', 'A line needs a time and at least one value, as in "1763190000,20.5".');
  }
  if (collector.hasOnlyBadTimes()) {
    return refuseFrame('not-csv', 'No line begins with a valid time.');
  }
  return collector.result();
}

/**
 * Returns whether the line has two cells that are integers, and the first integer is too small for a time. The cells
 * are probably one number with a decimal comma.
 */
function isDecimalComma([whole = '', part = '', ...more]: string[]): boolean {
  return more.length === 0 && /^[-+]?\d{1,7}$/.test(whole) && /^\d+$/.test(part);
}

/**
 * Returns whether the line contains only a plausible time. Any other single number is probably a value without a time.
 */
function isTimeAlone(line: string): boolean {
  return (parseTime(line.trim()) ?? 0) >= CLOCK_UNSET_BEFORE;
}

interface Column {
  name: string;
  role: ReservedKey | undefined;
}

function takeNamedRow(collector: Collector, cells: string[], columns: Column[]): void {
  for (let index = 0; index < cells.length && !collector.full; index += 1) {
    const cell = cells[index] as string;
    const column = columns[index];
    if (column === undefined) {
      if (cell !== '') {
        collector.refuse(`column ${index + 1}`, 'bad-name', 'The header has no name for this column.');
      }
    } else if (column.role === undefined) {
      collector.value(column.name, cell);
    } else {
      collector.takeReserved(column.role, column.name, cell);
    }
  }
}

function takeBareRow(collector: Collector, cells: string[]): void {
  for (let index = 0; index < cells.length && !collector.full; index += 1) {
    const cell = cells[index] as string;
    const equals = cell.indexOf('=');
    const key = equals > 0 ? cell.slice(0, equals).trim() : '';
    const role = equals > 0 ? reservedKey(key) : undefined;
    if (role !== undefined) {
      collector.takeReserved(role, key, cell.slice(equals + 1).trim());
    } else if (index === 0) {
      collector.takeReserved('time', 'time', cell);
    } else {
      collector.value(String(index), cell);
    }
  }
}

/** Returns the first comma, semicolon or tab of the line. */
function separatorOf(line: string): string {
  return /[,;\t]/.exec(line)?.[0] ?? ',';
}

/** Returns the trimmed cells of a line; undefined if a quote is not closed. */
function cellsOf(line: string, separator: string): string[] | undefined {
  const cells: string[] = [];
  let at = 0;
  while (cells.length <= MOST_CELLS) {
    while (line[at] === ' ') {
      at += 1;
    }
    if (line.charCodeAt(at) === QUOTE) {
      const end = endOfQuote(line, at);
      const next = end < 0 ? -1 : line.indexOf(separator, end);
      if (end < 0 || line.slice(end, next < 0 ? undefined : next).trim() !== '') {
        return undefined;
      }
      cells.push(unquote(line.slice(at + 1, end - 1)));
      at = next;
    } else {
      const next = line.indexOf(separator, at);
      cells.push(line.slice(at, next < 0 ? undefined : next).trim());
      at = next;
    }
    if (at < 0) {
      return cells;
    }
    at += 1;
  }
  return cells;
}
