import { existsSync } from 'node:fs';
import { databaseOf, readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { consoleLog, silentLog } from '../platform/log.ts';
import { openDatabase } from '../platform/open-database.ts';
import { migrateDatabase } from '../start/prepare.ts';
import { runCommand } from './command.ts';

await runCommand(async () => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const db = await openDatabase({ ...databaseOf(config), log: consoleLog });
  try {
    const { applied, reapplied } = await migrateDatabase(db, { clock: systemClock, log: silentLog });
    if (applied.length + reapplied.length === 0) console.log('The database is up to date.');
    for (const name of applied) console.log(`Applied ${name}`);
    if (reapplied.length > 0) console.log(`Applied the database logic again (${reapplied.length} files).`);
  } finally {
    await db.close();
  }
});
