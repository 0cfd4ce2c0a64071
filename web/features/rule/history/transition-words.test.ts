import { expect, test } from 'vitest';
import { transitionWords } from './transition-words.ts';

test('names the new state and the reason', () => {
  expect(transitionWords({ to: 'open', because: 'stayed-out' })).toBe('Alarm: it stayed out for the debounce time');
  expect(transitionWords({ to: 'normal', because: 'back-before-debounce' })).toBe(
    'Normal: it came back before the debounce ended',
  );
});

test.each([
  ['resolved-by-person', 'after the alarm was resolved'],
  ['rule-disabled', 'after the rule was enabled again'],
])('does not claim that the value went outside after a reset by %s', (because, words) => {
  const before = { to: 'normal', because };
  expect(transitionWords({ to: 'pending', because: 'above-upper' }, before)).toBe(
    `Debounce running: the value was above the upper limit ${words}`,
  );
  expect(transitionWords({ to: 'open', because: 'stayed-out' }, before)).toBe(
    'Alarm: it stayed out for the debounce time',
  );
});

test('shows an unknown state as the server names it', () => {
  expect(transitionWords({ to: 'shelved', because: 'asked-for' })).toBe('shelved: asked-for');
});
