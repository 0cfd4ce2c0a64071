import { expect, test } from 'vitest';
import { pauseAfter } from './write-behind.ts';

test.each([
  ['a quick write for at least a second', 3, 1000],
  ['a slow write for ten times as long', 250, 2500],
  ['a very slow write for at most five seconds', 30_000, 5000],
])('writing newest values pauses after %s', (_name, written, pause) => expect(pauseAfter(written)).toBe(pause));
