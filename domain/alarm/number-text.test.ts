import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainNumber } from './number-text.ts';

test.each([
  [0, '0'],
  [-0, '0'],
  [8, '8'],
  [100, '100'],
  [-2.5, '-2.5'],
  [0.1 + 0.2, '0.3'],
  [20.25, '20.25'],
  [1234.56789123, '1234.567891'],
  [0.00001234567, '0.0000123457'],
  [1e-7, '0.0000001'],
  [0.9999999, '1'],
  [-0.9999999, '-1'],
  [5.55e-17, '0'],
  [-5.55e-17, '0'],
  [123_456_789_012_345, '123456789012345'],
  [Number.NaN, ''],
  [Number.POSITIVE_INFINITY, ''],
])('writes %d as %j', (value, text) => {
  expect(plainNumber(value)).toBe(text);
});

test('has no exponent or trailing zero, and equals the number up to its last decimal', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e14, max: 1e14, noNaN: true }), (value) => {
      const text = plainNumber(value);
      expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/);
      expect(text).not.toBe('-0');
      const most = Math.abs(value) >= 1 ? 5e-7 + Math.abs(value) * 2e-16 : Math.max(1e-15, Math.abs(value) * 5.01e-6);
      expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(most);
    }),
  );
});
