import { expect, test } from 'vitest';
import { priorityName, priorityOf, ruleSeverities, severityOf } from './priority.ts';

test.each([
  ['low', false, 'minor'],
  ['medium', false, 'minor'],
  ['high', false, 'major'],
  ['critical', false, 'critical'],
  ['low', true, 'major'],
  ['medium', true, 'major'],
  ['high', true, 'major'],
  ['critical', true, 'critical'],
] as const)('priority %s, major channel %s: %s', (priority, channelMajor, severity) => {
  expect(severityOf(priority, channelMajor)).toBe(severity);
});

test('stores every rule severity as a priority that maps back to the same severity', () => {
  for (const severity of ruleSeverities) expect(severityOf(priorityOf(severity))).toBe(severity);
});

test.each([
  ['critical', 'Critical'],
  ['high', 'Major'],
  ['medium', 'Minor'],
  ['low', 'Minor'],
])('shows the priority %s as %s', (priority, name) => {
  expect(priorityName(priority)).toBe(name);
});
