import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBinary } from '../harness/machine/debian.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const haproxy = findBinary(['/usr/sbin/haproxy', 'haproxy']);
const configuration = read('tools/cluster/haproxy.cfg');
/** Environment variables that the configuration uses and that have no default. */
const needed = [...new Set([...configuration.matchAll(/"[^"]*\$\{(\w+)\}[^"]*"/g)].map((match) => match[1] as string))];

test('the configuration of HAProxy needs only the addresses of the five servers', () => {
  expect(needed.toSorted()).toEqual([
    ...['POSTGRES_1_HOST', 'POSTGRES_2_HOST', 'TOCSIN_1_HOST', 'TOCSIN_2_HOST', 'TOCSIN_3_HOST'],
  ]);
});

test.each(['compose.yaml', 'docs/scaling.md'])('%s sets what the configuration of HAProxy needs', (path) => {
  const text = read(path);
  expect(needed.filter((name) => !new RegExp(`\\b${name}\\s*[:=]`).test(text))).toEqual([]);
});

test.skipIf(!haproxy)('HAProxy accepts its configuration without a warning', () => {
  const env = Object.fromEntries(needed.map((name) => [name, '127.0.0.1']));
  const output = execFileSync(haproxy as string, ['-c', '-f', join(root, 'tools/cluster/haproxy.cfg')], {
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(output.trim()).toBe('Configuration file is valid');
});

test.each(['Dockerfile', 'tools/cluster/patroni.Dockerfile', 'compose.yaml'])(
  '%s names images with a registry',
  (path) => {
    const images = [...read(path).matchAll(/^(?:FROM|\s+image:) (\S+)/gm)].map((match) => match[1] as string);
    expect(images.filter((image) => !/^[\w-]+(\.[\w-]+)+\//.test(image))).toEqual([]);
  },
);

// `apt install` runs dpkg, which reads the rest of a pasted block as its input, so the commands after `apt install`
// would be lost.
test.each(['docs/scaling.md', 'docs/operating.md'])(
  '%s installs packages outside of blocks with other commands',
  (path) => {
    const blocks = [...read(path).matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1] as string);
    expect(blocks.length).toBeGreaterThan(0);
    expect(blocks.filter((block) => /^apt install [^\n]*\n./m.test(block))).toEqual([]);
  },
);
