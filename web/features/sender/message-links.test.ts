import { expect, test } from 'vitest';
import { linksIn } from './message-links.ts';

test('finds each link of a message once, without trailing punctuation', () => {
  const body =
    'Choose a password (https://plant.example/auth/new?code=a-b_c).\nOr: http://10.0.0.7:8080/x, http://10.0.0.7:8080/x';
  expect(linksIn(body)).toEqual(['https://plant.example/auth/new?code=a-b_c', 'http://10.0.0.7:8080/x']);
  expect(linksIn('Level is 3.2 m')).toEqual([]);
});
