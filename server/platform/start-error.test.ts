import { expect, test } from 'vitest';
import { StartError } from './start-error.ts';

test('puts the message on one line', () => {
  const cause = new Error('first');
  const error = new StartError('The folder is full.\n  Free some space,\r\nthen start again.\n', { cause });
  expect(error.message).toBe('The folder is full. Free some space, then start again.');
  expect(error.cause).toBe(cause);
  expect(error).toBeInstanceOf(Error);
});
