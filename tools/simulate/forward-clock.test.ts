import { expect, test } from 'vitest';
import { forwardClock } from './forward-clock.ts';

test('continues when the machine clock is set back, and follows it forward', () => {
  let [wall, steady] = [1_000_000, 0];
  const now = forwardClock(
    () => wall,
    () => steady,
  );
  const pass = (milliseconds: number, step = 0) => {
    steady += milliseconds;
    wall += milliseconds + step;
    return now();
  };
  expect(pass(1000)).toBe(1_001_000);
  expect(pass(1000, -1_800_000)).toBe(1_002_000);
  expect(pass(1000)).toBe(1_003_000);
  expect(pass(1000, 1_800_000)).toBe(1_004_000);
  expect(pass(1000, 7_200_000)).toBe(8_205_000);
});
