/**
 * Runs every check there is and ends with one line that counts them. What a test needs beyond npm is installed where
 * that is possible, and otherwise said plainly.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureBrowser, wholeBrowser } from '../test/harness/chromium.ts';
import { ensurePostgres, startPostgres } from '../test/harness/postgres.ts';

const root = join(import.meta.dirname, '..');
let passed = 0;
let failed = 0;
let skipped = 0;
const leftOut: string[] = [];

function run(title: string, command: string, args: string[]): Promise<boolean> {
  const began = performance.now();
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: process.env });
  // Two run at a time, so what they say is passed on in whole lines.
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

async function others(): Promise<void> {
  await check('types: domain', 'tsc', ['-p', 'domain']);
  await check('types: server, database, tools, tests', 'tsc', ['-p', '.']);
  await check('lint and format', 'biome', ['check', '--error-on-warnings']);
  await check('operations fit the schema', 'node', ['tools/check-operations.ts']);
  await check('console builds', 'node', ['tools/build-console.ts']);
}

// The types of the console's operations take one core for as long as everything else that is not a test. More checkers than
// one would each derive all of them anew.
await Promise.all([check('types: console', 'tsc', ['-p', 'web', '--checkers', '1']), others()]);

const found = await ensurePostgres();
let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
const onDatabases = ['embedded'];
if ('missing' in found) leftOut.push(found.missing);
else {
  postgres = await startPostgres();
  process.env.TOCSIN_TEST_POSTGRES = postgres.adminUrl;
  onDatabases.push('postgres');
}
const browser = await ensureBrowser();
const withoutDatabase = ['unit'];
if ('missing' in browser) leftOut.push(browser.missing);
else withoutDatabase.unshift('browser');
if (!wholeBrowser) leftOut.push('Tests that show a notification are left out: they need a whole browser (chromium).');

// A browser waits for half of its time and a database computes, so they go side by side; and few processes that live long
// build the product's schema and compile the embedded database less often than many.
const folder = mkdtempSync(join(tmpdir(), 'tocsin-test-'));
await Promise.all([
  runTests('on databases', onDatabases, 3),
  runTests('in a browser and without either', withoutDatabase, 3),
]);
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });

async function runTests(title: string, projects: string[], atOnce: number): Promise<void> {
  const report = join(folder, `${projects.join('-')}.json`);
  const ran = await run(`tests ${title}`, 'vitest', [
    'run',
    ...projects.map((project) => `--project=${project}`),
    `--maxWorkers=${atOnce}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    passed += numPassedTests;
    failed += numFailedTests;
    skipped += numPendingTests + numTodoTests;
    // A file that could not be loaded has no tests to count, but it has failed.
    const broken = testResults.filter(
      (file: any) => file.status === 'failed' && file.assertionResults.length === 0,
    ).length;
    failed += broken;
    if (!ran && numFailedTests + broken === 0) failed += 1;
  } catch {
    failed += 1;
  }
}

for (const sentence of leftOut) console.log(sentence);
console.log(
  skipped > 0 ? `${passed} passed, ${failed} failed, ${skipped} skipped` : `${passed} passed, ${failed} failed`,
);
process.exit(failed > 0 ? 1 : 0);
