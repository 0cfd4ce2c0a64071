import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposeTestDatabases, openTestDatabase } from '../../test/harness/database/database.ts';
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

test('a query runs with its role and settings', async () => {
  expect((await whoAsks({ role: 'tocsin_request' })).rows).toEqual([{ name: 'tocsin_request' }]);
});

test('a query does not run with another role when its BEGIN fails', async () => {
  for (let round = 0; round < 3; round += 1) {
    await expect(whoAsks({ role: 'nobody_has_this_role' })).rejects.toThrow('nobody_has_this_role');
  }
  expect((await whoAsks({ role: 'tocsin_request' })).rows, 'the connection stays usable').toEqual([
    { name: 'tocsin_request' },
  ]);
});

test('a failing query rolls back its writes and later ones', async () => {
  const withPgClient = adaptor.createWithPgClient({ pool: db.pool });
  const settings = { role: 'tocsin_service' };
  const partners = async () =>
    ((await withPgClient(settings, (client) => client.query({ text: 'select name from tocsin.partner' }))) as any).rows;
  const insert = "insert into tocsin.partner (name) values ('Adaptor') returning 1 / (name = 'Adaptor')::int";
  await withPgClient(settings, (client) => client.query({ text: insert }));
  expect(await partners()).toHaveLength(1);
  await expect(withPgClient(settings, (client) => client.query({ text: `${insert} - 1 / 0` }))).rejects.toThrow();
  await expect(
    withPgClient(settings, (client) =>
      client.withTransaction(async (inner) => {
        await inner.query({ text: insert });
        await inner.query({ text: 'select 1 / 0' });
      }),
    ),
  ).rejects.toThrow('division by zero');
  expect(await partners()).toHaveLength(1);
  await withPgClient(settings, (client) =>
    client.withTransaction(async (inner) => {
      await inner.query({ text: insert });
      await inner.query({ text: insert });
    }),
  );
  expect(await partners()).toHaveLength(3);
});

test('a query after the end of its transaction is rejected', async () => {
  const withPgClient = adaptor.createWithPgClient({ pool: db.pool });
  const asking = withPgClient({ role: 'tocsin_request' }, async (client) => {
    await client.query({ text: 'select 1' });
    await client.query({ text: 'select 2' });
  });
  await expect(asking).rejects.toThrow('its transaction ended');
});

test('a query without a role is refused before it is sent', async () => {
  await expect(whoAsks(null)).rejects.toThrow('needs a role');
  await expect(whoAsks({ role: ' none ' })).rejects.toThrow('needs a role');
});
