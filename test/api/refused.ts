import { expect } from 'vitest';
import type { Database } from '../../server/platform/database.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';

/** Returns the number of rows in every table that requests can write, including the audit trail. */
export async function countRows(db: Database): Promise<unknown> {
  const tables = await serviceQuery<{ name: string }>(
    db,
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'tocsin' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`);
  return serviceQuery(db, counts.join(' union all '));
}

/** Sends a body and expects a 4xx response that reveals no internal details. Returns the error message. */
export async function expectRefused(
  browser: TestBrowser,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await browser.post('/graphql', body, { headers });
  const { data, errors } = response.json();
  expect(response.headers['content-type']).toMatch(/json/);
  expect(response.statusCode).toBeLessThan(500);
  if (response.statusCode < 400) expect(Object.values(data ?? {})).toEqual([null]);
  const [error] = errors;
  expect(error.message).toMatch(/^[A-Za-z"'].{9,}/);
  expect(error.extensions?.code).not.toBe('INTERNAL');
  for (const inside of ['select ', 'pg_', 'at /', 'node_modules', 'tocsin_private', 'constraint', 'relation "']) {
    expect(response.body).not.toContain(inside);
  }
  return error.message;
}
