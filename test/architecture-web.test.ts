/** Checks the import rules between the layers of the console. docs/architecture.md describes every folder. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Import {
  from: string;
  to: string;
  /** True for a dynamic `import()`. */
  lazy?: boolean;
}

/** The layers, from the lowest to the highest. The files in web/ itself start the console and may import everything. */
const layers = ['ui', 'api', 'kit', 'features', 'app', 'routes'];
const MOST_FILES = 25;

const say = ({ from, to }: Import) => `${from} imports ${to}`;
const layerOf = (file: string) => file.split('/')[1] as string;
const levelOf = (file: string) => (file.split('/').length === 2 ? layers.length : layers.indexOf(layerOf(file)));
/**
 * Returns the group of a file, such as `web/features/alarm` or `web/kit/list`. If a layer has no subfolders, the layer
 * itself is a group.
 */
const groupOf = (file: string) =>
  dirname(file)
    .split('/')
    .slice(0, ['kit', 'features', 'app'].includes(layerOf(file)) ? 3 : 2)
    .join('/');
const isPublicFile = (file: string) => /^web\/features\/[^/]+\/index\.ts$/.test(file);

function upwardImports(imports: readonly Import[]): string[] {
  return imports.filter(({ from, to }) => levelOf(to) > levelOf(from)).map(say);
}

/** Returns imports that bypass a feature's public file. Only routes/ and dynamic imports in app/ may bypass it. */
function importsPastPublicFile(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => layerOf(to) === 'features' && groupOf(from) !== groupOf(to) && !isPublicFile(to))
    .filter(({ from, lazy }) => layerOf(from) === 'features' || (layerOf(from) === 'app' && !lazy))
    .map(say);
}

/**
 * Returns imports in which a feature's own file uses the feature's public file. Such files must import each other
 * directly.
 */
function importsOfOwnPublicFile(imports: readonly Import[]): string[] {
  return imports.filter(({ from, to }) => isPublicFile(to) && groupOf(from) === groupOf(to)).map(say);
}

/**
 * Returns a description of each pair of folders or groups that import each other, with an example import in each
 * direction.
 */
function mutualPairs(imports: readonly Import[], placeOf: (file: string) => string): string[] {
  const first = new Map<string, Import>();
  for (const one of imports) {
    const key = `${placeOf(one.from)} ${placeOf(one.to)}`;
    if (placeOf(one.from) !== placeOf(one.to) && !first.has(key)) first.set(key, one);
  }
  return [...first].flatMap(([key, one]) => {
    const back = first.get(key.split(' ').reverse().join(' '));
    return back && placeOf(one.from) < placeOf(one.to) ? `${say(one)}, and ${say(back)}` : [];
  });
}

/** Returns folders that have more than 25 source files, not counting subfolders. */
function crowdedFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MOST_FILES).map(([folder, count]) => `${folder} has ${count} files`);
}

const root = join(import.meta.dirname, '..');
const files = globSync('web/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.(test|d)\.tsx?$/.test(file));
const imports = files.flatMap((from) =>
  [...readFileSync(join(root, from), 'utf8').matchAll(/(?:from|import)\s*(\()?\s*'(\.[^']+)'/g)].map(
    ([, call, path]): Import => ({
      from,
      to: normalize(join(dirname(from), path as string)).replaceAll('\\', '/'),
      lazy: call !== undefined,
    }),
  ),
);
const inside = imports.filter(({ to }) => to.startsWith('web/') && !to.startsWith('web/styles/'));
const withoutPublicFiles = inside.filter(({ from }) => !isPublicFile(from));

describe('the console', () => {
  test('has imports to check', () => {
    expect(inside.length).toBeGreaterThan(1500);
    expect(files.filter((file) => levelOf(file) < 0 && !file.startsWith('web/styles/'))).toEqual([]);
  });

  test('imports only from the same layer or a lower one', () => {
    expect(upwardImports(inside)).toEqual([]);
  });

  test('imports a feature only through its public file', () => {
    expect(importsPastPublicFile(inside)).toEqual([]);
    expect(importsOfOwnPublicFile(inside)).toEqual([]);
  });

  test('has no two features, parts of the kit or parts of the app that import each other', () => {
    expect(mutualPairs(inside, groupOf)).toEqual([]);
  });

  test('has no two folders that import each other', () => {
    expect(mutualPairs(withoutPublicFiles, dirname)).toEqual([]);
  });

  test('has at most 25 source files in one folder', () => {
    expect(crowdedFolders(files)).toEqual([]);
  });

  test('has browser tests of at most 500 lines a file', () => {
    const lengths = globSync('test/browser/**/*.ts', { cwd: root }).map(
      (file) => [file, readFileSync(join(root, file), 'utf8').split('\n').length - 1] as const,
    );
    expect(lengths.filter(([, length]) => length > 500)).toEqual([]);
  });

  test('has every folder of two levels in docs/architecture.md', () => {
    const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const folders = new Set(
      globSync('web/**/*', { cwd: root, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, entry.parentPath).replaceAll('\\', '/').split('/').slice(0, 3).join('/'))
        .filter((folder) => folder !== 'web'),
    );
    expect([...folders].filter((folder) => !page.includes(`\`${folder}/\``))).toEqual([]);
  });
});

describe('a planted violation is found:', () => {
  const planted = (from: string, to: string, lazy = false): Import => ({ from: `web/${from}`, to: `web/${to}`, lazy });

  test.each([
    ['ui imports the API', 'ui/Page.tsx', 'api/http.ts'],
    ['ui imports the kit', 'ui/Page.tsx', 'kit/format/At.tsx'],
    ['the kit imports a feature', 'kit/list/list.ts', 'features/site/index.ts'],
    ['a feature imports the app', 'features/site/SitePage.tsx', 'app/shell/Shell.tsx'],
    ['the app imports a route', 'app/shell/Shell.tsx', 'routes/router.tsx'],
    ['a route imports a file that starts the console', 'routes/root.tsx', 'App.tsx'],
  ])('%s', (_, from, to) => {
    expect(upwardImports([planted(from, to)])).toEqual([`web/${from} imports web/${to}`]);
    expect(upwardImports([planted(to, from)])).toEqual([]);
  });

  test('a feature or the app imports a feature past its public file', () => {
    const queries = 'features/alarm/alarm.queries.ts';
    const found = importsPastPublicFile([
      planted('features/site/SitePage.tsx', queries),
      planted('features/site/SitePage.tsx', 'features/alarm/list/AlarmListPage.tsx', true),
      planted('features/site/SitePage.tsx', 'features/alarm/index.ts'),
      planted('features/alarm/list/AlarmList.tsx', queries),
      planted('app/shell/Shell.tsx', queries),
      planted('app/shell/Shell.tsx', 'features/alarm/list/AlarmListPage.tsx', true),
      planted('routes/dashboard.tsx', 'features/alarm/list/AlarmListPage.tsx', true),
    ]);
    expect(found).toEqual([
      `web/features/site/SitePage.tsx imports web/${queries}`,
      'web/features/site/SitePage.tsx imports web/features/alarm/list/AlarmListPage.tsx',
      `web/app/shell/Shell.tsx imports web/${queries}`,
    ]);
  });

  test('a file imports the public file of its own feature', () => {
    expect(importsOfOwnPublicFile([planted('features/alarm/list/AlarmList.tsx', 'features/alarm/index.ts')])).toEqual([
      'web/features/alarm/list/AlarmList.tsx imports web/features/alarm/index.ts',
    ]);
  });

  test.each([
    ['features', groupOf, 'features/alarm/list/AlarmList.tsx', 'features/site/index.ts', 'features/alarm/index.ts'],
    ['parts of the kit', groupOf, 'kit/list/list.ts', 'kit/record/draft.ts', 'kit/list/cells.tsx'],
    [
      'folders of a feature',
      dirname,
      'features/alarm/list/a.ts',
      'features/alarm/bell/b.ts',
      'features/alarm/list/c.ts',
    ],
  ])('two %s import each other', (_, placeOf, one, other, back) => {
    const mutual = [planted(one, other), planted(other.replace('index.ts', 'SitePage.tsx'), back)];
    expect(mutualPairs(mutual, placeOf)).toHaveLength(1);
    expect(mutualPairs(mutual.slice(1), placeOf)).toEqual([]);
  });

  test('a folder has 26 source files', () => {
    const many = Array.from({ length: 26 }, (_, index) => `web/features/alarm/file-${index}.ts`);
    expect(crowdedFolders(many)).toEqual(['web/features/alarm has 26 files']);
    expect(crowdedFolders(many.slice(1))).toEqual([]);
  });
});
