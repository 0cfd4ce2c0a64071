import bidiPackage from 'bidi-js';
import { type Face, type Faces, UNKNOWN } from './fonts.ts';

/** The package's type definitions do not match its default export, which is a function. */
const bidi = (bidiPackage as unknown as () => { getEmbeddingLevels(text: string): { levels: Uint8Array } })();

/** Characters of Hebrew, Arabic and related scripts. Text without them needs no reordering. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Matches spaces at which a line may break. A no-break space is not matched, so a number stays on the same line as its
 * unit.
 */
const BREAK = /[^\S\u00a0]+/;

/** Text in one font and one direction, drawn without a line break. */
export interface Run {
  text: string;
  face: Face;
  width: number;
}

export interface TextStyle {
  size: number;
  bold?: boolean;
  color?: string;
}

/** Methods of pdfkit that the text layout needs. */
interface Paper {
  font(id: string): Paper;
  fontSize(size: number): Paper;
  fillColor(color: string): Paper;
  strokeColor(color: string): Paper;
  lineWidth(width: number): Paper;
  widthOfString(text: string): number;
  text(text: string, x: number, y: number, options: object): Paper;
}

/**
 * Lays out one line of text in any scripts, from left to right. Right-to-left words are placed one by one in visual
 * order; the font joins the letters within a word.
 */
export function layOut(doc: Paper, faces: Faces, text: string, { size, bold = false }: TextStyle): Run[] {
  const runs: Run[] = [];
  for (const { word, face } of visualWords(text, faces, bold)) {
    const width = doc.font(face.id).fontSize(size).widthOfString(word);
    runs.push({ text: word, face, width });
  }
  return runs;
}

export function widthOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { width }) => sum + width, 0);
}

/** Lays out a text on one line. Truncates it with `…` if it is too wide. */
export function layOutTruncated(doc: Paper, faces: Faces, text: string, style: TextStyle, room: number): Run[] {
  const whole = layOut(doc, faces, text, style);
  if (widthOf(whole) <= room) return whole;
  const letters = [...text];
  // Starts with an estimated number of characters. The loop removes characters until the text fits.
  let most = Math.min(letters.length, Math.ceil((letters.length * room) / widthOf(whole)));
  for (; most > 0; most -= 1) {
    const runs = layOut(doc, faces, `${letters.slice(0, most).join('')}…`, style);
    if (widthOf(runs) <= room) return runs;
  }
  return [];
}

/**
 * Lays out a text on at most `most` lines and truncates the last line. Lines break between words, or inside a word that
 * is longer than a line.
 */
export function layOutWrapped(
  doc: Paper,
  faces: Faces,
  text: string,
  style: TextStyle,
  room: number,
  most: number,
): Run[][] {
  const whole = layOut(doc, faces, text, style);
  if (widthOf(whole) <= room) return [whole];
  const lines: Run[][] = [];
  const width = (part: string) => widthOf(layOut(doc, faces, part, style));
  const space = width(' ');
  const words = text.split(BREAK);
  while (words.length > 0 && lines.length < most - 1) {
    let [count, taken] = [0, 0];
    for (; count < words.length; count += 1) {
      const next = taken + (count === 0 ? 0 : space) + width(words[count] as string);
      if (next > room) break;
      taken = next;
    }
    if (count === 0) {
      const letters = [...(words[0] as string)];
      let fits = Math.max(1, Math.floor((letters.length * room) / width(words[0] as string)));
      while (fits > 1 && width(letters.slice(0, fits).join('')) > room) fits -= 1;
      lines.push(layOut(doc, faces, letters.slice(0, fits).join(''), style));
      words[0] = letters.slice(fits).join('');
    } else lines.push(layOut(doc, faces, words.splice(0, count).join(' '), style));
  }
  if (words.length > 0) lines.push(layOutTruncated(doc, faces, words.join(' '), style, room));
  return lines;
}

export function draw(
  doc: Paper,
  runs: readonly Run[],
  x: number,
  y: number,
  { size, color = '#1a1f25' }: TextStyle,
): void {
  let left = x;
  for (const { text, face, width } of runs) {
    doc.font(face.id).fontSize(size).fillColor(color);
    if (face.outlined) doc.strokeColor(color).lineWidth(size / 60);
    if (text !== ' ')
      doc.text(text, left, y, {
        lineBreak: false,
        baseline: 'alphabetic',
        ...(face.outlined && { fill: true, stroke: true }),
      });
    left += width;
  }
}

function visualWords(text: string, faces: Faces, bold: boolean): { word: string; face: Face }[] {
  // Line breaks become spaces. Control characters are removed, because they have no glyph.
  const clean = text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '');
  const levels = RIGHT_TO_LEFT.test(clean) ? bidi.getEmbeddingLevels(clean).levels : [];
  const words: { word: string; face: Face; level: number }[] = [];
  let at = 0;
  for (const letter of clean) {
    const level = levels[at] ?? 0;
    at += letter.length;
    const known = faces.of(letter, bold);
    const face = known ?? (faces.of(UNKNOWN, bold) as Face);
    const last = words.at(-1);
    const apart = level % 2 === 1 && (letter === ' ' || last?.word === ' ');
    if (last && last.face === face && last.level === level && !apart) last.word += known ? letter : UNKNOWN;
    else words.push({ word: known ? letter : UNKNOWN, face, level });
  }
  return reorder(words);
}

/** Reorders words for display according to rule L2 of the Unicode bidirectional algorithm. */
function reorder<T extends { level: number }>(words: T[]): T[] {
  const levels = words.map(({ level }) => level);
  for (let level = Math.max(0, ...levels); level >= 1; level -= 1) {
    for (let start = 0; start < words.length; start += 1) {
      let end = start;
      while (end < words.length && (words[end] as T).level >= level) end += 1;
      if (end > start + 1) words.splice(start, end - start, ...words.slice(start, end).reverse());
      start = Math.max(start, end - 1);
    }
  }
  return words;
}
