import { describe, expect, test } from 'vitest';
import { compileConditions } from '../../../domain/rule/conditions.ts';
import { byUse } from './alert/rule-alert-form.ts';
import { draftOf, gapIn, gapsOfComparison, jsonOf, newDraft } from './conditions/condition-tree.ts';
import { roundedStep, valueRange } from './history/chart-scale.ts';
import { countByDay } from './history/day-counts.ts';
import { againWhileNothing, shownMeanwhile } from './history/history.queries.ts';
import { limitProblems, newRule, previewOf, ruleProblems, usableLimits } from './rule-form.ts';
import { durationWords, ruleSentence, ruleSummary } from './rule-sentence.ts';

const limits = { valueLower: null, valueUpper: 100, clearLower: null, clearUpper: null, debounce: 300, enabled: true };

describe('a rule as a sentence', () => {
  test('says how long the value must stay outside, and when it resolves', () => {
    const { before, condition, after } = ruleSentence('Bearing', limits, '°C', 'en') ?? {
      before: '',
      condition: '',
      after: '',
    };
    expect(before + condition + after).toBe(
      'Opens when Bearing stays above 100\u00a0°C for 5 minutes, and resolves automatically after 5 minutes within limits.',
    );
  });
  test('names a clear limit, and opens at once without a debounce', () => {
    const sentence = ruleSentence('', { ...limits, clearUpper: 90, debounce: 0 }, '', 'en');
    expect(sentence?.before).toBe('Opens as soon as the value is ');
    expect(sentence?.after).toBe(', and resolves automatically as soon as it is at 90 or less.');
  });
  test('clears between both limits, even if only one has a clear limit', () => {
    const sentence = ruleSentence('Bearing', { ...limits, valueLower: 2, clearUpper: 90 }, '°C', 'en');
    expect(sentence?.after).toBe(', and resolves automatically after 5 minutes between 2 and 90\u00a0°C.');
  });
  test('says what it would do while it is disabled', () => {
    const sentence = ruleSentence('Bearing', { ...limits, enabled: false }, '°C', 'en');
    expect(sentence?.before).toBe('The rule is disabled. It would open when Bearing stays ');
    expect(sentence?.after).toBe(', and resolve automatically after 5 minutes within limits.');
  });
  test('is null without a limit', () => expect(ruleSentence('', { ...limits, valueUpper: null }, '')).toBeNull());
  test.each([
    [{}, 'Set at least one limit.'],
    [
      { valueUpper: 4 },
      'Opens as soon as Level is above 4, and resolves automatically as soon as it is within limits.',
    ],
    [{ valueLower: 9, valueUpper: 4 }, 'Upper limit: The lower limit must be below the upper limit.'],
    [{ valueUpper: 4, clearUpper: 5 }, 'Clears below: Enter the upper limit or a lower value.'],
    [{ valueUpper: '5x0' }, 'Upper limit: Enter a number, such as 1250 or 4.2.'],
    [{ valueUpper: 4, debounce: '' }, 'Debounce: Enter the number of seconds, or 0 for no debounce.'],
  ])('%o has the summary %s', (typed, words) => {
    const { before, condition, after } = ruleSummary('Level', { ...newRule('point'), ...typed }, '', 'en');
    expect(before + condition + after).toBe(words);
  });
  test.each([
    [0, ''],
    [61, '1 minute 1 second'],
    [5400, '1 hour 30 minutes'],
    [172_800, '2 days'],
  ])('%d seconds are %j', (seconds, words) => expect(durationWords(seconds)).toBe(words));
});

test.each([
  [{ valueUpper: null }, 'valueUpper'],
  [{ valueLower: 100 }, 'valueUpper'],
  [{ clearLower: 3 }, 'clearLower'],
  [{ clearUpper: 101 }, 'clearUpper'],
  [{ valueLower: 0, clearLower: 60, clearUpper: 40 }, 'clearUpper'],
  [{ debounce: 0.5 }, 'debounce'],
  [{ debounce: 604_801 }, 'debounce'],
])('%o has an error at %s', (change, field) => {
  expect(Object.keys(limitProblems({ ...limits, ...change }))).toEqual([field]);
});
test('compares a clear limit with the existing limits', () => {
  const upper = { ...limits, valueLower: null, valueUpper: 8, clearUpper: 9 };
  expect(limitProblems(upper).clearUpper).toBe('Enter the upper limit or a lower value.');
  expect(limitProblems({ ...upper, valueLower: 2 }).clearUpper).toBe('Enter a value between the limits.');
});

test.each([
  [{ debounce: '' }, { debounce: 'Enter the number of seconds, or 0 for no debounce.' }],
  [{ debounce: '5x0' }, { debounce: 'Enter a whole number of seconds from 0 to 604800 (one week).' }],
  [{ debounce: 2.5 }, { debounce: 'Enter a whole number of seconds from 0 to 604800 (one week).' }],
  [{ valueLower: '5x0' }, { valueLower: 'Enter a number, such as 1250 or 4.2.' }],
  [{ valueUpper: '5x0', clearUpper: 3 }, { valueUpper: 'Enter a number, such as 1250 or 4.2.' }],
])('%o cannot be simulated or saved, because it is not a number', (typed, problems) => {
  const values = { ...newRule('point'), name: 'Level', valueUpper: 4, ...typed };
  expect(ruleProblems(values)).toEqual(problems);
  expect(usableLimits(values)).toBeNull();
});

test('returns no problem for valid limits', () => expect(limitProblems({ ...limits, clearUpper: 90 })).toEqual({}));

describe('several conditions', () => {
  const key = '7a2c4a52-3c1e-4b6f-9d7e-0123456789ab';
  const draft = {
    ...newDraft,
    conditions: {
      kind: 'group' as const,
      mode: 'none' as const,
      parts: [{ kind: 'comparison' as const, datapoint: key, operator: 'in' as const, value: '1, 2' }],
    },
  };
  test('survive a round trip through JSON', () => expect(draftOf(jsonOf(draft))).toEqual(draft));
  test('say what is missing', () => {
    expect(gapIn(jsonOf(newDraft))).toBe('Choose the data point of each condition.');
    expect(gapIn(jsonOf(draft))).toBeNull();
    expect(gapIn(jsonOf({ ...draft, debounce: '' }))).toBe('Enter the number of seconds, or 0 for no debounce.');
    expect(draftOf(jsonOf({ ...draft, debounce: '5x0' }))?.debounce).toBe('5x0');
  });
  test.each([
    ['equal', '4.5', null],
    ['equal', '-0.5', null],
    ['equal', '', 'Enter a value to compare with.'],
    ['equal', '5x0', 'Enter a number, such as 1250 or 4.2.'],
    ['equal', '0x10', 'Enter a number, such as 1250 or 4.2.'],
    ['equal', '1, 2', 'Enter a number, such as 1250 or 4.2.'],
    ['in', '1, 2.5', null],
    ['in', ' ', 'Enter a value to compare with.'],
    ['in', '1, ', 'Enter numbers separated by commas, such as 1, 2.5.'],
    ['in', '1, x', 'Enter numbers separated by commas, such as 1, 2.5.'],
  ] as const)('%s with the value %o has the error %s', (operator, value, sentence) => {
    const comparison = { kind: 'comparison', datapoint: key, operator, value } as const;
    expect(gapsOfComparison(comparison)).toEqual({ datapoint: null, value: sentence });
    const json = jsonOf({ ...draft, conditions: { kind: 'group', mode: 'all', parts: [comparison] } });
    expect(gapIn(json)).toBe(sentence && 'Enter the value of each condition.');
    expect(compileConditions(json).ok).toBe(sentence === null);
  });
  test.each(['{', '{"conditions": {"all": []}}', '{"conditions": {"not": {"fact": "x"}}, "event": {"type": "alarm"}}'])(
    'the editor cannot show %s',
    (json) => expect(draftOf(json)).toBeNull(),
  );
});

test("counts alarms by the plant's days, also across a clock change", () => {
  const days = countByDay(
    ['2026-03-28T23:30:00Z', '2026-03-29T22:30:00Z'],
    '2026-03-28T00:00:00Z',
    '2026-03-31T00:00:00Z',
    'Europe/London',
  );
  expect(days.map(({ key, count }) => [key, count])).toEqual([
    ['2026-03-28', 1],
    ['2026-03-29', 1],
    ['2026-03-30', 0],
    ['2026-03-31', 0],
  ]);
});

test('sorts reasons by use', () => {
  expect(byUse(['A', 'b', 'C'], new Map([['c', 2]])).map(({ reason }) => reason)).toEqual(['C', 'A', 'b']);
});

test('scales the chart to its limits, and moves a dragged limit in round steps', () => {
  expect(valueRange(0, 10, null, 20)).toEqual([-1.6, 21.6]);
  expect(valueRange(null, null, null, null)).toEqual([0, 1]);
  expect(roundedStep(4.23456, 5)).toBe(4.23);
  expect(roundedStep(1234.5, 4000)).toBe(1230);
});

test('keeps the history while another period loads, unless it is empty or of another data point', () => {
  const history = { times: [1], lowest: [2], highest: [2], means: [2], raw: true };
  expect(shownMeanwhile(history, true)).toBe(history);
  expect(shownMeanwhile(history, false)).toBeUndefined();
  expect(shownMeanwhile({ ...history, times: [] }, true)).toBeUndefined();
});

test('polls only while there are no readings', () => {
  expect(againWhileNothing(0)).toBeGreaterThan(0);
  expect(againWhileNothing(1)).toBe(false);
  expect(againWhileNothing(undefined)).toBe(false);
});

describe('the preview of the SMS', () => {
  const preview = (valueUpper: number | '') =>
    previewOf({ ...newRule(null), valueUpper, message: '{datapoint} is {value} {unit}' }, null, new Date(0), 'UTC')
      .text;

  test('has no text while no limit is set, because the value would be missing', () => {
    expect(preview('')).toBeNull();
    expect(preview(4)).toContain('data point is 4.4');
  });
});
