import type { ReadableStream } from 'node:stream/web';
import { writeXlsxStream } from 'hucre/xlsx';
import { currencyDecimals } from '../../domain/money.ts';
import { type Cell, type ColumnKind, fileCell, linesOf, type ReportTable, wallClock, writeOffset } from './table.ts';

const formats: Record<Exclude<ColumnKind, 'money'>, string | undefined> = {
  text: undefined,
  count: '#,##0',
  decimal: '#,##0.##',
  share: '0.0',
  seconds: '#,##0.0',
  time: 'yyyy-mm-dd hh:mm:ss',
};
const widths: Record<ColumnKind, number> = {
  text: 28,
  count: 12,
  decimal: 12,
  share: 10,
  seconds: 14,
  money: 14,
  time: 20,
};

/**
 * Returns the number format for prices in a currency. It allows two more decimals than the currency has, for prices
 * below the smallest coin. For a currency without decimals, such as the yen, the format has no decimals.
 */
function moneyFormat(currency: string): string {
  const figures = currencyDecimals(currency);
  return figures === 0 ? '#,##0' : `#,##0.${'0'.repeat(figures)}##`;
}

/**
 * Streams the table as a workbook. Text cells are stored as strings, so a spreadsheet never runs them as formulas.
 * Spreadsheets have no time zones, so each time column is followed by a column with the UTC offset.
 */
export function xlsxOf(table: ReportTable): ReadableStream<Uint8Array> {
  const { name, columns, timeZone } = table;
  const cells = (value: Cell, place: number) => {
    const column = columns[place];
    if (column?.kind !== 'time') return [fileCell(value, column)];
    return value instanceof Date ? [wallClock(value, timeZone), writeOffset(value, timeZone)] : [value, null];
  };
  async function* all() {
    for await (const row of linesOf(table)) yield row.flatMap(cells);
  }
  return writeXlsxStream(all(), {
    name: name.slice(0, 31),
    columns: columns.flatMap((column) => {
      const { header, kind, whole, currency = 'EUR' } = column;
      const numFmt = kind === 'money' ? moneyFormat(currency) : formats[whole ? 'count' : kind];
      const shown = { header, width: Math.max(widths[kind], header.length + 2), ...(numFmt && { numFmt }) };
      if (kind !== 'time') return [shown];
      const offset = `${header}, UTC offset`;
      return [shown, { header: offset, width: offset.length + 2 }];
    }),
    freezePane: { rows: 1 },
  }) as ReadableStream<Uint8Array>;
}
