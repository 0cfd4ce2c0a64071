import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grants, type Noun, type Reach, type Role, reachOf, type Verb } from '../../domain/permission.ts';
import { personAccess, serviceAccess } from '../../server/access.ts';
import { HandClock } from '../../server/platform/clock.ts';
import type { Access, Database, Transaction } from '../../server/platform/database.ts';
import { openTestDatabase } from '../harness/database/database.ts';
import { buildPlant, type Plant, type Row } from './plant.ts';

const clock = new HandClock(new Date('2026-03-10T12:00:00Z'));
const roles: Role[] = ['owner', 'manager', 'operator', 'partner'];
const targets = ['linked', 'other', 'foreign'] as const;
type Target = (typeof targets)[number];

let db: Database;
let own: Plant;
let foreign: Plant;
let tables: { schema: string; name: string; key: string[]; insertable: string[]; updatable: string[] }[];

class Undo extends Error {}

/** Runs a statement with the given access and rolls it back. Returns its result, or the database's error code. */
async function attempt<T>(
  access: Access,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ value?: T; refused?: string }> {
  let value: T | undefined;
  try {
    await db.transaction(access, async (tx) => {
      value = await work(tx);
      throw new Undo();
    });
  } catch (error) {
    if (error instanceof Undo) return { value: value as T };
    return { refused: (error as { code?: string }).code ?? String(error) };
  }
  return {};
}

beforeAll(async () => {
  db = await openTestDatabase();
  await db.migration((tx) => tx.query("call tocsin_private.ensure_partitions('2026-03-01', '2026-03-20')"));
  [own, foreign] = await db.transaction(
    serviceAccess(clock),
    async (tx) => [await buildPlant(tx), await buildPlant(tx)] as const,
  );
  const { rows } = await db.migration((tx) =>
    tx.query(`
      select n.nspname as schema, c.relname as name,
        array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
          where i.indrelid = c.oid and i.indisprimary) as key,
        array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and has_column_privilege('tocsin_request', c.oid, a.attnum, 'insert')) as insertable,
        array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and has_column_privilege('tocsin_request', c.oid, a.attnum, 'update')) as updatable
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('tocsin', 'tocsin_private') and c.relkind in ('r', 'p') and not c.relispartition
      order by 1, 2`),
  );
  tables = rows as typeof tables;
});
afterAll(() => db?.close());

function accessOf(role: Role): Access {
  const row = own.people[role];
  const person = {
    uuid: row.uuid,
    customerUuid: own.customer.uuid,
    level: row.level,
    partnerAccount: row.tocsin_partner_account,
  };
  return personAccess(person, clock);
}

/** Returns true if a permission with this reach allows the role to act on the target's row. */
function covers(reach: Reach | undefined, role: Role, target: Target, verb: Verb): boolean {
  if (target === 'foreign' || reach === undefined) return false;
  // Users can create such rows only for themselves, so the target does not matter.
  if (reach === 'self' && verb === 'create') return true;
  if (reach === 'all' || reach === 'below') return true;
  if (reach === 'linked-sites') return target === 'linked';
  return role === 'operator' && target === 'linked';
}

function rowAt(name: string, target: Target): Row | undefined {
  return target === 'foreign' ? foreign.rows[name]?.linked : own.rows[name]?.[target];
}

const quoted = (columns: string[]) => columns.map((column) => `"${column}"`).join(', ');

function where(key: string[], row: Row): { text: string; values: unknown[] } {
  return {
    text: key.map((column, index) => `"${column}"::text = $${index + 1}`).join(' and '),
    values: key.map((column) => String(row[column])),
  };
}

/**
 * Returns whether the column holds the uuid of another customer. Inserts include this column even if requests cannot
 * write it.
 */
const foreignCustomer = (column: string, target: Target) => target === 'foreign' && column === 'tocsin_customer_uuid';

type Try = (table: (typeof tables)[number], name: string, role: Role, target: Target) => Promise<boolean>;

const tries: Record<Verb, Try> = {
  async read(table, name, role, target) {
    const { text, values } = where(table.key, await textKeys(table, rowAt(name, target)!));
    const { value } = await attempt(accessOf(role), (tx) =>
      tx.query(`select from ${table.schema}."${name}" where ${text}`, values),
    );
    return (value?.rows.length ?? 0) > 0;
  },
  async create(table, name, role, target) {
    const plant = target === 'foreign' ? foreign : own;
    const values = plant.fresh[name]!(target === 'other' ? 'other' : 'linked');
    const columns = Object.keys(values).filter(
      (column) => table.insertable.length === 0 || table.insertable.includes(column) || foreignCustomer(column, target),
    );
    const { value } = await attempt(accessOf(role), (tx) =>
      tx.query(
        `insert into ${table.schema}."${name}" (${quoted(columns)}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
        columns.map((column) => values[column]),
      ),
    );
    return value?.rowCount === 1;
  },
  async update(table, name, role, target) {
    const row = await textKeys(table, rowAt(name, target)!);
    const column = table.updatable[0] ?? table.key[0]!;
    const { text, values } = where(table.key, row);
    const { value } = await attempt(accessOf(role), (tx) =>
      tx.query(`update ${table.schema}."${name}" set "${column}" = "${column}" where ${text}`, values),
    );
    return value?.rowCount === 1;
  },
  async delete(table, name, role, target) {
    const { text, values } = where(table.key, await textKeys(table, rowAt(name, target)!));
    const { value } = await attempt(accessOf(role), (tx) =>
      tx.query(`delete from ${table.schema}."${name}" where ${text}`, values),
    );
    return value?.rowCount === 1;
  },
};

/** Returns the key columns of a row as PostgreSQL prints them. Times and bytes look different in JSON. */
async function textKeys(table: (typeof tables)[number], row: Row): Promise<Row> {
  const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
    tx.query(
      `select ${table.key.map((column) => `r."${column}"::text as "${column}"`).join(', ')}
       from jsonb_populate_record(null::${table.schema}."${table.name}", $1::jsonb) r`,
      [JSON.stringify(row)],
    ),
  );
  return rows[0]!;
}

describe('tenancy matrix', () => {
  test('every table of the database is in the matrix, and every noun of the permissions is a table', () => {
    const names = tables.map(({ name }) => name);
    expect(names.filter((name) => !own.rows[name])).toEqual([]);
    expect(Object.keys(grants).filter((noun) => !names.includes(noun))).toEqual([]);
    expect(
      tables
        .filter(({ schema }) => schema === 'tocsin')
        .map(({ name }) => name)
        .filter((name) => !(name in grants)),
    ).toEqual([]);
  });

  for (const role of roles) {
    for (const verb of ['read', 'create', 'update', 'delete'] as const) {
      test(`${role}: ${verb}`, async () => {
        const differences: string[] = [];
        let tried = 0;
        for (const table of tables) {
          const reach = table.schema === 'tocsin' ? reachOf(role, table.name as Noun, verb) : undefined;
          for (const target of targets) {
            if (!rowAt(table.name, target)) continue;
            tried += 1;
            const can = await tries[verb](table, table.name, role, target);
            const may = covers(reach, role, target, verb);
            if (can !== may)
              differences.push(`${table.name} ${target}: ${can ? 'can' : 'cannot'}, but ${may ? 'may' : 'may not'}`);
          }
        }
        expect(differences).toEqual([]);
        expect(tried).toBeGreaterThan(90);
      });
    }
  }

  test('the matrix detects an open table', async () => {
    // Adds a faulty policy that lets everybody read the sites of every customer.
    await db.migration((tx) =>
      tx.query('create policy planted on tocsin.site for select to tocsin_request using (true)'),
    );
    const site = tables.find(({ name }) => name === 'site')!;
    expect(await tries.read(site, 'site', 'operator', 'foreign')).toBe(true);
    await db.migration((tx) => tx.query('drop policy planted on tocsin.site'));
    expect(await tries.read(site, 'site', 'operator', 'foreign')).toBe(false);
  });

  test('shows nothing without a user, and refuses a missing role on PostgreSQL', async () => {
    const nobody = { role: 'tocsin_request', settings: {} };
    for (const { schema, name } of tables) {
      const { value, refused } = await attempt(nobody, (tx) => tx.query(`select from ${schema}."${name}" limit 1`));
      expect(refused === '42501' || value?.rows.length === 0, name).toBe(true);
    }
    if (db.kind === 'embedded') return;
    for (const { schema, name } of tables.filter(({ name: table }) => table !== 'migration')) {
      const { rows } = await db.migration((tx) => tx.query(`select from ${schema}."${name}" limit 1`));
      expect(rows.length, name).toBe(0);
    }
  });
});
