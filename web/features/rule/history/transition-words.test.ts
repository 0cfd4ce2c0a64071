import { expect, test } from 'vitest';
import { transitionValue, transitionWords } from './transition-words.ts';

test('names the new state and the reason', () => {
  expect(transitionWords({ to: 'open', because: 'stayed-out' })).toBe(
    'Alarm: the value stayed in the alarm range for the debounce time',
  );
  expect(transitionWords({ to: 'normal', because: 'back-before-debounce' })).toBe(
    'Normal: the value returned to normal before the debounce ended',
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
    'Alarm: the value stayed in the alarm range for the debounce time',
  );
});

test('shows an unknown state as the server names it', () => {
  expect(transitionWords({ to: 'shelved', because: 'asked-for' })).toBe('shelved: asked-for');
});

test('names who resolved the alarm, if the name is known', () => {
  const resolved = { to: 'normal', because: 'resolved-by-person' };
  expect(transitionWords(resolved, undefined, 'Ruth Adeyemi')).toBe('Normal: Ruth Adeyemi resolved the alarm');
  expect(transitionWords(resolved, undefined, null)).toBe('Normal: a person resolved the alarm');
});

test.each(['resolved-by-person', 'rule-changed', 'rule-disabled', 'rule-deleted'])(
  'has no value after %s, which no reading caused',
  (because) => {
    expect(transitionValue({ because, value: -13.3 })).toBeNull();
    expect(transitionValue({ because: 'stayed-out', value: -13.3 })).toBe(-13.3);
  },
);
