import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { TEST_BEGINS } from '../../test/harness/database/embedded.ts';
import { serviceQuery } from '../../test/harness/database/factories.ts';
import { serviceAccess } from '../access.ts';
import { HandClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type AdminArguments, ensureOwner, setHost } from './owner.ts';

const clock = new HandClock(TEST_BEGINS);
const publicUrl = 'https://console.example';
let db: Database;

beforeAll(async () => {
  db = await openTestDatabase();
  await make({ email: 'it@first.example', customer: 'First Works' });
});
afterAll(async () => {
  await db?.close();
  await disposeTestDatabases();
});

const asked = (some: Partial<AdminArguments>): AdminArguments => ({
  name: undefined,
  customer: undefined,
  host: undefined,
  partner: 'Operator',
  timeZone: 'UTC',
  ...some,
});
const make = ({ email, ...some }: Partial<AdminArguments> & { email: string }) =>
  db.transaction(serviceAccess(clock), (tx) => ensureOwner(tx, { ...asked(some), email }, publicUrl));
const move = (some: Partial<AdminArguments>) =>
  db.transaction(serviceAccess(clock), (tx) => setHost(tx, asked(some), publicUrl));
const hosts = async () =>
  Object.fromEntries(
    (await serviceQuery(db, 'select name, end_point from tocsin.customer')).map(({ name, end_point }) => [
      name,
      end_point,
    ]),
  );

describe('a second customer', () => {
  const other = { email: 'it@other.example', customer: 'Other Works' };

  test('is refused without a host name, because nobody could sign in', async () => {
    await expect(make(other)).rejects.toThrow(
      'Other Works needs a host name of its own, because there are other customers',
    );
    expect(await hosts()).toEqual({ 'First Works': '' });
  });

  test('is created with a host name', async () => {
    await make({ ...other, host: 'other.example' });
    expect(await hosts()).toEqual({ 'First Works': '', 'Other Works': 'other.example' });
    expect(await make(other), 'the customer has a host name, so --host is not required').toMatchObject({ made: false });
  });

  test('is refused with the host name of another customer or of the console', async () => {
    await expect(make({ email: 'a@b.example', customer: 'Third', host: 'other.example' })).rejects.toThrow(
      '--host: other.example is already the host name of Other Works.',
    );
    await expect(make({ email: 'a@b.example', customer: 'Third', host: 'console.example' })).rejects.toThrow(
      'where people sign in to the first customer',
    );
    expect(Object.keys(await hosts())).toEqual(['First Works', 'Other Works']);
  });

  test('can get another host name without an invitation', async () => {
    expect(await move({ customer: 'other works', host: 'plant.example' })).toEqual({
      name: 'Other Works',
      url: 'https://plant.example',
    });
    expect(await hosts()).toMatchObject({ 'Other Works': 'plant.example' });
    await expect(move({ customer: 'Nobody', host: 'x.example' })).rejects.toThrow(
      'There is no customer called Nobody. The customers are First Works, Other Works.',
    );
  });
});
