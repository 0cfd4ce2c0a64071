/** All spellings of an e-mail address that match an account share that account's counter. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
import { type CustomerRow, createCustomer, createUser } from '../../test/harness/database/factories.ts';
import { serviceAccess } from '../access.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { accountByEmail } from './account.ts';
import { accountKey } from './context.ts';

let db: Database;
let customer: CustomerRow;

beforeAll(async () => {
  db = await openTestDatabase();
  customer = await createCustomer(db);
});
afterAll(disposeTestDatabases);

/** Letters that a case mapping or Unicode normalisation treats as equal. */
const LOOKALIKES: Record<string, string[]> = {
  i: ['i', 'I', 'İ', 'ı', 'i̇', 'ｉ', 'Ｉ'],
  k: ['k', 'K', '\u212A', 'ｋ'],
  s: ['s', 'S', 'ſ', 'ｓ'],
  ö: ['ö', 'Ö', 'o\u0308', 'O\u0308'],
  ß: ['ß', 'ẞ', 'SS', 'ss'],
  σ: ['σ', 'ς', 'Σ'],
};
const BLANKS = ['', ' ', '\t', '\u00A0', '\u3000', '\n'];

const spellingOf = (email: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...BLANKS),
      fc.tuple(...[...email].map((c) => fc.constantFrom(...(LOOKALIKES[c] ?? [c, c.toUpperCase()])))),
      fc.constantFrom(...BLANKS),
    )
    .map(([front, letters, back]) => front + letters.join('') + back);

test.each(['kiss@plant.example', 'İris@plant.example', 'jörg.weiß@plant.example', 'σίσυφος@plant.example'])(
  'every spelling that reaches %s shares the counter of that account',
  async (email) => {
    const user = await createUser(db, { customer, email });
    const counter = accountKey(customer.uuid, email);
    const find = (spelling: string) =>
      db.transaction(serviceAccess(systemClock), (tx) => accountByEmail(tx, customer.uuid, spelling));
    expect((await find(` ${email.replace('plant', 'PLANT')} `))?.uuid).toBe(user.uuid);
    await fc.assert(
      fc.asyncProperty(spellingOf(email.replace('İ', 'i')), async (spelling) => {
        const reached = (await find(spelling))?.uuid === user.uuid;
        // A spelling that does not match the account has its own counter of failed attempts.
        expect([spelling, accountKey(customer.uuid, spelling) === counter]).toEqual([spelling, reached]);
      }),
      { numRuns: 300 },
    );
  },
);

test('two accounts of a customer never share an address key', async () => {
  await createUser(db, { customer, email: 'same@plant.example' });
  await expect(createUser(db, { customer, email: 'SAME@plant.example' })).rejects.toMatchObject({
    constraint: 'user_email_key',
  });
});
