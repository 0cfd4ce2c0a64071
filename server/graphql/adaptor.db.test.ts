import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database.ts';
import type { Database } from '../platform/database.ts';
import { adaptor } from './adaptor.ts';

let db: Database;

beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => {
  await db.close();
  await disposeTestDatabases();
});

const whoAsks = (settings: Record<string, string> | null) =>
  adaptor.createWithPgClient({ pool: db.pool })(settings, (client) =>
    client.query({ text: 'select current_user as name' }),
  ) as Promise<{ rows: { name: string }[] }>;

test('a query asks with the eyes it was given', async () => {
  expect((await whoAsks({ role: 'tocsin_request' })).rows).toEqual([{ name: 'tocsin_request' }]);
});

test('a query that was sent behind a beginning that failed is not run with other eyes', async () => {
  for (let round = 0; round < 3; round += 1) {
    await expect(whoAsks({ role: 'nobody_has_this_role' })).rejects.toThrow('nobody_has_this_role');
  }
  expect((await whoAsks({ role: 'tocsin_request' })).rows, 'and the connection goes on').toEqual([
    { name: 'tocsin_request' },
  ]);
});

test('a query without a role is refused before it is sent', async () => {
  await expect(whoAsks(null)).rejects.toThrow('needs a role');
  await expect(whoAsks({ role: ' none ' })).rejects.toThrow('needs a role');
});
