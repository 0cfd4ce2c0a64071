import { expect, test } from 'vitest';
import { alarmName, withoutSite } from './alarm-name.ts';

test.each([
  ['Abbey Lane PS: Motor current is 47 A', 'Motor current is 47 A'],
  ['Abbey Lane PS, pump runs dry', 'Pump runs dry'],
  ['Abbey Lane PS - pump runs dry', 'Pump runs dry'],
])('removes the site from the message %j', (message, words) => {
  expect(withoutSite(message, 'Abbey Lane PS')).toBe(words);
});

test.each([
  'Pump runs dry',
  'Abbey Lane PS flooded',
  'Abbey Lane PS',
  'Abbey Lane PS:',
  'Abbey Lane PSX: dry',
  'At Abbey Lane PS: dry',
])('does not change the message %j', (message) => {
  expect(withoutSite(message, 'Abbey Lane PS')).toBe(message);
});

test('leaves the message unchanged for a site without a name', () => {
  expect(withoutSite(': dry', '')).toBe(': dry');
});

test('names the alarm and its site once each', () => {
  const siteName = 'Mill Lane';
  expect(alarmName({ message: 'Mill Lane: level 5 m', siteName })).toBe('Level 5 m, Mill Lane');
  expect(alarmName({ message: 'Level high', siteName })).toBe('Level high, Mill Lane');
});
