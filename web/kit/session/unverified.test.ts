import { describe, expect, test } from 'vitest';
import { readUnverified } from './unverified.ts';

describe('the person a refused login names', () => {
  const user = { uuid: 'u', email: 'new@plant.example', username: 'new', display_name: 'New Person' };

  test('is read from the answer', () => {
    expect(readUnverified({ errorMessage: 'Confirm first.', user })).toEqual(user);
  });

  test('goes by the e-mail where the answer has no other name', () => {
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
