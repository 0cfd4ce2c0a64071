import { resolve } from 'node:path';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import type { Log } from './log.ts';

export interface OpenOptions {
  /** The address of a PostgreSQL server. Without one the database is embedded, in `dataDir`. */
  url?: string | undefined;
  /** How many connections to that server at most. */
  connections?: number | undefined;
  dataDir: string;
  log: Log;
  clock?: Clock;
}

export async function openDatabase(options: OpenOptions): Promise<Database> {
  if (options.url) {
    const { openPostgres } = await import('./postgres.ts');
    const { url, connections, log } = options;
    return openPostgres({ url, log, ...(connections && { maxConnections: connections }) });
  }
  const { openEmbedded } = await import('./embedded/embedded.ts');
  const { dataDir, log, clock } = options;
  // An absolute path is never taken for the word that means a database in memory.
  return openEmbedded({ dataDir: resolve(dataDir), log, ...(clock && { clock }), maintenance: {} });
}
