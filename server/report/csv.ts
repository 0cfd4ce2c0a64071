import { csvCell } from '../../domain/csv.ts';
import { fileCell, linesOf, type ReportTable, writeTime } from './table.ts';

/** By this spreadsheets know that a file is UTF-8. */
const MARK = '\ufeff';
const CHUNK = 500;

/** The table as RFC 4180 wants it, some hundred lines at a time. */
export async function* csvOf(table: ReportTable): AsyncGenerator<string> {
  const { columns, timeZone } = table;
  const line = (cells: ReportTable['total'] & {}) =>
    `${cells.map((cell, place) => csvCell(cell instanceof Date ? writeTime(cell, timeZone) : exact(fileCell(cell, columns[place])))).join(',')}\r\n`;
  let lines = [MARK, line(columns.map(({ header }) => header))];
  for await (const row of linesOf(table)) {
    lines.push(line(row));
    if (lines.length < CHUNK) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

/** A middle between two values may end in digits that nobody measured. */
function exact<T>(cell: T): T | number {
  return typeof cell === 'number' ? Number(cell.toFixed(6)) : cell;
}
