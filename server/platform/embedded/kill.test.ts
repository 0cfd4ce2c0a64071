import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { embeddedFolder } from '../../../test/harness/database/embedded.ts';
import { long } from '../../../test/harness/long.ts';
import { silentLog } from '../log.ts';
import { StartError } from '../start-error.ts';
import { openEmbedded } from './embedded.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let dataDir: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  dataDir = await embeddedFolder('empty');
  const db = await openEmbedded({ dataDir, log: silentLog });
  await db.pool.query('create table row_written (id int primary key, pad text)');
  await db.close();
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Starts a process that inserts rows and prints the number of each row after its commit. */
function writer(first: number, fault: 'none' | 'answers-before-the-commit'): ChildProcess {
  const script = `
    import { openEmbedded } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)};
    import { silentLog } from ${JSON.stringify(new URL('../log.ts', import.meta.url).href)};
    const db = await openEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: silentLog });
    const client = await db.pool.connect();
    if (${fault === 'answers-before-the-commit'}) await client.query('begin');
    for (let id = ${first}; ; id += 1) {
      await client.query("insert into row_written values ($1, repeat('x', 1000))", [id]);
      process.stdout.write(id + '\\n');
    }`;
  const child = spawn(process.execPath, ['--liftoff-only', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

/** Kills the writer process while it works. Returns the numbers of confirmed rows that are missing afterwards. */
async function lostRows(first: number, fault: Parameters<typeof writer>[1], during?: (pid: number) => Promise<void>) {
  const child = writer(first, fault);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const answered: number[] = [];
  const enough = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  if (!child.stdout) throw new Error('The writer has no output.');
  createInterface({ input: child.stdout })
    .on('line', (line) => {
      answered.push(Number(line));
      if (answered.length === 300) enough.resolve();
    })
    .on('close', () => ended.resolve());
  await enough.promise;
  await during?.(child.pid ?? 0);
  child.kill('SIGKILL');
  await Promise.all([gone, ended.promise]);

  const db = await openEmbedded({ dataDir, log: silentLog });
  try {
    const { rows } = await db.pool.query('select id from row_written where id >= $1', [first]);
    const there = new Set(rows.map((row) => row.id));
    return { answered: answered.length, lost: answered.filter((id) => !there.has(id)) };
  } finally {
    await db.close();
  }
}

describe('a process killed while writing', () => {
  test('loses no committed row and held its folder lock until then', async () => {
    const { answered, lost } = await lostRows(0, 'none', async (pid) => {
      const attempt = openEmbedded({ dataDir, log: silentLog });
      await expect(attempt).rejects.toBeInstanceOf(StartError);
      await expect(attempt).rejects.toThrow(`in use by process ${pid} on `);
    });
    expect(answered).toBeGreaterThanOrEqual(300);
    expect(lost).toEqual([]);
  });

  long('fails this test if it answers before the commit', async () => {
    const { lost } = await lostRows(1_000_000, 'answers-before-the-commit');
    expect(lost.length).toBeGreaterThan(0);
  });
});
