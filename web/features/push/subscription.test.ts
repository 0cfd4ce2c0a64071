import { expect, test } from 'vitest';
import { deviceName, isMadeWith, keyBytes } from './subscription.ts';

test('decodes a base64url key', () => {
  expect([...keyBytes('_-8A')]).toEqual([255, 239, 0]);
});

test('a subscription matches only the key it was made with', () => {
  const key = keyBytes('AQID');
  expect(isMadeWith(key, new Uint8Array([1, 2, 3]).buffer)).toBe(true);
  expect(isMadeWith(key, new Uint8Array([1, 2, 4]).buffer)).toBe(false);
  expect(isMadeWith(key, new Uint8Array([1, 2]).buffer)).toBe(false);
  expect(isMadeWith(key, null)).toBe(false);
});

test.each([
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['curl/8', 'Browser'],
])('%s has the name %s', (agent, name) => expect(deviceName(agent)).toBe(name));
