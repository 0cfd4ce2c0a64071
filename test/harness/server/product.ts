/** Starts the product in its own process, as users do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedFolder } from '../database/embedded.ts';

const root = join(import.meta.dirname, '../../..');
/** Folder of Node's compile cache. The cache is never out of date, because Node checks the content of each file. */
const compiled = join(root, 'node_modules/.cache/tocsin-test-code');
const isWhole = join(compiled, 'whole');

/** The embedded database runs too briefly in tests to benefit from V8's optimizing compiler. */
const SHORT_LIVED = ['--liftoff-only'];

export interface Product {
  url: string;
  child: ChildProcess;
  /** Time from the start of the process to its first response, in milliseconds. */
  startedIn: number;
  output(): string;
  /** Sends a signal and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Ended {
  code: number | null;
  output: string;
}

/** Returns the environment variables for the product: the test's settings, but not the settings of this process. */
function environment(settings: Record<string, string>, flags: readonly string[]): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  const kept = flags === SHORT_LIVED && { NODE_COMPILE_CACHE: compiled };
  return { PATH, HOME, TMPDIR, ...kept, ...settings } as NodeJS.ProcessEnv;
}

/**
 * Fills the compile cache, which shortens each start by a third. Node writes the cache only when a process exits
 * normally, but tests kill their processes. Test files that start the product many times call this function first.
 */
export async function keepCompiledProduct(): Promise<void> {
  if (existsSync(isWhole)) return;
  const folder = await embeddedFolder('migrated');
  const product = await startProduct({ TOCSIN_DEMO: 'off', TOCSIN_DATA_DIR: folder });
  await product.stop();
  writeFileSync(isWhole, '');
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a command of the product and waits until it ends. */
export function runProduct(
  args: string[],
  settings: Record<string, string>,
  flags: readonly string[] = SHORT_LIVED,
): Promise<Ended> {
  const child = spawn('node', [...flags, ...args], {
    cwd: root,
    env: environment(settings, flags),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const read = collect(child);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output: read() })));
}

export async function startProduct(
  settings: Record<string, string>,
  first = '/api/v1/config',
  flags: readonly string[] = SHORT_LIVED,
  program = root,
): Promise<Product> {
  const began = performance.now();
  const env = environment(
    {
      ...(settings.PORT === undefined && { PORT: '0' }),
      MQTT_PORT: '0',
      TCP_PORT: '0',
      ...settings,
    },
    flags,
  );
  if (settings.PORT === '') delete env.PORT;
  const child = spawn('node', [...flags, 'server/main.ts'], { cwd: program, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = collect(child);
  const url = await readyLine(child, output);
  const answer = await fetch(`${url}${first}`);
  if (!answer.ok) throw new Error(`The product answered ${answer.status}.`);
  await answer.arrayBuffer();
  return {
    url,
    child,
    startedIn: performance.now() - began,
    output,
    stop: (signal = 'SIGTERM') =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
        child.once('exit', (code) => resolve(code));
        child.kill(signal);
        // First resumes a product that is suspended by SIGSTOP, because it otherwise could not stop.
        child.kill('SIGCONT');
      }),
  };
}

/** Starts the product as `npm start` does, for benchmarks. */
export const startAsUsersDo = (settings: Record<string, string>) => startProduct(settings, undefined, []);
export const runAsUsersDo = (args: string[], settings: Record<string, string>) => runProduct(args, settings, []);

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  return () => text;
}

function readyLine(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const url = /Tocsin ready: ([^\s"]+)/.exec(output())?.[1];
      if (url) resolve(url);
    });
    child.once('close', (code) =>
      reject(new Error(`The product ended with code ${code} before it was ready: ${output()}`)),
    );
  });
}

/** Signs in and returns the headers for further requests. */
export async function signIn(url: string, email: string, password: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: Buffer.from(password).toString('base64') }),
  });
  if (!answer.ok) throw new Error(`Cannot sign in: ${await answer.text()}`);
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] as string);
  const xsrf = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
  return { cookie: cookies.join('; '), 'x-xsrf-token': decodeURIComponent(xsrf), 'content-type': 'application/json' };
}
