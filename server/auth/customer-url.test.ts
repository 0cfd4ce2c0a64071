import { expect, test } from 'vitest';
import { customerUrl } from './customer-url.ts';

test.each([
  ['https://console.example', '', 'https://console.example'],
  ['https://console.example/', '', 'https://console.example'],
  ['https://console.example', 'north.example', 'https://north.example'],
  ['https://console.example:8443', 'north.example', 'https://north.example:8443'],
  ['https://console.example', 'north.example:9000', 'https://north.example:9000'],
  ['https://console.example/tocsin', 'north.example', 'https://north.example/tocsin'],
  ['http://localhost:8080', 'north.example', 'http://localhost:8080'],
  ['http://127.0.0.1:8080', 'north.example', 'http://127.0.0.1:8080'],
])('the console at %s for the default customer with the host name "%s" is %s', (publicUrl, host, url) => {
  expect(customerUrl(publicUrl, { host, isDefault: true })).toBe(url);
});

test.each([
  ['https://console.example', 'north.example', 'https://north.example'],
  ['http://localhost:8080', 'north.example', 'http://north.example:8080'],
  ['http://localhost:8080', 'north.localhost', 'http://north.localhost:8080'],
])('the console at %s for another customer with the host name "%s" is %s', (publicUrl, host, url) => {
  expect(customerUrl(publicUrl, { host, isDefault: false })).toBe(url);
});
