import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isTimeZone } from '../../domain/week.ts';
import { serviceAccess } from '../access.ts';
import { createInvitation } from '../auth/password/invitation.ts';
import { databaseOf, readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { consoleLog } from '../platform/log.ts';
import { openDatabase } from '../platform/open-database.ts';
import { StartError } from '../platform/start-error.ts';
import { migrateDatabase } from '../start/prepare.ts';
import { runCommand } from './command.ts';
import { type AdminArguments, ensureOwner, readHost, setHost } from './owner.ts';

const usage = `Usage: npm run admin -- --email owner@company.com [options]

Creates the first owner of a customer, or lets an existing owner choose a new
password. Prints the activation link.

  --customer "Company"        the customer; created if no customer has this name
  --name "Full Name"          creates another owner for a customer that already has one
  --host plant.example        the host name where its users sign in; every customer except the first needs one.
                              Without --email only the host name is changed
  --partner "Partner"         the partner of a new customer
  --time-zone Europe/Berlin   the time zone of a new customer`;

/**
 * Creates an owner, or lets an existing owner choose a new password. Administrators run it before the first sign-in, or
 * when all owners have lost access.
 */
await runCommand(async () => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  if (process.argv.includes('--help')) {
    console.log(usage);
    return;
  }
  const config = readConfig(process.env);
  const wanted = readArguments();
  const db = await openDatabase({ ...databaseOf(config), log: consoleLog });
  try {
    await migrateDatabase(db, { clock: systemClock, log: consoleLog });
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port.number}`;
    const { email } = wanted;
    if (email === undefined) {
      const { name, url } = await db.transaction(serviceAccess(systemClock), (tx) => setHost(tx, wanted, publicUrl));
      console.log(`${name} now has the host name ${wanted.host}. Its users sign in at ${url}`);
      return;
    }
    const owner = await db.transaction(serviceAccess(systemClock), (tx) =>
      ensureOwner(tx, { ...wanted, email }, publicUrl),
    );
    const invitation = await createInvitation({ db, clock: systemClock, publicUrl }, owner.uuid);
    if (!invitation) throw new StartError(`${owner.customer} is disabled, so nobody can sign in there.`);
    console.log(
      `${owner.made ? 'Created' : 'Found'} the owner ${email} of ${owner.customer}. Open this link to choose a password:`,
    );
    console.log(`  ${invitation.link}`);
    console.log(
      `You can use the link once, until ${formatMoment(invitation.expiresAt)}. Tocsin must be running (npm start).`,
    );
  } finally {
    await db.close();
  }
});

/** Formats a time in the machine's time zone, with the zone's name. */
function formatMoment(at: Date): string {
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  return at.toLocaleString('en-GB', { ...day, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
}

function readArguments(): AdminArguments & { email: string | undefined } {
  try {
    const { values } = parseArgs({
      options: {
        email: { type: 'string' },
        name: { type: 'string' },
        customer: { type: 'string' },
        host: { type: 'string' },
        partner: { type: 'string' },
        'time-zone': { type: 'string' },
      },
    });
    const onlyHost = values.email === undefined && values.host !== undefined;
    if (!onlyHost && !/^[^@\s]+@[^@\s]+$/.test(values.email ?? ''))
      throw new StartError(`--email needs an e-mail address.\n\n${usage}`);
    const timeZone = values['time-zone'] ?? 'UTC';
    if (!isTimeZone(timeZone))
      throw new StartError(`--time-zone: there is no zone called ${timeZone}. Use a name such as Europe/Berlin.`);
    return {
      email: values.email,
      name: values.name,
      customer: values.customer,
      host: values.host === undefined ? undefined : readHost(values.host),
      partner: values.partner ?? 'Operator',
      timeZone,
    };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${(error as Error).message.replace(/\.?$/, '.')}\n\n${usage}`);
  }
}
