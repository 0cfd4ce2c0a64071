import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isTimeZone } from '../../domain/week.ts';
import { serviceAccess } from '../access.ts';
import { createInvitation } from '../auth/invitation.ts';
import { databaseOf, readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { consoleLog } from '../platform/log.ts';
import { openDatabase } from '../platform/open-database.ts';
import { StartError } from '../platform/start-error.ts';
import { migrateDatabase } from '../prepare.ts';
import { runCommand } from './command.ts';

const usage = `Usage: npm run admin -- --email owner@company.com [options]

Makes the first owner of a customer, or lets an existing owner choose a new
password, and prints the activation link.

  --customer "Company"        which customer; made when there is none of that name
  --name "Full Name"          makes another owner of a customer that has one already
  --partner "Partner"         to whom a new customer belongs
  --time-zone Europe/Berlin   the zone of a new customer`;

/** Creates or resets an owner on an installation: the way in when nobody is in yet, or nobody can get in any more. */
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
    const owner = await db.transaction(serviceAccess(systemClock), (tx) => ensureOwner(tx, wanted));
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port.number}`;
    const invitation = await createInvitation({ db, clock: systemClock, publicUrl }, owner.uuid);
    if (!invitation) throw new StartError(`${owner.customer} is disabled, so nobody can sign in there.`);
    console.log(
      `${owner.made ? 'Made' : 'Found'} the owner ${wanted.email} of ${owner.customer}. Open this link to choose a password:`,
    );
    console.log(`  ${invitation.link}`);
    console.log(`It works once, until ${until(invitation.expiresAt)}, while Tocsin is running (npm start).`);
  } finally {
    await db.close();
  }
});

/** A moment as a person reads it, in the time of the machine. */
function until(at: Date): string {
  return at.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
}

interface Wanted {
  email: string;
  name: string | undefined;
  customer: string | undefined;
  partner: string;
  timeZone: string;
}

function readArguments(): Wanted {
  try {
    const { values } = parseArgs({
      options: {
        email: { type: 'string' },
        name: { type: 'string' },
        customer: { type: 'string' },
        partner: { type: 'string' },
        'time-zone': { type: 'string' },
      },
    });
    if (!values.email || !/^[^@\s]+@[^@\s]+$/.test(values.email))
      throw new StartError(`--email needs an e-mail address.\n\n${usage}`);
    const timeZone = values['time-zone'] ?? 'UTC';
    if (!isTimeZone(timeZone))
      throw new StartError(`--time-zone: there is no zone called ${timeZone}. Use a name such as Europe/Berlin.`);
    return {
      email: values.email,
      name: values.name,
      customer: values.customer,
      partner: values.partner ?? 'Operator',
      timeZone,
    };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${(error as Error).message.replace(/\.?$/, '.')}\n\n${usage}`);
  }
}

interface Owner {
  uuid: string;
  customer: string;
  made: boolean;
}

async function ensureOwner(tx: Transaction, wanted: Wanted): Promise<Owner> {
  const customer = await ensureCustomer(tx, wanted);
  const { rows: found } = await tx.query<{ uuid: string; level: number; status: boolean }>(
    'select uuid, level, status from tocsin.user where tocsin_customer_uuid = $1 and lower(email) = lower($2)',
    [customer.uuid, wanted.email],
  );
  const existing = found[0];
  if (existing && existing.level !== 0) {
    throw new StartError(
      `${wanted.email} is a user of ${customer.name} with level ${existing.level}, not an owner. Use another e-mail address.`,
    );
  }
  if (existing) {
    await tx.query('update tocsin.user set status = true where uuid = $1', [existing.uuid]);
    return { uuid: existing.uuid, customer: customer.name, made: false };
  }
  const { rows: owners } = await tx.query<{ email: string }>(
    'select email from tocsin.user where tocsin_customer_uuid = $1 and level = 0 order by created_at',
    [customer.uuid],
  );
  if (owners[0] && wanted.name === undefined) {
    throw new StartError(
      `${customer.name} has an owner already: ${owners.map(({ email }) => email).join(', ')}. Use that address, or add --name "Full Name" to make another owner.`,
    );
  }
  const { rows } = await tx.query<{ uuid: string }>(
    `insert into tocsin.user (tocsin_customer_uuid, username, display_name, email, level) values ($1, $2, $3, $2, 0) returning uuid`,
    [customer.uuid, wanted.email, wanted.name ?? wanted.email.split('@')[0]],
  );
  return { uuid: rows[0]!.uuid, customer: customer.name, made: true };
}

/** The customer by name; without a name the only one there is. The first one answers to every host name. */
async function ensureCustomer(
  tx: Transaction,
  { customer, partner, timeZone }: Wanted,
): Promise<{ uuid: string; name: string }> {
  const { rows: all } = await tx.query<{ uuid: string; name: string }>(
    'select uuid, name from tocsin.customer order by id',
  );
  const found = customer
    ? all.find(({ name }) => name.toLowerCase() === customer.toLowerCase())
    : all.length === 1
      ? all[0]
      : undefined;
  if (found) return found;
  if (!customer) {
    throw new StartError(
      all.length === 0
        ? 'There is no customer yet. Name the first one: npm run admin -- --email … --customer "Company"'
        : `There are ${all.length} customers. Name the one you mean with --customer: ${all.map(({ name }) => name).join(', ')}`,
    );
  }
  const { rows: partners } = await tx.query<{ id: number }>(
    `with existing as (select id from tocsin.partner where lower(name) = lower($1) limit 1),
      made as (insert into tocsin.partner (name) select $1 where not exists (select from existing) returning id)
     select id from existing union all select id from made`,
    [partner],
  );
  const tableName =
    customer
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .slice(0, 63) || 'customer';
  const { rows } = await tx.query<{ uuid: string; name: string }>(
    'insert into tocsin.customer (tocsin_partner_id, name, table_name, time_zone) values ($1, $2, $3, $4) returning uuid, name',
    [partners[0]!.id, customer, tableName, timeZone],
  );
  return rows[0]!;
}
