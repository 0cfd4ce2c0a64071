import { expect, test } from 'vitest';
import { session } from '../session/session.ts';
import { headerMiddle } from './header-middle.ts';

test('the console begins without a person and with an empty header', () => {
  expect(session.get()).toEqual({ status: 'unknown' });
  expect(headerMiddle.get()).toEqual({ kind: 'title', title: '' });
});
