import { expect, test } from 'vitest';
import { session } from '../session/session.ts';
import { headerSlot } from './header-slot.ts';

test('starts signed out and with an empty header', () => {
  expect(session.get()).toEqual({ status: 'unknown' });
  expect(headerSlot.get()).toEqual({ kind: 'title', title: '' });
});
