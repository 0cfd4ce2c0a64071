/** The committed GraphQL schema matches the schema that the server uses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printApiSchema, printSchemaTypes } from '../../server/graphql/print.ts';
import { printReference } from '../../server/graphql/reference.ts';
import type { Database } from '../../server/platform/database.ts';
import { openTestDatabase } from '../harness/database/database.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'web/api');
let db: Database;
let served: string;

beforeAll(async () => {
  db = await openTestDatabase();
  served = await printApiSchema(db);
});
afterAll(() => db?.close());

const advice = (file: string) => `${file} is not what the database gives: run npm run schema and commit it`;

test('web/api/schema.graphql matches the database', () => {
  const committed = readFileSync(join(folder, 'schema.graphql'), 'utf8');
  expect(committed.length).toBeGreaterThan(10_000);
  expect(firstDifference(served, committed), advice('schema.graphql')).toBeUndefined();
});

test('the types of the console’s operations match the schema', async () => {
  const file = 'schema-types.gen.d.ts';
  const committed = readFileSync(join(folder, file), 'utf8');
  expect(firstDifference(await printSchemaTypes(served), committed), advice(file)).toBeUndefined();
});

test('docs/api-reference.md matches the schema', () => {
  const committed = readFileSync(join(root, 'docs/api-reference.md'), 'utf8');
  expect(committed).toContain('`sites` → `Site` *ordered list*');
  expect(firstDifference(printReference(served), committed), advice('docs/api-reference.md')).toBeUndefined();
});

test('type names start with a capital letter, which the query limits rely on', () => {
  const names = [...served.matchAll(/^(?:type|input|enum|scalar|interface|union) (\w+)/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !/^[A-Z]/.test(name!))).toEqual([]);
});

/**
 * Returns the first line that differs. A diff of the whole schema would be unreadable, because it has about eight
 * thousand lines.
 */
function firstDifference(actual: string, expected: string): { line: number; is: string; was: string } | undefined {
  const [now, then] = [actual.split('\n'), expected.split('\n')];
  for (let index = 0; index < Math.max(now.length, then.length); index += 1) {
    if (now[index] !== then[index]) return { line: index + 1, is: now[index] ?? '', was: then[index] ?? '' };
  }
  return undefined;
}
