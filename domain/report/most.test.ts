import { expect, test } from 'vitest';
import { mostTitle, type Offenders } from './most.ts';

test.each<[keyof Offenders, Offenders | undefined, string]>([
  ['sites', undefined, 'Sites with the most alarms'],
  ['sites', { sites: 10, rules: 12 }, 'Sites with the most alarms'],
  ['rules', { sites: 10, rules: 12 }, 'Rules with the most alarms: 10 of 12'],
  ['sites', { sites: 1038, rules: 73 }, 'Sites with the most alarms: 10 of 1,038'],
  ['rules', { sites: 1038, rules: 73 }, 'Rules with the most alarms: 10 of 73'],
])('%s of %j are called %s', (kind, all, title) => expect(mostTitle(kind, all, 'en')).toBe(title));
