/** Two PostgreSQL servers on this machine: a primary, and a standby that receives the primary's changes. */
import { execFile } from 'node:child_process';
import { chownSync, existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Child, killWithChildren, startChild } from '../machine/child.ts';
import { freePorts } from '../machine/ports.ts';
import { ensurePostgres, PASSWORD, TEST_USER, unprivilegedUser } from './postgres.ts';

const run = promisify(execFile);

export type ServerName = 'one' | 'two';

/** Settings of both servers. A commit waits for the disk, as in production. */
const SETTINGS = {
  max_connections: '200',
  listen_addresses: '127.0.0.1',
  // The primary keeps enough WAL for a standby that reconnects after a short outage.
  wal_keep_size: '512MB',
  // A server closes the replication connection if the other server does not respond within this time.
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
};

export interface PairOptions {
  folder: string;
  settings?: Record<string, string>;
  /**
   * Returns the port through which the standby reaches the primary, such as the port of a proxy that delays packets.
   */
  replicationPort?: (primaryPort: number) => Promise<number>;
}

export class PostgresPair {
  readonly ports: Record<ServerName, number>;
  readonly #options: PairOptions;
  readonly #programs: string;
  readonly #user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  readonly #children = new Map<ServerName, Child>();

  private constructor(options: PairOptions, programs: string, ports: [number, number]) {
    this.#options = options;
    this.#programs = programs;
    this.ports = { one: ports[0], two: ports[1] };
  }

  /** Starts server one with an empty database `tocsin`, and server two as its standby. */
  static async start(options: PairOptions): Promise<PostgresPair> {
    const found = await ensurePostgres();
    if ('missing' in found) throw new Error(found.missing);
    const pair = new PostgresPair(options, dirname(found.path), (await freePorts(2)) as [number, number]);
    await pair.#folder(options.folder);
    try {
      await pair.#create('one');
      await pair.begin('one');
      await pair.ask('one', `create role ${TEST_USER} login createrole createdb password '${PASSWORD}'`);
      await pair.ask('one', `create database tocsin owner ${TEST_USER}`);
      await pair.makeStandby('two');
      return pair;
    } catch (error) {
      await pair.stop();
      throw error;
    }
  }

  isRunning(name: ServerName): boolean {
    return this.#children.get(name)?.running ?? false;
  }

  pid(name: ServerName): number | undefined {
    return this.#children.get(name)?.pid;
  }

  /**
   * Returns the URL with which the product connects to this port. The port belongs to a server, or to a proxy in front
   * of both servers.
   */
  urlAt(port: number): string {
    return `postgres://${TEST_USER}:${PASSWORD}@127.0.0.1:${port}/tocsin`;
  }

  /** Runs a statement as superuser. Rejects if the server does not respond within the time limit. */
  async ask<R extends pg.QueryResultRow = any>(name: ServerName, text: string, limitMs = 2000): Promise<R[]> {
    const client = new pg.Client({
      connectionString: `postgres://postgres:${PASSWORD}@127.0.0.1:${this.ports[name]}/postgres`,
      connectionTimeoutMillis: limitMs,
      query_timeout: limitMs,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<R>(text)).rows;
    } finally {
      void client.end().catch(() => {});
    }
  }

  /** Starts a server on its existing data folder and waits until it accepts queries. */
  async begin(name: ServerName): Promise<void> {
    const child = await startChild({
      command: join(this.#programs, 'postgres'),
      args: [
        ...['-D', this.#data(name), '-c', `port=${this.ports[name]}`, '-c', `unix_socket_directories=`],
        ...Object.entries({ ...SETTINGS, ...this.#options.settings }).flatMap(([key, value]) => [
          '-c',
          `${key}=${value}`,
        ]),
      ],
      user: this.#user,
      logFile: join(this.#options.folder, `postgres-${name}.log`),
      stopSignal: 'INT',
    });
    this.#children.set(name, child);
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.ask(name, 'select 1');
        return;
      } catch (error) {
        if (!child.running || attempt === 600) {
          throw new Error(`PostgreSQL did not start: ${(error as Error).message}\n${child.output().slice(-4000)}`);
        }
        await delay(50);
      }
    }
  }

  /** Replaces the data of a server with a copy of the other server's data, and starts the server as a standby. */
  async makeStandby(name: ServerName): Promise<void> {
    const primary = other(name);
    await this.kill(name);
    const data = this.#data(name);
    await rm(data, { recursive: true, force: true });
    await this.#folder(data);
    const port = (await this.#options.replicationPort?.(this.ports[primary])) ?? this.ports[primary];
    const source = `host=127.0.0.1 port=${port} user=postgres password=${PASSWORD} application_name=${name}`;
    await run(
      join(this.#programs, 'pg_basebackup'),
      ['-D', data, '-d', source, '-X', 'stream', '--checkpoint=fast', '--write-recovery-conf', '--no-sync'],
      { ...this.#user, cwd: this.#options.folder },
    );
    await this.begin(name);
  }

  /**
   * Turns synchronous replication on or off. While it is on, the primary confirms a commit only after both servers have
   * written it to disk.
   */
  async setSynchronous(primary: ServerName, on: boolean): Promise<void> {
    await this.ask(primary, `alter system set synchronous_standby_names = '${on ? other(primary) : ''}'`);
    await this.ask(primary, 'select pg_reload_conf()');
  }

  /** Makes the standby accept writes. */
  async promote(name: ServerName): Promise<void> {
    await this.ask(name, 'select pg_promote(true, 30)', 35_000);
  }

  /** Kills all processes of a server at once. */
  async kill(name: ServerName): Promise<void> {
    const child = this.#children.get(name);
    if (child) await killWithChildren(child);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#children.values()].map((child) => child.stop()));
  }

  #data(name: ServerName): string {
    return join(this.#options.folder, `postgres-${name}`);
  }

  async #folder(path: string): Promise<void> {
    if (!existsSync(path)) await mkdir(path, { recursive: true, mode: 0o700 });
    if (this.#user) chownSync(path, this.#user.uid, this.#user.gid);
  }

  async #create(name: ServerName): Promise<void> {
    const { folder } = this.#options;
    await this.#folder(this.#data(name));
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, PASSWORD, { mode: 0o644 });
    await run(
      join(this.#programs, 'initdb'),
      [
        ...['-D', this.#data(name), '-U', 'postgres', '-A', 'scram-sha-256'],
        ...[`--pwfile=${passwordFile}`, '-E', 'UTF8', '--no-sync'],
      ],
      { ...this.#user, cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } },
    );
    await rm(passwordFile);
  }
}

export function other(name: ServerName): ServerName {
  return name === 'one' ? 'two' : 'one';
}
