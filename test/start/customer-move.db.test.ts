/** Moves a customer from an embedded database to another database, using the commands that an administrator runs. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbedded } from '../../server/platform/embedded/embedded.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openPostgres } from '../../server/platform/postgres.ts';
import { rowsOfCustomer } from '../harness/database/cells.ts';
import { createMigratedDatabase, testDatabaseKind } from '../harness/database/database.ts';
import { embeddedFolder } from '../harness/database/embedded.ts';
import { type CustomerRow, createCustomer, createUser, serviceQuery } from '../harness/database/factories.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { createSensor } from '../harness/device/devices.ts';
import { scratchFolder } from '../harness/machine/scratch.ts';
import { runProduct } from '../harness/server/product.ts';

const path = join(scratchFolder('move'), 'company.gz');
const NAME = 'tocsin_customer_move';
let postgres: TestPostgres | undefined;
let from: Record<string, string>;
let to: Record<string, string>;
let customer: CustomerRow;
let before: Record<string, string[]>;

beforeAll(async () => {
  const folder = await embeddedFolder('migrated');
  from = { TOCSIN_DATA_DIR: folder };
  if (testDatabaseKind() === 'postgres') {
    postgres = await testPostgres();
    to = { DATABASE_URL: await createMigratedDatabase(postgres, NAME) };
  } else {
    to = { TOCSIN_DATA_DIR: await embeddedFolder('migrated') };
  }
  const db = await openEmbedded({ dataDir: folder, log: silentLog, diskFloorBytes: 0 });
  customer = await createCustomer(db, { name: 'Small Works', endPoint: 'small.example' });
  await createUser(db, { customer, level: 0, password: 'a long enough password' });
  const { channels } = await createSensor(db, { customer });
  await serviceQuery(
    db,
    `insert into tocsin.reading (channel_key, device_time, server_time, value)
     select $1, t, t, 1 from generate_series(timestamptz '2026-03-02', '2026-03-03', interval '1 minute') t`,
    [channels[0]?.key],
  );
  before = await rowsOfCustomer(db, customer);
  await db.close();
});
afterAll(() => postgres?.dropDatabase(NAME));

const run = (command: string, args: string[], settings: Record<string, string>) =>
  runProduct([`server/cli/${command}.ts`, ...args], { ...settings, TOCSIN_PUBLIC_URL: 'https://console.example' });

test('an active customer is exported only with --freeze, and only into a new file', async () => {
  const args = ['--customer', 'small works', '--file', path];
  const refused = await run('customer-export', args, from);
  expect(refused.output).toContain('Small Works is active. Freeze the customer first, or add --freeze.');
  expect(refused.code).toBe(1);
  expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);

  const written = await run('customer-export', [...args, '--freeze'], from);
  expect(written.output).toContain('Small Works is frozen.');
  expect(written.output).toMatch(/Wrote \d+ rows to .*The customer remains frozen on this server\./);
  expect(written.code).toBe(0);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect((await run('customer-export', args, from)).output).toContain('already exists. Choose another name.');
});

test('the other database has the customer after the import, and refuses it the second time', async () => {
  const stored = await run('customer-import', ['--file', path], to);
  expect(stored.output).toContain('Imported Small Works. Its users sign in at https://small.example');
  expect(stored.code).toBe(0);
  const again = await run('customer-import', ['--file', path], to);
  expect(again.output.trim().split('\n').at(-1)).toBe('Small Works is already in this cell.');
  expect(again.code).toBe(1);
  const db = to.DATABASE_URL
    ? await openPostgres({ url: to.DATABASE_URL, log: silentLog })
    : await openEmbedded({ dataDir: to.TOCSIN_DATA_DIR as string, log: silentLog, diskFloorBytes: 0 });
  try {
    const after = await rowsOfCustomer(db, customer);
    expect(after['tocsin.reading']).toEqual(before['tocsin.reading']);
    expect(after['tocsin_private.credential']).toEqual(before['tocsin_private.credential']);
    expect(after['tocsin_private.device_token']).toEqual(before['tocsin_private.device_token']);
    expect((await serviceQuery(db, 'select status from tocsin.customer where uuid = $1', [customer.uuid]))[0]).toEqual({
      status: 1,
    });
  } finally {
    await db.close();
  }
});

test('a wrong command is explained', async () => {
  expect((await run('customer-export', ['--customer', 'Nobody', '--file', `${path}.2`], from)).output).toContain(
    'There is no customer called Nobody. The customers are Small Works.',
  );
  expect((await run('customer-export', ['--customer', 'x'], from)).output).toContain(
    'Use either --file or --unfreeze.',
  );
  expect((await run('customer-import', [], to)).output).toContain('Specify the file with --file.');
  expect((await run('customer-export', ['--customer', customer.uuid, '--unfreeze'], from)).output).toContain(
    'Small Works is active again. Do not import the file into another cell.',
  );
});
