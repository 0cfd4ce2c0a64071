import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readKnownFlaky, runFailedAlone } from './second-run.ts';

const root = join(import.meta.dirname, '..');
const failed = (name: string, tests = 1) => ({ name, tests });

test('a file that passes on its second run stays failed unless it is listed as flaky', async () => {
  const files = [failed('test/a.test.ts', 2), failed('test/b.test.ts', 3)];
  const { recovered, notes } = await runFailedAlone(files, ['test/b.test.ts'], async () => true);
  expect(recovered).toBe(3);
  expect(notes).toEqual([
    'Flaky: test/a.test.ts failed together with the other tests but passed alone. Fix it, or list it in test/known-flaky.txt with the reason.',
    'Known flaky: test/b.test.ts failed together with the other tests but passed alone.',
  ]);
});

test('a file that fails twice stays failed even if it is listed as flaky', async () => {
  const outcome = await runFailedAlone([failed('test/a.test.ts')], ['test/a.test.ts'], async () => false);
  expect(outcome).toEqual({ recovered: 0, notes: [] });
});

test('six failed files do not run again', async () => {
  const ran: string[] = [];
  const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => failed(name));
  await runFailedAlone(files, [], async ({ name }) => ran.push(name) > 0);
  expect(ran).toEqual([]);
});

test('the list of known flaky tests ignores comments and names only files that exist', () => {
  expect(readKnownFlaky('# why\n\n test/a.test.ts # reason\n')).toEqual(['test/a.test.ts']);
  const listed = readKnownFlaky(readFileSync(join(root, 'test/known-flaky.txt'), 'utf8'));
  expect(listed.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
