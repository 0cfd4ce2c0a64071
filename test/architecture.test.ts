import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fieldSentences } from '../domain/field-sentences.ts';
import { settings } from '../server/config.ts';
import { completeLockfile, withoutIntegrity } from '../tools/complete-lockfile.ts';
import { crowdedFolders, mutualPairs, upwardImports } from './harness/borders.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const sources = globSync('{domain,db,server,web,test,tools}/**/*.{ts,tsx}', { cwd: root });
const product = sources.filter((file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('test/'));

/** Returns the project files that a file imports statically or dynamically. */
function importsOf(file: string): string[] {
  const found = [...read(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1] as string);
  return found.map((target) => normalize(join(dirname(file), target)).replaceAll('\\', '/'));
}

function packagesOf(file: string): string[] {
  // Matches dynamic imports, and import statements at the start of a line. Elsewhere in a line, the word `from` may be
  // part of SQL.
  const statement =
    /^(?:import '|(?:import|export) (?:type )?[\w*{][^;'`()=]*? from ')([^.'\n][^'\n]*)'|\bimport\(\s*'([^.'\n][^'\n]*)'/gm;
  return [...read(file).matchAll(statement)].map((match) => (match[1] ?? match[2]) as string);
}

interface Border {
  who: string;
  may: RegExp;
  because: string;
}

const borders: Border[] = [
  {
    who: 'domain/',
    may: /^domain\//,
    because: 'decisions are pure functions. I/O belongs in server/ or web/.',
  },
  {
    who: 'db/',
    may: /^(db|domain)\//,
    because: 'the demo plant is only data, and the caller provides the database.',
  },
  {
    who: 'server/platform/',
    may: /^server\/platform\//,
    because: 'the platform knows no product words, so that every other file can use it.',
  },
  {
    who: 'server/',
    may: /^(server|domain|db\/demo)\//,
    because: 'the server stands on its own: it must run without the console, tests and tools.',
  },
  { who: 'web/', may: /^(web|domain)\//, because: 'the console knows the server only through its calls.' },
  {
    who: 'tools/',
    may: /^(tools|domain|test\/harness)\//,
    because: 'tools look at the product from outside, as its users do.',
  },
];

describe('borders', () => {
  for (const { who, may, because } of borders) {
    test(`${who} imports only what it may: ${because}`, () => {
      const crossings = product
        .filter((file) => file.startsWith(who))
        .flatMap((file) =>
          importsOf(file)
            .filter((target) => !may.test(target))
            .map((target) => `${file} imports ${target}`),
        );
      expect(crossings).toEqual([]);
    });
  }

  /** Folders and files of server/. Each entry may import only the entries before it. */
  const serverOrder = [
    'platform',
    'access.ts',
    'sender',
    'config.ts',
    'process',
    'clock',
    'live',
    'auth',
    'notification',
    'on-call',
    'destination',
    'rule',
    'alarm',
    'pipeline',
    'gateway',
    'report',
    'engine',
    'graphql',
    'demo',
    'start',
    'cell',
    'http',
    'cli',
    'app.ts',
    'main.ts',
  ];
  const serverGroup = (file: string) => file.split('/')[1] as string;
  const serverFiles = product.filter((file) => file.startsWith('server/'));

  test('a folder of server/ imports only folders below it', () => {
    const imports = serverFiles.flatMap((from) =>
      importsOf(from)
        .filter((to) => to.startsWith('server/'))
        .map((to) => ({ from, to })),
    );
    expect(upwardImports(imports, serverOrder, serverGroup)).toEqual([]);
    expect(mutualPairs(imports, serverGroup)).toEqual([]);
  });

  test('a folder has at most 25 source files, tests not counted', () => {
    const code = sources.filter((file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('web/'));
    const logic = globSync('db/logic/**/*.sql', { cwd: root });
    expect(logic).not.toEqual([]);
    expect(crowdedFolders([...code, ...logic], 25)).toEqual([]);
  });

  test('the checks of folders find a planted violation', () => {
    const planted = [
      { from: 'server/alarm/open.ts', to: 'server/pipeline/batch.ts' },
      { from: 'server/pipeline/batch.ts', to: 'server/alarm/open.ts' },
      { from: 'server/unlisted/a.ts', to: 'server/platform/log.ts' },
    ];
    expect(upwardImports(planted, serverOrder, serverGroup)).toEqual([
      'server/alarm/open.ts imports server/pipeline/batch.ts',
      'server/unlisted/a.ts imports server/platform/log.ts',
    ]);
    expect(mutualPairs(planted, serverGroup)).toEqual(['alarm ↔ pipeline']);
    const files = Array.from({ length: 26 }, (_, index) => `server/alarm/${index}.ts`);
    expect(crowdedFolders(files, 25)).toEqual(['server/alarm: 26']);
    expect(crowdedFolders(files.slice(1), 25)).toEqual([]);
  });

  test('no file imports itself through others', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, way: readonly string[]) => {
      if (done.has(file) || !sources.includes(file)) return;
      const begun = way.indexOf(file);
      if (begun >= 0) {
        circles.push([...way.slice(begun), file].join(' → '));
        return;
      }
      for (const target of importsOf(file)) visit(target, [...way, file]);
      done.add(file);
    };
    for (const file of product) visit(file, []);
    expect(circles).toEqual([]);
  });

  test('domain/ uses no package and nothing of Node, because it also runs in the browser', () => {
    expect(product.filter((file) => file.startsWith('domain/')).flatMap(packagesOf)).toEqual([]);
  });

  test('no page of the console renders stored markup', () => {
    const drawing = product.filter(
      (file) =>
        file.startsWith('web/') &&
        /dangerouslySetInnerHTML|insertAdjacentHTML|\b(?:inner|outer)HTML\b/.test(read(file)),
    );
    expect(drawing).toEqual([]);
  });

  test('only server/platform/clock.ts uses the clock and random numbers', () => {
    const places = product
      .filter((file) => /^(domain|db|server)\//.test(file) && file !== 'server/platform/clock.ts')
      .filter((file) => /Date\.now\(\)|new Date\(\)|Math\.random\(\)/.test(read(file)));
    expect(places).toEqual([]);
  });
});

describe('the package', () => {
  const manifest = JSON.parse(read('package.json'));
  const lock = JSON.parse(read('package-lock.json'));

  test('versions are exact', () => {
    const versions = Object.entries<string>({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  test('the lockfile names no download address and fits every platform', () => {
    const addresses = Object.values<{ resolved?: string }>(lock.packages).filter((entry) =>
      /^https?:/.test(entry.resolved ?? ''),
    );
    expect(addresses).toEqual([]);
    expect(completeLockfile(structuredClone(lock))).toEqual([]);
  });

  test('every lockfile entry has an integrity hash', () => {
    expect(withoutIntegrity(lock)).toEqual([]);
  });

  test('every script that serves the console builds it first', () => {
    const building = 'node tools/build-console.ts && ';
    const scripts = ['start', 'dev', 'bench'].map((name) => [name, manifest.scripts[name].startsWith(building)]);
    expect(Object.fromEntries(scripts)).toEqual({ start: true, dev: true, bench: true });
  });

  test('packages with an install script are declared', () => {
    const withScripts = Object.entries<{ hasInstallScript?: boolean; os?: string[] }>(lock.packages)
      .filter(([, entry]) => entry.hasInstallScript && !entry.os?.includes('darwin'))
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(Object.keys(manifest.allowScripts).sort()).toEqual([...new Set(withScripts)].sort());
  });

  test('the server imports only packages that an installation without development packages has', () => {
    const installed = new Set(Object.keys(manifest.dependencies));
    const packageOf = (name: string) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/');
    const missing = product
      .filter((file) => /^(server|db|domain)\//.test(file) && file !== 'server/graphql/print.ts')
      .flatMap((file) => packagesOf(file).map((name) => `${packageOf(name)} in ${file}`))
      .filter((entry) => !entry.startsWith('node:') && !installed.has(entry.split(' ')[0] as string));
    expect(missing).toEqual([]);
  });

  /** Font packages that the server uses by reading their font files. The code does not import them. */
  const fonts = [...read('server/report/fonts.ts').matchAll(/package: '([^']+)'/g)].map(([, name]) => name as string);

  test('the server uses every package that is installed for it', () => {
    const used = new Set([...product.filter((file) => /^(server|db)\//.test(file)).flatMap(packagesOf), ...fonts]);
    const unused = Object.keys(manifest.dependencies).filter(
      (name) =>
        name !== 'node' && ![...used].some((specifier) => specifier === name || specifier.startsWith(`${name}/`)),
    );
    expect(unused).toEqual([]);
  });

  test('browser packages are development packages', () => {
    const browserOnly = Object.keys(manifest.dependencies).filter(
      (name) => /react|mantine|tanstack|vite|fontsource/.test(name) && !fonts.includes(name),
    );
    expect(browserOnly).toEqual([]);
  });
});

describe('the database', () => {
  test('raises only keys of domain/field-sentences.ts', () => {
    const keys = globSync('db/logic/**/*.sql', { cwd: root }).flatMap((file) =>
      [...read(file).matchAll(/refuse\('\w+', '@([\w-]+)'\)/g)].map((match) => match[1] as string),
    );
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.filter((key) => !Object.hasOwn(fieldSentences, key))).toEqual([]);
  });

  test('writes no sentence that TypeScript has too', () => {
    const sentences = globSync('db/logic/**/*.sql', { cwd: root }).flatMap((file) =>
      [...read(file).matchAll(/refuse\('\w+', '([^@'][^']+)'\)/g)].map((match) => match[1] as string),
    );
    const code = globSync('{domain,server,web}/**/*.{ts,tsx}', { cwd: root })
      .filter((file) => !/\.test\.tsx?$/.test(file))
      .map((file) => read(file));
    expect(sentences.length).toBeGreaterThan(20);
    const twice = sentences.filter((sentence) => code.some((text) => text.includes(sentence)));
    // This message exists twice, because bulk mutations return it from SQL, which cannot read the texts in TypeScript.
    expect(new Set(twice)).toEqual(new Set(['Choose a reason to acknowledge the alarm.']));
  });
});

describe('the documents', () => {
  const pages = globSync('{*.md,docs/**/*.md}', { cwd: root });

  test('name files that exist', () => {
    const lost = pages.flatMap((page) => {
      const named = [...read(page).matchAll(/`((?:domain|db|server|web|test|tools|docs|\.ci)\/[\w./-]*[\w/])`/g)].map(
        (match) => match[1] as string,
      );
      const linked = [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].map((match) =>
        join(dirname(page), match[1] as string),
      );
      return [...named, ...linked]
        .filter((file) => !existsSync(join(root, file)))
        .map((file) => `${page} names ${file}`);
    });
    expect(lost).toEqual([]);
  });

  test('the settings page lists every setting with its default', () => {
    const page = read('docs/settings.md');
    const missing = settings.filter(({ name, default: fallback }) => !page.includes(`| \`${name}\` | ${fallback} |`));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test('the page on operating lists every metric with its kind, and no other', () => {
    const kinds: Record<string, string> = { count: 'counter', gauge: 'gauge', observe: 'histogram' };
    const counted = globSync('server/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).flatMap((file) =>
      [...read(file).matchAll(/\b(count|gauge|observe)\(\s*'((?:tocsin|process)_\w+)'/g)].map(
        ([, verb, name]) => `${name} ${kinds[verb ?? '']}`,
      ),
    );
    const rows = read('docs/operating.md').matchAll(/^\| `((?:tocsin|process)_\w+)`[^|]*\| (\w+) \|/gm);
    expect([...rows].map(([, name, kind]) => `${name} ${kind}`).sort()).toEqual([...new Set(counted)].sort());
  });
});
