import { expect, test } from 'vitest';
import type { RuleRow } from '../rule.queries.ts';
import { debounceProblem } from '../rule-form.ts';
import { changeIn, nothingCommon, nowOf, unitsOf, unitWords } from './bulk-change.ts';

const rule = (more: Partial<RuleRow>, unit = 'm') =>
  ({ priority: 'medium', debounce: 0, ...more, datapoint: { tocsinDatapointName: 'Level', uom: unit } }) as RuleRow;

test('omits empty fields, and keeps zero', () => {
  expect(changeIn(nothingCommon)).toEqual({});
  expect(changeIn({ ...nothingCommon, debounce: 0, priority: 'high', valueLower: '-', clearUpper: '3.5' })).toEqual({
    debounce: 0,
    priority: 'high',
    clearUpper: 3.5,
  });
});

test('removes a limit only on request', () => {
  expect(changeIn({ ...nothingCommon, valueLower: null, clearLower: '' })).toEqual({ valueLower: null });
});

test('accepts a debounce of whole seconds up to a week', () => {
  expect(debounceProblem(604_800)).toBeNull();
  for (const debounce of [-1, 1.5, 604_801]) {
    expect(debounceProblem(debounce)).toMatch(/^Enter a whole number of seconds/);
  }
});

test('sums up the current values, most frequent first', () => {
  const rules = [
    rule({ debounce: 300, priority: 'high', valueUpper: null }),
    rule({ valueUpper: -4.5 }),
    rule({ valueUpper: -4.5 }),
  ];
  expect(nowOf(rules, 'debounce')).toBe('Current values: at once (2×), 5 min (1×).');
  expect(nowOf(rules, 'priority')).toBe('Current values: minor (2×), major (1×).');
  expect(nowOf(rules, 'valueUpper')).toBe('Current values: \u22124.5 (2×), none (1×).');
});

test('lists each unit once, including none', () => {
  expect(unitsOf([rule({}), rule({}), rule({}, '°C'), rule({}, '')])).toEqual(['', 'm', '°C']);
  expect(unitWords(['', 'm', '°C'])).toBe('no unit, m and °C');
  expect(unitWords(['m'])).toBe('m');
});
