import { expect, test } from 'vitest';
import { Gate } from './gate.ts';

const limits = { total: 10, perPerson: 6, waiting: 2 };

/** Returns for each promise whether it has resolved by now. */
async function entered(passes: (Promise<() => void> | undefined)[]): Promise<boolean[]> {
  const states = passes.map(() => false);
  for (const [index, pass] of passes.entries()) void pass?.then(() => (states[index] = true));
  await new Promise(setImmediate);
  return states;
}

test('delays work of a user until their running work leaves room for it', async () => {
  const gate = new Gate(limits);
  const first = gate.enter('ann', 4);
  const second = gate.enter('ann', 3);
  const other = gate.enter('bob', 6);
  expect(await entered([first, second, other])).toEqual([true, false, true]);
  (await first)?.();
  expect(await entered([second])).toEqual([true]);
});

test('refuses work if too much work of the same user is waiting', () => {
  const gate = new Gate(limits);
  for (let n = 0; n < 3; n += 1) expect(gate.enter('ann', 6)).toBeDefined();
  expect(gate.enter('ann', 1)).toBeUndefined();
  expect(gate.enter('bob', 1)).toBeDefined();
});

test('runs work above the limits alone', async () => {
  const gate = new Gate(limits);
  const large = gate.enter('ann', 50);
  const small = gate.enter('bob', 1);
  expect(await entered([large, small])).toEqual([true, false]);
  (await large)?.();
  expect(await entered([small])).toEqual([true]);
});

test('runs work in order of arrival when the total is full', async () => {
  const gate = new Gate(limits);
  const running = gate.enter('ann', 6);
  const waiting = gate.enter('bob', 6);
  const later = gate.enter('cay', 4);
  expect(await entered([running, waiting, later])).toEqual([true, false, false]);
  (await running)?.();
  expect(await entered([waiting, later])).toEqual([true, true]);
});
