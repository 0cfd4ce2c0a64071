import { resolve } from 'node:path';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import type { Log } from './log.ts';

export interface OpenOptions {
  /** URL of a PostgreSQL server. If undefined, an embedded database in `dataDir` is used. */
  url?: string | undefined;
  /** Maximum number of connections to the server. */
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
  // An absolute path, so that a folder named `memory` is not mistaken for the special value `memory`.
  return openEmbedded({ dataDir: resolve(dataDir), log, ...(clock && { clock }), maintenance: {} });
}
