import { expect, test } from 'vitest';
import { readSort } from '../order.ts';
import { type AlarmingCounts, rulesTitle, topTitle } from './top-rows.ts';

test.each<[keyof AlarmingCounts, AlarmingCounts | undefined, string, string]>([
  ['sites', undefined, '', 'Sites with the most alarms'],
  ['sites', { sites: 10, rules: 12 }, '', 'Sites with the most alarms'],
  ['sites', { sites: 10, rules: 12 }, 'name', 'Sites with the most alarms'],
  ['rules', { sites: 10, rules: 12 }, '', 'Rules with the most alarms: 10 of 12'],
  ['sites', { sites: 1038, rules: 73 }, '-alarms', 'Sites with the most alarms: 10 of 1,038'],
  ['sites', { sites: 1038, rules: 73 }, '-longest', 'Sites with alarms: the first 10 of 1,038 in this order'],
  ['rules', { sites: 1038, rules: 73 }, 'alarms', 'Rules with alarms: the first 10 of 73 in this order'],
])('titles the %s of %j in the order “%s” as %s', (kind, all, sort, title) =>
  expect(topTitle(kind, all, readSort(sort), 'en')).toBe(title),
);

test.each([
  [0, 'Rules with the most alarms'],
  [1, 'Rules with the most alarms, without 1 alarm of a silent site'],
  [1200, 'Rules with the most alarms, without 1,200 alarms of silent sites'],
])('excludes %d alarms of silent sites from the rules: %s', (silent, title) =>
  expect(rulesTitle(undefined, null, silent, 'en')).toBe(title),
);
