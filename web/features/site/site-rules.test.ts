import { expect, test } from 'vitest';
import { rulesOf } from './site-rules.ts';

const limits = { valueLower: null, valueUpper: 4, asset: { name: 'Well' }, datapoint: { uom: 'm' } };
const [level, pump] = ['5a0c1b7e-0000-4000-8000-000000000001', '5a0c1b7e-0000-4000-8000-000000000002'];
const ruleJson = JSON.stringify({
  conditions: {
    all: [
      { fact: level, operator: 'greaterThan', value: 4 },
      { fact: pump, operator: 'equal', value: 0 },
    ],
  },
  event: { type: 'alarm', params: { priority: 'high' } },
});

test('lists multi-condition rules with the others, each with its text and tab', () => {
  const rules = rulesOf({
    limitRules: [
      { uuid: 'a', name: 'Wet well high', enabled: true, priority: 'medium', ...limits },
      { uuid: 'b', name: 'Dry run', enabled: false, priority: 'medium', ...limits },
    ],
    conditionRules: [{ uuid: 'c', ruleName: 'High and no pump', enabled: true, ruleJson }],
  });
  expect(rules.map(({ name, tab, words }) => [name, tab, words])).toEqual([
    ['Dry run', 'rules', 'Disabled'],
    ['High and no pump', 'conditions', 'Conditions of 2 data points · Major'],
    ['Wet well high', 'rules', 'Well · Above 4\u00a0m · Minor'],
  ]);
});
