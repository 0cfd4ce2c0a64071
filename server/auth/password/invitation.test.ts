import { expect, test } from 'vitest';
import { activationLink } from './invitation.ts';

test('the link contains the uuid of the user and the code', () => {
  expect(activationLink('https://console.example', 'some-uuid', 'a_b-c')).toBe(
    'https://console.example/auth/activation?uuid=some-uuid&code=a_b-c',
  );
});
