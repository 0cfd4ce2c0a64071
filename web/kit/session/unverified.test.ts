import { describe, expect, test } from 'vitest';
import { readUnverified } from './unverified.ts';

describe('the user named by a refused login', () => {
  const user = { uuid: 'u', email: 'new@plant.example', username: 'new', display_name: 'New Person' };

  test('is parsed from the response', () => {
    expect(readUnverified({ errorMessage: 'Confirm first.', user })).toEqual(user);
  });

  test('has the e-mail address as name if the response contains no name', () => {
    expect(readUnverified({ user: { uuid: 'u', email: 'a@b.c' } })).toEqual({
      uuid: 'u',
      email: 'a@b.c',
      username: 'a@b.c',
      display_name: 'a@b.c',
    });
  });

  test.each([null, 'text', {}, { user: null }, { user: { uuid: 'u' } }, { user: { uuid: 1, email: 'a@b.c' } }])(
    'is null for the response %j',
    (body) => expect(readUnverified(body)).toBeNull(),
  );
});
