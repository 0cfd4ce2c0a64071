/** The duration of a refused sign-in does not reveal whether the account exists. */
import { parseOptions, verify } from '@node-rs/argon2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases } from '../../test/harness/database/database.ts';
import type { CustomerRow } from '../../test/harness/database/factories.ts';
import { createCustomer, createUser, serviceQuery, setDefaultCustomer } from '../../test/harness/database/factories.ts';
import type { AuthApp } from '../../test/harness/server/auth-app.ts';
import { startAuthApp } from '../../test/harness/server/auth-app.ts';
import { createPasswords, hashPassword } from './password/password.ts';

const PASSWORD = 'tocsin-demo-plant';
let app: AuthApp;
let customer: CustomerRow;
/** Password hashes that the server verified, in order. */
let verified: string[] = [];
const passwords = createPasswords({
  verify(stored, ...rest) {
    verified.push(stored as string);
    return verify(stored, ...rest);
  },
});

beforeAll(async () => {
  app = await startAuthApp({ passwords });
  customer = await createCustomer(app.db);
  await setDefaultCustomer(app.db, customer);
});
afterAll(async () => {
  await app.close();
  await disposeTestDatabases();
});

/** Creates a user whose password hash has the cost of production. Other test users have a cheap hash. */
async function userWithPassword(status: boolean): Promise<string> {
  const user = await createUser(app.db, { customer, password: PASSWORD, status });
  await serviceQuery(app.db, 'update tocsin_private.credential set password_hash = $2 where user_uuid = $1', [
    user.uuid,
    await hashPassword(PASSWORD),
  ]);
  return user.email;
}

test.each<[title: string, emailOf: () => Promise<string>, more?: object]>([
  ['an unknown address', async () => 'nobody@north.example'],
  ['a wrong password', () => userWithPassword(true)],
  ['a disabled user', () => userWithPassword(false)],
  ['a user without a password yet', async () => (await createUser(app.db, { customer, varified: false })).email],
  ['an unknown customer', async () => 'nobody@north.example', { tocsin_customer_id: 999_999 }],
])('hashes the password once at full cost for %s', async (_title, emailOf, more) => {
  const email = await emailOf();
  verified = [];
  const response = await app.browser().login(email, 'another-password', { ...more });
  expect(response.statusCode).toBe(401);
  expect(verified.map((stored) => parseOptions(stored))).toEqual([
    expect.objectContaining({ memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
  ]);
});
