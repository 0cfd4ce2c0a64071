/** Loads fonts for PDF reports, so that names in any script can be printed. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import wawoff2 from 'wawoff2';

interface Family {
  package: string;
  file(subset: string, bold: boolean): string;
  /**
   * True for a variable font. fontkit cannot set the weight of such a font, so its letters are also outlined to look
   * less thin.
   */
  outlined?: true;
}

const staticFile = (name: string) => (subset: string, bold: boolean) =>
  `${name}-${subset}-${bold ? 600 : 400}-normal.woff2`;
const variable = (name: string) => (subset: string) => `${name}-${subset}-wght-normal.woff2`;

/** Font families in order of preference. A character is drawn with the first family that contains it. */
const families: readonly Family[] = [
  { package: '@fontsource/noto-sans', file: staticFile('noto-sans') },
  { package: '@fontsource/noto-sans-arabic', file: staticFile('noto-sans-arabic') },
  { package: '@fontsource/noto-sans-hebrew', file: staticFile('noto-sans-hebrew') },
  { package: '@fontsource-variable/noto-sans-sc', file: variable('noto-sans-sc'), outlined: true },
  { package: '@fontsource-variable/noto-sans-kr', file: variable('noto-sans-kr'), outlined: true },
];

interface Subset {
  family: Family;
  folder: string;
  name: string;
  ranges: readonly (readonly [number, number])[];
}

export interface Face {
  /** Name of the font in the PDF document. */
  id: string;
  data: Buffer;
  outlined: boolean;
}

/** Character that is printed for any character that no font contains. */
export const UNKNOWN = '?';

let subsets: Promise<Subset[]> | undefined;
const files = new Map<string, Promise<Buffer>>();

/** Fonts needed to draw a text. */
export interface Faces {
  /** Returns the font for a character; undefined if no font contains it. */
  of(letter: string, bold: boolean): Face | undefined;
  all: readonly Face[];
}

export async function loadFaces(letters: Iterable<string>): Promise<Faces> {
  subsets ??= readSubsets();
  const known = await subsets;
  const byLetter = new Map<string, [regular: Face, bold: Face]>();
  const faces = new Map<string, Face>();
  for (const letter of new Set([...letters, UNKNOWN, '…', ' '])) {
    const code = letter.codePointAt(0) as number;
    const subset = known.find(({ ranges }) => ranges.some(([first, last]) => code >= first && code <= last));
    if (subset) byLetter.set(letter, [await faceOf(subset, false, faces), await faceOf(subset, true, faces)]);
  }
  return { of: (letter, bold) => byLetter.get(letter)?.[bold ? 1 : 0], all: [...faces.values()] };
}

async function faceOf({ family, folder, name }: Subset, bold: boolean, faces: Map<string, Face>): Promise<Face> {
  const id = family.file(name, bold);
  const known = faces.get(id);
  if (known) return known;
  const data = files.get(id) ?? readFace(join(folder, 'files', id));
  files.set(id, data);
  const face = { id, data: await data, outlined: family.outlined ?? false };
  faces.set(id, face);
  return face;
}

async function readFace(file: string): Promise<Buffer> {
  const data = await readFile(file);
  return file.endsWith('.woff2') ? Buffer.from(await wawoff2.decompress(data)) : data;
}

async function readSubsets(): Promise<Subset[]> {
  const { resolve } = createRequire(import.meta.url);
  const found: Subset[] = [];
  for (const family of families) {
    const folder = dirname(resolve(`${family.package}/package.json`));
    const ranges: Record<string, string> = JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8'));
    for (const [name, text] of Object.entries(ranges)) {
      found.push({ family, folder, name: name.replace(/[[\]]/g, ''), ranges: text.split(',').map(readRange) });
    }
    // The subsets of a family overlap. The Latin subset comes first, so that it draws the characters that several
    // subsets contain.
    found.sort((a, b) => (a.family === family && b.family === family ? rank(a) - rank(b) : 0));
  }
  return found;
}

const rank = ({ name }: Subset) => (name === 'latin' ? 0 : 1);

/** Parses a range such as `U+4e00-4e10`. */
function readRange(text: string): readonly [number, number] {
  const [first = '', last = first] = text.trim().slice(2).split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}
