import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedFolder } from '../harness/database/embedded.ts';
import { postgresAvailable, type TestPostgres, testPostgres } from '../harness/database/postgres.ts';
import { type Ended, runProduct, startProduct } from '../harness/server/product.ts';

const folder = await embeddedFolder('migrated');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (settings: Record<string, string>) =>
  runProduct(['server/main.ts'], { TOCSIN_DATA_DIR: folder, TOCSIN_DEMO: 'off', PORT: '0', ...settings });

/** Starts only the gateway role. It starts fastest, because it needs no API schema. */
const quick = { TOCSIN_ROLES: 'gateway' };

/** Expects exit code 1 and exactly one line of output, which states what to do. */
function expectOneLine({ code, output }: Ended, says: RegExp): void {
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('info '));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(says);
  expect(output).not.toMatch(/\n\s+at /);
  expect(code).toBe(1);
}

function occupy(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, 'localhost', () => resolve(server));
  });
}

describe('a start that cannot succeed says what to do', () => {
  test.each([
    [{ PORT: 'eighty' }, /PORT must be a port number.*eighty/],
    [{ TOCSIN_DEMO: 'perhaps' }, /TOCSIN_DEMO must be on or off/],
    [
      { TOCSIN_ROLES: 'web,cook' },
      /TOCSIN_ROLES must list roles: web, gateway, evaluator, engine\. "cook" is not a role/,
    ],
    [{ SMTP_URL: 'mail.example.com' }, /SMTP_URL must look like/],
    [{ DATABASE_URL: 'mysql://localhost/x' }, /DATABASE_URL must look like postgres:/],
    [{ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' }, /127\.0\.0\.1/],
    [{ TOCSIN_DATA_DIR: '/proc/tocsin' }, /TOCSIN_DATA_DIR|folder/],
  ])('%o', async (settings, says) => {
    const ended = await start(settings as Record<string, string>);
    expectOneLine(ended, says);
    expect(ended.output).not.toContain('secret');
  });

  test('names a configured port that is in use', async () => {
    const server = await occupy(0);
    const { port } = server!.address() as { port: number };
    expectOneLine(await start({ ...quick, PORT: String(port) }), new RegExp(`Port ${port} is in use`));
    server!.close();
  });
});

describe('a default port that is taken', () => {
  test('is replaced by the next free one, and the start says so', async () => {
    const server = await occupy(8080);
    const product = await startProduct({ ...quick, PORT: '', TOCSIN_DATA_DIR: folder, TOCSIN_DEMO: 'off' }, '/healthz');
    expect(product.url).not.toBe('http://localhost:8080');
    expect(product.output()).toMatch(/port 8080 is in use, so PORT is \d+/);
    await product.stop();
    server?.close();
  });
});

describe.skipIf(!postgresAvailable())('on PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await testPostgres();
  });
  afterAll(() => postgres?.stop());

  test('a superuser is refused, because row level security would not bind it', async () => {
    const ended = await start({ DATABASE_URL: postgres.adminUrl });
    expectOneLine(ended, /bypasses row level security.*create role tocsin login createrole/);
  });

  test('a database from a newer version is refused', async () => {
    await postgres.createDatabase('tocsin_newer');
    const url = postgres.urlFor('tocsin_newer');
    expect((await runProduct(['server/cli/migrate.ts'], { DATABASE_URL: url })).code).toBe(0);
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      "insert into tocsin_private.migration (name, checksum, version, applied_at) values ('9999_future.sql', 'x', '99', now())",
    );
    await client.end();
    expectOneLine(await start({ DATABASE_URL: url }), /newer version of Tocsin/);
    await postgres.dropDatabase('tocsin_newer');
  });
});
