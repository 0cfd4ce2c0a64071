import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CompiledConditions, compileConditions, conditionLimits } from './conditions.ts';
import { operatorNames } from './conditions-tree.ts';
import { conditionsWords } from './conditions-words.ts';

const LEVEL = '11111111-1111-4111-8111-111111111111';
const PUMP = '22222222-2222-4222-8222-222222222222';
const FLOW = '33333333-3333-4333-8333-333333333333';

const event = { type: 'alarm' };
const high = { fact: LEVEL, operator: 'greaterThan', value: 3.4 };
const stands = { fact: PUMP, operator: 'equal', value: 0 };
const noFlow = { fact: FLOW, operator: 'lessThan', value: 0.5 };

function compiled(rule: unknown): CompiledConditions {
  const result = compileConditions(JSON.stringify(rule));
  if (!result.ok) throw new Error(result.sentence);
  return result.rule;
}

function refusal(rule: unknown): string {
  const result = compileConditions(typeof rule === 'string' ? rule : JSON.stringify(rule));
  if (result.ok) throw new Error('The rule was accepted.');
  return result.sentence;
}

const values = (known: Record<string, number>) => (uuid: string) => known[uuid];

describe('a multi-condition rule', () => {
  test('holds if the level rises while the pump is stopped', () => {
    const rule = compiled({ conditions: { all: [high, stands] }, event });
    expect(rule.holds(values({ [LEVEL]: 3.5, [PUMP]: 0 }))).toBe(true);
    expect(rule.holds(values({ [LEVEL]: 3.5, [PUMP]: 1 }))).toBe(false);
    expect(rule.holds(values({ [LEVEL]: 3.4, [PUMP]: 0 }))).toBe(false);
  });

  test('holds if the pump is stopped or nothing flows', () => {
    const rule = compiled({ conditions: { any: [stands, noFlow] }, event });
    expect(rule.holds(values({ [PUMP]: 1, [FLOW]: 0 }))).toBe(true);
    expect(rule.holds(values({ [PUMP]: 0, [FLOW]: 9 }))).toBe(true);
    expect(rule.holds(values({ [PUMP]: 1, [FLOW]: 9 }))).toBe(false);
  });

  test('evaluates nested groups', () => {
    const rule = compiled({ conditions: { all: [high, { not: { any: [{ not: stands }, { not: noFlow }] } }] }, event });
    expect(rule.holds(values({ [LEVEL]: 4, [PUMP]: 0, [FLOW]: 0 }))).toBe(true);
    expect(rule.holds(values({ [LEVEL]: 4, [PUMP]: 0, [FLOW]: 1 }))).toBe(false);
    expect(rule.holds(values({ [LEVEL]: 4, [PUMP]: 1, [FLOW]: 0 }))).toBe(false);
  });

  test.each([
    ['equal', 5, [5], [4, 6]],
    ['notEqual', 5, [4, 6], [5]],
    ['lessThan', 5, [4.9], [5, 6]],
    ['lessThanInclusive', 5, [4, 5], [5.1]],
    ['greaterThan', 5, [5.1], [5, 4]],
    ['greaterThanInclusive', 5, [5, 6], [4.9]],
    ['in', [1, 2], [1, 2], [0, 3]],
    ['notIn', [1, 2], [0, 3], [1, 2]],
  ] as const)('%s %j, and its opposite under not', (operator, value, yes, no) => {
    const comparison = { fact: LEVEL, operator, value };
    const rule = compiled({ conditions: { all: [comparison] }, event });
    const opposite = compiled({ conditions: { not: comparison }, event });
    for (const reading of yes) {
      expect(rule.holds(() => reading)).toBe(true);
      expect(opposite.holds(() => reading)).toBe(false);
    }
    for (const reading of no) {
      expect(rule.holds(() => reading)).toBe(false);
      expect(opposite.holds(() => reading)).toBe(true);
    }
  });

  test.each(operatorNames)('is false for an unknown value, with %s and under not', (operator) => {
    const value = operator === 'in' || operator === 'notIn' ? [1] : 1;
    const comparison = { fact: LEVEL, operator, value };
    for (const conditions of [{ all: [comparison] }, { not: comparison }, { not: { not: comparison } }]) {
      const rule = compiled({ conditions, event });
      expect(rule.holds(() => undefined)).toBe(false);
      expect(rule.holds(() => Number.NaN)).toBe(false);
    }
  });

  test('can hold although some values are unknown', () => {
    const rule = compiled({ conditions: { any: [stands, { not: high }] }, event });
    expect(rule.holds(values({ [PUMP]: 0 }))).toBe(true);
    expect(rule.holds(values({ [PUMP]: 1 }))).toBe(false);
    expect(rule.holds(values({ [LEVEL]: 1 }))).toBe(true);
  });

  test('lists its data points once each, in lower case', () => {
    const shouted = { ...stands, fact: 'AAAAAAAA-2222-4222-8222-22222222222A' };
    const rule = compiled({ conditions: { all: [high, shouted, { any: [high, noFlow] }] }, event });
    expect(rule.datapoints).toEqual([LEVEL, shouted.fact.toLowerCase(), FLOW]);
    expect(rule.holds(values({ [LEVEL]: 4, [shouted.fact.toLowerCase()]: 0 }))).toBe(true);
  });

  test('reads message, priority and debounce from the event', () => {
    const params = { message: '{site} rises', priority: 'critical', debounce: 90 };
    expect(compiled({ conditions: { all: [high] }, event: { type: 'alarm', params } })).toMatchObject({
      message: '{site} rises',
      priority: 'critical',
      holdMs: 90_000,
    });
    expect(compiled({ conditions: { all: [high] }, event })).toMatchObject({
      message: '',
      priority: 'medium',
      holdMs: 0,
    });
  });

  test.each([
    ['critical', 'critical'],
    ['major', 'high'],
    ['minor', 'medium'],
  ])('reads the severity %s of older rules as the priority %s', (severity, priority) => {
    const rule = {
      name: 'x',
      priority: 2,
      conditions: { all: [high] },
      event: { type: 'alarm', params: { severity } },
    };
    expect(compiled(rule).priority).toBe(priority);
  });

  test.each([
    [{ all: [high, stands] }, `${LEVEL} is above 3.4 and ${PUMP} is 0`],
    [{ any: [high, { all: [stands, noFlow] }] }, `${LEVEL} is above 3.4 or (${PUMP} is 0 and ${FLOW} is below 0.5)`],
    [{ not: { all: [high, stands] } }, `${LEVEL} is at most 3.4 or ${PUMP} is not 0`],
    [{ all: [{ any: [{ any: [{ ...stands, operator: 'in', value: [1, 2] }] }] }] }, `${PUMP} is one of 1, 2`],
    [{ all: [{ all: [high, stands] }, noFlow] }, `${LEVEL} is above 3.4 and ${PUMP} is 0 and ${FLOW} is below 0.5`],
    [
      { all: [{ any: [{ any: [high, stands] }] }, noFlow] },
      `(${LEVEL} is above 3.4 or ${PUMP} is 0) and ${FLOW} is below 0.5`,
    ],
  ])('writes %j as text', (conditions, words) => {
    expect(conditionsWords(compiled({ conditions, event }).tree, (name) => ({ name }))).toBe(words);
  });
});

describe('refuses an invalid rule and names the place', () => {
  const inAll = (...parts: unknown[]) => ({ conditions: { all: parts }, event });
  const withParams = (params: unknown) => ({ conditions: { all: [high] }, event: { type: 'alarm', params } });
  let deep: unknown = high;
  for (let level = 0; level < conditionLimits.depth; level += 1) deep = { all: [deep] };

  test.each<[unknown, RegExp]>([
    ['{"conditions": {', /^The rule is not valid JSON\. Check its brackets/],
    ['{"conditions": {} x', /near character 19\.$/],
    ['[]', /^The rule is not a JSON object/],
    ['null', /^The rule is not a JSON object/],
    [{ event }, /^conditions is missing\./],
    [{ conditions: [], event }, /^conditions is a list\./],
    [{ conditions: high, event }, /^conditions has no "all", "any" or "not"/],
    [{ conditions: { condition: 'shared' }, event }, /^conditions has no "all"/],
    [{ conditions: { all: [high], any: [stands] }, event }, /^conditions has both "all" and "any"/],
    [{ conditions: { all: [] }, event }, /^conditions\.all is empty/],
    [{ conditions: { any: high }, event }, /^conditions\.any is an object/],
    [{ conditions: { all: [high], fact: LEVEL }, event }, /^conditions has the unknown key "fact" beside "all"/],
    [inAll(high, 'level'), /^conditions\.all\[1\] is "level"/],
    [inAll({ not: null }), /^conditions\.all\[0\]\.not is null/],
    [inAll({ ...high, fact: 'level' }), /^conditions\.all\[0\]\.fact is "level"\. Use the uuid/],
    [inAll({ operator: 'equal', value: 1 }), /^conditions\.all\[0\]\.fact is missing/],
    [
      inAll(high, { ...high, operator: 'contains' }),
      /^conditions\.all\[1\]\.operator is "contains"\. Use one of equal,/,
    ],
    [inAll({ ...high, operator: 'toString' }), /^conditions\.all\[0\]\.operator is "toString"/],
    [inAll({ ...high, value: '3.4' }), /^conditions\.all\[0\]\.value is "3\.4"\. Use a number/],
    [inAll({ ...high, value: null }), /^conditions\.all\[0\]\.value is null/],
    [inAll({ ...high, value: true }), /write 1 for on and 0 for off/],
    [inAll({ ...high, value: { fact: PUMP } }), /^conditions\.all\[0\]\.value is another data point/],
    [
      `{"conditions":{"all":[{"fact":"${LEVEL}","operator":"equal","value":1e999}]},"event":{"type":"x"}}`,
      /Use a number/,
    ],
    [inAll({ ...high, operator: 'in', value: 3 }), /^conditions\.all\[0\]\.value is "3"\. Use a list of numbers/],
    [inAll({ ...high, operator: 'in', value: [] }), /^conditions\.all\[0\]\.value is empty/],
    [inAll({ ...high, operator: 'notIn', value: [1, 'x'] }), /^conditions\.all\[0\]\.value\[1\] is "x"/],
    [inAll({ ...high, path: '$.x' }), /^conditions\.all\[0\] has "path"/],
    [inAll(...Array(conditionLimits.comparisons + 1).fill(high)), /more than 50 comparisons/],
    [inAll(deep), /^conditions(\.all\[0\]){8} is nested more than 8 levels deep/],
    [{ conditions: { all: [high] } }, /^event is missing/],
    [{ conditions: { all: [high] }, event: {} }, /^event\.type is missing/],
    [{ conditions: { all: [high] }, event: { type: 'x', debounce: 5 } }, /^event has "debounce"/],
    [{ conditions: { all: [high] }, event, debounce: 5 }, /^The rule has "debounce".*event\.params/],
    [{ conditions: { all: [high] }, event, priority: 'high' }, /^priority is "high"\. .*event\.params\.priority/],
    [withParams([]), /^event\.params is a list/],
    [withParams({ debouce: 5 }), /^event\.params has "debouce"/],
    [withParams({ message: 5 }), /^event\.params\.message is "5"/],
    [withParams({ message: 'x'.repeat(501) }), /^event\.params\.message is 501 characters long/],
    [withParams({ debounce: -1 }), /^event\.params\.debounce is "-1"/],
    [withParams({ debounce: 1.5 }), /^event\.params\.debounce is "1\.5"/],
    [withParams({ debounce: '60' }), /^event\.params\.debounce is "60"\. Enter a whole number of seconds/],
    [withParams({ debounce: 604_801 }), /\(one week\)/],
    [
      withParams({ priority: 'urgent' }),
      /^event\.params\.priority is "urgent"\. Use one of low, medium, high, critical/,
    ],
    [withParams({ severity: 'silent' }), /^event\.params\.severity is "silent"/],
    [`${' '.repeat(conditionLimits.text)}{}`, /^The rule is 65538 characters long/],
  ])('%j', (rule, sentence) => {
    expect(refusal(rule)).toMatch(sentence);
  });

  test('accepts the maximum number and depth of comparisons', () => {
    compiled(inAll(...Array(conditionLimits.comparisons).fill(high)));
    compiled({ conditions: deep, event });
  });

  test('returns a rule or a sentence for any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const result = compileConditions(json);
        expect(result.ok || result.sentence !== '').toBe(true);
      }),
    );
  });
});
