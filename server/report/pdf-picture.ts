import { type Severity, severities } from '../../domain/rule/priority.ts';
import type { TextStyle } from './pdf-text.ts';
import type { KeyFigure, Picture } from './table.ts';

/** Draws a text and returns its width. */
type Write = (text: string, x: number, y: number, style: TextStyle, align?: 'end', room?: number) => number;

const shades = ['#1a1f25', '#7b8794', '#2f7f86', '#a9825a'];
const shadesBySeverity: Readonly<Record<Severity, string>> = {
  critical: '#c6162b',
  major: '#dc6f7c',
  minor: '#bd6e00',
  silent: '#7648cc',
};
const severityShades = severities.map((severity) => shadesBySeverity[severity]);
const quiet = '#5b6570';
const HEIGHT = 62;
const AXIS = 34;

/** Returns the colour of one part of a bar. Bars that consist of a single part are grey. */
function shadeOf(part: number, { parts, severities }: Picture): string {
  const all = severities ? severityShades : shades;
  return (parts.length === 1 ? all[1] : all[part % all.length]) as string;
}

/** Draws the product logo: a bell in a square. */
export function drawLogo(doc: PDFKit.PDFDocument, x: number, y: number, size: number): void {
  doc.save();
  doc.translate(x, y).scale(size / 32);
  doc.roundedRect(0, 0, 32, 32, 6).fill('#1a1f25');
  doc.translate(16, 16.4).rotate(-12).scale(1.04).translate(-16, -16);
  doc.circle(16, 6.4, 1.8).fill('#fff');
  doc
    .path(
      'M16 7.4c4 0 6.4 2.8 6.4 6.6 0 4 .7 5.6 2.6 7.3.5.5.2 1.2-.5 1.2H7.5c-.7 0-1-.7-.5-1.2 1.9-1.7 2.6-3.3 2.6-7.3 0-3.8 2.4-6.6 6.4-6.6z',
    )
    .fill('#fff');
  doc.path('M14.2 24.2h6.2a3.1 3.1 0 0 1-6.2 0z').fill('#fff');
  doc.restore();
}

/** Minimum width of a key figure, measured in characters. */
const SHORTEST = 14;

/** Draws the key figures side by side over the full width. Returns the y position below them. */
export function drawFigures(
  doc: PDFKit.PDFDocument,
  figures: readonly KeyFigure[],
  box: { x: number; y: number; width: number },
  write: Write,
): number {
  // Longer key figures get more space. The characters of a value count twice, because the font of values is twice as
  // large.
  const letters = figures.map(({ name, value, unit = '', before = '' }) =>
    Math.max(SHORTEST, name.length, before.length, 2 * value.length + unit.length),
  );
  const letter = box.width / letters.reduce((sum, count) => sum + count, 0);
  let left = box.x;
  for (const [index, { name, value, unit, before }] of figures.entries()) {
    const width = (letters[index] ?? 0) * letter;
    const x = left + (index === 0 ? 0 : 10);
    const room = width - (index === 0 ? 6 : 16);
    left += width;
    if (index > 0)
      doc
        .moveTo(x - 10, box.y)
        .lineTo(x - 10, box.y + 38)
        .lineWidth(0.6)
        .strokeColor('#d5dae0')
        .stroke();
    write(name, x, box.y + 7, { size: 7.5, color: quiet }, undefined, room);
    const taken = write(value, x, box.y + 23, { size: 13, bold: true }, undefined, room);
    if (unit) write(unit, x + taken + 5, box.y + 23, { size: 7.5, color: quiet }, undefined, room - taken - 5);
    if (before) write(before, x, box.y + 35, { size: 7.5, color: quiet }, undefined, room);
  }
  return box.y + 38;
}

/** Draws stacked bars and an axis with the maximum. Returns the y position below them. */
export function drawPicture(
  doc: PDFKit.PDFDocument,
  picture: Picture,
  box: { x: number; y: number; width: number },
  write: Write,
): number {
  const { title, parts, bars, most: full } = picture;
  write(title, box.x, box.y + 8, { size: 9, bold: true });
  let key = box.x + 220;
  if (parts.length > 1) {
    for (const [index, name] of parts.entries()) {
      doc.rect(key, box.y + 2, 7, 7).fill(shadeOf(index, picture));
      write(name, key + 10, box.y + 8, { size: 7.5, color: quiet });
      key += 66;
    }
  }
  const top = box.y + 18;
  const bottom = top + HEIGHT;
  const most = full ?? Math.max(1, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  write(most.toLocaleString('en'), box.x, top + 6, { size: 7, color: quiet }, 'end', AXIS - 6);
  write('0', box.x, bottom, { size: 7, color: quiet }, 'end', AXIS - 6);
  const step = (box.width - AXIS) / bars.length;
  const every = Math.ceil(bars.length / 16);
  for (const [index, { label, values }] of bars.entries()) {
    const x = box.x + AXIS + index * step;
    let y = bottom;
    for (const [part, value] of values.entries()) {
      const height = (value / most) * HEIGHT;
      if (height > 0) doc.rect(x, y - height, Math.max(0.4, step * 0.72), height).fill(shadeOf(part, picture));
      y -= height;
    }
    if (index % every === 0 && index + every / 2 < bars.length)
      write(label, x, bottom + 10, { size: 7, color: quiet }, undefined, step * every - 2);
  }
  doc
    .moveTo(box.x + AXIS, bottom)
    .lineTo(box.x + box.width, bottom)
    .lineWidth(0.6)
    .strokeColor('#9aa4af')
    .stroke();
  return bottom + 12;
}
