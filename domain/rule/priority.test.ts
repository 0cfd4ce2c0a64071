import { expect, test } from 'vitest';
import { severityOf } from './priority.ts';

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
