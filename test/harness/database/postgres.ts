/** A temporary PostgreSQL server for tests, with its own folder, port and users. */
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Found } from '../machine/debian.ts';
import { ensureDebianPackage, findBinary } from '../machine/debian.ts';
import { freePort } from '../machine/ports.ts';
import { scratchFolder } from '../machine/scratch.ts';

const run = promisify(execFile);

export interface TestPostgres {
  readonly adminUrl: string;
  /**
   * Returns the URL with which the product connects. Its user is not a superuser but may create roles and databases.
   */
  urlFor(database: string): string;
  /** Creates an empty database, or a copy of a template. First ends all connections to the template. */
  createDatabase(name: string, template?: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  /**
   * Returns the name of a database that is created only once. The first caller creates it with `make`, and other
   * callers wait. `make` returns a temporary name, and `once` renames the finished database.
   */
  once(name: string, make: () => Promise<string>): Promise<string>;
  stop(): Promise<void>;
}

/**
 * The login role that tests use. The product changes the rights of its login role, so tests of server/platform use a
 * different one.
 */
export const TEST_USER = 'tocsin';
export const PASSWORD = 'tocsin-test';

/**
 * Shell script that runs a server until the parent process closes the pipe or dies. The script then stops the server at
 * once and deletes its folder.
 */
const DIES_WITH_ITS_PARENT = `
  exec 3<&0
  "$@" < /dev/null 3<&- &
  server=$!
  { cat <&3 > /dev/null; kill -QUIT $server; } 2> /dev/null &
  wait $server
  code=$?
  rm -rf "$0"
  exit $code`;

const BINARIES = { binaries: ['/usr/lib/postgresql/*/bin/initdb', 'initdb'], package: 'postgresql' };

/**
 * Returns true if PostgreSQL tests can run without installing a package: either TOCSIN_TEST_POSTGRES specifies a
 * server, or PostgreSQL is installed.
 */
export function postgresAvailable(): boolean {
  return Boolean(process.env.TOCSIN_TEST_POSTGRES) || findBinary(BINARIES.binaries) !== undefined;
}

export function ensurePostgres(): Promise<Found> {
  return ensureDebianPackage(BINARIES);
}

/**
 * Returns the server at the superuser URL in TOCSIN_TEST_POSTGRES. If this variable is not set, starts a private
 * server.
 */
export async function testPostgres(user = TEST_USER): Promise<TestPostgres> {
  const given = process.env.TOCSIN_TEST_POSTGRES;
  if (!given) return startPostgres(user);
  return attach(given, async () => {}, user);
}

/** Settings for tests. Durability is off, because test data is short-lived. */
const throwAway = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };
const asInProduction = { fsync: 'on', synchronous_commit: 'on', shared_buffers: '1GB', max_wal_size: '4GB' };

/** Starts a private server. With `durable`, commits wait for the disk, as benchmarks require. */
export async function startPostgres(login = TEST_USER, care: 'fast' | 'durable' = 'fast'): Promise<TestPostgres> {
  const found = await ensurePostgres();
  if ('missing' in found) throw new Error(found.missing);
  const programs = dirname(found.path);
  // PostgreSQL refuses to run as root, so an unprivileged user runs it.
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const folder = care === 'durable' ? mkdtempSync(join(tmpdir(), 'postgres-')) : scratchFolder('postgres');
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, PASSWORD, { mode: 0o644 });
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--no-sync'],
    { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } },
  );

  const port = await freePort();
  const settings = {
    max_connections: '200',
    ...(care === 'durable' ? asInProduction : throwAway),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    port: String(port),
  };
  // The server logs to a file instead of a pipe. A busy parent process might not read the pipe, and a full pipe would
  // block the server.
  const logFile = join(folder, 'server.log');
  const log = openSync(logFile, 'a', 0o666);
  const server = spawn(
    'sh',
    [
      ...['-c', DIES_WITH_ITS_PARENT, folder, join(programs, 'postgres'), '-D', data],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...user, cwd: '/', detached: true, stdio: ['pipe', 'ignore', log] },
  );
  closeSync(log);
  // Allows the test process to exit while the server is running. The server stops when the test process exits.
  server.unref();
  (server.stdin as Socket).unref();

  const stop = async () => {
    await ended(server);
    await rm(folder, { recursive: true, force: true });
  };
  const adminUrl = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  try {
    await untilItAnswers(adminUrl, server);
    return await attach(adminUrl, stop, login);
  } catch (error) {
    const output = readFileSync(logFile, 'utf8').slice(-4000);
    await stop();
    throw new Error(`PostgreSQL did not start: ${(error as Error).message}\n${output}`);
  }
}

async function attach(adminUrl: string, stop: () => Promise<void>, login: string): Promise<TestPostgres> {
  const asAdmin = async (...statements: string[]) => {
    const client = new pg.Client(adminUrl);
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await asAdmin(`
    select pg_advisory_lock(712);
    do $$ begin
      if not exists (select from pg_roles where rolname = '${login}') then
        create role ${login} login createrole createdb password '${PASSWORD}';
      end if;
    end $$`);
  const quoted = pg.escapeIdentifier;
  const disconnect = (name: string) =>
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = ${pg.escapeLiteral(name)}`;
  return {
    adminUrl,
    urlFor(database) {
      const url = new URL(adminUrl);
      url.username = login;
      url.password = PASSWORD;
      url.pathname = `/${database}`;
      return url.href;
    },
    async createDatabase(name, template) {
      const create = `create database ${quoted(name)} owner ${login}`;
      await (template
        ? asAdmin(disconnect(template), `${create} template ${quoted(template)} strategy file_copy`)
        : asAdmin(create));
    },
    dropDatabase: (name) => asAdmin(`drop database if exists ${quoted(name)} with (force)`),
    async once(name, make) {
      const client = new pg.Client(adminUrl);
      await client.connect();
      try {
        await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
        const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
        if (rowCount) return name;
        const made = await make();
        await client.query(disconnect(made));
        await client.query(`alter database ${quoted(made)} rename to ${quoted(name)}`);
        return name;
      } finally {
        await client.end();
      }
    },
    stop,
  };
}

/** Returns the uid and gid of an unprivileged user. */
export function unprivilegedUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody to run it as.');
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || attempt === 1200) throw error;
      await delay(50);
    }
  }
}

/** Closes the shell's input, which makes the shell stop the server. Waits until the shell exits. */
async function ended(shell: ChildProcess): Promise<void> {
  shell.ref();
  if (shell.exitCode === null && shell.signalCode === null) {
    await new Promise<void>((resolve) => {
      shell.once('exit', () => resolve());
      shell.stdin?.destroy();
    });
  }
  shell.stdin?.destroy();
}
