import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clearWords, distanceOut, limitsOf, placeState, placeValue } from './limits.ts';

const cold = limitsOf({ lower: 2, upper: 8, clearLower: 3, clearUpper: 7 });

describe('the position of a value', () => {
  test.each([
    [1.99, 'below'],
    [2, 'between'],
    [2.99, 'between'],
    [3, 'inside'],
    [5, 'inside'],
    [7, 'inside'],
    [7.01, 'between'],
    [8, 'between'],
    [8.01, 'above'],
  ])('is for %d °C with limits 2 and 8 that clear at 3 and 7: %s', (value, position) => {
    expect(placeValue(cold, value)).toBe(position);
  });

  test.each([
    [1.99, 'below'],
    [2, 'inside'],
    [8, 'inside'],
    [8.01, 'above'],
  ])('is for %d °C without clear limits: %s', (value, position) => {
    expect(placeValue(limitsOf({ lower: 2, upper: 8, clearLower: null, clearUpper: null }), value)).toBe(position);
  });

  test('is inside if the limit is missing', () => {
    const upperOnly = limitsOf({ lower: null, upper: 8, clearLower: null, clearUpper: 7 });
    expect(placeValue(upperOnly, -1e300)).toBe('inside');
    expect(placeValue(upperOnly, 7.5)).toBe('between');
    const lowerOnly = limitsOf({ lower: 2, upper: null, clearLower: 3, clearUpper: null });
    expect(placeValue(lowerOnly, 1e300)).toBe('inside');
    expect(placeValue(lowerOnly, 2.5)).toBe('between');
  });

  test('treats a limit of 0 as set', () => {
    const frost = limitsOf({ lower: 0, upper: null, clearLower: null, clearUpper: null });
    expect(placeValue(frost, -0.1)).toBe('below');
    expect(placeValue(frost, 0)).toBe('inside');
    const thaw = limitsOf({ lower: -5, upper: 5, clearLower: 0, clearUpper: 0 });
    expect(placeValue(thaw, 0.1)).toBe('between');
    expect(placeValue(thaw, -0.1)).toBe('between');
    expect(placeValue(thaw, 0)).toBe('inside');
  });
});

describe('a digital channel', () => {
  test.each([
    [0, 0, 'alarm'],
    [0, 1, 'inside'],
    [1, 0, 'inside'],
    [1, 1, 'alarm'],
    [2, 0, 'inside'],
    [2, 1, 'inside'],
  ])('condition %i and state %i: %s', (condition, value, position) => {
    expect(placeState(condition, value)).toBe(position);
  });

  test('treats every value but 0 as the high state', () => {
    expect(placeState(1, 255)).toBe('alarm');
    expect(placeState(0, -1)).toBe('inside');
  });
});

describe('the distance of a value beyond its limits', () => {
  test.each([
    [0, 2],
    [9.5, 1.5],
    [8, 0],
    [5, -3],
    [7, -1],
  ])('of %d °C from 2 to 8 is %d', (value, distance) => {
    expect(distanceOut(cold, value)).toBeCloseTo(distance, 12);
  });

  test('is positive exactly if the value is outside', () => {
    const limit = fc.option(fc.integer({ min: -5, max: 5 }));
    fc.assert(
      fc.property(limit, limit, fc.integer({ min: -7, max: 7 }), (lower, upper, value) => {
        const limits = limitsOf({ lower, upper, clearLower: null, clearUpper: null });
        const out = (lower !== null && value < lower) || (upper !== null && value > upper);
        expect(distanceOut(limits, value) > 0).toBe(out);
        expect(placeValue(limits, value) !== 'inside').toBe(out);
      }),
    );
  });
});

describe('the text of the clear limits', () => {
  test.each([
    [null, 8, null, null, ''],
    [2, null, null, null, ''],
    [2, 8, null, null, ''],
    [2, 8, 2, 8, ''],
    [null, 8, null, 4, 'at 4\u00a0°C or less'],
    [2, null, 3, null, 'at 3\u00a0°C or more'],
    // On a side without a clear limit, the limit itself applies.
    [2, 8, null, 4, 'between 2 and 4\u00a0°C'],
    [2, 8, 3, null, 'between 3 and 8\u00a0°C'],
    [2, 8, 3, 7, 'between 3 and 7\u00a0°C'],
    [2, 8, 5, 5, 'at 5\u00a0°C'],
    [null, 0, null, -1, 'at -1\u00a0°C or less'],
  ])('for limits %j and %j that clear at %j and %j: %j', (lower, upper, clearLower, clearUpper, words) => {
    expect(clearWords({ lower, upper, clearLower, clearUpper }, '°C', String)).toBe(words);
  });

  test('has no unit if the data point has none', () => {
    expect(clearWords({ lower: 2, upper: 8, clearLower: null, clearUpper: 4 }, '', String)).toBe('between 2 and 4');
  });
});
