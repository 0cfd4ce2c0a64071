/** Builds the image of the Dockerfile, and runs it on PostgreSQL. */
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { testDatabaseKind } from '../harness/database/database.ts';
import { testPostgres } from '../harness/database/postgres.ts';
import { isLong, long } from '../harness/long.ts';
import { ContainerEngine, ensureBuildah } from '../harness/machine/container.ts';
import { freePorts } from '../harness/machine/ports.ts';

const root = join(import.meta.dirname, '../..');
const found = isLong ? await ensureBuildah() : { missing: 'The image is tested by npm run test:long.' };
if (isLong && 'missing' in found) console.warn(found.missing);

const engine = new ContainerEngine();
afterAll(() => engine.dispose());

describe.skipIf('missing' in found || testDatabaseKind() === 'embedded')('the image', () => {
  long(
    'builds from a clean install, serves the console as a user without rights, and stops when told',
    {
      timeout: 900_000,
    },
    async () => {
      await engine.makeNodeImage('docker.io/library/node:24-bookworm-slim', join(root, 'node_modules/node/bin/node'));
      await engine.build(root, 'tocsin');

      const postgres = await testPostgres();
      await postgres.createDatabase('tocsin_image');
      const [port, mqttPort, tcpPort] = (await freePorts(3)) as [number, number, number];
      const child = await engine.start('tocsin', {
        ...{ DATABASE_URL: postgres.urlFor('tocsin_image'), TOCSIN_DEMO: 'off', TOCSIN_HOST: '127.0.0.1' },
        ...{ PORT: String(port), MQTT_PORT: String(mqttPort), TCP_PORT: String(tcpPort) },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
      try {
        const url = `http://127.0.0.1:${port}`;
        const statusOf = (path: string) =>
          fetch(`${url}${path}`).then(
            ({ status }) => status,
            () => output,
          );
        await expect.poll(() => statusOf('/readyz'), { timeout: 120_000 }).toBe(200);
        const page = await (await fetch(url)).text();
        const [script] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
        expect(await statusOf(script as string)).toBe(200);
        expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: 'ok' });

        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
        await expect(fetch(url)).rejects.toThrow();
      } finally {
        child.kill('SIGKILL');
        await postgres.dropDatabase('tocsin_image');
        await postgres.stop();
      }
    },
  );
});
