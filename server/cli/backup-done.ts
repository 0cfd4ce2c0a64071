import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { serviceAccess } from '../access.ts';
import { databaseOf, readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { consoleLog } from '../platform/log.ts';
import { openDatabase } from '../platform/open-database.ts';
import { StartError } from '../platform/start-error.ts';
import { runCommand } from './command.ts';

const USAGE = 'Usage: npm run backup-done -- [--failed] [--bytes 123456] [--seconds 60] [--note "where it is"]';

// Records that a backup has finished or failed, so that Tocsin can open a system alarm when backups stop.
await runCommand(async () => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const { failed, bytes, seconds, note } = readArguments();
  if (!config.databaseUrl) {
    throw new StartError('Only backups of a PostgreSQL server can be reported. Set DATABASE_URL.');
  }
  const db = await openDatabase({ ...databaseOf(config), log: consoleLog });
  try {
    await db.transaction(serviceAccess(systemClock), (tx) =>
      tx.query(
        `insert into tocsin_private.backup (finished_at, ok, bytes, seconds, note)
         values (tocsin_private.lease_clock(), $1, $2, $3, $4)`,
        [!failed, bytes, seconds, note],
      ),
    );
    console.log(failed ? 'The failed backup is recorded.' : 'The backup is recorded.');
  } finally {
    await db.close();
  }
});

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        failed: { type: 'boolean', default: false },
        bytes: { type: 'string' },
        seconds: { type: 'string' },
        note: { type: 'string', default: '' },
      },
    });
    const bytes = readNumber('bytes', values.bytes);
    return { failed: values.failed, bytes, seconds: readNumber('seconds', values.seconds), note: values.note };
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`${(error as Error).message}. ${USAGE}`);
  }
}

function readNumber(name: string, value: string | undefined): number | null {
  if (value === undefined) return null;
  if (!/^\d{1,15}$/.test(value)) throw new StartError(`--${name} takes a whole number. ${USAGE}`);
  return Number(value);
}
