import { expect, test } from 'vitest';
import { expiryOf, stateOf, stateText } from './command-life.ts';
import { parseTemplates, withTemplate } from './templates.ts';

test('a state is one of those that are known', () => {
  expect(stateOf('expired')).toBe('expired');
  expect(stateOf(null)).toBe('queued');
});

test('a command that was taken back says by whom', () => {
  expect(stateText({ state: 'taken-back', takenBackBy: 'Mara Keller' })).toBe('Taken back by Mara Keller');
  expect(stateText({ state: 'sent', takenBackBy: null })).toBe('Sent');
});

test('hours become a moment, and no hours the usual one', () => {
  const now = new Date('2026-11-12T12:00:00Z');
  expect(expiryOf(1.5, now)).toBe('2026-11-12T13:30:00.000Z');
  expect(expiryOf('2', now)).toBe('2026-11-12T14:00:00.000Z');
  expect(expiryOf('', now)).toBeUndefined();
});

test('templates are read whatever stands there', () => {
  expect(parseTemplates('[{"name":"Restart","command":"reboot"},{"name":""},7]')).toEqual([
    { name: 'Restart', command: 'reboot' },
  ]);
  expect(parseTemplates('{')).toEqual([]);
  expect(parseTemplates(null)).toEqual([]);
});

test('a template with the same name is replaced, and they are in order', () => {
  const two = withTemplate([{ name: 'Restart', command: 'reboot' }], { name: 'Open', command: 'valve=1' });
  expect(two.map(({ name }) => name)).toEqual(['Open', 'Restart']);
  expect(withTemplate(two, { name: 'Restart', command: 'reset' })[1]?.command).toBe('reset');
});
