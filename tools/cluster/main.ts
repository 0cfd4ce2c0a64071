/**
 * Runs three Tocsin processes, HAProxy, and PostgreSQL with a standby on this machine: `npm run cluster`. Kill them one
 * by one to see how the cluster reacts.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePostgres } from '../../test/harness/database/postgres.ts';
import { ensureHaproxy } from '../../test/harness/machine/haproxy.ts';
import { Cluster } from './cluster.ts';

const help = `Starts three Tocsin processes, HAProxy, and PostgreSQL with a synchronous standby on this machine.

  npm run cluster -- --dir folder     keep data and logs in this new folder; by default they are deleted at the end
                     --no-demo        start with an empty database instead of the demo plant
                     --no-repair      do not restart killed processes

Ctrl+C stops everything.`;

const { values } = readArguments();
if (values.help) {
  console.log(help);
  process.exit(0);
}
for (const found of [await ensurePostgres(), await ensureHaproxy()]) {
  if ('missing' in found) fail(found.missing.replace(/^Tests that need (\S+) are skipped/, 'The cluster needs $1'));
}
const folder = makeFolder();
const cluster = new Cluster({ folder, demo: !values['no-demo'], repair: !values['no-repair'], say: console.log });
let stopping = false;
const stop = async (code: number) => {
  if (stopping) return;
  stopping = true;
  console.log('Stopping…');
  await cluster.stop();
  if (!values.dir) rmSync(folder, { recursive: true, force: true });
  process.exit(code);
};
process.on('SIGINT', () => void stop(0));
process.on('SIGTERM', () => void stop(0));
try {
  await cluster.start();
} catch (error) {
  if (!stopping) {
    console.error((error as Error).message);
    await stop(1);
  }
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        help: { type: 'boolean' },
        dir: { type: 'string' },
        'no-demo': { type: 'boolean' },
        'no-repair': { type: 'boolean' },
      },
    });
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${help}`);
  }
}

function makeFolder(): string {
  if (!values.dir) return mkdtempSync(join(tmpdir(), 'tocsin-cluster-'));
  const path = resolve(values.dir);
  mkdirSync(path, { recursive: true });
  if (readdirSync(path).length > 0) fail(`The folder ${path} is not empty. Choose a new one.`);
  return path;
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
