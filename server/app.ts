import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { loadDemo } from '../db/demo/index.ts';
import { serviceAccess } from './access.ts';
import { customerOfHost } from './auth/customer.ts';
import { requirePerson, requireXsrf } from './auth/guards.ts';
import { hashPassword } from './auth/password.ts';
import { registerAuth } from './auth/routes.ts';
import { createMailer } from './channel/mailer.ts';
import { type Config, databaseOf } from './config.ts';
import { registerConsole } from './console.ts';
import { type Engine, startEngine } from './engine/engine.ts';
import { ensurePartitions, housekeeping, partitions } from './engine/housekeeping.ts';
import { invitations } from './engine/invitations.ts';
import { registerGraphql } from './graphql/routes.ts';
import { registerHealth } from './health.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type Database, openDatabase } from './platform/database.ts';
import { createHttp, nothingHere } from './platform/http.ts';
import { consoleLog, type Log } from './platform/log.ts';
import { migrate } from './platform/migrate.ts';
import { StartError } from './platform/start-error.ts';
import { registerPublicConfig } from './public-config.ts';
import { checkLoginRole, checkRowSecurity } from './start-checks.ts';

export const root = join(import.meta.dirname, '..');
export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

export interface AppOptions {
  config: Config;
  clock?: Clock;
  log?: Log;
  /** An open, empty or migrated database in place of the configured one. */
  database?: Database;
  /** Where the built console is; null serves the API alone. */
  consoleDir?: string | null;
  /** Off in tests, which turn the clock and ask the engine themselves. */
  timers?: boolean;
  onDemoProgress?: (done: number, total: number, label: string) => void;
}

export interface App {
  url: string;
  port: number;
  db: Database;
  engine: Engine | undefined;
  http: FastifyInstance;
  close(): Promise<void>;
}

/** All wiring, from an empty folder to a server that answers. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, clock = systemClock, log = consoleLog, timers = true } = options;
  const db = options.database ?? (await openDatabase({ ...databaseOf(config), log, clock }));
  const undo: (() => Promise<unknown>)[] = [() => db.close()];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    await prepareDatabase(db, {
      config,
      clock,
      log,
      ...(options.onDemoProgress && { onProgress: options.onDemoProgress }),
    });
    const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, db, clock, log });
    undo.push(() => mailer.close());
    const http = await createHttp({ log, trustProxy: config.trustProxy });
    undo.push(() => http.close());
    registerHealth(http, db, version);
    if (config.roles.includes('web')) {
      const publicUrl = (request: { protocol: string; host: string }) =>
        config.publicUrl ?? `${request.protocol}://${request.host}`;
      registerPublicConfig(http, {
        config,
        version,
        customerOf: (host) => db.transaction(serviceAccess(clock), (tx) => customerOfHost(tx, host)),
      });
      await registerAuth(http, {
        db,
        clock,
        log,
        mailer,
        publicUrl,
        demo: config.demo,
      });
      const guards = [requirePerson({ db, clock }), requireXsrf({ db, clock, publicUrl })];
      undo.push(await registerGraphql(http, { db, clock, log, development: config.development, guards }));
    }
    const withConsole = config.roles.includes('web') && options.consoleDir !== null;
    if (withConsole) await registerConsole(http, options.consoleDir ?? join(root, 'dist/console'));
    else http.setNotFoundHandler((_request, reply) => nothingHere(reply));
    const port = await listen(http, config, log);
    const url = `http://localhost:${port}`;
    let engine: Engine | undefined;
    if (config.roles.includes('engine')) {
      const modules = [
        invitations({ db, clock, log, mailer, publicUrl: config.publicUrl ?? url }),
        housekeeping(db, clock),
        partitions(db),
      ];
      engine = startEngine(modules, { clock, log, timers });
      undo.push(() => engine?.stop() ?? Promise.resolve());
    }
    return { url, port, db, engine, http, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Preparation {
  config: Config;
  clock: Clock;
  log: Log;
  onProgress?: (done: number, total: number, label: string) => void;
}

/** Brings the database to this version, refuses one that is not safe to serve, and fills an empty one in demo mode. */
export async function prepareDatabase(db: Database, { config, clock, log, onProgress }: Preparation): Promise<void> {
  await migrateDatabase(db, { clock, log });
  const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
    tx.query<{ customers: number; demo: boolean }>(`
      select (select count(*)::int from tocsin.customer) as customers,
        exists (select from tocsin_private.installation where name = 'demo') as demo`),
  );
  const { customers, demo } = rows[0] ?? { customers: 0, demo: false };
  if (demo && !config.demo) {
    throw new StartError(
      'This database holds the demo plant, whose passwords everybody knows. Start with TOCSIN_DEMO=on, or use another database or TOCSIN_DATA_DIR.',
    );
  }
  if (config.demo && customers === 0) {
    await loadDemo({ db, now: clock.now(), hashPassword, onProgress: onProgress ?? (() => {}) });
  }
}

/** Migrations and logic, with the checks that must hold before and after. */
export async function migrateDatabase(
  db: Database,
  { clock, log }: { clock: Clock; log: Log },
): Promise<{ applied: string[]; reapplied: string[] }> {
  await checkLoginRole(db);
  const done = await migrate(db, {
    product: 'Tocsin',
    migrationsDir: join(root, 'db/migrations'),
    logicDir: join(root, 'db/logic'),
    version,
    log,
    clock,
  });
  await checkRowSecurity(db);
  await ensurePartitions(db, clock.now());
  return done;
}

/** A port that was set is taken or refused; the default one gives way to the next that is free. */
async function listen(http: FastifyInstance, config: Config, log: Log): Promise<number> {
  const { number, fixed } = config.port;
  for (let port = number; ; port += 1) {
    try {
      await http.listen({ port, host: config.host });
      const address = http.server.address();
      const actual = typeof address === 'object' && address ? address.port : port;
      if (actual !== number && number !== 0) log.info(`port ${number} is in use, so this is port ${actual}`);
      return actual;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES')
        throw new StartError(`Port ${port} needs more rights than this process has. Set PORT to one above 1023.`);
      if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
        throw new StartError(`This machine has no address ${config.host}. Correct TOCSIN_HOST.`);
      if (code !== 'EADDRINUSE') throw error;
      if (fixed) throw new StartError(`Port ${port} is in use. Stop what uses it, or set PORT to another.`);
      if (port >= number + 50) throw new StartError(`No port from ${number} to ${port} is free. Set PORT.`);
    }
  }
}
