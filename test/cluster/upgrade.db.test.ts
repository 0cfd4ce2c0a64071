/**
 * A rolling upgrade: a newer version starts beside a running version and migrates the shared database. The newer
 * version is this program with one more migration and changed logic. The running version is this program, or the
 * program of the previous commit.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../server/platform/log.ts';
import { openPostgres } from '../../server/platform/postgres.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import { createCustomer, createUser, serviceQuery, setDefaultCustomer } from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { createSensor } from '../harness/device/devices.ts';
import { type SteadyDevice, startSteadyDevice, steadyProtocols } from '../harness/device/steady-device.ts';
import { long } from '../harness/long.ts';
import { scratchFolder } from '../harness/machine/scratch.ts';
import { startProcess, type TocsinProcess } from '../harness/server/processes.ts';
import { signIn } from '../harness/server/product.ts';

const NAME = 'tocsin_rolling_upgrade';
const EMAIL = 'owner@upgrade.test';
const PASSWORD = 'a long enough password';
const root = join(import.meta.dirname, '../..');
/** Files and folders that a process needs to run. */
const PARTS = ['package.json', 'domain', 'db', 'server'];

const folder = scratchFolder('upgrade');
const previous = exportPrevious();

/** Exports the program of the previous commit. Returns undefined if the Git history is not available. */
function exportPrevious(): string | undefined {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 28, stdio: 'pipe' });
  try {
    const archive = git('archive', 'HEAD~1', ...PARTS);
    const path = join(folder, 'previous');
    mkdirSync(path);
    execFileSync('tar', ['-x', '-C', path], { input: archive });
    linkBuilt(path);
    return path;
  } catch {
    return undefined;
  }
}

/** Links the installed packages and the built console of this program into a copy of the program. */
function linkBuilt(path: string): void {
  for (const part of ['node_modules', 'dist']) symlinkSync(join(root, part), join(path, part));
}

/** Copies this program and adds one more migration and one more logic file. */
function makeNext(name: string, migration: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const part of PARTS) cpSync(join(root, part), join(path, part), { recursive: true });
  linkBuilt(path);
  writeFileSync(join(path, 'db/migrations/9000_next.sql'), migration);
  writeFileSync(join(path, 'db/logic/common/next.sql'), '-- The logic of the next version.\nselect 1;\n');
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  writeFileSync(join(path, 'package.json'), JSON.stringify({ ...manifest, version: '99.0.0' }));
  return path;
}

const newest = execFileSync('ls', [join(root, 'db/migrations')], { encoding: 'utf8' })
  .split('\n')
  .filter((name) => name.endsWith('.sql'))
  .at(-1);
const expansion = `-- oldest program: ${newest}\nalter table tocsin.sensor add column next int;\n`;

describe.skipIf(testDatabaseKind() !== 'postgres')('a rolling upgrade', () => {
  let postgres: TestPostgres;
  let url: string;
  let processes: TocsinProcess[] = [];
  let devices: SteadyDevice[] = [];

  beforeAll(async () => {
    postgres = await testPostgres();
  });
  afterEach(async () => {
    await Promise.all(devices.map((device) => device.stop()));
    await Promise.all(processes.map((process) => process.kill()));
    devices = [];
    processes = [];
    await postgres.dropDatabase(NAME);
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (cwd?: string) => {
    const process = await startProcess({ DATABASE_URL: url }, undefined, undefined, cwd);
    processes.push(process);
    return process;
  };
  const query = async (text: string) => {
    const db = await openPostgres({ url, log: silentLog });
    try {
      return await db.migration((tx) => tx.query(text)).then(({ rows }) => rows);
    } finally {
      await db.close();
    }
  };

  /**
   * Runs the old program while devices send and clients call the API. Then starts the new program beside it and uses
   * both.
   */
  async function upgrade(oldProgram: string | undefined, newProgram: string): Promise<void> {
    const old = await start(oldProgram);
    const db = await openPostgres({ url, log: silentLog });
    const customer = await createCustomer(db);
    await setDefaultCustomer(db, customer);
    await createUser(db, { customer, level: 1, email: EMAIL, password: PASSWORD });
    const sensors = await Promise.all(Array.from({ length: 12 }, () => createSensor(db, { customer })));
    const send = ({ ports }: TocsinProcess, own: typeof sensors) => {
      const added = own.map((sensor, index) =>
        startSteadyDevice({ ports, sensor, protocol: steadyProtocols[index % 3] as 'http', pauseMs: 10 }),
      );
      devices.push(...added);
      return added;
    };
    const atOld = send(old, sensors.slice(0, 6));
    const headers = await signIn(old.product.url, EMAIL, PASSWORD);
    const errors: string[] = [];
    let asked = 0;
    let stopping = false;
    const ask = (to: string) => answerOf(to).catch((error: Error) => error.message);
    const answerOf = async (to: string) => {
      const answer = await fetch(`${to}/graphql`, {
        ...{ method: 'POST', headers },
        body: JSON.stringify({ query: '{ sensors(first: 5) { totalCount nodes { uid status } } }' }),
      });
      const { errors: problems } = (await answer.json()) as { errors?: { message: string }[] };
      return problems?.map(({ message }) => message).join(' ') ?? (answer.ok ? undefined : `status ${answer.status}`);
    };
    const asking = (async () => {
      while (!stopping && processes.length > 0) {
        asked += 1;
        const problem = await ask(old.product.url);
        // The console retries a failed query once, so the first retry must succeed.
        if (problem !== undefined && (await ask(old.product.url)) !== undefined) errors.push(problem);
        await pause(20);
      }
    })();
    await expect.poll(() => atOld.every(({ answered }) => answered.length > 5)).toBe(true);
    const next = await start(newProgram);
    const atNew = send(next, sensors.slice(6));
    const before = atOld.map(({ answered }) => answered.length);
    await expect.poll(() => atNew.every(({ answered }) => answered.length > 20)).toBe(true);
    await expect
      .poll(() => atOld.every(({ answered }, index) => answered.length > (before[index] as number) + 20))
      .toBe(true);
    expect(await ask(next.product.url)).toBeUndefined();
    stopping = true;
    await asking;
    await Promise.all(devices.map((device) => device.stop()));
    expect(errors).toEqual([]);
    expect(asked).toBeGreaterThan(10);
    const failures = devices.flatMap(({ failures }) => failures.map(({ reason }) => reason));
    expect(failures.filter((reason) => /^4\d\d|^ERR (?!unavailable)/.test(reason))).toEqual([]);
    for (const { sensor, answered } of devices) {
      const rows = await serviceQuery<{ ms: number }>(
        db,
        'select round(extract(epoch from device_time) * 1000)::float8 as ms from tocsin.reading where channel_key = $1',
        [sensor.channels[0]?.key],
      );
      const stored = new Set(rows.map(({ ms }) => ms));
      expect(answered.filter(({ time }) => !stored.has(time))).toEqual([]);
    }
    await db.close();
    const wait = Math.max(
      ...atOld.map(({ answered }) =>
        answered.reduce((most, { at }, index) => Math.max(most, at - (answered[index - 1]?.at ?? at)), 0),
      ),
    );
    console.log(
      `The longest wait of a device at the old process was ${(wait / 1000).toFixed(1)} s, ${failures.length} retries: ${[...new Set(failures)]}`,
    );
  }

  long('keeps old and new process serving while the new one upgrades the database', async () => {
    url = await createMigratedDatabase(postgres, NAME);
    await upgrade(undefined, makeNext('next', expansion));
    expect(await query("select version from tocsin_private.migration where name = 'logic'")).toEqual([
      { version: '99.0.0' },
    ]);
    // An old process that starts after the upgrade must not replace the logic of the newer version.
    await start();
    expect(await query("select version from tocsin_private.migration where name = 'logic'")).toEqual([
      { version: '99.0.0' },
    ]);
  });

  test.skipIf(!previous)('keeps the previous commit serving beside this one', async () => {
    await postgres.createDatabase(NAME);
    url = postgres.urlFor(NAME);
    await upgrade(previous, root);
  });

  long('stops an old process with a message when a migration takes away what it uses', async () => {
    url = await createMigratedDatabase(postgres, NAME);
    const old = await start();
    await start(makeNext('contract', 'alter table tocsin.sensor add column next int;\n'));
    await expect.poll(() => old.product.child.exitCode).toBe(1);
    expect(old.product.output()).toContain('This database was written by a newer version of Tocsin: 9000_next.sql');
    await expect(start()).rejects.toThrow('Start that version or a newer one.');
  });
});

if (!previous) console.log('The test with the previous commit is skipped: this copy has no history.');
