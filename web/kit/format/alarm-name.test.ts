import { expect, test } from 'vitest';
import { alarmName, withoutSite } from './alarm-name.ts';

test.each([
  ['Abbey Lane PS: Motor current is 47 A', 'Motor current is 47 A'],
  ['Abbey Lane PS, pump runs dry', 'Pump runs dry'],
  ['Abbey Lane PS - pump runs dry', 'Pump runs dry'],
])('%s says the site once', (message, words) => {
  expect(withoutSite(message, 'Abbey Lane PS')).toBe(words);
});

test.each([
  'Pump runs dry',
  'Abbey Lane PS flooded',
  'Abbey Lane PS',
  'Abbey Lane PS:',
  'Abbey Lane PSX: dry',
  'At Abbey Lane PS: dry',
])('%s stays as it is', (message) => {
  expect(withoutSite(message, 'Abbey Lane PS')).toBe(message);
});

test('a site without a name changes nothing', () => {
  expect(withoutSite(': dry', '')).toBe(': dry');
});

test('what happened and where are each said once', () => {
  const siteName = 'Mill Lane';
  expect(alarmName({ message: 'Mill Lane: level 5 m', siteName })).toBe('Level 5 m, Mill Lane');
  expect(alarmName({ message: 'Level high', siteName })).toBe('Level high, Mill Lane');
});
