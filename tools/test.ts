/**
 * Runs all checks and tests and prints a summary line at the end. Installs PostgreSQL, HAProxy and a browser if possible.
 * Otherwise prints which programs are missing.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureBrowser, wholeBrowser } from '../test/harness/browser/chromium.ts';
import { ensurePostgres, startPostgres } from '../test/harness/database/postgres.ts';
import { ensureHaproxy } from '../test/harness/machine/haproxy.ts';
import { readKnownFlaky, runFailedAlone } from './second-run.ts';

const root = join(import.meta.dirname, '..');
let passed = 0;
let failed = 0;
let skipped = 0;
const notes: string[] = [];
const isLong = process.argv.includes('--long');
if (isLong) process.env.TOCSIN_TEST_LONG = 'on';
else notes.push('Long tests are skipped. To include them, use npm run test:long.');

function run(title: string, command: string, args: string[]): Promise<boolean> {
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Garbage collection is off, because it takes a third of the compiler's time and frees almost nothing.
    env: command === 'tsc' ? { ...process.env, GOGC: 'off' } : process.env,
  });
  // Two commands run concurrently, so their output is forwarded line by line.
  createInterface(child.stdout).on('line', (line) => console.log(line));
  createInterface(child.stderr).on('line', (line) => console.error(line));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`);
      resolve(code === 0);
    });
  });
}

async function check(title: string, command: string, args: string[]): Promise<void> {
  if (await run(title, command, args)) passed += 1;
  else failed += 1;
}

async function withoutTests(): Promise<void> {
  await check('types: domain', 'tsc', ['-p', 'domain']);
  await check('types: server, database, tools, tests', 'tsc', ['-p', '.']);
  await check('lint and format', 'biome', ['check', '--error-on-warnings']);
  await check('operations match the schema', 'node', ['tools/check-operations.ts']);
}

// Checking the console's operations takes a long time. One checker is faster than several, because each checker would
// derive all their types itself.
const consoleTypes = check('types: console', 'tsc', ['-p', 'web', '--checkers', '1']);
await check('console builds', 'node', ['tools/build-console.ts']);
// These checks run concurrently with the tests.
const others = Promise.all([consoleTypes, withoutTests()]);

const found = await ensurePostgres();
let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
const onDatabases = ['embedded'];
if ('missing' in found) notes.push(found.missing);
else {
  postgres = await startPostgres();
  process.env.TOCSIN_TEST_POSTGRES = postgres.adminUrl;
  onDatabases.push('postgres');
}
const haproxy = await ensureHaproxy();
if ('missing' in haproxy) notes.push(haproxy.missing);
const browser = await ensureBrowser();
if ('missing' in browser) notes.push(browser.missing);
if (!wholeBrowser) notes.push('Tests that show a notification are skipped: they need a full browser (chromium).');

// Browser tests and many database tests spend much time waiting, so they run concurrently. A few long-lived processes
// run all of them, because each process builds the API schema and compiles the embedded database only once. Unit tests
// run after the browser tests.
const folder = mkdtempSync(join(tmpdir(), 'tocsin-test-'));
const inBrowser = 'missing' in browser ? [] : [['in a browser', 'browser']];
const parts = (
  await Promise.all([
    inTurn([['on databases', ...onDatabases]], 3),
    inTurn([...inBrowser, ['of everything else', 'unit']], 2),
  ])
).flat();
if (isLong) parts.push(...(await inTurn([['that need the machine for themselves', 'alone']], 1)));
const knownFlaky = readKnownFlaky(readFileSync(join(root, 'test/known-flaky.txt'), 'utf8'));
const failures = parts.flatMap((part) =>
  [...part.failures].map(([file, tests]) => ({ name: relative(root, file), tests, projects: part.projects })),
);
const second = await runFailedAlone(failures, knownFlaky, async ({ name, projects }) => {
  const { ran } = await vitest(`${name} again, alone`, projects, [name]);
  return ran;
});
failed -= second.recovered;
passed += second.recovered;
notes.push(...second.notes);
await others;
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });

interface Part {
  projects: string[];
  /** Number of failed tests, keyed by file. */
  failures: Map<string, number>;
}

async function inTurn(parts: string[][], workers: number): Promise<Part[]> {
  const done: Part[] = [];
  for (const [title = '', ...projects] of parts) done.push(await runTests(title, projects, workers));
  return done;
}

async function runTests(title: string, projects: string[], workers: number): Promise<Part> {
  const { ran, results } = await vitest(`tests ${title}`, projects, [`--maxWorkers=${workers}`]);
  const part: Part = { projects, failures: new Map() };
  if (!results) {
    failed += 1;
    return part;
  }
  passed += results.numPassedTests;
  failed += results.numFailedTests;
  skipped += results.numPendingTests + results.numTodoTests;
  for (const file of results.testResults.filter(({ status }) => status === 'failed')) {
    const tests = file.assertionResults.filter(({ status }) => status === 'failed').length;
    // A file that fails outside a test, such as in its setup, has no failed test but counts as failed.
    if (tests === 0) failed += 1;
    part.failures.set(file.name, (part.failures.get(file.name) ?? 0) + Math.max(tests, 1));
  }
  if (!ran && part.failures.size === 0) failed += 1;
  return part;
}

interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

async function vitest(title: string, projects: string[], args: string[]): Promise<{ ran: boolean; results?: Results }> {
  const report = join(folder, `${projects.join('-')}.json`);
  rmSync(report, { force: true });
  const ran = await run(title, 'vitest', [
    'run',
    ...projects.map((project) => `--project=${project}`),
    ...args,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  return existsSync(report) ? { ran, results: JSON.parse(readFileSync(report, 'utf8')) } : { ran };
}

for (const sentence of notes) console.log(sentence);
console.log(
  skipped > 0 ? `${passed} passed, ${failed} failed, ${skipped} skipped` : `${passed} passed, ${failed} failed`,
);
process.exit(failed > 0 ? 1 : 0);
