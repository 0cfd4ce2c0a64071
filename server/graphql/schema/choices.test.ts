import { expect, test } from 'vitest';
import { choiceSentence } from './choices.ts';

test.each([
  [['RED', 'GREEN', 'BLUE'], 'Choose RED, GREEN or BLUE.'],
  [['ONE'], 'Choose ONE.'],
  [['NAME_ASC', 'NAME_DESC'], 'Choose NAME, followed by _ASC or _DESC.'],
  [
    ['NAME_ASC', 'NAME_DESC', 'NATURAL', 'UID_ASC', 'UID_DESC'],
    'Choose NAME or UID, followed by _ASC or _DESC, or NATURAL.',
  ],
  // Neither field is listed with both directions, so the message lists the full names.
  [['NAME_ASC', 'ROUND_DESC'], 'Choose NAME_ASC or ROUND_DESC.'],
])('lists the choices of %j', (names, choices) => {
  expect(choiceSentence('x', names)).toBe(`"x" is not a valid choice. ${choices}`);
});

test('shortens a long value', () => {
  expect(choiceSentence('x'.repeat(1000), ['ONE']).length).toBeLessThan(120);
});
