import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scale } from '../frame/scale.ts';
import { compileConditions } from './conditions.ts';
import type { Tree } from './conditions-tree.ts';
import { limitsOf, placeState, placeValue } from './limits.ts';
import { breaksRule, type ChannelRule, type TestedChannel, testValueFor } from './test-value.ts';

const plain = { factor: 1, offset: 0, decimals: null };
const high: ChannelRule = { kind: 'limits', name: 'Pressure high', debounce: 60, lower: null, upper: 20 };
const channel: TestedChannel = { number: 3, scaling: plain, isDigital: false, rules: [high] };

const rawFor = (rule: Partial<ChannelRule>, change: Partial<TestedChannel> = {}) =>
  testValueFor([{ ...channel, rules: [{ ...high, ...rule } as ChannelRule], ...change }])?.raw;

function treeOf(conditions: object): Tree {
  const compiled = compileConditions(JSON.stringify({ conditions, event: { type: 'alarm' } }));
  if (!compiled.ok) throw new Error(compiled.sentence);
  return compiled.rule.tree;
}

const LEVEL = '00000000-0000-4000-8000-000000000001';
const FLOW = '00000000-0000-4000-8000-000000000002';
const compare = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });
function conditions(tree: object, flow?: number): ChannelRule {
  const latest = (uuid: string) => (uuid === FLOW ? flow : undefined);
  return { kind: 'conditions', name: 'Both', debounce: 0, tree: treeOf(tree), datapoints: [LEVEL], latest };
}

describe('limits', () => {
  test('proposes a value clearly outside the limits', () => {
    expect(testValueFor([channel])).toEqual({ channel: 3, raw: 22, value: 22, breaks: [high] });
    expect(rawFor({ upper: 80 })).toBe(88);
    expect(rawFor({ upper: 0.5 })).toBe(1.5);
    expect(rawFor({ upper: null, lower: 4 })).toBe(3);
    expect(rawFor({ upper: null, lower: -40 })).toBe(-44);
  });

  test('proposes the value as the device sends it, before factor and offset', () => {
    expect(rawFor({}, { scaling: { ...plain, factor: 0.01 } })).toBe(2200);
    expect(rawFor({}, { scaling: { ...plain, factor: -2, offset: 10 } })).toBe(-6);
    expect(rawFor({ upper: 1.4 }, { scaling: { ...plain, decimals: 0 } })).toBe(2.4);
  });

  test('proposes a value outside the limits, by the same function as live evaluation', () => {
    const number = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    const limit = fc.option(number);
    const factor = fc.oneof(fc.constantFrom(1, -1, 0.01, 0.1), fc.double({ min: 0.001, max: 1000, noNaN: true }));
    const decimals = fc.option(fc.integer({ min: 0, max: 6 }));
    fc.assert(
      fc.property(limit, limit, factor, number, decimals, (one, other, factor, offset, decimals) => {
        fc.pre(one !== null || other !== null);
        const [lower, upper] =
          one !== null && other !== null ? [Math.min(one, other), Math.max(one, other)] : [one, other];
        const scaling = { factor, offset, decimals };
        const raw = rawFor({ kind: 'limits', lower, upper }, { scaling });
        expect(raw).toBeDefined();
        const limits = limitsOf({ lower, upper, clearLower: null, clearUpper: null });
        expect(['above', 'below']).toContain(placeValue(limits, scale(raw ?? Number.NaN, scaling) ?? Number.NaN));
      }),
    );
  });

  test('proposes nothing if no value can break the rule', () => {
    expect(rawFor({ upper: 3.4028235e38 })).toBeUndefined();
    expect(rawFor({ upper: null })).toBeUndefined();
    expect(testValueFor([])).toBeUndefined();
    expect(testValueFor([{ ...channel, rules: [] }])).toBeUndefined();
  });
});

describe('a digital channel', () => {
  const digital = { isDigital: true };

  test.each([0, 1])('proposes the alarm state %i', (alarmCondition) => {
    const raw = rawFor({ kind: 'state', alarmCondition }, digital);
    expect(placeState(alarmCondition, raw ?? Number.NaN)).toBe('alarm');
  });

  test('proposes nothing if neither state is an alarm', () => {
    expect(rawFor({ kind: 'state', alarmCondition: 2 }, digital)).toBeUndefined();
  });

  test('proposes only 1 or 0 for limits', () => {
    expect(rawFor({ upper: 0.5 }, digital)).toBe(1);
    expect(rawFor({ upper: null, lower: 0.5 }, digital)).toBe(0);
    expect(rawFor({ upper: 1 }, digital)).toBeUndefined();
  });
});

describe('conditions', () => {
  test.each([
    ['greaterThan', 5],
    ['greaterThanInclusive', 5],
    ['lessThan', 5],
    ['lessThanInclusive', 5],
    ['equal', 5],
    ['notEqual', 5],
    ['in', [4, 7]],
    ['notIn', [4, 7]],
  ])('proposes a value for %s %j', (operator, value) => {
    const rule = conditions({ all: [compare(LEVEL, operator, value)] });
    const proposed = testValueFor([{ ...channel, rules: [rule] }]);
    expect(breaksRule(rule, proposed?.value ?? Number.NaN)).toBe(true);
  });

  test('uses the latest values of the other data points', () => {
    const both = { all: [compare(LEVEL, 'greaterThan', 5), compare(FLOW, 'lessThan', 1)] };
    expect(testValueFor([{ ...channel, rules: [conditions(both, 0)] }])?.raw).toBe(6);
    expect(testValueFor([{ ...channel, rules: [conditions(both, 3)] }])).toBeUndefined();
    expect(testValueFor([{ ...channel, rules: [conditions(both)] }])).toBeUndefined();
  });

  test('proposes a value whenever some value makes the conditions true', () => {
    const bound = fc.integer({ min: -5, max: 5 });
    const operator = fc.constantFrom('equal', 'notEqual', 'lessThan', 'lessThanInclusive', 'greaterThan');
    const group = fc.record({
      kind: fc.constantFrom('all', 'any', 'not'),
      parts: fc.array(fc.tuple(operator, bound), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(group, ({ kind, parts }) => {
        const compared = parts.map(([name, value]) => compare(LEVEL, name, value));
        const rule = conditions(kind === 'not' ? { not: { all: compared } } : { [kind]: compared });
        const isPossible = Array.from({ length: 53 }, (_, index) => -6.5 + index / 4).some((v) => breaksRule(rule, v));
        const proposed = testValueFor([{ ...channel, rules: [rule] }]);
        expect(proposed !== undefined).toBe(isPossible);
        if (proposed) expect(breaksRule(rule, proposed.value)).toBe(true);
      }),
    );
  });
});

describe('several rules', () => {
  const highHigh: ChannelRule = { ...high, name: 'Pressure very high', upper: 21, debounce: 300 };
  const low: ChannelRule = { ...high, name: 'Pressure low', lower: 1, upper: null, debounce: 0 };

  test('names every rule that the value breaks', () => {
    expect(testValueFor([{ ...channel, rules: [highHigh, high] }])?.breaks).toEqual([high, highHigh]);
  });

  test('prefers the named rule, then the shortest debounce', () => {
    const channels = [{ ...channel, rules: [high, low] }];
    expect(testValueFor(channels)?.breaks).toEqual([low]);
    expect(testValueFor(channels, 'Pressure high')?.breaks).toEqual([high]);
  });

  test('skips a rule that no value can break', () => {
    const never: ChannelRule = { ...low, lower: null };
    expect(testValueFor([{ ...channel, rules: [never, high] }])?.raw).toBe(22);
  });
});
