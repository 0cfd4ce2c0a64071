import { describe, expect, test } from 'vitest';
import { readUnverified } from './unverified.ts';

describe('the user named by a refused login', () => {
  const user = { uuid: 'u', email: 'new@plant.example', username: 'new', display_name: 'New Person' };

  test('is parsed from the answer', () => {
    expect(readUnverified({ errorMessage: 'Confirm first.', user })).toEqual(user);
  });

  test('has the e-mail as name if the answer has no other', () => {
    expect(readUnverified({ user: { uuid: 'u', email: 'a@b.c' } })).toEqual({
      uuid: 'u',
      email: 'a@b.c',
      username: 'a@b.c',
      display_name: 'a@b.c',
    });
  });

  test.each([null, 'text', {}, { user: null }, { user: { uuid: 'u' } }, { user: { uuid: 1, email: 'a@b.c' } }])(
    'is nobody in %j',
    (body) => expect(readUnverified(body)).toBeNull(),
  );
});
