import { expect, test } from 'vitest';
import { expiryOf, stateOf, stateText } from './command-life.ts';
import { parseTemplates, withTemplate } from './templates.ts';

test('accepts only known states', () => {
  expect(stateOf('expired')).toBe('expired');
  expect(stateOf(null)).toBe('queued');
});

test('names the user who cancelled a command', () => {
  expect(stateText({ state: 'cancelled', cancelledBy: 'Mara Keller' })).toBe('Cancelled by Mara Keller');
  expect(stateText({ state: 'sent', cancelledBy: null })).toBe('Sent');
});

test('converts hours to a time, and no hours to the default', () => {
  const now = new Date('2026-11-12T12:00:00Z');
  expect(expiryOf(1.5, now)).toBe('2026-11-12T13:30:00.000Z');
  expect(expiryOf('2', now)).toBe('2026-11-12T14:00:00.000Z');
  expect(expiryOf('', now)).toBeUndefined();
});

test('reads templates whatever the storage contains', () => {
  expect(parseTemplates('[{"name":"Restart","command":"reboot"},{"name":""},7]')).toEqual([
    { name: 'Restart', command: 'reboot' },
  ]);
  expect(parseTemplates('{')).toEqual([]);
  expect(parseTemplates(null)).toEqual([]);
});

test('replaces a template of the same name, and sorts them', () => {
  const two = withTemplate([{ name: 'Restart', command: 'reboot' }], { name: 'Open', command: 'valve=1' });
  expect(two.map(({ name }) => name)).toEqual(['Open', 'Restart']);
  expect(withTemplate(two, { name: 'Restart', command: 'reset' })[1]?.command).toBe('reset');
});
