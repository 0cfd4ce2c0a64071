/** docs/conformance lists a test for every line of the specification. This file checks that these tests exist. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Returns the rows of each table on a page, without the table's heading. */
function tablesOf(page: string): { line: number; cells: string[] }[][] {
  const tables: { line: number; cells: string[] }[][] = [];
  let inTable = false;
  for (const [index, text] of read(page).split('\n').entries()) {
    if (text.startsWith('|')) {
      if (!inTable) tables.push([]);
      tables.at(-1)?.push({ line: index + 1, cells: text.split('|').slice(1, -1) });
    }
    inTable = text.startsWith('|');
  }
  return tables.map((rows) => rows.slice(2));
}

const QUOTED = /(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>/.source;
/**
 * Matches the title of a test or group: the first argument, or the first cell of a table row. Skipped tests do not
 * match.
 */
const TITLE = new RegExp(`(?:\\b(?:test|describe)(?:\\.(?!skip\\(|todo\\()\\w+)*\\(|\\)\\(|\\[)\\s*${QUOTED}`, 'g');
/** Matches test titles that are keys of an object of test cases. */
const KEY = new RegExp(`^\\s*${QUOTED}:`, 'gm');

const known = new Map<string, ReadonlySet<string>>();
function titlesIn(file: string): ReadonlySet<string> {
  const found = known.get(file);
  if (found !== undefined) return found;
  const source = read(file).replaceAll(/^\s*\/\/.*$/gm, '');
  const matches = [...source.matchAll(TITLE), ...source.matchAll(KEY)];
  const titles = new Set(matches.map(({ groups }) => (groups?.title ?? '').replaceAll(/\\(.)/g, '$1')));
  known.set(file, titles);
  return titles;
}

interface Named {
  /** The last file that the cell mentions; undefined if it mentions none. */
  file: string | undefined;
  wrong: string[];
}

/**
 * Checks the tests that the last cell of a row lists. 'The same test' in a cell refers to the tests of the row above.
 */
function follow(cell: string, above: string | undefined): Named {
  const wrong: string[] = [];
  let file: string | undefined;
  let tests = 0;
  for (const [whole, code, title] of cell.matchAll(/`([^`]+)`|\*([^*]+)\*|\bthe same tests?\b/g)) {
    if (code !== undefined) {
      if (!/\.test\.tsx?$/.test(code)) continue;
      file = code;
      if (!existsSync(join(root, file))) return { file: undefined, wrong: [`${file} does not exist`] };
    } else if (title === undefined) {
      file = above;
      if (above === undefined) wrong.push(`there is no row above for '${whole}'`);
      else tests += 1;
    } else if (file === undefined) {
      wrong.push(`no file is named before *${title}*`);
    } else {
      tests += 1;
      // Refuses a title that is only a placeholder, such as `%s`, because it would match any table of test cases.
      if (/^%\w$/.test(title) || !titlesIn(file).has(title)) wrong.push(`${file} has no test called *${title}*`);
    }
  }
  if (tests === 0 && wrong.length === 0) wrong.push('it names no test');
  return { file, wrong };
}

const pages = globSync('docs/conformance/*.md', { cwd: root }).sort();

describe('the specification', () => {
  test('has all its pages in the index', () => {
    const listed = tablesOf('docs/conformance.md').flat();
    const linked = listed.map(({ cells }) => join('docs', /\]\(([^)]+)\)/.exec(cells[0] ?? '')?.[1] ?? ''));
    expect(linked.sort()).toEqual(pages);
  });

  test.each(pages)('names an existing test in every row of %s', (page) => {
    const tables = tablesOf(page);
    expect(tables.flat().length).toBeGreaterThan(0);
    const wrong = tables.flatMap((rows) => {
      let above: string | undefined;
      return rows.flatMap(({ line, cells }) => {
        const here = `${page}:${line}`;
        if (cells.length !== 3)
          return [`${here}: a row has three cells: what is asked, where it lives, which test shows it`];
        const named = follow(cells[2] as string, above);
        above = named.file;
        return named.wrong.map((problem) => `${here}: ${problem}`);
      });
    });
    expect(wrong).toEqual([]);
  });
});
