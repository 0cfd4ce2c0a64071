import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
/**
 * Files that may list the severities: the list itself and its copy in the database. Another test checks that the two
 * are identical.
 */
const allowed = ['domain/rule/priority.ts', 'db/logic/plant/dashboard.sql'];

const files = ['domain', 'db', 'server', 'web'].flatMap((tree) =>
  readdirSync(join(root, tree), { recursive: true, encoding: 'utf8' })
    .map((name) => `${tree}/${name}`)
    .filter((name) => /\.(ts|tsx|sql)$/.test(name) && !/\.test\.tsx?$|\.gen\.d\.ts$|migrations/.test(name)),
);
const textOf = (name: string) => readFileSync(join(root, name), 'utf8');

test('lists the severities in one place of the code and one of the database', () => {
  const list = /'critical',\s*'major',\s*'minor'|'critical' \| 'major' \| 'minor'/i;
  expect(files.filter((name) => list.test(textOf(name)) && !allowed.includes(name))).toEqual([]);
});

test('shows no priority beside the severity: the console has one scale', () => {
  const web = files.filter((name) => name.startsWith('web/'));
  expect(web.filter((name) => /['"> ]Priority['"<]|priorityWords/.test(textOf(name)))).toEqual([]);
});
