import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { serviceAccess } from '../access.ts';
import { exportCustomer } from '../cell/export.ts';
import { freezeCustomer, setActive } from '../cell/freeze.ts';
import { databaseOf, readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { consoleLog } from '../platform/log.ts';
import { openDatabase } from '../platform/open-database.ts';
import { StartError } from '../platform/start-error.ts';
import { migrateDatabase, version } from '../start/prepare.ts';
import { runCommand } from './command.ts';
import { findCustomer, namesOf } from './owner.ts';
import { progressBar } from './progress.ts';

const usage = `Usage: npm run customer-export -- --customer "Company" --file company.tocsin.gz --freeze
       npm run customer-export -- --customer "Company" --unfreeze

Writes a customer with its whole history to a file, for npm run customer-import in another cell.

  --customer "Company"  name or uuid of the customer
  --file <path>         the new file; it contains password and token hashes
  --freeze              disables the customer first: people are signed out, devices send again later, nobody is notified
  --unfreeze            enables the customer again instead, if it stays in this cell

See docs/cells.md.`;

await runCommand(async () => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  if (process.argv.includes('--help')) {
    console.log(usage);
    return;
  }
  const wanted = readArguments();
  const db = await openDatabase({ ...databaseOf(readConfig(process.env)), log: consoleLog });
  try {
    await migrateDatabase(db, { clock: systemClock, log: consoleLog });
    const { found, all } = await db.transaction(serviceAccess(systemClock), (tx) => findCustomer(tx, wanted.customer));
    if (!found)
      throw new StartError(`There is no customer called ${wanted.customer}. The customers are ${namesOf(all)}.`);
    if (wanted.unfreeze) {
      await setActive(db, systemClock, found.uuid, true);
      console.log(`${found.name} is active again. Do not import the file into another cell.`);
      return;
    }
    const path = wanted.file as string;
    if (existsSync(path)) throw new StartError(`The file ${path} already exists. Choose another name.`);
    if (wanted.freeze) {
      await freezeCustomer(db, systemClock, found.uuid);
      console.log(`${found.name} is frozen.`);
    }
    const onProgress = progressBar(`Exporting ${found.name}`);
    const now = systemClock.now();
    const { tables } = await db.migration((tx) =>
      exportCustomer({ tx, customerUuid: found.uuid, path, version, now, onProgress }),
    );
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    console.log(`Wrote ${rows} rows to ${path}. The customer remains frozen on this server.`);
    console.log(`Next, with the settings of the other cell, run: npm run customer-import -- --file ${path}`);
  } finally {
    await db.close();
  }
});

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        customer: { type: 'string' },
        file: { type: 'string' },
        freeze: { type: 'boolean', default: false },
        unfreeze: { type: 'boolean', default: false },
      },
    });
    if (values.customer === undefined) throw new StartError(`Specify the customer with --customer.\n\n${usage}`);
    if ((values.file === undefined) !== values.unfreeze || (values.freeze && values.unfreeze))
      throw new StartError(`Use either --file or --unfreeze.\n\n${usage}`);
    return values;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${(error as Error).message.replace(/\.?$/, '.')}\n\n${usage}`);
  }
}
