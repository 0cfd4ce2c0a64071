import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadDemo } from '../../db/demo/index.ts';
import { serviceAccess } from '../access.ts';
import { hashPassword } from '../auth/password/password.ts';
import { databaseOf, readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { consoleLog } from '../platform/log.ts';
import { openDatabase } from '../platform/open-database.ts';
import { StartError } from '../platform/start-error.ts';
import { migrateDatabase } from '../start/prepare.ts';
import { runCommand } from './command.ts';
import { progressBar } from './progress.ts';

await runCommand(async () => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const sites = readSites();
  const db = await openDatabase({ ...databaseOf(config), log: consoleLog });
  try {
    await migrateDatabase(db, { clock: systemClock, log: consoleLog });
    const { rows } = await db.transaction(serviceAccess(systemClock), (tx) =>
      tx.query('select from tocsin.customer limit 1'),
    );
    if (rows.length > 0) {
      throw new StartError(
        'This database already has customers. Use an empty one, for example: TOCSIN_DATA_DIR=./demo npm run demo -- --sites 5000',
      );
    }
    const began = performance.now();
    await loadDemo({
      db,
      now: systemClock.now(),
      sites,
      hashPassword,
      onProgress: progressBar(`Creating a demo plant of ${sites} sites`),
    });
    console.log(
      `Created in ${((performance.now() - began) / 1000).toFixed(1)} s. Start it with npm start and the same settings.`,
    );
  } finally {
    await db.close();
  }
});

function readSites(): number {
  let value: string;
  try {
    value = parseArgs({ options: { sites: { type: 'string', default: '60' } } }).values.sites;
  } catch (error) {
    throw new StartError(`${(error as Error).message}. Usage: npm run demo -- --sites 60`);
  }
  const sites = Number(value);
  if (!/^\d+$/.test(value) || sites < 10 || sites > 20_000)
    throw new StartError('--sites takes a whole number from 10 to 20000.');
  return sites;
}
