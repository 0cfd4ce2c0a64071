import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabaseKind } from '../harness/database/database.ts';
import { type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { long } from '../harness/long.ts';
import { scratchFolder } from '../harness/machine/scratch.ts';
import { keepCompiledProduct, type Product, runProduct, signIn, startProduct } from '../harness/server/product.ts';

const folder = scratchFolder('tocsin-survival');
const settings: Record<string, string> = { TOCSIN_DEMO: 'off', TOCSIN_DATA_DIR: join(folder, 'data') };
const email = 'owner@plant.example';
const password = 'a long enough password';
let postgres: TestPostgres | undefined;
/** The running product. Starting the product is slow, so each test continues with the product of the test before it. */
let product: Product;

beforeAll(async () => {
  await keepCompiledProduct();
  if (testDatabaseKind() !== 'postgres') return;
  postgres = await testPostgres();
  await postgres.createDatabase('tocsin_survival');
  settings.DATABASE_URL = postgres.urlFor('tocsin_survival');
});
afterAll(async () => {
  await product?.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  await postgres?.dropDatabase('tocsin_survival');
  await postgres?.stop();
});

async function createSite(product: Product, headers: Record<string, string>, name: string): Promise<boolean> {
  const query = 'mutation ($site: SiteInput!) { createSite(input: { site: $site }) { site { uuid } } }';
  const body = JSON.stringify({ query, variables: { site: { name, siteId: name } } });
  const answer = await fetch(`${product.url}/graphql`, { method: 'POST', headers, body });
  const { data } = (await answer.json()) as { data?: { createSite?: { site?: { uuid: string } } } };
  return data?.createSite?.site !== undefined;
}

async function siteNames(product: Product, headers: Record<string, string>): Promise<string[]> {
  const names: string[] = [];
  for (let offset = 0; ; offset += 500) {
    const query = `{ sites(first: 500, offset: ${offset}, orderBy: [NAME_ASC]) { nodes { name } } }`;
    const answer = await fetch(`${product.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    const { data } = (await answer.json()) as { data: { sites: { nodes: { name: string }[] } } };
    names.push(...data.sites.nodes.map(({ name }) => name));
    if (data.sites.nodes.length < 500) return names;
  }
}

/** Writes with several clients until the server has been killed. Returns the rows that the server confirmed. */
async function writeUntilGone(product: Product, headers: Record<string, string>, round: string): Promise<string[]> {
  const confirmed: string[] = [];
  const side = async (number: number) => {
    for (let count = 0; ; count += 1) {
      const name = `${round}-${number}-${count}`;
      try {
        if (await createSite(product, headers, name)) confirmed.push(name);
        else return;
      } catch {
        return;
      }
    }
  };
  await Promise.all([side(1), side(2), side(3)]);
  return confirmed;
}

describe('a first day without a demo', () => {
  test('has no users, and npm run admin creates the first owner with an activation link that works once', async () => {
    const nobody = await runProduct(['server/cli/admin.ts', '--email', email], settings);
    expect(nobody.code).toBe(1);
    expect(nobody.output).toContain('There is no customer yet');

    const made = await runProduct(['server/cli/admin.ts', '--email', email, '--customer', 'Northmere Water'], settings);
    expect(made.output).toContain('Created the owner owner@plant.example of Northmere Water');
    const link = new URL(/http\S+/.exec(made.output)?.[0] ?? '');

    product = await startProduct(settings);
    const encoded = Buffer.from(password).toString('base64');
    const activate = () =>
      fetch(`${product.url}/api/v1/auth/activate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          uuid: link.searchParams.get('uuid'),
          otp: link.searchParams.get('code'),
          password: encoded,
          cpassword: encoded,
        }),
      });
    expect((await activate()).status).toBe(200);
    expect((await activate()).status).toBe(400);
    await signIn(product.url, email, password);
  });
});

describe('every acknowledged write survives', () => {
  test('a stop by Ctrl-C in the middle of writes', async () => {
    const headers = await signIn(product.url, email, password);
    const writing = writeUntilGone(product, headers, 'stopped');
    await until(async () => (await siteNames(product, headers)).length >= 10);
    expect(await product.stop('SIGINT')).toBe(0);
    const confirmed = await writing;

    product = await startProduct(settings);
    const names = new Set(await siteNames(product, await signIn(product.url, email, password)));
    expect(confirmed.filter((name) => !names.has(name))).toEqual([]);
    expect(confirmed.length).toBeGreaterThanOrEqual(10);
  });

  long('a kill in the middle of writes, and the server is ready again within 10 s', async () => {
    const headers = await signIn(product.url, email, password);
    const writing = writeUntilGone(product, headers, 'killed');
    await until(
      async () => (await siteNames(product, headers)).filter((name) => name.startsWith('killed')).length >= 10,
    );
    await product.stop('SIGKILL');
    const confirmed = await writing;
    expect(confirmed.length).toBeGreaterThan(0);

    const began = performance.now();
    product = await startProduct(settings);
    expect(performance.now() - began, 'milliseconds until ready').toBeLessThan(10_000);
    const names = await siteNames(product, await signIn(product.url, email, password));
    expect(confirmed.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue()));
}
