import { expect, test } from 'vitest';
import { session } from '../session/session.ts';
import { headerSlot } from './header-slot.ts';

test('the login status is unknown and the header empty before the first fetch', () => {
  expect(session.get()).toEqual({ status: 'unknown' });
  expect(headerSlot.get()).toEqual({ kind: 'title', title: '' });
});
