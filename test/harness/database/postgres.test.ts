import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { findBinary } from '../machine/debian.ts';
import { postgresAvailable, startPostgres } from './postgres.ts';

vi.setConfig({ testTimeout: 60_000 });

describe.skipIf(!postgresAvailable())('the PostgreSQL server for tests', () => {
  test('creates, copies and drops databases for a user who is not a superuser', async () => {
    const server = await startPostgres();
    try {
      await server.createDatabase('first');
      const client = new pg.Client(server.urlFor('first'));
      client.on('error', () => {});
      await client.connect();
      const { rows } = await client.query(
        'select rolname, rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user',
      );
      expect(rows).toEqual([{ rolname: 'tocsin', rolsuper: false, rolcreaterole: true, rolcreatedb: true }]);
      await client.query('create table kept as select 1 as one');

      // An open connection to the template would prevent the copy, so `createDatabase` ends the connection.
      await server.createDatabase('second', 'first');
      const copy = new pg.Client(server.urlFor('second'));
      await copy.connect();
      expect((await copy.query('select * from kept')).rows).toEqual([{ one: 1 }]);
      await copy.end();
      await server.dropDatabase('second');
      await expect(new pg.Client(server.urlFor('second')).connect()).rejects.toMatchObject({ code: '3D000' });
    } finally {
      await server.stop();
    }
  });

  test('stops when the process that started it ends, even if that process is killed', async () => {
    const script = `
      import { startPostgres } from ${JSON.stringify(new URL('./postgres.ts', import.meta.url).href)};
      console.log((await startPostgres()).adminUrl);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', `${script}; setInterval(() => {}, 1000);`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((resolve) =>
      child.stdout.once('data', (data) => resolve(String(data).trim())),
    );
    const client = new pg.Client(url);
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query("select current_setting('data_directory') as folder");
    child.kill('SIGKILL');
    await new Promise((resolve) => client.once('end', resolve));
    await vi.waitUntil(() => !existsSync(rows[0].folder), { timeout: 30_000 });
  });
});

test('finds a program by its name in the search path, or by a pattern', () => {
  expect(findBinary(['no-such-program', 'sh'])).toMatch(/\/sh$/);
  expect(findBinary(['/bin/no-such-*', '/bin/s[h]'])).toBe('/bin/sh');
  expect(findBinary(['no-such-program'])).toBeUndefined();
});
