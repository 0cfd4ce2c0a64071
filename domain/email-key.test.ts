import { expect, test } from 'vitest';
import { emailKey } from './email-key.ts';

test.each([
  ['Vera@North.Example', 'vera@north.example'],
  [' vera@north.example\u00A0', 'vera@north.example'],
  ['İRIS@plant.example', 'İris@plant.example'],
  ['\u212Aiss@plant.example', '\u212Aiss@plant.example'],
])('the key of %j is %j', (email, key) => {
  expect(emailKey(email)).toBe(key);
});
