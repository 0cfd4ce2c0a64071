import { expect, test } from 'vitest';
import { pauseAfter } from './write-behind.ts';

test.each([
  ['a quick write', 3, 1000],
  ['a slow one, of which no more than a tenth is writing', 250, 2500],
  ['one that waited for the database, after which nobody looks at old values for long', 30_000, 5000],
])('writing newest values pauses after %s', (_name, written, pause) => expect(pauseAfter(written)).toBe(pause));
