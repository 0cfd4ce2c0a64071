import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scale } from './scale.ts';

test.each([
  [20.5, 1, 0, undefined, 20.5],
  [3, 0.1, 0, undefined, 0.30000000000000004],
  [3, 0.1, 0, 1, 0.3],
  [3, 0.1, 0, 10, 0.3],
  [1.005, 1, 0, 2, 1.01],
  [-1.005, 1, 0, 2, -1.01],
  [2.5, 1, 0, 0, 3],
  [-2.5, 1, 0, 0, -3],
  [0.4, -1, 0, 0, 0],
  [4095, 0.0244140625, -50, 2, 49.98],
  [1e15, 1, 0, 10, 1e15],
  [-273.15, 1.8, 32, 2, -459.67],
  [3.4e38, 1, 0, 2, 3.4e38],
  [1e30, 1e12, 0, 2, undefined],
  [-1e30, 1e12, 0, 2, undefined],
  [Number.POSITIVE_INFINITY, 1, 0, 2, undefined],
  [Number.NaN, 1, 0, null, undefined],
])('scales %d × %d + %d to %s decimals as %s', (raw, factor, offset, decimals, expected) => {
  expect(scale(raw, { factor, offset, decimals })).toBe(expected);
});

test('returns the nearest number with the given decimals and no more digits', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
      fc.double({ noNaN: true, min: -1000, max: 1000 }),
      fc.integer({ min: 0, max: 6 }),
      (raw, offset, decimals) => {
        const result = scale(raw, { factor: 1, offset, decimals }) as number;
        expect(Math.abs(result - (raw + offset))).toBeLessThanOrEqual(0.5 * 10 ** -decimals * (1 + 1e-9) + 1e-9);
        expect(Number(result.toFixed(decimals))).toBe(result);
      },
    ),
  );
});
