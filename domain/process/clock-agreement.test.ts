import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isClockApart, referenceOffset } from './clock-agreement.ts';

const apart = (own: number, ...others: number[]) => isClockApart({ own, others, wasApart: false });

describe('isClockApart', () => {
  test.each([
    ['a process that agrees with the database', 1500, [90_000], false],
    ['a process ahead of the database and of another process', 90_000, [100], true],
    ['a process behind the database and another process', -90_000, [100], true],
    ['a single process, which nobody could replace', 90_000, [], false],
    ['processes that differ from the database alike, because its clock was set', -3_600_000, [-3_600_100], false],
    [
      'the one process that differs from the others after the database’s clock was set',
      3_690_000,
      [3_600_000, 3_600_050],
      true,
    ],
  ])('returns the correct result for %s', (_who, own, others, expected) => {
    expect(apart(own, ...others)).toBe(expected);
  });

  test('stays true until the difference is below one second', () => {
    expect(isClockApart({ own: 1500, others: [0], wasApart: true })).toBe(true);
    expect(isClockApart({ own: 900, others: [0], wasApart: true })).toBe(false);
  });

  test('never stops every process', () => {
    const offsets = fc.array(fc.integer({ min: -10_000_000, max: 10_000_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(offsets, (all) => {
        const stopped = all.filter((own, index) => apart(own, ...all.toSpliced(index, 1)));
        expect(stopped.length).toBeLessThan(all.length);
      }),
    );
  });

  test('stops all processes whose clocks differ from the working ones by more than 4 s', () => {
    const offsets = fc.array(fc.integer({ min: -20_000, max: 20_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(offsets, (all) => {
        const working = all.filter((own, index) => !apart(own, ...all.toSpliced(index, 1)));
        expect(Math.max(...working) - Math.min(...working)).toBeLessThanOrEqual(4000);
      }),
    );
  });
});

test('referenceOffset is the database’s clock if one process agrees with it', () => {
  expect(referenceOffset([90_000, 5])).toBe(0);
  expect(referenceOffset([90_000])).toBe(90_000);
});
