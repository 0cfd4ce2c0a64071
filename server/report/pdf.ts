import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { formatSeconds } from '../../domain/age.ts';
import { writeAmount } from '../../domain/money.ts';
import { formatShare, heatLevel } from '../../domain/report/health.ts';
import { type Faces, loadFaces } from './fonts.ts';
import { drawFigures, drawLogo, drawPicture } from './pdf-picture.ts';
import { draw, layOutTruncated, layOutWrapped, type TextStyle, widthOf } from './pdf-text.ts';
import {
  type Cell,
  type Column,
  type ColumnKind,
  type KeyFigure,
  type Picture,
  type ReportTable,
  writeTime,
} from './table.ts';

/**
 * Maximum number of rows in a PDF. If the report has more rows, the PDF has a note that the CSV and XLSX files contain
 * all rows.
 */
export const MOST_ROWS = 2000;

const MARGIN = 36;
const ROW = 16;
/** Height of each further line of a row. */
const LINE = 9;
/** Maximum number of lines in one row. */
const MOST_LINES = 8;
const MOST_HEAD_LINES = 3;
const FOOT = 24;
/** Font size of the table. */
const SMALL = 7.5;
const ink = '#1a1f25';
const quiet = '#5b6570';
const line = '#d5dae0';
/** Colours of the heat table, the same as in the console. */
const heat = [
  null,
  { fill: '#ebe5f8', ink: '#4f2f96' },
  { fill: '#d5c8f0', ink: '#43238a' },
  { fill: '#a98fe0', ink: '#1f0f4a' },
  { fill: '#6d3fc4', ink: '#ffffff' },
] as const;

export interface Paper {
  table: ReportTable;
  customer: string;
  made: Date;
}

/** Writes the report as an A4 PDF with logo, key figures, chart and table. */
export async function pdfOf({ table, customer, made }: Paper): Promise<PDFKit.PDFDocument> {
  const { rows, more } = await take(table);
  const figures = (await table.figures?.()) ?? [];
  const picture = await table.picture?.();
  const sections = ((await table.sections?.()) ?? []).filter((section) => section.rows.length > 0);
  const body = written(rows, table.columns, table.timeZone);
  const parts = sections.map((section) => written(section.rows, section.columns, table.timeZone));
  const listed = (await table.rowsTitle?.()) ?? '';
  const notice = more
    ? `Only the first ${MOST_ROWS.toLocaleString('en')} rows are shown. The CSV and XLSX files contain all rows.`
    : '';
  const foot = `${customer}, created ${writeTime(made, table.timeZone)} (${table.timeZone})`;
  const texts = [
    table.title,
    table.about,
    table.order,
    customer,
    foot,
    notice,
    table.nothing ?? '',
    listed,
    'Page of 0123456789',
    'No rows.',
    ...table.columns.map(({ header }) => header),
    ...figures.flatMap(({ name, value, unit = '', before = '' }) => [name, value, unit, before]),
    ...body.flat(),
    ...sections.flatMap(({ title, columns }) => [title, ...columns.map(({ header }) => header)]),
    ...parts.flat(2),
  ];
  if (picture) texts.push(picture.title, ...picture.parts, ...picture.bars.map(({ label }) => label), ',0123456789');
  const faces = await loadFaces(texts.join('').replace(/\s+/g, ' '));
  const doc = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin: 0,
    bufferPages: true,
    info: { Title: table.title, Author: customer, CreationDate: made },
  });
  for (const { id, data } of faces.all) doc.registerFont(id, data);
  const sheet = new Sheet(doc, faces);
  sheet.head(table, customer, figures, picture);
  for (const [place, { title, columns, rows }] of sections.entries()) {
    sheet.begin(columns, title);
    for (const [index, row] of (parts[place] ?? []).entries()) sheet.row(row, rows[index] as readonly Cell[], false);
  }
  sheet.begin(table.columns, [sections.length > 0 && 'All rows', listed].filter(Boolean).join(': ') || undefined);
  for (const [index, row] of body.entries()) {
    sheet.row(row, rows[index] as readonly Cell[], rows[index] === table.total);
    // Lets the event loop run, so that the server can process other requests.
    if (index % 25 === 24) await setImmediate();
  }
  if (body.length === 0) sheet.note(table.nothing ?? 'No rows.');
  if (notice) sheet.note(notice);
  sheet.writeFooters(foot);
  doc.end();
  return doc;
}

async function take({ rows, total }: ReportTable): Promise<{ rows: (readonly Cell[])[]; more: boolean }> {
  const taken: (readonly Cell[])[] = [];
  for await (const row of rows) {
    if (taken.length === MOST_ROWS) return { rows: taken, more: true };
    taken.push(row);
  }
  if (total) taken.push(total);
  return { rows: taken, more: false };
}

function written(rows: readonly (readonly Cell[])[], columns: readonly Column[], timeZone: string): string[][] {
  return rows.map((row) => row.map((cell, index) => writtenCell(cell, columns[index] as Column, timeZone)));
}

function writtenCell(cell: Cell, { kind, currency, figures, none = '' }: Column, timeZone: string): string {
  if (kind === 'share') return formatShare(cell as number | null);
  if (cell === null) return none;
  if (kind === 'seconds') return formatSeconds(cell as number);
  // Removes the UTC offset from the time, because the page footer states the time zone.
  if (cell instanceof Date) return writeTime(cell, timeZone).slice(0, 19);
  if (typeof cell === 'string') return cell;
  if (kind === 'money' && currency !== undefined) return writeAmount(cell, currency, 'en', figures);
  return cell.toLocaleString('en', { maximumFractionDigits: kind === 'decimal' ? 2 : 0 });
}

/** Returns whether a column is right-aligned. All columns are, except those with text or times. */
function atEnd(kind: ColumnKind): boolean {
  return kind !== 'text' && kind !== 'time';
}

/** Draws tables and keeps the current y position on the page. */
class Sheet {
  #y = MARGIN;
  readonly #doc: PDFKit.PDFDocument;
  readonly #faces: Faces;
  #columns: readonly (Column & { x: number; width: number; right: number })[] = [];

  constructor(doc: PDFKit.PDFDocument, faces: Faces) {
    this.#doc = doc;
    this.#faces = faces;
  }

  /** Starts a table. Its column headings are repeated on every further page. */
  begin(columns: readonly Column[], title: string | undefined): void {
    // Keeps the title of a table on the same page as its column headings and first two rows.
    if (title !== undefined && this.#y + 5 * ROW > this.#bottom) this.#newPage();
    if (title !== undefined) {
      if (this.#y > MARGIN) this.#y += ROW / 2;
      this.#text(title, MARGIN, this.#y + 12, { size: 10, bold: true });
      this.#y += 1.5 * ROW;
    }
    this.#layOut(columns);
    this.#columnHeads();
  }

  #layOut(columns: readonly Column[]): void {
    const room = this.#doc.page.width - 2 * MARGIN;
    // Durations in a PDF include their unit, so the column heading omits it.
    const named = columns.map((column) =>
      column.kind === 'seconds' ? { ...column, header: column.header.replace(/ \(s\)$/, '') } : column,
    );
    const weights = columns.reduce((sum, { weight = 1 }) => sum + weight, 0);
    let x = MARGIN;
    this.#columns = named.map((column, index) => {
      const width = (room * (column.weight ?? 1)) / weights;
      x += width;
      // Adds space if a text column follows a number column.
      const next = columns[index + 1];
      return { ...column, x: x - width, width, right: atEnd(column.kind) && next && !atEnd(next.kind) ? 14 : 5 };
    });
  }

  get #right(): number {
    return this.#doc.page.width - MARGIN;
  }

  head(
    { title, about, order }: ReportTable,
    customer: string,
    figures: readonly KeyFigure[],
    picture: Picture | undefined,
  ): void {
    drawLogo(this.#doc, MARGIN, MARGIN, 28);
    this.#text(title, MARGIN + 38, MARGIN + 12, { size: 16, bold: true });
    // The sort order is never truncated. The description of the filters gets the remaining width.
    const said = this.#text(order, MARGIN, MARGIN + 27, { size: 9, color: quiet }, 'end', this.#right - MARGIN);
    this.#text(about, MARGIN + 38, MARGIN + 27, { size: 9, color: quiet }, undefined, this.#right - MARGIN - 48 - said);
    this.#text(customer, MARGIN, MARGIN + 12, { size: 9, color: quiet }, 'end', this.#right - MARGIN);
    this.#y = MARGIN + 48;
    const write = (text: string, x: number, y: number, style: TextStyle, align?: 'end', room?: number) =>
      this.#text(text, x, y, style, align, room);
    const box = () => ({ x: MARGIN, y: this.#y, width: this.#right - MARGIN });
    if (figures.length > 0) this.#y = drawFigures(this.#doc, figures, box(), write) + 14;
    if (picture?.bars.some(({ values }) => values.some((value) => value > 0))) {
      this.#y = drawPicture(this.#doc, picture, box(), write) + 10;
    }
  }

  #columnHeads(): void {
    const style = { size: SMALL, bold: true, color: quiet };
    const heads = this.#columns.map(({ header, width, right }) =>
      layOutWrapped(this.#doc, this.#faces, header, style, width - right, MOST_HEAD_LINES),
    );
    const most = Math.max(1, ...heads.map(({ length }) => length));
    for (const [index, { kind, x, width, right }] of this.#columns.entries()) {
      const lines = heads[index] ?? [];
      for (const [place, runs] of lines.entries()) {
        const left = atEnd(kind) ? x + 2 + width - right - widthOf(runs) : x + 2;
        // Headings with fewer lines are aligned to the bottom.
        draw(this.#doc, runs, left, this.#y + 10 + (most - lines.length + place) * LINE, style);
      }
    }
    this.#y += ROW + LINE * (most - 1);
    this.#rule(0.8, ink);
  }

  row(texts: readonly string[], cells: readonly Cell[], total: boolean): void {
    const lines = this.#columns.map(({ width, right }, index) =>
      layOutWrapped(
        this.#doc,
        this.#faces,
        texts[index] ?? '',
        { size: SMALL, bold: total },
        width - right,
        MOST_LINES,
      ),
    );
    const height = ROW + LINE * (Math.max(1, ...lines.map(({ length }) => length)) - 1);
    this.#room(height);
    if (total) this.#rule(0.8, ink);
    for (const [index, { kind, plain, x, width, right }] of this.#columns.entries()) {
      const colors = kind === 'share' && !plain && !total ? heat[heatLevel(cells[index] as number | null)] : null;
      if (colors) this.#doc.rect(x + 1, this.#y, width - 2, height - 3).fill(colors.fill);
      const style = { size: SMALL, color: colors?.ink ?? ink };
      for (const [place, runs] of (lines[index] ?? []).entries()) {
        const left = atEnd(kind) ? x + 2 + width - right - widthOf(runs) : x + 2;
        draw(this.#doc, runs, left, this.#y + 10 + place * LINE, style);
      }
    }
    this.#y += height;
    this.#rule(0.4, line);
  }

  /** Draws a horizontal line just above the next row. */
  #rule(width: number, color: string): void {
    this.#doc
      .moveTo(MARGIN, this.#y - 2)
      .lineTo(this.#right, this.#y - 2)
      .lineWidth(width)
      .strokeColor(color)
      .stroke();
  }

  note(text: string): void {
    this.#room(ROW);
    this.#text(text, MARGIN, this.#y + 12, { size: 9, color: quiet });
    this.#y += ROW;
  }

  /** Writes the footer text and the page number on all pages. Call it after all pages have been created. */
  writeFooters(text: string): void {
    const { count } = this.#doc.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.#doc.switchToPage(page);
      const y = this.#doc.page.height - MARGIN + 10;
      this.#text(text, MARGIN, y, { size: 7.5, color: quiet });
      this.#text(`Page ${page + 1} of ${count}`, MARGIN, y, { size: 7.5, color: quiet }, 'end', this.#right - MARGIN);
    }
  }

  #room(height: number): void {
    if (this.#y + height <= this.#bottom) return;
    this.#newPage();
    this.#columnHeads();
  }

  #newPage(): void {
    this.#doc.addPage();
    this.#y = MARGIN;
  }

  get #bottom(): number {
    return this.#doc.page.height - MARGIN - FOOT + 12;
  }

  #text(text: string, x: number, y: number, style: TextStyle, align?: 'end', room = this.#right - x): number {
    const runs = layOutTruncated(this.#doc, this.#faces, text, style, room);
    draw(this.#doc, runs, align === 'end' ? x + room - widthOf(runs) : x, y, style);
    return widthOf(runs);
  }
}
