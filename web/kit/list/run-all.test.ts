import { expect, test } from 'vitest';
import { ApiError } from '../../api/http.ts';
import { runAll, runTogether } from './run-all.ts';

test('acts on all items, a few at a time, and lists failures with reasons', async () => {
  let running = 0;
  let most = 0;
  const progress: number[] = [];
  const outcome = await runAll(
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
    async (item) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      if (item === 3) throw new ApiError(400, 'Choose another ID.');
    },
    (finished) => progress.push(finished),
  );
  expect(outcome.done.sort()).toEqual([1, 2, 4, 5, 6, 7, 8, 9]);
  expect(outcome.failed).toEqual([{ item: 3, problem: 'Choose another ID.' }]);
  expect(most).toBe(4);
  expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('finishes at once without items', async () => {
  expect(await runAll([], () => Promise.reject(new Error('never')))).toEqual({ done: [], failed: [] });
});

test('changes all items in one call, or none if the call fails', async () => {
  const items = [1, 2];
  const changed = await runTogether(items, () => Promise.resolve(1));
  expect(changed).toEqual({ changed: 1, done: items, failed: [], refused: null });
  const refuse = () => Promise.reject(new ApiError(400, 'The second is in the way.'));
  const refused = await runTogether(items, refuse);
  expect(refused).toEqual({ changed: 0, done: [], failed: [], refused: 'The second is in the way.' });
});
