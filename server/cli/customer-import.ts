import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { serviceAccess } from '../access.ts';
import { customerUrl, hostOfCustomer } from '../auth/customer-url.ts';
import { importCustomer } from '../cell/import.ts';
import { databaseOf, readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { consoleLog } from '../platform/log.ts';
import { openDatabase } from '../platform/open-database.ts';
import { StartError } from '../platform/start-error.ts';
import { migrateDatabase } from '../start/prepare.ts';
import { runCommand } from './command.ts';
import { readHost } from './owner.ts';
import { progressBar } from './progress.ts';

const usage = `Usage: npm run customer-import -- --file company.tocsin.gz

Stores a customer from npm run customer-export in this cell, in one transaction, and enables it.

  --file <path>         the file of the export
  --host plant.example  the customer's host name in this cell, if it changes
  --shared-uids         accepts sensors whose uids other customers of this cell use as well
  --disabled            leaves the customer disabled; npm run customer-export -- --customer … --unfreeze enables it

See docs/cells.md.`;

await runCommand(async () => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  if (process.argv.includes('--help')) {
    console.log(usage);
    return;
  }
  const { file: path, host, 'shared-uids': sharedUids, disabled } = readArguments();
  const config = readConfig(process.env);
  const db = await openDatabase({ ...databaseOf(config), log: consoleLog });
  try {
    await migrateDatabase(db, { clock: systemClock, log: consoleLog });
    const now = systemClock.now();
    const onProgress = progressBar('Importing');
    const { customer } = await db.migration((tx) =>
      importCustomer({ tx, path, now, host, sharedUids, disabled, onProgress }),
    );
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port.number}`;
    const place = await db.transaction(serviceAccess(systemClock), (tx) => hostOfCustomer(tx, customer.uuid));
    console.log(
      `Imported ${customer.name}. ${disabled ? 'It is disabled.' : `Its users sign in at ${customerUrl(publicUrl, place)}`}`,
    );
  } finally {
    await db.close();
  }
});

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        file: { type: 'string' },
        host: { type: 'string' },
        'shared-uids': { type: 'boolean', default: false },
        disabled: { type: 'boolean', default: false },
      },
    });
    if (values.file === undefined) throw new StartError(`Specify the file with --file.\n\n${usage}`);
    return { ...values, file: values.file, host: values.host === undefined ? undefined : readHost(values.host) };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${(error as Error).message.replace(/\.?$/, '.')}\n\n${usage}`);
  }
}
