import { expect, test } from 'vitest';
import { activationLink, customerUrl } from './invitation.ts';

test.each([
  ['https://console.example', '', 'https://console.example'],
  ['https://console.example/', '', 'https://console.example'],
  ['https://console.example', 'north.example', 'https://north.example'],
  ['https://console.example:8443', 'north.example', 'https://north.example:8443'],
  ['https://console.example', 'north.example:9000', 'https://north.example:9000'],
  ['https://console.example/tocsin', 'north.example', 'https://north.example/tocsin'],
  ['http://localhost:8080', 'north.example', 'http://localhost:8080'],
  ['http://127.0.0.1:8080', 'north.example', 'http://127.0.0.1:8080'],
])('the console at %s for a customer with the host name "%s" is %s', (publicUrl, endPoint, url) => {
  expect(customerUrl(publicUrl, endPoint)).toBe(url);
});

test('the link names the person and the code', () => {
  expect(activationLink('https://console.example', 'some-uuid', 'a_b-c')).toBe(
    'https://console.example/auth/activation?uuid=some-uuid&code=a_b-c',
  );
});
