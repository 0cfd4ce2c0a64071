import { expect, test } from 'vitest';
import { transitionWords } from './transition-words.ts';

test('a transition says where to and why', () => {
  expect(transitionWords({ to: 'open', because: 'stayed-out' })).toBe(
    'Alarm: it stayed out for as long as the debounce asks',
  );
  expect(transitionWords({ to: 'normal', because: 'back-before-debounce' })).toBe(
    'Normal: it came back before the debounce was over',
  );
});

test('what is not known yet is shown as the server says it', () => {
  expect(transitionWords({ to: 'shelved', because: 'asked-for' })).toBe('shelved: asked-for');
});
