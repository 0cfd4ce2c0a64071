import { expect, test } from 'vitest';
import { toldWords } from './told-words.ts';

test('an alarm that nobody is joined to is told apart from one whose messages were kept', () => {
  expect(toldWords({ toldCount: 3, untoldBecause: null })).toBe('3 told');
  expect(toldWords({ toldCount: 0, untoldBecause: 'kept' })).toBe('nobody told, no sender is set up');
  expect(toldWords({ toldCount: 0, untoldBecause: 'nobody-joined' })).toBe('nobody is joined to it');
  expect(toldWords({ toldCount: 0, untoldBecause: null })).toBe('nobody told');
});
