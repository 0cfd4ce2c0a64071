import { csvCell } from '../../domain/csv.ts';
import { fileCell, linesOf, type ReportTable, writeTime } from './table.ts';

/** UTF-8 byte order mark. Without it, Excel does not recognise the file as UTF-8. */
const BOM = '\ufeff';
const CHUNK = 500;

/** Writes the table as CSV (RFC 4180), several hundred lines at a time. */
export async function* csvOf(table: ReportTable): AsyncGenerator<string> {
  const { columns, timeZone } = table;
  const line = (cells: ReportTable['total'] & {}) =>
    `${cells.map((cell, place) => csvCell(cell instanceof Date ? writeTime(cell, timeZone) : roundDecimals(fileCell(cell, columns[place])))).join(',')}\r\n`;
  let lines = [BOM, line(columns.map(({ header }) => header))];
  for await (const row of linesOf(table)) {
    lines.push(line(row));
    if (lines.length < CHUNK) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

/** Rounds a number to six decimals, because further decimals of a mean are not significant. */
function roundDecimals<T>(cell: T): T | number {
  return typeof cell === 'number' ? Number(cell.toFixed(6)) : cell;
}
